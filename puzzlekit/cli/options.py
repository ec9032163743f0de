"""Define the options that several commands share, and load the puzzle that these options name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import wraps
from math import isfinite, nextafter
from os.path import splitext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from puzzlekit import amounts
from puzzlekit.amounts import Amount
from puzzlekit.errors import UsageError, did_you_mean
from puzzlekit.search.limits import LENGTHS, NODES, THREADS, Limits

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from puzzlekit.puzzle.move import Metric
    from puzzlekit.search.method import Method
    from puzzlekit.search.options import SearchOptions
    from puzzlekit.search.solver import Solver

__all__ = [
    "F",
    "Given",
    "Lines",
    "advanced",
    "check_page",
    "complete_goals",
    "complete_heuristics",
    "complete_puzzles",
    "complete_step_methods",
    "completed",
    "defaulted",
    "goal_options",
    "heuristic_option",
    "is_file",
    "limit_options",
    "load_checked",
    "load_puzzle",
    "memory_size",
    "method_option",
    "metric_option",
    "named",
    "nodes",
    "nodes_option",
    "number",
    "order_option",
    "parentheses_option",
    "profile_option",
    "puzzle_option",
    "scheme_option",
    "scramble_argument",
    "search_options",
    "seconds",
    "seed_option",
    "seeds",
    "sort_option",
    "state_option",
    "stickers_options",
    "threads",
    "whole",
]

#: What to write instead of options that people expect: an option with its value, or a sentence.
RENAMED = {
    "--definition": "--puzzle FILE",
    "--cube --type": "--puzzle NAME",
    "--facelets --stickers -s": "--state S",
    "--profile": "--tables NAME",
    "--memory": "--tables SIZE",
    "--goal-state": "--goal state:S",
    "--colors --colours": "--goal 'GOAL colours:ROTATIONS'",
    "--color-scheme --colour-scheme --colour --color --scheme": "--option scheme=S",
    "--view --top --isometric --3d": "--picture top",
    "--machine --robot --arms": "--metric FILE",
    "--best --optimal --short --shortest": "--method optimal",
    "--htm --qtm --stm": "--metric NAME",
    "--fast --limit --time": "--timeout SECONDS",
    "--depth --length --max-depth --max-moves": "--max-length N",
    "--number -n": "--count N",
    "--verbose -v": "--explain",
    "--quiet -q --silent": "progress is on stderr, and '2>/dev/null' hides it",
    "--format --output": "--json",
    "--height --width": "--size N",
    "--gif --animate --animation --apng --video --webm --mp4": "--svg FILE --solution MOVES",
    "--svg --png --gif --animate --video": "'puzzlekit show --svg FILE --solution MOVES' draws it",
}

F = TypeVar("F", bound=Callable[..., Any])
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}
parentheses_option = click.option(
    "--parentheses",
    type=click.Choice(["groups", "inverse", "ask"]),
    default="ask",
    help="What parentheses around moves mean: groups, or moves on the inverse scramble (NISS). "
    "Default: ask, an error if the two meanings differ.",
)
scramble_argument = click.argument("scramble", nargs=-1, metavar="[SCRAMBLE]")


def number(amount: Amount, shown: str = "N") -> Callable[[Any], Any]:
    """Return a function that reads a number.

    The help shows the number as `shown`, without bounds. The types of click show the bounds.
    """

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
    """Return a function that reads a whole number from `least` to `most`."""
    return number(amounts.whole(least, most))


seeds = whole(0, 2**64 - 1)
seconds = number(
    Amount("a finite number of seconds above 0", nextafter(0, 1), sys.float_info.max, whole=False),
    "SECONDS",
)
nodes = whole(1, int(NODES.most))
lengths = number(LENGTHS)
threads = number(THREADS)


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
    least = 1 if number != text else 1000  # a mere 5 lacks its unit
    if unit is None or not isfinite(read) or not least <= read * unit < 2**60:
        raise click.BadParameter(
            f"{amounts.shown(value)} is not an amount of memory such as 500MB or 1GiB"
        )
    return int(read * unit)


def defaulted(name: str, kind: Callable[[Any], Any], default: int, help: str) -> Callable[[F], F]:
    """Return an option for a number. The help of the option shows its default."""
    return click.option(name, type=kind, default=default, help=f"{help}. Default: {default:,}.")


def is_file(name: str | None) -> bool:
    """Whether the value of --puzzle is the path of a definition file, not the name of a puzzle."""
    return name is not None and ("." in name or "/" in name or os.sep in name)


def load_puzzle(name: str | None, memory: int | None = None) -> Solver:
    """Return the solver of the puzzle with a name, or of the puzzle in a definition file.

    `memory` is the largest size in bytes of the tables that are derived for a definition. Raise a
    UsageError that lists the puzzles if no puzzle has the name.
    """
    from puzzlekit.plugins.manager import available, load
    from puzzlekit.search.options import hinted

    if name is None:
        ctx = click.get_current_context(silent=True)
        first = next(iter((ctx and ctx.params.get("scramble")) or ()), "")
        asked = first if is_file(first) else "NAME"
        line = f": write '{ctx.command_path} --puzzle {asked} ...'" if ctx else ""
        raise click.UsageError(
            f"--puzzle is missing{did_you_mean(first, available())}{line}; "
            f"available puzzles: {', '.join(available()) or 'none'}"
        )
    if is_file(name):
        from puzzlekit.cli.progress import Telling
        from puzzlekit.plugins.readers import load_file

        solver = load_file(name, memory)
        solver.store.watchers.append(Telling(solver.announcement))
        return solver
    try:
        return load(name)
    except UsageError as error:
        raise UsageError(hinted(error, did_you_mean(name, available()))) from None


def load_asked(name: str | None, asked: SearchOptions) -> tuple[Solver, SearchOptions]:
    """Return the solver of a puzzle, and the options with what the value of --tables means.

    The value is the name of a profile of the method, or else an amount of memory.
    """
    try:
        memory = None if asked.profile is None else memory_size(asked.profile)
    except click.BadParameter:
        memory = None
    solver = load_puzzle(name, memory)
    if memory is None:
        return solver, asked
    if is_file(name):
        return solver, asked._replace(profile=None)  # already used to derive the method
    if asked.profile in _profiles_of(solver.method(asked.method)):
        return solver, asked
    return solver, asked._replace(profile=None, memory=memory)


def load_checked(
    name: str | None, method: str | None, metric: str | Metric | None = None
) -> Solver:
    """Return the solver of a puzzle; raise a UsageError if it has no such method or metric."""
    from puzzlekit.search.options import SearchOptions, check_names

    solver = load_puzzle(name)
    check_names(solver.catalogue, SearchOptions(method, metric=metric))
    return solver


class Lines(click.File):
    """The type of an option for a file to read. The file `-` is stdin, which may be closed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Open the file."""
        if value == "-":
            if sys.stdin is None:
                self.fail("standard input is closed", param, ctx)
            # A file object of its own. If a thread still waits for a line at the end of the
            # process, Python cannot close sys.stdin, and aborts.
            with suppress(OSError, ValueError):  # a test may replace stdin
                return open(sys.stdin.fileno(), "rb", closefd=False)
        return super().convert(value, param, ctx)


def completed(names: Callable[[click.Context], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a function that completes the last of some names. Errors give no completions."""

    @wraps(names)
    def complete(ctx: click.Context, _: click.Parameter, begun: str) -> list[str]:
        before, comma, last = begun.rpartition(",")
        try:
            fit = [name for name in names(ctx) if name.lower().startswith(last.lower())]
            return [f"{before}{comma}{name}" for name in fit]
        except Exception:  # a message would break the line that the user types
            return []

    return complete


