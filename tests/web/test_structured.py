"""Classes read from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

import attrs
import pytest

from puzzlekit.amounts import seconds, whole
from puzzlekit.errors import UsageError
from puzzlekit.search.limits import Limits
from puzzlekit_web.structure import Characters, FieldError, Keys, structured


class Point(NamedTuple):
    """A point."""

    x: int
    y: int


@attrs.frozen
class Drawing:
    """A drawing."""

    width: Annotated[Annotated[int, whole(1, 100)], "in points"]
    title: Annotated[str, Characters(1, 20)] | None = None
    code: Annotated[str, Characters(pattern="^[0-9a-f]*$")] = ""
    kind: Literal["line", "area"] = "line"
    filled: bool = False
    points: tuple[Point, ...] = ()
    last: Point | None = None
    scale: float = 1
    names: Annotated[Mapping[str, str], Keys(("author",))] = attrs.field(factory=dict)
    facts: Mapping[str, Any] = attrs.field(factory=dict)


GOOD = {
    "width": 3,
    "title": "a house",
    "code": "0f",
    "kind": "area",
    "filled": True,
    "points": [[0, 0], [1, 2]],
    "last": [3, 4],
    "scale": 0.5,
    "names": {"author": "someone"},
    "facts": {"cores": 2, "system": "x", "at": None, "on": True},
}


def test_what_is_read() -> None:
    found = structured(Drawing, GOOD | {"unknown": 1})
    assert found.points == (Point(0, 0), Point(1, 2)) and found.last == Point(3, 4)
    assert found.facts == GOOD["facts"]
    assert structured(Drawing, {"width": 1}) == Drawing(1)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("width", 0, "must be a whole number from 1 to 100, not 0"),
        ("width", True, "must be a whole number from 1 to 100, not True"),
        ("width", 1.0, "must be a whole number from 1 to 100, not 1.0"),
        ("width", 10**40, "must be a whole number from 1 to 100, not a longer one"),
        ("title", "", "must have 1 to 20 characters"),
        ("title", ["a"], "must be a string, not ['a']"),
        ("code", "g", "must match ^[0-9a-f]*$, not 'g'"),
        ("kind", "dots", "must be line or area, not 'dots'"),
        ("kind", [], "must be line or area, not []"),
        ("filled", 1, "must be true or false, not 1"),
        ("points", "", "must be a list, not ''"),
        ("points", {}, "must be a list, not {}"),
        ("points", [[1]], "must be a list of 2, not [1]"),
        ("points", [[1, "2"]], "must be a whole number from 0 to 18,446,744,073,709,551,615"),
        ("last", 5, "must be a list of 2, not 5"),
        ("scale", float("nan"), "must be a number from 0 to 2^64, not nan"),
        ("scale", "1", "must be a number from 0 to 2^64, not '1'"),
        ("names", {"author": 1}, "must be a string, not 1"),
        ("names", [], "cannot be []"),
        ("facts", {"deep": {}}, "must be a string, a number, true, false or null, not {}"),
    ],
)
def test_what_is_refused(name: str, value: object, told: str) -> None:
    with pytest.raises(FieldError) as caught:
        structured(Drawing, GOOD | {name: value})
    assert caught.value.name == name and str(caught.value).startswith(told)


def test_the_first_field_that_is_wrong_is_told() -> None:
    with pytest.raises(FieldError) as caught:
        structured(Drawing, {"title": 5})
    assert (caught.value.name, str(caught.value)) == ("width", "is missing")


def test_times_and_limits() -> None:
    assert seconds().check(0) == 0 and seconds(3600).fits(3600.0)
    assert not any(seconds(3600).fits(each) for each in (3601, -1, True, "1", float("nan")))
    for wrong in ({"threads": None}, {"threads": True}, {"timeout": -1}, {"max_length": 1.5}):
        with pytest.raises(UsageError, match=f"{next(iter(wrong))} must be"):
            Limits(**wrong).checked()  # type: ignore[arg-type]
    assert Limits(max_nodes=0, timeout=0.0).checked() == Limits(max_nodes=0, timeout=0.0)
