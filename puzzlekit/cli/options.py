"""Options that several commands share, and the puzzle that they name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from math import isfinite, nextafter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from puzzlekit import amounts
from puzzlekit.amounts import Amount
from puzzlekit.errors import UsageError
from puzzlekit.run.limits import LENGTHS, NODES, THREADS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from puzzlekit.puzzle.machine import Machine
    from puzzlekit.solve.solver import Solver

F = TypeVar("F", bound=Callable[..., Any])


def number(amount: Amount, shown: str = "N") -> Callable[[Any], Any]:
    """Read a number. The help shows it as `shown`, without bounds, unlike click's own types."""

    def read(value: Any) -> Any:
        try:
            given = int(value) if amount.whole else float(value)
        except ValueError:
            given = value
        try:
            return amount.check(given)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    read.__name__ = shown  # click shows this name
    return read


def whole(least: int, most: int) -> Callable[[Any], int]:
    """Read a whole number within bounds."""
    return number(amounts.whole(least, most))


seeds = whole(0, 2**64 - 1)
seconds = number(
    Amount("a finite number of seconds above 0", nextafter(0, 1), sys.float_info.max, whole=False),
    "SECONDS",
)
nodes = number(NODES._replace(least=1))
lengths = number(LENGTHS)
threads = number(THREADS)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}


def memory_size(value: Any) -> int:
    """Read an amount of memory, in bytes or with a unit, such as 500MB or 1.5GiB.

    >>> memory_size("1GiB"), memory_size("1.5 MB")
    (1073741824, 1500000)
    """
    text = str(value).strip().upper()
    number = text.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    unit = _UNITS.get(text[len(number) :].removesuffix("B"))
    try:
        read = float(number)
    except ValueError:
        unit = None
    if unit is None or not isfinite(read) or not 0 < read * unit < 2**60:
        raise click.BadParameter(
            f"{amounts.shown(value)} is not an amount of memory such as 500MB or 1GiB"
        )
    return int(read * unit)


def defaulted(name: str, kind: Callable[[Any], Any], default: int, help: str) -> Callable[[F], F]:
    """Make an option that takes a number and shows its default in the help."""
    return click.option(name, type=kind, default=default, help=f"{help}. Default: {default:,}.")


def load_puzzle(
    name: str | None, definition: str | None = None, memory: int | None = None
) -> Solver:
    """Return the solver of a named puzzle or of a definition file.

    `memory` limits the tables of the method that is derived for a definition.

    Raise a UsageError that lists the puzzles if no puzzle has that name.
    """
    if definition is not None:
        if name is not None:
            raise click.UsageError("--puzzle and --definition cannot be combined")
        from puzzlekit.analysis.derive.derive import MEMORY
        from puzzlekit.definition.load import load_definition

        return load_definition(definition, memory=memory or MEMORY)
    from puzzlekit.plugins.manager import available, load

    if name is None:
        ctx = click.get_current_context(silent=True)
        line = f"; write '{ctx.command_path} --puzzle NAME ...'" if ctx else ""
        raise click.UsageError(
            f"--puzzle is missing; available puzzles: {', '.join(available()) or 'none'}{line}"
        )
    try:
        return load(name)
    except UsageError as error:
        from puzzlekit.solve.unknown_names import did_you_mean

        raise UsageError(f"{error}{did_you_mean(name, available())}") from None


def load_checked(
    name: str | None,
    definition: str | None,
    method: str | None,
    metric: str | Machine | None = None,
) -> Solver:
    """Return the solver as `load_puzzle` does, after checking the names of method and metric."""
    from puzzlekit.solve.choice import SearchOptions
    from puzzlekit.solve.unknown_names import check_names

    solver = load_puzzle(name, definition)
    check_names(solver, SearchOptions(method, metric=metric))
    return solver


class Lines(click.File):
    """A file to read, or stdin, which may be closed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Open the file."""
        if value == "-" and sys.stdin is None:
            self.fail("standard input is closed", param, ctx)
        return super().convert(value, param, ctx)


def _completed(names: Callable[[click.Context], Iterable[str]]) -> Callable[..., list[str]]:
    """Complete an option from the names with the same beginning. Errors give no completion."""

    @wraps(names)
    def complete(ctx: click.Context, _: click.Parameter, begun: str) -> list[str]:
        try:
            return [name for name in names(ctx) if name.lower().startswith(begun.lower())]
        except Exception:  # an error message in the middle of a line helps nobody
            return []

    return complete


@_completed
def complete_puzzles(_: click.Context) -> Iterable[str]:
    """Return the names of all puzzles."""
    from puzzlekit.plugins.manager import available

    return available()


@_completed
def complete_events(_: click.Context) -> Iterable[str]:
    """Return the names of all events."""
    from puzzlekit.plugins.manager import manager

    return [each.name for each in manager().events()]


def _named(ctx: click.Context) -> Solver:
    return load_puzzle(ctx.params.get("puzzle"), ctx.params.get("definition"))


# For the puzzle and the method that the line names before.
complete_methods = _completed(lambda ctx: [each.name for each in _named(ctx).methods])
complete_metrics = _completed(
    lambda ctx: [each.name for each in _named(ctx).metrics(ctx.params.get("method"))]
)


