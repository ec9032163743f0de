"""Where a report comes from: the command, the versions, the commit, the date, the machine."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import puzzlekit
from puzzlekit_lab.statistics import size


def provenance(arguments: Sequence[str] = ()) -> Mapping[str, str]:
    """Return what a reader needs to repeat a measurement, by name, in words.

    `arguments` is the command line after "puzzlekit". What cannot be found out is left out, such as
    the commit of a release.
    """
    found = {
        "command": shlex.join(["puzzlekit", *arguments]) if arguments else "",
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": ", ".join(
            [
                f"puzzlekit {puzzlekit.__version__}",
                f"Python {platform.python_version()}",
                f"NumPy {version('numpy')}",
            ]
        ),
        "commit": commit(),
        "system": platform.platform(),
        "memory": _memory(),
    }
    return {name: text for name, text in found.items() if text}


def commit() -> str:
    """Return the commit of the running source, or an empty string if it is not known.

    It is known in a checkout, and if pip installed from a repository.
    """
    package = Path(puzzlekit.__file__).parent
    if (package.parent / ".git").exists():
        with suppress(OSError, subprocess.SubprocessError):
            found = _git(package, "rev-parse", "HEAD")
            changed = _git(package, "status", "--porcelain", "--untracked-files=no")
            return f"{found}, with changes" if changed else found
    with suppress(PackageNotFoundError, ValueError, KeyError):
        origin = distribution("permutation-puzzlekit").read_text("direct_url.json") or "{}"
        return str(json.loads(origin)["vcs_info"]["commit_id"])
    return ""


def _git(directory: Path, *arguments: str) -> str:
    command = ["git", "-C", str(directory), *arguments]
    return subprocess.check_output(
        command, stderr=subprocess.DEVNULL, text=True, timeout=10
    ).strip()


def _memory() -> str:
    """Return the size of the main memory; an empty string where the system does not tell it."""
    with suppress(AttributeError, OSError, ValueError):
        return size(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return ""
