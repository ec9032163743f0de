"""Machines and hands that users describe in TOML files.

A machine:

    name = "my robot"
    arms = [["R", "L"], ["F", "B"]]   # arms of one list can turn at once
    turns = ["'", "2"]                # how far an arm can turn (default: any turn)
    again = false                     # whether the same list can turn in two steps in a row
    without = ["R2 + L2"]             # steps that the machine cannot do
    whole = ["x", "y"]                # rotations of the whole puzzle

    [cost]
    quarter = 1                       # cost of turning an arm by its base move
    half = 2                          # cost of turning an arm by two base moves
    grip = 1                          # additional cost of every step
    change = 0                        # additional cost if the step before used another list
    whole = 2                         # cost of turning the whole puzzle
    each = {x = 4, y = 1, "y'" = 1}   # costs of single moves; x', x2 and y2 are then not possible

All keys except `arms` are optional.

Hands:

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

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from puzzlekit import DeclarationError, Metric, UsageError
from puzzlekit.plugins.readers import check_keys, toml_table, toml_text
from puzzlekit_robots.hands import Hands, Way
from puzzlekit_robots.machine import Machine

_MACHINE_KEYS = ("name", "title", "arms", "turns", "again", "without", "whole", "cost")
_COSTS = {"quarter": 1, "half": 1, "grip": 0, "change": 0, "whole": 1}
_HAND_KEYS = ("name", "title", "regrip", "again", "hands", "way")
_WAY_KEYS = ("moves", "hand", "cost", "grips", "then", "finger")


def read_metric(path: str | Path) -> Metric:
    """Return the hands that a TOML file describes, or else the machine.

    Raises UsageError if the file cannot be read or describes neither.
    """
    path = Path(path)
    text = toml_text(path, "a metric")
    parse = parse_hands if {"hands", "way"} & {*toml_table(text, str(path))} else parse_machine
    return parse(text, str(path), path.stem)


def read_machine(path: str | Path) -> Machine:
    """Return the machine that a TOML file describes.

    Raises UsageError if the file cannot be read or does not describe a machine.
    """
    path = Path(path)
    return parse_machine(toml_text(path, "a machine"), str(path), path.stem)


def parse_machine(text: str, source: str = "machine", name: str = "machine") -> Machine:
    """Return the machine that a string in TOML describes.

    `source` is the name of the file in messages. `name` is the name of the machine if the string
    has none. Raises UsageError if the string does not describe a machine.

    >>> robot = parse_machine('''
    ... arms = [["R", "L"], ["F", "B"]]
    ... turns = ["'", "2"]
    ... [cost]
    ... half = 2
    ... grip = 1
    ... ''')
    >>> robot.amounts, robot.turns, robot.grip
    ((-1, 2), {1: 1, 2: 2}, 1)
    """
    found = toml_table(text, source)
    check_keys(found, _MACHINE_KEYS, source)
    if "arms" not in found:
        raise UsageError(f'{source}: "arms" is missing: add lists such as [["R", "L"], ["F", "B"]]')
    cost = found.get("cost", {})
    if not isinstance(cost, dict):
        raise UsageError(f"{source}: [cost] must be a table of whole numbers")
    check_keys(cost, (*_COSTS, "each"), f"{source}: [cost]")
    own = cost.pop("each", {})
    if not isinstance(own, dict):
        raise UsageError(f"{source}: [cost] each must be a table of moves and whole numbers")
    for key, value in [*cost.items(), *own.items()]:
        if type(value) is not int:
            raise UsageError(f"{source}: [cost] {key} is {value!r}, not a whole number")
    prices = {**_COSTS, **cost}
    again = found.get("again", True)
    if type(again) is not bool:
        raise UsageError(f'{source}: "again" is true or false, not {again!r}')
    arms = found["arms"]
    if not isinstance(arms, list) or not all(isinstance(group, list) for group in arms):
        raise UsageError(
            f'{source}: "arms" must be a list of lists, such as [["R", "L"], ["F", "B"]]'
        )
    try:
        return Machine(
            name=_text(found, "name", source, name),
            title=_text(found, "title", source, "a machine from a file"),
            arms=tuple(_texts(group, "arms", source) for group in arms),
            amounts=tuple(_amount(each, source) for each in _listed(found, "turns", source)),
            turns={1: prices["quarter"], 2: prices["half"]},
            grip=prices["grip"],
            change=prices["change"],
            again=again,
            without=_listed(found, "without", source),
            rotations=_listed(found, "whole", source),
            whole=prices["whole"],
            each=own,
        )
    except DeclarationError as error:
        raise UsageError(f"{source}: {error}") from None


def _listed(found: Mapping[str, Any], key: str, source: str) -> tuple[str, ...]:
    return _texts(found.get(key, []), key, source)


def _texts(value: object, key: str, source: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f'{source}: "{key}" has to be a list of strings, not {value!r}')
    return tuple(value)


def _amount(text: str, source: str) -> int:
    """Return the amount of a turn, read from the suffix of a move."""
    read = re.fullmatch(r"(\d{0,2})('?)", text)
    if read is None or read[1] == "0":
        raise UsageError(f"""{source}: "turns" lists "", "'" or "2", not {text!r}""")
    return int(read[1] or 1) * (-1 if read[2] else 1)


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
    check_keys(found, _HAND_KEYS, source)
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
    if usual is not None and key not in found:
        return usual
    value = found.get(key)
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        _refuse(f'{where}: "{key}" has to be a string of one line, not {value!r}')
    return value


def _number(found: Mapping[str, Any], key: str, where: str, usual: int | None = None) -> int:
    value = found.get(key, usual)
    if type(value) is not int:
        _refuse(f'{where}: "{key}" must be a whole number')
    return value


def _refuse(message: str) -> NoReturn:
    raise UsageError(message)
