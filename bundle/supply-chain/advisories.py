#!/usr/bin/env python3
"""Checks the dependencies in SBOMs against known security advisories, without a network.

  advisories.py check SBOM...     fails on an advisory that accepted.toml does not accept
  advisories.py update SBOM...    asks osv.dev about the dependencies and rewrites known.json

known.json is a dated snapshot: which versions were looked up, and which advisories are known. A dependency whose version
was never looked up fails the check too. accepted.toml says which advisories are accepted, since when and why.
docs/supply-chain.md tells how to keep both current.
"""

import argparse
import datetime
import json
import re
import sys
import tomllib
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
OSV = "https://api.osv.dev/v1"
OWN_GROUP = "io.packhorse"
DAYS_BEFORE_OLD = 90
# Order of qualifiers in a Maven version; others, as in 3.10.6.Final-1, follow the release.
QUALIFIERS = {"alpha": -5, "beta": -4, "milestone": -3, "rc": -2, "cr": -2, "snapshot": -1, "": 0, "ga": 0, "final": 0, "release": 0}


def version_key(version):
    """A sort key that orders versions as Maven does, for the versions that occur here."""
    zero, end = (2, 0, ""), (1, 0, "")
    parts = []
    for token in [*re.findall(r"\d+|[a-z]+", version.lower()), ""]:
        if token.isdigit():
            parts.append((2, int(token), ""))
            continue
        # Zeros before a qualifier and at the end do not count: 1.0-rc1 is 1-rc1 and 1.0 is 1.
        while parts and parts[-1] == zero:
            parts.pop()
        rank = QUALIFIERS.get(token, 1)
        if rank != 0:
            parts.append((0 if rank < 0 else 1, rank, "" if token in QUALIFIERS else token))
    return [*parts, end]


def affects(advisory, version):
    """Whether a version lies in one of the advisory's ranges: from introduced up to, not including, fixed."""
    key = version_key(version)
    for window in advisory["ranges"]:
        starts = version_key(window["introduced"]) <= key or window["introduced"] == "0"
        ends = "fixed" in window and key >= version_key(window["fixed"])
        ends = ends or "last_affected" in window and key > version_key(window["last_affected"])
        if starts and not ends:
            return True
    return False


def components(sboms):
    """The dependencies in CycloneDX files as a sorted list of (group:artifact, version)."""
    found = set()
    for sbom in sboms:
        for component in json.loads(Path(sbom).read_text(encoding="utf-8")).get("components", []):
            if component.get("group") != OWN_GROUP:
                found.add((f"{component['group']}:{component['name']}", component["version"]))
    return sorted(found)


def check(dependencies, known, accepted):
    """Problems, one sentence each, in the order of the dependencies."""
    problems = []
    used = set()
    for package, version in dependencies:
        if version not in known["reviewed"].get(package, []):
            problems.append(f"{package} {version} was never looked up: run advisories.py update, or review it by hand")
        for advisory in known["advisories"]:
            if advisory["package"] != package or not affects(advisory, version):
                continue
            names = {advisory["id"], *advisory.get("aliases", [])}
            matching = [i for i, entry in enumerate(accepted) if entry["id"] in names and package in entry["packages"]]
            used.update((i, package) for i in matching)
            if not matching:
                summary = advisory.get("summary", "no summary")
                problems.append(f"{package} {version} has {advisory['id']}, which accepted.toml does not accept: {summary}")
    for i, entry in enumerate(accepted):
        for key in ("id", "packages", "since", "reason"):
            if not entry.get(key):
                problems.append(f"accepted.toml: entry {i + 1} ({entry.get('id', 'no id')}) lacks {key}")
        for package in entry.get("packages", []):
            if (i, package) not in used:
                problems.append(f"accepted.toml: {entry.get('id')} does not apply to {package}: remove it")
    return problems


def ask(path, body=None):
    """JSON from osv.dev."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(OSV + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def update(dependencies, known, today, ask=ask):
    """A new snapshot. Advisories entered by hand stay unless the answers have them under one of their names."""
    ids = set()
    for first in range(0, len(dependencies), 500):
        chunk = dependencies[first : first + 500]
        queries = [{"package": {"purl": f"pkg:maven/{p.replace(':', '/')}@{v}"}} for p, v in chunk]
        for result in ask("/querybatch", {"queries": queries})["results"]:
            if "next_page_token" in result:
                raise ValueError("osv.dev answered in several pages, which this program does not read")
            ids.update(found["id"] for found in result.get("vulns", []))
    packages = {package for package, _ in dependencies}
    advisories = []
    for name in sorted(ids):
        answer = ask(f"/vulns/{name}")
        for affected in answer.get("affected", []):
            package = affected["package"]["name"]
            if affected["package"]["ecosystem"] == "Maven" and package in packages:
                advisories.append(
                    {
                        "id": name,
                        "aliases": sorted(answer.get("aliases", [])),
                        "package": package,
                        "ranges": ranges(affected),
                        "summary": answer.get("summary", ""),
                        "source": "osv.dev",
                    }
                )
    names = {(n, a["package"]) for a in advisories for n in (a["id"], *a["aliases"])}
    for advisory in known["advisories"]:
        own = {(n, advisory["package"]) for n in (advisory["id"], *advisory.get("aliases", []))}
        if advisory["source"] != "osv.dev" and not own & names:
            advisories.append(advisory)
    reviewed = {}
    for package, version in dependencies:
        reviewed.setdefault(package, []).append(version)
    return {
        "date": today.isoformat(),
        "advisories": sorted(advisories, key=lambda a: (a["package"], a["id"])),
        "reviewed": reviewed,
    }


def ranges(affected):
    """The ranges of one package in an answer of osv.dev; versions that are only listed become ranges of one."""
    windows = []
    for group in affected.get("ranges", []):
        if group["type"] == "ECOSYSTEM":
            for event in group["events"]:
                if "introduced" in event:
                    windows.append({"introduced": event["introduced"]})
                else:
                    windows[-1].update(event)
    return windows or [{"introduced": v, "last_affected": v} for v in affected.get("versions", [])]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "update"])
    parser.add_argument("sbom", nargs="+", help="CycloneDX file in JSON")
    parser.add_argument("--known", type=Path, default=HERE / "known.json")
    parser.add_argument("--accepted", type=Path, default=HERE / "accepted.toml")
    options = parser.parse_args(arguments)
    dependencies = components(options.sbom)
    if not dependencies:
        print("advisories: the SBOMs name no dependency", file=sys.stderr)
        return 1
    known = json.loads(options.known.read_text(encoding="utf-8"))
    today = datetime.date.today()
    if options.command == "update":
        known = update(dependencies, known, today)
        options.known.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    accepted = tomllib.loads(options.accepted.read_text(encoding="utf-8")).get("accepted", [])
    problems = check(dependencies, known, accepted)
    for problem in problems:
        print(f"advisories: {problem}", file=sys.stderr)
    age = (today - datetime.date.fromisoformat(known["date"])).days
    if age > DAYS_BEFORE_OLD:
        print(f"advisories: known.json is {age} days old; run advisories.py update", file=sys.stderr)
    print(
        f"advisories: {len(dependencies)} dependencies, {len(accepted)} accepted advisories,"
        f" {len(problems)} problems; snapshot of {known['date']}"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
