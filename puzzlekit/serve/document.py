"""The OpenAPI document: openapi.base.json, with what other files say once and for all."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from puzzlekit.schema.describe import schema_of
from puzzlekit.serve.bodies import BODIES

_OF_LINES = ("line", "text")  # what `puzzlekit solve --input` adds


@cache
def document() -> dict[str, Any]:
    """The document, with the bodies of requests (their classes) and answers (solve.schema.json).

    >>> list(document()["components"]["schemas"]["RandomRequest"]["properties"])
    ['seed']
    """
    found: dict[str, Any] = json.loads(
        (files("puzzlekit.serve") / "openapi.base.json").read_bytes()
    )
    schemas = found["components"]["schemas"]
    for name, kind in BODIES.items():
        schemas[name] = schema_of(kind) | {"additionalProperties": False}
    printed = json.loads((files("puzzlekit.schema") / "solve.schema.json").read_bytes())["$defs"]
    fields = _inlined(printed["solution"]["properties"], printed)
    answer = schemas["Answer"]
    own = {name: each for name, each in fields.items() if name not in _OF_LINES}
    answer["properties"] = own | answer["properties"]
    answer["required"] = list(answer["properties"])
    return found


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema with what it refers to in its place."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _inlined(each, definitions) for key, each in schema.items() if key != "$ref"}
    if "$ref" in schema:
        found = _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions) | found
    return found
