"""Renders the files of a machine from its cluster's settings. Reads settings/ and templates/, and nothing else."""

import json
from xml.sax.saxutils import escape

from . import settings
from .model import ConfigError, serves_spnego, user_of
from .sizing import size
from .templates import fill, fill_file

HEADER = "Rendered from the inventory by Packhorse's cluster-config; changes are lost."

JAAS_SECTIONS = {"zookeeper": "Server", "zkfc": "Client", "tsd": "TSD"}
"""Daemons that log in to Kerberos with a JAAS file; the others read keytab and principal from their settings."""


def render(machine, cluster):
    """Files of a host's configuration folder, text by path. Raises ConfigError."""
    if cluster.overlay and cluster.overlay not in settings.overlays():
        raise ConfigError([f"no such overlay: {cluster.overlay}; use one of {', '.join(settings.overlays())}"])
    sizes = size(machine, cluster)
    values = _values(machine, cluster, sizes)
    conditions = {
        "ha": cluster.ha,
        "bucket_cache": sizes["bucket_cache_mb"] > 0,
        "hbase": bool({"master", "regionserver"} & set(machine.daemons)),
        "spnego": serves_spnego(machine),
        "receive_login": machine.receive_login,
        "receive_open": not machine.receive_login,
        **{name: True for name in machine.daemons},
    }
    groups = {
        "namenodes": [{"id": f"nn{i + 1}", "host": host} for i, host in enumerate(cluster.namenodes)],
        "zookeepers": [{"id": number, "host": host} for host, number in cluster.zookeepers.items()],
    }

    def expanded(name):
        return list(_expanded(name, cluster, values, conditions, groups))

    files = {}
    everything = []
    for name in ("core-site", "hdfs-site", "hbase-site"):
        entries = expanded(name)
        files[f"{name}.xml"] = _xml(entries)
        everything += entries
    # For clients that take a single file, such as the loader.
    files["client-site.xml"] = _xml({entry[0]: entry for entry in everything + expanded("client-site")}.values())
    if cluster.kerberos:
        files |= {f"{name}.xml": _xml(expanded(name)) for name in ("ssl-server", "ssl-client")}
        files["login.sh"] = fill_file("login.sh", values)
        files |= {
            f"{daemon}.jaas": fill_file("daemon.jaas", {**values, "section": section, "user": user_of(daemon)})
            for daemon, section in JAAS_SECTIONS.items()
            if daemon in machine.daemons
        }
    if "zookeeper" in machine.daemons:
        files["zoo.cfg"] = _properties(expanded("zoo"))
        files["myid"] = f"{cluster.zookeepers[machine.name]}\n"
    if "tsd" in machine.daemons:
        files["tsd-proxy.conf"] = fill_file("tsd-proxy.conf", values)
    if "receiver" in machine.daemons:
        options = [(*option.partition("=")[::2], "From the inventory.") for option in machine.receive]
        files["receiver.options"] = _options(expanded("receiver") + options)
    files["opentsdb.conf"] = _properties(expanded("opentsdb"))
    files |= {name: fill_file(name, values) for name in ("logback.xml", "log4j.properties")}
    files["topology"] = _topology(cluster)
    files["dfs.hosts.json"] = _hosts(cluster)
    for daemon in machine.daemons:
        files[f"{daemon}.jvm"] = _jvm(daemon, cluster, values, sizes)
    return files


def render_system(machine, cluster):
    """Files of the operating system, text by path: units and their limits, sysctl, udev, tmpfiles."""
    values = _values(machine, cluster, size(machine, cluster))
    sections = settings.load_sections("os")
    units = {
        f"/etc/systemd/system/packhorse-{daemon}.service": fill_file(
            "daemon.service", {**values, "daemon": daemon, "user": user_of(daemon)}
        )
        for daemon in machine.daemons
    }
    return units | {
        "/etc/sysctl.d/60-packhorse.conf": _lines(sections["sysctl"], values, "{name} = {value}"),
        "/etc/systemd/system/packhorse-.service.d/limits.conf": _lines(
            sections["unit"], values, "{name}={value}", first="[Service]\n"
        ),
        "/etc/udev/rules.d/60-packhorse-disks.rules": _lines(sections["udev"], values, "{value}"),
        "/etc/tmpfiles.d/packhorse.conf": _lines(sections["tmpfiles"], values, "{value}"),
    }


