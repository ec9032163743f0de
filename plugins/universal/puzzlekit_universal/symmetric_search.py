"""Search a state that symmetries map to itself: of subtrees that they map to each other, only one.

The symmetries are the rotations and reflections of the puzzle that permute the moves of a phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property

from puzzlekit import Limits, Puzzle
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.strategies.bounds import BoundTask, BoundWork
from puzzlekit.search.strategies.tree_search import Root, Tree, TreeSearch
from puzzlekit_universal.near_search import has_one_goal
from puzzlekit_universal.shifted_words import (
    Word,
    in_order,
    is_central,
    shifted_roots,
    unlike_words,
)
from puzzlekit_universal.state_symmetries import StateSymmetries

__all__ = ["SymmetricSearch", "symmetric_search"]

_MOVES, _MANY_MOVES = 2, 3  # by which the tree is split
_MANY = 8  # symmetries after which more moves pay
_FEW = 48  # moves of a phase, beyond which they take long to compare


def symmetric_search(
    puzzle: Puzzle, phase: CompiledPhase, starts: Sequence[bytes]
) -> SymmetricSearch | None:
    """Return the search of the service "symmetric"; None for a state without symmetries.

    It also needs a goal of one state, and costs that do not depend on earlier moves.
    """
    if len(starts) > 1 or not phase.order.pairs or not has_one_goal(puzzle, phase):
        return None
    costs = phase.costs
    images = [
        image
        for image in StateSymmetries(puzzle, phase.moves).of(starts[0])
        if all(costs[at] == cost for at, cost in zip(image, costs, strict=True))
    ]
    return SymmetricSearch(puzzle, phase, starts[0], images) if len(images) > 1 else None


class SymmetricSearch(TreeSearch):
    """Searches one of the subtrees that symmetries of a state map to each other.

    - `images`: the symmetries, each as the list of the indices of the images of the moves.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        phase: CompiledPhase,
        state: bytes,
        images: Sequence[Sequence[int]],
    ) -> None:
        super().__init__(puzzle, phase, [state])
        self._images = images
        self._inner: TreeSearch | None = None  # which searches with another automaton

    def search(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Yield an answer that costs exactly the bound, as indices of the moves of the phase."""
        last, self.took = self.took, {}
        if task.bound <= _MANY_MOVES * self._dearest:
            roots = self._subtrees(0)
        elif self._shifted is not None:
            self._inner, roots = self._shifted
        else:
            roots = self._unlike
        return self.share(task, work, roots, last)

    def tree(self, task: BoundTask, limits: Limits) -> Tree:
        """Make the search of the subtrees for one thread."""
        return super().tree(task, limits) if self._inner is None else self._inner.tree(task, limits)

    @cached_property
    def _unlike(self) -> list[Root]:
        """The subtrees after some moves, without those that are like another one."""
        phase = self._phase
        many = len(self._images) >= _MANY and len(phase.moves) <= _FEW
        words: dict[Word, tuple[int, int]] = {(): (0, 0)}
        for _ in range(_MANY_MOVES if many else _MOVES):
            words = {
                (*word, move): (spent + phase.costs[move], after)
                for word, (spent, state) in words.items()
                for move, after in phase.automaton[state]
            }
        chosen = unlike_words([*words], phase.order.pairs, self._images, self._ordered)
        return [self._root(word, *words[word]) for word in words if word in chosen]

    @cached_property
    def _shifted(self) -> tuple[TreeSearch, list[Root]] | None:
        """The subtrees for a state that commutes with every move and is its own inverse."""
        puzzle, phase = self._puzzle, self._phase
        if phase.state_estimates is not None or not is_central(puzzle, self._state, phase.moves):
            return None
        given = phase.automaton, phase.order.pairs, self._images, self._inverse, self._ordered
        found = shifted_roots(*given)
        if found is None:
            return None
        automaton, roots = found
        after = copy(phase)
        after.automaton, after.space = automaton, phase.space_after(automaton)
        inner = TreeSearch(puzzle, after, self._starts)
        spent = (sum(phase.costs[move] for move in root.path) for root in roots)
        return inner, [
            self._root(root.path, cost, root.before)
            for root, cost in zip(roots, spent, strict=True)
        ]

    @property
    def _inverse(self) -> list[int] | None:
        """The index of the inverse of each move; None if one is not allowed or costs otherwise."""
        priced = [*zip(self._phase.moves, self._phase.costs, strict=True)]
        undone = [(self._puzzle.inverse(move), cost) for move, cost in priced]
        return [priced.index(each) for each in undone] if {*undone} <= {*priced} else None

    @property
    def _state(self) -> bytes:
        return self._starts[0]

    def _root(self, word: Word, spent: int, automaton: int) -> Root:
        after = self._puzzle.apply(self._state, [self._phase.moves[move] for move in word])
        return self.root(word, spent, automaton, after)

    def _ordered(self, word: Word) -> Word:
        return in_order(word, self._phase.moves, self._puzzle.commute)
