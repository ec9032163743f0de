"""Prints the section of CHANGELOG.md for a version: python3 packaging/release_notes.py 0.1.0."""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def section(text: str, version: str) -> str:
    """The text under the heading of a version; a SystemExit if it is missing or has no date."""
    found = re.search(
        rf"^## {re.escape(version)} (\(.*\)|- .*)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise SystemExit(f"CHANGELOG.md has no section for {version}")
    if "unreleased" in found[1]:
        raise SystemExit(f"CHANGELOG.md says that {version} is unreleased: write the date there")
    return found[2].strip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(section(CHANGELOG.read_text(encoding="utf-8"), sys.argv[1]))
