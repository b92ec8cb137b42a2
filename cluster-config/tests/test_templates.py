import unittest

from packhorse_cluster.templates import fill


class TemplatesTest(unittest.TestCase):
    def test_only_placeholders_are_replaced(self):
        text = 'ENV{DEVTYPE}=="{{ kind }}" %d{ISO8601} ${file} $(id -un) {{kind}}'
        self.assertEqual('ENV{DEVTYPE}=="disk" %d{ISO8601} ${file} $(id -un) {{kind}}', fill(text, {"kind": "disk"}))

    def test_an_unknown_name_is_an_error(self):
        with self.assertRaisesRegex(KeyError, "hosts"):
            fill("{{ hosts }}", {"host": "worker01"})

    def test_values_are_not_filled_again(self):
        self.assertEqual("{{ b }}", fill("{{ a }}", {"a": "{{ b }}", "b": "c"}))


if __name__ == "__main__":
    unittest.main()