def complete_puzzles(
    ctx: click.Context, param: click.Parameter, begun: str
) -> list[CompletionItem] | list[str]:
    """Return the names of puzzles that begin so, or let the shell complete a file."""
    from click.shell_completion import CompletionItem

    from puzzlekit.plugins.manager import available

    if is_file(begun):
        return [CompletionItem(begun, type="file")]  # click.Path() would load translations
    return completed(lambda _: available())(ctx, param, begun)


def named(ctx: click.Context) -> Solver:
    """Return the solver of the puzzle that the command line names so far."""
    return load_puzzle(ctx.params.get("puzzle"))


complete_goals = completed(lambda ctx: named(ctx).catalogue.goals)
complete_rankings = completed(lambda ctx: ["length", *named(ctx).catalogue.rankings])
complete_step_methods = completed(lambda ctx: named(ctx).catalogue.step_methods)
# These complete names for the puzzle and the method that stand before on the command line.
complete_methods = completed(lambda ctx: [each.name for each in named(ctx).methods])
complete_metrics = completed(
    lambda ctx: [each.name for each in named(ctx).catalogue.metrics(ctx.params.get("method"))]
)


@completed
def complete_heuristics(_: click.Context) -> Iterable[str]:
    """Return the names of all heuristics."""
    from puzzlekit.search.estimates import heuristics

    return [heuristic.name for heuristic in heuristics()]


complete_profiles = completed(lambda ctx: _profiles_of(named(ctx).method(ctx.params.get("method"))))


def _profiles_of(method: Method) -> list[str]:
    return [*filter(None, [method.profile, *(each.name for each in method.larger)])]


def _metric(_: click.Context, __: click.Parameter, value: str | None) -> str | Metric | None:
    """Return the metric in the file if the value is the path of a file, else the value."""
    if value is None or not splitext(value)[1]:
        return value
    from puzzlekit.plugins.readers import load_metric

    return load_metric(value)


