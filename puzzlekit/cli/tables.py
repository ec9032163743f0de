"""`puzzlekit tables`: manage the tables on disk."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Group, options
from puzzlekit.cli.output import (
    columns,
    echo_json,
    exit_code,
    is_terminal,
    print_error,
    printable,
    say,
    several,
    size,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from puzzlekit.search.options import SearchOptions
    from puzzlekit.search.solver import Solver
    from puzzlekit.tables.files import StoredFile
    from puzzlekit.tables.store import TableStore

_FIELDS = ("puzzle", "name", "purpose", "path", "nbytes", "seconds", "problem")


@click.group(
    "tables", cls=Group, no_args_is_help=True, short_help="List, build, verify, clear tables."
)
def command() -> None:
    """List, build, verify and clear the tables that searches use.

    A search builds its tables at the first use and keeps the tables on disk. So you need not build
    tables before you solve. The environment variable PUZZLEKIT_CACHE sets the directory of tables.

    \b
    Examples
      puzzlekit tables list
      puzzlekit tables build cube3
      puzzlekit tables clear --stale
    """


@command.command("list", short_help="List the tables on disk.")
@click.argument("puzzle", required=False, shell_complete=options.complete_puzzles)
@click.option("--all", "every", is_flag=True, help="List each table of each puzzle.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def list_tables(puzzle: str | None, every: bool, json_lines: bool) -> int:
    """List the puzzles that have tables on disk, and the sets of tables that can be chosen.

    With PUZZLE, list the tables that this puzzle uses, with their size, build time and purpose.
    Other puzzles may use some of them too. The option --all lists the tables of all puzzles.

    \b
    Examples
      puzzlekit tables list
      puzzlekit tables list cube4
    """
    from puzzlekit.plugins.manager import available
    from puzzlekit.tables.store import TableStore

    store = TableStore()
    found = store.entries()
    if puzzle is not None:
        from puzzlekit.search.options import all_table_keys

        solver = options.load_puzzle(puzzle)
        puzzle = solver.puzzle.name
        used = {key.fingerprint for key in all_table_keys(solver.chooser)}
        found = [each for each in found if each.puzzle == puzzle or each.fingerprint in used]
    names = [puzzle] if puzzle else available()
    sizes = [each for name in names for each in _profiles(name, store)]
    if json_lines:
        listed = [{name: getattr(stored, name) for name in _FIELDS} for stored in found]
        echo_json("tables", directory=store.root, tables=listed, profiles=sizes)
        return 0
    detailed = found
    if found and not (every or puzzle):
        rows = [["puzzle", "tables", "size", "built in"]]
        for name in sorted({stored.puzzle for stored in found}):
            own = [stored for stored in found if stored.puzzle == name]
            took, nbytes = sum(each.seconds for each in own), sum(each.nbytes for each in own)
            rows.append([name, f"{len(own):,}", size(nbytes), f"{took:.2f} s"])
        click.echo(columns(rows, right=[1, 2, 3]))
        detailed = [stored for stored in found if stored.problem]
    if detailed:
        rows = [["puzzle", "size", "built in", "table", "purpose"]]
        for stored in detailed:
            seconds = "-" if stored.problem else f"{stored.seconds:.2f} s"
            purpose = stored.purpose or f"unusable: {stored.problem}"
            rows.append([stored.puzzle, size(stored.nbytes), seconds, stored.name, purpose])
        click.echo(_fitted(columns(rows, right=[1, 2])))
    click.echo(f"{_summed(found)}, in {store.root}")
    if sizes:
        rows = [["puzzle", "method", "profile", "metric", "size", "advantage", "on disk"]]
        for each in sizes:
            words = [each["puzzle"], each["method"], each["profile"], each["metric"]]
            how = "puzzlekit tables build {} --method {} --tables {} --metric {}".format(*words)
            there = "yes" if each["on_disk"] else f"no: {how}"
            rows.append([*words, size(each["nbytes"]), each["brings"], there])
        click.echo(f"\n{columns(rows, right=[4])}")
    return 0


def _profiles(name: str, store: TableStore) -> Iterator[dict[str, Any]]:
    """Yield a record of each profile, for the methods with several profiles."""
    from puzzlekit.errors import PuzzlekitError
    from puzzlekit.search.options import profile_keys, profiles

    try:
        solver = options.load_puzzle(name)
    except PuzzlekitError:  # reported by 'puzzlekit plugins'
        return
    for method in solver.methods:
        default = solver.metric(method.name)
        for metric in solver.catalogue.metrics(method.name) if method.larger else ():
            larger = {own.name: own for own in method.larger if own.exists_in(metric)}
            for each in profiles(method, metric):
                declared = larger.get(each.profile)
                known = declared is None or declared.exists_in(default)
                if known and metric is not default:
                    continue  # listed in the default metric
                keys = profile_keys(solver.chooser.plan, each, metric)
                yield {
                    "puzzle": name,
                    "method": method.name,
                    "profile": each.profile,
                    "metric": metric.name,
                    "nbytes": sum(key.nbytes for key in keys),
                    "brings": declared.brings if declared else "",
                    "on_disk": all(map(store.has, keys)),
                }


def _summed(found: Sequence[StoredFile]) -> str:
    """Format the number of tables and their total size."""
    return f"{several(len(found), 'table')}, {size(sum(stored.nbytes for stored in found))}"


def _fitted(text: str) -> str:
    """Cut the lines of a text to the width of the terminal if stdout is a terminal."""
    import shutil

    if not is_terminal():
        return text
    width = max(shutil.get_terminal_size().columns, 20)
    return "\n".join(
        line if len(line) <= width else line[: width - 3] + "..." for line in text.split("\n")
    )


@command.command("build", short_help="Build tables before they are needed.")
@click.argument("puzzle", required=False, shell_complete=options.complete_puzzles)
@options.search_options
@click.option("--all", "everything", is_flag=True, help="Build for all methods and metrics.")
def build(puzzle: str | None, asked: SearchOptions, everything: bool) -> int:
    """Build the tables of PUZZLE, or of all puzzles, before they are needed.

    PUZZLE may be a file that defines a puzzle. Without options, build the tables that 'solve'
    without options uses. A search uses the largest profile of its method that is on disk. The exit
    code is 4 if a table cannot be kept on disk.

    \b
    Examples
      puzzlekit tables build
      puzzlekit tables build cube3
      puzzlekit tables build cube3 --tables large
      puzzlekit tables build cube3 --method optimal --tables 1.5GiB
      puzzlekit tables build cube3 --method two-phase --metric QTM
      puzzlekit tables build cube2 --all
    """
    from puzzlekit.errors import PuzzlekitError
    from puzzlekit.plugins.manager import available

    chosen = any(asked)
    if everything and chosen:
        raise click.UsageError(
            "--all builds all methods and metrics: omit --method, --metric and --tables"
        )
    if puzzle is not None:
        return _build(*options.load_asked(puzzle, asked), everything)
    if chosen:
        raise click.UsageError("--method, --metric and --tables need a PUZZLE")
    worst = 0
    for name in available():
        try:
            _build(options.load_puzzle(name), asked, everything)
        except PuzzlekitError as error:
            print_error(error)
            worst = max(worst, exit_code(error))
    return worst


def _build(solver: Solver, asked: SearchOptions, everything: bool) -> int:
    """Build the missing tables, for all methods and metrics if `everything` is true."""
    from puzzlekit.cli.progress import building
    from puzzlekit.errors import TableError
    from puzzlekit.search.options import check_names, table_keys

    check_names(solver.catalogue, asked)
    every = [
        asked._replace(method=method.name, metric=metric)
        for method in solver.methods
        for metric in solver.catalogue.metrics(method.name)
    ]
    for each in every if everything else [asked]:
        choice = solver.choose(each)
        with building(solver, partial(table_keys, choice)) as builds:
            solver.prepared(*each[:5])  # which derives a method, too
        count = builds.count
        built = f"{several(count, 'table')} built" if count else "all tables are already on disk"
        lost = sum(not solver.store.has(key) for key in table_keys(choice))
        names = (solver.puzzle.name, choice.method.name, choice.metric.name, choice.method.profile)
        what = " ".join(filter(None, names))
        if lost:
            raise TableError(
                f"{what}: {several(lost, 'table')} could not be kept in {solver.store.root}"
            )
        click.echo(f"{what}: {built}")
    return 0


@command.command("verify", short_help="Compare the checksums of all tables.")
def verify() -> int:
    """Read all tables and compare the data with the checksums.

    The exit code is 4 if a table is damaged. A damaged table is built again at its next use.

    \b
    Example
      puzzlekit tables verify
    """
    from puzzlekit.tables.store import TableStore

    store = TableStore()
    found = store.verify()
    damaged = [(stored, problem) for stored, problem in found if problem]
    for stored, problem in damaged:
        say(f"error: {stored.path}: {problem}")
    said = f"{len(damaged)} damaged" if damaged else "none damaged"
    click.echo(f"{_summed([stored for stored, _ in found])}, in {store.root}: {said}")
    return 4 if damaged else 0


@command.command("clear", short_help="Remove all tables, the tables of a puzzle, or stale tables.")
@click.argument("puzzle", required=False, shell_complete=options.complete_puzzles)
@click.option("--stale", is_flag=True, help="Only tables of other versions that no method uses.")
@click.option("--goals", is_flag=True, help="Only tables that nothing but goals uses.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def clear(puzzle: str | None, stale: bool, goals: bool, yes: bool) -> int:
    """Remove all tables from disk, or only the tables of PUZZLE, stale tables, or those of goals.

    On a terminal, the command asks first. Removed tables are built again when they are needed. A
    table is stale if another version of puzzlekit built it and no method uses it. The tables of
    goals are those that only --goal, --moves, 'steps' and 'find' have used: the cache keeps up to
    2 GB of them. The exit code is 4 if a file cannot be removed.

    \b
    Examples
      puzzlekit tables clear --stale
      puzzlekit tables clear --goals
      puzzlekit tables clear cube2
    """
    import os
    import sys
    import warnings
    from contextlib import suppress

    from puzzlekit.cli.progress import on_terminal
    from puzzlekit.errors import PuzzlekitError, did_you_mean
    from puzzlekit.plugins.manager import available, manager
    from puzzlekit.tables.store import TableStore

    store = TableStore()
    stored = store.entries()
    if puzzle is not None:
        known = available()
        # The tables of a puzzle that is no longer installed have its name as their directory.
        there = {os.path.basename(os.path.dirname(each.path)) for each in stored}
        there.update(known, (each.puzzle for each in stored))
        if puzzle not in there:
            with suppress(PuzzlekitError):
                puzzle = manager().entry(puzzle).name
        if puzzle not in there:
            raise click.UsageError(
                f"there is neither a puzzle {puzzle!r} nor a table of such a puzzle"
                f"{did_you_mean(puzzle, known)}; available puzzles: {', '.join(known) or 'none'}"
            )
    keep = _in_use(stored) if stale else ()

    def agreed(found: list[StoredFile]) -> bool:
        asks = found and not yes and on_terminal() and sys.stdin and sys.stdin.isatty()
        return not asks or click.confirm(f"Remove {_summed(found)}, from {store.root}?", err=True)

    with warnings.catch_warnings(record=True) as problems:
        warnings.simplefilter("always")
        removed = store.clear(keep=keep, puzzle=puzzle, for_goals=goals, agreed=agreed)
    for problem in problems:
        say(f"error: {printable(str(problem.message))}")
    click.echo(f"removed {_summed(removed)}, from {store.root}")
    return 4 if problems else 0


def _in_use(stored: list[StoredFile]) -> set[str]:
    """Return the fingerprints of all tables that `clear --stale` keeps.

    These are the tables that installed puzzles may use, and all tables that this version built. A
    table of this version may belong to a metric, a definition or a search of the user, and these
    cannot be listed. If a plugin is broken, its puzzles are unknown. Then the tables of all unknown
    puzzles are kept too.
    """
    from puzzlekit.plugins.manager import available, manager
    from puzzlekit.search.options import all_table_keys
    from puzzlekit.version import __version__

    own = {each.fingerprint for each in stored if each.version == __version__}
    names = available()
    # Puzzles of families cannot be listed, so take those that have tables.
    names += sorted({each.puzzle for each in stored if _is_of_family(each.puzzle)} - set(names))
    used = {
        key.fingerprint
        for name in names
        for key in all_table_keys(options.load_puzzle(name).chooser)
    }
    keep = own | used
    broken = [plugin.name for plugin in manager().plugins if plugin.problem]
    unknown = {each.fingerprint for each in stored if each.puzzle not in names} - keep
    if broken and unknown:
        told = ", ".join(broken)
        say(f"warning: tables of unknown puzzles are kept, because plugins are broken: {told}")
        keep |= unknown
    return keep


def _is_of_family(puzzle: str) -> bool:
    """Whether a name belongs to a puzzle of some family."""
    from puzzlekit.errors import UsageError
    from puzzlekit.plugins.manager import manager

    try:
        return any(family.entry(puzzle) is not None for family in manager().families())
    except UsageError:  # of a size that no longer exists
        return False


@command.command("path", short_help="Print the directory of the tables.")
def path() -> int:
    """Print the directory of the tables.

    \b
    Example
      du -sh "$(puzzlekit tables path)"
    """
    from puzzlekit.tables.files import default_cache_directory

    click.echo(default_cache_directory())
    return 0
