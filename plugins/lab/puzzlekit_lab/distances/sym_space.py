"""The space of a phase with a sym coordinate. Only one value of each class is stored.

The space of H. Kociemba's phase 1 has 2,217,093,120 states, but only 140,908,410 entries with
classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from puzzlekit import Move, TableStore
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.tables.classes import MOST_PARTNER_VALUES, Classes, SymNeeds
from puzzlekit.tables.move_table import is_tabulated
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_lab.distances.graph import TooManyStates
from puzzlekit_lab.distances.state_space import histogram, listed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_CHUNK = 1 << 22  # entries processed at once


class SymSpace:
    """The states of a phase with one sym coordinate and one or two other coordinates, its partners.

    An entry is a class of the sym coordinate, together with one value of each partner. It has the
    same distance as all states that symmetries map to it. Their number is the number of values in
    the class.
    """

    def __init__(self, store: TableStore, needs: ResolvedPhase, memory: int) -> None:
        import numpy as np

        from puzzlekit.engine.fill import COMPILED
        from puzzlekit.tables.sym_distances import SymDistances

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
        self._keepers = np.frombuffer(bytes(self._classes.keepers), dtype="<u8")
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
        import numpy as np

        step = max(1, _CHUNK // self._nearest.shape[1])
        for start in range(0, len(self._nearest), step):
            rows = np.arange(start, min(start + step, len(self._nearest)))
            yield slice(start, start + step), *np.divmod(rows, self._width)

    def counts(self) -> list[int]:
        """Return the number of states at each distance."""
        import numpy as np

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
        import numpy as np

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
        import numpy as np

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
