"""Compares what is rendered for each shape byte by byte. UPDATE_GOLDEN=1 accepts it; review the diff."""

import os
import shutil
import unittest
from pathlib import Path

from packhorse_cluster.__main__ import read_shape, rendered_files

ROOT = Path(__file__).parent.parent
WHOLE = {"reference-worker", "reference-master", "reference-edge", "lab-worker", "kerberos"}
"""Shapes with all of their files; of the others only the sizes are compared."""


class GoldenTest(unittest.TestCase):
    def test_rendered_files_equal_the_golden_ones(self):
        for path in sorted((ROOT / "shapes").glob("*.toml")):
            with self.subTest(shape=path.stem):
                self._compare(path)

    def _compare(self, path):
        folder = ROOT / "golden" / path.stem
        files = rendered_files(*read_shape(path))
        if path.stem not in WHOLE:
            files = {"sizes.json": files["sizes.json"]}
        if os.environ.get("UPDATE_GOLDEN"):
            shutil.rmtree(folder, ignore_errors=True)
            for name, text in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
        found = {
            str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()
        }
        self.assertEqual(sorted(found), sorted(files))
        for name, text in files.items():
            self.assertEqual(found[name], text, f"{folder.name}/{name}")


if __name__ == "__main__":
    unittest.main()
