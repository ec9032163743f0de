"""Goals of one or two conditions, held against brute force on small random puzzles."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random

import pytest
from forced import Force, random_puzzle

import puzzlekit
from puzzlekit import Puzzle, Solver, UsageError
from puzzlekit.tables.store import TableStore

Test = Callable[[bytes], bool]
KINDS = ("solved", "placed", "oriented", "within", "solvable-by", "each-solvable-by")


def places(puzzle: Puzzle) -> dict[str, tuple[int, int, int]]:
    """For the name of each place the bytes of its label and turn, and its solved label."""
    return {
        name: (
            puzzle.offsets[orbit.name] + i,
            puzzle.offsets[orbit.name] + (orbit.size + i if orbit.orientations > 1 else i),
            orbit.solved[i],
        )
        for orbit in puzzle.orbits
        for i, name in enumerate(orbit.places)
    }


def drawn(rng: Random, puzzle: Puzzle, kind: str) -> tuple[str, Test]:
    """A random condition of a kind, and what it says about a state."""
    at = places(puzzle)
    names = rng.sample(sorted(at), rng.randint(1, 2))
    text = f"{kind}:{','.join(names)}"
    if kind in ("solved", "placed"):
        whole = kind == "solved"
        return text, lambda s: all(
            s[j] == label and (not whole or t == j or s[t] == 0)
            for j, t, label in (at[name] for name in names)
        )
    if kind == "oriented":
        return text, lambda s: all(
            other[:2] != name[:2] or s[j] != at[name][2] or t == j or s[t] == 0
            for name in names
            for other, (j, t, _) in at.items()
        )
    if kind == "within":
        allowed = {*names, *rng.sample(sorted(at), rng.randint(0, 2))}
        return f"{text}={','.join(sorted(allowed))}", lambda s: all(
            other[:2] != name[:2] or s[j] != at[name][2] or other in allowed
            for name in names
            for other, (j, _, _) in at.items()
        )
    families = sorted(puzzle.turns)
    words = rng.sample(families, rng.randint(1, len(families) - 1))
    text = f"{kind}:{','.join(words)}"
    moves = {move.name: 1 for move in puzzle.family_moves(words)}
    if kind == "solvable-by":
        known = Force(puzzle, moves).distances
        return text, lambda s: tuple(s) in known
    return text, lambda s: each_gets_home(puzzle, s, words)


def each_gets_home(puzzle: Puzzle, state: bytes, families: list[str]) -> bool:
    """Whether pieces have different homes to which turns bring each of them, one at a time."""
    for orbit in puzzle.orbits:
        start, m = puzzle.offsets[orbit.name], orbit.orientations
        homes = []
        for i in range(orbit.size):
            turn = state[start + orbit.size + i] if m > 1 else 0
            seen = {(i, turn)}
            fresh = [*seen]
            for place, turned in fresh:
                for family in families:
                    gather, add = puzzle.turns[family]
                    to = [*gather].index(start + place) - start
                    more = add[start + orbit.size + to] if m > 1 else 0
                    after = to, (turned + more) % m
                    if after not in seen:
                        seen.add(after)
                        fresh.append(after)
            label = state[start + i]
            homes.append(
                {h for h in range(orbit.size) if (h, 0) in seen and orbit.solved[h] == label}
            )
        pairs = (zip(order, homes, strict=True) for order in permutations(range(orbit.size)))
        if not any(all(home in own for home, own in each) for each in pairs):
            return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("distinct", [True, False])
def test_goals_of_two_conditions_are_reached_by_the_fewest_moves(
    distinct: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = TableStore(str(tmp_path_factory.mktemp("tables")))
    checked = refused = 0
    for seed in range(60):
        rng = Random(seed)
        puzzle = random_puzzle(rng, distinct)
        solver = Solver(puzzle, [puzzlekit.universal_method(puzzle)], store)
        kind = KINDS[seed % len(KINDS)]
        kinds = [kind, kind if seed % 2 else rng.choice(KINDS)]
        texts, tests = zip(*(drawn(rng, puzzle, each) for each in kinds), strict=True)
        moves = {move.name: 1 for move in puzzle.family_moves(puzzle.turns)}
        every = [*Force(puzzle, moves).distances]
        goals = [bytes(s) for s in every if all(test(bytes(s)) for test in tests)]
        text = " ".join(texts)
        try:
            goal = solver.goal(text)
            for state in every:
                assert (goal.reached(puzzle, bytes(state)) is not None) == (
                    bytes(state) in goals
                ), (
                    text,
                    state,
                )
            solver.choose(puzzlekit.SearchOptions(goal=text))
        except UsageError as error:
            refused += 1
            reasons = "look different", "fewer than the pieces", "no state is at the goal"
            assert any(reason in str(error) for reason in reasons), (text, error)
            assert "no state" not in str(error) or not goals
            continue
        force = Force(puzzle, moves, goals)
        for state in rng.sample(every, min(4, len(every))):
            if state not in force.distances:
                continue
            found = solver.solve(bytes(state), goal=text, max_nodes=100_000)
            assert found.optimal
            assert force.check(bytes(state), str(found), found.cost) == force.distances[state]
            listed = [*solver.shortest(bytes(state), goal=text)]
            assert {each.cost for each in listed} == {force.distances[state]}, (text, state)
            checked += 1
    assert checked > 100
    assert refused < 30


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("solved:UF=UR", "a condition solved takes no '='"),
        ("joined:UF=UR", "a condition joined takes no '='"),
        ("solvable-by:U=R", "a condition solvable-by takes no '='"),
        ("showing:U=R", "takes no '='"),
        ("within:UF=UR=UL", "a condition within takes 1 '='"),
        ("within:UF=", "on both sides"),
        ("within:=UF", "on both sides"),
        ("within:UF=UR within:UF=UL", "no state is at the goal"),
    ],
)
def test_the_fault_of_a_condition_is_named(goal: str, reason: str) -> None:
    cube = puzzlekit.load("cube3")
    with pytest.raises(UsageError, match=reason):
        cube.choose(puzzlekit.SearchOptions(goal=goal))


@pytest.mark.parametrize(
    ("scramble", "goal", "length"),
    [
        ("U", "within:URF=layer:U within:URF=layer:F", 0),
        ("F", "within:URF=layer:U within:URF=layer:F", 1),
        ("R U", "joined:DLF,DBL joined:DLF,DBL", 0),
        ("R2 U", "solvable-by:U solvable-by:U,R", 2),
        ("R2 U", "each-solvable-by:U each-solvable-by:U,R2", 2),
    ],
)
def test_conditions_of_one_kind_hold_together(scramble: str, goal: str, length: int) -> None:
    found = puzzlekit.load("cube2").solve(scramble, goal=goal)
    assert (found.cost, found.optimal) == (length, True)
