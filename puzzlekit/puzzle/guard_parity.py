"""The parity of an orbit, as it follows from where the guarding piece is."""

from __future__ import annotations

from functools import lru_cache

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.puzzle.puzzle import Puzzle


@lru_cache(maxsize=16)
def guard_parities(puzzle: Puzzle, orbit: str) -> tuple[int, ...]:
    """For each place of the guarding piece the parity of an orbit in every state that has it there.

    0 for even, 1 for odd, and 0 where it cannot be; a DeclarationError where the moves allow both.
    """
    guarded = puzzle.guarded
    if guarded is None:
        raise DeclarationError(f"{puzzle.name} has no guard")
    start = puzzle.offsets[orbit]
    end = start + puzzle.orbit(orbit).size
    found = {guarded.place(puzzle.solved): 0}
    fresh = list(found)
    for place in fresh:  # grows while it is gone through
        for move in guarded.moves.values():
            case = move.cases[place]
            if case is None:
                continue
            odd = permutation_parity([byte - start for byte in case.gather[start:end]])
            parity = found[place] ^ odd
            if case.guard_after not in found:
                fresh.append(case.guard_after)
            if found.setdefault(case.guard_after, parity) != parity:
                raise DeclarationError(
                    f"{puzzle.name}: the place of {guarded.name} says nothing of the parity of "
                    f"{orbit}"
                )
    return tuple(found.get(place, 0) for place in range(guarded.size))
