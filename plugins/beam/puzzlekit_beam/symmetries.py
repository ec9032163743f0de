"""Symmetries of a puzzle that declares no rotations, found from its moves.

Such a symmetry permutes the places so that each move becomes a move of the same cost: a rotation or
a reflection of the whole puzzle, of which a definition file tells nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from puzzlekit import Move, Puzzle
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit.puzzle.move import Effect, compose, invert
from puzzlekit.search.directions import Direction, are_undone

__all__ = ["cycle_lengths", "directions_of", "sides_of"]

_MOST_WORK = 20_000_000  # points of all products of two moves; a second or two
_MOST_TRIED = 20_000  # ways to map the first moves to moves

#: For each point, a place with an orientation, the point from which the piece comes.
Points = tuple[int, ...]


def directions_of(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> list[Direction]:
    """Return the directions in which a state, or its inverse, may be seen; the identity first.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> len(directions_of(cube, cube.moves("U R F U' R' F'"), (1,) * 6))  # about DBL, and inverted
    6
    """
    if not puzzle.invertible or puzzle.restricted or not are_undone(puzzle, moves, costs):
        identity = puzzle.whole_rotations[0]
        return [Direction(identity, identity, {move: move for move in moves}, False)]
    every = sides_of(puzzle, moves, costs)
    return [*every, *(each._replace(inverted=True) for each in every)]


def sides_of(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> list[Direction]:
    """Return the directions in which a state may be seen, without its inverse; the identity first.

    Pieces may be alike. The puzzle must not be restricted.
    """
    identity = puzzle.whole_rotations[0]
    found = {identity: Direction(identity, identity, {move: move for move in moves}, False)}
    named = {move.effect: (move, cost) for move, cost in zip(moves, costs, strict=True)}
    for effect in _candidates(puzzle, moves, costs):
        undone = invert(effect, puzzle.modulus)
        back = {}
        for move, cost in zip(moves, costs, strict=True):
            seen = compose(compose(effect, move.effect, puzzle.modulus), undone, puzzle.modulus)
            image = named.get(seen)
            if image is None or image[1] != cost:
                break
            back[image[0]] = move
        else:
            found.setdefault(effect, Direction(effect, undone, back, False))
    return [*found.values()]


def _candidates(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> Iterator[Effect]:
    """Yield effects that may be symmetries; they map the first moves to moves."""
    rows = [_points(puzzle, move) for move in moves]
    if len(rows) ** 2 * len(rows[0]) > _MOST_WORK:
        return
    kinds = [(cycle_lengths(row), cost) for row, cost in zip(rows, costs, strict=True)]
    alike = Counter(kinds)
    rare = sorted(range(len(rows)), key=lambda n: alike[kinds[n]])
    count = len(rows[0])
    parts = _parts(count, rows)

    def separate(numbers: Sequence[int]) -> int:
        return len({*_parts(count, [rows[n] for n in numbers])})

    chosen: list[int] = []
    while separate(chosen) > len({*parts}):
        chosen.append(min(rare, key=lambda n: separate([*chosen, n])))
    known: dict[tuple[int, int], object] = {}

    def pair(one: int, other: int) -> object:
        if (one, other) not in known:
            first, second = rows[one], rows[other]
            back = _inverse(second)
            known[one, other] = (
                cycle_lengths(tuple(first[i] for i in second)),
                cycle_lengths(tuple(first[i] for i in back)),
            )
        return known[one, other]

    def mapped(images: list[int]) -> Iterator[list[int]]:
        if len(images) == len(chosen):
            yield images
            return
        move = chosen[len(images)]
        for image in range(len(rows)):
            if kinds[image] == kinds[move] and all(
                pair(one, move) == pair(other, image)
                for one, other in zip(chosen, images, strict=False)
            ):
                yield from mapped([*images, image])

    for tried, images in enumerate(mapped([])):
        if tried == _MOST_TRIED:
            return
        steps = [(rows[one], rows[other]) for one, other in zip(chosen, images, strict=True)]
        points = _carried(parts, steps)
        effect = _effect(puzzle, points) if points is not None else None
        if effect is not None:
            yield effect


def _points(puzzle: Puzzle, move: Move) -> Points:
    points: list[int] = []
    for orbit in puzzle.orbits:
        start, first, base = puzzle.offsets[orbit.name], len(points), orbit.orientations
        for label in range(start, start + orbit.size):
            turn = move.add[label + orbit.size] if base > 1 else 0
            source = first + (move.gather[label] - start) * base
            points += [source + (number - turn) % base for number in range(base)]
    return tuple(points)


def _effect(puzzle: Puzzle, points: Sequence[int]) -> Effect | None:
    """Return the effect that permutes the points; None if it would mirror the orientations."""
    gather, add = [*range(len(puzzle.solved))], bytearray(len(puzzle.solved))
    first = 0
    for orbit in puzzle.orbits:
        start, base = puzzle.offsets[orbit.name], orbit.orientations
        for place in range(orbit.size):
            source, turn = divmod(points[first + place * base] - first, base)
            if not 0 <= source < orbit.size:
                return None
            for number in range(base):
                expected = first + source * base + (turn + number) % base
                if points[first + place * base + number] != expected:
                    return None
            gather[start + place] = start + source
            if base > 1:
                gather[start + orbit.size + place] = start + orbit.size + source
                add[start + orbit.size + place] = -turn % base
        first += orbit.size * base
    plain = isinstance(puzzle.whole_rotations[0][0], bytes)
    return (bytes(gather) if plain else tuple(gather)), bytes(add)


def cycle_lengths(row: Points) -> tuple[int, ...]:
    """Return the lengths of the cycles of a permutation, without those of single points."""
    seen = bytearray(len(row))
    found = []
    for point, source in enumerate(row):
        if source == point or seen[point]:
            continue
        length = 0
        while not seen[point]:
            seen[point] = True
            point = row[point]
            length += 1
        found.append(length)
    return tuple(sorted(found))


def _inverse(row: Points) -> Points:
    return tuple(sorted(range(len(row)), key=row.__getitem__))


def _parts(count: int, rows: Sequence[Points]) -> list[int]:
    """Return a number for each point, the same for points that the rows exchange."""
    part = [*range(count)]
    for orbit in orbits_of(count, rows):
        for point in orbit:
            part[point] = orbit[0]
    return part


def _carried(parts: Sequence[int], steps: Sequence[tuple[Points, Points]]) -> list[int] | None:
    """Return the image of each point; None if no permutation maps the steps as wanted.

    A step is a pair: a move, and the move that it becomes.
    """
    image: list[int] = [-1] * len(parts)
    used: set[int] = set()
    for point in range(len(parts)):
        if image[point] >= 0:
            continue
        count = parts.count(parts[point])
        if count == 1:
            if point in used:
                return None
            image[point] = point
            used.add(point)
            continue
        for target in range(len(parts)):
            if target in used or parts.count(parts[target]) != count:
                continue
            own = {point: target}
            new = [point]
            while new and own:
                at = new.pop()
                for one, other in steps:
                    if one[at] not in own:
                        own[one[at]] = other[own[at]]
                        new.append(one[at])
                    elif own[one[at]] != other[own[at]]:
                        own = {}
                        break
            if own and len({*own.values()}) == len(own) == count:
                for one_point, its_image in own.items():
                    image[one_point] = its_image
                used.update(own.values())
                break
        else:
            return None
    return image