def _values(machine, cluster, sizes):
    fast = f"{machine.ssd}/packhorse" if machine.ssd else cluster.state_dir
    names = [f"file://{fast}/namenode"]
    if machine.disks:
        names.append(f"file://{machine.disks[0]}/packhorse/namenode")
    data = [f"[DISK]file://{disk}/packhorse/datanode" for disk in machine.disks]
    if machine.ssd and "datanode" in machine.daemons:
        data.insert(0, f"[SSD]file://{machine.ssd}/packhorse/datanode")
    return {
        **{name: value for name, value in sizes.items() if name != "heap_mb"},
        "header": HEADER,
        "install_dir": cluster.install_dir,
        "conf_dir": cluster.conf_dir,
        "log_dir": cluster.log_dir,
        "state_dir": cluster.state_dir,
        "fast_dir": fast,
        "data_dirs": ",".join(data),
        "name_dirs": ",".join(names),
        "nameservice": cluster.nameservice,
        "namenode_ids": ",".join(f"nn{i + 1}" for i in range(len(cluster.namenodes))),
        "journal_quorum": ";".join(f"{host}:8485" for host in cluster.journalnodes),
        "zookeeper_quorum": ",".join(f"{host}:2181" for host in cluster.zookeepers),
        "wal_storage_policy": "ALL_SSD" if cluster.ssd_everywhere else "HOT",
        "salt_buckets": cluster.salt_buckets,
        "tsd_bind": machine.address or "127.0.0.1",
        "host": machine.name,
        "realm": cluster.realm,
        "security_dir": cluster.security_dir,
        "proxy_dir": cluster.proxy_dir,
        "receiver_dir": cluster.receiver_dir,
    }


def _expanded(file, cluster, values, conditions, groups):
    """Name, value and reason of a file's settings. Security and overlay replace settings of the same name."""
    chosen = {
        **settings.load(file),
        **settings.security(cluster.security, file),
        **settings.overlay(cluster.overlay, file),
    }
    for setting in chosen.values():
        if setting.when and not conditions.get(setting.when):
            continue
        for member in groups[setting.each] if setting.each else [{}]:
            scope = {**values, **member}
            yield fill(setting.name, scope), fill(setting.value, scope), setting.why


def _xml(entries):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<!-- {HEADER} -->", "<configuration>"]
    for name, value, why in entries:
        lines += [
            "  <property>",
            f"    <name>{escape(name)}</name>",
            f"    <value>{escape(value)}</value>",
            f"    <description>{escape(why)}</description>",
            "  </property>",
        ]
    return "\n".join([*lines, "</configuration>", ""])


def _properties(entries):
    lines = [f"# {HEADER}"]
    for name, value, why in entries:
        lines += [f"# {why}", f"{name}={value}"]
    return "\n".join([*lines, ""])


def _options(entries):
    """Options of a command, one a line."""
    lines = [f"# {HEADER}"]
    for name, value, why in entries:
        lines += [f"# {why}", f"{name}={value}" if value else name]
    return "\n".join([*lines, ""])


def _lines(section, values, form, first=""):
    lines = [f"# {HEADER}\n{first}"]
    for setting in section.values():
        line = form.format(name=setting.name, value=fill(setting.value, values))
        lines.append(f"# {setting.why}\n{line}\n")
    return "".join(lines)


def _jvm(daemon, cluster, values, sizes):
    heap = sizes["heap_mb"][daemon]
    conditions = {"large_heap": heap >= 1024, "small_heap": heap < 1024}
    scope = {**values, "heap_mb": heap, "daemon": daemon}
    lines = [f"# {HEADER}"]
    for setting in {**settings.load("jvm"), **settings.security(cluster.security, "jvm")}.values():
        if setting.when and not conditions[setting.when]:
            continue
        if not setting.each or daemon in setting.daemons:
            lines.append(fill(setting.name, scope))
    return "\n".join([*lines, ""])


def _topology(cluster):
    lines = []
    for host in cluster.workers:
        rack = cluster.racks.get(host, "/default-rack")
        lines += [f"{name} {rack}" for name in (host, cluster.addresses.get(host)) if name]
    return "\n".join([*lines, ""])


def _hosts(cluster):
    entries = []
    for host in cluster.workers:
        entry = {"hostName": host}
        if host in cluster.decommissioned:
            entry["adminState"] = "DECOMMISSIONED"
        entries.append(entry)
    return json.dumps(entries, indent=2) + "\n"
