"""Measure the nodes per second of the engine in one thread, and the time of each part.

    python benchmarks/nodes.py --states 10

Random states of the 3x3x3 are searched with the method two-phase for a fixed number of nodes each.
Then its two phases, and the phase of the method optimal, are searched separately, a node at a time;
`two-phase` itself lists the children of several nodes together. Finally, the script measures the
time of first answers of at most 21 moves, and the shares of the engine and of the Python code.

The number of nodes is the number of generated successors, before any test. With the same profile
it is the same on every machine, and only the times differ.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import thread_time
from typing import Any, NamedTuple
from unittest import mock

from shared import random_states, ready, scrambled_states

import puzzlekit
from puzzlekit.engine import fill
from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import EXHAUSTED
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit_twophase.engine.improve import ImproveSearch

TWO_PHASE, OPTIMAL = "two-phase", "optimal"
IN_SUBGROUP = "U U2 U' D D2 D' R2 L2 F2 B2"  # the moves of phase 2
FAR = 64  # moves; no search here gets this far


class Rate(NamedTuple):
    """Nodes and the CPU seconds that they took."""

    generated: int
    expanded: int
    seconds: float

    @property
    def each(self) -> float:
        """Nanoseconds per generated node."""
        return 1e9 * self.seconds / max(self.generated, 1)

    def __str__(self) -> str:
        million = self.seconds * 1e6
        return (
            f"{self.generated / million:7.2f} million nodes/s generated, "
            f"{self.expanded / million:6.2f} expanded, {self.each:5.1f} ns per generated node"
        )


def alone(
    phase: CompiledPhase, puzzle: puzzlekit.Puzzle, states: Sequence[bytes], nodes: int
) -> Rate:
    """Search one phase alone, for a number of nodes from each state, and ignore its answers."""
    generated = expanded = 0
    seconds = 0.0
    for state in states:
        search = Search(phase.space, exact=True)
        phase.start(search, puzzle, state, FAR)
        started = thread_time()
        while (left := nodes - search.generated_nodes) > 0:
            if search.run(left) == EXHAUSTED:
                break
        seconds += thread_time() - started
        generated += search.generated_nodes
        expanded += search.expanded_nodes
    return Rate(generated, expanded, seconds)


class Timed:
    """A search of the engine that measures the time of making its starts and of running."""

    making = running = 0.0

    def __init__(self, *arguments: Any) -> None:
        started = thread_time()
        self._search = ImproveSearch(*arguments)
        Timed.making += thread_time() - started

    def begin(self, *arguments: Any) -> None:
        """Begin another search and measure its time."""
        started = thread_time()
        self._search.begin(*arguments)
        Timed.making += thread_time() - started

    def run(self, budget: int) -> int:
        """Run the search and measure its time."""
        started = thread_time()
        status: int = self._search.run(budget)
        Timed.running += thread_time() - started
        return status

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)


def whole(solver: puzzlekit.Solver, profile: str, states: list[str], nodes: int) -> None:
    """Print the rate of the method two-phase, and those of its phases, a node at a time."""
    counts: dict[str, int] = {}
    expanded = 0
    seconds = 0.0
    for state in states:
        solution = solver.solve(state, method=TWO_PHASE, profile=profile, max_nodes=nodes)
        for report in solution.phases:
            counts[report.name] = counts.get(report.name, 0) + report.nodes
        expanded += solution.expanded
        seconds += solution.cpu_seconds
    total = Rate(sum(counts.values()), expanded, seconds)
    print(f"{TWO_PHASE:<11}{total}")

    puzzle = solver.puzzle
    held = [solver.positions.from_facelets(state) for state in states]
    near = scrambled_states(solver, len(states), 40, moves=IN_SUBGROUP)
    starts = held, [solver.positions.from_facelets(state) for state in near]
    for phase, images in zip(
        solver.prepared(TWO_PHASE, profile=profile).phases, starts, strict=True
    ):
        name = phase.phase.name
        rate = alone(phase, puzzle, images, nodes)
        print(f"  {name:<9}{rate}; {counts[name] / total.generated:.0%} of the nodes")


def first_answers(solver: puzzlekit.Solver, profile: str, states: list[str]) -> None:
    """Print the time of a first answer of at most 21 moves, in and around the engine."""
    with mock.patch("puzzlekit_twophase.strategy.ImproveSearch", Timed):
        solver = puzzlekit.Solver(solver.puzzle, solver.methods, solver.store)
        solver.solve(states[0], method=TWO_PHASE, profile=profile, max_length=22)
        reading = spent = 0.0
        Timed.making = Timed.running = 0.0
        for text in states:
            started = thread_time()
            state = solver.positions.from_facelets(text)
            reading += thread_time() - started
            started = thread_time()
            solver.solve(state, method=TWO_PHASE, profile=profile, max_length=21)
            spent += thread_time() - started
    parts = {
        "searching": Timed.running,
        "making starts": Timed.making,
        "Python": spent - Timed.running - Timed.making,
        "reading facelets": reading,
    }
    total = sum(parts.values())
    print(f"first answer of at most 21: {1000 * total / len(states):.3f} ms of CPU")
    for name, seconds in parts.items():
        print(f"  {name:<18}{1000 * seconds / len(states):.3f} ms {seconds / total:5.0%}")


def main() -> None:
    """Search and print the rates and shares."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=1_000_000, help="nodes per state")
    parser.add_argument("--profile", help="profile of two-phase (default: as solve uses)")
    parser.add_argument("--optimal", default="small", help="profile of optimal (default small)")
    options = parser.parse_args()
    solver = puzzlekit.load("cube3")
    states = random_states(solver, options.states)
    profile = ready(solver, TWO_PHASE, options.profile)
    solver.solve(states[0], profile=profile, max_length=22)  # loads the tables
    print(f"engine     {'compiled' if fill.COMPILED else 'interpreted'}, profile {profile}")
    whole(solver, profile, states, options.nodes)
    wanted = ready(solver, OPTIMAL, options.optimal)
    (phase,) = solver.prepared(OPTIMAL, profile=wanted).phases
    held = [solver.positions.from_facelets(state) for state in states]
    alone(phase, solver.puzzle, held[:1], options.nodes)
    print(f"{OPTIMAL:<11}{alone(phase, solver.puzzle, held, options.nodes)}; profile {wanted}")
    first_answers(solver, profile, states)


if __name__ == "__main__":
    main()
