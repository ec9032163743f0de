"""compare.schema.json as the classes of records say; `python tests/record_schema.py` writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from puzzlekit.comparison.experiment.record import KINDS, SCHEMA
from puzzlekit.schema.describe import schema_of

FILE = Path(__file__).parents[1] / "puzzlekit" / "schema" / "compare.schema.json"


def record_schema() -> dict[str, Any]:
    """The schema of a line of runs.jsonl."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:puzzlekit:compare:1",
        "title": "A line of runs.jsonl, and of what `puzzlekit compare --json` prints",
        "description": "Fields may be added under the same schema name; none is removed or "
        "changed.",
        "oneOf": [_with_kind(name, schema_of(kind)) for name, kind in KINDS.items()],
    }


def _with_kind(name: str, found: dict[str, Any]) -> dict[str, Any]:
    tags = {"schema": SCHEMA, "kind": name}
    properties = {tag: {"const": value} for tag, value in tags.items()} | found["properties"]
    return found | {"required": list(properties), "properties": properties}


if __name__ == "__main__":
    FILE.write_text(json.dumps(record_schema(), indent=2) + "\n", encoding="utf-8")
