"""Goals from text and from stickers, as on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import perm
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from puzzlekit import (
    Combination,
    Coordinate,
    Method,
    Metric,
    Move,
    Orbit,
    Permutation,
    Pieces,
    Puzzle,
)
from puzzlekit.errors import StateError, UsageError
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.schemes import usual_mappings
from puzzlekit.puzzle.sticker_reading import forced_mapping, stickers_of
from puzzlekit.puzzle.stickers import appearance
from puzzlekit.search.options import did_you_mean
from puzzlekit_steps import solvable_by as solvable_by  # adds its kinds to KINDS
from puzzlekit_steps.conditions import MOST_VALUES, Solved
from puzzlekit_steps.goal import KINDS, Condition, Goal, GoalCase, Test
from puzzlekit_steps.parts import aimed
from puzzlekit_steps.sides import on_all_sides

if TYPE_CHECKING:
    from puzzlekit_steps.route import Route

__all__ = ["Goals", "read_goal", "read_stickers"]


_ANY = "."  # a sticker that does not matter
_GROUPED = 12_000  # values of a coordinate over pieces that do not depend on each other
# Words for pieces that are solved; the text before the colon stays part of the name.
_SELECTORS = ("layer", "moved")


class _Place(NamedTuple):
    """A place, with the pieces and orientations that show the wanted stickers there."""

    orbit: Orbit
    number: int
    allowed: frozenset[tuple[int, int]]

    @property
    def labels(self) -> frozenset[int]:
        """The labels of the possible pieces."""
        return frozenset(label for label, _ in self.allowed)


@attrs.frozen
class Showing(Condition):
    """Some stickers show given colours; the other stickers do not matter.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> Showing("UUUU" + "." * 20).test(cube)(cube.solved)
    True
    """

    word = "showing"

    #: The face letter of each sticker, face by face. A dot stands for any sticker.
    stickers: str

    @property
    def words(self) -> str:
        return f"showing {self.stickers}"

    def _places(self, puzzle: Puzzle) -> list[_Place]:
        """Return the places with wanted stickers. Raises StateError if no piece has them."""
        look = appearance(puzzle)
        if len(self.stickers) != len(look.solved):
            wrong = f"{len(self.stickers)} stickers of a goal instead of {len(look.solved)}"
            raise StateError([wrong])
        found = []
        faults = [
            f"sticker {look.layout.name(i)}, which no move changes, is {self.stickers[i]}"
            for i in look.fixed
            if self.stickers[i] not in (_ANY, look.solved[i])
        ]
        for pieces in look.orbits:
            for number, at in enumerate(pieces.at):
                letters = at(self.stickers)
                if set(letters) == {_ANY}:
                    continue
                allowed = frozenset(
                    piece
                    for piece, shown in pieces.shown.items()
                    if all(seen in (_ANY, own) for seen, own in zip(letters, shown, strict=True))
                )
                if not allowed:
                    where = f"{pieces.orbit.piece} at {pieces.orbit.places[number]}"
                    faults.append(f"{where} shows {' '.join(letters)}: no piece has these colours")
                found.append(_Place(pieces.orbit, number, allowed))
        if faults:
            raise StateError(faults)
        return found

    def test(self, puzzle: Puzzle) -> Test:
        rows = []
        for orbit, number, allowed in self._places(puzzle):
            j = puzzle.offsets[orbit.name] + number
            rows.append((j, j + orbit.size if orbit.orientations > 1 else -1, allowed))

        def test(state: bytes) -> bool:
            return all((state[j], state[k] if k >= 0 else 0) in own for j, k, own in rows)

        return test

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        """Return the pieces that can show wanted stickers."""
        return [
            (each.orbit, home)
            for each in self._places(puzzle)
            for home, label in enumerate(each.orbit.solved)
            if label in each.labels
        ]

    def barred(self, puzzle: Puzzle, moves: Sequence[Move]) -> Test:
        """Return whether the pieces at places that exchange pieces do not fit these places."""
        found = self._places(puzzle)
        rows = []
        for part in parts_of(puzzle, moves):
            own = [each for each in found if each.orbit is part.orbit and each.number in part.homes]
            if own:
                rows.append((part, own))

        def barred(state: bytes) -> bool:
            return not all(_fit(puzzle, state, part, own) for part, own in rows)

        return barred

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield coordinates over the pieces that can show the wanted stickers.

        The pieces may be at any places of their orbits when the search starts.
        """
        places = self._places(puzzle)
        moved = {part.orbit for part in parts_of(puzzle, moves) if part.turned or not part.still}
        for orbit in puzzle.orbits:
            own = [each for each in places if each.orbit is orbit]
            if own and orbit in moved:
                yield from (_distinct if orbit.distinct else _alike)(puzzle, orbit, own)


