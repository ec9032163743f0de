"""Diagnosis: every fault of a state, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from puzzlekit.errors import DeclarationError, StateError
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.puzzle.orbit import Blocks, EvenParity, GuardParity, Law, Orbit, OrientationSum
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["NO_PIECE", "Fault", "check", "diagnose", "state_parity", "turn_in_words"]

# The label at a place whose piece is not known.
NO_PIECE = 255


class Fault(str):
    """A fault of a state in words, with the facelets that it affects.

    The words name places or stickers. `facelets` has the indices of the facelets there, in
    ascending order. It is empty if the fault is at no particular place: for example, a piece is
    missing or a parity is wrong. `facelets` is also empty if the puzzle has no layout.

    >>> fault = Fault("edge UF is flipped", [19, 7])
    >>> fault == "edge UF is flipped", fault.facelets
    (True, (7, 19))
    """

    facelets: tuple[int, ...]

    def __new__(cls, words: str, facelets: Iterable[int] = ()) -> Fault:
        """Make a fault from words and facelets."""
        fault = super().__new__(cls, words)
        fault.facelets = tuple(sorted(facelets))
        return fault

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the fault with its facelets."""
        return type(self), (str(self), self.facelets)


def fault_at(puzzle: Puzzle, orbit: Orbit, places: Iterable[int], words: str) -> Fault:
    """Return a fault with the facelets of the places with these indices in an orbit."""
    if puzzle.layout is None:
        return Fault(words)
    shown = puzzle.layout.places[orbit.name]
    return Fault(words, (facelet for place in places for facelet in shown[place]))


def diagnose(
    puzzle: Puzzle, state: bytes, unread: Collection[int] = (), unfinished: bool = False
) -> list[Fault]:
    """Return every fault of a state; an empty list if there is none.

    Missing, duplicate and unknown pieces come first. Broken constraints follow. If an orbit has
    missing, duplicate or unknown pieces, its constraints are not tested, because the result would
    mean nothing.

    `unread` lists the bytes of the state that could not be read. Their values are ignored, because
    the caller has named their faults.

    If `unfinished` is true, places with the label `NO_PIECE` are still empty. The bytes of these
    places are in `unread`. The result then has only faults that remain whatever pieces come to the
    empty places.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> edges = Orbit("edges", "edge", "UF UR UB UL", orientations=2)
    >>> even = (OrientationSum("edges"),)
    >>> ring = Puzzle("ring", "four edges", (edges,), {}, (), constraints=even)
    >>> diagnose(ring, bytes([0, 1, 2, 3, 0, 0, 1, 0]))
    ['edge UB is flipped']
    >>> diagnose(ring, bytes([0, 1, 1, 3, 0, 0, 1, 0]))
    ['edge UR is there twice: at UR and at UB', 'edge UB is missing']
    """
    if len(state) != len(puzzle.solved):
        return [Fault(f"state of {len(state)} bytes instead of {len(puzzle.solved)}")]
    faults: list[Fault] = []
    sound = set()
    placed = set()
    turned = set()
    for orbit in puzzle.orbits:
        found = _piece_faults(puzzle, orbit, state, unread, unfinished)
        if not found:
            sound.add(orbit.name)
            if not unfinished or NO_PIECE not in puzzle.labels(state, orbit):
                placed.add(orbit.name)
        found += _orientation_faults(puzzle, orbit, state)
        start = puzzle.offsets[orbit.name]
        spoilt = unread and any(start <= byte < start + orbit.width for byte in unread)
        if not (found or spoilt):
            turned.add(orbit.name)
        faults += found

    agreed: list[str] = []
    for name in puzzle.frames:
        if name in sound:
            found = _frame_faults(puzzle, puzzle.orbit(name), state, agreed)
            if found:
                sound.remove(name)
                placed.discard(name)
            elif name in placed:
                agreed.append(name)
            faults += found
    for constraint in puzzle.constraints:
        if isinstance(constraint, Blocks) and constraint.orbit in sound:
            found = _block_faults(puzzle, constraint, state)
            if found:
                placed.discard(constraint.orbit)
            faults += found
    for constraint in puzzle.constraints:
        if isinstance(constraint, OrientationSum) and constraint.orbit in turned:
            faults += _twist_faults(puzzle, puzzle.orbit(constraint.orbit), state)
        elif isinstance(constraint, EvenParity) and placed.issuperset(constraint.orbits):
            orbits = [puzzle.orbit(name) for name in constraint.orbits]
            if state_parity(puzzle, orbits, state):
                # A frame only shows how the puzzle is held. Its pieces are not exchanged.
                others = [orbit for orbit in orbits if orbit.name not in puzzle.frames]
                pieces = [f"two {orbit.piece}s" for orbit in others]
                faults.append(Fault(f"parity: {' or '.join(pieces)} are exchanged"))
        elif (
            isinstance(constraint, GuardParity)
            and constraint.orbit in placed
            and guard_parity(puzzle, constraint, state)
        ):
            orbit = puzzle.orbit(constraint.orbit)
            solved = " ".join(map(orbit.label_name, orbit.solved))
            what = (
                f"parity: two {orbit.piece}s are exchanged: no moves lead here from {solved} "
                "(solved)"
            )
            if puzzle.grid is not None and puzzle.grid.other is not None:
                name, written = puzzle.grid.other
                if guard_parity(puzzle, constraint, bytes(map(int, written.split()))):
                    what += f", but they do from {written} (solved in the puzzle {name})"
            faults.append(Fault(what))
        elif (
            isinstance(constraint, Law)
            and (constraint.orbits or not (faults or unread))
            and (placed & turned).issuperset(constraint.orbits)
        ):
            for words in constraint.faults(puzzle, state):
                faults.append(words if isinstance(words, Fault) else Fault(words))
    return faults or [Fault(words) for words in puzzle.misplaced(state)]


