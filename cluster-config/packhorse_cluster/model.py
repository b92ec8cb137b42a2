"""Input of sizing and rendering: a machine, and the cluster that it belongs to."""

import re
from dataclasses import dataclass, field

DAEMONS = (
    "zookeeper",
    "journalnode",
    "namenode",
    "zkfc",
    "master",
    "datanode",
    "regionserver",
    "tsd",
    "receiver",
)

USERS = {
    "zookeeper": "zookeeper",
    "master": "hbase",
    "regionserver": "hbase",
    "tsd": "opentsdb",
    "receiver": "packhorse",
}
"""Users of the daemons that do not belong to HDFS."""

SECURITY = ("none", "kerberos")


class ConfigError(ValueError):
    """All problems of an inventory, one sentence each."""

    def __init__(self, problems):
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Machine:
    """One server. Memory is in MiB as the kernel reports it, disks are in GB (10^9 bytes)."""

    name: str
    cores: int
    memory_mb: int
    daemons: tuple[str, ...]
    disks: tuple[str, ...] = ()
    """Mount points of the mounted data disks, in slot order."""
    disk_gb: int = 0
    """Size of the smallest data disk."""
    disks_expected: int = 0
    """Number of data disks in the inventory, mounted or not."""
    ssd: str = ""
    """Mount point of the SSD; empty if there is none."""
    network_gbit: float = 10
    address: str = ""
    """Address that the TSD and the receiver listen on; empty for loopback."""
    receive: tuple[str, ...] = ()
    """More options of the receiver, such as --visible-within=30s."""
    receive_login: bool = False
    """Whether clients of the receiver need TLS and a password or token."""


@dataclass(frozen=True)
class Cluster:
    """Settings that are the same on all hosts."""

    zookeepers: dict[str, int]
    """Id by host. The id of a host never changes."""
    namenodes: tuple[str, ...]
    """One, or two with HA. Their ids follow from their order, so it must not change."""
    masters: tuple[str, ...]
    workers: tuple[str, ...]
    salt_buckets: int
    journalnodes: tuple[str, ...] = ()
    nameservice: str = "packhorse"
    racks: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    decommissioned: tuple[str, ...] = ()
    ssd_everywhere: bool = False
    """Whether every worker has an SSD, which write-ahead logs then use."""
    overlay: str = ""
    security: str = "none"
    """One of SECURITY."""
    realm: str = ""
    """Kerberos realm of every principal."""
    install_dir: str = "/opt/packhorse"
    conf_dir: str = "/etc/packhorse"
    log_dir: str = "/var/log/packhorse"
    state_dir: str = "/var/lib/packhorse"
    security_dir: str = "/etc/packhorse-security"
    """Folder of keytabs and keystores, which are not rendered."""
    proxy_dir: str = "/etc/packhorse-proxy"
    """Folder of the proxy's certificate and key, which are not rendered."""
    receiver_dir: str = "/etc/packhorse-receiver"
    """Folder of the receiver's certificate, key and senders, which are not rendered."""

    @property
    def ha(self):
        return len(self.namenodes) > 1

    @property
    def kerberos(self):
        return self.security == "kerberos"


def check(machine, cluster):
    """Raises ConfigError with all problems of the input."""
    problems = []
    report = problems.append
    unknown = set(machine.daemons) - set(DAEMONS)
    if unknown:
        report(f"unknown daemons: {', '.join(sorted(unknown))}")
    if machine.cores < 1 or machine.memory_mb < 512:
        report(f"a machine needs at least one core and 512 MiB: cores={machine.cores}, memory_mb={machine.memory_mb}")
    for option in machine.receive:
        if not re.fullmatch(r"--[a-z][a-z-]*(=\S.*)?", option):
            report(f"an option of the receiver is --name or --name=value, with no line end: {option!r}")
    if "datanode" in machine.daemons and not machine.disks:
        report("a DataNode needs at least one data disk: disks=()")
    if machine.disks and machine.disk_gb < 1:
        report(f"data disks must be at least 1 GB: disk_gb={machine.disk_gb}")
    if machine.disks_expected > len(machine.disks):
        missing = machine.disks_expected - len(machine.disks)
        tolerated = failed_volumes_tolerated(machine.disks_expected)
        if missing > tolerated:
            report(
                f"{missing} of {machine.disks_expected} data disks are missing, at most {tolerated} may be: "
                "replace them, or remove them from the inventory"
            )
    if len(cluster.zookeepers) % 2 == 0:
        report(f"ZooKeeper needs an odd number of members: zookeepers={len(cluster.zookeepers)}")
    if len(set(cluster.zookeepers.values())) != len(cluster.zookeepers):
        report("two ZooKeeper members have the same id")
    if any(not 1 <= number <= 255 for number in cluster.zookeepers.values()):
        report("ZooKeeper ids must be 1 to 255")
    if not 1 <= len(cluster.namenodes) <= 2:
        report(f"a cluster has one NameNode, or two with HA: namenodes={len(cluster.namenodes)}")
    if cluster.ha and (len(cluster.journalnodes) < 3 or len(cluster.journalnodes) % 2 == 0):
        report(f"HA needs three or five JournalNodes: journalnodes={len(cluster.journalnodes)}")
    if not cluster.workers or not cluster.masters:
        report("a cluster needs at least one worker and one master")
    if not cluster.nameservice.isalnum() or not cluster.nameservice.islower():
        report(f"a nameservice consists of lower-case letters and digits: nameservice={cluster.nameservice}")
    if not 1 <= cluster.salt_buckets <= 255:
        report(f"salt buckets must be 1 to 255: salt_buckets={cluster.salt_buckets}")
    if cluster.security not in SECURITY:
        report(f"security must be one of {', '.join(SECURITY)}: security={cluster.security}")
    if cluster.kerberos and not cluster.realm:
        report("Kerberos needs a realm: set packhorse_realm")
    if problems:
        raise ConfigError([f"{machine.name}: {problem}" for problem in problems])


def keytabs(machine, cluster):
    """Keytabs that a host needs, by name, each with the user who reads it and the principal in it."""
    if not cluster.kerberos:
        return {}
    names = {user_of(daemon): user_of(daemon) for daemon in machine.daemons}
    if serves_spnego(machine):
        names["HTTP"] = "hdfs"
    if {"tsd", "receiver"} & set(machine.daemons):
        names["packhorse"] = "packhorse"
    return {
        name.lower(): {"owner": owner, "principal": f"{name}/{machine.name}@{cluster.realm}"}
        for name, owner in names.items()
    }


def user_of(daemon):
    """User that a daemon runs as."""
    return USERS.get(daemon, "hdfs")


def serves_spnego(machine):
    """Whether clients log in to a web server of this host with SPNEGO."""
    return bool({"namenode", "journalnode"} & set(machine.daemons))


def failed_volumes_tolerated(disks):
    """Failed data disks with which a DataNode continues: a fifth, and never all."""
    return max(0, min(disks // 5, disks - 1))
