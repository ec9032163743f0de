"""Routes to a state that takes the place of the solved one.

A search leads to the solved puzzle, so the pieces are renamed until the target is the solved state.
If pieces are alike, this needs a target in which the alike pieces are together, as in the solved
state. A guarding piece, such as the blank of a sliding puzzle, keeps its name, so it must be where
it is in the solved state. Otherwise the route uses other states:

- If the alike pieces of the given state are together, the search goes the other way, and the moves
  are undone.
- If they are not, either, the route passes a state at which they are. Such a state is found on the
  way from the target, or from the given state, to the solved puzzle, or by bringing the guarding
  piece home.

A target that three moves reach is found without a method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

import attrs

from puzzlekit import Limits, Metric, Move, Puzzle, UsageError
from puzzlekit.puzzle.move import Effect, act, compose, invert
from puzzlekit.search.directions import are_undone
from puzzlekit.search.strategies.candidate import Candidate, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit

#: The share of a timeout for the search for a way to a state where alike pieces are together.
SHARE = 0.2
#: Most moves of an answer that is found without a method.
NEAR = 3


def is_together(puzzle: Puzzle, state: bytes) -> bool:
    """Whether all alike pieces of a state are at places where alike pieces are solved.

    The place of a guarding piece has to be its own, and other pieces that prevent moves have to be
    at places of such pieces.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4")
    >>> [is_together(cube.puzzle, cube.state(text)) for text in ("x R", "Rw")]
    [True, False]
    """
    try:
        check_together(puzzle, state)
    except UsageError:
        return False
    return True


def check_together(puzzle: Puzzle, state: bytes) -> None:
    """Raise UsageError if the pieces of a state are not together: see `is_together`."""
    puzzle.relabel_to(state, state)
    if not _is_home(puzzle, state):
        raise UsageError(
            f"in the goal state, the guarding piece of {puzzle.name} is not where it is in the "
            "solved state, so this search cannot go there"
        )
    if not _prevents_the_same(puzzle, state):
        raise UsageError(
            f"some pieces of {puzzle.name} prevent moves, and in the goal state they are not "
            "together as in the solved state, so this search cannot go there"
        )


def _prevents_the_same(puzzle: Puzzle, state: bytes) -> bool:
    """Whether pieces prevent the same moves once they are renamed so that a state is solved."""
    names = {
        (start, label): solved
        for orbit, start in zip(puzzle.orbits, puzzle.offsets.values(), strict=True)
        for label, solved in zip(puzzle.labels(state, orbit), orbit.solved, strict=True)
    }
    blocks, renamed = set(), set()
    for block, turning in zip(puzzle.blocks, puzzle.block_turns, strict=True):
        blocks.add((frozenset((start, label) for start, _, label in block), turning))
        renamed.add((frozenset((start, names[start, label]) for start, _, label in block), turning))
    forbidden, moved = set(), set()
    for byte, label, _ in puzzle.forbidden:
        start = max(start for start in puzzle.offsets.values() if start <= byte)
        forbidden.add((byte, label))
        moved.add((byte, names[start, label]))
    return blocks == renamed and forbidden == moved


def _is_home(puzzle: Puzzle, state: bytes) -> bool:
    """Whether the guarding piece is where it is in the solved state."""
    return puzzle.place_of_guard(state) == puzzle.place_of_guard(puzzle.solved)


@attrs.frozen
class Route:
    """A route from a state to a target, one part of which is searched."""

    puzzle: Puzzle
    #: The given state.
    state: bytes
    #: The state to which the moves lead.
    target: bytes
    #: Moves before the searched part.
    before: tuple[Move, ...] = ()
    #: Moves after the searched part.
    after: tuple[Move, ...] = ()
    #: Whether the search goes from the end of the searched part to its beginning.
    undone: bool = False
    #: A few moves that lead to the target, so that nothing is searched. None if there are none.
    direct: tuple[Move, ...] | None = None

    @property
    def searched(self) -> bytes:
        """The state that is solved by a search."""
        if self.direct is not None:
            return self.puzzle.solved
        return self.puzzle.relabel_to(*self._ends())

    def _ends(self) -> tuple[bytes, bytes]:
        """Return the states where the search begins and ends."""
        puzzle = self.puzzle
        begin = puzzle.apply(self.state, self.before)
        end = puzzle.apply(self.target, puzzle.undo(self.after))
        return (end, begin) if self.undone else (begin, end)

    def limits(self, limits: Limits, metric: Metric) -> Limits:
        """Return the limits of the search, with the `max_length` of the whole route."""
        if self._is_detour and limits.timeout is not None:
            limits = limits._replace(timeout=limits.timeout * (1 - 2 * SHARE))
        return limits if self._is_exact(metric) else limits._replace(on_bound=None)

    def answers(self, strategy: Strategy, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers for the whole route, within its `max_length`."""
        total, most = strategy.metric.total, length_limit(limits)
        if self.direct is not None:
            cost = total(self.direct)
            least = min(cost, NEAR + 1)  # all shorter words were tried
            if cost > most:
                yield Candidate(None, False, strategy.no_counts, at_least=least)
                return
            phases = [PhaseMoves(0, self.direct, HowFound(directly=True))]
            yield strategy.candidate(phases, cost == least, strategy.no_counts)
            return
        if self._is_detour:
            most -= total(self.before) + total(self.after)
            if limits.max_length is not None:
                limits = limits._replace(max_length=max(most, 0))
        found: Iterable[Candidate]
        if most < 0:
            found = [Candidate(None, False, strategy.no_counts)]
        elif self._is_detour and self.puzzle.is_solved(self.searched):
            found = [strategy.candidate([PhaseMoves(0, ())], False, strategy.no_counts)]
        else:
            found = strategy.search(strategy.normal(self.searched), limits)
        for answer in found:
            yield self.whole(answer, strategy)

    @property
    def _is_detour(self) -> bool:
        return bool(self.before or self.after)

    def _is_exact(self, metric: Metric) -> bool:
        """Whether proofs of the search hold for the whole route."""
        if self._is_detour or not self.undone:
            return not self._is_detour
        moves = self.puzzle.family_moves(self.puzzle.turns)
        return all(metric.cost(move) == metric.cost(self.puzzle.inverse(move)) for move in moves)

    def whole(self, answer: Candidate, strategy: Strategy) -> Candidate:
        """Return the answer for the whole route, from an answer for the searched part."""
        if not (self._is_detour or self.undone):
            return answer
        if not self._is_exact(strategy.metric):
            answer = answer._replace(proven=False, at_least=0, shortest=frozenset())
        if answer.phases is None:
            return answer
        phases = [*answer.phases]
        held = self._held(phases)
        if self.undone:
            phases = [self._back(phase, held) for phase in reversed(phases)]
        if self.before:
            phases[0] = _joined(phases[0], (*self.before, *phases[0].moves))
        if self.after:
            turned = self._turned(self.after, invert(held, self.puzzle.modulus))
            phases[-1] = _joined(phases[-1], (*phases[-1].moves, *turned))
        done = zip(phases, strategy.merge(phases), strict=True)
        return answer._replace(phases=tuple(phase._replace(merged=own) for phase, own in done))

    def _held(self, phases: Sequence[PhaseMoves]) -> Effect:
        """Return the rotation of the whole puzzle after the end of the search."""
        puzzle = self.puzzle
        begin, end = self._ends()
        after = puzzle.apply(begin, [move for phase in phases for move in phase.moves])
        return next(
            held for held in puzzle.whole_rotations if act(end, *held, puzzle.modulus) == after
        )

    def _back(self, phase: PhaseMoves, held: Effect) -> PhaseMoves:
        """Return a phase in the other direction."""
        moves = self._turned(self.puzzle.undo(phase.moves), held)
        found = phase.found._replace(inverted=not phase.found.inverted)
        return phase._replace(moves=moves, found=found)

    def _turned(self, moves: Sequence[Move], held: Effect) -> tuple[Move, ...]:
        """Return the moves that do the same as a rotation, `moves`, and the rotation back."""
        puzzle = self.puzzle
        if held == puzzle.whole_rotations[0]:
            return tuple(moves)
        back = invert(held, puzzle.modulus)
        named = {move.effect: move for move in puzzle.family_moves(puzzle.turns)}
        effects = [
            compose(compose(held, move.effect, puzzle.modulus), back, puzzle.modulus)
            for move in moves
        ]
        if not all(effect in named for effect in effects):
            raise UsageError(
                f"the way to the goal state ends after a rotation of {puzzle.name}, and after it "
                "some moves have no name"
            )
        return tuple(named[effect] for effect in effects)