def check(puzzle: Puzzle, state: bytes) -> None:
    """Raise a StateError that names every fault of a state, if there are faults."""
    if puzzle.states is not None and puzzle.states.is_sound(state):
        return
    faults = diagnose(puzzle, state)
    if faults:
        raise StateError(faults)


def state_parity(puzzle: Puzzle, orbits: Collection[Orbit], state: bytes) -> int:
    """Return the parity of the pieces of these orbits together: 0 if it is even, 1 if it is odd.

    All pieces of an orbit must differ.
    """
    parity = 0
    for orbit in orbits:
        parity ^= permutation_parity(
            [orbit.solved.index(label) for label in puzzle.labels(state, orbit)]
        )
    return parity


def guard_parity(puzzle: Puzzle, constraint: GuardParity, state: bytes) -> int:
    """Return 0 if the parity of the orbit fits the place of the guarding piece, and 1 if not."""
    parity = state_parity(puzzle, [puzzle.orbit(constraint.orbit)], state)
    return parity ^ guard_parities(puzzle, constraint.orbit)[puzzle.place_of_guard(state)]


@lru_cache(maxsize=16)
def guard_parities(puzzle: Puzzle, orbit: str) -> tuple[int, ...]:
    """Return the parity of an orbit for each place of the guarding piece: 0 if even, 1 if odd.

    The place of the guarding piece, such as the blank, determines which moves are possible. The
    parity is 0 for places that this piece cannot reach. Raises a DeclarationError if both
    parities are possible for one place.
    """
    guarded = puzzle.guarded
    if guarded is None:
        raise DeclarationError(f"{puzzle.name} has no guard")
    start = puzzle.offsets[orbit]
    end = start + puzzle.orbit(orbit).size
    found = {guarded.place(puzzle.solved): 0}
    fresh = list(found)
    for place in fresh:  # grows during the loop
        for move in guarded.moves.values():
            case = move.cases[place]
            if case is None:
                continue
            odd = permutation_parity([byte - start for byte in case.gather[start:end]])
            parity = found[place] ^ odd
            if case.guard_after not in found:
                fresh.append(case.guard_after)
            if found.setdefault(case.guard_after, parity) != parity:
                raise DeclarationError(
                    f"{puzzle.name}: the place of {guarded.name} does not determine the parity of "
                    f"{orbit}"
                )
    return tuple(found.get(place, 0) for place in range(guarded.size))


