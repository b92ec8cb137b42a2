#!/usr/bin/python
"""Finds problems of a host that would make the installation fail later. Changes nothing."""

import os
import re
import resource
import shutil
import socket
import subprocess
import time

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: packhorse_preflight
short_description: Problems of a host, a sentence each
description: Changes nothing and never fails. Each sentence says what is wrong and how to correct it.
options:
  hosts:
    description: Address of every host of the cluster by name.
    type: dict
    required: true
  ports:
    description: Ports by the unit that will listen on them.
    type: dict
    required: true
  devices:
    description: Devices of the data disks.
    type: list
    elements: str
    default: []
  missing_max:
    description: How many of them may be missing.
    type: int
    default: 0
  now:
    description: The control host's time, in seconds since 1970.
    type: float
    required: true
  skew_max_seconds:
    description: Maximum difference of the clocks, including the duration of the call.
    type: float
    required: true
  open_files_min:
    description: Minimum hard limit of open files.
    type: int
    required: true
  free_gb_min:
    description: Minimum free space of the root file system, in 10^9 bytes.
    type: float
    required: true
  realm:
    description: Kerberos realm that /etc/krb5.conf must have as its default; empty skips the check.
    type: str
    default: ""
author: Packhorse
"""


def main():
    """Collects the problems that the checks find."""
    module = AnsibleModule(
        argument_spec={
            "hosts": {"type": "dict", "required": True},
            "ports": {"type": "dict", "required": True},
            "devices": {"type": "list", "elements": "str", "default": []},
            "missing_max": {"type": "int", "default": 0},
            "now": {"type": "float", "required": True},
            "skew_max_seconds": {"type": "float", "required": True},
            "open_files_min": {"type": "int", "required": True},
            "free_gb_min": {"type": "float", "required": True},
            "realm": {"type": "str", "default": ""},
        },
        supports_check_mode=True,
    )
    given = module.params
    problems = [
        *clock(given["now"], given["skew_max_seconds"]),
        *names(given["hosts"]),
        *ports(given["ports"]),
        *disks(given["devices"], given["missing_max"]),
        *java(),
        *open_files(given["open_files_min"]),
        *swap(),
        *free_space(given["free_gb_min"]),
        *krb5(given["realm"]),
    ]
    module.exit_json(changed=False, problems=problems)


def clock(now, skew_max):
    """Compares the clock with the control host's."""
    skew = abs(time.time() - now)
    if skew > skew_max:
        yield f"the clock is {skew:.0f} s off the control host's: set it, and start chrony"


def names(hosts):
    """Resolves names and addresses: HBase and HDFS identify a host by its reverse name."""
    for host, address in hosts.items():
        try:
            found = socket.gethostbyname(host)
            if found != address:
                yield f"{host} resolves to {found}, not {address}: correct DNS or /etc/hosts"
            name = socket.gethostbyaddr(address)[0]
            if name != host:
                yield f"the reverse name of {address} is {name}, not {host}: correct DNS or /etc/hosts"
        except OSError as error:
            yield f"{host} or its address {address} cannot be resolved ({error}): set packhorse_hosts_file, or correct DNS"


def ports(units):
    """Finds ports that another program uses."""
    for unit, numbers in units.items():
        if subprocess.run(["systemctl", "is-active", "-q", unit], check=False).returncode == 0:
            continue
        for number in numbers:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("", int(number)))
                except OSError:
                    yield f"port {number} of {unit} is in use by another program: ss -ltnp 'sport = :{number}' names it"


def disks(devices, missing_max):
    """Finds missing disks."""
    missing = [device for device in devices if not os.path.exists(device)]
    if len(missing) > missing_max:
        yield f"disks are missing: {', '.join(missing)}; insert them, or remove them from packhorse_disks"


def java():
    """Checks the version of Java, if it is installed; otherwise the role system installs one."""
    command = shutil.which("java")
    if command:
        output = subprocess.run([command, "-version"], capture_output=True, text=True, check=False).stderr
        version = re.search(r'version "(\d+)', output)
        if not version or int(version.group(1)) not in (17, 21):
            yield f"{command} is {version.group(1) if version else 'no Java'}, 17 or 21 is needed: update-alternatives --config java"


def open_files(minimum):
    """Checks the hard limit of open files, which systemd cannot exceed."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if 0 <= hard < minimum:
        yield f"the hard limit of open files is {hard}, {minimum} are needed: raise DefaultLimitNOFILE or the PAM limits"


def swap():
    """Checks that there is no swap: a JVM that is swapped out loses its ZooKeeper session."""
    with open("/proc/swaps", encoding="utf-8") as file:
        if len(file.readlines()) > 1:
            yield "swap is active: swapoff -a, and remove it from /etc/fstab"


def free_space(minimum):
    """Checks the space for releases, logs and heap dumps."""
    free = shutil.disk_usage("/").free / 1e9
    if free < minimum:
        yield f"/ has {free:.1f} GB free, {minimum} are needed: delete files or enlarge it"


def krb5(realm):
    """Checks the default realm: only its principals are mapped to users."""
    if realm:
        try:
            with open("/etc/krb5.conf", encoding="utf-8") as file:
                found = re.search(r"^\s*default_realm\s*=\s*(\S+)", file.read(), re.MULTILINE)
        except OSError:
            found = None
        if not found or found.group(1) != realm:
            yield (
                f"/etc/krb5.conf has no default_realm = {realm}: join the host to the realm, "
                "or put krb5.conf into packhorse_security_folder"
            )


if __name__ == "__main__":
    main()
