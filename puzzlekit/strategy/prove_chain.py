"""Shortest answers: one phase searched whole, below answers that another method finds.

A short answer found in time saves the search of the last bound, which takes longer than all others
together: then only that no shorter one exists is left to be proven. So before each bound the other
method is given a share of the nodes that the bound will probably take.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cached_property
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import NamedTuple

from puzzlekit.engine.automaton import canonical_sequences
from puzzlekit.engine.search import UNBOUNDED, Search
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import PuzzlekitError
from puzzlekit.prepare.plan import Plan
from puzzlekit.run.driver import OUT_OF_LIMITS, Deadline, Driver, thread_time
from puzzlekit.run.limits import BoundReport, Limits
from puzzlekit.strategy.answer import Answer, Counts, PhaseMoves
from puzzlekit.strategy.chain import ANY_LENGTH
from puzzlekit.strategy.first_chain import FirstChain

_SETTLED = 24  # costs after which the branching factor is what it stays
_FEW = 1_000  # nodes of a bound that say nothing of how many the next one takes
_SPLIT_FROM = 1_000_000  # nodes from which on a bound is shared out to several threads
_PREFIX = 2  # moves by which the tree is split then


class _Root(NamedTuple):
    """A subtree: the moves that lead to it, their cost, the automaton's state, what is there."""

    path: tuple[int, ...]
    spent: int
    automaton: int
    values: list[int]
    carried: bytes


class ProveChain(FirstChain):
    """A method of one phase that proves its answers to be the shortest."""

    def __init__(self, plan: Plan, upper_nodes: int, upper_share: float) -> None:
        super().__init__(plan)
        self.upper_nodes = upper_nodes
        self.upper_share = upper_share

    @cached_property
    def growth(self) -> float:
        """How many times as many sequences of moves there are at each cost as at the one before."""
        phase = self.phases[0]
        counts = canonical_sequences(phase.automaton, _SETTLED, phase.costs)
        half = _SETTLED // 2
        return float((sum(counts) / sum(counts[: half + 1])) ** (1 / (_SETTLED - half)))

    def answers(self, state: bytes, limits: Limits) -> Iterator[Answer]:
        """Yield ever shorter answers, then whether the last is proven to be the shortest."""
        yield from _Proof(self, state, limits).answers()


