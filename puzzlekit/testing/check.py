"""Checks: their scope, their targets and their outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn
from unittest import SkipTest

import attrs

from puzzlekit.testing.target import Target

# The scope of a check: a plugin, a puzzle of the plugin, a method of the puzzle, or a phase of the
# method. The number is the length of `Target.path`.
PLUGIN = 0
PUZZLE = 1
METHOD = 2
PHASE = 3

Function = Callable[[Target], None]


class CheckFailed(AssertionError):
    """Raised if a check finds a fault. The message describes the fault to the plugin author."""


class CheckSkipped(SkipTest):
    """Raised if a check does not apply. The message gives the reason, and pytest skips the test."""


def fail(message: str) -> NoReturn:
    """Raise CheckFailed, which ends the check."""
    raise CheckFailed(message)


def skip(reason: str) -> NoReturn:
    """Raise CheckSkipped, which ends the check."""
    raise CheckSkipped(reason)


class DeclaredCheck(NamedTuple):
    """A function that checks something, with its title and scope, but without a target yet.

    `needs` has the titles of the checks that have to pass first.
    """

    title: str
    scope: int
    needs: tuple[str, ...]
    function: Function


REGISTRY: list[DeclaredCheck] = []


def check(title: str, scope: int, needs: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """Return a decorator that adds a function to the list of checks.

    The decorated function calls `fail` if it finds a fault, and `skip` if the check does not apply.
    Any other exception is a failure, too. A check is skipped if one of the checks in `needs` has
    failed.
    """

    def add(function: Function) -> Function:
        known = {kind.title for kind in REGISTRY}
        assert title not in known and known.issuperset(needs), title
        REGISTRY.append(DeclaredCheck(title, scope, needs, function))
        return function

    return add


@attrs.frozen(eq=False, repr=False)
class Check:
    """One check of one target. Call the object to run the check.

    A call returns nothing if the check passes. It raises an AssertionError that describes a fault,
    or a `unittest.SkipTest` that says why the check does not apply. `str` gives the name of the
    target and the title of the check.

    >>> from puzzlekit.testing import checks_of
    >>> check = checks_of("cube2", "quick")[5]
    >>> str(check)
    'cube2: moves carry whole pieces'
    >>> check.about
    'Each move carries a piece with its orientation, and stays within an orbit.'
    >>> check()
    """

    kind: DeclaredCheck
    target: Target

    @property
    def name(self) -> str:
        """The name of the target, such as "rings-optimal-solve"."""
        return self.target.name

    @property
    def title(self) -> str:
        """The condition that has to hold."""
        return self.kind.title

    @property
    def about(self) -> str:
        """A sentence on what the check tests: the first line of its docstring."""
        return (self.kind.function.__doc__ or "").partition("\n")[0]

    def __str__(self) -> str:
        return f"{self.name}: {self.title}"

    __repr__ = __str__

    def __call__(self) -> None:
        """Run the check."""
        failed = self.target.subject.failed
        for title, path, root in failed:
            if title in self.kind.needs and self.target.related(path):
                failed.append((self.title, self.target.path, root))
                skip(f"it relies on another check that failed: {root}")
        target = attrs.evolve(self.target, title=self.title)
        try:
            self.kind.function(target)
        except SkipTest:
            raise
        except Exception as error:
            failed.append((self.title, self.target.path, self.title))
            if isinstance(error, CheckFailed):
                raise
            raise CheckFailed(self.target.subject.said(error)) from error
