"""Moves that are not always possible, against plain searches over states that know no cases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit import (
    Combination,
    DeclarationError,
    Method,
    Metric,
    Move,
    NotationError,
    Optimal,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    PuzzlekitError,
    Sequential,
    Solver,
    StateError,
    TableStore,
    UsageError,
)
from puzzlekit.engine.automaton import canonical_sequences
from puzzlekit.puzzle.diagnose import diagnose, guard_parities
from puzzlekit.puzzle.guard import Guard
from puzzlekit.puzzle.move import Effect, invert
from puzzlekit.puzzle.orbit import GuardParity
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.strategies.candidate import PhaseMoves, merge
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_beam import Beam
from puzzlekit_cubes import Hashed
from puzzlekit_twophase import Anytime

Distances = dict[bytes, int]
SIZE = 5  # places of the random puzzles


def row(cost: int = 1) -> Puzzle:
    """Five beads: a turn of all of them, and an exchange that takes bead A at its own place."""
    turn = bytes([4, 0, 1, 2, 3]), bytes(SIZE)
    cases: dict[str, list[Effect | None]] = {
        "r": [turn] * SIZE,
        "l": [invert(turn, bytes(SIZE))] * SIZE,
        "x": [(bytes([0, 2, 1, 3, 4]), bytes(SIZE)), None, None, None, None],
    }
    metric = Metric("STEPS", "steps", {"r": 1, "l": 1, "x": cost})
    orbit = Orbit("beads", "bead", "A B C D E")
    return Puzzle("row", "five beads", (orbit,), {}, (metric,), guard=Guard("beads", "A", cases))


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """A puzzle with families of random cases, each with a family that undoes it."""
    cases: dict[str, list[Effect | None]] = {}
    weights = {}
    for name in ("a", "b", "c")[: draw(st.integers(1, 3))]:
        forth: list[Effect | None] = [None] * SIZE
        back: list[Effect | None] = [None] * SIZE
        after = draw(st.permutations(range(SIZE)))
        for place in draw(st.sets(st.integers(0, SIZE - 1), min_size=1)):
            others = draw(st.permutations([each for each in range(SIZE) if each != place]))
            gather = [0] * SIZE
            free = [each for each in range(SIZE) if each != after[place]]
            gather[after[place]] = place
            for to, source in zip(free, others, strict=True):
                gather[to] = source
            if gather == list(range(SIZE)):
                continue
            effect = bytes(gather), bytes(SIZE)
            forth[place] = effect
            back[after[place]] = invert(effect, bytes(SIZE))
        if any(forth):
            cases |= {name: forth, name.upper(): back}
            weights[name] = weights[name.upper()] = draw(st.integers(1, 3))
    if not cases:
        return row()
    orbit = Orbit("beads", "bead", "A B C D E")
    piece = orbit.places[0]
    metric = Metric("STEPS", "steps", weights)
    return Puzzle("random", "beads", (orbit,), {}, (metric,), guard=Guard("beads", piece, cases))


def neighbours(puzzle: Puzzle, state: bytes) -> Iterator[tuple[Move, bytes]]:
    """The families that are possible in a state, by the declaration, and what they make of it."""
    assert puzzle.guard is not None
    place = state.index(0)
    for family, cases in puzzle.guard.cases.items():
        effect = cases[place]
        if effect is not None:
            yield puzzle.move(family), bytes(state[source] for source in effect[0])


def least_costs(puzzle: Puzzle, starts: dict[bytes, int]) -> Distances:
    """The least cost of every state from one of the starts."""
    found = dict(starts)
    levels = {0: list(starts)}
    while levels:
        cost = min(levels)
        for state in levels.pop(cost):
            if found[state] < cost:
                continue
            for move, after in neighbours(puzzle, state):
                total = cost + puzzle.metrics[0].cost(move)
                if total < found.get(after, 1 << 30):
                    found[after] = total
                    levels.setdefault(total, []).append(after)
    return found


def solver(puzzle: Puzzle, *phases: Phase, **how: object) -> Solver:
    return Solver(puzzle, [Method("m", "m", phases, **how)], TableStore())  # type: ignore[arg-type]


def whole(puzzle: Puzzle, bits: int = 8) -> Phase:
    names = " ".join(puzzle.families)
    order = Permutation("order", puzzle, "beads")
    return Phase("solve", "solved", names, (order,), ("order",), bits=bits)


@cache
def parts(puzzle: Puzzle) -> Phase:
    """Two tables that do not tell all, and where the guarding piece is only together."""
    names = " ".join(puzzle.families)
    some = Permutation("some", puzzle, "beads", "B D"), Permutation("rest", puzzle, "beads", "C E")
    return Phase("solve", "solved", names, some, ("some", "rest"), bits=8)


@pytest.mark.slow
@settings(max_examples=25)
@given(puzzles())
def test_answers_are_the_shortest(puzzle: Puzzle) -> None:
    true = least_costs(puzzle, {puzzle.solved: 0})
    one, two = solver(puzzle, whole(puzzle)), solver(puzzle, parts(puzzle))
    for state in sorted(true)[:: max(1, len(true) // 20)]:
        for way in (one, two):
            found = way.solve(state)
            assert (found.cost, found.optimal, found.verified) == (true[state], True, True)


@pytest.mark.slow
@settings(max_examples=25)
@given(puzzles())
def test_the_automaton_loses_no_state(puzzle: Puzzle) -> None:
    (phase,) = solver(puzzle, whole(puzzle)).prepared().phases
    for start in {puzzle.solved, *(after for _, after in neighbours(puzzle, puzzle.solved))}:
        true = least_costs(puzzle, {start: 0})
        assert reached(puzzle, phase, start, max(true.values())) == true


def reached(puzzle: Puzzle, phase: CompiledPhase, start: bytes, limit: int) -> Distances:
    """The least cost of each state by what the automaton allows; each move has to be possible."""
    found = {start: 0}
    levels: list[set[tuple[bytes, int]]] = [set() for _ in range(limit + 1)]
    levels[0].add((start, puzzle.place_of_guard(start)))
    for spent, level in enumerate(levels):
        for state, at in level:
            for number, to in phase.automaton[at]:
                total = spent + phase.costs[number]
                if total <= limit:
                    after = puzzle.apply(state, [phase.moves[number]])
                    found[after] = min(total, found.get(after, total))
                    levels[total].add((after, to))
    return found


@pytest.mark.slow
@given(puzzles(), st.data())
def test_inverses_commutation_and_notation(puzzle: Puzzle, data: st.DataObject) -> None:
    state, done = puzzle.solved, []
    for _ in range(data.draw(st.integers(0, 8))):
        if not (possible := list(neighbours(puzzle, state))):
            break
        move, after = data.draw(st.sampled_from(possible))
        assert puzzle.apply(state, [move]) == after
        state = after
        done.append(move)
    undone = [puzzle.inverse(move) for move in reversed(done)]
    assert puzzle.apply(state, undone) == puzzle.solved
    text = " ".join(move.name for move in done)
    assert puzzle.moves(text) == tuple(done)
    assert puzzle.moves(f"({text})'") == tuple(undone)
    assert puzzle.notation.format(puzzle.notation.parse(text)) == text
    assert puzzle.apply(puzzle.solved, *merge(puzzle, [done])) == state
    assert merge(puzzle, [done, undone]) == [(), ()]
    cases = puzzle.searched(puzzle.family_moves(puzzle.families))
    for case in cases:
        back = puzzle.inverse(case)
        assert back in cases and puzzle.inverse(back).effect == case.effect
        assert (back.guard_before, back.guard_after) == (case.guard_after, case.guard_before)
    for one in puzzle.family_moves(puzzle.families):
        for other in puzzle.family_moves(puzzle.families):
            assert puzzle.commute(one, other) == all(
                both(puzzle, place, one, other) == both(puzzle, place, other, one)
                for place in range(SIZE)
            )


def both(puzzle: Puzzle, place: int, *moves: Move) -> bytes | None:
    """What moves make of a state with the guarding piece at a place; None if they cannot."""
    state = bytes([*range(1, place + 1), 0, *range(place + 1, SIZE)])
    try:
        return puzzle.apply(state, moves)
    except NotationError:
        return None


def test_amounts() -> None:
    puzzle = row()
    names = " ".join(move.name for move in puzzle.moves("r3 l' r2' [r: x] r6"))
    assert names == "r r r r l l r x l r r r r r r"
    with pytest.raises(NotationError, match="0 turns"):
        puzzle.moves("r0")
    with pytest.raises(NotationError, match=r"more than 100,000 moves"):
        puzzle.moves("r999999")
    with pytest.raises(NotationError, match=r"known moves: r l x"):
        puzzle.moves("q")
    with pytest.raises(DeclarationError, match="r done 2 times"):
        puzzle.move("r", 2)


def test_an_impossible_move_is_named() -> None:
    puzzle = row()
    message = r"move 3, x, is not possible with bead A at B \(possible: r l\)"
    with pytest.raises(NotationError, match=message):
        puzzle.apply(puzzle.solved, puzzle.moves("x r x"))
    (case,) = puzzle.searched(puzzle.moves("x"))
    assert (case.guard_before, case.guard_after) == (0, 0)
    with pytest.raises(NotationError, match=r"move 2, x"):
        puzzle.apply(puzzle.solved, [*puzzle.moves("r"), case])
    turned = puzzle.apply(puzzle.solved, puzzle.moves("r"))
    with pytest.raises(NotationError, match=r"move 1, x"):
        puzzle.apply(turned, [case])
    with pytest.raises(StateError, match="bead A is missing"):
        puzzle.apply(bytes([1, 1, 2, 3, 4]), [case])


def test_an_answer_with_an_impossible_move_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = row()
    way = solver(puzzle, whole(puzzle))
    turned = puzzle.apply(puzzle.solved, puzzle.moves("r"))
    wrong = way.prepared().candidate([PhaseMoves(0, puzzle.moves("x l x"))], True, ((0, 0),))
    monkeypatch.setattr(type(way.prepared()), "search", lambda *_: iter([wrong]))
    with pytest.raises(PuzzlekitError, match=r"returned x l x as an answer, which does not"):
        way.solve(turned)


@pytest.mark.parametrize("cost", [1, 3])
def test_a_phase_after_a_phase(cost: int) -> None:
    puzzle = row(cost)
    true = least_costs(puzzle, {puzzle.solved: 0})
    early = Permutation("early", puzzle, "beads", "B C")
    first = Phase("first", "B and C", "r l x", (early,), ("early",), bits=8)
    way = solver(puzzle, first, whole(puzzle), strategy=Sequential(choices=3))
    for state in true:
        found = way.solve(state)
        assert true[state] <= found.cost and found.verified
    # The states of the first phase are the places of two beads; A may be anywhere at its goal.
    ends = {state: 0 for state in true if early.rank(state) == early.goals[0]}
    nearest: dict[int, int] = {}
    for state, cost in least_costs(puzzle, ends).items():
        value = early.rank(state)
        nearest[value] = min(cost, nearest.get(value, cost))
    (needed, _) = way.prepared().phases
    for state in true:
        assert needed.estimate(puzzle, state) == nearest[early.rank(state)]


def test_all_solutions_are_listed_once() -> None:
    puzzle = row()
    way = solver(puzzle, whole(puzzle))
    start = puzzle.apply(puzzle.solved, puzzle.moves("r"))
    listed = [each.moves for each in way.solutions(start, max_length=9)]
    assert len(set(listed)) == len(listed) > 1
    every = [moves for moves in sequences(puzzle, start, 9) if moves]
    assert set(listed) <= set(every)
    # Every sequence without a pair that one move, or none, replaces.
    short = {moves for moves in every if irreducible(puzzle, start, moves)}
    assert set(listed) == short


def sequences(puzzle: Puzzle, state: bytes, length: int) -> Iterator[tuple[str, ...]]:
    """All sequences that solve a state, solved states on the way too."""
    if puzzle.is_solved(state):
        yield ()
    if length:
        for move, after in neighbours(puzzle, state):
            for rest in sequences(puzzle, after, length - 1):
                yield (move.name, *rest)


def irreducible(puzzle: Puzzle, state: bytes, moves: tuple[str, ...]) -> bool:
    pairs = set()
    single = {after: move.name for move, after in neighbours(puzzle, state)}
    for one, middle in neighbours(puzzle, state):
        for other, after in neighbours(puzzle, middle):
            if after != state and after not in single:
                pairs.add((one.name, other.name))
    if len(moves) < 2:
        return True
    after = puzzle.apply(state, puzzle.moves(moves[0]))
    return moves[:2] in pairs and irreducible(puzzle, after, moves[1:])


def test_short_answers_are_possible_and_found() -> None:
    puzzle = row()
    true = least_costs(puzzle, {puzzle.solved: 0})
    way = solver(puzzle, parts(puzzle))
    (phase,) = way.prepared().phases
    short = ShortAnswers(puzzle, phase.moves, puzzle.metrics[0])
    assert short.proven_cost == 4
    for state, cost in true.items():
        moves = short.find(state)
        assert (moves is not None) == (cost <= 4)
        if moves is not None:
            assert len(moves) == cost
            assert puzzle.is_solved(puzzle.apply(state, moves))
    less = Phase("some", "some", "r l", phase.phase.coordinates, phase.phase.tables, bits=8)
    (some,) = solver(puzzle, less).prepared().phases
    assert ShortAnswers(puzzle, some.moves, puzzle.metrics[0]).proven_cost == 0
    for state, cost in true.items():
        found = way.solve(state, heuristic="sum")
        assert found.verified and (found.cost == cost or cost > 4)


def test_the_automaton_starts_anywhere_and_undoes_nothing() -> None:
    puzzle = row()
    (phase,) = solver(puzzle, whole(puzzle)).prepared().phases
    assert [len(allowed) for allowed in phase.automaton[:SIZE]] == [3, 2, 2, 2, 2]
    names = {number: move.name for number, move in enumerate(phase.moves)}
    undone = {"r": "l", "l": "r", "x": "x"}
    for allowed in phase.automaton[:SIZE]:
        for number, state in allowed:
            after = [names[each] for each, _ in phase.automaton[state]]
            place = phase.moves[number].guard_after
            there = ["r", "l", "x"] if place == 0 else ["r", "l"]
            assert after == [each for each in there if each != undone[names[number]]]
    assert canonical_sequences(phase.automaton, 2) == [1, 3, 4]


def test_what_is_only_for_moves_that_are_always_possible_is_refused() -> None:
    puzzle = row()
    phase = whole(puzzle)
    (order,) = phase.coordinates
    again = Phase("again", "again", "r", (order,), ("order",))
    ways: tuple[tuple[Strategy, tuple[Phase, ...]], ...] = (
        (Anytime(), (phase, again)),
        (Optimal(), (phase,)),
        (Beam(shares=(0.5,)), (phase,)),
    )
    for strategy, phases in ways:
        with pytest.raises(DeclarationError, match="not always possible"):
            solver(puzzle, *phases, strategy=strategy)
    for wrong in (
        {"goal_moves": "r"},
        {"goal_turns": "r"},
        {"endings": 2},
        {"tables": (Modulo3("order"),)},
        {"tables": (Hashed("order", 256, {"STEPS": 3}),)},
    ):
        declared = {"coordinates": (order,), "tables": ("order",), **wrong}
        with pytest.raises((DeclarationError, UsageError)):
            solver(puzzle, Phase("p", "p", "r l x", **declared)).prepared()  # type: ignore[arg-type]
    with pytest.raises(DeclarationError, match="cannot be done at once"):
        puzzle.together(puzzle.moves("r x"))
    assert not puzzle.invertible


def test_wrong_declarations() -> None:
    turn = bytes([1, 2, 0]), bytes(3)
    orbit = Orbit("beads", "bead", "A B C")
    still: Effect = (bytes([0, 1, 2]), bytes(3))

    def made(cases: dict[str, list[Effect | None]], own: Orbit = orbit, **how: object) -> None:
        guard = Guard("beads", "A", cases)
        puzzle = Puzzle("p", "p", (own,), {}, (), guard=guard, **how)  # type: ignore[arg-type]
        puzzle.moves("t")

    with pytest.raises(DeclarationError, match="no family of moves undoes it"):
        made({"t": [turn, turn, turn]})
    with pytest.raises(DeclarationError, match="for each of the 3 places of bead A"):
        made({"t": [turn, turn]})
    with pytest.raises(DeclarationError, match="at least one effect"):
        made({"t": [None] * 3})
    with pytest.raises(DeclarationError, match="changes nothing"):
        made({"t": [still] * 3})
    with pytest.raises(DeclarationError, match="not a permutation"):
        made({"t": [(bytes([0, 0, 1]), bytes(3))] * 3})
    with pytest.raises(DeclarationError, match="must differ from all other pieces"):
        made({"t": [turn] * 3}, Orbit("beads", "bead", "A B C", solved=(0, 0, 1)))
    with pytest.raises(DeclarationError, match="a puzzle with a guard cannot have"):
        made({"t": [turn] * 3}, rotations=("t",))
    with pytest.raises(DeclarationError, match="a puzzle with a guard cannot have"):
        Puzzle("p", "p", (orbit,), {"u": turn}, (), guard=Guard("beads", "A", {"t": [turn] * 3}))


def test_parity_by_the_place_of_the_piece() -> None:
    swap = (bytes([1, 0, 2]), bytes(3)), (bytes([0, 2, 1]), bytes(3))
    cases: dict[str, list[Effect | None]] = {"R": [*swap, None], "L": [None, *swap]}
    puzzle = Puzzle(
        "row",
        "row",
        (Orbit("row", "tile", "0 1 2"),),
        {},
        (),
        constraints=(GuardParity("row"),),
        guard=Guard("row", "0", cases),
    )
    assert guard_parities(puzzle, "row") == (0, 1, 0)
    assert diagnose(puzzle, bytes([1, 2, 0])) == []
    (fault,) = diagnose(puzzle, bytes([2, 1, 0]))
    assert fault == "parity: two tiles are exchanged: no moves lead here from 0 1 2 (solved)"
    with pytest.raises(DeclarationError, match="does not determine the parity of beads"):
        guard_parities(row(), "beads")


def test_combinations_do_not_tell_the_place() -> None:
    puzzle = row()
    true = least_costs(puzzle, {puzzle.solved: 0})
    halves = Combination("halves", puzzle, "beads", "A B")
    phase = Phase("p", "p", "r l x", (halves,), ("halves",), bits=8)
    way = solver(puzzle, phase, whole(puzzle))
    (first, _) = way.prepared().phases
    ends = {state: 0 for state in true if halves.rank(state) == halves.goals[0]}
    for state, cost in least_costs(puzzle, ends).items():
        assert first.estimate(puzzle, state) <= cost
        assert way.solve(state).verified
