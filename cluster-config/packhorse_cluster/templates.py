"""Fills in placeholders such as {{ host }}, in the files of templates/ and in names and values of settings.

Any other text is copied, so shell, XML and udev rules need no escapes.
"""

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "templates"
PLACEHOLDER = re.compile(r"\{\{ (\w+) \}\}")


def fill(text, values):
    """The text with each placeholder replaced by its value. Raises KeyError for an unknown name."""
    return PLACEHOLDER.sub(lambda match: str(values[match.group(1)]), text)


def fill_file(name, values):
    """A file of templates/ with each placeholder replaced by its value."""
    return fill((FOLDER / name).read_text(), values)
