"""Make compare.schema.json from the classes of records: `python tests/lab/record_schema.py`."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import fill
from typing import Any

from puzzlekit_lab.record import KINDS, SCHEMA
from puzzlekit_web.describe import schema_of

FILE = (
    Path(__file__).parents[2]
    / "plugins"
    / "lab"
    / "puzzlekit_lab"
    / "schema"
    / "compare.schema.json"
)


def record_schema() -> dict[str, Any]:
    """The schema of a line of runs.jsonl."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:puzzlekit:compare:1",
        "title": "A line of runs.jsonl and of the output of `puzzlekit compare --json`",
        "description": "New fields may be added under the same schema name; no field is removed or "
        "changed.",
        "oneOf": [_with_kind(name, schema_of(kind)) for name, kind in KINDS.items()],
    }


def _with_kind(name: str, found: dict[str, Any]) -> dict[str, Any]:
    tags = {"schema": SCHEMA, "kind": name}
    properties = {tag: {"const": value} for tag, value in tags.items()} | found["properties"]
    return found | {"required": list(properties), "properties": properties}


def written(value: Any, indent: int = 0, used: int = 0) -> str:
    """A schema as text: what fits into a line of 100 characters is in one."""
    text = json.dumps(value)
    properties = isinstance(value, dict) and all(isinstance(each, dict) for each in value.values())
    if indent + used + len(text) < 100 and not (properties and len(value) > 1):
        return text
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        keys = {key: json.dumps(key) + ": " for key in value}
        items = [
            keys[key] + written(each, indent + 2, len(keys[key]) + 1) for key, each in value.items()
        ]
        return "{\n" + pad + f",\n{pad}".join(items) + "\n" + " " * indent + "}"
    if isinstance(value, list):
        if all(isinstance(each, str) for each in value):  # names: as many a line as fit
            filled = fill(text[1:-1], 100, initial_indent=pad, subsequent_indent=pad)
            return "[\n" + filled + "\n" + " " * indent + "]"
        items = [written(each, indent + 2, 1) for each in value]
        return "[\n" + pad + f",\n{pad}".join(items) + "\n" + " " * indent + "]"
    return text


if __name__ == "__main__":
    FILE.write_text(written(record_schema()) + "\n", encoding="utf-8")
