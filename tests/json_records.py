"""For the tests: objects that commands print with --json, held against their schemas."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
from click.testing import CliRunner

from puzzlekit.cli import main


def schema_of(name: str, package: str = "puzzlekit.schema") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files(package) / f"{name}.schema.json").read_text())
    return found


def printed(schema: dict[str, Any], *arguments: str, code: int = 0) -> dict[str, Any]:
    """The only object that a command prints with --json, which its schema allows."""
    found = CliRunner().invoke(main, [*arguments, "--json"])
    assert found.exit_code == code, found.output
    (line,) = found.stdout.splitlines()
    record: dict[str, Any] = json.loads(line)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(record)
    for field in schema["required"]:
        less = {key: value for key, value in record.items() if key != field}
        assert not jsonschema.Draft202012Validator(schema).is_valid(less)
    known = schema["properties"].keys()
    assert record.keys() <= known
    return record
