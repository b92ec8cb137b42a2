import struct
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from packhorse_cluster.__main__ import shape
from packhorse_cluster.model import ConfigError, keytabs
from packhorse_cluster.render import render
from packhorse_cluster.secrets import principals, problems

SHAPES = Path(__file__).parent.parent / "shapes"
PEM = "-----BEGIN {0}-----\nAAAA\n-----END {0}-----\n"


def entry(realm, *components):
    text = struct.pack(">H", len(components))
    for part in (realm, *components):
        text += struct.pack(">H", len(part)) + part.encode()
    text += struct.pack(">IIBHH4s", 1, 0, 2, 18, 4, b"key!")
    return struct.pack(">i", len(text)) + text


class SecretsTest(unittest.TestCase):
    def setUp(self):
        self.machine, self.cluster = shape(SHAPES / "kerberos.toml")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_a_host_needs_a_keytab_for_each_of_its_users(self):
        found = {name: keytab["principal"] for name, keytab in keytabs(self.machine, self.cluster).items()}
        self.assertEqual(
            {
                "zookeeper": "zookeeper/host01@EXAMPLE.ORG",
                "hdfs": "hdfs/host01@EXAMPLE.ORG",
                "http": "HTTP/host01@EXAMPLE.ORG",
                "hbase": "hbase/host01@EXAMPLE.ORG",
                "opentsdb": "opentsdb/host01@EXAMPLE.ORG",
                "packhorse": "packhorse/host01@EXAMPLE.ORG",
            },
            found,
        )
        worker = replace(self.machine, daemons=("datanode", "regionserver"))
        self.assertEqual({"hdfs", "hbase"}, set(keytabs(worker, self.cluster)))
        self.assertEqual({}, keytabs(self.machine, replace(self.cluster, security="none")))

    def test_principals_are_read_past_removed_entries(self):
        removed = struct.pack(">i", -6) + bytes(6)
        data = b"\x05\x02" + removed + entry("R", "hdfs", "a") + entry("R", "HTTP", "a") + entry("R", "ops")
        self.assertEqual({"hdfs/a@R", "HTTP/a@R", "ops@R"}, principals(data))
        for damaged in (b"", b"\x05\x01", b"\x05\x02" + entry("R", "hdfs", "a")[:9]):
            with self.assertRaises(ValueError):
                if not principals(damaged):
                    raise ValueError

    def test_everything_that_is_missing_is_said_at_once(self):
        said = self._problems()
        self.assertEqual(len(keytabs(self.machine, self.cluster)) + 3, len(said), said)
        self.assertIn("hdfs.keytab is missing: a keytab of hdfs/host01@EXAMPLE.ORG", said[1])

    def test_wrong_files_are_named(self):
        own = self.folder / "host01"
        own.mkdir()
        for name, keytab in keytabs(self.machine, self.cluster).items():
            user = keytab["principal"].split("/")[0]
            (own / f"{name}.keytab").write_bytes(b"\x05\x02" + entry("EXAMPLE.ORG", user, "host01"))
        (own / "cert.pem").write_text(PEM.format("CERTIFICATE"))
        (own / "key.pem").write_text(PEM.format("RSA PRIVATE KEY"))
        (self.folder / "ca.pem").write_text(PEM.format("CERTIFICATE"))
        self.assertEqual([], self._problems())

        (own / "hdfs.keytab").write_bytes(b"\x05\x02" + entry("EXAMPLE.ORG", "hdfs", "host02"))
        (own / "hbase.keytab").write_bytes(b"{}")
        (own / "cert.pem").write_text("none")
        (own / "key.pem").write_text(PEM.format("ENCRYPTED PRIVATE KEY"))
        (self.folder / "krb5.conf").write_text("[libdefaults]\n  default_realm = OTHER.ORG\n")
        said = "\n".join(self._problems())
        for part in (
            "hdfs.keytab is not of hdfs/host01@EXAMPLE.ORG, but of hdfs/host02@EXAMPLE.ORG",
            "hbase.keytab is no keytab",
            "cert.pem has no CERTIFICATE",
            "key.pem is encrypted",
            "default_realm is OTHER.ORG, not EXAMPLE.ORG",
        ):
            self.assertIn(part, said)

    def test_files_of_a_vault_are_taken_as_they_are(self):
        own = self.folder / "host01"
        own.mkdir()
        names = [f"{name}.keytab" for name in keytabs(self.machine, self.cluster)]
        for path in [own / name for name in (*names, "cert.pem", "key.pem")] + [self.folder / "ca.pem"]:
            path.write_text("$ANSIBLE_VAULT;1.1;AES256\n6162\n")
        self.assertEqual([], self._problems())

    def test_nothing_of_it_is_rendered_without_the_switch(self):
        files = render(self.machine, replace(self.cluster, security="none"))
        self.assertFalse([name for name in files if name.endswith(".jaas") or "ssl" in name or name == "login.sh"])
        self.assertNotIn("kerberos", "".join(files.values()).lower().replace("without kerberos", ""))

    def test_overlays_go_with_it(self):
        text = render(self.machine, replace(self.cluster, overlay="serving"))["hbase-site.xml"]
        for value in ("<value>kerberos</value>", "<value>0.3</value>"):
            self.assertIn(value, text)

    def test_a_realm_is_needed(self):
        with self.assertRaisesRegex(ConfigError, "realm"):
            render(self.machine, replace(self.cluster, realm=""))
        with self.assertRaisesRegex(ConfigError, "none, kerberos"):
            render(self.machine, replace(self.cluster, security="tls"))

    def _problems(self):
        wanted = keytabs(self.machine, self.cluster)
        return list(problems(self.folder, self.machine.name, self.cluster.realm, wanted))


if __name__ == "__main__":
    unittest.main()
