"""Columns of result files: name, type and meaning."""

from __future__ import annotations

import attrs

#: The types of columns, with the JSON Schema of their values.
FORMS = {
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "truth": {"type": "boolean"},
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "bytes": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
}


@attrs.frozen
class DataColumn:
    """A field of JSON lines, and a column of a Parquet file. A value may be missing.

    >>> DataColumn("length", "integer", "the number of moves").form
    'integer'
    """

    #: The name.
    name: str
    #: The type: integer, number, truth, text, texts (a list) or bytes (a list of small integers).
    form: str = attrs.field(validator=attrs.validators.in_(FORMS))
    #: The meaning of the values.
    words: str