def _joined(phase: PhaseMoves, moves: tuple[Move, ...]) -> PhaseMoves:
    return phase._replace(moves=moves, found=phase.found._replace(joined=True))


def find_route(
    puzzle: Puzzle,
    state: bytes,
    target: bytes,
    metric: Metric,
    moves: Sequence[Move] | None,
    solutions: Callable[[bytes, float], Iterable[Sequence[Move]]] | None,
) -> Route:
    """Return a short route from a state to a target: see `GoalSearch.route`.

    `solutions` is called only if alike pieces are not together at either end.
    """
    if moves is None:
        check_together(puzzle, target)
        return Route(puzzle, state, target)
    if is_together(puzzle, target):
        return Route(puzzle, state, target)
    if solutions is not None:
        direct = _near(puzzle, state, target, metric, moves)
        if direct is not None:
            return Route(puzzle, state, target, direct=direct)
    if not are_undone(puzzle, moves, [metric.cost(move) for move in moves]):
        check_together(puzzle, target)  # raises an error, because only this way can be searched
    if solutions is None:
        check_together(puzzle, state)
        return Route(puzzle, state, target, undone=True)
    if is_together(puzzle, state):
        return Route(puzzle, state, target, undone=True)
    begin, end = (_shortest_way(puzzle, each, metric, moves, solutions) for each in (state, target))
    if metric.total(begin) < metric.total(end):
        return Route(puzzle, state, target, before=begin, undone=True)
    return Route(puzzle, state, target, after=puzzle.undo(end))


