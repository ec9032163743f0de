"""Checks of what a puzzle declares. A message names what is wrong and where."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from numbers import Integral
from typing import Any

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.move import Effect, act, gather_of
from puzzlekit.puzzle.orbit import Bandaged, Blocks, Constraint, EvenParity, Law

__all__ = ["check_declaration"]

Puzzle = Any  # the module of the class imports this one


def check_declaration(puzzle: Puzzle) -> None:
    """Raise a DeclarationError if the fields of a puzzle do not fit together.

    Fields that are lists become tuples, and the numbers of turns become bytes.
    """
    _check_parts(puzzle)
    _check_constraints(puzzle)
    _check_blocks(puzzle)
    _check_kinds(puzzle)
    _check_families(puzzle)


def _check_parts(puzzle: Puzzle) -> None:
    """Raise a DeclarationError if a field has no tuple, or a turn does not fit the orbits.

    Lists count as tuples, and lists of numbers as bytes.
    """
    for field in ("orbits", "metrics", "rotations", "reflections", "constraints"):
        given = getattr(puzzle, field)
        if isinstance(given, list):
            object.__setattr__(puzzle, field, tuple(given))
        elif not isinstance(given, tuple):
            raise DeclarationError(
                f"{puzzle.name}: {field} have to be a tuple, not {given!r}; write (one,) for one"
            )
    turns = {family: _turn(puzzle, family, effect) for family, effect in puzzle.turns.items()}
    if any(turns[family] is not effect for family, effect in puzzle.turns.items()):
        object.__setattr__(puzzle, "turns", turns)


def _turn(puzzle: Puzzle, family: str, effect: Effect) -> Effect:
    """Return the effect of a family as bytes; raise a DeclarationError if it fits no state."""

    def wrong(what: str) -> DeclarationError:
        return DeclarationError(f"{puzzle.name}: the turn {family} {what}")

    try:
        gather, add = effect
        if isinstance(gather, list) or not isinstance(add, bytes):
            gather = gather_of(gather)
            effect = gather, bytes(add)
            add = effect[1]
    except (TypeError, ValueError):
        raise wrong(
            "has to be a pair (gather, add), each with a number from 0 to 255 for each "
            "byte of a state"
        ) from None
    width = len(puzzle.modulus)
    if len(gather) != width or len(add) != width:
        raise wrong(
            f"has {len(gather)} sources and {len(add)} changes, but a state has {width} bytes"
        )
    start = 0
    for orbit in puzzle.orbits:
        end = start + orbit.size
        sources = gather[start:end]
        if min(sources) < start or max(sources) >= end or len({*sources}) < orbit.size:
            raise wrong(f"does not permute the {orbit.name}, which are bytes {start} to {end - 1}")
        if any(add[start:end]):
            at = next(i for i in range(start, end) if add[i])
            raise wrong(
                f"adds {add[at]} to byte {at}, the label at {orbit.places[at - start]} of "
                f"{orbit.name}: only orientations can be added to"
            )
        after = start + orbit.width
        if after > end:
            if any(b - a != orbit.size for a, b in zip(sources, gather[end:after], strict=True)):
                raise wrong(f"carries orientations of {orbit.name} apart from their pieces")
            if max(add[end:after]) >= orbit.orientations:
                raise wrong(f"adds more than {orbit.orientations - 1} to an orientation")
        start = after
    return effect


def _check_constraints(puzzle: Puzzle) -> None:
    """Raise a DeclarationError if a constraint does not fit the orbits of the puzzle."""
    for part in puzzle.constraints:
        if not isinstance(part, Constraint):
            words = f"{part!r} is not a constraint; write (one,) for a single one"
            raise DeclarationError(f"{puzzle.name}: {words}")
        if isinstance(part, Bandaged):
            if not all(isinstance(block, Mapping) for block in part.blocks):
                raise DeclarationError(
                    f"{puzzle.name}: the blocks of Bandaged have to be a tuple of mappings from "
                    "names of orbits to names of pieces; write ({...},) for one"
                )
            if part.centers and len(part.centers) != len(part.blocks):
                raise DeclarationError(
                    f"{puzzle.name}: Bandaged has {len(part.blocks)} blocks and "
                    f"{len(part.centers)} centers; None stands for a block without a center"
                )
            continue  # `_check_blocks` does the rest
        for name in part.orbits if isinstance(part, EvenParity | Law) else (part.orbit,):
            orbit = puzzle.orbit(name)
        if isinstance(part, Blocks):
            blocks = part.places(orbit)
            places = sorted(place for block in blocks for place in block)
            if places != list(range(orbit.size)) or len(set(map(len, blocks))) > 1:
                raise DeclarationError(
                    f"{puzzle.name}: the blocks of {orbit.name} must have the same size, and each "
                    "place must be in exactly one block"
                )


def _check_blocks(puzzle: Puzzle) -> None:
    """Raise a DeclarationError if a piece of a block is like another piece, or in two blocks."""
    for turning in puzzle.block_turns:
        if unknown := sorted((turning or frozenset()) - {*puzzle.turns}):
            raise DeclarationError(
                f"{puzzle.name}: {unknown[0]}, which turns the center of a block, is not among the "
                "turns"
            )
    names = {start: name for name, start in puzzle.offsets.items()}
    seen = set[tuple[int, int]]()
    for block in puzzle.blocks:
        for start, _, label in block:
            orbit = puzzle.orbit(names[start])
            piece = f"{puzzle.name}: {orbit.piece} {orbit.label_name(label)} of a block"
            if orbit.solved.count(label) > 1:
                raise DeclarationError(f"{piece} must differ from all other pieces")
            if (start, label) in seen:
                raise DeclarationError(
                    f"{piece} is in it twice, or in another one: make one block of pieces that "
                    "are glued together"
                )
            seen.add((start, label))


def _check_kinds(puzzle: Puzzle) -> None:
    """Raise a DeclarationError if a puzzle has fields that exclude each other."""
    others = puzzle.turns or puzzle.rotations or puzzle.reflections
    if puzzle.guard is not None and (others or not all(each.counts for each in puzzle.metrics)):
        raise DeclarationError(
            f"{puzzle.name}: a puzzle with a guard cannot have turns, rotations, reflections or "
            "metrics of steps"
        )
    if (puzzle.forbidden or puzzle.blocks) and (puzzle.guard is not None or puzzle.rotations):
        raise DeclarationError(
            f"{puzzle.name}: a puzzle with forbidden places or blocks cannot have a guard or "
            "rotations"
        )
    if puzzle.grid is not None and (
        puzzle.layout is not None or len(puzzle.orbits) != 1 or puzzle.orbits[0].orientations > 1
    ):
        raise DeclarationError(
            f"{puzzle.name}: a puzzle with a grid needs one orbit whose pieces have one "
            "orientation, and no layout"
        )
    for orbit in puzzle.orbits if puzzle.layout is not None else ():
        if (found := len(puzzle.layout.places.get(orbit.name, ()))) != orbit.size:
            raise DeclarationError(
                f"{puzzle.name}: the layout has stickers for {found} places of the {orbit.name}, "
                f"of which there are {orbit.size}"
            )
    if puzzle.writing is not None and (puzzle.layout is not None or puzzle.grid is not None):
        raise DeclarationError(f"{puzzle.name}: a puzzle with a writing has no layout or grid")


def _check_families(puzzle: Puzzle) -> None:
    """Raise a DeclarationError if a metric or reflection leaves out a family, or names others."""
    known = puzzle.turns if puzzle.guard is None else puzzle.guard.cases
    for metric in puzzle.metrics:
        wrong = [each for each in known if not isinstance(metric.weights.get(each), Integral)]
        if metric.counts and wrong:
            whole = "whole number as the " if wrong[0] in metric.weights else ""
            words = f"has no {whole}cost for {' '.join(wrong)}"
            raise DeclarationError(f"{puzzle.name}: the metric {metric.name} {words}")
    for one, other in combinations(map(puzzle.move, puzzle.notation.grouped), 2):
        if not puzzle.commute(one, other):
            raise DeclarationError(
                f"{puzzle.name}: the families {one.family} and {other.family} do not commute, so "
                "they cannot be grouped"
            )
    if unknown := [each for each in puzzle.rotations if each not in known]:
        raise DeclarationError(f"{puzzle.name}: the rotation {unknown[0]} is not among the turns")
    for family in puzzle.rotations:
        gather, add = puzzle.turns[family]
        try:
            puzzle.relabel_to(puzzle.solved, act(puzzle.solved, gather, add, puzzle.modulus))
        except UsageError:
            raise DeclarationError(
                f"{puzzle.name}: the rotation {family} brings pieces that are alike to homes of "
                "pieces that differ, or turns them differently"
            ) from None
    for number, images in enumerate(puzzle.reflections, 1):
        named = {*images, *(image for image, _ in images.values())}
        if wrong := [*(each for each in known if each not in images), *(named - {*known})]:
            raise DeclarationError(
                f"{puzzle.name}: reflection {number} needs an image for each family of turns and "
                f"no other: {' '.join(wrong)}"
            )
