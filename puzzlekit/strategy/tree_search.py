"""One bound searched by moves from the state; a large one in several threads, a subtree each."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol

from puzzlekit.engine.search import UNBOUNDED, Search
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import PuzzlekitError
from puzzlekit.prepare.assembled import Assembled
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.run.driver import OUT_OF_LIMITS, Driver, thread_time
from puzzlekit.run.limits import Limits
from puzzlekit.strategy.bound_search import BoundSearch, BoundTask, BoundWork
from puzzlekit.strategy.chain import ANY_LENGTH
from puzzlekit.strategy.share import Key, Shares

_PREFIX = 2  # moves by which the tree is split for several threads
ALIKE = 2  # moves by which subtrees are put together, to tell which took long
_WAITING = 1_000  # answers of threads that nobody has taken yet


class Root(Protocol):
    """A subtree, as its tree takes it."""

    @property
    def path(self) -> tuple[int, ...]:
        """The moves that lead to it."""


class Tree(ABC):
    """The search of one thread within a bound."""

    #: The engine's search.
    search: Any
    #: The least bound beyond this one that has anything to search.
    further = UNBOUNDED
    #: CPU seconds, where it has a thread of its own.
    cpu = 0.0
    #: Nodes generated so far, for other threads.
    nodes = 0
    #: Called between stretches of the search.
    watch: Callable[[], None] | None = None
    #: Takes down how many nodes subtrees took, by their first moves.
    took: dict[Key, int]

    def __init__(self, task: BoundTask, limits: Limits) -> None:
        self.bound = task.bound
        self.driver = Driver(limits, task.deadline)
        self.status = EXHAUSTED  # of the search, when it ended last
        self._everything = task.everything
        self.took = {}

    @property
    def is_over(self) -> bool:
        """Whether nothing else is to be searched: by a limit, or as the first answer is found."""
        return self.status != EXHAUSTED

    @abstractmethod
    def start(self, root: Any) -> bool:
        """Set the search on a subtree; False where there is nothing to search within the bound."""

    @property
    def path(self) -> list[int]:
        """The moves of what was found, from the subtree on."""
        return list(self.search.path)

    def answers(self, root: Any) -> Iterator[list[int]]:
        """Yield the answers within a subtree."""
        before = self.search.generated_nodes
        going = self.start(root)
        while going:
            self.status = self.driver.run(self.search, self.watch)
            if self.status != FOUND:
                break
            yield self.path
            going = self._everything and self.goes_on()
        key = root.path[:ALIKE]
        self.took[key] = self.took.get(key, 0) + self.search.generated_nodes - before
        self.note()

    def goes_on(self) -> bool:
        """Whether there may be more after an answer."""
        return True

    def look(self) -> None:
        """Let other threads know how many nodes there are."""
        self.nodes = self.search.generated_nodes

    def at(self) -> tuple[int, ...]:
        """The first moves from the subtree to where the search is; none if that is not known."""
        return ()

    def note(self) -> None:  # noqa: B027 (most have nothing to do)
        """Take down what is known at the end of a subtree."""


class _SpaceRoot(NamedTuple):
    """A subtree: the moves that lead to it, their cost, the automaton's state, the state."""

    path: tuple[int, ...]
    spent: int
    automaton: int
    values: list[int]
    carried: bytes


