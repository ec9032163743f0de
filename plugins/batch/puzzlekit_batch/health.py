"""Check the workers of a cluster: versions, plugins, cache and speed."""

from __future__ import annotations

import contextlib
import os
import platform
import socket
import tempfile
from time import perf_counter
from typing import Any

from puzzlekit import __version__
from puzzlekit_batch.clients import Client, lost
from puzzlekit_batch.job import plugin_version

_NODES = 3_000_000  # of the search that measures the speed


def describe() -> dict[str, Any]:
    """Return the facts of this process, as `puzzlekit workers --json` prints them."""
    from puzzlekit import TableStore
    from puzzlekit.engine.compiled import missing
    from puzzlekit.plugins.manager import manager

    manager().entries()  # imports all plugins
    store = TableStore()
    try:
        os.makedirs(store.root, exist_ok=True)
        with tempfile.TemporaryFile(dir=store.root):
            writable = True
    except OSError:
        writable = False
    tables = store.entries()
    return {
        "host": socket.gethostname(),
        "puzzlekit": __version__,
        "python": platform.python_version(),
        "compiled": not missing(),
        "plugins": {each.name: plugin_version(each) for each in manager().plugins},
        "broken": [each.name for each in manager().plugins if each.problem],
        "cache": store.root,
        "writable": writable,
        "tables": len(tables),
        "bytes": sum(each.nbytes for each in tables),
        "nodes_per_second": round(nodes_per_second()),
    }


def nodes_per_second() -> float:
    """Measure the speed of this process: search a ring of ten beads, without tables on disk."""
    from puzzlekit import (
        Method,
        Metric,
        NoSolutionError,
        Orbit,
        Permutation,
        Phase,
        Puzzle,
        Sequential,
        Solver,
        TableStore,
    )
    from puzzlekit.tables.store import ScratchStore

    size = 10
    ring = bytes([*range(1, size), 0]), bytes(size)
    swap = bytes([1, 0, *range(2, size)]), bytes(size)
    names = [str(number) for number in range(size)]
    beads = Orbit("beads", "bead", " ".join(names))
    metric = Metric("TURNS", "turns", {"R": 1, "S": 1})
    puzzle = Puzzle("speed", "Ring", (beads,), {"R": ring, "S": swap}, (metric,))
    halves = (names[::2], names[1::2])
    coordinates = tuple(
        Permutation(f"half{number}", puzzle, "beads", " ".join(half))
        for number, half in enumerate(halves)
    )
    tables = tuple(each.name for each in coordinates)
    solve = Phase("solve", "every bead is at home", "R S", coordinates, tables)
    method = Method("speed", "a search of given length", (solve,), strategy=Sequential())
    solver = Solver(puzzle, [method], ScratchStore(TableStore()))
    solver.prepared()
    state = bytes(reversed(puzzle.solved))
    nodes = _NODES
    started = perf_counter()
    with contextlib.suppress(NoSolutionError):  # the usual end: the nodes are used up
        nodes = solver.solve(state, max_nodes=_NODES).nodes
    return nodes / (perf_counter() - started)


def health(client: Client) -> dict[str, dict[str, Any]]:
    """Return the facts of each worker, by its address.

    A worker that cannot answer, for example because it lacks puzzlekit, has the single fact
    "problem".
    """
    try:
        found = client.run(describe, on_error="return")
    except OSError:
        raise lost(client) from None
    return {
        worker: {"problem": f"{type(facts).__name__}: {facts}"}
        if isinstance(facts, BaseException)
        else facts
        for worker, facts in sorted(found.items())
    }