def _piece_faults(
    puzzle: Puzzle, orbit: Orbit, state: bytes, unread: Collection[int], unfinished: bool
) -> list[Fault]:
    labels = puzzle.labels(state, orbit)
    if sorted(labels) == sorted(orbit.solved):
        return []
    start = puzzle.offsets[orbit.name]
    faults = [
        fault_at(
            puzzle,
            orbit,
            [i],
            f"{orbit.piece} at {place}: there is no {orbit.piece} with label {label}",
        )
        for i, (place, label) in enumerate(zip(orbit.places, labels, strict=True))
        if label not in orbit.solved and start + i not in unread
    ]
    for label in dict.fromkeys(orbit.solved):
        count = labels.count(label)
        expected = orbit.solved.count(label)
        if count == expected or (unfinished and count < expected):
            continue
        there = [i for i, found in enumerate(labels) if found == label]
        name = orbit.label_name(label)
        if expected > 1:
            pieces = orbit.piece if count == 1 else f"{orbit.piece}s"
            words = f"{count} {pieces} of {_colours(puzzle, orbit, label)} instead of {expected}"
            # If there are too many, one of them is wrong. If there are too few, another piece is.
            faults.append(fault_at(puzzle, orbit, there if count > expected else (), words))
        elif count == 0:
            faults.append(Fault(f"{orbit.piece} {name} is missing"))
        else:
            *places, last = (f"at {orbit.places[i]}" for i in there)
            times = "twice" if count == 2 else f"{count} times"
            words = f"{orbit.piece} {name} is there {times}: {', '.join(places)} and {last}"
            faults.append(fault_at(puzzle, orbit, there, words))
    return faults


def _colours(puzzle: Puzzle, orbit: Orbit, label: int) -> str:
    """Return the name of alike pieces: the faces of their colours.

    If the puzzle has no layout, it is the name of a place.
    """
    layout = puzzle.layout
    if layout is None:
        return orbit.label_name(label)
    facelets = layout.places[orbit.name][orbit.solved.index(label)]
    return "".join(layout.faces[layout.colour_of[facelet]] for facelet in facelets)


def _orientation_faults(puzzle: Puzzle, orbit: Orbit, state: bytes) -> list[Fault]:
    turns = puzzle.orientations(state, orbit)
    if max(turns) < orbit.orientations:
        return []
    piece, most = orbit.piece, orbit.orientations - 1
    return [
        fault_at(puzzle, orbit, [i], f"{piece} at {place}: orientation {turn} is not 0 to {most}")
        for i, (place, turn) in enumerate(zip(orbit.places, turns, strict=True))
        if turn > most
    ]


def _frame_faults(
    puzzle: Puzzle, orbit: Orbit, state: bytes, agreed: Collection[str]
) -> list[Fault]:
    """Return the fault of a frame if its pieces show no possible way to hold the puzzle.

    The frames in `agreed` must show the same way.
    """
    labels = puzzle.labels(state, orbit)
    if labels == bytes(orbit.solved) and not agreed:
        return []
    others = [puzzle.orbit(name) for name in agreed]
    possible = [
        held
        for held in puzzle.solved_states
        if all(puzzle.labels(held, each) == puzzle.labels(state, each) for each in others)
    ]
    shown = {puzzle.labels(held, orbit) for held in possible}
    if labels in shown or any(not _displaced(labels, each) for each in shown):
        return []
    # `whole_rotations` has a fixed order, so the words never vary. (`solved_states` has none.)
    # If all other pieces agree with one holding, use this holding. Otherwise use the holding with
    # the fewest displaced pieces in which no piece at the place of its name is displaced.
    start = puzzle.offsets[orbit.name]
    end = start + orbit.width
    held_states = [puzzle.relabel(puzzle.solved, held) for held in puzzle.whole_rotations]
    agreeing = [
        held
        for held in held_states
        if end - start < len(state) and held[:start] + held[end:] == state[:start] + state[end:]
    ] or [held for held in held_states if others and held in possible]
    if agreeing:
        expected = puzzle.labels(agreeing[0], orbit)
        displaced = _displaced(labels, expected)
    else:
        displaced = min(
            (
                found
                for found in (
                    _displaced(labels, puzzle.labels(held, orbit)) for held in held_states
                )
                if all(labels[i] != orbit.solved[i] for i in found)
            ),
            key=len,
        )
    if all(labels[i] != orbit.solved[i] for i in displaced):
        words = ", ".join(f"{orbit.label_name(labels[i])} at {orbit.places[i]}" for i in displaced)
    else:  # in this holding, even a piece at the place of its name may be displaced
        words = ", ".join(
            f"{orbit.label_name(labels[i])} where {orbit.label_name(expected[i])} belongs"
            for i in displaced
        )
    words = f"{orbit.piece}s: impossible however the puzzle is held: {words}"
    return [fault_at(puzzle, orbit, displaced, words)]


