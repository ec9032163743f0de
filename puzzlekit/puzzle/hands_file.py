"""Hands that users describe in TOML files.

    name = "my hands"
    regrip = 4                           # cost of changing a grip without a move
    again = 1                            # additional cost if the same finger turns twice in a row

    [hands]
    right = ["home", "up"]               # the grips of each hand

    [[way]]
    moves = "R"                          # moves that are done in this way
    hand = "right"
    cost = 2
    grips = "home"                       # the grips in which it is possible (default: any)
    then = "up"                          # the grip afterwards (default: the same)

    [[way]]
    moves = "U U2"
    hand = "right"
    finger = "index"                     # the finger that turns (default: the whole hand)
    cost = 2

The keys `name`, `title`, `regrip` and `again` are optional.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.hands import Hands, Way
from puzzlekit.puzzle.toml_file import check_keys, toml_table, toml_text

_KEYS = ("name", "title", "regrip", "again", "hands", "way")
_WAY_KEYS = ("moves", "hand", "cost", "grips", "then", "finger")


def read_hands(path: str | Path) -> Hands:
    """Return the hands that a TOML file describes.

    Raises UsageError if the file cannot be read or does not describe hands.
    """
    path = Path(path)
    return parse_hands(toml_text(path, "hands"), str(path), path.stem)


def parse_hands(text: str, source: str = "hands", name: str = "hands") -> Hands:
    """Return the hands that a string in TOML describes.

    `source` is the name of the file in messages. `name` is the name of the hands if the string has
    none. Raises UsageError if the string does not describe hands.

    >>> hands = parse_hands('''
    ... [hands]
    ... right = ["home"]
    ... [[way]]
    ... moves = "U U'"
    ... hand = "right"
    ... cost = 2
    ... ''')
    >>> hands.ways
    (Way(moves="U U'", hand='right', cost=2, grips='', then='', finger=''),)
    """
    found = toml_table(text, source)
    check_keys(found, _KEYS, source)
    hands, ways = found.get("hands"), found.get("way")
    if not isinstance(hands, dict) or not isinstance(ways, list):
        raise UsageError(f"{source}: [hands] lists the grips, and each [[way]] a way to turn")
    grips = {
        hand: tuple(_text({hand: each}, hand, f"{source}: [hands]") for each in listed)
        if isinstance(listed, list)
        else _refuse(f'{source}: [hands] {hand} is a list of grips, such as ["home", "up"]')
        for hand, listed in hands.items()
    }
    try:
        return Hands(
            name=_text(found, "name", source, name),
            title=_text(found, "title", source, "hands from a file"),
            grips=grips,
            ways=tuple(_way(each, f"{source}: way {i}") for i, each in enumerate(ways, 1)),
            regrip=_number(found, "regrip", source, 0),
            again=_number(found, "again", source, 0),
        )
    except DeclarationError as error:
        raise UsageError(f"{source}: {error}") from None


def _way(found: object, where: str) -> Way:
    if not isinstance(found, dict):
        _refuse(f"{where}: begin each way with [[way]]")
    check_keys(found, _WAY_KEYS, where)
    texts = {key: _text(found, key, where, "") for key in ("grips", "then", "finger")}
    moves, hand = _text(found, "moves", where), _text(found, "hand", where)
    return Way(moves, hand, _number(found, "cost", where), **texts)


def _text(found: Mapping[str, Any], key: str, where: str, usual: str | None = None) -> str:
    value = found.get(key)
    if value is None and usual is not None:
        return usual
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        _refuse(f'{where}: "{key}" must be a string of one line')
    return value


def _number(found: Mapping[str, Any], key: str, where: str, usual: int | None = None) -> int:
    value = found.get(key, usual)
    if type(value) is not int:
        _refuse(f'{where}: "{key}" must be a whole number')
    return value


def _refuse(message: str) -> NoReturn:
    raise UsageError(message)