puzzle_option = click.option(
    "-p",
    "--puzzle",
    metavar="NAME",
    shell_complete=complete_puzzles,
    help="Name of the puzzle, or a file that defines one, such as cube.tws. 'puzzlekit puzzles' "
    "lists the names, and 'puzzlekit plugins' the endings of files.",
)


def _method_option(what: str) -> Callable[[F], F]:
    return click.option(
        *("-m", "--method"),
        metavar="NAME",
        shell_complete=complete_methods,
        help=f"{what}; 'puzzlekit puzzles' lists the methods.",
    )


method_option = _method_option("Name of the method")
coordinates_method_option = _method_option("Method whose coordinates are used")
metric_option = click.option(
    "--metric",
    metavar="NAME",
    shell_complete=complete_metrics,
    callback=_metric,
    help="Metric that counts the moves, such as HTM or QTM, or a file that describes a metric, "
    "such as robot.toml.",
)


def check_page(path: str) -> None:
    """Raise a UsageError if no page can be written to this file."""
    from pathlib import Path

    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{path}: the name of a page must end in .html")
    if not Path(path).parent.is_dir():
        raise UsageError(f"{path}: the directory {Path(path).parent} does not exist")


sort_option = click.option(
    "--sort",
    metavar="NAME",
    shell_complete=complete_rankings,
    callback=_metric,
    help="List the answers with the least cost in this metric first: length, HTM, ergonomic, "
    "another metric, or a file that describes a metric, such as hands.toml. Nothing is printed "
    "before the end of the search.",
)
heuristic_option = click.option(
    "--heuristic",
    metavar="NAME",
    shell_complete=complete_heuristics,
    help="Heuristic that combines the distances of several tables into one estimate: max, sum, "
    "max-sd, max-sum, euclid or blended. Parameters follow a colon: blended:a=3,d=1.5. Phases "
    "can have different heuristics: 0=max/1=euclid.",
)
profile_option = click.option(
    "--profile",
    metavar="NAME",
    shell_complete=complete_profiles,
    help="Set of tables, if the method has several sets; 'puzzlekit tables list' shows the "
    "profiles.",
)
tables_option = click.option(
    "--tables",
    "profile",
    metavar="NAME|SIZE",
    shell_complete=complete_profiles,
    help="Set of tables: the name of a profile, or the memory that the largest set may take, such "
    "as 1.5GiB. 'puzzlekit tables list' shows the profiles.",
)
seed_option = click.option(
    "--seed", type=seeds, help="Seed of the random choices; the same seed gives the same choices."
)


class Given(NamedTuple):
    """The position on the command line: a scramble or a state, and how stickers are read."""

    scramble: tuple[str, ...] = ()
    state: str | None = None
    scheme: str | None = None
    order: str | None = None

    @property
    def sources(self) -> dict[str, bool]:
        """Map each way of giving a position to whether the command line uses it."""
        return {"a scramble": bool(self.scramble), "--state": self.state is not None}


order_option = click.option(
    "--order",
    metavar="S",
    help="Order of the stickers: 'faces' (face by face), 'net' (row by row, as in the printed "
    "net), or the letters of the faces in the order of the text, such as ULFRBD. Default: 'net' if "
    "only this order gives a possible state, else 'faces'.",
)
scheme_option = click.option(
    "--scheme",
    metavar="S",
    help="Colours of the faces: the name of a scheme, or one symbol for each face in the order of "
    "the faces. Default: the scheme that fits the stickers.",
)


def state_option(command: F) -> F:
    """Add the option --state. The command gets the position as its argument `given`."""

    @wraps(command)
    def with_given(**asked: Any) -> Any:
        given = {name: asked.pop(name) for name in Given._fields if name in asked}
        return command(given=Given(**given), **asked)

    option = click.option(
        "--state",
        metavar="S",
        help="State, not moves: stickers (one symbol each, face by face), vectors 'cp=0,1,... "
        "co=0,1,...', coordinates of the method 'flip=12 slice=3', or the format of a definition "
        "file, also as the name of a file.",
    )
    return cast(F, option(with_given))


