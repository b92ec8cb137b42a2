"""What an operator brings for Kerberos and TLS: looks whether all of it is in its folder. Reads, and never writes."""

import re
import struct
from pathlib import Path

PEM = {
    "cert.pem": "CERTIFICATE",
    "key.pem": "PRIVATE KEY",
}

VAULT = "$ANSIBLE_VAULT;"
"""Begins a file that Ansible decrypts when it copies it; nothing is said of what is in it."""


def problems(folder, host, realm, keytabs):
    """What is missing or wrong of a host's files, a sentence each."""
    own = Path(folder) / host
    for name, keytab in keytabs.items():
        yield from _keytab(own / f"{name}.keytab", keytab["principal"])
    for name, kind in PEM.items():
        yield from _pem(own / name, kind)
    yield from _pem(Path(folder) / "ca.pem", "CERTIFICATE")
    krb5 = Path(folder) / "krb5.conf"
    if krb5.exists():
        yield from krb5_problems(krb5, krb5.read_text(), realm)


def krb5_problems(path, text, realm):
    """A krb5.conf whose own realm is another one: principals would not become users' names."""
    found = re.search(r"^\s*default_realm\s*=\s*(\S+)", text, re.MULTILINE)
    if not found or found.group(1) != realm:
        yield f"{path}: default_realm is {found.group(1) if found else 'missing'}, not {realm}"


def principals(data):
    """Principals of a keytab. Raises ValueError if it is none."""
    if data[:2] != b"\x05\x02":
        raise ValueError("no keytab of version 2")
    found, at = set(), 2
    while at + 4 <= len(data):
        (size,) = struct.unpack_from(">i", data, at)
        at += 4
        if size > 0:
            found.add(_principal(data[at : at + size]))
        # Less than zero is the room of a removed entry.
        at += abs(size)
    return found


def _principal(entry):
    try:
        (components,) = struct.unpack_from(">H", entry)
        parts, at = [], 2
        for _ in range(components + 1):
            (length,) = struct.unpack_from(">H", entry, at)
            parts.append(entry[at + 2 : at + 2 + length].decode())
            at += 2 + length
    except (struct.error, UnicodeDecodeError) as error:
        raise ValueError("cut off") from error
    return "/".join(parts[1:]) + "@" + parts[0]


def _keytab(path, principal):
    try:
        data = path.read_bytes()
        if data.startswith(VAULT.encode()):
            return
        found = principals(data)
    except OSError:
        yield f"{path} is missing: a keytab of {principal}"
    except ValueError as error:
        yield f"{path} is no keytab: {error}"
    else:
        if principal not in found:
            yield f"{path} is not of {principal}, but of {', '.join(sorted(found)) or 'nobody'}"


def _pem(path, kind):
    try:
        text = path.read_text(errors="replace")
    except OSError:
        yield f"{path} is missing"
    else:
        if text.startswith(VAULT):
            return
        if not re.search(f"-----BEGIN [A-Z ]*{kind}-----", text):
            yield f"{path} has no {kind} in PEM"
        elif "ENCRYPTED" in text:
            yield f"{path} is encrypted: bring it as openssl pkey writes it"
