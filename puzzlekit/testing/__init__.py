"""Conformance checks: test what every plugin must satisfy.

In the tests of a plugin, with pytest:

    from puzzlekit.testing.run import parametrize_with_checks

    @parametrize_with_checks("rings")
    def test_conformance(check):
        check()

`puzzlekit check-plugin rings` runs the same checks without pytest.

>>> from puzzlekit.testing import run_checks
>>> results = list(run_checks("cube2", "quick", only="cube2: moves"))
>>> {result.outcome for result in results}
{'ok'}
"""

from puzzlekit.testing.checks import Check, CheckFailed, CheckSkipped
from puzzlekit.testing.run import Result, checks_of, parametrize_with_checks, run_checks

__all__ = [
    "Check",
    "CheckFailed",
    "CheckSkipped",
    "Result",
    "checks_of",
    "parametrize_with_checks",
    "run_checks",
]
