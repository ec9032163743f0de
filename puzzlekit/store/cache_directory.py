"""Where tables are kept."""

from __future__ import annotations

import os
import sys

from puzzlekit.errors import TableError


def default_cache_directory() -> str:
    """Where tables are kept: $PUZZLEKIT_CACHE, or else the user's cache directory.

    Agrees with `platformdirs.user_cache_dir("puzzlekit", appauthor=False)`, the import of which
    costs 40 ms. A user without a home directory, as in some containers, has it in "/".

    Raises TableError where $PUZZLEKIT_CACHE names the home of a user that does not exist.

    >>> os.path.isabs(default_cache_directory())
    True
    """
    chosen = os.environ.get("PUZZLEKIT_CACHE", "").strip()
    if chosen:
        expanded = os.path.expanduser(chosen)
        if expanded.startswith("~"):
            user = expanded.replace(os.sep, "/").partition("/")[0]
            raise TableError(
                f"PUZZLEKIT_CACHE is {chosen!r}, but {user} has no home directory; for a directory "
                f"of that name write './{chosen}'"
            )
        return os.path.abspath(expanded)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or _in_home("AppData", "Local")
        return os.path.join(local, "puzzlekit", "Cache")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification has relative paths ignored
        base = _in_home("Library", "Caches") if sys.platform == "darwin" else _in_home(".cache")
    return os.path.join(base, "puzzlekit")


def _in_home(*parts: str) -> str:
    """A path in the home directory, which is the root directory for users that have none."""
    home = os.path.expanduser("~")
    return os.path.join(home if os.path.isabs(home) else os.path.abspath(os.sep), *parts)
