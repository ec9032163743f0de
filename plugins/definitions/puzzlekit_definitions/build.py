"""Build a puzzle from a definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import attrs

from puzzlekit import DefinitionError, Effect, Forbidden, Metric, Puzzle, state_modulus
from puzzlekit_definitions.definition import Definition, Pattern
from puzzlekit_definitions.invariants import Invariants
from puzzlekit_definitions.moves import families_of, is_rotation, with_derived
from puzzlekit_definitions.orbits import DefinedOrbit, defined_orbits, pieces_from, state_of


@attrs.frozen(slots=False, eq=False)
class Built:
    """A puzzle and the definition that it was built from.

    `notes` are sentences that say which moves were omitted or became second names of other moves.
    """

    definition: Definition
    puzzle: Puzzle
    parts: tuple[DefinedOrbit, ...]
    invariants: Invariants
    notes: tuple[str, ...]

    @cached_property
    def moving(self) -> tuple[DefinedOrbit, ...]:
        """The parts of the puzzle that some move changes: those with an orbit."""
        return tuple(part for part in self.parts if part.orbit is not None)

    def pack(self, patterns: Mapping[str, Pattern]) -> bytes:
        """Return the bytes of a state that is given as the patterns of a definition.

        Raise a StateError if the state is impossible.
        """
        homes, turns = state_of(self.parts, patterns)
        return b"".join(
            part.pack(at, turned)
            for part, at, turned in zip(self.parts, homes, turns, strict=True)
            if part.orbit is not None
        )

    def unpack(self, state: bytes) -> list[tuple[list[int], list[int]]]:
        """Return the homes and orientations of the pieces of each orbit."""
        found = []
        for part in self.moving:
            assert part.orbit is not None
            start = self.puzzle.offsets[part.orbit.name]
            found.append(part.unpack(state[start : start + part.orbit.width]))
        return found

    def patterns(self, state: bytes) -> dict[str, tuple[list[int], list[int]]]:
        """Return a state as the patterns of the definition, one for each set."""
        known = dict(zip(self.moving, self.unpack(state), strict=True))
        found = {of.name: ([0] * of.size, [0] * of.size) for of in self.definition.sets}
        for part in self.parts:
            still = [part.home(piece) for piece in part.pieces], [0] * len(part.places)
            pieces, turns = part.write(*known.get(part, still))
            for place, piece, turn in zip(part.places, pieces, turns, strict=True):
                found[part.of.name][0][place] = piece
                found[part.of.name][1][place] = turn
        return found


def build(definition: Definition) -> Built:
    """Build the puzzle of a definition. Raise a DefinitionError if the definition is wrong."""
    moves = with_derived(definition)
    names = [each.name for each in definition.moves] + [each.name for each in definition.derived]
    rotations = [
        f"{name} is left out: by its name, it turns the whole puzzle"
        for name in filter(is_rotation, names)
    ]
    if not moves:
        raise DefinitionError("; ".join(["there is no move", *rotations[:1]]), definition.source)
    parts = defined_orbits(definition, moves)
    orbits = tuple(part.orbit for part in parts if part.orbit is not None)
    families = families_of(definition, moves, parts, state_modulus(orbits))
    weights = dict.fromkeys(families.turns, 1)
    moving = tuple(part for part in parts if part.orbit is not None)
    invariants = Invariants(
        moving, tuple(_changes(moving, each) for each in families.turns.values())
    )
    metrics = (
        Metric("moves", "moves, of whatever amount", weights),
        Metric("turns", "moves, each counted as often as it is done", weights, per_turn=True),
    )
    puzzle = Puzzle(
        name=definition.name,
        title=definition.name,
        orbits=orbits,
        turns=families.turns,
        metrics=metrics[::-1] if definition.by_turns else metrics,
        aliases=families.aliases,
        constraints=(*invariants.constraints, *_forbidden(definition, moving)),
    )
    if wrong := puzzle.misplaced(puzzle.solved):
        raise DefinitionError(f"the solved state is illegal: {wrong[0]}", definition.source)
    return Built(definition, puzzle, tuple(parts), invariants, (*rotations, *families.notes))


def _forbidden(definition: Definition, parts: Sequence[DefinedOrbit]) -> Iterator[Forbidden]:
    """Yield where pieces must not be. Commands about pieces that never get there are ignored."""
    for illegal in definition.illegal:
        for part in parts:
            if (
                part.orbit is None
                or part.of.name != illegal.set
                or illegal.place not in part.places
                or illegal.piece not in part.pieces
            ):
                continue
            place = part.place(part.places.index(illegal.place))
            piece = part.place(part.home(illegal.piece))
            if not part.stickers:
                yield Forbidden(part.orbit.name, place, piece)
            for turn in range(part.orientations if part.stickers else 0):
                yield Forbidden(part.orbit.name, f"{place}/0", f"{piece}/{turn}")


def _changes(
    parts: tuple[DefinedOrbit, ...], effect: Effect
) -> tuple[tuple[list[int], list[int]], ...]:
    """Return for each part the origins of its pieces and the changes of their orientations."""
    gather, add = effect
    found = []
    start = 0
    for part in parts:
        assert part.orbit is not None
        n, m = len(part.places), part.orientations
        own = [byte - start for byte in gather[start : start + part.orbit.size]]
        if part.stickers:
            found.append(pieces_from(own[::m], m))
        else:
            found.append((own, list(add[start + n : start + 2 * n]) if m > 1 else [0] * n))
        start += part.orbit.width
    return tuple(found)
