"""Step methods that users describe in TOML files.

    name = "beginner"
    title = "layer by layer"
    metric = "HTM"                 # default: the default metric of the puzzle

    [[step]]
    name = "cross"
    goal = "cross"                 # as in --goal; what was solved before stays solved
    moves = "U,R,F,D,L,B"          # default: the moves of the puzzle's default method
    times = 1                      # how often the step is done
    then = ["corners"]             # steps that may follow (default: the next step)

    [[step]]
    name = "corners"
    goal = "layer:D"
    algorithms = ["R U R' U'"]     # choose one of these sequences instead of searching
    around = "U"                   # a move that may be done before and after them
    keep = true                    # whether later steps keep what the step solved

With a table [beam], all steps are searched together (see `StepBeam`):

    [beam]
    kept = [1000, 20000]           # candidates kept after each step but the last two
    inverse = true                 # whether each step may be done on the inverse

    [[step]]
    name = "dr"
    goal = "dr"
    turns = "z"                    # rotations by which the puzzle may be turned before the step

A file needs at least one step. A step needs a name and a goal.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from puzzlekit import DeclarationError, UsageError
from puzzlekit.plugins.readers import check_keys, toml_table, toml_text
from puzzlekit_steps.step_method import GoalStep, StepBeam, StepMethod

_KEYS = ("name", "title", "metric", "beam", "step")
_STEP_KEYS = (
    *("name", "goal", "moves", "times", "then", "algorithms", "names", "around", "keep", "turns"),
)
_BEAM_KEYS = ("kept", "inverse")


def read_steps(path: str | Path) -> StepMethod:
    """Return the step method that a TOML file describes.

    Raises UsageError if the file cannot be read or does not describe a step method.
    """
    path = Path(path)
    return parse_steps(toml_text(path, "steps"), str(path), path.stem)


def parse_steps(text: str, source: str = "steps", name: str = "steps") -> StepMethod:
    """Return the step method that a string in TOML describes.

    `source` is the name of the file in messages. `name` is the name of the method if the string has
    none. Raises UsageError if the string does not describe a step method.

    >>> parse_steps('''
    ... [[step]]
    ... name = "cross"
    ... goal = "cross"
    ... ''').steps[0].name
    'cross'
    """
    found = toml_table(text, source)
    check_keys(found, _KEYS, source)
    listed = found.get("step")
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise UsageError(f"{source}: there are no steps: begin each step with [[step]]")
    steps = tuple(_step(each, f"{source}: step {i}") for i, each in enumerate(listed, 1))
    try:
        return StepMethod(
            name=_text(found, "name", source, name),
            title=_text(found, "title", source, "steps from a file"),
            steps=steps,
            metric=_text(found, "metric", source, ""),
            beam=_beam(found["beam"], f"{source}: beam") if "beam" in found else None,
        )
    except DeclarationError as error:
        raise UsageError(f"{source}: {error}") from None


def _step(found: Mapping[str, Any], where: str) -> GoalStep:
    check_keys(found, _STEP_KEYS, where)
    for key in ("name", "goal"):
        if key not in found:
            raise UsageError(f'{where}: "{key}" is missing')
    times = found.get("times", 1)
    if type(times) is not int:
        raise UsageError(f'{where}: "times" is {times!r}, not a whole number')
    return GoalStep(
        name=_text(found, "name", where),
        goal=_text(found, "goal", where),
        moves=_text(found, "moves", where, ""),
        times=times,
        then=_texts(found, "then", where) if "then" in found else None,
        algorithms=_texts(found, "algorithms", where),
        names=_texts(found, "names", where),
        around=_text(found, "around", where, ""),
        keep=_flag(found, "keep", where, True),
        turns=_text(found, "turns", where, ""),
    )


def _beam(found: object, where: str) -> StepBeam:
    if not isinstance(found, dict):
        raise UsageError(f"{where} has to be a table: write [beam]")
    check_keys(found, _BEAM_KEYS, where)
    usual = StepBeam()
    kept, inverse = found.get("kept", list(usual.kept)), _flag(found, "inverse", where, True)
    if not isinstance(kept, list) or not all(type(each) is int for each in kept):
        raise UsageError(f'{where}: "kept" has to be a list of whole numbers, not {kept!r}')
    return StepBeam(tuple(kept), inverse)


def _text(found: Mapping[str, Any], key: str, where: str, usual: str | None = None) -> str:
    if key not in found and usual is not None:
        return usual
    value = found[key]
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise UsageError(f'{where}: "{key}" has to be a string of one line, not {value!r}')
    return value


def _flag(found: Mapping[str, Any], key: str, where: str, usual: bool) -> bool:
    value = found.get(key, usual)
    if not isinstance(value, bool):
        raise UsageError(f'{where}: "{key}" has to be true or false, not {value!r}')
    return value


def _texts(found: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = found.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f'{where}: "{key}" has to be a list of strings, not {value!r}')
    return tuple(value)
