"""The conditions that nearly every goal needs, and the pieces that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import perm
from operator import itemgetter
from typing import Any

import attrs

from puzzlekit import Combination, Coordinate, Move, Orbit, Permutation, Pieces, Puzzle, UsageError
from puzzlekit.puzzle.move import Effect, act
from puzzlekit.puzzle.position import changed_pieces, named_pieces
from puzzlekit.puzzle.stickers import appearance
from puzzlekit_steps.goal import Condition, Kind, Test
from puzzlekit_steps.parts import Aimed, Need, aimed

__all__ = [
    "MOST_LISTED",
    "MOST_VALUES",
    "Joined",
    "Oriented",
    "Placed",
    "Solved",
    "Within",
    "is_carried",
]


MOST_LISTED = 1 << 25  # values of a coordinate that says which places hold some pieces

#: A piece: its orbit, and the number of its home place.
Piece = tuple[Orbit, int]
MOST_VALUES = 200_000  # of a coordinate whose goals are listed one by one


def pieces(puzzle: Puzzle, text: str) -> list[Piece]:
    """Return the pieces in a text. Blanks or commas separate the words.

    A word is the name of a place or of an orbit. Another word is "moved:R", for the pieces that a
    move changes.
    The word "layer:U" stands for all pieces with a sticker on a face, "centers:U" for those of one
    orbit.
    Raises UsageError for any other word.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> len(pieces(cube, "UF,corners")), len(pieces(cube, "layer:U")), len(pieces(cube, "moved:R"))
    (9, 9, 8)
    """
    found: dict[Piece, None] = {}
    for word in text.replace(",", " ").split():
        kind, colon, name = word.partition(":")
        if not colon:
            own: Iterable[Piece] = named_pieces(puzzle, word)
        elif kind == "layer":
            own = _layer(puzzle, name)
        elif kind == "moved":
            own = changed_pieces(puzzle, puzzle.moves(name))
        elif any(orbit.name == kind for orbit in puzzle.orbits):
            own = [each for each in _layer(puzzle, name) if each[0].name == kind]
        else:
            raise UsageError(
                f"{word!r} names no pieces; write the name of a piece, layer:FACE, ORBIT:FACE or "
                "moved:MOVE"
            )
        found.update(dict.fromkeys(own))
    if not found:
        raise UsageError("a condition of a goal names no pieces")
    return list(found)


def _layer(puzzle: Puzzle, name: str) -> list[Piece]:
    if puzzle.layout is None or len(name) != 1 or name not in puzzle.layout.faces:
        known = " ".join(puzzle.layout.faces) if puzzle.layout else "none"
        raise UsageError(f"{puzzle.name} has no face {name!r}; its faces: {known}")
    layout, number = puzzle.layout, puzzle.layout.faces.index(name)
    return [
        (look.orbit, home)
        for look in appearance(puzzle).orbits
        for home, place in enumerate(look.places)
        if any(layout.face_of[facelet] == number for facelet in place)
    ]


def by_orbit(found: Iterable[Piece]) -> dict[Orbit, list[int]]:
    """Return the home places of pieces, by orbit.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [len(homes) for homes in by_orbit(pieces(cube, "corners UF")).values()]
    [8, 1]
    """
    homes: dict[Orbit, list[int]] = {}
    for orbit, home in found:
        homes.setdefault(orbit, []).append(home)
    return homes


def is_carried(puzzle: Puzzle, effect: Effect, found: Iterable[Piece], turned: bool = True) -> bool:
    """Whether an effect exchanges these pieces only with each other.

    Equal pieces must stay equal: the effect must bring all pieces of one label to places of one
    label, and turn them alike. `turned` is whether it matters how it turns them.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> (turn,) = cube.moves("U")
    >>> is_carried(cube, turn.effect, pieces(cube, "layer:U"))
    True
    """
    for orbit, homes in by_orbit(found).items():
        start = puzzle.offsets[orbit.name]
        sources = [effect[0][start + i] - start for i in range(orbit.size)]
        if {sources[home] for home in homes} != set(homes):
            return False
        turns = start + orbit.size
        added = effect[1][turns : turns + orbit.size] if turned and orbit.orientations > 1 else ()
        alike = {
            (orbit.solved[i], orbit.solved[source], added[i] if added else 0)
            for i, source in enumerate(sources)
        }
        if len(alike) > len({*orbit.solved}):
            return False
    return True


def is_evenly_turned(puzzle: Puzzle, effect: Effect, orbit: Orbit) -> bool:
    """Whether an effect turns all pieces of an orbit by the same amount.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> edges = cube.orbit("edges")
    >>> [is_evenly_turned(cube, cube.turns[name], edges) for name in ("y", "z")]
    [False, True]
    """
    if orbit.orientations == 1:
        return True
    start = puzzle.offsets[orbit.name] + orbit.size
    return len(set(effect[1][start : start + orbit.size])) == 1


def is_still(puzzle: Puzzle, orbit: Orbit, moves: Iterable[Move]) -> bool:
    """Whether moves change no place of an orbit."""
    start = puzzle.offsets[orbit.name]
    return not any(start <= j < start + orbit.width for move in moves for j in move.changed)


@attrs.frozen
class Solved(Condition):
    """Some pieces are at their home places and untwisted.

    >>> Solved("UF UR").words
    'UF UR solved'
    """

    word = "solved"

    #: The pieces: names of places, orbits, "layer:U" or "moved:R".
    pieces: str

    @property
    def words(self) -> str:
        return f"{self.pieces} solved"

    def test(self, puzzle: Puzzle) -> Test:
        return _test_of_bytes(puzzle, self.needs(puzzle))

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return a `Need` for each piece: at its home place, with orientation 0."""
        return [Need(orbit, home, True, True) for orbit, home in pieces(puzzle, self.pieces)]

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the effect exchanges the pieces only with each other."""
        return is_carried(puzzle, effect, pieces(puzzle, self.pieces))


@attrs.frozen
class Placed(Condition):
    """Some pieces are at their home places, in any orientation.

    >>> Placed("corners").words
    'corners in place'
    """

    word = "placed"

    #: The pieces, as in `Solved`.
    pieces: str

    @property
    def words(self) -> str:
        return f"{self.pieces} in place"

    def test(self, puzzle: Puzzle) -> Test:
        return _test_of_bytes(puzzle, self.needs(puzzle))

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return a `Need` for each piece: at its home place, in any orientation."""
        return [Need(orbit, home, True, False) for orbit, home in pieces(puzzle, self.pieces)]

    def kinds(self, puzzle: Puzzle) -> Iterator[Kind]:
        """Return the pieces, turned in any way."""
        for orbit, home in pieces(puzzle, self.pieces):
            yield Kind(orbit, orbit.solved[home], orbit.solved[home], False)

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the effect exchanges the pieces only with each other."""
        return is_carried(puzzle, effect, pieces(puzzle, self.pieces), turned=False)


@attrs.frozen
class Oriented(Condition):
    """Some pieces have orientation 0, wherever they are.

    >>> Oriented("edges").words
    'edges oriented'
    """

    word = "oriented"

    #: The pieces, as in `Solved`.
    pieces: str

    @property
    def words(self) -> str:
        return f"{self.pieces} oriented"

    def test(self, puzzle: Puzzle) -> Test:
        rows = []
        for orbit, homes in by_orbit(pieces(puzzle, self.pieces)).items():
            if orbit.orientations > 1:
                rows.append((orbit, frozenset(orbit.solved[home] for home in homes)))

        def test(state: bytes) -> bool:
            return all(
                not turn or label not in wanted
                for orbit, wanted in rows
                for label, turn in zip(
                    puzzle.labels(state, orbit), puzzle.orientations(state, orbit), strict=True
                )
            )

        return test

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return the pieces, untwisted."""
        return [Need(orbit, home, False, True) for orbit, home in pieces(puzzle, self.pieces)]

    def kinds(self, puzzle: Puzzle) -> Iterator[Kind]:
        """Return the pieces as one kind."""
        for orbit, home in pieces(puzzle, self.pieces):
            yield Kind(orbit, orbit.solved[home], 0, True)

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the effect keeps these pieces together and turns all pieces alike."""
        found = pieces(puzzle, self.pieces)
        alike = all(is_evenly_turned(puzzle, effect, orbit) for orbit in by_orbit(found))
        return alike and is_carried(puzzle, effect, found)


@attrs.frozen
class Within(Condition):
    """Some pieces are within a set of places, in any order and orientation.

    >>> Within("FR FL BR BL", "FR FL BR BL").words
    'FR FL BR BL within FR FL BR BL'
    """

    word = "within"

    #: The pieces, as in `Solved`.
    pieces: str
    #: The places, in the same form. Default: the home places of the pieces.
    places: str = ""

    @property
    def words(self) -> str:
        return f"{self.pieces} within {self.places or self.pieces}"

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        return pieces(puzzle, self.pieces)

    def kinds(self, puzzle: Puzzle) -> Iterator[Kind]:
        """Return the pieces as one kind, turned in any way."""
        for orbit, home in pieces(puzzle, self.pieces):
            yield Kind(orbit, orbit.solved[home], 0, False)

    def _inside(self, puzzle: Puzzle) -> list[tuple[Orbit, tuple[int, ...], list[int]]]:
        """Return for each orbit the labels, and the bytes of the places where they must not be."""
        places = by_orbit(pieces(puzzle, self.places or self.pieces))
        found = []
        for orbit, homes in by_orbit(pieces(puzzle, self.pieces)).items():
            labels = tuple(dict.fromkeys(orbit.solved[home] for home in sorted(homes)))
            if sum(orbit.solved.count(label) for label in labels) > len(places.get(orbit, ())):
                raise UsageError(
                    f"the places {self.places or self.pieces} are fewer than the pieces "
                    f"{self.pieces}, counted with all pieces that look the same: name more places"
                )
            start = puzzle.offsets[orbit.name]
            outside = [start + i for i in range(orbit.size) if i not in places[orbit]]
            found.append((orbit, labels, outside))
        return found

    def test(self, puzzle: Puzzle) -> Test:
        rows = self._inside(puzzle)

        def test(state: bytes) -> bool:
            return all(state[j] not in labels for _, labels, outside in rows for j in outside)

        return test

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield a coordinate for the set of places of the pieces, for each orbit.

        The pieces may be at any places of the orbit when the search starts.
        """
        for orbit, labels, outside in self._inside(puzzle):
            if not outside or is_still(puzzle, orbit, moves):
                continue
            shown = [orbit.places[orbit.solved.index(label)] for label in labels]
            own = [name for i, name in enumerate(orbit.places) if orbit.solved[i] in labels]
            name = f"{orbit.name}-within:{','.join(own)}"
            where = Combination(name, puzzle, orbit.name, " ".join(shown))

            def fits(
                vector: Mapping[int, Any],
                barred: Sequence[int] = outside,
                labels: Sequence[int] = labels,
            ) -> Any:
                return sum((vector[j] == each) + 0 for j in barred for each in labels) == 0

            if where.size <= MOST_LISTED:
                yield aimed(where, fits)

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the effect keeps the pieces together, and the places."""
        return all(
            is_carried(puzzle, effect, pieces(puzzle, text), turned=False)
            for text in (self.pieces, self.places or self.pieces)
        )


@attrs.frozen
class Joined(Condition):
    """Some pieces are together as in the solved puzzle, wherever they are.

    The pieces are where some rotation of the whole solved puzzle brings them. An example is a
    corner and an edge that form a pair.

    >>> Joined("DFR FR").words
    'DFR FR joined'
    """

    word = "joined"

    #: The pieces, as in `Solved`.
    pieces: str

    @property
    def words(self) -> str:
        return f"{self.pieces} joined"

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        return pieces(puzzle, self.pieces)

    def _at(self, puzzle: Puzzle) -> list[dict[int, int]]:
        """Return the bytes at the places of the pieces, for each holding of the solved puzzle."""
        found = pieces(puzzle, self.pieces)
        every = []
        for held in puzzle.whole_rotations:
            state = act(puzzle.solved, *held, puzzle.modulus)
            shown: dict[int, int] = {}
            for orbit, home in found:
                start = puzzle.offsets[orbit.name]
                place = start + puzzle.labels(state, orbit).index(orbit.solved[home])
                shown[place] = state[place]
                if orbit.orientations > 1:
                    shown[place + orbit.size] = state[place + orbit.size]
            every.append(shown)
        return every

    def test(self, puzzle: Puzzle) -> Test:
        found = pieces(puzzle, self.pieces)
        if not all(orbit.distinct for orbit, _ in found):
            raise UsageError(
                f"{self.pieces} cannot be joined, because some of these pieces are equal to "
                "other pieces"
            )
        every = [(itemgetter(*shown), _items(shown)) for shown in self._at(puzzle)]

        def test(state: bytes) -> bool:
            return any(get(state) == wanted for get, wanted in every)

        return test

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield one coordinate over all pieces, or several if it would be too large."""
        every = self._at(puzzle)
        parts: list[Coordinate] = []
        for orbit, own in by_orbit(pieces(puzzle, self.pieces)).items():
            size = 1
            while (
                size < len(own)
                and perm(orbit.size, size + 1) * orbit.orientations ** (size + 1) <= MOST_VALUES
            ):
                size += 1
            kind = Pieces if orbit.orientations > 1 else Permutation
            for i in range(0, len(own), size):
                named = [orbit.places[home] for home in own[i : i + size]]
                name = f"joined:{','.join(named)}"
                parts.append(kind(name, puzzle, orbit.name, " ".join(named)))
        group: list[Coordinate] = []
        for i, each in enumerate(parts):
            group.append(each)
            product = each.size
            for other in group[:-1]:
                product *= other.size
            following = parts[i + 1].size if i + 1 < len(parts) else MOST_VALUES
            if product * following > MOST_VALUES:
                yield _joined(puzzle, group, every)
                group = []

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the effect is a rotation that exchanges the pieces only with each other."""
        found = pieces(puzzle, self.pieces)
        return effect in puzzle.whole_rotations and is_carried(puzzle, effect, found)


def _joined(
    puzzle: Puzzle, group: Sequence[Coordinate], every: Sequence[Mapping[int, int]]
) -> Aimed:
    """Return one coordinate, with the values for some sets of bytes as goals."""
    name = "+".join(each.name for each in group)
    given = name, puzzle, group[0].orbit_name, tuple(group)
    whole = Aimed(*given)
    blank = {j: 127 for each in group for j in each.reads}
    values = {whole.rank(blank | dict(shown)) for shown in every}
    return Aimed(*given, tuple(sorted(values)))


def _items(shown: Mapping[int, int]) -> Any:
    values = tuple(shown.values())
    return values if len(values) > 1 else values[0]


def _test_of_bytes(puzzle: Puzzle, needs: Sequence[Need]) -> Test:
    """Return a test of the bytes at the home places of pieces."""
    shown: dict[int, int] = {}
    for orbit, home, _, turned in needs:
        j = puzzle.offsets[orbit.name] + home
        shown[j] = orbit.solved[home]
        if turned and orbit.orientations > 1:
            shown[j + orbit.size] = 0
    get, wanted = itemgetter(*shown), _items(shown)
    return lambda state: bool(get(state) == wanted)
