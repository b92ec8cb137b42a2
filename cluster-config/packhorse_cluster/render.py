"""From a machine and its cluster to its files. Pure but for reading settings/."""

import json
from xml.sax.saxutils import escape

from . import settings
from .model import USERS, ConfigError, serves_spnego
from .sizing import size

HEADER = "Rendered from the inventory by Packhorse's cluster-config; changes are lost."

UNIT = """\
# {header}
[Unit]
Description=Packhorse {daemon}
After=network-online.target packhorse-disks.service
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
User={user}
Group=hadoop
Environment=PACKHORSE_CONF={conf_dir}
ExecStartPre=+/bin/sh -c 'exec {release}/bin/packhorse-node stamp {daemon} >/run/packhorse-{daemon}.stamp'
ExecStart={release}/bin/packhorse-node {daemon}
Restart=always
RestartSec=5
# The JVM's own code for SIGTERM.
SuccessExitStatus=143
TimeoutStopSec=180
OOMScoreAdjust=-500
UMask=0027
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=full
ProtectHome=yes
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
"""

LOG4J = """\
# {header}
log4j.rootLogger=INFO, FILE
log4j.appender.FILE=org.apache.log4j.RollingFileAppender
log4j.appender.FILE.File=${{packhorse.log.file}}
log4j.appender.FILE.MaxFileSize=50MB
log4j.appender.FILE.MaxBackupIndex=10
log4j.appender.FILE.layout=org.apache.log4j.PatternLayout
log4j.appender.FILE.layout.ConversionPattern=%d{{ISO8601}} %p [%t] %c{{2}}: %m%n
"""

LOGBACK = """\
<!-- {header} -->
<configuration>
  <appender name="CYCLIC" class="ch.qos.logback.core.read.CyclicBufferAppender">
    <MaxSize>1024</MaxSize>
  </appender>
  <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
    <file>${{packhorse.log.file}}</file>
    <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
      <fileNamePattern>${{packhorse.log.file}}.%i</fileNamePattern>
      <maxIndex>10</maxIndex>
    </rollingPolicy>
    <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
      <maxFileSize>50MB</maxFileSize>
    </triggeringPolicy>
    <encoder>
      <pattern>%d{{ISO8601}} %-5level [%thread] %logger{{0}}: %msg%n</pattern>
    </encoder>
  </appender>
  <root level="WARN">
    <appender-ref ref="CYCLIC"/>
    <appender-ref ref="FILE"/>
  </root>
</configuration>
"""


JAAS = """\
// {header}
{section} {{
  com.sun.security.auth.module.Krb5LoginModule required
  useKeyTab=true storeKey=true useTicketCache=false doNotPrompt=true
  keyTab="{security_dir}/{user}.keytab"
  principal="{user}/{host}@{realm}";
}};
"""

JAAS_SECTIONS = {"zookeeper": "Server", "zkfc": "Client", "tsd": "TSD"}
"""Of daemons that log in by a JAAS file; the others read keytab and principal from their settings."""

LOGIN = """\
# {header}
# packhorse-node's tools log in as the user that runs them, if that one has a keytab here; else with his ticket.
keytab={security_dir}/$(id -un).keytab
if [ -r "$keytab" ]; then
  export KRB5KEYTAB="$keytab" KRB5PRINCIPAL="$(id -un)/{host}@{realm}"
fi
"""


def render(machine, cluster):
    """Every file of a host's configuration folder, path to text. Raises ConfigError."""
    if cluster.overlay and cluster.overlay not in settings.overlays():
        raise ConfigError([f"no such overlay: {cluster.overlay}; there are {', '.join(settings.overlays())}"])
    sizes = size(machine, cluster)
    values = _values(machine, cluster, sizes)
    conditions = {
        "ha": cluster.ha,
        "bucket_cache": sizes["bucket_cache_mb"] > 0,
        "hbase": bool({"master", "regionserver"} & set(machine.daemons)),
        "spnego": serves_spnego(machine),
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
    # For clients that are given one file, the loader among them.
    files["client-site.xml"] = _xml({entry[0]: entry for entry in everything + expanded("client-site")}.values())
    if cluster.kerberos:
        files |= {f"{name}.xml": _xml(expanded(name)) for name in ("ssl-server", "ssl-client")}
        files["login.sh"] = LOGIN.format(header=HEADER, **values)
        files |= {
            f"{daemon}.jaas": JAAS.format(header=HEADER, section=section, user=USERS.get(daemon, "hdfs"), **values)
            for daemon, section in JAAS_SECTIONS.items()
            if daemon in machine.daemons
        }
    if "zookeeper" in machine.daemons:
        files["zoo.cfg"] = _properties(expanded("zoo"))
        files["myid"] = f"{cluster.zookeepers[machine.name]}\n"
    files["opentsdb.conf"] = _properties(expanded("opentsdb"))
    files["logback.xml"] = LOGBACK.format(header=HEADER)
    files["log4j.properties"] = LOG4J.format(header=HEADER)
    files["topology"] = _topology(cluster)
    files["dfs.hosts.json"] = _hosts(cluster)
    for daemon in machine.daemons:
        files[f"{daemon}.jvm"] = _jvm(daemon, cluster, values, sizes)
    return files


def render_system(machine, cluster):
    """Files of the operating system, path to text: units and their limits, sysctl, udev, tmpfiles."""
    values = _values(machine, cluster, size(machine, cluster))
    sections = settings.load_sections("os")
    units = {
        f"/etc/systemd/system/packhorse-{daemon}.service": UNIT.format(
            header=HEADER,
            daemon=daemon,
            user=USERS.get(daemon, "hdfs"),
            conf_dir=cluster.conf_dir,
            release=f"{cluster.install_dir}/current",
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
    }


def _expanded(file, cluster, values, conditions, groups):
    """Settings of a file with all names and values filled in, those of security and overlay in their place."""
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
            yield setting.name.format(**scope), setting.value.format(**scope), setting.why


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


def _lines(section, values, form, first=""):
    lines = [f"# {HEADER}\n{first}"]
    for setting in section.values():
        line = form.format(name=setting.name, value=setting.value.format(**values))
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
            lines.append(setting.name.format(**scope))
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
