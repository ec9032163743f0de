"""Directions: images of a state under rotations and inversion, as further starts for a method.

If a state is a permutation, it can be inverted, and conjugated by a rotation of the whole puzzle.
The result is an image of the state. A solution of the image can be converted to a solution of the
state. So a method that treats one axis of the puzzle differently gets several starts. The usable
rotations are derived from the moves.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, act, compose, invert
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.symmetry import Images, families_of, image_of, then, turned_families
from puzzlekit.search.resolved import Plan

__all__ = ["Direction", "are_undone", "seen_after", "sides"]


class Direction(NamedTuple):
    """A way to derive another state from each state: conjugate by `rotation`, and maybe invert.

    The derived state is called the image of the state. `back` undoes the rotation in a solution of
    the image: it maps each move of this solution to the rotated move. If `inverted` is true, the
    sequence of rotated moves must then be inverted (see `carry_back`).
    """

    rotation: Effect
    unrotation: Effect
    back: dict[Move, Move]
    inverted: bool

    def see(self, puzzle: Puzzle, state: bytes) -> bytes:
        """Return the image of a state in this direction."""
        seen = puzzle.invert(state) if self.inverted else state
        return act(puzzle.relabel(seen, self.rotation), *self.unrotation, puzzle.modulus)

    def carry_back(
        self, puzzle: Puzzle, phases: Sequence[Sequence[Move]]
    ) -> list[tuple[int, tuple[Move, ...]]]:
        """Convert a solution of the image to a solution of the state: pairs (phase number, moves).

        `phases` has the moves of each phase in the solution of the image.
        """
        turned = [(i, tuple(self.back[move] for move in part)) for i, part in enumerate(phases)]
        if not self.inverted:
            return turned
        return [(i, puzzle.undo(part)) for i, part in reversed(turned)]


def sides(puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Direction]:
    """Yield every rotation of the whole puzzle that maps moves to moves, the identity first."""
    for rotation, images in _images(puzzle, moves).items():
        if images is not None:
            back = {move: image_of(puzzle, images, move) for move in moves}
            if set(back.values()) == set(moves):
                yield Direction(rotation, invert(rotation, puzzle.modulus), back, False)


def seen_after(
    puzzle: Puzzle, moves: Sequence[Move], rotations: Sequence[Effect]
) -> list[Direction | None]:
    """Return the direction of each rotation, with a move of the image for each of the moves.

    The direction is None if one of the moves has no name after the rotation.
    """
    every = _images(puzzle, moves)
    found: list[Direction | None] = []
    for rotation in rotations:
        unrotation = invert(rotation, puzzle.modulus)
        images = every[unrotation]
        if images is None:
            found.append(None)
        else:
            back = {image_of(puzzle, images, move): move for move in moves}
            found.append(Direction(rotation, unrotation, back, False))
    return found


def on_all_sides(puzzle: Puzzle, moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return moves and their images after each rotation of the whole puzzle that gives all a name.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> sorted(move.name for move in on_all_sides(cube, cube.moves("U2")))
    ['B2', 'D2', 'F2', 'L2', 'R2', 'U2']
    """
    found = dict.fromkeys(moves)
    for direction in seen_after(puzzle, moves, puzzle.whole_rotations):
        if direction is not None:
            found |= dict.fromkeys(direction.back)
    return tuple(found)


def _images(puzzle: Puzzle, moves: Sequence[Move]) -> dict[Effect, Images | None]:
    """Return the images of the families of moves after each rotation; None if one has no name."""
    families = families_of(moves)
    steps = turned_families(puzzle, families)
    images: dict[Effect, Images | None] = {}
    for rotation, step in puzzle.rotation_steps.items():
        if step is None:
            known = {family for each in steps.values() for family in each}.union(families)
            images[rotation] = {family: (family, 1) for family in known}
        else:
            before, last = images[step[0]], steps.get(step[1])
            images[rotation] = None if before is None or last is None else then(before, last)
    return images


def held_otherwise(puzzle: Puzzle, rotations: Sequence[str]) -> list[Direction]:
    """Return a direction for each rotation of the whole puzzle, without inversion.

    `rotations` are move sequences, such as "y". Each rotation must map every move to a move.
    """
    steps = turned_families(puzzle, list(puzzle.turns))
    moves = puzzle.family_moves(puzzle.turns)
    found = []
    for name in rotations:
        images: Images = {family: (family, 1) for family in puzzle.turns}
        rotation = puzzle.whole_rotations[0]
        for turn in puzzle.moves(name):
            if turn.family not in steps:
                raise DeclarationError(
                    f"{turn.name} does not turn {puzzle.name} as a whole, or it maps some move to "
                    "a turn that is not a move"
                )
            for _ in range(turn.amount):
                images = then(images, steps[turn.family])
            rotation = compose(rotation, turn.effect, puzzle.modulus)
        back = {move: image_of(puzzle, images, move) for move in moves}
        found.append(Direction(rotation, invert(rotation, puzzle.modulus), back, False))
    return found


def directions(plan: Plan) -> list[Direction]:
    """Return the directions in which the phases of a plan can be searched.

    A rotation of the whole puzzle maps the moves of the phases to other moves. If several rotations
    give the same moves, only one of them is used. If every move has its inverse among the moves of
    its phase, the same directions with inversion follow. Every direction preserves the cost of
    every move. Only the identity is returned if states are not permutations, or if the cost of a
    move depends on the moves before it.
    """
    puzzle = plan.puzzle
    needs = [plan.resolved(phase) for phase in plan.phases]
    allowed = [each.moves for each in needs]
    moves = allowed[0]
    if not puzzle.invertible or any(each.remembers for each in needs):
        as_held = puzzle.whole_rotations[0]
        return [Direction(as_held, as_held, {move: move for move in moves}, False)]
    price = dict(zip(moves, needs[0].costs, strict=True))
    found: list[Direction] = []
    seen = set()
    for side in sides(puzzle, moves):
        back = side.back
        image = frozenset(
            frozenset(back[move].name for move in later if move in back) for later in allowed
        )
        dearer = any(price[move] != price[back[move]] for move in moves)
        if image not in seen and not dearer:
            seen.add(image)
            found.append(side)
    if all(are_undone(puzzle, each.moves, each.costs) for each in needs):
        found += [each._replace(inverted=True) for each in found]
    return found


def are_undone(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> bool:
    """Whether the inverse of each move is one of the moves, at the same cost.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> are_undone(cube, cube.moves("U U' R2"), (1, 1, 1)), are_undone(cube, cube.moves("U"), (1,))
    (True, False)
    """
    price = dict(zip(moves, costs, strict=True))
    return all(price.get(puzzle.inverse(move)) == cost for move, cost in price.items())
