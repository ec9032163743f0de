"""The phases of a beam, ready to search from many states at once, and the plan of its finish."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, cast

import attrs

from puzzlekit import Frame, Phase, Puzzle
from puzzlekit.coordinates.programs import NO_PROGRAM
from puzzlekit.engine.opcodes import PRODUCT
from puzzlekit.engine.ranks import Carry, Reading
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, act, compose, invert
from puzzlekit.puzzle.symmetry import Images, image_of, then, turned_families
from puzzlekit.search.compiled_phase import CompiledPhase, carry_bytes, labels
from puzzlekit.search.directions import Direction, are_undone
from puzzlekit.search.resolved import Plan
from puzzlekit_beam.engine.endings import Endings
from puzzlekit_beam.engine.stages import Stage
from puzzlekit_beam.engine.states import Entry, Inversion, Names, Renaming
from puzzlekit_beam.view import View

__all__ = ["MOST_KEPT", "BeamWay", "Turning"]

# Largest number of ends of a phase.
MOST_KEPT = 1 << 18


class Turning(NamedTuple):
    """A way to turn and rename a start before a phase."""

    #: The effect that is done before the start.
    before: Effect
    #: The direction in which the start is seen.
    direction: Direction


class BeamWay:
    """A phase of a beam, ready to search.

    `turnings` lists the ways to turn and rename a start before the phase. It is empty if the phase
    starts from the unchanged ends of the phase before.
    """

    def __init__(
        self, puzzle: Puzzle, phase: CompiledPhase, turnings: Sequence[Turning] = ()
    ) -> None:
        self.phase = phase
        self._whole = carry_bytes(puzzle, phase.moves, range(len(puzzle.modulus)))
        self._renaming = _renaming(puzzle, phase)
        self._endings: Endings | None = None
        self._renamed = 0  # number of renamings
        byte_at = None if phase.phase.view is None else _seen_bytes(puzzle, phase)
        reading = phase.reading
        if byte_at is not None:
            reading = Reading([byte_at[j] for j in phase.carried])
        try:
            self._entry = Entry(
                phase.space, phase.engine_ranks(byte_at), reading, self._names(puzzle)
            )
            if phase.phase.endings:
                if not are_undone(puzzle, phase.moves, phase.costs):
                    raise ValueError(
                        "its endings need an inverse move of the same cost for each move"
                    )
                undo = [phase.moves.index(puzzle.inverse(move)) for move in phase.moves]
                plies, differing = phase.phase.endings, _differing(phase)
                self._endings = Endings(phase.space, undo, plies, differing)
        except ValueError as error:
            raise DeclarationError(f"phase {phase.phase.name}, of a beam: {error}") from None
        self.turnings = turnings
        if turnings:
            backs = [each.direction.unrotation for each in turnings]
            self._labels = labels(puzzle, [each.before for each in turnings])
            self._back = Carry(backs, puzzle.modulus)
            inverted = any(each.direction.inverted for each in turnings)
            self._inversion = _inversion(puzzle) if inverted else None

    def _names(self, puzzle: Puzzle) -> Names | None:
        """Return the renamings of the phase; None if it has none."""
        declared = self.phase.phase
        if declared.renamings is None:
            return None
        effects = declared.renamings(puzzle)
        self._renamed = len(effects)
        changed = {
            j for gather, add in effects for j in range(len(gather)) if gather[j] != j or add[j]
        }
        reads = [changed & set(each.reads) for each in declared.coordinates]
        affected = [bool(own) and n in declared.read for n, own in enumerate(reads)]
        runners = self.phase.resolved.runners
        return Names(
            labels(puzzle, effects),
            len(effects),
            sorted(set().union(*reads)),
            [int(own) for own in affected],
            [(n, _single(runners[n].program)) for n, own in enumerate(affected) if own],
        )

    def stage(
        self, after: BeamWay | None, limit: int, most: int = MOST_KEPT, choosy: bool = False
    ) -> Stage:
        """Return a stage of the phase without starts; the next phase `after` rates its ends.

        The stage keeps at most `most` ends, of at most the cost `limit`. If there are more, a
        choosy stage keeps the best ones, and another stage ends.
        """
        return Stage(
            self._entry.another(),
            self._whole,
            self._renaming,
            None if after is None else after._entry.another(),
            limit,
            most,
            choosy,
            self._endings,
        )

    def enter(
        self,
        stage: Stage,
        before: Sequence[Stage],
        share: tuple[int, int] = (0, 1),
        rated: int = 1 << 30,
    ) -> None:
        """Give a stage the ends of the stages before; a tag encodes turning and stage of each.

        If the phase has renamings, it rates at most about `rated` renamed states.
        """
        states = max(1, self._renamed * max(1, len(self.turnings)) * len(before))
        most = 1 + rated // states if self._renamed else 1 << 30
        for number, each in enumerate(before):
            if not self.turnings:
                stage.add_ends(each, number, share, most=most)
            for turning, (_, direction) in enumerate(self.turnings):
                tag = turning * len(before) + number
                inversion = self._inversion if direction.inverted else None
                stage.add_ends(each, tag, share, self._labels, self._back, turning, inversion, most)


def _differing(phase: CompiledPhase) -> tuple[list[int], tuple[int, ...]] | None:
    """Return a test of an unread coordinate, with indices of carried bytes; None if it has none."""
    for number, coordinate in enumerate(phase.phase.coordinates):
        if number not in phase.phase.read and coordinate.differing is not None:
            picked, numbers = coordinate.differing
            carried = list(phase.carried)
            if set(picked) <= set(carried):
                return [carried.index(j) for j in picked], numbers
    return None


def _single(program: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the program of the only part of a product; any other program as it is."""
    program = program or NO_PROGRAM
    return program[5:] if program[:2] == (PRODUCT, 1) else program


