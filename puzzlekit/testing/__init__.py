"""Conformance checks: test what every plugin must satisfy.

In the tests of a plugin, with pytest:

    from puzzlekit.testing.run import parametrize_with_checks

    @parametrize_with_checks("rings")
    def test_conformance(check):
        check()

`pytest --puzzlekit-plugin rings` runs the same checks without such a file, and `puzzlekit
check-plugin rings` without pytest.

>>> from puzzlekit.testing import run_checks
>>> results = list(run_checks("cube2", "quick", only="cube2: moves"))
>>> {result.outcome for result in results}
{'ok'}
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit.testing.checks import Check as Check
    from puzzlekit.testing.checks import CheckFailed as CheckFailed
    from puzzlekit.testing.checks import CheckSkipped as CheckSkipped
    from puzzlekit.testing.run import Result as Result
    from puzzlekit.testing.run import checks_of as checks_of
    from puzzlekit.testing.run import parametrize_with_checks as parametrize_with_checks
    from puzzlekit.testing.run import run_checks as run_checks

# Every start of pytest imports this package, for the module `pytest_plugin`.
__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".checks": "Check CheckFailed CheckSkipped",
        ".run": "Result checks_of parametrize_with_checks run_checks",
    },
)
