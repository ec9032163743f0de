"""Explain derived methods line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from puzzlekit import Metric, Move, Puzzle
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.search.parity import cost_signs
from puzzlekit_definitions.deriving.table_layout import Layout, entries_of


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
