"""Search a state and its inverse in one tree, with a table of cosets."""

from __future__ import annotations

import contextlib
import mmap
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from puzzlekit import Limits, Move, Puzzle
from puzzlekit.engine.automaton import Automaton
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan, ResolvedPhase
from puzzlekit.search.strategies.bounds import BoundTask, BoundWork
from puzzlekit.search.strategies.candidate import merge
from puzzlekit.search.strategies.tree_search import Root, Tree, TreeSearch
from puzzlekit_cubes.based import Based
from puzzlekit_cubes.engine.cosets import Cosets
from puzzlekit_cubes.engine.two_sided import PiecePairs, TwoSided
from puzzlekit_universal.shifted_words import in_order, is_central, shifted_roots, unlike_words

# Number of moves after which the tree is split into subtrees, and least nodes for which that pays.
_SPLIT = ((4, 1_000_000_000), (3, 10_000_000), (2, 1_000_000))
_SPLIT_OF_HELPERS = 3  # most moves if other processes search the subtrees
_COPIED = 1 << 25  # bytes of a table that are copied at once, a multiple of the size of pages
_COUNTED = 5  # first moves for which nodes are counted: one more than the subtrees have

#: A state in the form of the engine: the codes of the pairs of pieces in both orbits, and the marks
#: (see `TwoSided.start`).
Held = tuple[list[int], list[int], tuple[int, int, int, int, int]]

#: A sequence of moves in a normal form: see `TwoSidedSearch._key`.
Key = tuple[int, ...]


