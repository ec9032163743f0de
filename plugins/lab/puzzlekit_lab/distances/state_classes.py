"""Classes of states: sets of states that symmetries of the puzzle map to each other.

A symmetry is a permutation of the states of a space that preserves all distances. Two kinds are
used. A symmetry of the first kind is a permutation of the moves. It maps the state that a move
sequence reaches to the state that the permuted sequence reaches. The second kind is used for
methods with fixed places: it rotates the whole puzzle, and then renames the pieces so that the
fixed places are solved again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from puzzlekit.puzzle.symmetry import generators, symmetries
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_lab.distances.state_space import StateSpace, histogram, listed
from puzzlekit_lab.distances.sym_space import SymSpace
from puzzlekit_lab.distances.turned import Carry, turnings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit import Method

    Image = npt.NDArray[np.uint32]


def class_counts(space: StateSpace | SymSpace, method: Method) -> tuple[list[int], int]:
    """Return the number of classes at each distance, and the number of symmetries."""
    import numpy as np

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
    import numpy as np

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
    import numpy as np

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
    import numpy as np

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
    import numpy as np

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
