"""Derived methods of several phases that have solved some random states."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from random import Random

from puzzlekit import DeclarationError, Method, NoSolutionError, Puzzle, Solver, TableStore
from puzzlekit.engine.space import MAX_MOVES
from puzzlekit.tables.table import TableKey
from puzzlekit_definitions.deriving.derive_phases import derive_phases
from puzzlekit_definitions.deriving.subgroup_chain import SubgroupChain

CHAIN = "chain of subgroups"  # the name of the table for which chains are searched and tried
_MOST = (1e13, 1e11)  # states that a phase may distinguish, one number after the other
_CHANGES = 500  # orders of giving up moves that are tried
_STATES = 3  # random states that must be solved
_NODES = 250_000_000  # for each of them
_LONGEST = 1000  # moves of an answer
_WORK = 2_400_000_000  # entries of all tables times the moves of their phase; half a minute or so
_BYTES = 4096  # of a stored chain


def tried_phases(
    puzzle: Puzzle, store: TableStore, memory: int, random_state: Callable[[Random], bytes]
) -> Method | None:
    """Return a method of several phases; None if there is none that solves random states.

    The store keeps the chain of subgroups, so it is searched for and tried once. A chain is not
    tried if it would take more than half a minute or so to build its tables. Without the compiled
    engine all this would take too long, so the result is None.

    Parameters
    ----------
    puzzle
        The puzzle.
    store
        Where the chain and the tables are stored.
    memory
        The most bytes of the pruning tables.
    random_state
        Returns random reachable states.
    """
    from puzzlekit.engine.fill import COMPILED

    if not COMPILED or len(puzzle.family_moves(puzzle.turns)) > MAX_MOVES:
        return None
    moves = {family: puzzle.turns[family] for family in puzzle.turns}
    key = TableKey(
        puzzle.name,
        CHAIN,
        f"subgroups 3; {moves}; {puzzle.solved!r}; {memory}",
        "u1",
        (_BYTES,),
        "Names the moves of each phase of a method that is derived from the moves.",
    )

    def built() -> bytes:
        families = " ".join(family for family in moves if family not in puzzle.rotations)
        tried: list[str] = []
        for part, most in enumerate(_MOST):
            tell = partial(told, part)
            chain = SubgroupChain(puzzle, families, most).search(Random(1), _CHANGES, tell)
            if not chain:
                break  # phases that distinguish fewer states are harder to find
            text = "\n".join(chain).encode()
            fits = len(chain) > 1 and len(text) <= _BYTES and chain != tried
            if fits and _solves(chain):
                return text.ljust(_BYTES)
            tried = chain
        return b" " * _BYTES

    def told(part: int, share: float) -> None:
        store.tell(key, (part + share) / len(_MOST))

    def _solves(chain: list[str]) -> bool:
        try:
            method = derive_phases(puzzle, chain, memory)
            if _work(method) > _WORK:
                return False
            solver = Solver(puzzle, (method,), store)
            for seed in range(_STATES):
                state = random_state(Random(seed))
                solver.solve(state, max_length=_LONGEST, max_nodes=_NODES)
        except (DeclarationError, NoSolutionError):
            return False
        return True

    with store.checking():  # its few bytes
        text = bytes(store.get(key, built).data).decode().strip()
    return derive_phases(puzzle, text.splitlines(), memory) if text else None


def _work(method: Method) -> int:
    """Return about how many steps it takes to build the tables of a method."""
    return sum(
        prod(each.size for each in phase.coordinates_of(table)) * len(phase.moves.split())
        for phase in method.phases
        for table in phase.pruning_tables
    )
