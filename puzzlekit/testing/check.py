"""Checks: what is looked at, of what, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn
from unittest import SkipTest

import attrs

from puzzlekit.testing.target import Target

# What a check is about: a plugin, one of its puzzles, a method of that, a phase of the method. As a
# number, how many names lead there: the length of `Target.path`.
PLUGIN = 0
PUZZLE = 1
METHOD = 2
PHASE = 3

Function = Callable[[Target], None]


class CheckFailed(AssertionError):
    """What a check found to be wrong, in words for the author of the plugin."""


class CheckSkipped(SkipTest):
    """Why a check does not apply; pytest takes it for a skipped test."""


def fail(message: str) -> NoReturn:
    """End a check: this is wrong."""
    raise CheckFailed(message)


def skip(reason: str) -> NoReturn:
    """End a check: there is nothing to look at."""
    raise CheckSkipped(reason)


class DeclaredCheck(NamedTuple):
    """A check before it is applied: its title, its scope, and the titles of those it relies on."""

    title: str
    scope: int
    needs: tuple[str, ...]
    function: Function


REGISTRY: list[DeclaredCheck] = []


def check(title: str, scope: int, needs: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """Add a function to the checks, in order.

    It raises what `fail` and `skip` raise, or any other exception, which is a failure too. Where a
    check that it `needs` has failed, it is not run.
    """

    def add(function: Function) -> Function:
        known = {kind.title for kind in REGISTRY}
        assert title not in known and known.issuperset(needs), title
        REGISTRY.append(DeclaredCheck(title, scope, needs, function))
        return function

    return add


@attrs.frozen(eq=False, repr=False)
class Check:
    """One check of one thing; calling it runs it.

    `name` says what is looked at ("rings-optimal-solve"), `title` what has to hold; `str` gives
    both. A call raises an AssertionError that says what is wrong, or a `unittest.SkipTest` that
    says why there is nothing to look at.

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
        """What the check looks at."""
        return self.target.name

    @property
    def title(self) -> str:
        """What has to hold."""
        return self.kind.title

    @property
    def about(self) -> str:
        """What the check proves: the first line of its docstring."""
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
