"""A run of a comparison as it might be, from which tests make others."""

from __future__ import annotations

from puzzlekit_lab.record import Iteration, Run

RUN = Run(
    puzzle="toy",
    method="plain",
    profile="",
    metric="HTM",
    phase="solve",
    heuristic="max",
    admissible=True,
    fingerprint="0",
    seed=1,
    instance=0,
    timeout=1.0,
    max_nodes=None,
    state="00",
    outcome="solved",
    h=2,
    length=3,
    cost=3,
    moves="",
    generated=14,
    expanded=7,
    seconds=0.5,
    cpu_seconds=0.5,
    iterations=(Iteration(2, 4, 2), Iteration(3, 10, 5)),
    machine={"cores": 1},
    versions={"puzzlekit": "0"},
)
