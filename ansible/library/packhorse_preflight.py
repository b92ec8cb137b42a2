#!/usr/bin/python
"""Everything that would make a host fail later, in one look that changes nothing."""

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
description: Looks and never changes; fails never. A sentence says what is wrong and how to put it right.
options:
  hosts:
    description: Address of every host of the cluster by name.
    type: dict
    required: true
  ports:
    description: Ports by the unit that is to listen on them.
    type: dict
    required: true
  devices:
    description: Disks that have to be there.
    type: list
    elements: str
    default: []
  missing_max:
    description: How many of them may be missing.
    type: int
    default: 0
  now:
    description: The control host's time, seconds since 1970.
    type: float
    required: true
  skew_max_seconds:
    description: How far clocks may be apart, the call's own time included.
    type: float
    required: true
  open_files_min:
    description: Least hard limit of open files.
    type: int
    required: true
  free_gb_min:
    description: Least free space of the root file system, in 10^9 bytes.
    type: float
    required: true
  realm:
    description: Kerberos realm that the host's own /etc/krb5.conf has to be of; empty does not look.
    type: str
    default: ""
author: Packhorse
"""


def main():
    """Collects from all checks."""
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
        *limits(given["open_files_min"]),
        *swap(),
        *room(given["free_gb_min"]),
        *krb5(given["realm"]),
    ]
    module.exit_json(changed=False, problems=problems)


def clock(now, skew_max):
    """The control host's clock is the measure."""
    skew = abs(time.time() - now)
    if skew > skew_max:
        yield f"the clock is {skew:.0f} s away from the control host's: set it, and let chrony run"


def names(hosts):
    """Names to addresses and back: HBase and HDFS know a host by its reverse name."""
    for host, address in hosts.items():
        try:
            found = socket.gethostbyname(host)
            if found != address:
                yield f"{host} resolves to {found}, not {address}: correct DNS or /etc/hosts"
            name = socket.gethostbyaddr(address)[0]
            if name != host:
                yield f"the reverse name of {address} is {name}, not {host}: correct DNS or /etc/hosts"
        except OSError as error:
            yield f"{host} or its address {address} has no name ({error}): set packhorse_hosts_file, or correct DNS"


def ports(units):
    """A port that somebody else has."""
    for unit, numbers in units.items():
        if subprocess.run(["systemctl", "is-active", "-q", unit], check=False).returncode == 0:
            continue
        for number in numbers:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("", int(number)))
                except OSError:
                    yield f"port {number} of {unit} is taken: ss -ltnp 'sport = :{number}' says by whom"


def disks(devices, missing_max):
    """Listed disks that are not there."""
    missing = [device for device in devices if not os.path.exists(device)]
    if len(missing) > missing_max:
        yield f"disks are missing: {', '.join(missing)}; put them in, or take them out of packhorse_disks"


def java():
    """None is fine, it will be installed; a wrong one is not."""
    command = shutil.which("java")
    if command:
        said = subprocess.run([command, "-version"], capture_output=True, text=True, check=False).stderr
        version = re.search(r'version "(\d+)', said)
        if not version or int(version.group(1)) not in (17, 21):
            yield f"{command} is {version.group(1) if version else 'no Java'}, 17 or 21 is needed: update-alternatives --config java"


def limits(least):
    """systemd can set no more than this."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if 0 <= hard < least:
        yield f"no more than {hard} files can be open, {least} are needed: raise DefaultLimitNOFILE or pam limits"


def swap():
    """A heap in swap is a lost session."""
    with open("/proc/swaps", encoding="utf-8") as file:
        if len(file.readlines()) > 1:
            yield "there is swap: swapoff -a, and take it out of /etc/fstab"


def room(least):
    """Releases, logs and heap dumps."""
    free = shutil.disk_usage("/").free / 1e9
    if free < least:
        yield f"/ has {free:.1f} GB free, {least} are needed"


def krb5(realm):
    """Principals become users' names in the host's own realm only."""
    if realm:
        try:
            with open("/etc/krb5.conf", encoding="utf-8") as file:
                found = re.search(r"^\s*default_realm\s*=\s*(\S+)", file.read(), re.MULTILINE)
        except OSError:
            found = None
        if not found or found.group(1) != realm:
            yield f"/etc/krb5.conf has no default_realm = {realm}: join the host to it, or bring a krb5.conf"


if __name__ == "__main__":
    main()
