"""How many nodes the engine generates a second, on one thread.

    python benchmarks/nodes.py --states 10

Each random state of the 3x3x3 is searched with the method two-phase for a fixed number of nodes.
Nodes are counted as everywhere in puzzlekit: every child of an expanded node, before any test. The
search is the same on every machine, so only the seconds differ.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import puzzlekit
from puzzlekit.engine import fill

DATA = Path(__file__).parent / "data" / "cube3_states.txt"


def main() -> None:
    """Search and print the rate."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of each state")
    options = parser.parse_args()
    solver = puzzlekit.load("cube3")
    solver.solve("R U F")  # loads or builds the tables
    nodes: dict[str, int] = {}
    expanded = 0
    seconds = 0.0
    for line in DATA.read_text().split()[: options.states]:
        solution = solver.solve(solver.from_facelets(line), max_nodes=options.nodes)
        for phase in solution.phases:
            nodes[phase.name] = nodes.get(phase.name, 0) + phase.nodes
        expanded += solution.expanded
        seconds += solution.cpu_seconds
    generated = sum(nodes.values())
    print(f"engine      {'compiled' if fill.COMPILED else 'interpreted'}")
    print(f"generated   {generated / seconds / 1e6:.2f} million nodes/s of CPU")
    print(f"expanded    {expanded / seconds / 1e6:.2f} million nodes/s of CPU")
    print(f"a node      {1e9 * seconds / generated:.0f} ns")
    for name, count in nodes.items():
        print(f"{name:<12}{count / generated:.0%} of the nodes")


if __name__ == "__main__":
    main()
