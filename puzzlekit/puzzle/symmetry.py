"""Symmetries of the whole puzzle: relabelled pieces, and images of moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, compose, invert
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = [
    "Images",
    "family_images",
    "generators",
    "image_of",
    "relabelled",
    "relabellings",
    "setup_moves",
    "symmetries",
    "then",
    "turned_families",
]
# The image of each family: a family, and 1 for the same direction or -1 for the opposite one.
Images = Mapping[str, tuple[str, int]]


def relabellings(
    puzzle: Puzzle, state: bytes, places: Sequence[int]
) -> Iterator[tuple[Effect, bytes]]:
    """Yield the rotations after which some bytes of a state are solved, and the relabelled state.

    `places` has the indices of these bytes: see `Puzzle.bytes_at`. Without any, every rotation of
    the whole puzzle is yielded.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> ((rotation, seen),) = relabellings(
    ...     cube.puzzle, cube.state("x R"), cube.puzzle.bytes_at({"corners": "DBL"})
    ... )
    >>> seen == cube.state("R")
    True
    """
    for rotation in puzzle.whole_rotations:
        seen = puzzle.relabel(state, rotation)
        if all(seen[byte] == puzzle.solved[byte] for byte in places):
            yield rotation, seen


def relabelled(
    puzzle: Puzzle, fixed: Mapping[str, str], state: bytes, relabel: bool = False
) -> Iterator[bytes]:
    """Yield the state relabelled in each way that solves the fixed places of a method.

    Without fixed places, only the unchanged state is yielded, or with `relabel` the state in every
    orientation. Raises DeclarationError if no orientation solves the fixed places.
    """
    places = puzzle.bytes_at(fixed)
    if not places and not relabel:
        yield state
        return
    none = True
    for _, seen in relabellings(puzzle, state, places):
        none = False
        yield seen
    if none:
        raise DeclarationError(
            f"no way of holding {puzzle.name} solves the places that the method fixes"
        )


def setup_moves(puzzle: Puzzle, state: bytes, moves: Sequence[Move]) -> tuple[Move, ...] | None:
    """Return moves that lead from the solved puzzle, held in the standard way, to `state`.

    `moves` must solve `state`. The result first turns the whole solved puzzle, so that it is held
    as it is after `moves`. Then it undoes `moves`. The result is None if `moves` do not solve
    `state`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> [move.name for move in setup_moves(cube.puzzle, cube.state("R y"), cube.puzzle.moves("F'"))]
    ['y', 'F']
    >>> [move.name for move in setup_moves(cube.puzzle, cube.state("y'"), ())]
    ["y'"]
    """
    held = _rotations_to(puzzle, puzzle.apply(state, moves))
    return None if held is None else (*held, *puzzle.undo(moves))


def _rotations_to(puzzle: Puzzle, state: bytes) -> tuple[Move, ...] | None:
    """Return the fewest rotations from the solved state to a state; None if there are none."""
    turns = puzzle.family_moves(puzzle.rotations)
    found: dict[bytes, tuple[Move, ...]] = {puzzle.solved: ()}
    queue = [puzzle.solved]
    for each in queue:  # the loop appends to it
        if each == state:
            return found[each]
        for turn in turns:
            after = puzzle.apply(each, [turn])
            if after not in found:
                found[after] = (*found[each], turn)
                queue.append(after)
    return None


def turned_families(puzzle: Puzzle, families: Iterable[str]) -> dict[str, Images]:
    """Return for each rotation the images of some families of moves, as a dict by name.

    An image is a pair: a family, and 1 for the same direction or -1 for the opposite direction. The
    result also has the images of all families that occur as images. A rotation is left out if it
    maps one of these families to a turn that is not a family of the puzzle.

    >>> import puzzlekit
    >>> turned_families(puzzlekit.load("cube3").puzzle, ["M"])["y"]
    {'M': ('S', -1), 'S': ('M', 1), 'E': ('E', 1)}
    """
    known = list(dict.fromkeys(families))
    named = {effect: family for family, effect in puzzle.turns.items()}
    steps: dict[str, dict[str, tuple[str, int]]] = {name: {} for name in puzzle.rotations}
    for family in known:  # grows during the loop
        for name in list(steps):
            image = _turned(puzzle, named, family, puzzle.turns[name])
            if image is None:
                del steps[name]
                continue
            steps[name][family] = image
            if image[0] not in known:
                known.append(image[0])
    return dict(steps)


def _turned(
    puzzle: Puzzle, named: Mapping[Effect, str], family: str, turn: Effect
) -> tuple[str, int] | None:
    """Return the image of a family when the whole puzzle is turned; None if no family matches."""
    modulus = puzzle.modulus
    back = invert(turn, modulus)
    seen = compose(compose(back, puzzle.turns[family], modulus), turn, modulus)
    if seen in named:
        return named[seen], 1
    undone = invert(seen, modulus)
    return (named[undone], -1) if undone in named else None


def then(first: Images, second: Images) -> Images:
    """Return the images under `first` followed by `second`."""
    return {
        family: (second[name][0], sign * second[name][1]) for family, (name, sign) in first.items()
    }


def image_of(puzzle: Puzzle, images: Images, move: Move) -> Move:
    """Return the image of a move."""
    if move.parts:
        return puzzle.together([image_of(puzzle, images, part) for part in move.parts])
    family, sign = images[move.family]
    return puzzle.move(family, sign * move.amount)


def families_of(moves: Iterable[Move]) -> list[str]:
    """Return the families of some moves without duplicates.

    If a move does several moves at once, the result has the families of all these moves.
    """
    return list(dict.fromkeys(part.family for move in moves for part in move.parts or (move,)))


def family_images(puzzle: Puzzle, moves: Sequence[Move]) -> list[Images]:
    """Return the images of the families of some moves under all rotations and reflections.

    A rotation is left out if it maps one of the families to a turn that is not a family. The
    identity comes first.
    """
    own = families_of(moves)
    steps: list[Images] = list(turned_families(puzzle, own).values())
    families = list(dict.fromkeys(family for step in steps for family in step)) or own
    steps += [
        mirror
        for mirror in puzzle.reflections
        if all(mirror[family][0] in families for family in families)
    ]
    found: list[Images] = [{family: (family, 1) for family in families}]
    for images in found:  # grows during the loop
        for step in steps:
            moved = then(images, step)
            if moved not in found:
                found.append(moved)
    return found


def symmetries(puzzle: Puzzle, moves: Sequence[Move]) -> list[tuple[int, ...]]:
    """Return the rotations and reflections of the puzzle that permute these moves.

    Each symmetry is a tuple. Item i of the tuple is the index of the image of move i. The identity
    comes first.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> len(symmetries(cube, cube.family_moves("URFDLB")))
    48
    >>> len(symmetries(cube, cube.moves("U U2 U' D D2 D' R2 L2 F2 B2")))
    16
    """
    found = family_images(puzzle, moves)
    # By name: the moves may be those of the same puzzle without its rotations.
    number = {move.name: i for i, move in enumerate(moves)}
    rows = [
        tuple(number.get(image_of(puzzle, images, move).name, -1) for move in moves)
        for images in found
    ]
    return [row for row in dict.fromkeys(rows) if -1 not in row]


def generators(moves: Sequence[Move]) -> list[int]:
    """Return the indices of moves that generate all other moves.

    Each other move is a power of one of these moves, or does several such powers at once. So a
    symmetry needs to be checked only for these moves.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> generators(cube.moves("U U2 U' R2 D D2 D'"))
    [0, 3, 4]
    """
    found = []
    steps: dict[str, int] = {}  # by family, the amount whose multiples are generated
    for number in sorted(range(len(moves)), key=lambda number: len(moves[number].parts)):
        move = moves[number]
        parts = move.parts or (move,)
        if all(
            part.order and not part.amount % steps.get(part.family, part.order) for part in parts
        ):
            continue
        found.append(number)
        if not move.parts:
            steps[move.family] = gcd(move.amount, steps.get(move.family, move.order))
    return found
