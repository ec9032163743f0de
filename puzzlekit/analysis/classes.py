"""Classes of states: those that a symmetry of the puzzle carries to each other, counted once.

A symmetry is a permutation of the states of a space that keeps all distances. There are two kinds.
One permutes the moves, and the states along with them. The other is the puzzle turned as a whole,
where a method sees only one way of holding it: the state turned, and its pieces then renamed such
that what the method takes for solved is so again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from puzzlekit.analysis.space import Space
from puzzlekit.analysis.sym_space import SymSpace
from puzzlekit.analysis.turned import turned_images
from puzzlekit.puzzle.symmetry import symmetries
from puzzlekit.tables.pruning_table import UNREACHED

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit.phase.declaration import Method

    Image = npt.NDArray[np.uint32]


def class_counts(space: Space | SymSpace, method: Method) -> tuple[list[int], int]:
    """How many states are at each distance up to symmetries, and how many symmetries there are."""
    import numpy as np

    if isinstance(space, SymSpace):
        return space.class_counts(), space.symmetries
    least = np.arange(len(space.distance), dtype=np.uint32)
    group = _Group(len(space.distance))
    for image in _images(space, method):
        if group.add(image):
            while _lower(least, group.generators):
                pass
    found = np.zeros(UNREACHED, dtype=np.int64)
    for entries in space.chunks():
        first = entries[least[entries] == entries]
        found += np.bincount(space.distance[first], minlength=UNREACHED)[:UNREACHED]
    counts: list[int] = np.trim_zeros(found, "b").tolist()
    return counts, group.order


def _lower(least: Image, generators: Sequence[Image]) -> bool:
    """Take over the least entry of what a symmetry leads to or comes from; whether any fell."""
    import numpy as np

    before = int(least.sum(dtype=np.int64))
    for image in generators:
        np.minimum(least, least[image], out=least)
        back = np.empty_like(least)
        back[image] = least
        np.minimum(least, back, out=least)
    return int(least.sum(dtype=np.int64)) < before


class _Group:
    """Symmetries that are generated, told apart by what they do to some entries."""

    def __init__(self, size: int) -> None:
        import numpy as np

        self.generators: list[Image] = []
        # Two symmetries that agree on so many entries, drawn at random, agree on all.
        some = np.random.default_rng(1).integers(0, size, 64)
        self._some = np.unique(some).astype(np.uint32)
        self._elements = {self._some.tobytes()}

    @property
    def order(self) -> int:
        """How many symmetries there are."""
        return len(self._elements)

    def add(self, image: Image) -> bool:
        """Take one more generator; whether it is new."""
        import numpy as np

        if image[self._some].tobytes() in self._elements:
            return False
        self.generators.append(image)
        fresh = list(self._elements)
        while fresh:
            element = np.frombuffer(fresh.pop(), dtype=np.uint32)
            for generator in self.generators:
                made = generator[element].tobytes()
                if made not in self._elements:
                    self._elements.add(made)
                    fresh.append(made)
        return True


def _images(space: Space, method: Method) -> Iterator[Image]:
    """Where symmetries carry each entry; entries that are no states are carried nowhere."""
    costs = [*space.costs, *[0] * (len(space.known) - len(space.moves))]
    for permutation in symmetries(space.puzzle, space.known)[1:]:
        if all(costs[m] == costs[image] for m, image in enumerate(permutation)):
            image = _carried(space, permutation)
            if image is not None:
                yield image
    yield from turned_images(space, method)


def _carried(space: Space, permutation: Sequence[int]) -> Image | None:
    """Where a permutation of the known moves carries each entry, the solved one to itself.

    None where it is no symmetry of the space.
    """
    import numpy as np

    image = np.arange(len(space.distance), dtype=np.uint32)
    home = space.home
    assert home is not None
    for level in range(1, int(home[home < UNREACHED].max()) + 1):
        here = np.flatnonzero(home == level)
        for move, cost in enumerate(space.home_costs):
            near = space.after(here, move)
            found = home[near] == level - cost
            carried = image[near[found]].astype(np.int64)
            image[here[found]] = space.before(carried, permutation[move])
            here = here[~found]
    for entries in space.chunks():
        carried = image[entries].astype(np.int64)
        if (space.distance[carried] != space.distance[entries]).any():
            return None
        for move, moved in enumerate(permutation):
            after = space.after(entries, move)
            if (image[after] != space.after(carried, moved)).any():
                return None
    return image
