"""The schemas of classes that are read from JSON."""

from __future__ import annotations

from jsonschema import Draft202012Validator
from test_structured import GOOD, Drawing

from puzzlekit_web.describe import schema_of


def test_the_schema_allows_what_is_read() -> None:
    schema = schema_of(Drawing)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    validator.validate(GOOD)
    assert schema["required"] == ["width"]
    assert schema["properties"]["width"]["description"] == "in points"
    wrong = {"width": 0, "title": "", "code": "g", "kind": "dots", "points": [[1]], "names": {}}
    for name, value in wrong.items():
        assert not validator.is_valid(GOOD | {name: value}), name
