#!/usr/bin/python
"""Writes all files of a host in one call: faster than a task for each file."""

import os
import tempfile

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: packhorse_files
short_description: Writes a set of text files
description: Writes files to a folder, and optionally removes all others from it.
options:
  root:
    description: Folder of files with relative names; absolute names are used as they are.
    type: path
    required: true
  files:
    description: Text of each file by its name.
    type: dict
    required: true
  mode:
    description: Mode of the files.
    type: str
    default: "0644"
  purge:
    description: Whether to remove other files from the folder.
    type: bool
    default: false
author: Packhorse
"""


def main():
    """Writes the files that differ."""
    module = AnsibleModule(
        argument_spec={
            "root": {"type": "path", "required": True},
            "files": {"type": "dict", "required": True},
            "mode": {"type": "str", "default": "0644"},
            "purge": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    root, files = module.params["root"], module.params["files"]
    mode = int(module.params["mode"], 8)
    changed, diff = [], []
    for name, text in sorted(files.items()):
        path = os.path.join(root, name)
        before = read(path)
        if before == text and os.stat(path).st_mode & 0o7777 == mode:
            continue
        changed.append(path)
        diff.append({"before": before or "", "after": text, "before_header": path, "after_header": path})
        if not module.check_mode:
            write(module, path, text, mode)
    if module.params["purge"] and os.path.isdir(root):
        for name in sorted(set(os.listdir(root)) - set(files)):
            path = os.path.join(root, name)
            if os.path.isfile(path):
                changed.append(path)
                diff.append({"before": read(path) or "", "after": "", "before_header": path, "after_header": "removed"})
                if not module.check_mode:
                    os.remove(path)
    module.exit_json(changed=bool(changed), paths=changed, diff=diff)


def read(path):
    """Text of a file, None if it does not exist."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(module, path, text, mode):
    """Replaces a file atomically."""
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=module.tmpdir)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(scratch, mode)
    module.atomic_move(scratch, path)
    os.chmod(path, mode)


if __name__ == "__main__":
    main()
