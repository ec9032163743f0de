"""Which additive pruning tables may be added: those of which no move changes two."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.phase.phase import Phase
from puzzlekit.puzzle.guard import GuardedMoves
from puzzlekit.puzzle.move import Move


def check_groups(phase: Phase, moves: Sequence[Move], guarded: GuardedMoves | None) -> None:
    """Raise a DeclarationError if a move may change the entries of two tables that are added."""
    for group in phase.groups:
        for tables in combinations(group, 2):
            one, other = (
                [phase.coordinates[number] for number in phase.coordinate_numbers(table)]
                for table in tables
            )
            for move in moves:
                if _changes_both(one, other, move, guarded):
                    raise DeclarationError(
                        f"phase {phase.name}: the distances of {tables[0].coordinates} and "
                        f"{tables[1].coordinates} cannot be added, since the move {move.name} may "
                        "change both"
                    )


def _changes_both(
    one: Sequence[Coordinate],
    other: Sequence[Coordinate],
    move: Move,
    guarded: GuardedMoves | None,
) -> bool:
    """Whether a move may change the values of coordinates of both lists.

    A move that exchanges the guarding piece with another one changes what looks at one of these.
    """
    if not all(_touches(each, move) for each in (one, other)):
        return False
    changed = [j for j, source in enumerate(move.gather) if source != j or move.add[j]]
    if guarded is None or any(move.add):
        return True
    places = {guarded.byte + move.guard_before, guarded.byte + move.guard_after}
    looked_at = [frozenset().union(*(each.looks_at for each in own)) for own in (one, other)]
    apart = not looked_at[0] & looked_at[1]
    return set(changed) != places or not apart or guarded.label in looked_at[0] | looked_at[1]


def _touches(coordinates: Sequence[Coordinate], move: Move) -> bool:
    """Whether a move does anything to what some coordinates read."""
    return any(move.gather[j] != j or move.add[j] for each in coordinates for j in each.reads)