class TreeSearch(BoundSearch):
    """Searches the tree of moves by the tables of the phase."""

    def __init__(self, puzzle: Puzzle, phase: Assembled, starts: Sequence[bytes]) -> None:
        self._puzzle = puzzle
        self._phase = phase
        self._starts = starts
        self._cut: dict[int, list[Root]] = {}
        #: How many nodes subtrees took within the present bound, by their first moves.
        self.took: dict[Key, int] = {}

    def estimate(self) -> int:
        """What the tables say."""
        return min(self._phase.estimate(self._puzzle, start) for start in self._starts)

    def search(self, task: BoundTask, work: BoundWork) -> Iterator[list[int]]:
        """Yield the moves of answers that cost just the bound, as numbers of the phase's moves."""
        # Of so few moves that no subtree has it an answer may be, where one move costs so much.
        few = task.bound <= (_PREFIX - 1) * self._dearest
        roots = self._subtrees(0 if task.threads == 1 or few else _PREFIX)
        last, self.took = self.took, {}
        return self.share(task, work, roots, last)

    def tree(self, task: BoundTask, limits: Limits) -> Tree:
        """What searches the subtrees, for one thread."""
        return _SpaceTree(self._phase, task, limits)

    def share(
        self, task: BoundTask, work: BoundWork, roots: Sequence[Root], last: Mapping[Key, int]
    ) -> Iterator[list[int]]:
        """Search some subtrees, in one or several threads.

        `last` has how many nodes they took within the last bound, by their first moves.
        """
        several = task.threads > 1 and len(roots) > 1
        search = self._shared if several else self._alone
        return search(task, work, roots, last)

    def _alone(
        self, task: BoundTask, work: BoundWork, roots: Sequence[Root], last: Mapping[Key, int]
    ) -> Iterator[list[int]]:
        """Search in the caller's thread."""
        tree = self.tree(task, task.limits)
        tree.took = self.took
        meter = None
        if work.tell is not None:
            keys = [root.path[:ALIKE] for root in roots]
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
        self, task: BoundTask, work: BoundWork, subtrees: Sequence[Root], last: Mapping[Key, int]
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
        shares = Shares([root.path[:ALIKE] for root in subtrees], last, task.likely)
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
        """A subtree: the moves that lead to it, their cost, the automaton's state, the state."""
        return _SpaceRoot(path, spent, automaton, *self._phase.seen(self._puzzle, state))

    def _subtrees(self, moves: int) -> list[Root]:
        """The subtrees after so many moves, as few as the automaton allows."""
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
        """The first moves of the subtrees, as the search comes to them."""
        automaton = self._phase.automaton
        found: list[tuple[Key, int]]
        found = [((), self._puzzle.place_of_guard(start)) for start in self._starts[:1]]
        for _ in range(ALIKE):
            found = [((*key, move), to) for key, state in found for move, to in automaton[state]]
        return [key for key, _ in found]

    @cached_property
    def _dearest(self) -> int:
        """The most that a move costs."""
        automaton, cost = self._phase.automaton, self._phase.order.cost
        every = (cost(state, move) for state, row in enumerate(automaton) for move, _ in row)
        return max(every, default=0)


class _SpaceTree(Tree):
    """Searches with the space of a phase."""

    def __init__(self, phase: Assembled, task: BoundTask, limits: Limits) -> None:
        super().__init__(task, limits)
        self.search = Search(phase.space, exact=True)

    def start(self, root: _SpaceRoot) -> bool:
        """Set the search on a subtree; False where there is nothing to search within the bound."""
        # Limited to the bound, it would not tell whether there is anything beyond.
        self.search.start(
            root.values, ANY_LENGTH, root.automaton, root.carried, root.spent, self.bound
        )
        self.search.stay(True)
        return self.goes_on()

    def goes_on(self) -> bool:
        """Whether the bound is not left: the estimate may be more than it after some moves."""
        return bool(self.search.f_bound <= self.bound)

    def at(self) -> Key:
        """The first moves of where the search is now."""
        return tuple(self.search.path[:ALIKE])

    def note(self) -> None:
        """Take down the least bound that has anything left."""
        self.further = min(self.further, self.search.f_bound)


class _Meter:
    """Tells how far the search of one thread is."""

    #: The numbers of the parts of a tree that is searched whole, by their first moves.
    parts: Mapping[Key, int] = {}

    def __init__(self, tree: Tree, work: BoundWork, shares: Shares) -> None:
        self._tree = tree
        self._work = work
        self._shares = shares
        self._number = self._before = self._seen = 0

    def begin(self, number: int) -> None:
        """The subtree of that number is next."""
        self._number, self._before = number, self._tree.search.generated_nodes

    def look(self) -> None:
        """See where the search is."""
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
    """Add up what the trees have done."""
    work.generated = sum(tree.search.generated_nodes for tree in trees)
    work.expanded = sum(tree.search.expanded_nodes for tree in trees)
    work.helpers_cpu = sum(tree.cpu for tree in trees)
    work.finished = all(tree.status != OUT_OF_LIMITS for tree in trees)
    work.further = min(tree.further for tree in trees)
