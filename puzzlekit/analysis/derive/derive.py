"""Derive an optimal method from the orbits, moves and metrics of a puzzle alone."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from puzzlekit.analysis.derive.explained import explained
from puzzlekit.analysis.derive.grouping import some_pieces
from puzzlekit.analysis.derive.table_layout import Layout, entries_of, layout
from puzzlekit.coordinate.kinds import Permutation
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_MOVES
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.method.method import Method
from puzzlekit.phase.phase import Phase
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Effect, Move, act, invert
from puzzlekit.puzzle.part import Part, moved_parts
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.strategy.first_strategy import First
from puzzlekit.strategy.prove_strategy import Prove
from puzzlekit.tables.move_table import MOST_ENTRIES
from puzzlekit.tables.pruning.modulo3 import Modulo3
from puzzlekit.tables.pruning.plain import Plain

MEMORY = 500_000_000  # bytes
_GUARDED = 4_000_000  # largest number of entries of a table if moves are not always possible
_MOVE_TABLES = 16  # a single move table may take this fraction of the memory


@attrs.frozen(eq=False)
class Derived:
    """The method derived from a puzzle, and its explanation."""

    #: The puzzle.
    puzzle: Puzzle
    #: A single method, named "optimal".
    methods: tuple[Method, ...]
    #: Lines that explain the parts of the puzzle, and the choice of coordinates and tables.
    explanation: tuple[str, ...]
    #: Largest number of bytes that the tables take, also while they are built.
    memory: int


def derive(puzzle: Puzzle, *, memory: int = MEMORY, metric: str | Metric | None = None) -> Derived:
    """Derive an optimal method from the orbits, moves and metrics of a puzzle.

    The method has one exact pruning table if it fits into `memory`. Otherwise it has several tables
    with lower bounds. Each covers all pieces that exchange places with each other, or the largest
    groups of them that fit. `memory` is the number of bytes for all tables and for building the
    largest one. It holds for `metric`, or by default for every metric that counts moves.

    Raises UsageError if there is not enough memory, and DeclarationError if no method can be
    derived from the puzzle.

    >>> import puzzlekit
    >>> derived = puzzlekit.derive(puzzlekit.load("cube2").puzzle)
    >>> for line in derived.explanation[-3:]:
    ...     print(line)
    pruning table corners-places x corners-orientation: 88,179,840 entries of 4 bits, 44.09 MB
    heuristic: the distance itself, since one table covers the whole puzzle
    memory: 136.9 MB for tables and building them, of 500.0 MB
    """
    if isinstance(metric, str):
        metric = puzzle.metric(metric)
    counted = [metric] if metric else [each for each in puzzle.metrics if each.counts]
    if puzzle.guard is not None:
        return _guarded(puzzle, memory)
    moves = _moves(puzzle, counted)
    parts = moved_parts(puzzle, moves)
    fixed = _frame(puzzle, moves) if puzzle.rotations else {}
    # Entries of 2 bits need inverse moves, to follow paths back, and cannot have joint goals.
    turned = bool(puzzle.rotations) and not fixed
    effects = {move.effect for move in moves}
    undone = all(invert(effect, puzzle.modulus) in effects for effect in effects)
    bits = 2 if undone and not turned else 4
    kind = Modulo3 if bits == 2 else Plain
    dear = [max(map(each.cost, moves)) > 1 for each in counted]
    widths = [4 if each else bits for each in dear]  # see `Modulo3.in_graph`
    found, needed = _within(puzzle, parts, moves, max(widths), memory)
    if turned and not (found.is_exact and _are_kept(puzzle, parts)):
        raise DeclarationError(
            f"{puzzle.name} has rotations, but no piece that all moves leave in place: a method of "
            "several tables cannot be derived; declare no rotations, and only turns that leave one "
            "piece in place"
        )
    phase = Phase(
        name="solve",
        goal="the puzzle is solved",
        moves=_named(puzzle, moves),
        coordinates=tuple(found.coordinates),
        tables=tuple(kind(" ".join(each.name for each in table)) for table in found.tables),
        goal_turns=" ".join(puzzle.rotations) if turned else "",
    )
    notes = (
        *explained(puzzle, moves, parts, found, widths[0], [] if turned else counted),
        f"memory: {needed / 1e6:,.1f} MB for tables and building them, of {memory / 1e6:,.1f} MB",
    )
    method = Method(
        name="optimal",
        title="shortest answers, with tables derived from the moves",
        phases=(phase,),
        strategy=First() if found.is_exact else Prove(),
        fixed=fixed,
        notes=notes,
    )
    return Derived(puzzle, (method,), notes, needed)


def derive_methods(puzzle: Puzzle) -> tuple[Method, ...]:
    """Return the methods that `derive` finds, for a plugin to offer with its puzzle."""
    return derive(puzzle).methods


def _guarded(puzzle: Puzzle, memory: int) -> Derived:
    """Derive a method with one table of all states, for moves that are not always possible.

    The table is filled over the places of the guarding piece too, with a byte per entry.
    """
    parts = moved_parts(puzzle, puzzle.searched(puzzle.family_moves(puzzle.families)))
    whole = None
    if len(parts) == 1 and parts[0].orbit.distinct and not parts[0].turned:
        whole = some_pieces(Permutation, puzzle, parts[0], parts[0].homes)
    needed = 0 if whole is None else whole.size * (1 + len(parts[0].homes))
    if whole is None or needed > memory or whole.size > _GUARDED:
        raise DeclarationError(
            f"the moves of {puzzle.name} are not always possible: declare a method with additive "
            "pruning tables. A method can be derived only if all pieces differ, never turn and "
            f"have at most {_GUARDED:,} arrangements, and if the table fits into the memory"
        )
    phase = Phase(
        name="solve",
        goal="the puzzle is solved",
        moves=" ".join(puzzle.families),
        coordinates=(whole,),
        tables=(whole.name,),
        bits=8,
    )
    notes = (
        f"moves: {' '.join(puzzle.families)}, where they are possible",
        f"coordinate {whole.name}: {whole.size:,} values",
        f"pruning table {whole.name}: {whole.size:,} entries of 8 bits, {whole.size / 1e6:,.2f} MB",
        "heuristic: the distance itself, since one table covers the whole puzzle",
        f"memory: {needed / 1e6:,.1f} MB for tables and building them, of {memory / 1e6:,.1f} MB",
    )
    method = Method(
        "optimal", "shortest answers, with one table of all states", (phase,), notes=notes
    )
    return Derived(puzzle, (method,), notes, needed)


def _moves(puzzle: Puzzle, counted: Sequence[Metric]) -> tuple[Move, ...]:
    """Return all moves but rotations, and equal moves only if cheaper in some metric."""
    families = [family for family in puzzle.turns if family not in puzzle.rotations]
    kept: dict[Effect, list[Move]] = {}
    for move in puzzle.family_moves(families):
        alike = kept.setdefault(move.effect, [])
        if all(any(each.cost(move) < each.cost(other) for each in counted) for other in alike):
            alike.append(move)
    moves = tuple(move for alike in kept.values() for move in alike)
    if not moves:
        raise DeclarationError(f"{puzzle.name} has no move that changes anything")
    if len(moves) > MAX_MOVES:
        raise DeclarationError(
            f"{puzzle.name} has {len(moves)} moves; a method can have at most {MAX_MOVES}"
        )
    return moves


def _named(puzzle: Puzzle, moves: Sequence[Move]) -> str:
    """Return the moves as a phase names them: complete families, else single moves."""
    names: dict[str, None] = {}
    for move in moves:
        whole = set(puzzle.family_moves([move.family])) <= set(moves)
        names[move.family if whole else f"{move.family}{move.amount}"] = None
    return " ".join(names)


def _frame(puzzle: Puzzle, moves: Sequence[Move]) -> dict[str, str]:
    """Return the places by orbit that no move changes, if they determine the holding; else none."""
    found: dict[str, str] = {}
    for orbit in puzzle.orbits:
        still = [
            place
            for place in orbit.places
            if all(
                move.gather[j] == j and not move.add[j]
                for j in puzzle.bytes_at({orbit.name: place})
                for move in moves
            )
        ]
        found |= {orbit.name: " ".join(still)} if still else {}
    shown = puzzle.bytes_at(found)
    turned = [act(puzzle.solved, *held, puzzle.modulus) for held in puzzle.holdings[1:]]
    known = all(any(state[j] != puzzle.solved[j] for j in shown) for state in turned)
    return found if turned and known else {}


def _are_kept(puzzle: Puzzle, parts: Sequence[Part]) -> bool:
    """Whether rotations of the whole puzzle move pieces only within their parts."""
    inside: dict[int, int] = {}
    for number, part in enumerate(parts):
        start = puzzle.offsets[part.orbit.name]
        inside |= {start + home: number for home in part.homes if not part.still}
    labels = [
        puzzle.offsets[orbit.name] + home for orbit in puzzle.orbits for home in range(orbit.size)
    ]
    effects = [puzzle.turns[family] for family in puzzle.rotations]
    return all(
        gather[j] == j or (j in inside and inside.get(gather[j]) == inside[j])
        for gather, _ in effects
        for j in labels
    )


def _within(
    puzzle: Puzzle, parts: Sequence[Part], moves: Sequence[Move], bits: int, memory: int
) -> tuple[Layout, int]:
    """Return the layout with the largest tables that fit, and its number of bytes."""
    most = min(MOST_ENTRIES, memory // _MOVE_TABLES) // len(moves)
    entries = memory
    needs = []
    while entries:
        found = layout(puzzle, parts, entries, most)
        if len(found.coordinates) > 2 * MAX_COORDINATES:  # less memory needs even more
            break
        if len(found.coordinates) <= MAX_COORDINATES:
            needs.append(_bytes(found, len(moves), bits))
            if needs[-1] <= memory:
                return found, needs[-1]
        entries = entries * 4 // 5
    if most < MOST_ENTRIES // len(moves):
        least = f": they need at least {min(needs):,} bytes" if needs else ""
        raise UsageError(f"{memory:,} bytes are too few for the tables of {puzzle.name}{least}")
    raise DeclarationError(
        f"{puzzle.name} has too many pieces for a method of one phase: they need more than "
        f"{MAX_COORDINATES} coordinates"
    )


def _bytes(found: Layout, moves: int, bits: int) -> int:
    """Return the bytes of all tables, and of building the largest one.

    Building takes a byte per entry, and tables of the inverse moves.
    """
    ranked = [each for each in found.alone if each.engine_program is not None]
    values = [each.size for each in found.coordinates if each not in ranked]
    building = [
        entries_of(table) + 4 * moves * sum(each.size for each in table) for table in found.tables
    ]
    return (
        sum(entries_of(table) * bits // 8 + 1 for table in found.tables)
        + sum(size * moves * (2 if size <= 1 << 16 else 4) for size in values)
        + max(building, default=0)
    )