def _inversion(puzzle: Puzzle) -> Inversion:
    return Inversion(
        [puzzle.offsets[orbit.name] for orbit in puzzle.orbits],
        [orbit.size for orbit in puzzle.orbits],
        [orbit.orientations for orbit in puzzle.orbits],
        puzzle.solved,
    )


def _seen_bytes(puzzle: Puzzle, phase: CompiledPhase) -> dict[int, int]:
    """Return the bytes of a state of `puzzle` by the bytes that the view of a phase shows."""
    declared = phase.phase
    assert declared.view is not None
    found = cast(View, declared.view).gathered(puzzle)
    carried = any(each.carried for each in declared.coordinates)
    if found is None or carried or declared.goal_turns or declared.renamings is not None:
        raise DeclarationError(
            f"phase {declared.name}: its view must show pieces with their own labels and "
            "orientations. In a beam, such a phase has no goal turns, renamings and pairings that "
            "are reduced by symmetries"
        )
    return dict(enumerate(found))


def _renaming(puzzle: Puzzle, phase: CompiledPhase) -> Renaming:
    """Return the renaming of pieces for a phase that may end in another holding."""
    # A phase with a view has no goal turns, but its identity is that of the seen puzzle.
    own = phase.phase
    turnings = own.turnings(puzzle) if own.view is None else puzzle.whole_rotations[:1]
    plain = [
        [
            _plain_goals(phase, number, act(puzzle.solved, *turned, puzzle.modulus))
            if len(turnings) > 1
            else b""
            for number in range(len(phase.phase.coordinates))
        ]
        for turned in turnings
    ]
    back = [invert(turned, puzzle.modulus) for turned in turnings]
    return Renaming(labels(puzzle, back), plain)


def _plain_goals(phase: CompiledPhase, number: int, solved: bytes) -> bytes:
    """Return for each value of a coordinate 1 if goal moves reach the value from `solved`, else 0.

    The result is empty for ranked coordinates, which need no flags.
    """
    declared = phase.phase
    size, table, _, _ = phase.coordinates[number]
    if number not in declared.read or not isinstance(table, memoryview):
        return b""
    kept = phase.resolved.goal_moves
    if not set(kept) <= set(phase.moves):
        raise DeclarationError(
            f"phase {declared.name}: in a beam, goal moves must be among the moves of the phase"
        )
    columns = [phase.moves.index(move) for move in kept]
    found = [declared.coordinates[number].rank(solved)]
    flags = bytearray(size)
    for value in found:  # the loop appends to it
        flags[value] = 1
        for column in columns:
            after = table[value * len(phase.moves) + column]
            if not flags[after]:
                flags[after] = 1
                found.append(after)
    return bytes(flags)


def held_otherwise(puzzle: Puzzle, rotations: Sequence[str]) -> list[Direction]:
    """Return a direction for each rotation of the whole puzzle, without inversion.

    `rotations` are move sequences, such as "y". Each rotation must map every move to a move.
    """
    steps = turned_families(puzzle, list(puzzle.turns))
    moves = puzzle.family_moves(puzzle.turns)
    found = []
    for name in rotations:
        images: Images = {family: (family, 1) for family in puzzle.turns}
        rotation = puzzle.whole_rotations[0]
        for turn in puzzle.moves(name):
            if turn.family not in steps:
                raise DeclarationError(
                    f"{turn.name} does not turn {puzzle.name} as a whole, or it maps some move to "
                    "a turn that is not a move"
                )
            for _ in range(turn.amount):
                images = then(images, steps[turn.family])
            rotation = compose(rotation, turn.effect, puzzle.modulus)
        back = {move: image_of(puzzle, images, move) for move in moves}
        found.append(Direction(rotation, invert(rotation, puzzle.modulus), back, False))
    return found


def finish_plan(plan: Plan, early: int) -> Plan:
    """Return the plan of the phases after the first `early` ones.

    Its puzzle is the puzzle of the view of these phases. Raises DeclarationError if this puzzle has
    no metric in which the moves cost the same as in the metric of `plan`.
    """
    outer = plan.phases[early]
    view = cast("View | None", outer.view)
    puzzle = outer.own_puzzle(plan.puzzle)
    costs = [plan.metric.cost(move) for move in outer.allowed(plan.puzzle)]
    allowed = outer.allowed(puzzle)
    counting = [each for each in puzzle.metrics if each.counts]  # machines cannot do every move
    alike = [each for each in counting if costs == [each.cost(move) for move in allowed]]
    if not alike:
        raise DeclarationError(
            f"{puzzle.name} has no metric in which the moves of phase {outer.name} cost the "
            f"same as in {plan.metric.name}"
        )
    frames = [each.orbit for each in puzzle.constraints if isinstance(each, Frame)]
    return attrs.evolve(
        plan,
        puzzle=puzzle,
        phases=tuple(_seen_nearer(phase, view) for phase in plan.phases[early:]),
        metric=alike[0],
        heuristics=plan.heuristics[early:],
        moves="",
        fixed={name: " ".join(puzzle.orbit(name).places) for name in frames},
    )


@lru_cache(maxsize=64)
def _seen_nearer(phase: Phase, view: View | None) -> Phase:
    """Return a phase as the puzzle of `view` has it. It is always the same object.

    So the phase is resolved once.
    """
    if view is None or phase.view is None:
        return phase
    own = cast(View, phase.view)
    return attrs.evolve(phase, view=None if own.puzzle is view.puzzle else own.nearer)
