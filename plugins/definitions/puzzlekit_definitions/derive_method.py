"""Derive an optimal method from orbits, moves and metrics alone, and explain it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from puzzlekit import (
    DeclarationError,
    Method,
    Metric,
    Move,
    Optimal,
    Permutation,
    Phase,
    Plain,
    Puzzle,
    Sequential,
    UsageError,
)
from puzzlekit.engine.ranks import MAX_COORDINATES
from puzzlekit.engine.space import MAX_MOVES
from puzzlekit.puzzle.groups import Part, moved_parts, parts_of
from puzzlekit.puzzle.move import Effect, act, invert
from puzzlekit.search.parity import cost_signs
from puzzlekit.tables.move_table import MOST_ENTRIES
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_definitions.grouping import some_pieces
from puzzlekit_definitions.table_layout import Layout, entries_of, layout

MEMORY = 500_000_000  # bytes
_GUARDED = 4_000_000  # largest number of entries of a table if moves are not always possible
_LARGE = 1 << 31  # values of a coordinate that cannot be searched
_MOVE_TABLES = 16  # a single move table may take this fraction of the memory


def explained(
    puzzle: Puzzle,
    moves: Sequence[Move],
    parts: Sequence[Part],
    found: Layout,
    bits: int,
    metrics: Sequence[Metric],
) -> Iterator[str]:
    """Yield lines on moves, orbits, coordinates, tables, the heuristic and parities.

    Parameters
    ----------
    puzzle
        The puzzle.
    moves
        The moves of the method.
    parts
        The parts that the method covers.
    found
        The coordinates and pruning tables.
    bits
        The number of bits of an entry of a pruning table.
    metrics
        The metrics for which the explanation names parities.
    """
    yield from _of_moves(puzzle, moves)
    for part in parts:
        yield f"orbit {part.orbit.name}: {_of_part(part)}"
    kept = {(part.orbit.name, home) for part in parts for home in part.homes}
    every = [part for part in parts_of(puzzle, moves) if not part.still or part.turned]
    for orbit in puzzle.orbits:
        if all(part.orbit is not orbit for part in every):
            yield f"orbit {orbit.name}: left out, no move changes it"
    for part in every:
        if kept.isdisjoint((part.orbit.name, home) for home in part.homes):
            yield f"orbit {_names([part])}: left out, it turns together with another piece"
    for group in independent(puzzle, parts, moves):
        named = ", ".join(move.name for move in moves if _changed(puzzle, move, group))
        yield f"independent: {_names(group)}, changed by {named} only"
    for coordinate in found.coordinates:
        late = " (checked when all others are solved)" if coordinate in found.alone else ""
        yield f"coordinate {coordinate.name}: {coordinate.size:,} values{late}"
    for table in found.tables:
        entries, names = entries_of(table), " x ".join(each.name for each in table)
        size = f"{entries:,} entries of {bits} bits, {entries * bits / 8e6:,.2f} MB"
        yield f"pruning table {names}: {size}"
    if found.is_exact:
        yield "heuristic: the distance itself, since one table covers the whole puzzle"
    else:
        yield f"heuristic: the largest distance of {len(found.tables)} tables, which is admissible"
    for metric in metrics:
        signs = cost_signs(puzzle, moves, [metric.cost(move) for move in moves], found.coordinates)
        if signs is not None:
            odd = " and ".join(
                f"{'the sum of orientations' if sign.turns else 'the permutation'} of "
                f"{_names([sign.part])}"
                for sign in signs
            )
            told = f"odd exactly if {odd} {'is' if len(signs) == 1 else 'add up to an odd number'}"
            told = told if signs else "even"
            yield f"parity: every answer in {metric.name} is {told}; other bounds are skipped"


def independent(
    puzzle: Puzzle, parts: Sequence[Part], moves: Sequence[Move]
) -> list[tuple[Part, ...]]:
    """Return groups of parts, such that each move changes only one group.

    A part is a set of places that exchange pieces. The result is empty if there is only one group.
    """
    groups: list[tuple[Part, ...]] = [(part,) for part in parts]
    for move in moves:
        touched = [group for group in groups if _changed(puzzle, move, group)]
        groups = [group for group in groups if group not in touched]
        groups.append(tuple(part for group in touched for part in group))
    return groups if len(groups) > 1 else []


def _changed(puzzle: Puzzle, move: Move, parts: Sequence[Part]) -> bool:
    for part in parts:
        for home in part.homes:
            label = puzzle.offsets[part.orbit.name] + home
            turn = label + part.orbit.size
            if move.gather[label] != label or (part.turned and move.add[turn]):
                return True
    return False


def _of_moves(puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[str]:
    yield f"moves: {' '.join(move.name for move in moves)}"
    for family in puzzle.turns:
        if family in puzzle.rotations:
            yield f"{family}: left out, it turns the whole puzzle"
            continue
        left_out = [move for move in puzzle.family_moves([family]) if move not in moves]
        for move in left_out:
            same = next((each for each in moves if each.effect == move.effect), None)
            if same is not None:
                yield f"{move.name}: left out, it does the same as {same.name}"
        if any(all(each.effect != move.effect for each in moves) for move in left_out):
            yield f"{family}: only single turns, since others cost as much as one by one"


def _of_part(part: Part) -> str:
    """Return the number of places of a part, and how its pieces can move, in words."""
    alike = len(part.homes) - len({part.orbit.solved[home] for home in part.homes})
    words = [f"{len(part.homes)} places"]
    if len(part.homes) < part.orbit.size:
        words[0] += f" ({', '.join(part.names.split())}) of {part.orbit.size}"
    if part.still:
        words.append("where pieces stay")
    elif alike:
        words.append("some pieces alike")
    elif part.even:
        words.append("always permuted evenly")
    if part.turned:
        words.append(f"{part.orbit.orientations} orientations")
        words[-1] += ", whose sum never changes" if part.summed else ""
    elif part.orbit.orientations > 1:
        words.append("never turned")
    return ", ".join(words)


def _names(parts: Sequence[Part]) -> str:
    return " and ".join(
        part.orbit.name
        + (f" ({', '.join(part.names.split())})" if len(part.homes) < part.orbit.size else "")
        for part in parts
    )


@attrs.frozen(eq=False)
class Derived:
    """A method that was derived from a puzzle, and its explanation."""

    #: The puzzle.
    puzzle: Puzzle
    #: One method, named "optimal".
    methods: tuple[Method, ...]
    #: Lines of text that describe the pieces, the moves, the coordinates and the pruning tables.
    explanation: tuple[str, ...]
    #: Bytes of memory for all tables and for building the largest table.
    memory: int


def derive(puzzle: Puzzle, *, memory: int = MEMORY, metric: str | Metric | None = None) -> Derived:
    """Derive an optimal method from the orbits, moves and metrics of a puzzle.

    If one pruning table of the whole puzzle fits into memory, the method has this table, which
    stores exact distances. Otherwise the method has several tables, and each of them gives a lower
    bound. Pieces that moves exchange with each other share one table if this table fits. Otherwise
    these pieces are divided into groups, as large as possible, and each group has one table.

    Parameters
    ----------
    puzzle
        The puzzle.
    memory
        The most bytes to use, for all tables and for building the largest table.
    metric
        A metric or the name of a metric: the method is for this metric alone, and its tables must
        fit into `memory`. By default, the method is for every metric of the puzzle except machines.

    Returns
    -------
    Derived
        The method and its explanation.

    Raises
    ------
    UsageError
        If the tables do not fit into `memory`.
    DeclarationError
        If no method can be derived from the puzzle.

    Examples
    --------
    >>> import puzzlekit
    >>> derived = derive(puzzlekit.load("cube2").puzzle)
    >>> for line in derived.explanation[-3:]:
    ...     print(line)
    pruning table corners-places x corners-orientation: 88,179,840 entries of 4 bits, 44.09 MB
    heuristic: the distance itself, since one table covers the whole puzzle
    memory: 136.9 MB for tables and building them, of 500.0 MB
    """
    if isinstance(metric, str):
        metric = puzzle.metric(metric)
    counted = [metric] if metric else [each for each in puzzle.metrics if each.counts]
    if puzzle.forbidden or puzzle.blocks:
        what = "forbidden places" if puzzle.forbidden else "blocks"
        raise DeclarationError(f"{puzzle.name} has {what}, so no tables can be derived")
    if puzzle.guard is not None:
        return _guarded(puzzle, memory)
    moves = _moves(puzzle, counted)
    parts = moved_parts(puzzle, moves)
    fixed = _frame(puzzle, moves) if puzzle.rotations else {}
    # Entries of 2 bits need inverse moves, to follow paths back, and cannot have joint goals.
    turned = bool(puzzle.rotations) and not fixed
    if turned:  # a rotation may change a parity or a sum of orientations that no move changes
        parts = moved_parts(puzzle, [*moves, *map(puzzle.move, puzzle.rotations)])
    effects = {move.effect for move in moves}
    undone = all(invert(effect, puzzle.modulus) in effects for effect in effects)
    bits = 2 if undone and not turned else 4
    kind = Modulo3 if bits == 2 else Plain
    dear = [max(map(each.cost, moves)) > 1 for each in counted]
    widths = [4 if each else bits for each in dear]  # see `Modulo3.in_graph`
    found, needed = _within(puzzle, parts, moves, max(widths), memory)
    if turned and not found.is_exact:
        raise DeclarationError(
            f"{puzzle.name} needs several tables and has rotations. A method for such a puzzle can "
            "be derived only if all moves leave one piece in place: declare no rotations, and only "
            "moves that leave one piece in place"
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
        strategy=Sequential() if found.is_exact else Optimal(),
        fixed=fixed,
        metrics=(metric.name,) if metric else (),
        notes=notes,
        moves=" ".join(family for family in puzzle.turns if family not in puzzle.rotations),
    )
    return Derived(puzzle, (method,), notes, needed)


def derive_methods(puzzle: Puzzle) -> tuple[Method, ...]:
    """Return the methods that `derive` finds. A plugin can offer these methods with its puzzle."""
    return derive(puzzle).methods


def _guarded(puzzle: Puzzle, memory: int) -> Derived:
    """Derive a method with one table of all states for a puzzle with a guard.

    Building the table takes one byte for each entry and each place of the guarding piece.
    """
    parts = moved_parts(puzzle, puzzle.searched(puzzle.family_moves(puzzle.families)))
    whole = None
    if len(parts) == 1 and parts[0].orbit.distinct and not parts[0].turned:
        whole = some_pieces(Permutation, puzzle, parts[0], parts[0].homes)
    needed = 0 if whole is None else whole.size * (1 + len(parts[0].homes))
    if whole is None or needed > memory or whole.size > _GUARDED:
        raise DeclarationError(
            f"no method can be derived for {puzzle.name}, because its moves are not always "
            "possible: declare a method with additive pruning tables. For such moves, a method can "
            "be derived only if all pieces differ, no piece turns, there are at most "
            f"{_GUARDED:,} arrangements, and the table fits into the memory"
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
    """Return all moves except rotations.

    If several moves have the same effect, a later one is kept only if it is cheaper than each
    earlier one in some metric. Powers of a base move are kept only if some metric counts one of
    them as less than its turns one by one: fewer moves make smaller move tables.
    """
    families = [family for family in puzzle.turns if family not in puzzle.rotations]
    kept: dict[Effect, list[Move]] = {}
    for family in families:
        powers = puzzle.family_moves([family])
        single = [move for move in powers if move.amount in (1, move.order - 1)]
        if not any(_is_cheap(move, single, each) for move in powers for each in counted):
            powers = tuple(single)
        for move in powers:
            alike = kept.setdefault(move.effect, [])
            if all(any(each.cost(move) < each.cost(other) for each in counted) for other in alike):
                alike.append(move)
    moves = tuple(move for alike in kept.values() for move in alike)
    if not moves:
        raise DeclarationError(f"{puzzle.name} has no move that changes anything")
    if len(moves) > MAX_MOVES:
        raise DeclarationError(
            f"{puzzle.name} has {len(moves)} moves, but a method can have at most {MAX_MOVES}: "
            "declare phases with some of them, or use the method universal"
        )
    return moves


def _is_cheap(move: Move, single: Sequence[Move], metric: Metric) -> bool:
    """Whether a move costs less than the same turn made of single moves in one direction."""
    turns = [move.amount if each.amount == 1 else move.order - move.amount for each in single]
    return metric.cost(move) < min(
        count * metric.cost(each) for count, each in zip(turns, single, strict=True)
    )


def _named(puzzle: Puzzle, moves: Sequence[Move]) -> str:
    """Return the names of the moves for a phase: families if complete, otherwise single moves."""
    names: dict[str, None] = {}
    for move in moves:
        whole = set(puzzle.family_moves([move.family])) <= set(moves)
        names[move.family if whole else f"{move.family}{move.amount}"] = None
    return " ".join(names)


def _frame(puzzle: Puzzle, moves: Sequence[Move]) -> dict[str, str]:
    """Return the places that no move changes, by orbit.

    The result is empty if the pieces at these places do not show how the puzzle is held.
    """
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
    turned = [act(puzzle.solved, *held, puzzle.modulus) for held in puzzle.whole_rotations[1:]]
    known = all(any(state[j] != puzzle.solved[j] for j in shown) for state in turned)
    return found if turned and known else {}


def _within(
    puzzle: Puzzle, parts: Sequence[Part], moves: Sequence[Move], bits: int, memory: int
) -> tuple[Layout, int]:
    """Return the layout with the largest tables that fit, and the number of bytes it needs."""

    def largest(room: int) -> tuple[Layout, int] | None:
        found = _layouts(puzzle, parts, moves, bits, room)
        return next((each for each in found if each[1] <= room), None)

    if (found := largest(memory)) is not None:
        return found
    few = enough = max(memory, 1)
    while largest(enough) is None:
        few, enough = enough, 2 * enough
        if few // _MOVE_TABLES >= MOST_ENTRIES:  # more memory allows no larger coordinates
            raise DeclarationError(
                f"the pieces of {puzzle.name} need more than {MAX_COORDINATES} coordinates, or too "
                "large ones, so no method of one phase can be derived: declare a method"
            )
    enough = few
    while largest(enough) is None:
        enough += 1 + enough // 20
    raise UsageError(
        f"{memory:,} bytes are too few for the tables of {puzzle.name}: "
        f"they need at least {enough:,} bytes"
    )


def _layouts(
    puzzle: Puzzle, parts: Sequence[Part], moves: Sequence[Move], bits: int, memory: int
) -> Iterator[tuple[Layout, int]]:
    """Yield layouts from large tables to small ones, with the number of bytes each needs."""
    most = min(MOST_ENTRIES, memory // _MOVE_TABLES) // len(moves)
    entries = memory
    while entries:
        found = layout(puzzle, parts, entries, most)
        if len(found.coordinates) > 2 * MAX_COORDINATES:  # less memory needs even more
            return
        large = any(each.size >= _LARGE for each in found.coordinates)
        if found.tables and len(found.coordinates) <= MAX_COORDINATES and not large:
            yield found, _bytes(found, len(moves), bits)
        entries = entries * 4 // 5


def _bytes(found: Layout, moves: int, bits: int) -> int:
    """Return the number of bytes for all tables and for building the largest table.

    Building a table takes one byte per entry, and move tables of the inverse moves.
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
