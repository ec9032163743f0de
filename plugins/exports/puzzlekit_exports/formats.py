"""The function `export`: a puzzle or a position as text in a format of another program."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq

import attrs

from puzzlekit import Solver, UsageError
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit_exports import definitions, instances
from puzzlekit_exports.permuted import Permuted

__all__ = ["FORMATS", "Format", "export"]


@attrs.frozen
class Format:
    """A format: what it is called in messages, and the functions that write it."""

    #: The program or programs that read it.
    title: str
    #: Writes a puzzle; None if the format has only positions.
    puzzle: Callable[[Permuted], str] | None
    #: Writes a position of a solver, which is given as moves, too, if it is known as such.
    position: Callable[[Permuted, Solver, bytes, str | None], str]
    #: Whether moves have to be possible in every state.
    free: bool = True
    #: Whether it can say that pieces are glued together.
    glued: bool = False


def _only(write: Callable[[Permuted, bytes], str]) -> Callable[..., str]:
    return lambda made, _, state, __: write(made, state)


def _as_held(made: Permuted, state: bytes) -> bytes:
    """Return a state with its pieces renamed so that the moves of the file may reach it.

    A file has one solved state, and so one way to hold the puzzle. Of several ways, the result is
    the one after which most pieces are at home.
    """
    puzzle = made.puzzle
    part = _parts(made)

    def wrong(renamed: bytes) -> bool:
        """Whether some piece is where no move brings it, or turned as no move turns it."""
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            homes: dict[int, set[int]] = {}
            for home in range(start, start + orbit.size):
                homes.setdefault(puzzle.solved[home], set()).add(part[home, 0])
            for place in range(start, start + orbit.size):
                turn = renamed[place + orbit.size] if orbit.orientations > 1 else 0
                if part[place, turn] not in homes[renamed[place]]:
                    return True
        return False

    ways = [puzzle.relabel(state, held) for held in puzzle.whole_rotations]
    fitting = [renamed for renamed in ways if not wrong(renamed)]
    if not fitting:
        raise UsageError(
            f"the moves {' '.join(made.families)} do not reach this state: name more with --moves"
        )
    return max(fitting, key=lambda renamed: sum(map(eq, renamed, puzzle.solved)))


def _parts(made: Permuted) -> dict[tuple[int, int], int]:
    """Return a number for each place with an orientation, the same for those that moves join."""
    puzzle = made.puzzle
    points = [
        (start + place, turn)
        for orbit in puzzle.orbits
        for start in (puzzle.offsets[orbit.name],)
        for place in range(orbit.size)
        for turn in range(orbit.orientations)
    ]
    number = {point: i for i, point in enumerate(points)}
    width = {
        puzzle.offsets[orbit.name] + i: orbit for orbit in puzzle.orbits for i in range(orbit.size)
    }
    rows = []
    for move in puzzle.searched(puzzle.family_moves(made.families)):
        row = []
        for place, turn in points:
            orbit = width[place]
            at = place + orbit.size
            base = puzzle.modulus[at] if orbit.orientations > 1 else 1
            before = (turn - move.add[at]) % base if orbit.orientations > 1 else 0
            row.append(number[move.gather[place], before])
        rows.append(row)
    found: dict[tuple[int, int], int] = {}
    for part, members in enumerate(orbits_of(len(points), rows)):
        found.update((points[i], part) for i in members)
    return found


#: The formats by name.
FORMATS = {
    "kpuzzle": Format("cubing.js", definitions.kpuzzle, _only(definitions.kpuzzle_state)),
    "tws": Format("twsearch", definitions.text, _only(definitions.text_state)),
    "ksolve": Format("ksolve", definitions.text, _only(definitions.text_state), glued=True),
    "gap": Format("GAP", definitions.gap, _only(definitions.gap_state)),
    "hog2": Format("HOG2", None, instances.hog2, free=False),
    "pddl": Format("planners", instances.domain, _only(instances.problem), free=False),
}


def export(
    solver: Solver, form: str, state: bytes | str | None = None, moves: str | None = None
) -> str:
    """Return a puzzle in one of the `FORMATS`, or a position of it: a state or a scramble.

    `moves` names the families of moves that the file has. By default it has those of the default
    method. Raises a UsageError if the format cannot describe the puzzle.

    >>> import puzzlekit
    >>> print(export(puzzlekit.load("pyraminx"), "tws", state="U", moves="U L R B"))
    Scramble state
    AXIALS
    1 2 3 4
    1 0 0 0
    EDGES
    2 3 1 4 5 6
    1 1 0 0 0 0
    TIPS
    1 2 3 4
    1 0 0 0
    End
    """
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}; the formats are {', '.join(FORMATS)}")
    chosen = FORMATS[form]
    puzzle = solver.puzzle
    allowed = solver.method().allowed(puzzle) if moves is None else puzzle.named_moves(moves)
    if not allowed:
        raise UsageError("no moves are given")
    families = tuple(family for family in puzzle.families if family in {m.family for m in allowed})
    made = Permuted(puzzle, families)
    if chosen.free:
        made.check_free(form, chosen.glued)
    if state is not None:
        scramble = state if isinstance(state, str) else None
        found = state if isinstance(state, bytes) else solver.positions.scrambled(state)
        if chosen.puzzle is not None:
            found = _as_held(made, found)
        return chosen.position(made, solver, found, scramble)
    if chosen.puzzle is None:
        raise UsageError(f"the format {form} has only positions: give a scramble or a state")
    return chosen.puzzle(made)
