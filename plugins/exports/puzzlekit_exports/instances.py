"""Instances for programs of heuristic search and planning: HOG2 and PDDL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from puzzlekit import Move, Orbit, Solver, UsageError
from puzzlekit_exports.permuted import Permuted


def hog2(made: Permuted, solver: Solver, state: bytes, scramble: str | None) -> str:
    """Return a line of HOG2.

    Of one orbit of different pieces, which do not turn, it has the piece at each place, from 0.
    Of other puzzles it has moves that lead to the state, with "-" for the inverse.
    """
    puzzle = made.puzzle
    orbit = puzzle.orbits[0]
    if len(puzzle.orbits) == 1 and orbit.orientations == 1 and orbit.distinct:
        if puzzle.has_facelets and puzzle.grid is not None:
            return solver.positions.to_facelets(state)
        return " ".join(str(orbit.solved.index(label)) for label in puzzle.labels(state, orbit))
    if scramble is None:
        moves: Sequence[Move] = puzzle.undo(solver.solve(state).sequence)
    else:
        moves = puzzle.moves(scramble)
    return " ".join(f"{each.name[:-1]}-" if each.name[-1] == "'" else each.name for each in moves)


def domain(made: Permuted) -> str:
    """Return the domain of PDDL: an action for each move and each of its powers.

    An action has conditional effects, as a move carries whatever piece is at a place. A piece that
    turns has a slot for each place and orientation.
    """
    puzzle = made.puzzle
    if puzzle.forbidden or puzzle.blocks:
        raise UsageError(
            f"{puzzle.name} has pieces that prevent moves, which the format pddl cannot say here"
        )
    types = " ".join(_kind(name) for name, _ in made.sets)
    slots = " ".join(slot for name, each in made.sets for slot in _slots(name, each))
    pieces = [
        f"    {' '.join(dict.fromkeys(_pieces(name, each, each.solved)))} - {_kind(name)}"
        for name, each in made.sets
    ]
    lines = [
        f"(define (domain {_symbol(puzzle.name)})",
        "  (:requirements :strips :typing :conditional-effects :universal-preconditions"
        " :action-costs)",
        f"  (:types slot piece - object {types} - piece)",
        "  (:constants",
        f"    {slots} - slot",
        *pieces,
        "  )",
        "  (:predicates (at ?p - piece ?s - slot))",
        "  (:functions (total-cost) - number)",
    ]
    for move in puzzle.searched(puzzle.family_moves(made.families)):
        lines += _action(made, move)
    return "\n".join([*lines, ")"])


def problem(made: Permuted, state: bytes) -> str:
    """Return the problem of PDDL: a state, and the solved state as the goal."""
    name = _symbol(made.puzzle.name)
    return "\n".join(
        [
            f"(define (problem {name}-state)",
            f"  (:domain {name})",
            "  (:init",
            "    (= (total-cost) 0)",
            *(f"    {fact}" for fact in _facts(made, state)),
            "  )",
            "  (:goal (and",
            *(f"    {fact}" for fact in _facts(made, made.puzzle.solved)),
            "  ))",
            "  (:metric minimize (total-cost))",
            ")",
        ]
    )


def _action(made: Permuted, move: Move) -> Iterator[str]:
    name = _symbol(move.name.replace("'", "-inverse"))
    yield f"  (:action {name}{'' if move.guard_before < 0 else f'-from-{move.guard_before}'}"
    yield "    :parameters ()"
    guarded = made.puzzle.guarded
    if guarded is not None and made.puzzle.guard is not None:
        (orbit,) = (each for each in made.sets if each[1].name == made.puzzle.guard.orbit)
        piece = next(iter(_pieces(*orbit, [guarded.label])))
        yield f"    :precondition (at {piece} {_slots(*orbit)[move.guard_before]})"
    yield "    :effect (and"
    for name, (source, turns) in made.of_move(move):
        orbit = next(each for each in made.sets if each[0] == name)
        slots, modulus = _slots(*orbit), orbit[1].orientations
        yield f"      (forall (?p - {_kind(name)}) (and"
        for place, (old, turn) in enumerate(zip(source, turns, strict=True)):
            for at in range(modulus):
                one = slots[old * modulus + at]
                other = slots[place * modulus + (at + turn) % modulus]
                if one != other:
                    yield f"        (when (at ?p {one}) (and (not (at ?p {one})) (at ?p {other})))"
        yield "      ))"
    yield f"      (increase (total-cost) {made.puzzle.metric().cost(move)})"
    yield "    )"
    yield "  )"


def _facts(made: Permuted, state: bytes) -> Iterator[str]:
    for (name, each), (_, (pieces, turns)) in zip(made.sets, made.numbers(state), strict=True):
        labels = _pieces(name, each, [each.solved[piece] for piece in pieces])
        slots = _slots(name, each)
        for place, (piece, turn) in enumerate(zip(labels, turns, strict=True)):
            yield f"(at {piece} {slots[place * each.orientations + turn]})"


def _kind(name: str) -> str:
    return f"{name.lower()}-piece"


def _pieces(name: str, orbit: Orbit, labels: Sequence[int]) -> list[str]:
    return [f"{name.lower()}-{orbit.solved.index(label)}" for label in labels]


def _slots(name: str, orbit: Orbit) -> list[str]:
    """Return the names of the slots of an orbit: its places, each with every orientation."""
    turned = range(orbit.orientations)
    return [
        f"{name.lower()}-at-{place}" + (f"-{turn}" if orbit.orientations > 1 else "")
        for place in range(orbit.size)
        for turn in turned
    ]


def _symbol(name: str) -> str:
    """Return a name in the letters that PDDL allows. It does not tell capital letters from small.

    >>> [_symbol(name) for name in ("R", "r", "2-3Lw", "cube3")]
    ['R', 'small-r', 'm2-3Lw', 'cube3']
    """
    found = re.sub(r"[^A-Za-z0-9_-]", "-", name)
    if found[0].islower() and len(found.split("-")[0]) < 3:
        found = f"small-{found}"
    return found if found[0].isalpha() else f"m{found}"
