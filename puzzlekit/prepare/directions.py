"""Directions: images of a state under rotations and inversion, as further starts for a method.

If a state is a permutation, it can be inverted, and conjugated by a rotation of the whole puzzle. A
solution of the resulting image is converted to a solution of the state. So a method that prefers an
axis gets several starts. The usable rotations are derived from the moves.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from puzzlekit.errors import DeclarationError
from puzzlekit.prepare.plan import Plan
from puzzlekit.puzzle.move import Effect, Move, act, compose, invert
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.symmetry import Images, families_of, image_of, then, turned_families


class Direction(NamedTuple):
    """An image of states from which a method can search: conjugated by `rotation`, maybe inverted.

    `back` maps each move of the image to a move of the original state.
    """

    rotation: Effect
    unrotation: Effect
    back: dict[Move, Move]
    inverted: bool

    def see(self, puzzle: Puzzle, state: bytes) -> bytes:
        """Return the image of a state in this direction."""
        seen = puzzle.invert(state) if self.inverted else state
        return act(puzzle.recolour(seen, self.rotation), *self.unrotation, puzzle.modulus)

    def carry_back(
        self, puzzle: Puzzle, phases: Sequence[Sequence[Move]]
    ) -> list[tuple[int, tuple[Move, ...]]]:
        """Convert a solution of the image to pairs (phase, moves) that solve the state.

        `phases` are the moves of each phase for the image.
        """
        turned = [(i, tuple(self.back[move] for move in part)) for i, part in enumerate(phases)]
        if not self.inverted:
            return turned
        return [(i, puzzle.undo(part)) for i, part in reversed(turned)]


def sides(puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Direction]:
    """Yield every rotation of the whole puzzle that maps moves to moves, the identity first."""
    families = families_of(moves)
    steps = turned_families(puzzle, families)
    images: dict[Effect, Images | None] = {}
    for rotation, step in puzzle.holding_steps.items():
        if step is None:
            known = {family for each in steps.values() for family in each}.union(families)
            images[rotation] = {family: (family, 1) for family in known}
        else:
            before, last = images[step[0]], steps.get(step[1])
            images[rotation] = None if before is None or last is None else then(before, last)
        here = images[rotation]
        if here is not None:
            back = {move: image_of(puzzle, here, move) for move in moves}
            if set(back.values()) == set(moves):
                yield Direction(rotation, invert(rotation, puzzle.modulus), back, False)


def held_otherwise(puzzle: Puzzle, rotations: Sequence[str]) -> list[Direction]:
    """Return a direction for each rotation, given as a move sequence. It maps all moves."""
    steps = turned_families(puzzle, list(puzzle.turns))
    moves = puzzle.family_moves(puzzle.turns)
    found = []
    for name in rotations:
        images: Images = {family: (family, 1) for family in puzzle.turns}
        rotation = puzzle.holdings[0]
        for turn in puzzle.moves(name):
            if turn.family not in steps:
                raise DeclarationError(
                    f"{turn.name} does not turn {puzzle.name} as a whole, or some moves have no "
                    "name after it"
                )
            for _ in range(turn.amount):
                images = then(images, steps[turn.family])
            rotation = compose(rotation, turn.effect, puzzle.modulus)
        back = {move: image_of(puzzle, images, move) for move in moves}
        found.append(Direction(rotation, invert(rotation, puzzle.modulus), back, False))
    return found


def directions(plan: Plan) -> list[Direction]:
    """Return one direction for each different image of the moves of the phases.

    The same directions with inversion follow. Every direction preserves the cost of every move. If
    states are not permutations, or if the cost of a move depends on the moves before it, only the
    identity is returned.
    """
    puzzle = plan.puzzle
    needs = [plan.resolved(phase) for phase in plan.phases]
    allowed = [each.moves for each in needs]
    moves = allowed[0]
    if not puzzle.invertible or any(each.remembers for each in needs):
        as_held = puzzle.holdings[0]
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
    return found + [each._replace(inverted=True) for each in found]
