"""What the sizing and the rendering start from: a machine, and the cluster it belongs to."""

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
)

USERS = {
    "zookeeper": "zookeeper",
    "master": "hbase",
    "regionserver": "hbase",
    "tsd": "opentsdb",
}
"""Who runs a daemon; HDFS's run as hdfs."""

SECURITY = ("none", "kerberos")


class ConfigError(ValueError):
    """Everything that is wrong with an inventory, a sentence each."""

    def __init__(self, problems):
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Machine:
    """One server. Sizes are what the kernel reports, in MiB and GB (10^9 bytes)."""

    name: str
    cores: int
    memory_mb: int
    daemons: tuple[str, ...]
    disks: tuple[str, ...] = ()
    """Mount points of the data disks in slot order."""
    disk_gb: int = 0
    """Size of the smallest of them."""
    disks_expected: int = 0
    """Disks that the inventory lists, mounted or not."""
    ssd: str = ""
    """Mount point of the SSD, empty without one."""
    network_gbit: float = 10
    address: str = ""
    """Address that the TSD listens on; empty is loopback."""


@dataclass(frozen=True)
class Cluster:
    """What all hosts have to agree on."""

    zookeepers: dict[str, int]
    """Host to id. An id is never given to another host."""
    namenodes: tuple[str, ...]
    """One, or two with HA. The order is part of their identity."""
    masters: tuple[str, ...]
    workers: tuple[str, ...]
    salt_buckets: int
    journalnodes: tuple[str, ...] = ()
    nameservice: str = "packhorse"
    racks: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    decommissioned: tuple[str, ...] = ()
    ssd_everywhere: bool = False
    """Whether every worker has an SSD; write-ahead logs go there then."""
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
    """Keytabs and keystores; nothing of it is rendered."""

    @property
    def ha(self):
        return len(self.namenodes) > 1

    @property
    def kerberos(self):
        return self.security == "kerberos"


def check(machine, cluster):
    """Raises ConfigError with all problems; what passes can be sized and rendered."""
    problems = []
    say = problems.append
    unknown = set(machine.daemons) - set(DAEMONS)
    if unknown:
        say(f"unknown daemons: {', '.join(sorted(unknown))}")
    if machine.cores < 1 or machine.memory_mb < 512:
        say(f"a machine needs a core and 512 MiB: cores={machine.cores}, memory_mb={machine.memory_mb}")
    if "datanode" in machine.daemons and not machine.disks:
        say("a DataNode needs at least one data disk: disks=()")
    if machine.disks and machine.disk_gb < 1:
        say(f"data disks must be at least 1 GB: disk_gb={machine.disk_gb}")
    if machine.disks_expected > len(machine.disks):
        missing = machine.disks_expected - len(machine.disks)
        tolerated = failed_volumes_tolerated(machine.disks_expected)
        if missing > tolerated:
            say(
                f"{missing} of {machine.disks_expected} data disks are missing, "
                f"{tolerated} may be: replace them, or take them out of the inventory"
            )
    if len(cluster.zookeepers) % 2 == 0:
        say(f"ZooKeeper needs an odd number of members: zookeepers={len(cluster.zookeepers)}")
    if len(set(cluster.zookeepers.values())) != len(cluster.zookeepers):
        say("two ZooKeeper members have the same id")
    if any(not 1 <= number <= 255 for number in cluster.zookeepers.values()):
        say("ZooKeeper ids must be 1 to 255")
    if not 1 <= len(cluster.namenodes) <= 2:
        say(f"one NameNode, or two with HA: namenodes={len(cluster.namenodes)}")
    if cluster.ha and (len(cluster.journalnodes) < 3 or len(cluster.journalnodes) % 2 == 0):
        say(f"HA needs three or five JournalNodes: journalnodes={len(cluster.journalnodes)}")
    if not cluster.workers or not cluster.masters:
        say("a cluster needs a worker and a master")
    if not cluster.nameservice.isalnum() or not cluster.nameservice.islower():
        say(f"a nameservice is lower-case letters and digits: nameservice={cluster.nameservice}")
    if not 1 <= cluster.salt_buckets <= 255:
        say(f"salt buckets must be 1 to 255: salt_buckets={cluster.salt_buckets}")
    if cluster.security not in SECURITY:
        say(f"security is one of {', '.join(SECURITY)}: security={cluster.security}")
    if cluster.kerberos and not cluster.realm:
        say("Kerberos needs the name of its realm: realm=")
    if problems:
        raise ConfigError([f"{machine.name}: {problem}" for problem in problems])


def keytabs(machine, cluster):
    """Keytabs that a host needs, by name: the user who reads it, and the principal in it."""
    if not cluster.kerberos:
        return {}
    names = {USERS.get(daemon, "hdfs"): USERS.get(daemon, "hdfs") for daemon in machine.daemons}
    if serves_spnego(machine):
        names["HTTP"] = "hdfs"
    if "tsd" in machine.daemons:
        names["packhorse"] = "packhorse"
    return {
        name.lower(): {"owner": owner, "principal": f"{name}/{machine.name}@{cluster.realm}"}
        for name, owner in names.items()
    }


def serves_spnego(machine):
    """Whether others log in to a web server of its."""
    return bool({"namenode", "journalnode"} & set(machine.daemons))


def failed_volumes_tolerated(disks):
    """Data disks that a DataNode may lose and go on: a fifth, and never the last one."""
    return max(0, min(disks // 5, disks - 1))
