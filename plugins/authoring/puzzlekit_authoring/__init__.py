"""For authors of plugins: a package to start from, and checks of what every plugin must satisfy.

In the tests of a plugin, with pytest:

    from puzzlekit_authoring.run import parametrize_with_checks

    @parametrize_with_checks("rings")
    def test_conformance(check):
        check()

`pytest --puzzlekit-plugin rings` runs the same checks without such a file, and `puzzlekit
check-plugin rings` without pytest.

>>> from puzzlekit_authoring import run_checks
>>> results = list(run_checks("cube2", "quick", only="cube2: moves"))
>>> {result.outcome for result in results}
{'ok'}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit_authoring.checks import Check as Check
    from puzzlekit_authoring.checks import CheckFailed as CheckFailed
    from puzzlekit_authoring.checks import CheckSkipped as CheckSkipped
    from puzzlekit_authoring.run import Result as Result
    from puzzlekit_authoring.run import checks_of as checks_of
    from puzzlekit_authoring.run import parametrize_with_checks as parametrize_with_checks
    from puzzlekit_authoring.run import run_checks as run_checks

puzzlekit_api = 2

# Every start of pytest imports this package, for the module `pytest_plugin`.
__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".checks": "Check CheckFailed CheckSkipped",
        ".run": "Result checks_of parametrize_with_checks run_checks",
    },
)


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit new` and `puzzlekit check-plugin`."""
    commands = "puzzlekit_authoring.commands"
    yield CommandEntry("new", f"{commands}:new", "Write a plugin package to start from.")
    yield CommandEntry(
        "check-plugin", f"{commands}:check_plugin", "Check that a plugin behaves as it declares."
    )
