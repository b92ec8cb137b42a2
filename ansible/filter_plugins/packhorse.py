"""Passes the inventory to cluster-config, which computes sizes and renders files."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cluster-config"))
# pylint: disable=wrong-import-position
from packhorse_cluster.model import Cluster, ConfigError, Machine, keytabs  # noqa: E402
from packhorse_cluster.render import render, render_system  # noqa: E402
from packhorse_cluster.secrets import problems as secrets_problems  # noqa: E402
from packhorse_cluster.sizing import size  # noqa: E402

GROUPS = {
    "zookeeper": "zookeepers",
    "journalnode": "journalnodes",
    "namenode": "namenodes",
    "master": "masters",
    "datanode": "workers",
    "regionserver": "workers",
    "tsd": "edges",
    "receiver": "receivers",
}


def daemons(groups, host):
    """Daemons of a host in the order in which they start."""
    names = [daemon for daemon, group in GROUPS.items() if host in groups.get(group, [])]
    if "namenode" in names and len(groups["namenodes"]) > 1:
        names.insert(names.index("namenode") + 1, "zkfc")
    return names


def packhorse_host(hostvars, groups, host):
    """Daemons, sizes, files and keytabs of a host; without files, its problems if the inventory is wrong."""
    own = hostvars[host]
    facts = own.get("ansible_facts", {})
    override = own.get("packhorse_machine", {})
    disks = own.get("packhorse_disks", [])
    mounted = own.get("disks_mounted", [f"/data/{disk['slot']}" for disk in disks])
    ssd = own.get("packhorse_ssd", "")
    members = [name for group in ("masters", "workers", "edges", "receivers") for name in groups.get(group, [])]
    machine = Machine(
        name=str(host),
        cores=int(override.get("cores") or facts.get("processor_vcpus") or 1),
        memory_mb=int(override.get("memory_mb") or facts.get("memtotal_mb") or 0),
        daemons=tuple(daemons(groups, host)),
        disks=tuple(str(path) for path in mounted if path != "/ssd"),
        disks_expected=len(disks),
        disk_gb=int(own.get("packhorse_disk_gb", 0)),
        ssd="/ssd" if ssd else "",
        network_gbit=float(own.get("packhorse_network_gbit", 10)),
        address=str(own.get("ansible_host", "")),
        receive=tuple(map(str, own.get("packhorse_receive", []))),
        receive_login=bool(own.get("packhorse_receive_login", False)),
    )
    cluster = Cluster(
        zookeepers={str(name): int(hostvars[name]["packhorse_zookeeper_id"]) for name in groups["zookeepers"]},
        namenodes=tuple(map(str, groups["namenodes"])),
        journalnodes=tuple(map(str, groups.get("journalnodes", []))),
        masters=tuple(map(str, groups["masters"])),
        workers=tuple(map(str, groups["workers"])),
        salt_buckets=int(own["packhorse_salt_buckets"]),
        nameservice=str(own.get("packhorse_nameservice", "packhorse")),
        racks={str(name): str(hostvars[name].get("packhorse_rack", "/default-rack")) for name in groups["workers"]},
        addresses={str(name): str(hostvars[name].get("ansible_host", "")) for name in members},
        decommissioned=tuple(str(n) for n in groups["workers"] if hostvars[n].get("packhorse_decommissioned", False)),
        ssd_everywhere=all(hostvars[name].get("packhorse_ssd", "") for name in groups["workers"]),
        overlay=str(own.get("packhorse_overlay", "")),
        security=str(own.get("packhorse_security", "none")),
        realm=str(own.get("packhorse_realm", "")),
        install_dir=str(own["packhorse_install_dir"]),
    )
    try:
        return {
            "daemons": list(machine.daemons),
            "sizes": size(machine, cluster),
            "files": render(machine, cluster),
            "system": render_system(machine, cluster),
            "keytabs": keytabs(machine, cluster),
            "problems": [],
        }
    except ConfigError as error:
        empty = {"sizes": {}, "files": {}, "system": {}, "keytabs": {}}
        return {"daemons": list(machine.daemons), **empty, "problems": error.problems}


def packhorse_secrets(folder, host, realm, expected_keytabs):
    """Problems with a host's keytabs and certificates in a folder on this control host."""
    return list(secrets_problems(str(folder), str(host), str(realm), expected_keytabs))


def packhorse_mounts(disks, ssd):
    """Device and mount point of each disk of a host, the SSD first."""
    first = [{"device": ssd, "path": "/ssd"}] if ssd else []
    return first + [{"device": disk["device"], "path": f"/data/{disk['slot']}"} for disk in disks]


class FilterModule:
    """The filters of this file, for Ansible."""

    def filters(self):
        """Filters by name."""
        return {
            "packhorse_host": packhorse_host,
            "packhorse_mounts": packhorse_mounts,
            "packhorse_secrets": packhorse_secrets,
        }
