"""The base class of coordinates for pieces that come in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.programs import pair_numbers
from puzzlekit.errors import DeclarationError


@attrs.frozen(slots=False, eq=False, repr=False)
class PairedPlaces(Coordinate):
    """The base class of coordinates for pieces that come in pairs."""

    #: The names of the places, separated by blanks. Each pair has a first and a second place, in
    #: this order.
    pairs: str = ""

    def __attrs_post_init__(self) -> None:
        if len(self._paired) % 2 or len(self._paired) < 4:
            raise DeclarationError(
                f"coordinate {self.name}: name two pairs or more, with two places each"
            )

    @cached_property
    def _paired(self) -> tuple[int, ...]:
        return self._places(self.pairs)

    @cached_property
    def _labels(self) -> tuple[int, ...]:
        return tuple(self.orbit.solved[place] for place in self._paired)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """For each label the number of its pair of pieces; -1 if the piece has no pair."""
        return tuple(pair_numbers(self._labels))

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the label bytes: all first places, then all second places."""
        return tuple(self._start + place for place in self._paired[::2] + self._paired[1::2])

    @property
    def _firsts(self) -> tuple[int, ...]:
        return self.reads[: len(self.reads) // 2]

    @property
    def _seconds(self) -> tuple[int, ...]:
        return self.reads[len(self.reads) // 2 :]

    @property
    def parameters(self) -> str:
        """Text for the labels and the places of the pairs."""
        return f"{self._labels} {self._paired}"

    def _seated(
        self, index: Any, pairs: Sequence[int], positions: Iterable[tuple[int, Any]]
    ) -> dict[int, Any]:
        """Return the labels of a state with given places of the partners.

        For each item (i, position), the first place of the pair pairs[i] holds the piece whose home
        it is. The partner of this piece is at the second place with the number `position`.
        """
        vector: dict[int, Any] = {j: index * 0 for j in self.reads}
        for i, position in positions:
            first, second = self._labels[2 * pairs[i] : 2 * pairs[i] + 2]
            vector[self._firsts[i]] = index * 0 + first
            for j, byte in enumerate(self._seconds):
                vector[byte] = vector[byte] + (position == j) * second
        return vector
