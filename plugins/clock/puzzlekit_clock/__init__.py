"""The Clock: 18 dials of 12 hours on two sides, and four pins.

A wheel turns all dials beside the pins that are raised. A corner dial is on one axis with a corner
dial of the other side, which then turns the other way as seen from there. So 14 dials are
independent, and there are 12**14 states.

A turn is named after the raised pins and its hours, as in the WCA's notation: `UR2+`, `D1-`,
`ALL6+`. `U` raises UR and UL. With two opposite pins, or three, all raised pins are named: `ULDR`,
`URDRDL`. `y2` turns the puzzle over. So there are 30 turns of each number of hours: 15 choices of
pins on each side.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from puzzlekit import Method, Metric, Orbit, Phase, Puzzle, PuzzleEntry, hookimpl
from puzzlekit.puzzle.orbit import Law
from puzzlekit_clock import engine as engine  # so that it is compiled, or the plugin is refused

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.puzzle.move import Effect
    from puzzlekit_events import Event

puzzlekit_api = 2

# The dials of one side as seen from this side, row by row, and the corner dials beside the pins.
SIDE = ("UL", "U", "UR", "L", "C", "R", "DL", "D", "DR")
CORNERS = {"UR": "UL", "DR": "DL", "DL": "DR", "UL": "UR"}  # and on the other side
# For each dial beside no pin, the pins that turn it.
BETWEEN = {"U": "UL UR", "R": "UR DR", "D": "DR DL", "L": "DL UL", "C": "UL UR DR DL"}
# The raised pins of each turn.
PINS = {
    "UR": "UR", "DR": "DR", "DL": "DL", "UL": "UL",
    "U": "UR UL", "R": "UR DR", "D": "DR DL", "L": "DL UL", "ALL": "UR DR DL UL",
    "ULDR": "UL DR", "URDL": "UR DL",
    "URDRDL": "UR DR DL", "DRDLUL": "DR DL UL", "URDLUL": "UR DL UL", "URDRUL": "UR DR UL",
}  # fmt: skip
WCA = ("UR", "DR", "DL", "UL", "U", "R", "D", "L", "ALL")  # in the order of scrambles
HOURS = (*(f"{hours}+" for hours in range(7)), *(f"{hours}-" for hours in range(5, 0, -1)))
DIALS = tuple(f"{name}{side}" for row in range(3) for side in "fb" for name in SIDE[3 * row :][:3])


def turned(pins: str) -> dict[int, int]:
    """Return the hours that a turn by one hour adds to the dials, which are numbers in `DIALS`."""
    raised = pins.split()
    front = raised + [each for each, near in BETWEEN.items() if {*near.split()} & {*raised}]
    hours = {DIALS.index(f"{each}f"): 1 for each in front}
    return hours | {DIALS.index(f"{CORNERS[pin]}b"): 11 for pin in raised}


def _turn(pins: str) -> Effect:
    """Return the effect of a turn by one hour."""
    add = bytearray(36)
    for dial, hours in turned(pins).items():
        add[18 + dial] = hours
    return bytes(range(36)), bytes(add)


def _over() -> Effect:
    """Return the effect of turning the puzzle over: the dials of both sides change places."""
    other = [DIALS.index(name[:-1] + ("b" if name[-1] == "f" else "f")) for name in DIALS]
    return bytes([*other, *(18 + dial for dial in other)]), bytes(36)


def faults(_: Puzzle, state: bytes) -> list[str]:
    """Return the faults of a state: corner dials that do not fit the other side."""
    found = []
    for front, back in CORNERS.items():
        shown = state[18 + DIALS.index(f"{front}f")]
        there = state[18 + DIALS.index(f"{back}b")]
        if (shown + there) % 12:
            found.append(
                f"dial {front} of the front shows {shown}, so dial {back} of the back shows "
                f"{-shown % 12}, not {there}"
            )
    return found


def coupled(_: Puzzle, state: bytes, __: Random) -> bytes:
    """Return a state with the corner dials of the back set by those of the front."""
    hands = bytearray(state)
    for front, back in CORNERS.items():
        hands[18 + DIALS.index(f"{back}b")] = -hands[18 + DIALS.index(f"{front}f")] % 12
    return bytes(hands)


def _hint(_: str) -> str:
    return (
        "turns name the raised pins and the hours: UR3+ or U2-, with the pins "
        f"{' '.join(PINS)}; y2 turns the puzzle over"
    )


def puzzle() -> Puzzle:
    """Make the Clock. It has 12**14 = 1,283,918,464,548,864 states."""
    from puzzlekit_clock.hands import Hands
    from puzzlekit_clock.words import in_words

    aliases = {
        f"{pins}{hours}": (f"{pins}+", int(hours[-1] + hours[:-1]) % 12)
        for pins in PINS
        for hours in HOURS
    }
    turns = {f"{pins}+": _turn(raised) for pins, raised in PINS.items()}
    return Puzzle(
        name="clock",
        title="Clock",
        orbits=(Orbit("dials", "dial", DIALS, orientations=12, solved=(0,) * 18),),
        turns=turns | {"y2": _over()},
        metrics=(Metric("TURNS", "turns of a wheel", dict.fromkeys(turns, 1) | {"y2": 0}),),
        rotations=("y2",),
        constraints=(Law(("dials",), faults, settle=coupled),),
        aliases=aliases,
        preferred=tuple(name for name, (_, amount) in aliases.items() if amount),
        hints=_hint,
        writing=Hands(),
        move_words=in_words,
    )


def methods(clock: Puzzle) -> list[Method]:
    """Return the method for the fewest turns, and the one for the fixed form of scrambles."""
    from puzzlekit_clock.algebra import FewestTurns, FixedForm

    phase = partial(Phase, "solve", "all hands point up", coordinates=(), tables=())
    every, fixed = (" ".join(f"{pins}+" for pins in own) for own in (PINS, WCA))
    return [
        Method("optimal", "fewest turns", (phase(every),), strategy=FewestTurns()),
        Method("fixed", "the form of WCA scrambles", (phase(fixed),), strategy=FixedForm()),
    ]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register clock."""
    yield PuzzleEntry("clock", "Clock", puzzle, methods, ("rubiks-clock",))


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register clock."""
    from puzzlekit_events import Event, Pattern

    front, back = (
        [tuple(f"{pins}{each}" for each in HOURS) for pins in own] for own in (WCA, WCA[4:])
    )
    form = Pattern((*front, ("y2",), *back))
    yield Event(
        "clock", "Clock", "clock", 2, form, judge="optimal", held="12 o'clock up, either side"
    )
