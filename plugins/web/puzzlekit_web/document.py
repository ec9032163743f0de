"""The OpenAPI document: openapi.base.json, completed from other files and by common rules.

In openapi.base.json, each operation names the schema of its request (`takes`), the schema of its
answer (`gives`), and its own reasons to refuse a request (`refuses`). All fields of a schema are
required, unless the schema lists the required fields.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from puzzlekit_web.bodies import BODIES
from puzzlekit_web.describe import schema_of

# Fields that only options of commands add.
_OF_COMMANDS = ("line", "text", "rank", "scramble", "position")

# The reasons to refuse a request, each with its status.
_REFUSALS = {
    "Request": (
        400,
        "The body is not JSON, a field is wrong, or a name does not exist. The message names it.",
    ),
    "Foreign": (403, "The header Host or Origin belongs to another page."),
    "Unknown": (404, "There is no such puzzle or path."),
    "Method": (405, "The path takes another HTTP method, which the header Allow names."),
    "Large": (413, "The body has more than 64 KiB."),
    "Type": (415, "The content type is not application/json."),
    "Unreadable": (
        422,
        "The stickers or moves cannot be read, or the puzzle cannot show these stickers.",
    ),
    "Internal": (500, "A plugin or the program failed."),
    "Busy": (503, "The largest number of searches is running."),
}


@cache
def document() -> dict[str, Any]:
    """Return the document.

    The schemas of requests come from their classes. The schema of a solution comes from
    solve.schema.json.

    >>> list(document()["components"]["schemas"]["RandomRequest"]["properties"])
    ['seed']
    """
    found: dict[str, Any] = json.loads((files("puzzlekit_web") / "openapi.base.json").read_bytes())
    schemas = found["components"]["schemas"]
    printed = json.loads((files("puzzlekit.schema") / "solve.schema.json").read_bytes())["$defs"]
    fields = _inlined(printed["solution"]["properties"], printed)
    answer, played = schemas["Answer"]["properties"], schemas["Verified"]["properties"]
    shared = {name: each for name, each in fields.items() if name not in _OF_COMMANDS}
    shared |= {name: played[name] for name in ("frames", "inverse", "setup")}
    schemas["Answer"]["properties"] = shared | answer
    _complete(schemas)
    for name, kind in BODIES.items():
        schemas[name] = schema_of(kind) | {"additionalProperties": False}
    found["components"]["responses"] = responses = {
        name: {"description": words, "content": _content("Error")}
        for name, (_, words) in _REFUSALS.items()
    }
    responses["Busy"]["headers"] = _header("Retry-After", "Seconds to wait before another try.")
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _describe(method, operation)
        if "{puzzle}" in path:
            operations["parameters"] = [{"$ref": "#/components/parameters/puzzle"}]
    return found


def _describe(method: str, operation: dict[str, Any]) -> None:
    """Add the request and the responses of an operation."""
    gives, responses = operation.pop("gives", None), operation.setdefault("responses", {})
    refused = ["Foreign", "Unknown", "Method", "Internal", *operation.pop("refuses", ())]
    if gives:
        responses["200"] = {"description": "The answer.", "content": _content(gives)}
    if method == "get":
        responses["200"]["headers"] = _header("ETag", "The value for If-None-Match.")
        responses["304"] = {"description": "The answer has not changed (If-None-Match)."}
    else:
        content = _content(operation.pop("takes"))
        operation["requestBody"] = {"required": True, "content": content}
        refused += ["Request", "Large", "Type"]
    for name in refused:
        responses[str(_REFUSALS[name][0])] = {"$ref": f"#/components/responses/{name}"}


def _content(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _header(name: str, words: str) -> dict[str, Any]:
    return {name: {"description": words, "schema": {"type": "string"}}}


def _complete(schema: Any) -> None:
    """Add the type and the required fields to each schema with properties."""
    if isinstance(schema, list):
        for each in schema:
            _complete(each)
    elif isinstance(schema, dict):
        for each in schema.values():
            _complete(each)
        if isinstance(fields := schema.get("properties"), dict):
            schema.setdefault("type", "object")
            schema.setdefault("required", list(fields))


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema with its references replaced by their definitions."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _inlined(each, definitions) for key, each in schema.items() if key != "$ref"}
    if "$ref" in schema:
        found = _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions) | found
    return found
