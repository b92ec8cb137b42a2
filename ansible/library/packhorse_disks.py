#!/usr/bin/python
"""Prepares all data disks of a host in one call: faster than a task for each disk."""

import os
import stat

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: packhorse_disks
short_description: File systems and mount points of data disks
description:
  - Creates a file system on each listed disk that is blank, and mounts it. A disk with other contents is refused, a
    missing disk is reported.
  - The mount point of an unmounted disk is immutable, so that nothing is written to the root disk instead.
options:
  disks:
    description: Disks with C(device), a stable device name, and C(path), the mount point.
    type: list
    elements: dict
    required: true
  mkfs_options:
    description: Additional options of mkfs.xfs.
    type: list
    elements: str
    default: []
author: Packhorse
"""

OPTIONS = "noatime,nodiratime,inode64"


def main():
    """Prepares and mounts each disk."""
    module = AnsibleModule(
        argument_spec={
            "disks": {"type": "list", "elements": "dict", "required": True},
            "mkfs_options": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    mounted, missing, problems, changed = [], [], [], []
    mounts = current_mounts()
    for disk in module.params["disks"]:
        device, path = disk["device"], disk["path"]
        label = "ph-" + os.path.basename(path)
        if path in mounts:
            mounted.append(path)
            continue
        if not is_block(device):
            missing.append(device)
            protect(module, path, changed)
            continue
        found = probe(module, device)
        if found and found != ("xfs", label):
            problems.append(
                f"{device} is neither blank nor labelled {label}, but has {found[0]} {found[1]}; "
                f"to erase it: wipefs --all {device}"
            )
            continue
        protect(module, path, changed)
        changed.append(path)
        if not module.check_mode:
            if not found:
                module.run_command(["mkfs.xfs", "-q", "-L", label, *module.params["mkfs_options"], device], check_rc=True)
            module.run_command(["mount", "-t", "xfs", "-o", OPTIONS, device, path], check_rc=True)
        mounted.append(path)
    if problems:
        module.fail_json(msg="; ".join(problems), problems=problems)
    module.exit_json(changed=bool(changed), mounted=mounted, missing=missing, paths=changed)


def current_mounts():
    """All mount points."""
    with open("/proc/self/mounts", encoding="utf-8") as file:
        return {line.split()[1] for line in file}


def is_block(device):
    """Whether a block device exists."""
    try:
        return stat.S_ISBLK(os.stat(device).st_mode)
    except OSError:
        return False


def probe(module, device):
    """Kind and label of a disk's contents, None if it is blank."""
    code, out, err = module.run_command(["blkid", "-p", "-o", "export", device])
    if code == 2:
        return None
    if code != 0:
        module.fail_json(msg=f"cannot read {device}: {err}")
    values = dict(line.split("=", 1) for line in out.splitlines() if "=" in line)
    return values.get("TYPE") or values.get("PTTYPE", "unknown contents"), values.get("LABEL", "")


def protect(module, path, changed):
    """Creates an immutable mount point."""
    if not os.path.isdir(path):
        changed.append(path)
        if module.check_mode:
            return
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        os.mkdir(path, mode=0o000)
    if not module.check_mode:
        module.run_command(["chattr", "+i", path], check_rc=True)


if __name__ == "__main__":
    main()
