"""Find long words that permute three pieces, where each move changes many pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from puzzlekit.engine.beats import beat
from puzzlekit_universal.engine.seeds import Seeds
from puzzlekit_universal.engine.word_moves import Moves
from puzzlekit_universal.places import Places

if TYPE_CHECKING:
    from puzzlekit_universal.piece_cycles import Kind

LONGEST_SEED = 150  # moves of a word
TRIED, SEARCHES = 100_000, 4  # words that a search tries, in a tenth of a second, and searches
_KEPT = 300  # words from which others are made
_AT_ONCE = 10_000  # words that are tried between two beats


def long_words(places: Places, kinds: Sequence[Kind], joined: Any, commuting: bytes) -> list[bytes]:
    """Return words that permute three pieces of the last kind and keep all other kinds given.

    They may change pieces of kinds that are not given. The shortest ones come first.
    """
    stickers = [sticker for kind in kinds for home in kind.homes for sticker in home]
    number = {sticker: i for i, sticker in enumerate(stickers)}
    target = [number[int(row[sticker])] for row in places.images for sticker in stickers]
    blank, ones = [0] * len(target), [1] * len(stickers)
    moves = Moves(ones, target, blank, places.costs, places.inverses, joined, commuting)
    orbit = [n for n, kind in enumerate(kinds) for home in kind.homes for _ in home]
    found = set()
    for seed in range(1, SEARCHES + 1):
        search, word = Seeds(moves, orbit, len(kinds) - 1, _KEPT, LONGEST_SEED, seed), b""
        for _ in range(0, TRIED, _AT_ONCE):
            beat()
            word = search.search(_AT_ONCE)
        found |= {word, bytes(places.inverses[move] for move in reversed(word))}
    return sorted(filter(None, found), key=lambda word: (len(word), word))