def _displaced(labels: bytes, expected: bytes) -> list[int]:
    """Return the places that have another label than expected. Unknown pieces do not count."""
    return [
        i
        for i, (label, wanted) in enumerate(zip(labels, expected, strict=True))
        if label not in (wanted, NO_PIECE)
    ]


def _block_faults(puzzle: Puzzle, constraint: Blocks, state: bytes) -> list[Fault]:
    """Return the faults for pieces that are among the pieces of another block."""
    orbit = puzzle.orbit(constraint.orbit)
    labels = puzzle.labels(state, orbit)
    blocks = constraint.places(orbit)
    members = [{orbit.solved[place] for place in block} for block in blocks]
    faults = []
    for own, block in enumerate(blocks):
        counts = [sum(labels[place] in each for place in block) for each in members]
        most = own if counts[own] == max(counts) else counts.index(max(counts))
        strays = [
            place
            for place in block
            if labels[place] not in members[most] and labels[place] != NO_PIECE
        ]
        if strays:
            names = (f"{orbit.label_name(labels[i])} at {orbit.places[i]}" for i in strays)
            words = (
                f"{orbit.piece}s {constraint.blocks[most]} must stay together, but among them "
                f"{'are' if len(strays) > 1 else 'is'} {', '.join(names)}"
            )
            faults.append(fault_at(puzzle, orbit, strays, words))
    return faults


def _twist_faults(puzzle: Puzzle, orbit: Orbit, state: bytes) -> list[Fault]:
    n = orbit.orientations
    piece = orbit.piece
    total = sum(puzzle.orientations(state, orbit)) % n
    if not total:
        return []
    verb = "is flipped" if n == 2 else f"is twisted {turn_in_words(total, n)}"
    # Look for a single twisted piece in every holding. Pieces of other orbits may be unknown, but
    # they do not matter here.
    start = puzzle.offsets[orbit.name]
    end = start + orbit.width
    own = puzzle.solved[:start] + state[start:end] + puzzle.solved[end:]
    for held in puzzle.whole_rotations:
        turns = puzzle.orientations(puzzle.relabel(own, held), orbit)
        if turns.count(0) == orbit.size - 1:
            place = next(i for i, turn in enumerate(turns) if turn)
            name = orbit.label_name(puzzle.labels(state, orbit)[place])
            where = "" if name == orbit.places[place] else f" at {orbit.places[place]}"
            return [fault_at(puzzle, orbit, [place], f"{piece} {name}{where} {verb}")]
    if n == 2:
        odd = f"an odd number of {piece}s is flipped"
        return [Fault(f"{piece} flip: {odd}: one of them {verb} wrongly")]
    amount = f"{turn_in_words(total, n)} by one third" if n == 3 else turn_in_words(total, n)
    words = f"the {piece}s are twisted {amount} in total: one of them is twisted"
    return [Fault(f"{piece} twist: {words}")]


def turn_in_words(amount: int, n: int) -> str:
    """Return the turn of a piece with `n` orientations, in words.

    >>> turn_in_words(1, 3), turn_in_words(3, 4)
    ('clockwise', 'by 3 of 4')
    """
    if n == 3:
        return ("clockwise", "counter-clockwise")[amount - 1]
    return f"by {amount} of {n}"
