"""Reads settings/*.toml: settings with value, reason and source."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "settings"


@dataclass(frozen=True)
class Setting:
    name: str
    why: str
    source: str
    value: str = ""
    when: str = ""
    """Condition under which the setting is rendered; empty for always."""
    each: str = ""
    """In XML and zoo.cfg: a group of hosts, with one setting for each host. In jvm.toml: the daemons."""
    file: str = ""
    """In an overlay: the file that the setting belongs to."""

    @property
    def daemons(self):
        return [name.strip() for name in self.each.split(",") if name.strip()]


def load(file):
    """Settings of a file by name, in order; none if no file of that name exists."""
    return _settings(_read(f"{file}.toml")) if (FOLDER / f"{file}.toml").exists() else {}


def load_sections(file):
    """Settings of a file with sections, by section and name."""
    return {section: _settings(table) for section, table in _read(f"{file}.toml").items()}


def security(name, file):
    """Settings that a kind of security adds to a file."""
    return {} if name == "none" else load_sections(name).get(file, {})


def overlay(name, file):
    """Settings that an overlay adds to a file."""
    if not name:
        return {}
    found = _settings(_read(f"overlays/{name}.toml"))
    return {key: setting for key, setting in found.items() if setting.file == file}


def overlays():
    """Names of all overlays."""
    return sorted(path.stem for path in (FOLDER / "overlays").glob("*.toml"))


def _read(name):
    with (FOLDER / name).open("rb") as file:
        return tomllib.load(file)


def _settings(table):
    return {name: Setting(name=name, **fields) for name, fields in table.items()}
