"""A plugin of pytest: `pytest --puzzlekit-plugin NAME` runs the conformance checks of a plugin.

An entry point of the group `pytest11` makes it known, so every start of pytest in an environment
that has puzzlekit imports this module. It therefore imports the checks only when it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from unittest import SkipTest

import pytest

if TYPE_CHECKING:
    from puzzlekit_authoring.checks import Check

__all__ = ["CheckItem", "Checks", "pytest_addoption", "pytest_collection_modifyitems"]

_EFFORTS = ("quick", "normal", "thorough")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("puzzlekit", "conformance checks of puzzlekit")
    group.addoption(
        "--puzzlekit-plugin",
        action="append",
        default=[],
        metavar="NAME",
        help="run the conformance checks of this puzzle or plugin, too; may be repeated",
    )
    group.addoption(
        "--puzzlekit-effort",
        choices=_EFFORTS,
        default="normal",
        help="the sizes of samples of these checks (default: normal)",
    )
    group.addoption(
        "--puzzlekit-seed",
        type=int,
        default=0,
        metavar="N",
        help="the start of their random numbers (default: 0)",
    )


@pytest.hookimpl(tryfirst=True)  # before -k, -m and shuffling choose among the tests
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each check."""
    for name in dict.fromkeys(config.getoption("puzzlekit_plugin")):
        items += Checks.from_parent(session, name=name, nodeid=f"puzzlekit-{name}").collect()


class Checks(pytest.Collector):
    """The checks of one puzzle or plugin."""

    def collect(self) -> Iterator[CheckItem]:
        """Yield a test for each check. Raises a UsageError of pytest if there is no such plugin."""
        from puzzlekit.errors import PuzzlekitError
        from puzzlekit_authoring.run import checks_of

        option = self.config.getoption
        try:
            checks = checks_of(self.name, option("puzzlekit_effort"), option("puzzlekit_seed"))
        except PuzzlekitError as error:
            raise pytest.UsageError(f"--puzzlekit-plugin: {error}") from None
        for check in checks:
            yield CheckItem.from_parent(self, name=str(check), check=check)


class CheckItem(pytest.Item):
    """A check as a test."""

    def __init__(self, *, check: Check, **options: Any) -> None:
        super().__init__(**options)
        self.check = check

    def runtest(self) -> None:
        """Run the check."""
        try:
            self.check()
        except SkipTest as why:
            pytest.skip(str(why))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what the check says is wrong; the traceback only of another exception."""
        from puzzlekit_authoring.checks import CheckFailed

        if isinstance(excinfo.value, CheckFailed):
            return f"{self.check.about}\n\n{excinfo.value}"
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the name of the test in reports."""
        return "puzzlekit", None, self.name
