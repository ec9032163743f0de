"""Solve some kinds of pieces together by a table of all their states.

No word may permute three pieces of a kind and keep all other kinds: the corners of a Master Skewb
are permuted evenly, and each 3-cycle of four of them turns one of the other four. If such kinds
have few states together, they are solved first.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from puzzlekit.engine.beats import beat

if TYPE_CHECKING:
    from puzzlekit_universal.piece_cycles import Kind
    from puzzlekit_universal.places import Places

_MOST_BITS = 63  # of the code of a state


def smallest_kinds(places: Places, kinds: Sequence[Kind], most: int) -> list[int]:
    """Return the numbers of the smallest kinds that have at most `most` states together."""
    few: list[int] = []
    for number in sorted(range(len(kinds)), key=lambda n: kinds[n].size * kinds[n].poses):
        own = [kinds[n] for n in (*few, number)]
        if not FewStates(own, [kind.labels(places) for kind in own]).fill(most):
            break
        few.append(number)
    return few


class FewStates:
    """All states of some kinds, by the number of moves to the solved one.

    The code of a state has a digit for the piece at each place and its pose. Alike pieces are one.
    """

    def __init__(self, kinds: Sequence[Kind], labels: Sequence[Sequence[int]]) -> None:
        self._kinds = kinds
        #: For each piece the first one with its label.
        self._alike = [np.array(list(map(own.index, own))) for own in labels]
        self._codes, self._depths = np.zeros((2, 0), np.int64)

    def fill(self, most: int) -> bool:
        """List all states; return False, without any, if there are more than `most` of them."""
        bases = [kind.size * kind.poses for kind in self._kinds for _ in range(kind.size)]
        if np.log2(bases).sum() > _MOST_BITS:
            return False
        moves = range(len(self._kinds[0].to))
        home = [bytes([*range(kind.size), *bytes(kind.size)]) for kind in self._kinds]
        fresh = self._after(home, [b""])
        levels = [self._coded(fresh)]
        while len(levels[-1]):
            beat()
            moved = [self._moved(fresh, move) for move in moves]
            states = [np.concatenate(parts) for parts in zip(*moved, strict=True)]
            codes, own = np.unique(self._coded(states), return_index=True)
            new = ~np.isin(codes, np.concatenate(levels[-2:]), assume_unique=True)
            levels.append(codes[new])
            fresh = [part[own[new]] for part in states]
            if sum(map(len, levels)) > most:
                return False
        codes = np.concatenate(levels)
        order = np.argsort(codes)
        self._codes = codes[order]
        self._depths = np.repeat(np.arange(len(levels)), list(map(len, levels)))[order]
        return True

    def __len__(self) -> int:
        """The number of states."""
        return len(self._codes)

    def solved(self, state: Sequence[bytes], words: Sequence[bytes], rng: Random) -> list[bytes]:
        """Return words that begin with some words and solve the kinds with the fewest moves more.

        `state` has the pieces and then the poses of each kind. Words after which no moves solve the
        kinds are left out. Where several moves lead on, one of them is taken by chance.
        """
        found = [bytearray(word) for word in words]
        states = self._after(state, words)
        depth = self._depth(states)
        moves = range(len(self._kinds[0].to))
        while len(left := np.flatnonzero(depth > 0)):
            beat()
            moved = [self._moved([part[left] for part in states], move) for move in moves]
            pick = np.array([[rng.random() for _ in left] for _ in moves])
            pick[np.array([self._depth(each) != depth[left] - 1 for each in moved])] = 2
            chosen = pick.argmin(axis=0)
            for move in np.unique(chosen).tolist():
                own = chosen == move
                for part, new in zip(states, moved[move], strict=True):
                    part[left[own]] = new[own]
            for number, move in zip(left.tolist(), chosen.tolist(), strict=True):
                found[number].append(move)
            depth[left] -= 1
        pairs = zip(found, depth.tolist(), strict=True)
        return [bytes(word) for word, rest in pairs if not rest]

    def _after(self, state: Sequence[bytes], words: Sequence[bytes]) -> list[Any]:
        """Return the first alike pieces and the poses of each kind, with a row for each word."""
        found = []
        for kind, alike, own in zip(self._kinds, self._alike, state, strict=False):
            at, by = np.tile(np.array(list(own)).reshape(2, 1, -1), (1, len(words), 1))
            at, by = kind.after_all(at, by, words)
            found += [alike[at], by]
        return found

    def _moved(self, states: Sequence[Any], move: int) -> list[Any]:
        """Return states after a move."""
        found = [np.empty_like(part) for part in states]
        for number, kind in enumerate(self._kinds):
            to, turn = kind.to[move], kind.turn[move]
            found[2 * number][:, to] = states[2 * number]
            found[2 * number + 1][:, to] = kind.product[turn, states[2 * number + 1]]
        return found

    def _coded(self, states: Sequence[Any]) -> Any:
        codes = np.zeros(len(states[0]), np.int64)
        for kind, at, by in zip(self._kinds, states[::2], states[1::2], strict=True):
            base = kind.size * kind.poses
            weights = base ** np.arange(kind.size)
            codes = codes * base**kind.size + (at * kind.poses + by) @ weights
        return codes

    def _depth(self, states: Sequence[Any]) -> Any:
        """Return the number of moves to the solved state, -1 for states that no moves reach."""
        codes = self._coded(states)
        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.where(self._codes[at] == codes, self._depths[at], -1)
