"""Goals: sets of states, stated as conditions on pieces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import attrs

from puzzlekit import Coordinate, DeclarationError, Move, Orbit, Puzzle, UsageError
from puzzlekit.puzzle.move import Effect, act, compose, invert
from puzzlekit_steps.parts import Need, carries_frame, framed

__all__ = [
    "KINDS",
    "Condition",
    "Goal",
    "GoalCase",
    "Kind",
    "Test",
    "TurnedCase",
    "alternatives",
    "generated",
    "rotation_names",
]


#: Whether a condition holds in a state.
Test = Callable[[bytes], bool]
#: The kinds of conditions that `--goal` knows, by their words.
KINDS: dict[str, Callable[..., Condition]] = {}
_MOST_EFFECTS = 200  # that the moves of "up to" may generate


class Kind(NamedTuple):
    """A piece as a condition sees it."""

    orbit: Orbit
    #: The label of the piece.
    label: int
    #: A number that is equal for pieces that the condition does not tell apart.
    number: int
    #: Whether it matters how the piece is turned.
    turned: bool


class Condition(ABC):
    """A condition on some pieces, which holds at a goal.

    A subclass is a frozen attrs class whose fields are strings. It must define `words` and `test`.
    The search is faster if the subclass also defines `needs` or `coordinates`.
    """

    #: The word of the kind in `--goal`; empty for none. If it is "own", the text "own:UF,UR" stands
    #: for `Own("UF UR")`, and "own:UF=UR" for `Own("UF", "UR")`.
    word = ""

    def __init_subclass__(cls) -> None:
        if cls.word:
            KINDS[cls.word] = cls

    @property
    @abstractmethod
    def words(self) -> str:
        """The condition in words, such as "UF UR solved"."""

    @abstractmethod
    def test(self, puzzle: Puzzle) -> Test:
        """Return a function that tests a state of the puzzle.

        Raises UsageError if the puzzle has no such pieces.
        """

    def needs(self, puzzle: Puzzle) -> Sequence[Need]:
        """Return the pieces that must be at home or untwisted. By default there are none."""
        return ()

    def kinds(self, puzzle: Puzzle) -> Iterable[Kind]:
        """Return what the condition can tell apart: two states that look alike to it are equal.

        By default the condition tells the pieces of `matters` apart, and how each is turned.
        """
        for orbit, home in self.matters(puzzle):
            yield Kind(orbit, orbit.solved[home], orbit.solved[home], True)

    def matters(self, puzzle: Puzzle) -> Iterable[tuple[Orbit, int]]:
        """Return the pieces of which the condition says something: orbits and home places.

        By default they are the pieces of `needs`; if there are none, all pieces.
        """
        found = [(need.orbit, need.home) for need in self.needs(puzzle)]
        return found or [(orbit, home) for orbit in puzzle.orbits for home in range(orbit.size)]

    def coordinates(self, puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Coordinate]:
        """Yield coordinates for the search with some moves, besides those of `needs`.

        In every state in which the condition holds, each coordinate must have one of its goal
        values. By default there are no coordinates.
        """
        yield from ()

    def barred(self, puzzle: Puzzle, moves: Sequence[Move]) -> Test | None:
        """Return a function that says whether moves from a state surely never reach the condition.

        The function must be fast, and need not find every such state. By default there is none.
        """
        return None

    def solving_moves(self, puzzle: Puzzle) -> Sequence[Move]:
        """Return the moves that the condition allows to solve the puzzle, held in any way.

        `needs` and `coordinates` of such a condition describe one of the ways. By default there are
        no such moves: the condition names the pieces as the puzzle is held.
        """
        return ()

    def is_kept(self, puzzle: Puzzle, effect: Effect) -> bool:
        """Whether the condition means the same if the puzzle is changed by an effect beforehand.

        More exactly: the condition holds in a state exactly if it holds after the inverse of the
        effect, the moves of the state, and the effect. By default this is not known, and the result
        is False.
        """
        return False


class GoalCase(NamedTuple):
    """One of the alternatives of a goal: all its conditions hold, up to some moves."""

    conditions: tuple[Condition, ...]
    #: The moves as in `Goal.up_to`.
    up_to: str

    @property
    def words(self) -> str:
        """The alternative in words."""
        joined = ", ".join(each.words for each in self.conditions) or "any state"
        return f"{joined}, up to {self.up_to}" if self.up_to else joined

    def test(self, puzzle: Puzzle) -> Test:
        """Return a function that tests a state of the puzzle."""
        tests = [each.test(puzzle) for each in self.conditions]
        effects = generated(puzzle, self.up_to)
        undone = [invert(each, puzzle.modulus) for each in effects]
        turned = carries_frame(puzzle, effects)

        def test(state: bytes) -> bool:
            if all(each(state) for each in tests):
                return True
            if len(undone) == 1:
                return False
            every = (act(state, *back, puzzle.modulus) for back in undone)
            return any(
                all(each(before) for each in tests)
                for before in (framed(puzzle, each) if turned else each for each in every)
            )

        return test


@attrs.frozen(eq=False, repr=False)
class Goal:
    """A set of states: all states in which some conditions hold.

    >>> import puzzlekit
    >>> from puzzlekit_steps import Solved
    >>> cube = puzzlekit.load("cube3")
    >>> bar = Goal("bar", "two edges are in place", (Solved("DF DB"),))
    >>> cube.solve("F", goal=bar).goal, str(cube.solve("F", goal=bar))
    ('bar', "F'")
    """

    #: The name in `--goal`.
    name: str
    #: The goal in words, such as "the four edges of the D face are solved".
    title: str = ""
    #: The conditions. All of them must hold.
    conditions: tuple[Condition, ...] = ()
    #: Moves or rotations, such as "U". A state also is at the goal if these moves, in any order,
    #: lead to it from a state at the goal.
    up_to: str = ""
    #: Rotations, such as "x y", or "any" for all rotations. A state also is at the goal if it is at
    #: the goal after the whole puzzle is turned by these rotations, in any order.
    colours: str = ""
    #: Alternatives: besides the conditions, at least one of these goals must be reached. Empty for
    #: no alternatives.
    any_of: tuple[Goal, ...] = ()
    #: Whether the conditions name pieces by their own stickers. By default they name pieces as the
    #: puzzle is held: its centers, or a corner, show which face of the puzzle is U.
    as_held: bool = False
    _tests: dict[Puzzle, GoalTest] = attrs.field(init=False, factory=dict)

    def __repr__(self) -> str:
        return f"Goal({self.name!r})"

    def __attrs_post_init__(self) -> None:
        for what in ("conditions", "any_of"):
            if not isinstance(getattr(self, what), (tuple, list)):
                raise DeclarationError(f"goal {self.name}: {what} has to be a tuple")
        if any(each.colours for each in self.any_of):
            raise DeclarationError(
                f"goal {self.name}: only the whole goal can have colours, not an alternative "
                "of the goal"
            )

    def reached(self, puzzle: Puzzle, state: bytes) -> TurnedCase | None:
        """Return the first alternative that a state reaches; None if the state is not at the goal.

        >>> import puzzlekit
        >>> from puzzlekit_steps import Solved
        >>> cube = puzzlekit.load("cube3")
        >>> cross = Goal("cross", "", (Solved("DF DR DB DL"),), colours="any")
        >>> cross.reached(cube.puzzle, cube.state("R")).after
        "z'"
        """
        if puzzle not in self._tests:
            self._tests[puzzle] = GoalTest(puzzle, self)
        return next(self._tests[puzzle].reached(state), None)

    @property
    def words(self) -> str:
        """The title; without a title, the conditions in words."""
        return self.title or " or ".join(case.words for case in self.cases)

    @property
    def cases(self) -> tuple[GoalCase, ...]:
        """The alternatives as held."""
        if not self.any_of:
            return (GoalCase(tuple(dict.fromkeys(self.conditions)), self.up_to),)
        return tuple(
            GoalCase(
                tuple(dict.fromkeys((*self.conditions, *case.conditions))),
                " ".join([self.up_to, case.up_to]).strip(),
            )
            for other in self.any_of
            for case in other.cases
        )

    def rotations(self, puzzle: Puzzle) -> tuple[Effect, ...]:
        """Return the rotations of `colours`, the identity first.

        Raises UsageError for a name that is not a rotation.
        """
        if not self.colours:
            return puzzle.whole_rotations[:1]
        if self.colours == "any":
            return puzzle.whole_rotations
        if not puzzle.rotations:
            raise UsageError(
                f"{puzzle.name} has no rotations, so the colours of a goal cannot be "
                "exchanged: leave out the colours"
            )
        text = self.colours.replace(",", " ")
        known = " ".join(puzzle.rotations)
        for move in puzzle.moves(text):
            if move.family not in puzzle.rotations:
                raise UsageError(f"{move.name} is not a rotation of {puzzle.name}; write {known}")
        return generated(puzzle, text)


def generated(puzzle: Puzzle, text: str) -> tuple[Effect, ...]:
    """Return all effects that moves generate, the identity first.

    Raises UsageError if there are too many, or if moves are not always possible.

    >>> import puzzlekit
    >>> len(generated(puzzlekit.load("cube3").puzzle, "U D"))
    16
    """
    if text and puzzle.restricted:
        raise UsageError(
            f"up-to:{text} cannot be used for {puzzle.name}, because its moves are not always "
            "possible"
        )
    steps = [move.effect for move in puzzle.moves(text.replace(",", " "))] if text else []
    found = {puzzle.whole_rotations[0]: None}
    fresh = list(found)
    for effect in fresh:  # grows during the loop
        for step in steps:
            after = compose(effect, step, puzzle.modulus)
            if after not in found:
                found[after] = None
                fresh.append(after)
        if len(found) > _MOST_EFFECTS:
            raise UsageError(
                f"'up to {text}': sequences of these moves have over {_MOST_EFFECTS} different "
                "effects: name fewer moves"
            )
    return tuple(found)


def rotation_names(puzzle: Puzzle) -> dict[Effect, str]:
    """Return a short sequence of rotations for each holding of the puzzle; "" for the identity.

    >>> import puzzlekit
    >>> [*rotation_names(puzzlekit.load("cube3").puzzle).values()][:5]
    ['', 'x', 'x2', "x'", 'y']
    """
    found = {puzzle.whole_rotations[0]: ""}
    fresh = [puzzle.whole_rotations[0]]
    for held in fresh:  # grows during the loop
        for move in puzzle.family_moves(puzzle.rotations):
            after = compose(held, move.effect, puzzle.modulus)
            if after not in found:
                found[after] = f"{found[held]} {move.name}".strip()
                fresh.append(after)
    return found


class TurnedCase(NamedTuple):
    """A case of a goal, seen after a rotation of the whole puzzle."""

    case: GoalCase
    #: The rotation with which the state is conjugated before the test, and its inverse.
    rotation: Effect
    unrotation: Effect
    #: The rotation after which a person sees the case, such as "x2"; empty for none.
    after: str

    def see(self, puzzle: Puzzle, state: bytes) -> bytes:
        """Return the state as it is seen after the rotation."""
        if not self.after:
            return state
        return act(puzzle.relabel(state, self.rotation), *self.unrotation, puzzle.modulus)


def alternatives(puzzle: Puzzle, goal: Goal) -> list[TurnedCase]:
    """Return all alternatives of a goal that differ.

    >>> import puzzlekit
    >>> from puzzlekit_steps import Solved
    >>> cube = puzzlekit.load("cube3")
    >>> cross = Goal("cross", conditions=(Solved("DF DR DB DL"),), colours="any")
    >>> [each.after for each in alternatives(cube.puzzle, cross)]
    ['', 'x', 'x2', "x'", 'z', "z'"]
    """
    texts = rotation_names(puzzle) if goal.colours else {puzzle.whole_rotations[0]: ""}
    allowed = goal.rotations(puzzle)
    turns = [turn for turn in texts if turn in allowed]  # the shortest names first
    found: list[TurnedCase] = []
    for case in goal.cases:
        kept: dict[Effect, bool] = {}
        own: list[TurnedCase] = []
        for turn in turns:
            unturn = invert(turn, puzzle.modulus)
            # Two rotations see the same case if the rotation between them keeps the case.
            between = (compose(other.rotation, turn, puzzle.modulus) for other in own)
            if not any(_keeps(puzzle, case, each, kept) for each in between):
                own.append(TurnedCase(case, unturn, turn, texts[turn]))
        found += own
    return found


def _keeps(puzzle: Puzzle, case: GoalCase, effect: Effect, known: dict[Effect, bool]) -> bool:
    if effect not in known:
        known[effect] = all(each.is_kept(puzzle, effect) for each in case.conditions) and (
            not case.up_to or _is_closed(puzzle, generated(puzzle, case.up_to), effect)
        )
    return known[effect]


def _is_closed(puzzle: Puzzle, effects: Sequence[Effect], turn: Effect) -> bool:
    """Whether turning the puzzle before and back after each effect gives the same effects."""
    back = invert(turn, puzzle.modulus)
    return all(
        compose(compose(back, each, puzzle.modulus), turn, puzzle.modulus) in effects
        for each in effects
    )


class GoalTest:
    """Tests whether states of a puzzle are at a goal."""

    def __init__(self, puzzle: Puzzle, goal: Goal) -> None:
        self._puzzle = puzzle
        self.alternatives = alternatives(puzzle, goal)
        made = {id(each.case): each.case.test(puzzle) for each in self.alternatives}
        self._tests = [made[id(each.case)] for each in self.alternatives]

    def reached(self, state: bytes) -> Iterator[TurnedCase]:
        """Yield the alternatives that a state reaches."""
        for each, test in zip(self.alternatives, self._tests, strict=True):
            if test(each.see(self._puzzle, state)):
                yield each
