"""Renders a shape to a folder: python3 -m packhorse_cluster SHAPE.toml FOLDER"""

import json
import sys
import tomllib
from pathlib import Path

from .model import Cluster, ConfigError, Machine
from .render import render, render_system
from .sizing import size


def read_shape(path):
    """Machine and cluster of a shape file."""
    with Path(path).open("rb") as file:
        table = tomllib.load(file)
    machine, cluster = ({key: _frozen(value) for key, value in table[part].items()} for part in ("machine", "cluster"))
    return Machine(**machine), Cluster(**cluster)


def rendered_files(machine, cluster):
    """Rendered files of a host and its sizes, by relative path."""
    files = {f"conf/{name}": text for name, text in render(machine, cluster).items()}
    files |= {f"system{name}": text for name, text in render_system(machine, cluster).items()}
    files["sizes.json"] = json.dumps(size(machine, cluster), indent=2) + "\n"
    return files


def _frozen(value):
    return tuple(value) if isinstance(value, list) else value


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        files = rendered_files(*read_shape(arguments[0]))
    except (ConfigError, OSError, TypeError, tomllib.TOMLDecodeError) as error:
        print(f"packhorse_cluster: {error}", file=sys.stderr)
        return 2
    for name, text in files.items():
        path = Path(arguments[1]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