def resident(data: memoryview) -> memoryview:
    """Return a copy of a mapped table in memory, for searches that read random entries.

    The copy begins at a page boundary. On Linux the function asks for memory pages of 2 MB. A
    mapped file has pages of 4 KB. Most of the time of a look-up would then go into finding the
    page. Pages of the file that are copied are released, so that the table is in memory once.
    """
    if sys.platform == "win32":
        memory = mmap.mmap(-1, data.nbytes)
    else:
        memory = mmap.mmap(-1, data.nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # the kernel has no large pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    view = memoryview(memory)
    flat = data.cast("B")
    for at in range(0, len(flat), _COPIED):
        view[at : at + _COPIED] = flat[at : at + _COPIED]
        if isinstance(flat.obj, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            flat.obj.madvise(mmap.MADV_DONTNEED, 0, at + mmap.PAGESIZE)  # the header comes first
    return view


class CosetTables:
    """The numbering of cosets and their table. The searches of all states share them."""

    def __init__(self, plan: Plan, needs: ResolvedPhase, phase: CompiledPhase) -> None:
        (table,) = needs.tables
        assert isinstance(table.kind, Based)
        self.table = table.get(plan.store)
        self.needs = table.kind.needs(table.graph)
        self._base = table.kind.base[table.graph.metric]
        self._entries = resident(self.table.data)
        self._cosets = Cosets(self.needs.engine_input(plan.store))
        self._pieces = self.pieces(phase.automaton)

    def held(self, state: bytes) -> Held:
        """Return a state in the form of the engine."""
        return (*self.needs.pieces(state), self.needs.marks(state))

    def pieces(self, automaton: Automaton) -> PiecePairs:
        """Return the tables of the pieces for searches with an automaton."""
        return PiecePairs(self._cosets, automaton, self.needs.piece_input())

    def search(self, pieces: PiecePairs | None = None) -> TwoSided:
        """Return a new search of the engine; by default with the automaton of the phase."""
        solved = self.held(self.needs.puzzle.solved)
        return TwoSided(pieces or self._pieces, self._entries, self._base, solved)


class _TwoSidedRoot(NamedTuple):
    """A root: the moves that lead to it, the automaton's states, and the start."""

    path: tuple[int, ...]
    automaton: tuple[int, int]  # on the side of the state, and on the side of its inverse
    start: Held


class TwoSidedSearch(TreeSearch):
    """Searches a tree in which each move is applied to the state or to its inverse."""

    alike = _COUNTED

    def __init__(
        self, tables: CosetTables, puzzle: Puzzle, phase: CompiledPhase, starts: Sequence[bytes]
    ) -> None:
        super().__init__(puzzle, phase, starts)
        self._tables = tables
        self._inverse = [phase.moves.index(puzzle.inverse(move)) for move in phase.moves]
        self._pieces: PiecePairs | None = None  # of the bound that is searched
        self._moves = 0  # after which the tree is split

    def estimate(self) -> int:
        """Return the least estimate of the starts.

        The estimate of a start is the larger of the bounds for the state and for its inverse.
        """
        search, held = self._tables.search(), self._tables.held
        return min(search.estimate(held(start)) for start in self._starts)

    def search(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Yield answers that cost exactly the bound, as indices of the moves of the phase.

        The method brings commuting moves into one order, so it yields no answer twice. An answer
        consists of moves applied to the state, followed by moves applied to its inverse, reversed.
        If moves at the point between them merge, the answer may cost less than the bound. The
        method skips such answers.
        """
        known: set[Key] = set()
        for path in self._split_up(task, work):
            key = self._key(path)
            if key not in known and not (task.everything and self._cost(key) < task.bound):
                known.add(key)
                yield list(self._ordered(path))
        work.further = 0  # unknown to the table

    def _ordered(self, path: Sequence[int]) -> tuple[int, ...]:
        return in_order(path, self._phase.moves, self._puzzle.commute)

    def _split_up(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Search the subtrees after some moves; of symmetric subtrees, search only one."""
        helped = self._is_helped(task)
        moves = next((n for n, least in _SPLIT if task.likely >= least and task.bound > n), 0)
        # After a bound that symmetries made cheap, too few nodes are expected.
        moves = self._moves = max(moves, self._moves)
        if helped:
            moves = min(moves, _SPLIT_OF_HELPERS)
        last, self.took = self.took, {}
        whole = task.everything or helped
        if moves and not whole and self._shifted is not None:
            self._pieces, roots = self._shifted
            return self.share(task, work, roots, nodes_of(roots, last))
        self._pieces = None
        roots = self._subtrees(moves)
        # The subtree with most nodes in the last bound comes first: it most likely has an answer.
        nodes = nodes_of(roots, last)
        roots = sorted(roots, key=lambda root: -nodes[root.path])
        if moves and len(self._symmetries) > 1 and not task.everything:
            roots = self._unlike(roots)
        return self.share(task, work, roots, nodes)

    @cached_property
    def _shifted(self) -> tuple[PiecePairs, list[Root]] | None:
        """The subtrees for a state that commutes with every move and is its own inverse."""
        puzzle, phase = self._puzzle, self._phase
        (state, *more) = self._starts
        if more or not is_central(puzzle, state, phase.moves):
            return None
        given = phase.automaton, phase.order.pairs, self._symmetries, self._inverse, self._ordered
        found = shifted_roots(*given)
        if found is None:
            return None
        automaton, roots = found
        return self._tables.pieces(automaton), [
            _TwoSidedRoot(
                root.path,
                (root.before, root.behind),
                self._tables.held(state),
            )
            for root in roots
        ]

    def _unlike(self, roots: list[Root]) -> list[Root]:
        """Return the subtrees to search of those that symmetries of the state map to each other."""
        paths = [root.path for root in roots]
        chosen = unlike_words(paths, self._phase.order.pairs, self._symmetries, self._key)
        return [root for root in roots if root.path in chosen]

    @cached_property
    def _symmetries(self) -> Sequence[Sequence[int]]:
        """The symmetries that map the state to itself; the first one is the identity."""
        if len(self._starts) > 1:
            return [range(len(self._phase.moves))]
        return self._tables.needs.symmetries_of(self._starts[0])

    def _key(self, path: Sequence[int]) -> Key:
        """Return the same sequence for paths that differ only in the order of commuting moves.

        Moves of one family are merged, as in U U and U' U'. The result has indices of all moves of
        the puzzle.
        """
        every, numbers = self._every
        merged: Sequence[Move] = [self._phase.moves[number] for number in path]
        if len({move.family for move in merged}) < len(merged):
            (merged,) = merge(self._puzzle, [merged])
        return in_order([numbers[move] for move in merged], every, self._puzzle.commute)

    def _cost(self, key: Key) -> int:
        every, _ = self._every
        return self._phase.resolved.metric.total(every[number] for number in key)

    @cached_property
    def _every(self) -> tuple[Sequence[Move], dict[Move, int]]:
        """All moves of the puzzle, and their indices."""
        every = self._puzzle.family_moves(self._puzzle.families)
        return every, {move: number for number, move in enumerate(every)}

    def _subtrees(self, moves: int) -> list[Root]:
        """Return the roots after `moves` moves. The engine applies these moves to the start."""
        if moves not in self._cut:
            automaton, place = self._phase.automaton, self._puzzle.place_of_guard
            found: list[tuple[Key, int, Held]]
            found = [((), place(start), self._tables.held(start)) for start in self._starts]
            for _ in range(moves):
                found = [
                    ((*path, move), after, start)
                    for path, state, start in found
                    for move, after in automaton[state]
                ]
            self._cut[moves] = [
                _TwoSidedRoot(path, (state, 0), start) for path, state, start in found
            ]
        return self._cut[moves]

    def tree(self, task: BoundTask, limits: Limits) -> Tree:
        """Make the search of the subtrees for one thread."""
        return _TwoSidedTree(self._tables.search(self._pieces), task, limits, self._inverse)


class _TwoSidedTree(Tree):
    """Searches subtrees from both sides."""

    search: TwoSided

    def __init__(
        self,
        search: TwoSided,
        task: BoundTask,
        limits: Limits,
        inverse: Sequence[int],
    ) -> None:
        super().__init__(task, limits)
        self.search = search
        self._inverse = inverse

    def start(self, root: _TwoSidedRoot) -> bool:
        """Start on a subtree."""
        length = self.bound - len(root.path)
        self.search.start(root.start, root.automaton, length, root.path)
        return True

    def counts(self, root: _TwoSidedRoot, nodes: int) -> Iterable[tuple[Key, int]]:
        """Yield the nodes that the subtrees after one more move took."""
        for move, taken in enumerate(self.search.parts):
            if taken:
                yield (*root.path, move), taken

    @property
    def path(self) -> list[int]:
        """The moves of the answer: moves of the state, then inverted moves of the inverse."""
        before, behind = self.search.answer
        return [*before, *(self._inverse[number] for number in behind)]


def nodes_of(roots: Sequence[Root], took: Mapping[Key, int]) -> dict[Key, float]:
    """Return the number of nodes of each subtree, by its first moves.

    `took` has the numbers of nodes of larger or smaller subtrees, which all have the same number of
    first moves. The nodes of a larger subtree are divided evenly.
    """
    size = len(next(iter(took), ()))
    length = len(roots[0].path) if roots else 0
    whole: dict[Key, int] = {}
    for key, nodes in took.items():
        whole[key[:length]] = whole.get(key[:length], 0) + nodes
    alike = Counter(root.path[:size] for root in roots)
    return {root.path: whole.get(root.path[:size], 0) / alike[root.path[:size]] for root in roots}