def _near(
    puzzle: Puzzle, state: bytes, target: bytes, metric: Metric, allowed: Sequence[Move]
) -> tuple[Move, ...] | None:
    """Return the cheapest of all words of at most `NEAR` moves to the target; None if none does."""
    if puzzle.restricted:
        return None
    moves = sorted(allowed, key=metric.cost)
    ends: dict[bytes, tuple[Move, ...]] = {
        act(target, *held, puzzle.modulus): () for held in puzzle.whole_rotations
    }
    for end in [*ends]:
        for move in moves:
            before = act(end, *invert(move.effect, puzzle.modulus), puzzle.modulus)
            ends.setdefault(before, (move,))
    found = []
    for count in range(NEAR):
        for path in product(moves, repeat=count):
            rest = ends.get(puzzle.apply(state, path))
            if rest is not None:
                found.append((*path, *rest))
    return min(found, key=metric.total, default=None)


def _shortest_way(
    puzzle: Puzzle,
    state: bytes,
    metric: Metric,
    allowed: Sequence[Move],
    solutions: Callable[[bytes, float], Iterable[Sequence[Move]]],
) -> tuple[Move, ...]:
    """Return moves after which the alike pieces are together.

    They are the fewest that bring a guarding piece home, or else the cheapest beginning of a
    solution.
    """
    home = _way_home(puzzle, state, allowed)
    if is_together(puzzle, puzzle.apply(state, home)):
        return home
    found: list[tuple[Move, ...]] = []
    for moves in solutions(state, SHARE):
        after = state
        for number, move in enumerate(moves):
            after = puzzle.apply(after, [move])
            if is_together(puzzle, after):
                found.append(tuple(moves[: number + 1]))
                break
    return min(found, key=metric.total)


def _way_home(puzzle: Puzzle, state: bytes, allowed: Sequence[Move]) -> tuple[Move, ...]:
    """Return the fewest moves after which the guarding piece is home; none if it cannot get there.

    Only the place of the guarding piece says which moves are possible, so each place is tried once.
    """
    ways: dict[int, tuple[Move, ...]] = {puzzle.place_of_guard(state): ()}
    waiting = [state]
    for here in waiting:
        place = puzzle.place_of_guard(here)
        if _is_home(puzzle, here):
            return ways[place]
        for move in allowed:
            possible = move.guard_before in (-1, place) and not puzzle.obstacle(here, move)
            if possible and move.guard_after not in (-1, *ways):
                ways[move.guard_after] = (*ways[place], move)
                waiting.append(puzzle.apply(here, [move]))
    return ()
