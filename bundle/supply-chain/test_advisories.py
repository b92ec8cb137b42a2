"""python3 -m unittest discover -s bundle/supply-chain"""

import contextlib
import datetime
import io
import json
import tempfile
import unittest
from pathlib import Path

import advisories

HOLE = {
    "id": "GHSA-1",
    "aliases": ["CVE-1"],
    "package": "g:a",
    "ranges": [{"introduced": "1.2", "fixed": "1.4"}, {"introduced": "2.0", "last_affected": "2.3"}],
    "summary": "a hole",
    "source": "by hand",
}


def known(*versions, hole=HOLE):
    return {"date": "2026-11-24", "advisories": [hole], "reviewed": {"g:a": list(versions)}}


def accepts(name, *packages):
    return {"id": name, "packages": list(packages), "since": "2026-11-24", "reason": "not reached"}


class VersionTest(unittest.TestCase):
    def test_versions_are_ordered_as_maven_orders_them(self):
        ordered = ["0.9", "1.0-alpha-1", "1.0-rc1", "1.0", "1.0.1", "1.2", "1.10", "2.6.4-hadoop2", "2.6.4-hadoop3", "2.6.5"]
        self.assertEqual(ordered, sorted(ordered[::-1], key=advisories.version_key))

    def test_spellings_of_one_version_are_equal(self):
        for one, other in [("1", "1.0.0"), ("3.10.6.Final", "3.10.6"), ("1.0-RC1", "1.0-rc1")]:
            self.assertEqual(advisories.version_key(one), advisories.version_key(other))

    def test_the_end_of_a_range(self):
        inside = [v for v in ["1.1", "1.2", "1.3.9", "1.4", "1.9", "2.0", "2.3", "2.3.1"] if advisories.affects(HOLE, v)]
        self.assertEqual(["1.2", "1.3.9", "2.0", "2.3"], inside)

    def test_a_range_without_an_end(self):
        self.assertTrue(advisories.affects({"ranges": [{"introduced": "0"}]}, "0.0.1-alpha"))


class CheckTest(unittest.TestCase):
    def test_a_version_that_is_not_affected(self):
        self.assertEqual([], advisories.check([("g:a", "1.4")], known("1.4"), []))

    def test_an_advisory_that_nobody_accepted(self):
        problems = advisories.check([("g:a", "1.3")], known("1.3"), [])
        self.assertEqual(["g:a 1.3 has GHSA-1, which accepted.toml does not accept: a hole"], problems)

    def test_an_accepted_advisory_by_either_name(self):
        for name in ("GHSA-1", "CVE-1"):
            self.assertEqual([], advisories.check([("g:a", "1.3")], known("1.3"), [accepts(name, "g:a")]))

    def test_a_version_that_was_never_looked_up(self):
        problems = advisories.check([("g:a", "1.5"), ("g:b", "1")], known("1.4"), [])
        self.assertEqual(2, len(problems), problems)
        self.assertIn("g:a 1.5 was never looked up", problems[0])
        self.assertIn("g:b 1 was never looked up", problems[1])

    def test_an_acceptance_that_no_longer_applies(self):
        problems = advisories.check([("g:a", "1.4")], known("1.4"), [accepts("CVE-1", "g:a")])
        self.assertEqual(["accepted.toml: CVE-1 does not apply to g:a: remove it"], problems)

    def test_an_acceptance_for_another_package(self):
        problems = advisories.check([("g:a", "1.3")], known("1.3"), [accepts("CVE-1", "g:b")])
        self.assertEqual(2, len(problems), problems)

    def test_an_acceptance_without_a_reason(self):
        entry = accepts("CVE-1", "g:a") | {"reason": ""}
        self.assertEqual(
            ["accepted.toml: entry 1 (CVE-1) lacks reason"], advisories.check([("g:a", "1.3")], known("1.3"), [entry])
        )


class UpdateTest(unittest.TestCase):
    def answers(self, path, body=None):
        if path == "/querybatch":
            self.assertEqual("pkg:maven/g/a@1.3", body["queries"][0]["package"]["purl"])
            return {"results": [{"vulns": [{"id": "GHSA-9"}]}, {}]}
        self.assertEqual("/vulns/GHSA-9", path)
        events = [{"introduced": "0"}, {"fixed": "1.4"}]
        affected = [
            {"package": {"ecosystem": "Maven", "name": "g:a"}, "ranges": [{"type": "ECOSYSTEM", "events": events}]},
            {"package": {"ecosystem": "Maven", "name": "g:other"}, "versions": ["1"]},
        ]
        return {"id": "GHSA-9", "aliases": ["CVE-9"], "summary": "another hole", "affected": affected}

    def test_answers_are_added_to_what_was_entered_by_hand(self):
        day = datetime.date(2027, 1, 2)
        new = advisories.update([("g:a", "1.3"), ("g:b", "2")], known("1.0"), day, self.answers)
        self.assertEqual("2027-01-02", new["date"])
        self.assertEqual({"g:a": ["1.3"], "g:b": ["2"]}, new["reviewed"])
        self.assertEqual([("GHSA-1", "by hand"), ("GHSA-9", "osv.dev")], [(a["id"], a["source"]) for a in new["advisories"]])
        self.assertEqual([{"introduced": "0", "fixed": "1.4"}], new["advisories"][1]["ranges"])

    def test_an_answer_replaces_the_same_advisory(self):
        same = HOLE | {"id": "CVE-9", "aliases": []}
        old = HOLE | {"id": "GHSA-2", "aliases": [], "source": "osv.dev"}
        before = known("1.3") | {"advisories": [same, old]}
        new = advisories.update([("g:a", "1.3"), ("g:b", "2")], before, datetime.date(2027, 1, 2), self.answers)
        self.assertEqual(["GHSA-9"], [a["id"] for a in new["advisories"]])


class MainTest(unittest.TestCase):
    def run_check(self, version):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            dependencies = [
                {"group": "g", "name": "a", "version": version},
                {"group": "io.packhorse", "name": "packhorse-schema", "version": "1"},
            ]
            (place / "sbom.json").write_text(json.dumps({"components": dependencies}))
            (place / "known.json").write_text(json.dumps(known("1.3", "1.4")))
            (place / "accepted.toml").write_text("")
            arguments = ["check", str(place / "sbom.json")]
            arguments += ["--known", str(place / "known.json"), "--accepted", str(place / "accepted.toml")]
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                return advisories.main(arguments)

    def test_the_exit_status(self):
        self.assertEqual(0, self.run_check("1.4"))
        self.assertEqual(1, self.run_check("1.3"))

    def test_the_checked_in_lists_agree_with_each_other(self):
        snapshot = json.loads((advisories.HERE / "known.json").read_text())
        dependencies = [(p, v) for p, versions in snapshot["reviewed"].items() for v in versions]
        accepted = advisories.tomllib.loads((advisories.HERE / "accepted.toml").read_text())["accepted"]
        self.assertEqual([], advisories.check(dependencies, snapshot, accepted))


if __name__ == "__main__":
    unittest.main()