@_completed
def complete_heuristics(_: click.Context) -> Iterable[str]:
    """Return the names of all heuristics."""
    from puzzlekit.heuristic.registry import heuristics

    return [heuristic.name for heuristic in heuristics()]


@_completed
def complete_profiles(ctx: click.Context) -> Iterable[str]:
    """Return the names of the profiles of the method that the line names before."""
    method = _named(ctx).method(ctx.params.get("method"))
    return filter(None, [method.profile, *(each.name for each in method.larger)])


def _complete_files(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


def _machine(_: click.Context, __: click.Parameter, value: str | None) -> str | Machine | None:
    """Read the machine if the metric is the path of a file."""
    if value is None or not value.lower().endswith(".toml"):
        return value
    from puzzlekit.puzzle.machine_file import read_machine

    return read_machine(value)


definition_option = click.option(
    "--definition",
    metavar="FILE",
    shell_complete=_complete_files,  # click.Path() would make each command load translations
    help="File that defines the puzzle: .tws (twsearch), .def (ksolve) or .json (KPuzzle).",
)


def puzzle_option(command: F) -> F:
    """Add the options that name the puzzle."""
    named = click.option(
        "-p",
        "--puzzle",
        metavar="NAME",
        shell_complete=complete_puzzles,
        help="Name of the puzzle; 'puzzlekit puzzles' lists them.",
    )
    return named(definition_option(command))


method_option = click.option(
    "--method",
    metavar="NAME",
    shell_complete=complete_methods,
    help="Method of solving; 'puzzlekit puzzles' lists them.",
)
coordinates_method_option = click.option(
    "--method",
    metavar="NAME",
    shell_complete=complete_methods,
    help="Method of the coordinates; 'puzzlekit puzzles' lists them.",
)
metric_option = click.option(
    "--metric",
    metavar="NAME",
    shell_complete=complete_metrics,
    callback=_machine,
    help="How moves are counted, such as HTM or QTM, or a .toml file that describes a machine.",
)
heuristic_option = click.option(
    "--heuristic",
    metavar="NAME",
    shell_complete=complete_heuristics,
    help="How distances are combined into one estimate: max, sum, max-sd, euclid or blended. "
    "Parameters follow a colon: blended:a=3,d=1.5. Phases can differ: 0=max/1=euclid.",
)
profile_option = click.option(
    "--profile",
    metavar="NAME",
    shell_complete=complete_profiles,
    help="Which set of tables, if the method has several; 'puzzlekit tables list' shows them.",
)
memory_option = click.option(
    "--memory",
    type=memory_size,
    metavar="SIZE",
    help="Use the largest tables that fit into this much memory, such as 500MB or 1GiB.",
)
seed_option = click.option(
    "--seed", type=seeds, help="Seed of the random choices; the same seed repeats them."
)
scramble_argument = click.argument("scramble", nargs=-1, metavar="[SCRAMBLE]")


class Given(NamedTuple):
    """A position as the user gives it: the words of a scramble, or one of the options."""

    scramble: tuple[str, ...] = ()
    facelets: str | None = None
    vectors: str | None = None
    coordinates: str | None = None
    defined: str | None = None
    scheme: str | None = None

    @property
    def sources(self) -> dict[str, bool]:
        """The ways to give a position, and whether each is used."""
        return {
            "a scramble": bool(self.scramble),
            "--facelets": self.facelets is not None,
            "--vectors": self.vectors is not None,
            "--from-coordinates": self.coordinates is not None,
            "--state": self.defined is not None,
        }


def state_options(command: F) -> F:
    """Add the options that give a state instead of a scramble. The command gets them as `given`."""

    @wraps(command)
    def with_given(**asked: Any) -> Any:
        given = {name: asked.pop(name) for name in Given._fields if name in asked}
        return command(given=Given(**given), **asked)

    for option in (
        click.option(
            "--scheme",
            metavar="S",
            help="Colours of the faces: the name of a scheme, or the symbols in the order of the "
            "faces. Default: detected from the stickers.",
        ),
        click.option(
            "--vectors",
            metavar="S",
            help="A state as vectors, 'cp=0,1,... co=0,1,...': for each place the number of its "
            "piece, from 0, and how it is turned. 'puzzlekit puzzles' lists vectors and places.",
        ),
        click.option(
            "--state",
            "defined",
            metavar="S",
            help="With --definition: a state in the format of that file, or a file with a state.",
        ),
        click.option(
            "--facelets",
            metavar="S",
            help="A state as its stickers, face by face. For puzzles with numbered pieces: the "
            "numbers, row by row.",
        ),
    ):
        with_given = option(with_given)
    return cast(F, with_given)


coordinates_option = click.option(
    "--from-coordinates",
    "coordinates",
    metavar="S",
    help="A state as the coordinates of a method, 'permutation=12 orientation=3'; 'puzzlekit show "
    "--coordinates' prints them.",
)


def search_options(command: F) -> F:
    """Add the options that say how to search. The command gets them as `asked`."""

    @wraps(command)
    def with_asked(**given: Any) -> Any:
        from puzzlekit.solve.choice import SearchOptions

        asked = SearchOptions(**{name: given.pop(name) for name in SearchOptions._fields})
        return command(asked=asked, **given)

    with_asked = heuristic_option(metric_option(profile_option(memory_option(with_asked))))
    return cast(F, method_option(with_asked))
