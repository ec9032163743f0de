"""Commands that run as processes, in a cache of their own, as in tests/faults."""

from __future__ import annotations

from faults.conftest import cache, run

__all__ = ["cache", "run"]