def _fit(puzzle: Puzzle, state: bytes, part: Part, wanted: Sequence[_Place]) -> bool:
    """Whether the pieces at the places of a part can fill the wanted places among them."""
    start = puzzle.offsets[part.orbit.name]
    labels = {home: state[start + home] for home in part.homes}
    if part.still and not part.turned:
        turns = puzzle.orientations(state, part.orbit)
        return all((labels[each.number], turns[each.number]) in each.allowed for each in wanted)
    taken: dict[int, _Place] = {}  # for each piece, by its place now, the place that it fills

    def fill(place: _Place, tried: set[int]) -> bool:
        """Find a piece for a place, and other pieces for places from which pieces are taken."""
        for home, label in labels.items():
            if label in place.labels and home not in tried:
                tried.add(home)
                if home not in taken or fill(taken[home], tried):
                    taken[home] = place
                    return True
        return False

    return all(fill(each, set()) for each in wanted)


def _distinct(puzzle: Puzzle, orbit: Orbit, places: Sequence[_Place]) -> Iterator[Coordinate]:
    """Yield coordinates for groups of pieces."""
    base = orbit.orientations

    def size(labels: Sequence[int]) -> int:
        return perm(orbit.size, len(labels)) * int(base ** len(labels))

    group: list[int] = []
    groups = []
    for labels in _linked(places):
        if size(labels) > MOST_VALUES:  # too many: the pieces are no longer seen together
            groups += [labels[i : i + 2] for i in range(0, len(labels), 2)]
            continue
        if group and size([*group, *labels]) > _GROUPED:
            groups.append(group)
            group = []
        group = [*group, *labels]
    for each in [*groups, *([group] if group else [])]:
        named = [orbit.places[home] for home, label in enumerate(orbit.solved) if label in each]
        kind = Pieces if base > 1 else Permutation
        name = f"{orbit.name}-showing:{','.join(named)}"
        coordinate = kind(name, puzzle, orbit.name, " ".join(named))
        yield aimed(coordinate, _Fits(puzzle, places, frozenset(each)))


def _alike(puzzle: Puzzle, orbit: Orbit, places: Sequence[_Place]) -> Iterator[Coordinate]:
    """Yield a coordinate for each kind of equal pieces."""
    for label in dict.fromkeys(orbit.solved):
        if not any(label in each.labels for each in places):
            continue
        first = orbit.places[orbit.solved.index(label)]
        coordinate = Combination(f"{orbit.name}-showing:{first}", puzzle, orbit.name, first)
        yield aimed(coordinate, _Fits(puzzle, places, frozenset([label]), turned=False))


@attrs.frozen
class _Fits:
    """Tests for many states at once whether some pieces show wanted stickers.

    Pieces with other labels are not known. They show wanted stickers if one of them can.
    """

    puzzle: Puzzle
    places: Sequence[_Place]
    labels: frozenset[int]
    turned: bool = True

    def __call__(self, vector: Mapping[int, Any]) -> Any:
        """Return an array of truth values."""
        import numpy as np

        found: Any = True
        for orbit, number, allowed in self.places:
            j = self.puzzle.offsets[orbit.name] + number
            known = np.isin(vector[j], [*self.labels])
            here = ~known & any(label not in self.labels for label, _ in allowed)
            for label, turn in allowed:
                shown = vector[j] == label
                if self.turned and orbit.orientations > 1:
                    shown = shown & (vector[j + orbit.size] == turn)
                here = here | (shown if label in self.labels else False)
            found = found & here
        return found


