"""States and classes of states: sets of states that symmetries of the puzzle map to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit import Method, Move, Puzzle, TableStore
from puzzlekit.engine.fill import COMPILED
from puzzlekit.puzzle.move import Effect, act, compose, invert
from puzzlekit.puzzle.symmetry import generators, symmetries
from puzzlekit.search.directions import Relabellings
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.tables.classes import MOST_PARTNER_VALUES, Classes, SymNeeds
from puzzlekit.tables.move_table import is_tabulated
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit.tables.sym_distances import SymDistances
from puzzlekit_lab.graph import TooManyStates
from puzzlekit_lab.state_space import StateSpace, histogram, listed

Image = npt.NDArray[np.uint32]

_CHUNK = 1 << 22  # entries processed at once

_NO_PIECE = 127  # label that coordinates write to places that they do not cover
States = dict[int, Any]  # an array of values for each byte of a state
Carry = Callable[["npt.NDArray[np.int64]"], "npt.NDArray[np.int64]"]


class SymSpace:
    """The states of a phase with one sym coordinate and one or two other coordinates, its partners.

    An entry is a class of the sym coordinate, together with one value of each partner. It has the
    same distance as all states that symmetries map to it. Their number is the number of values in
    the class.
    """

    def __init__(self, store: TableStore, needs: ResolvedPhase, memory: int) -> None:
        sym, self._partners = _split(needs)
        assert sym is not None
        first = sym.coordinate
        self.puzzle = needs.puzzle
        self.moves, self._costs = needs.moves, needs.costs
        self.values = first.size * prod(partner.size for partner in self._partners)
        entries = first.classes * prod(partner.size for partner in self._partners)
        if entries + entries // 4 > memory:
            raise TooManyStates(self.values, memory)
        self._first = first
        self._classes = Classes(store, sym)
        found = SymDistances(store, sym, self._partners, 1, None, keep=True)
        found.fill(COMPILED)
        self._nearest = found.nearest
        self._keepers = self._classes.keepers
        kept = np.array([int(bits).bit_count() for bits in self._keepers], dtype=np.int64)
        self._class_size = first.symmetries // kept
        self._images = [self._classes.carried(partner) for partner in self._partners]

    @staticmethod
    def suits(needs: ResolvedPhase, numbers: Sequence[int]) -> bool:
        """Whether this class supports a phase if only the moves with these indices are used."""
        sym, partners = _split(needs)
        return (
            sym is not None
            and len(numbers) == len(needs.moves)
            and not needs.remembers
            and not needs.goal_moves
            and not needs.goal_states
            and 1 <= len(partners) <= 2
            and set(partners) <= set(sym.partners)
            and all(len(each.goals) == 1 for each in (sym.coordinate, *partners))
            and all(
                each.size <= MOST_PARTNER_VALUES and is_tabulated(each, needs.moves)
                for each in partners
            )
        )

    @property
    def _width(self) -> int:
        """The number of rows of a class."""
        return self._partners[0].size if len(self._partners) > 1 else 1

    def _rows(self) -> Iterator[tuple[slice, npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Yield chunks of rows: a slice, and the class and first partner's value of each row."""
        step = max(1, _CHUNK // self._nearest.shape[1])
        for start in range(0, len(self._nearest), step):
            rows = np.arange(start, min(start + step, len(self._nearest)))
            yield slice(start, start + step), *np.divmod(rows, self._width)

    def counts(self) -> list[int]:
        """Return the number of states at each distance."""
        found = np.zeros(UNREACHED + 1, dtype=np.int64)
        for rows, number, _ in self._rows():
            part, sizes = self._nearest[rows], self._class_size[number]
            for size in np.unique(sizes):
                found += size * histogram(part[sizes == size])
        return listed(found)

    def class_counts(self) -> list[int]:
        """Return the number of classes of states at each distance.

        States are in the same class if symmetries map them to each other. If a symmetry fixes the
        representative of a class of the sym coordinate, it maps entries with this class to each
        other. Only the first of these entries counts.
        """
        found = np.zeros(UNREACHED + 1, dtype=np.int64)
        last = np.arange(self._nearest.shape[1])
        for rows, number, a in self._rows():
            part = self._nearest[rows]
            first = np.ones(part.shape, dtype=bool)
            for s in range(1, self._first.symmetries):
                kept = np.flatnonzero((self._keepers[number] >> np.uint64(s)) & np.uint64(1))
                earlier = (self._images[-1][s] < last)[None, :]
                if len(self._images) > 1:
                    image = self._images[0][s][a[kept]]
                    same = (image == a[kept])[:, None]
                    earlier = (image < a[kept])[:, None] | (same & earlier)
                first[kept] &= ~earlier
            found += histogram(part[first])
        return listed(found)

    @property
    def symmetries(self) -> int:
        """The number of symmetries."""
        return self._first.symmetries

    def farthest(self) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to one of the farthest states."""
        most = len(self.counts()) - 1
        for rows, _, _ in self._rows():
            far = np.argwhere(self._nearest[rows] == most)
            if len(far):
                break
        row, b = int(far[0, 0]) + rows.start, int(far[0, 1])
        number, a = divmod(row, self._width)
        # The representative of a class is the value that the identity maps to it.
        class_of = np.asarray(self._classes.class_of)
        values = [int(np.argmax(class_of == number << self._first.shift))]
        values += [a, b][-len(self._partners) :]
        done = []
        while most:
            # Prefer a costly move: in QTM, U2 rather than U twice.
            nearer = (
                (move, cost)
                for move, cost in zip(self.moves, self._costs, strict=True)
                if self._distance(self._after(values, move)) == most - cost
            )
            move, cost = max(nearer, key=itemgetter(1))
            values, most = self._after(values, move), most - cost
            done.append(move)
        return tuple(self.puzzle.inverse(move) for move in reversed(done))

    def _after(self, values: Sequence[int], move: Move) -> list[int]:
        """Return the values of the coordinates after a move."""
        return [
            int(each.rank(each.after(each.unrank(value), move)))
            for each, value in zip((self._first, *self._partners), values, strict=True)
        ]

    def _distance(self, values: Sequence[int]) -> int:
        """Return the distance of a state with these values of the coordinates."""
        row, s = divmod(int(self._classes.class_of[values[0]]), 1 << self._first.shift)
        *others, b = (
            int(images[s][value]) for images, value in zip(self._images, values[1:], strict=True)
        )
        for partner, a in zip(self._partners, others, strict=False):
            row = row * partner.size + a
        return int(self._nearest[row, b])


def _split(needs: ResolvedPhase) -> tuple[SymNeeds | None, list[Any]]:
    """Return the sym coordinate of a phase, and the list of its other coordinates.

    The result is (None, []) if the phase has several sym coordinates or none.
    """
    found = [runner.sym for runner in needs.runners if runner.sym is not None]
    if len(found) != 1:
        return None, []
    return found[0], [each.coordinate for each in needs.runners if each.sym is None]


def class_counts(space: StateSpace | SymSpace, method: Method) -> tuple[list[int], int]:
    """Return the number of classes at each distance, and the number of symmetries."""
    if isinstance(space, SymSpace):
        return space.class_counts(), space.symmetries
    least = np.arange(len(space.distance), dtype=np.uint32)
    images, order = _group(space, method)
    while _lower(least, images):
        pass
    firsts = (entries[least[entries] == entries] for entries in space.chunks())
    return listed(sum(histogram(space.distance[first]) for first in firsts)), order


def _lower(least: Image, generators: Sequence[Image]) -> bool:
    """Lower each item to the least entry that a symmetry connects to it.

    Returns whether an item changed.
    """
    before = int(least.sum(dtype=np.int64))
    for image in generators:
        np.minimum(least, least[image], out=least)
        back = np.empty_like(least)
        back[image] = least
        np.minimum(least, back, out=least)
    return int(least.sum(dtype=np.int64)) < before


def _group(space: StateSpace, method: Method) -> tuple[list[Image], int]:
    """Return generators of the symmetries, and the number of symmetries.

    A generator has the image of each entry. An entry that is not a state is its own image.
    """
    states = np.concatenate(list(space.chunks()))
    # Symmetries that agree on these random states count as the same.
    some = np.random.default_rng(1).choice(states, 64)
    images: list[Image] = []
    known = {some.tobytes()}
    for carry in (*_permuted(space), *turnings(space, method)):
        carried = carry(some)
        if carried.tobytes() in known:
            continue
        image = np.arange(len(space.distance), dtype=np.uint32)
        for entries in space.chunks():
            image[entries] = carry(entries)
        if (space.distance[image] == space.distance).all():
            images.append(image)
            _spread(known, images)
    return images, len(known)


def _spread(known: set[bytes], images: Sequence[Image]) -> None:
    """Add all images of the known samples under the symmetries to `known`."""
    fresh = list(known)
    while fresh:
        carried = np.frombuffer(fresh.pop(), dtype=np.int64)
        for image in images:
            made = image[carried].astype(np.int64).tobytes()
            if made not in known:
                known.add(made)
                fresh.append(made)


def _permuted(space: StateSpace) -> Iterator[Carry]:
    """Yield generators of the symmetries that permute the moves."""
    costs = [*space.costs, *[0] * (len(space.known) - len(space.moves))]
    listed = symmetries(space.puzzle, space.known)
    group = [listed[0]]
    generators: list[tuple[int, ...]] = []
    for permutation in listed:
        kept = all(costs[m] == costs[image] for m, image in enumerate(permutation))
        if permutation in group or not kept:
            continue
        image = _carried(space, permutation)
        if image is None:
            continue
        yield image.__getitem__
        generators.append(permutation)
        for one in group:  # the loop appends to it
            made = [tuple(other[m] for m in one) for other in generators]
            group += [each for each in dict.fromkeys(made) if each not in group]


def _carried(space: StateSpace, permutation: Sequence[int]) -> npt.NDArray[np.int64] | None:
    """Return the image of each entry under a permutation of the known moves.

    The solved entry is mapped to itself. The result is None if the permutation is not a symmetry of
    the space.
    """
    image = np.arange(len(space.distance))
    home = space.home
    for level in range(1, int(home[home < UNREACHED].max()) + 1):
        here = np.flatnonzero(home == level)
        for move, cost in enumerate(space.home_costs):
            near = space.after(space.split(here), move)
            found = home[near] == level - cost
            carried = image[near[found]]
            image[here[found]] = space.before(space.split(carried), permutation[move])
            here = here[~found]
    for entries in space.chunks():
        carried = image[entries]
        if (space.distance[carried] != space.distance[entries]).any():
            return None
        split, split_carried = space.split(entries), space.split(carried)
        for move in generators(space.known):
            after = space.after(split_carried, permutation[move])
            if (image[space.after(split, move)] != after).any():
                return None
    return image


def turnings(space: StateSpace, method: Method) -> Iterator[Carry]:
    """Yield a function for each rotation of the whole puzzle that is a symmetry of the space.

    The function maps entries that are states to entries. A rotation is a symmetry of the space
    under two conditions. The coordinates must determine the state. The image of each move under the
    rotation must have the effect of a move followed by a rotation of the whole puzzle.

    The method's fixed places may allow several ways to hold the puzzle. Then the pieces can also be
    renamed for another of these ways, which is a symmetry too.
    """
    puzzle = space.puzzle
    fixed = puzzle.bytes_at(method.fixed)
    others: tuple[Effect, ...] = ()
    if len(method.phases) == 1:
        others = Relabellings(puzzle, method.phases, method.fixed, space.moves).rotations[1:]
    if not (fixed or others) or len(space.known) > len(space.moves):
        return
    if any((_entries(space, _states(space, each)) != each).any() for each in space.chunks()):
        return
    for held in others:
        yield partial(_named, space, held)
    for name in puzzle.rotations if fixed else ():
        turn = puzzle.turns[name]
        if _keeps_moves(space, turn):
            yield partial(_turned, space, fixed, turn)


def _turned(
    space: StateSpace, fixed: list[int], turn: Effect, entries: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the images of some entries under a rotation."""
    gather, add = turn
    modulus = space.puzzle.modulus
    states = _states(space, entries)
    turned = {
        j: (states[gather[j]] + add[j]) % modulus[j] if modulus[j] else states[gather[j]]
        for j in states
    }
    return _entries(space, _renamed(space.puzzle, turned, fixed))


def _named(
    space: StateSpace, held: Effect, entries: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the images of some entries if the pieces are renamed by a rotation."""
    states = _states(space, entries)
    named = _names(space.puzzle, held)
    return _entries(space, {j: named(j, states) for j in states})


def _keeps_moves(space: StateSpace, turn: Effect) -> bool:
    """Whether each turned move equals a move of the same cost followed by a rotation."""
    puzzle = space.puzzle
    modulus = puzzle.modulus
    priced = {
        (compose(move.effect, held, modulus), cost)
        for move, cost in zip(space.moves, space.costs, strict=True)
        for held in puzzle.whole_rotations
    }
    back = invert(turn, modulus)
    return all(
        (compose(compose(back, move.effect, modulus), turn, modulus), cost) in priced
        for move, cost in zip(space.moves, space.costs, strict=True)
    )


def _states(space: StateSpace, entries: npt.NDArray[np.int64]) -> States:
    """Return the states of some entries. Pieces that never move are solved."""
    puzzle = space.puzzle
    states: States = {
        j: np.full(len(entries), value, dtype=np.int64) for j, value in enumerate(puzzle.solved)
    }
    for coordinate, ranks in zip(space.coordinates, space.ranks(entries), strict=True):
        for j, values in coordinate.unrank(ranks).items():
            told = np.asarray(values)
            states[j] = np.where(told == _NO_PIECE, states[j], told)
    return states


def _entries(space: StateSpace, states: Mapping[int, Any]) -> npt.NDArray[np.int64]:
    return space.entries_of([coordinate.rank(states) for coordinate in space.coordinates])


def _renamed(puzzle: Puzzle, states: States, fixed: list[int]) -> States:
    """Return the states after renaming their pieces so that the fixed bytes are solved."""
    done = {j: values.copy() for j, values in states.items()}
    for held in puzzle.whole_rotations[1:]:
        named = _names(puzzle, held)
        renamed = {j: named(j, states) for j in fixed}
        rows = np.logical_and.reduce([renamed[j] == puzzle.solved[j] for j in fixed])
        some = {j: values[rows] for j, values in states.items()}
        for j in states:
            done[j][rows] = named(j, some)
    return done


def _names(puzzle: Puzzle, held: Effect) -> Any:
    """Return a function that computes byte j of renamed states, as `Puzzle.relabel` does."""
    target = np.frombuffer(act(puzzle.solved, *held, puzzle.modulus), dtype=np.uint8)
    target = target.astype(np.int64)

    def name(j: int, states: States) -> Any:
        orbit, start = orbit_of[j]
        turns = orbit.size if j >= start + orbit.size else 0
        home = start + np.array([solved_at[orbit.name].get(label, 0) for label in range(128)])
        carried = target[home[states[j - turns]] + turns]
        return (states[j] + carried) % orbit.orientations if turns else carried

    orbit_of = {
        puzzle.offsets[orbit.name] + i: (orbit, puzzle.offsets[orbit.name])
        for orbit in puzzle.orbits
        for i in range(orbit.width)
    }
    solved_at = {
        orbit.name: {label: orbit.solved.index(label) for label in orbit.solved}
        for orbit in puzzle.orbits
    }
    return name
