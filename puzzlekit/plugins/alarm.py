"""A time limit for the code of plugins."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 20.0  # seconds for importing a plugin or making a puzzle


class TooSlow(BaseException):
    """A plugin took too long. Not a subclass of Exception, which plugins might catch."""


@contextmanager
def patience(seconds: float | None = None) -> Iterator[None]:
    """Raise TooSlow if the `with` block takes more than `seconds`; the default is PATIENCE.

    The limit needs the alarm of POSIX, which only the main thread can set. On other systems and in
    other threads there is no limit.

    >>> with patience(0.01):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    ...
    puzzlekit.plugins.alarm.TooSlow: it was not done after 0.01 s
    """
    here = threading.current_thread() is threading.main_thread()
    if not (here and hasattr(signal, "setitimer")):
        yield
        return
    limit = PATIENCE if seconds is None else seconds

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"it was not done after {limit:g} s")

    handler = signal.signal(signal.SIGALRM, ring)
    # The alarm repeats each second, because the code may catch the exception and go on.
    timer = signal.setitimer(signal.ITIMER_REAL, limit, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