def _linked(places: Sequence[_Place]) -> list[list[int]]:
    """Return the labels in groups. Labels that may be at the same place are in one group."""
    groups: list[set[int]] = []
    for each in places:
        touched = [group for group in groups if group & each.labels]
        groups = [group for group in groups if group not in touched]
        groups.append(set(each.labels).union(*touched))
    return sorted((sorted(group) for group in groups), key=len)


def read_stickers(
    puzzle: Puzzle,
    text: str,
    scheme: str | None = None,
    order: str | None = None,
    symbols: Mapping[str, str] | None = None,
) -> Goal:
    """Return the goal that stickers describe. A dot stands for a sticker that does not matter.

    Raises UsageError for symbols that stand for no faces, and StateError if no pieces have the
    stickers.

    Parameters
    ----------
    puzzle
        The puzzle.
    text
        One symbol for each sticker, as in `Positions.from_facelets`.
    scheme
        The name of a colour scheme, or the symbols in the order of the faces.
    order
        The order of the stickers, as in `Positions.from_facelets`.
    symbols
        The face of each symbol in the position from which the goal is to be reached, if the
        position was read from stickers. If they lack a symbol of the goal, or without them, the
        symbols are face letters or the letters of a colour scheme.

    Examples
    --------
    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> read_stickers(cube, "WWWW .... .... .... .... ....").conditions[0].stickers[:6]
    'UUUU..'
    >>> digits = dict(zip("123456", "URFDLB"))
    >>> read_stickers(cube, "11.." + 20 * ".", symbols=digits).conditions[0].stickers[:6]
    'UU....'
    """
    layout = puzzle.layout
    if layout is None:
        raise UsageError(f"{puzzle.name} has no stickers that could describe a goal")
    known = [forced_mapping(layout, scheme)] if scheme is not None else usual_mappings(layout)
    if symbols and scheme is None:
        known = [symbols, *known]
    for faces in known:
        given = stickers_of(layout, text, "".join(faces), order)
        if {*given} <= {*faces, _ANY}:
            condition = Showing("".join(faces.get(symbol, _ANY) for symbol in given))
            condition.test(puzzle)  # reports impossible stickers
            return Goal("stickers", "the given stickers", (condition,), as_held=True)
    shown = {*stickers_of(layout, text, "".join(known[0]), order)}
    unknown = min((sorted(shown - {*each, _ANY}) for each in known), key=len)
    raise UsageError(
        f"the stickers of a goal have the symbols {' '.join(unknown)}: write the symbols of the "
        f"position, face letters {layout.faces}, letters of a colour scheme, or a dot for any "
        "sticker"
    )


def read_goal(puzzle: Puzzle, text: str, named: Mapping[str, Goal]) -> Goal:
    """Return the goal that a text describes.

    A text is one or more alternatives, joined by the word "or". An alternative is a list of words,
    separated by blanks, that must all hold:

    - the name of a goal in `named`;
    - a kind of condition, a colon and pieces, such as "solved:UF,UR" or "oriented:edges";
    - "layer:U", "moved:R" or "piece:UF" for pieces that must be solved;
    - "up-to:U" for moves that may be missing at the end.

    "colours:x2,y" or "colours:any" adds rotations after which the goal counts, too.

    Raises UsageError for a word that cannot be read.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> read_goal(cube.puzzle, "oriented:edges solved:DF,DB", {}).words
    'edges oriented, DF DB solved'
    """
    words = text.split()
    colours = [word for word in words if word.startswith("colours:")]
    if colours:
        rest = " ".join(word for word in words if word not in colours)
        goal = attrs.evolve(
            read_goal(puzzle, rest, named), colours=colours[-1].removeprefix("colours:")
        )
        goal.rotations(puzzle)  # reports names that are not rotations
        return goal
    alternatives = [
        (part, case)
        for part in re.split(r"\s+or\s+", text.strip())
        for case in _cases(puzzle, part, named)
    ]
    if text.strip() in named:
        return named[text.strip()]
    if len(alternatives) == 1:
        conditions, up_to = alternatives[0][1]
        goal = Goal(text, "", conditions, up_to)
    else:
        goal = Goal(text, any_of=tuple(Goal(part, "", *case) for part, case in alternatives))
    for case in goal.cases:
        case.test(puzzle)  # reports pieces that do not exist
    return goal


