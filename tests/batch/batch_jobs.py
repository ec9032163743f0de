"""Jobs that the tests of batches send to workers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence

import attrs

import puzzlekit
from puzzlekit_batch.job import Job, Source


@attrs.frozen
class Squares(Job):
    """Squares numbers, in a given time, and dies at some of them."""

    deadly: tuple[int, ...] = ()
    seconds: float = 0.0

    def prepare(
        self, solvers: Sequence[puzzlekit.Solver], cancel: threading.Event
    ) -> Callable[[int], int]:
        def square(number: int) -> int:
            if number in self.deadly:
                time.sleep(0.05)
                os._exit(1)
            cancel.wait(self.seconds)
            return number * number

        return square


def squares(name: str, deadly: tuple[int, ...] = (), seconds: float = 0.0) -> Squares:
    """A job for processes in which everything is as here."""
    return Squares(name, (Source.of(puzzlekit.load("cube2")),), deadly, seconds)
