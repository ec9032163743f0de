"""Convert results to data frames. Nothing else needs pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from puzzlekit.errors import UsageError

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["frame"]


def frame(columns: Mapping[str, Sequence[Any]]) -> DataFrame:
    """A data frame with these columns; a UsageError where pandas is not installed."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise UsageError(
            "data frames are made by pandas, which is not installed: pip install pandas"
        ) from None
    return DataFrame(columns)
