import struct
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from packhorse_cluster.__main__ import read_shape
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
        self.machine, self.cluster = read_shape(SHAPES / "kerberos.toml")
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

    def test_all_missing_files_are_reported_at_once(self):
        reported = self._problems()
        self.assertEqual(len(keytabs(self.machine, self.cluster)) + 3, len(reported), reported)
        self.assertIn("hdfs.keytab is missing: create a keytab with hdfs/host01@EXAMPLE.ORG", reported[1])

    def test_wrong_files_are_reported(self):
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
        reported = "\n".join(self._problems())
        for part in (
            "hdfs.keytab does not contain hdfs/host01@EXAMPLE.ORG; it contains hdfs/host02@EXAMPLE.ORG",
            "hbase.keytab is not a keytab",
            "cert.pem contains no CERTIFICATE",
            "key.pem is encrypted",
            "default_realm is OTHER.ORG, not EXAMPLE.ORG",
        ):
            self.assertIn(part, reported)

    def test_encrypted_vault_files_are_not_checked(self):
        own = self.folder / "host01"
        own.mkdir()
        names = [f"{name}.keytab" for name in keytabs(self.machine, self.cluster)]
        for path in [own / name for name in (*names, "cert.pem", "key.pem")] + [self.folder / "ca.pem"]:
            path.write_text("$ANSIBLE_VAULT;1.1;AES256\n6162\n")
        self.assertEqual([], self._problems())

    def test_without_kerberos_nothing_of_it_is_rendered(self):
        files = render(self.machine, replace(self.cluster, security="none"))
        self.assertFalse([name for name in files if name.endswith(".jaas") or "ssl" in name or name == "login.sh"])
        self.assertNotIn("kerberos", "".join(files.values()).lower().replace("without kerberos", ""))

    def test_overlays_apply_with_kerberos(self):
        text = render(self.machine, replace(self.cluster, overlay="serving"))["hbase-site.xml"]
        for value in ("<value>kerberos</value>", "<value>0.3</value>"):
            self.assertIn(value, text)

    def test_kerberos_needs_a_realm(self):
        with self.assertRaisesRegex(ConfigError, "realm"):
            render(self.machine, replace(self.cluster, realm=""))
        with self.assertRaisesRegex(ConfigError, "none, kerberos"):
            render(self.machine, replace(self.cluster, security="tls"))

    def _problems(self):
        wanted = keytabs(self.machine, self.cluster)
        return list(problems(self.folder, self.machine.name, self.cluster.realm, wanted))


if __name__ == "__main__":
    unittest.main()
