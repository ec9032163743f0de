"""Scrambles of competition events, one by one or as a printed sheet.

>>> from puzzlekit_events import load_event
>>> scrambler = load_event("pyram")
>>> " ".join(move.name for move in scrambler.scramble(seed=2025, label="1"))
"U L R U R U' L R' B R' B' l r'"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit_events.event import AtMost as AtMost
    from puzzlekit_events.event import Event as Event
    from puzzlekit_events.event import Exactly as Exactly
    from puzzlekit_events.event import Pattern as Pattern
    from puzzlekit_events.event import RandomMoves as RandomMoves
    from puzzlekit_events.scrambler import EventScrambler as EventScrambler
    from puzzlekit_events.scrambler import load_event as load_event

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".event": "AtMost Event Exactly Pattern RandomMoves",
        ".scrambler": "EventScrambler load_event",
    },
)


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit event-scramble`."""
    yield CommandEntry(
        "event-scramble",
        "puzzlekit_events.command:command",
        "Print scrambles of a competition event, or a sheet with pictures.",
        tuple(
            f"scramble {each}"
            for each in ["--event", "--sheet", "--extra", "333bf", "333mbf", "444bf", "555bf"]
        ),
    )
