"""The beats of a build: the moments at which a build can be ended.

A build calls `beat` several times a second, between two steps of its work. An exception that a
listener raises there ends the build as Ctrl-C would, but never in the middle of a step.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

__all__ = ["beat"]


class _Heard(threading.local):
    listener: Callable[[], None] | None = None


_heard = _Heard()


def beat() -> None:
    """Call the listener of this thread, if a table is being built in it."""
    if _heard.listener is not None:
        _heard.listener()


@contextlib.contextmanager
def heard_by(listener: Callable[[], None]) -> Iterator[None]:
    """Let `beat` call a listener inside the `with` block, in this thread."""
    before, _heard.listener = _heard.listener, listener
    try:
        yield
    finally:
        _heard.listener = before