class AdvancedOption(click.Option):
    """The option --option NAME=VALUE, which sets one of the `declared` options."""

    def __init__(self, declared: Mapping[str, click.Option]) -> None:
        names = ", ".join(declared)
        super().__init__(
            ["-o", "--option", "advanced"],
            multiple=True,
            metavar="NAME=VALUE",
            shell_complete=completed(lambda _: [f"{name}=" for name in declared]),
            help=f"Set an option that is rarely needed (-o help explains them): {names}.",
        )
        self.declared = declared

    def values(self, ctx: click.Context, given: Iterable[str]) -> dict[str, Any]:
        """Return the values of all declared options by the names of their parameters."""
        found: dict[str, Any] = {
            str(each.name): False if each.is_flag else None for each in self.declared.values()
        }
        for text in given:
            name, sign, value = text.partition("=")
            param = self.declared.get(name)
            if name == "help" and not sign:
                self._explain(ctx)
            if param is None or not (sign or param.is_flag):
                known = " ".join(f"{each}=..." for each in self.declared)
                hint = did_you_mean(name, [*self.declared])
                own = [f"--{text[-3:]}", "--output"] if "." in text else []
                of_file = (each for each in own for p in ctx.command.params if each in p.opts)
                if option := next(of_file, ""):
                    hint = f" (did you mean {option} {text}?)"
                raise click.UsageError(
                    f"--option {text!r} is not NAME=VALUE{hint}, with one of {known}"
                )
            try:
                found[str(param.name)] = param.process_value(ctx, value if sign else True)
            except click.BadParameter as error:
                raise click.BadParameter(error.message, param_hint=f"'--option {name}'") from None
        return found

    def _explain(self, ctx: click.Context) -> None:
        formatter = ctx.make_formatter()
        rows = [
            (name if each.is_flag else f"{name}={each.metavar or each.type.name}", each.help or "")
            for name, each in self.declared.items()
        ]
        formatter.write_dl(rows)
        click.echo(formatter.getvalue().rstrip("\n"))
        ctx.exit()


def advanced(*declared: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that adds --option NAME=VALUE for options that are rarely needed.

    `declared` are decorators of click. The command gets their values as if they were its options.
    Put the decorator above those that collect such values, such as `state_option`.
    """

    def probe() -> None: ...

    for each in reversed(declared):
        each(probe)
    params: list[click.Option] = list(reversed(getattr(probe, "__click_params__", [])))
    option = AdvancedOption({each.opts[0].removeprefix("--"): each for each in params})

    def add(command: F) -> F:
        @wraps(command)
        def with_advanced(advanced: tuple[str, ...], **given: Any) -> Any:
            ctx = click.get_current_context()
            return command(**given, **option.values(ctx, advanced))

        # The first parameter stands last in the help.
        own = [option, *getattr(command, "__click_params__", [])]
        with_advanced.__click_params__ = own  # type: ignore[attr-defined]
        return cast(F, with_advanced)

    return add


stickers_options = advanced(scheme_option, order_option)


def goal_options(command: F) -> F:
    """Add the options that state a goal. They belong to the argument `asked`."""
    goal = click.option(
        "-g",
        "--goal",
        metavar="GOAL",
        shell_complete=complete_goals,
        help="Reach this goal instead of the solved state: a name such as cross, conditions such "
        "as 'solved:UF,UR oriented:edges', or alternatives with 'or'. 'colours:any' also accepts "
        "the goal after rotations. 'stickers:UUUU....' are stickers to reach, a dot for any, and "
        "'state:R U' is another state. 'puzzlekit puzzles' lists the names.",
    )
    moves = click.option(
        "--moves",
        metavar="LIST",
        help="Moves to use, such as R,U2,F. R means all turns of R; R1, R2 and R' mean only this "
        "turn. Default: the moves of the default method.",
    )
    return goal(moves(command))


def search_options(command: F) -> F:
    """Add the options that say how to search.

    The command gets the values of these options as its argument `asked`.
    """

    @wraps(command)
    def with_asked(**given: Any) -> Any:
        from puzzlekit.search.options import SearchOptions

        named = [name for name in SearchOptions._fields if name in given]
        asked = SearchOptions(**{name: given.pop(name) for name in named})
        return command(asked=asked, **given)

    return cast(F, method_option(metric_option(tables_option(with_asked))))


nodes_option = click.option(
    "--max-nodes",
    type=nodes,
    help="Stop after this many nodes with the best answer so far. With one thread the answer is "
    "repeatable.",
)


def limit_options(command: F) -> F:
    """Add the options that limit a search.

    The command gets the values of these options as its argument `limits`.
    """

    @wraps(command)
    def with_limits(**given: Any) -> Any:
        own = {name: given.pop(name) for name in Limits._fields if name in given}
        limits = Limits(**{name: value for name, value in own.items() if value is not None})
        return command(limits=limits, **given)

    for option in (
        click.option("--threads", type=threads, help="Number of threads. Default: 1."),
        click.option(
            "-t",
            "--timeout",
            type=seconds,
            help="Stop after this time with the best answer so far. Building tables is extra.",
        ),
        click.option(
            "--max-length",
            type=lengths,
            help="Stop at the first answer of length N or less. A method that proves its answers "
            "goes on until the shortest answer is proven.",
        ),
    ):
        with_limits = option(with_limits)
    return cast(F, with_limits)
