"""Checks the files that an operator provides for Kerberos and TLS. Only reads."""

import re
import struct
from pathlib import Path

PEM = {
    "cert.pem": "CERTIFICATE",
    "key.pem": "PRIVATE KEY",
}

VAULT = "$ANSIBLE_VAULT;"
"""Start of a file that Ansible decrypts when it copies it. Its contents are not checked."""


def problems(folder, host, realm, keytabs):
    """Problems with a host's files, one sentence each."""
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
    """Checks the default realm: principals of other realms are not mapped to users."""
    found = re.search(r"^\s*default_realm\s*=\s*(\S+)", text, re.MULTILINE)
    if not found or found.group(1) != realm:
        yield f"{path}: default_realm is {found.group(1) if found else 'missing'}, not {realm}"


def principals(data):
    """Principals in a keytab. Raises ValueError if the data is not a keytab."""
    if data[:2] != b"\x05\x02":
        raise ValueError("it does not start with the bytes of keytab version 2")
    found, at = set(), 2
    while at + 4 <= len(data):
        (size,) = struct.unpack_from(">i", data, at)
        at += 4
        if size > 0:
            found.add(_principal(data[at : at + size]))
        # A negative size marks the space of a removed entry.
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
        raise ValueError("it is truncated") from error
    return "/".join(parts[1:]) + "@" + parts[0]


def _keytab(path, principal):
    try:
        data = path.read_bytes()
        if data.startswith(VAULT.encode()):
            return
        found = principals(data)
    except OSError:
        yield f"{path} is missing: create a keytab with {principal}"
    except ValueError as error:
        yield f"{path} is not a keytab: {error}"
    else:
        if principal not in found:
            yield f"{path} does not contain {principal}; it contains {', '.join(sorted(found)) or 'no principal'}"


def _pem(path, kind):
    try:
        text = path.read_text(errors="replace")
    except OSError:
        yield f"{path} is missing"
    else:
        if text.startswith(VAULT):
            return
        if not re.search(f"-----BEGIN [A-Z ]*{kind}-----", text):
            yield f"{path} contains no {kind} in PEM format"
        elif "ENCRYPTED" in text:
            yield f"{path} is encrypted: decrypt it with openssl pkey"
