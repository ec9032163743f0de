"""Two rings, solved with tables of three kinds: two with a layout of their own, and a plain one."""

import puzzlekit as pk
import puzzlekit_rows.engine  # noqa: F401 (so that the plugin is refused where it cannot run)

puzzlekit_api = 2


def puzzle():
    beads = pk.Orbit("beads", "bead", "A B C D E F G")
    turns = {
        "L": (bytes([1, 2, 3, 0, 4, 5, 6]), bytes(7)),
        "R": (bytes([0, 1, 2, 4, 5, 6, 3]), bytes(7)),
    }
    metric = pk.Metric("TURNS", "turns of a ring by any angle", {"L": 1, "R": 1})
    return pk.Puzzle("rings", "Two rings", (beads,), turns, (metric,))


def methods(rings):
    from puzzlekit_rows.table import CompiledRows, Rows

    middle = pk.Permutation("middle", rings, "beads", "C D E")
    outer = pk.Permutation("outer", rings, "beads", "A B F G")
    tables = {
        "compiled": CompiledRows("middle outer"),
        "interpreted": Rows("middle outer"),
        "plain": pk.Plain("middle outer"),
    }
    parts = middle, outer
    phases = {
        name: pk.Phase("solve", "every bead at home", "L R", parts, (table,))
        for name, table in tables.items()
    }
    return [
        pk.Method(name, f"shortest answers, with a {name} table", (phase,))
        for name, phase in phases.items()
    ]


@pk.hookimpl
def puzzlekit_puzzles():
    yield pk.PuzzleEntry("rings", "Two rings", puzzle, methods)
