"""Checks: their scope, their targets and their outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn
from unittest import SkipTest

import attrs

from puzzlekit.testing.target import Target

# The scope of a check: a plugin, a puzzle of it, a method of the puzzle, or a phase of the method.
# The number is the length of `Target.path`.
PLUGIN = 0
PUZZLE = 1
METHOD = 2
PHASE = 3

Function = Callable[[Target], None]


class CheckFailed(AssertionError):
    """A fault that a check found, in words for the author of the plugin."""


class CheckSkipped(SkipTest):
    """The reason why a check does not apply; pytest skips the test."""


def fail(message: str) -> NoReturn:
    """End a check because of a fault."""
    raise CheckFailed(message)


def skip(reason: str) -> NoReturn:
    """End a check that does not apply."""
    raise CheckSkipped(reason)


class DeclaredCheck(NamedTuple):
    """A check as declared: its title, its scope, and the titles of the checks that it needs."""

    title: str
    scope: int
    needs: tuple[str, ...]
    function: Function


REGISTRY: list[DeclaredCheck] = []


def check(title: str, scope: int, needs: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """Add a function to the checks, in order.

    The function calls `fail` or `skip`. Any other exception is a failure, too. The check is skipped
    if a check that it `needs` has failed.
    """

    def add(function: Function) -> Function:
        known = {kind.title for kind in REGISTRY}
        assert title not in known and known.issuperset(needs), title
        REGISTRY.append(DeclaredCheck(title, scope, needs, function))
        return function

    return add


@attrs.frozen(eq=False, repr=False)
class Check:
    """One check of one target; calling it runs it.

    `name` is the target ("rings-optimal-solve"), and `title` the condition; `str` gives both. A
    call raises an AssertionError that describes the fault, or a `unittest.SkipTest` with the reason
    why the check does not apply.

    >>> from puzzlekit.testing import checks_of
    >>> check = checks_of("cube2", "quick")[5]
    >>> str(check), check.about
    ('cube2: moves carry whole pieces', 'Each move trades places within one orbit, turns included.')
    >>> check()
    """

    kind: DeclaredCheck
    target: Target

    @property
    def name(self) -> str:
        """The name of the target."""
        return self.target.name

    @property
    def title(self) -> str:
        """The condition that has to hold."""
        return self.kind.title

    @property
    def about(self) -> str:
        """The claim that the check tests: the first line of its docstring."""
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