def _cases(puzzle: Puzzle, text: str, named: Mapping[str, Goal]) -> list[GoalCase]:
    """Return all combinations of the cases of the words of an alternative."""
    found = [GoalCase((), "")]
    if not text.split():
        raise UsageError("a goal is empty: name a goal or a condition such as solved:UF,UR")
    for word in text.split():
        own = _of_word(puzzle, word, named)
        found = [
            GoalCase((*one.conditions, *other.conditions), f"{one.up_to} {other.up_to}".strip())
            for one in found
            for other in own
        ]
    return found


def _of_word(puzzle: Puzzle, word: str, named: Mapping[str, Goal]) -> tuple[GoalCase, ...]:
    if word in named:
        if named[word].colours:
            raise UsageError(f"the goal {word} has colours, so no other word can follow it")
        return named[word].cases
    kind, _, rest = word.partition(":")
    if kind == "up-to" and rest:
        moves = rest.replace(",", " ")
        puzzle.moves(moves)  # reports unknown moves
        return (GoalCase((), moves),)
    if kind in _SELECTORS and rest:
        return (GoalCase((Solved(word),), ""),)
    if kind == "piece" and rest:
        return (GoalCase((Solved(rest.replace(",", " ")),), ""),)
    if kind in KINDS and rest:
        return (GoalCase((_condition(word, kind, rest),), ""),)
    known = f"its goals are {', '.join(named)}" if named else "it has no named goals"
    kinds = ", ".join([*KINDS, *_SELECTORS, "piece", "up-to", "colours"])
    raise UsageError(
        f"{puzzle.name} has no goal {word!r}{did_you_mean(word, [*named])}; {known}; a condition "
        f"is KIND:PIECES, and the kinds are {kinds}"
    )


def _condition(word: str, kind: str, text: str) -> Condition:
    """Return the condition of a word, such as within:UF,UR=layer:U."""
    given = [each.replace(",", " ") for each in text.split("=")]
    made: Any = KINDS[kind]
    fields = [each for each in attrs.fields(made) if each.init]
    least = sum(each.default is attrs.NOTHING for each in fields)
    if not all(each.strip() for each in given):
        raise UsageError(f"goal {word!r}: name something on both sides of '='")
    if len(given) > len(fields):
        what = f"{len(fields) - 1} '='" if len(fields) > 1 else "no '='"
        raise UsageError(f"goal {word!r}: a condition {kind} takes {what}")
    if len(given) < least:
        raise UsageError(f"goal {word!r}: a condition {kind} needs {least - 1} '='")
    condition: Condition = made(*given)
    return condition


class Goals:
    """Goals as conditions on pieces, for `solve --goal`: the `GoalSearch` of this plugin."""

    read = staticmethod(read_goal)
    read_stickers = staticmethod(read_stickers)
    on_all_sides = staticmethod(on_all_sides)

    @staticmethod
    def solved(puzzle: Puzzle) -> Goal:
        """Return the goal that all pieces are solved, in any holding."""
        every = Solved(" ".join(orbit.name for orbit in puzzle.orbits))
        return Goal("solved", "the puzzle is solved", (every,), " ".join(puzzle.rotations))

    @staticmethod
    def method(
        puzzle: Puzzle,
        goal: Goal,
        moves: Sequence[Move],
        fixed: Mapping[str, str],
        memory: int | None,
    ) -> Method:
        """Return the method that `derive_goal` makes."""
        from puzzlekit_steps.goal_method import derive_goal

        return derive_goal(puzzle, goal, moves, fixed=fixed, memory=memory)

    @staticmethod
    def route(
        puzzle: Puzzle,
        state: bytes,
        target: bytes,
        metric: Metric,
        moves: Sequence[Move] | None,
        solutions: Callable[[bytes, float], Iterable[Sequence[Move]]] | None,
    ) -> Route:
        """Return the route that `find_route` finds."""
        from puzzlekit_steps.route import find_route

        return find_route(puzzle, state, target, metric, moves, solutions)
