"""The JSON Schema of a class that `puzzlekit_web.structure` reads."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from puzzlekit.amounts import Amount
from puzzlekit_web.structure import Characters, Keys, element_types

__all__ = ["schema_of"]

_NULL = {"type": "null"}


def schema_of(kind: type) -> dict[str, Any]:
    """Return the schema of an attrs class: the first line of its docstring, and its fields.

    >>> @attrs.frozen
    ... class Turn:
    ...     "A turn."
    ...
    ...     face: Annotated[str, "Its face."]
    ...     times: int = 1
    >>> schema_of(Turn)["required"], schema_of(Turn)["properties"]["face"]
    (['face'], {'description': 'Its face.', 'type': 'string'})
    """
    hints = get_type_hints(kind, include_extras=True)
    fields = attrs.fields(kind)
    return {
        "description": inspect.cleandoc(kind.__doc__ or "").partition("\n")[0],
        "type": "object",
        "required": [each.name for each in fields if each.default is attrs.NOTHING],
        "properties": {each.name: _schema(hints[each.name]) for each in fields},
    }


def _schema(kind: Any) -> dict[str, Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        found = _schema(inner[0])
        for note in inner[1:]:
            found = _noted(note) | found if isinstance(note, str) else found | _noted(note)
        return found
    if origin in (Union, UnionType):
        found = _schema(inner[0])
        if isinstance(found.get("type"), str) and found["type"] not in ("array", "object"):
            return found | {"type": [found["type"], "null"]}
        return {"oneOf": [_NULL, found]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is Mapping:
        values = {} if inner[1] is Any else {"additionalProperties": _schema(inner[1])}
        return {"type": "object"} | values
    parts = element_types(kind)
    if parts is None:
        return dict(_SIMPLE[kind])
    if parts[-1] is ...:
        return {"type": "array", "items": _schema(parts[0])}
    return {
        "type": "array",
        "prefixItems": [_schema(each) for each in parts],
        "minItems": len(parts),
        "maxItems": len(parts),
    }


def _noted(note: Any) -> dict[str, Any]:
    """The part of a schema from an annotation: a description, or the bounds of a value."""
    if isinstance(note, Amount):
        return {"minimum": note.least, "maximum": note.most}
    if isinstance(note, Characters):
        length = {} if note.most is None else {"minLength": note.least, "maxLength": note.most}
        return length | ({"pattern": note.pattern} if note.pattern else {})
    return {"required": list(note.names)} if isinstance(note, Keys) else {"description": note}


_SIMPLE: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": 0},
    float: {"type": "number", "minimum": 0},
}
