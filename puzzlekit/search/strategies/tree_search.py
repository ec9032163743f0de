"""Search one bound on the cost by moves from the state.

Several threads search the subtrees of a large bound.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol

from puzzlekit.engine.search import UNBOUNDED, Search
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import PuzzlekitError
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.services import find_service
from puzzlekit.search.budget import OUT_OF_LIMITS, Budget, thread_time
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.limits import Helpers, Limits, SubtreeReport
from puzzlekit.search.strategies.bounds import BoundSearch, BoundTask, BoundWork, Key, Shares
from puzzlekit.search.strategies.strategy import ANY_LENGTH

__all__ = ["Root", "Tree", "TreeSearch"]

_PREFIX = 2  # moves by which the tree is split for several threads
_PREFIX_OF_HELPERS = 3  # and for other processes, of which there may be many more
_HELPED_FROM = 20_000_000  # nodes of a bound that other processes search: a second or more
_SYMMETRIC_FROM = 4_000_000  # nodes of a bound for which symmetries are looked for
_ALIKE = 2  # first moves that the subtrees of a group have in common
_WAITING = 1_000  # largest number of answers of threads that wait for the caller


class Root(Protocol):
    """The root of a subtree, in the form that the `Tree` needs."""

    @property
    def path(self) -> tuple[int, ...]:
        """The moves that lead to the root."""


class Tree(ABC):
    """The search of subtrees by one thread, within one bound."""

    #: The engine's search.
    search: Any
    #: The least larger bound with nodes to search.
    further = UNBOUNDED
    #: CPU seconds of its thread; 0 in the caller's thread.
    cpu = 0.0
    #: Number of nodes generated so far, published for other threads.
    nodes = 0
    #: A function that is called between time slices of the search.
    watch: Callable[[], None] | None = None
    #: The number of nodes of each group of subtrees. A group is given by its first moves.
    took: dict[Key, int]

    def __init__(self, task: BoundTask, limits: Limits) -> None:
        self.bound = task.bound
        self.budget = Budget(limits, task.budget)
        self.status = EXHAUSTED  # the last status of the search
        self._everything = task.everything
        self.took = {}

    @property
    def is_over(self) -> bool:
        """Whether the search ended early, at a limit or with the first answer."""
        return self.status != EXHAUSTED

    @abstractmethod
    def start(self, root: Any) -> bool:
        """Start to search a subtree; return False if it has nothing to search within the bound."""

    @property
    def path(self) -> list[int]:
        """The moves of the answer, beginning at the root of the subtree."""
        return list(self.search.path)

    def answers(self, root: Any) -> Iterator[list[int]]:
        """Yield the answers within a subtree."""
        before = self.search.generated_nodes
        going = self.start(root)
        while going:
            self.status = self.budget.run(self.search, self.watch)
            if self.status != FOUND:
                break
            yield self.path
            going = self._everything and self.goes_on()
        for key, nodes in self.counts(root, self.search.generated_nodes - before):
            self.took[key] = self.took.get(key, 0) + nodes
        self.note()

    def goes_on(self) -> bool:
        """Whether there may be more answers."""
        return True

    def counts(self, root: Any, nodes: int) -> Iterable[tuple[Key, int]]:
        """Yield the first moves of groups, and the nodes that a subtree took for each group.

        `nodes` is the number of all nodes of the subtree.
        """
        yield root.path[:_ALIKE], nodes

    def look(self) -> None:
        """Publish the number of nodes for other threads."""
        self.nodes = self.search.generated_nodes

    def at(self) -> tuple[int, ...]:
        """Return the first moves from the root to the current node; empty if unknown."""
        return ()

    def note(self) -> None:  # noqa: B027 (most have nothing to do)
        """Record the results at the end of a subtree."""


class _SpaceRoot(NamedTuple):
    """A root: the moves that lead to it, their cost, the automaton's state, the engine's values."""

    path: tuple[int, ...]
    spent: int
    automaton: int
    values: list[int]
    carried: bytes


class TreeSearch(BoundSearch):
    """Searches by moves from the state, with the pruning tables of the phase."""

    #: Nodes are counted for groups of subtrees. A group has this many first moves in common.
    alike = _ALIKE
    #: Other processes that search subtrees, and the state; None for no other processes.
    helpers: tuple[Helpers, bytes] | None = None

    def __init__(self, puzzle: Puzzle, phase: CompiledPhase, starts: Sequence[bytes]) -> None:
        self._puzzle = puzzle
        self._phase = phase
        self._starts = starts
        self._cut: dict[int, list[Root]] = {}
        #: Number of nodes of subtrees within the current bound, by their first moves.
        self.took: dict[Key, int] = {}

    def estimate(self) -> int:
        """Return the least estimate of the starts."""
        return min(self._phase.estimate(self._puzzle, start) for start in self._starts)

    def search(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Yield answers that cost exactly the bound, as indices of the moves of the phase."""
        asked = task.likely >= _SYMMETRIC_FROM or "_symmetric" in self.__dict__
        whole = task.everything or self.helpers is not None
        if asked and not whole and self._symmetric is not None:
            return self._symmetric.search(task, work)
        # If moves are expensive, an answer may have fewer moves than the paths to the subtrees.
        moves = _PREFIX_OF_HELPERS if self._is_helped(task) else _PREFIX if task.threads > 1 else 0
        few = task.bound <= (moves - 1) * self._dearest
        roots = self._subtrees(0 if few else moves)
        last, self.took = self.took, {}
        return self.share(task, work, roots, last)

    @cached_property
    def _symmetric(self) -> TreeSearch | None:
        """The search of the service "symmetric"; None without it."""
        service: Symmetric | None = find_service("symmetric")
        return None if service is None else service(self._puzzle, self._phase, self._starts)

    def tree(self, task: BoundTask, limits: Limits) -> Tree:
        """Make the search of the subtrees for one thread."""
        return _SpaceTree(self._phase, task, limits)

    def share(
        self, task: BoundTask, work: BoundWork, roots: Sequence[Root], last: Mapping[Key, float]
    ) -> Iterator[list[int]]:
        """Search some subtrees, in one or several threads.

        `roots` are the roots of the subtrees. `last` has the number of nodes of each subtree at the
        previous bound. Its keys are the first moves of the subtrees.
        """
        if len(roots) > 1 and self._is_helped(task):
            return self._helped(task, work, roots, last)
        several = task.threads > 1 and len(roots) > 1
        search = self._shared if several else self._alone
        return search(task, work, roots, last)

    def _is_helped(self, task: BoundTask) -> bool:
        """Whether other processes search the bound."""
        return self.helpers is not None and task.likely >= _HELPED_FROM and not task.everything

    def _helped(
        self, task: BoundTask, work: BoundWork, roots: Sequence[Root], last: Mapping[Key, float]
    ) -> Iterator[list[int]]:
        """Let other processes search the subtrees."""
        assert self.helpers is not None
        (helpers, state), moves = self.helpers, len(roots[0].path)
        every = self._subtrees(moves)
        numbers = {id(root): number for number, root in enumerate(every)}
        shares = Shares([root.path[: self.alike] for root in roots], last, task.likely)
        limits, answer, done = task.limits, None, 0

        def is_over() -> bool:
            if work.tell is not None:
                work.tell()
            cancelled = limits.cancel is not None and limits.cancel.is_set()
            out = limits.max_nodes is not None and work.generated >= limits.max_nodes
            return cancelled or out or task.budget.left <= 0

        wanted = [numbers[id(root)] for root in roots]
        with closing(helpers.search(state, task.bound, moves, wanted, is_over)) as reports:
            for number, report in reports:
                key = every[number].path[: self.alike]
                self.took[key] = self.took.get(key, 0) + report.generated
                work.generated += report.generated
                work.expanded += report.expanded
                work.helpers_cpu += report.cpu
                work.further = min(work.further, report.further)
                done += report.finished
                work.share = shares.behind(done)
                answer = report.path
                if answer is not None:
                    break
        work.finished = answer is not None or done == len(roots)
        if answer is not None:
            yield answer

    def search_subtree(self, bound: int, moves: int, number: int, limits: Limits) -> SubtreeReport:
        """Search one of the subtrees after some moves. Other processes call this.

        - `bound`: the cost of the answers.
        - `moves`: the number of moves before the subtree.
        - `number`: the number of the subtree among all subtrees after these moves.
        - `limits`: the limits, of which `cancel` and `max_nodes` count.
        """
        began = thread_time()
        task = BoundTask(bound, 0, Budget(limits._replace(timeout=None)))
        tree = self.tree(task, limits)
        root = self._subtrees(moves)[number]
        found = [[*root.path, *path] for path in tree.answers(root)]
        return SubtreeReport(
            found[0] if found else None,
            tree.search.generated_nodes,
            tree.search.expanded_nodes,
            tree.further,
            thread_time() - began,
            tree.status != OUT_OF_LIMITS,
        )

    def _alone(
        self, task: BoundTask, work: BoundWork, roots: Sequence[Root], last: Mapping[Key, float]
    ) -> Iterator[list[int]]:
        """Search in the caller's thread."""
        tree = self.tree(task, task.limits)
        tree.took = self.took
        meter = None
        if work.tell is not None:
            keys = [root.path[: self.alike] for root in roots]
            whole = keys == [()]
            meter = _Meter(tree, work, Shares(self._first if whole else keys, last, task.likely))
            meter.parts = {key: i for i, key in enumerate(self._first)} if whole else {}
            tree.watch = meter.look
        for number, root in enumerate(roots):
            if meter is not None:
                meter.begin(number)
            for path in tree.answers(root):
                _note(work, tree)
                yield [*root.path, *path]
            if tree.is_over:
                break
        _note(work, tree)

    def _shared(
        self, task: BoundTask, work: BoundWork, subtrees: Sequence[Root], last: Mapping[Key, float]
    ) -> Iterator[list[int]]:
        """Search in several threads, subtree by subtree."""
        from concurrent.futures import Future, ThreadPoolExecutor

        count = min(task.limits.threads, len(subtrees))
        left, cancel = task.limits.max_nodes, task.limits.cancel
        stop = threading.Event()
        limits = task.limits._replace(
            cancel=stop, max_nodes=None if left is None else -(-left // task.limits.threads)
        )
        roots: SimpleQueue[Root] = SimpleQueue()
        for root in subtrees:
            roots.put(root)
        room = threading.Semaphore(_WAITING)
        news: SimpleQueue[list[int] | Future[None]] = SimpleQueue()

        def search(tree: Tree) -> None:
            began = thread_time()
            while not tree.is_over:
                try:
                    root = roots.get_nowait()
                except Empty:
                    break
                for path in tree.answers(root):
                    while not room.acquire(timeout=0.05):
                        if stop.is_set():
                            return
                    news.put([*root.path, *path])
                    if not task.everything:
                        stop.set()
                tree.cpu = thread_time() - began

        trees = [self.tree(task, limits) for _ in range(count)]
        for tree in trees:
            tree.took = self.took
            tree.watch = None if work.tell is None else tree.look
        shares = Shares([root.path[: self.alike] for root in subtrees], last, task.likely)
        answer: list[int] | None = None
        pool = ThreadPoolExecutor(count)
        try:
            try:
                for tree in trees:
                    pool.submit(search, tree).add_done_callback(news.put)
            except RuntimeError as error:
                raise PuzzlekitError(f"{count} threads cannot be started: {error}") from error
            while count:
                if cancel is not None and cancel.is_set():
                    stop.set()
                if work.tell is not None:
                    work.generated = sum(tree.nodes for tree in trees)
                    work.share = shares.behind(max(0, len(subtrees) - roots.qsize() - count))
                    work.tell()
                try:
                    each = news.get(timeout=0.05)
                except Empty:
                    continue
                if isinstance(each, Future):
                    each.result()
                    count -= 1
                elif task.everything:
                    room.release()
                    _note(work, *trees)
                    yield each
                else:
                    answer = each
        finally:
            stop.set()
            pool.shutdown()
        _note(work, *trees)
        if answer is not None:
            yield answer

    def root(self, path: Key, spent: int, automaton: int, state: bytes) -> Root:
        """Return the root of the subtree that begins with the moves `path`.

        - `spent`: the cost of these moves.
        - `automaton`: the state of the automaton after these moves.
        - `state`: the state of the puzzle after these moves.
        """
        return _SpaceRoot(path, spent, automaton, *self._phase.seen(self._puzzle, state))

    def _subtrees(self, moves: int) -> list[Root]:
        """Return the roots after `moves` moves. The automaton excludes redundant sequences."""
        if moves not in self._cut:
            puzzle, phase = self._puzzle, self._phase
            fresh: list[tuple[tuple[int, ...], int, int, bytes]]
            fresh = [((), 0, puzzle.place_of_guard(start), start) for start in self._starts]
            for _ in range(moves):
                fresh = [
                    (
                        (*path, move),
                        spent + phase.order.cost(automaton, move),
                        after,
                        puzzle.apply(state, [phase.moves[move]]),
                    )
                    for path, spent, automaton, state in fresh
                    for move, after in phase.automaton[automaton]
                ]
            self._cut[moves] = [self.root(*each) for each in fresh]
        return self._cut[moves]

    @cached_property
    def _first(self) -> list[Key]:
        """The first moves of the subtrees, in the order of the search."""
        return list(dict.fromkeys(root.path for root in self._subtrees(_ALIKE)))

    @cached_property
    def _dearest(self) -> int:
        """The largest cost of a move."""
        automaton, cost = self._phase.automaton, self._phase.order.cost
        every = (cost(state, move) for state, row in enumerate(automaton) for move, _ in row)
        return max(every, default=0)


#: The service "symmetric": returns the search of a state, given by its namings, or None.
Symmetric = Callable[[Puzzle, CompiledPhase, Sequence[bytes]], TreeSearch | None]


class _SpaceTree(Tree):
    """Searches with the space of a phase."""

    def __init__(self, phase: CompiledPhase, task: BoundTask, limits: Limits) -> None:
        super().__init__(task, limits)
        self.search = Search(phase.space, exact=True)

    def start(self, root: _SpaceRoot) -> bool:
        """Start on a subtree; return False if it has nothing to search within the bound."""
        # With the bound as its limit, the search would not find the next bound.
        self.search.start(
            root.values, ANY_LENGTH, root.automaton, root.carried, root.spent, self.bound
        )
        self.search.stay(True)
        return self.goes_on()

    def goes_on(self) -> bool:
        """Whether the search is still within the bound. Its first estimate may exceed it."""
        return bool(self.search.f_bound <= self.bound)

    def at(self) -> Key:
        """Return the first moves of the current path."""
        return tuple(self.search.path[:_ALIKE])

    def note(self) -> None:
        """Record the least larger bound with nodes to search."""
        self.further = min(self.further, self.search.f_bound)


class _Meter:
    """Reports the progress of a search in one thread."""

    #: If the tree is not split, the numbers of its subtrees by their first moves.
    parts: Mapping[Key, int] = {}

    def __init__(self, tree: Tree, work: BoundWork, shares: Shares) -> None:
        self._tree = tree
        self._work = work
        self._shares = shares
        self._number = self._before = self._seen = 0

    def begin(self, number: int) -> None:
        """Begin the subtree with that number."""
        self._number, self._before = number, self._tree.search.generated_nodes

    def look(self) -> None:
        """Update the progress."""
        nodes = self._tree.search.generated_nodes
        if self.parts:
            at = self._tree.at()
            number = self.parts.get(at, self._number)
            if number != self._number:
                self.begin(number)
            self._tree.took[at] = self._tree.took.get(at, 0) + nodes - self._seen
            self._seen = nodes
        self._work.generated = nodes
        self._work.share = self._shares.behind(self._number, nodes - self._before)
        if self._work.tell is not None:
            self._work.tell()


def _note(work: BoundWork, *trees: Tree) -> None:
    """Add up the work of the trees."""
    work.generated = sum(tree.search.generated_nodes for tree in trees)
    work.expanded = sum(tree.search.expanded_nodes for tree in trees)
    work.helpers_cpu = sum(tree.cpu for tree in trees)
    work.finished = all(tree.status != OUT_OF_LIMITS for tree in trees)
    work.further = min(tree.further for tree in trees)
