"""Joint states of sym coordinates for a hashed pruning table, reduced by their symmetries.

A sym coordinate has the value class * 2^shift + symmetry. The symmetry maps the value to the
representative of its class. All coordinates have the same symmetries. A joint state is reduced by
the symmetry of its first value: it is applied to all values. The first value then has symmetry 0.

If a value is symmetric, several symmetries map it to the representative. So a reduced joint state
may have several forms. The build lists all of them, and the search may meet any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from puzzlekit.errors import DeclarationError
from puzzlekit.store.store import TableStore
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.joint_states import Bytes, JointBytes, Values, check_goals
from puzzlekit.tables.symmetry.classes import Classes


class JointClasses:
    """Reduced joint states of sym coordinates, in all their forms, and the moves between them."""

    def __init__(self, store: TableStore, graph: DistanceGraph) -> None:
        self._store, self._graph = store, graph
        self._bytes = JointBytes(graph.coordinates)
        self._tables = [Classes(store, sym) for sym in graph.syms if sym is not None]
        first = self._tables[0]
        if any(bytes(each.symmetries) != bytes(first.symmetries) for each in self._tables):
            raise DeclarationError(
                "the sym coordinates of a hashed pruning table must have the same symmetries"
            )
        assert graph.sym is not None
        order, self._shift = graph.sym.coordinate.symmetries, graph.sym.coordinate.shift
        self._low = np.uint32((1 << self._shift) - 1)
        self._images = np.frombuffer(first.move_images, dtype=np.uint8).reshape(order, -1)
        self._products = np.frombuffer(first.products, dtype=np.uint8).reshape(order, order)
        self._inverses = np.argmin(self._products, axis=1)  # symmetry 0 is the identity
        self._class_moves = [
            np.asarray(each.class_moves).reshape(-1, len(graph.moves)) for each in self._tables
        ]
        self._keepers = [np.asarray(each.keepers).view("<u8").ravel() for each in self._tables]

    def goals(self) -> Bytes:
        """Return all forms of the joint states at the goal."""
        lists = []
        for each, classes in zip(self._graph.coordinates, self._tables, strict=True):
            flags = np.asarray(goal_flags(self._store, each, self._graph.goal_moves))
            lists.append(np.asarray(classes.class_of)[flags > 0].tolist())
        check_goals(prod(map(len, lists)))
        return self._written(list(np.array(list(product(*lists)), dtype=np.uint32).T))

    def after(self, states: Bytes, m: int) -> Bytes:
        """Return joint states after a move, in all their forms."""
        values = []
        for number, class_moves in enumerate(self._class_moves):
            before = self._bytes.read(states, number)
            symmetry = before & self._low
            after = class_moves[before >> self._shift, self._images[symmetry, m]]
            values.append((after & ~self._low) | self._products[symmetry, after & self._low])
        return self._written(values)

    def _written(self, values: Sequence[Values]) -> Bytes:
        """Return all forms of joint states with these values of the coordinates, as bytes."""
        undo = self._inverses[values[0] & self._low]
        reduced = [self._then(undo, each) for each in values]
        for number in range(len(reduced)):
            reduced = self._forms(reduced, number)
        states = np.zeros((len(reduced[0]), self._bytes.width), dtype=np.uint8)
        for number, each in enumerate(reduced):
            self._bytes.write(states, number, each)
        return states

    def _forms(self, values: Sequence[Values], number: int) -> list[Values]:
        """Return reduced joint states in all forms that the symmetries of one value allow.

        A symmetry that keeps the class of the first value may come before all other symmetries. A
        symmetry that keeps the class of another value may follow the symmetry of this value.
        """
        keepers = self._keepers[number][values[number] >> self._shift]
        found = [values]
        for s in range(1, len(self._products)):
            kept = (keepers >> np.uint64(s)) & np.uint64(1) > 0
            rows = [each[kept] for each in values]
            if number == 0:
                rows[1:] = [self._then(s, each) for each in rows[1:]]
            else:
                after = self._products[rows[number] & self._low, s]
                rows[number] = (rows[number] & ~self._low) | after
            found.append(rows)
        return [np.concatenate(column) for column in zip(*found, strict=True)]

    def _then(self, symmetry: npt.NDArray[np.intp] | int, values: Values) -> Values:
        """Return values whose symmetries follow another symmetry."""
        after: Values = (values & ~self._low) | self._products[symmetry, values & self._low]
        return after
