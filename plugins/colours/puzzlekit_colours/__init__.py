"""Read the state of a puzzle from the measured colours of all its stickers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit_colours.decoder import Colours as Colours
    from puzzlekit_colours.decoder import Doubt as Doubt
    from puzzlekit_colours.decoder import read_colours as read_colours

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(__name__, {".decoder": "Colours Doubt read_colours"})


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit read-colours`."""
    yield CommandEntry(
        "read-colours",
        "puzzlekit_colours.command:command",
        "Read a state from the measured colours of all stickers.",
        ("camera", "read-colors", "scan"),
    )