class _Proof:
    """The search for one state."""

    def __init__(self, chain: ProveChain, state: bytes, limits: Limits) -> None:
        self._chain = chain
        self._state = state
        self._starts = chain.namings(state)
        self._limits = limits
        self._phase = chain.phases[0]
        self._deadline = Deadline(limits.timeout)
        self._best: int | None = None
        self._nodes = [0, 0]  # generated and expanded, all methods and threads together
        self._helpers_cpu = 0.0
        self._further = 0  # the least bound beyond the last one that has anything to search

    def answers(self) -> Iterator[Answer]:
        """Yield ever shorter answers, at last how far the best one is proven."""
        parities = {self._chain.parity(start) for start in self._starts}
        parity = parities.pop() if len(parities) == 1 else None
        step = 1 if parity is None else 2
        puzzle = self._chain.puzzle
        bound = min(self._phase.estimate(puzzle, start) for start in self._starts)
        bound += 0 if parity is None else (bound + parity) % 2
        nodes, growth = 0, 1.0
        first, share = self._chain.upper_nodes, self._chain.upper_share
        yield from self._improve(first, ANY_LENGTH)
        while bound <= self._ceiling and not self._is_over:
            likely = int(nodes * growth**step)
            best = self._best
            if likely * share > first:
                yield from self._improve(int(likely * share), bound)
            if self._best != best:
                continue
            started = perf_counter()
            before = self._nodes[0]
            path, finished = self._search(bound, likely)
            if path is not None:
                moves = tuple(self._phase.moves[number] for number in path)
                found = self._chain.answer([PhaseMoves(0, moves)], True, self._counts)
                yield self._answer(found, bound)
                return
            if not finished:
                break
            if self._further >= UNBOUNDED:  # there is nothing more to search
                bound = ANY_LENGTH
                break
            searched = self._nodes[0] - before
            seconds = max(perf_counter() - started, 1e-9)
            growth = self._growth(searched, nodes, step)
            nodes = searched
            bound += step
            if self._limits.on_bound is not None:
                later = seconds * growth**step
                least = bound if self._best is None else min(bound, self._best)
                report = BoundReport(bound - step, self._best, least, searched, seconds, later)
                self._limits.on_bound(report)
        proven = self._best is not None and bound >= self._best
        yield self._answer(Answer(None, proven, self._counts), bound)

    def _growth(self, nodes: int, before: int, step: int) -> float:
        """By which factor the nodes of a bound grow, with each unit of cost."""
        if before <= _FEW:
            return self._chain.growth
        return max(2.0, float((nodes / before) ** (1 / step)))

    @property
    def _ceiling(self) -> int:
        """The highest bound that is still worth searching."""
        most = ANY_LENGTH if self._limits.max_length is None else self._limits.max_length
        return most if self._best is None else min(most, self._best - 1)

    @property
    def _nodes_left(self) -> int | None:
        return None if self._limits.max_nodes is None else self._limits.max_nodes - self._nodes[0]

    @property
    def _is_over(self) -> bool:
        """Whether a limit was met."""
        cancelled = self._limits.cancel is not None and self._limits.cancel.is_set()
        out = self._nodes_left is not None and self._nodes_left <= 0
        return cancelled or out or self._deadline.left <= 0

    @property
    def _counts(self) -> Counts:
        return ((self._nodes[0], self._nodes[1]),)

    def _answer(self, answer: Answer, bound: int) -> Answer:
        """An answer with what is known beyond its moves."""
        least = bound if self._best is None else min(bound, self._best)
        return answer._replace(helpers_cpu=self._helpers_cpu, at_least=least, counts=self._counts)

    def _improve(self, nodes: int, longest: int) -> Iterator[Answer]:
        """Yield shorter answers of the other method that it finds with this many nodes."""
        upper = self._chain.upper
        if upper is None or self._is_over:
            return
        longest = min(longest, self._ceiling)
        left = self._nodes_left
        limits = self._limits._replace(
            max_length=None if longest == ANY_LENGTH else longest,
            timeout=None if self._limits.timeout is None else max(self._deadline.left, 0.0),
            max_nodes=nodes if left is None else min(nodes, left),
        )
        before = list(self._nodes)
        cpu = self._helpers_cpu
        for answer in upper.answers(upper.normal(self._state), limits):
            for i in (0, 1):
                self._nodes[i] = before[i] + sum(count[i] for count in answer.counts)
            self._helpers_cpu = cpu + answer.helpers_cpu
            if answer.moves is None:
                continue
            cost = self._chain.metric.total(answer.moves)
            if cost <= self._ceiling:
                self._best = cost
                found = self._chain.answer([PhaseMoves(0, answer.moves)], False, self._counts)
                yield self._answer(found, 0)

    def _search(self, bound: int, likely: int) -> tuple[list[int] | None, bool]:
        """Search one bound: the numbers of the moves if an answer has just that cost.

        With whether the search came to its end.
        """
        # Of so few moves that no subtree has it an answer may be, where one move costs so much.
        few = bound <= (_PREFIX - 1) * max(self._phase.costs)
        if self._limits.threads == 1 or likely < _SPLIT_FROM or few:
            search = Search(self._phase.space, exact=True)
            driver = Driver(self._limits._replace(max_nodes=self._nodes_left), self._deadline)
            self._further = UNBOUNDED
            for start in self._starts:
                status = self._run(search, self._root(start, (), 0), bound, driver)
                self._further = min(self._further, search.f_bound)
                if status != EXHAUSTED:
                    break
            self._count(search)
            return (search.path if status == FOUND else None), status != OUT_OF_LIMITS
        return self._share(bound)

    def _run(self, search: Search, root: _Root, bound: int, driver: Driver) -> int:
        # Limited to the bound, it would not tell whether there is anything beyond.
        search.start(root.values, ANY_LENGTH, root.automaton, root.carried, root.spent, bound)
        search.stay(True)
        # The estimate may be more than the bound after some moves: nothing is within it then.
        return EXHAUSTED if search.f_bound > bound else driver.run(search)

    def _count(self, search: Search) -> None:
        self._nodes[0] += search.generated_nodes
        self._nodes[1] += search.expanded_nodes

    def _root(self, start: bytes, path: tuple[int, ...], automaton: int) -> _Root:
        """The subtree after some moves."""
        phase = self._phase
        state = self._chain.puzzle.apply(start, [phase.moves[number] for number in path])
        carried = phase.inputs.vector(state)
        spent = sum(phase.costs[number] for number in path)
        return _Root(path, spent, automaton, phase.inputs.ranks(state), carried)

    def _share(self, bound: int) -> tuple[list[int] | None, bool]:
        """Search one bound in several threads, subtree by subtree."""
        from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

        threads = min(self._limits.threads, len(self._subtrees))
        tasks: SimpleQueue[_Root] = SimpleQueue()
        for root in self._subtrees:
            tasks.put(root)
        stop = threading.Event()
        left = self._nodes_left
        limits = self._limits._replace(
            cancel=stop, max_nodes=None if left is None else -(-left // self._limits.threads)
        )

        def work() -> tuple[Search, float, list[int] | None, bool, int]:
            search, driver = Search(self._phase.space, exact=True), Driver(limits, self._deadline)
            began, status, further = thread_time(), EXHAUSTED, UNBOUNDED
            path: list[int] | None = None
            while status == EXHAUSTED:
                try:
                    root = tasks.get_nowait()
                except Empty:
                    break
                status = self._run(search, root, bound, driver)
                further = min(further, search.f_bound)
                if status == FOUND:
                    path = [*root.path, *search.path]
                    stop.set()
            return search, thread_time() - began, path, status != OUT_OF_LIMITS, further

        answer: list[int] | None = None
        complete = True
        self._further = UNBOUNDED
        pool = ThreadPoolExecutor(threads)
        try:
            running = {pool.submit(work) for _ in range(threads)}
            while running:
                over, running = wait(running, 0.05, FIRST_COMPLETED)
                for each in over:
                    search, cpu, path, finished, further = each.result()
                    self._count(search)
                    self._helpers_cpu += cpu
                    answer = path or answer
                    complete = complete and finished
                    self._further = min(self._further, further)
                if self._limits.cancel is not None and self._limits.cancel.is_set():
                    stop.set()
        except RuntimeError as error:
            raise PuzzlekitError(f"{threads} threads cannot be started: {error}") from error
        finally:
            stop.set()
            pool.shutdown()
        return answer, complete

    @cached_property
    def _subtrees(self) -> list[_Root]:
        """The subtrees after the first moves, as few as the automaton allows."""
        fresh: list[tuple[tuple[int, ...], int]] = [((), 0)]
        for _ in range(_PREFIX):
            fresh = [
                ((*path, move), after)
                for path, state in fresh
                for move, after in self._phase.automaton[state]
            ]
        return [self._root(start, *each) for start in self._starts for each in fresh]
