"""`puzzlekit find`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.output import echo_json, json_line

if TYPE_CHECKING:
    from puzzlekit.analysis.find.find import Finder, Found
    from puzzlekit.puzzle.puzzle import Puzzle


def _amounts(value: Any) -> tuple[int, ...]:
    """Read whole numbers separated by commas."""
    try:
        return tuple(int(each) for each in str(value).replace(",", " ").split())
    except ValueError:
        raise click.BadParameter(f"{value!r} are no whole numbers, such as 0,1") from None


@click.command("find", cls=Command, short_help="Find all sequences of moves with some effect.")
@options.puzzle_option
@click.option(
    "--moves",
    metavar="LIST",
    help="The moves: R for all turns of R, R1 or R2 for one of them; as R,U2,F. Those of the "
    "default method unless given.",
)
@options.metric_option
@click.option("--max-length", type=options.lengths, help="The longest sequences to look for.")
@click.option(
    "--min-length", type=options.lengths, default=1, help="The shortest ones; 1 unless given."
)
@click.option(
    "--effect",
    metavar="CYCLES",
    help="What is moved, as '(URF UBR)(UF UR UB)'; '(URF)+' turns in place. All else stays.",
)
@click.option("--to", metavar="MOVES", help="The effect of these moves, or a state to be reached.")
@click.option("--to-facelets", metavar="S", help="A state to be reached, as its stickers.")
@click.option("--to-vectors", metavar="S", help="A state to be reached, as vectors.")
@click.option("--scheme", metavar="S", help="Which colours the faces of the stickers have.")
@click.option(
    "--keep", metavar="PIECES", help="Pieces, or whole kinds of them, that stay as they are."
)
@click.option("--keep-placed", metavar="PIECES", help="Pieces that stay, but may be twisted.")
@click.option("--keep-oriented", metavar="PIECES", help="Pieces that may move, but not be twisted.")
@click.option("--free", metavar="PIECES", help="Pieces that do not matter.")
@click.option(
    "--ignore-orientation", is_flag=True, help="The effect says where pieces go, twisted or not."
)
@click.option("--nontrivial", is_flag=True, help="Leave out what does nothing, or one move's work.")
@click.option(
    "--orientations",
    type=_amounts,
    metavar="LIST",
    help="Only what turns pieces by these amounts, as 0,1.",
)
@click.option(
    "--unique", is_flag=True, help="Of sequences alike by symmetry or undone, only the first."
)
@click.option("--count", is_flag=True, help="Print only how many there are.")
@click.option("--limit", type=options.whole(1, 10**9), help="Stop after this many sequences.")
@options.memory_option
@click.option("--max-nodes", type=options.nodes, help="Stop after this many.")
@click.option("--timeout", type=options.seconds, help="Stop after so long.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object a line.")
def command(
    puzzle: str | None,
    definition: str | None,
    to: str | None,
    to_facelets: str | None,
    to_vectors: str | None,
    scheme: str | None,
    timeout: float | None,
    max_nodes: int | None,
    count: bool,
    limit: int | None,
    json_lines: bool,
    **asked: Any,
) -> int:
    """Find all sequences of moves up to a length that have some effect, the shortest first.

    Of sequences that differ only in the order of commuting moves, or do what fewer moves do, one is
    listed. Pieces are named by their places, separated by commas or blanks. Each line can be read
    as moves again; the comment tells the length and the whole effect, in cycles of pieces.

    \b
    Examples
      puzzlekit find --puzzle cube3 --effect "(UF UR UB)" --max-length 9
      puzzlekit find --puzzle cube2 --moves R,U,F --keep DBL,DFL,DFR,DBR --nontrivial --max-length 7
      puzzlekit find --puzzle cube3 --moves R,U --effect "(URF)+(UFL)-" --free edges --max-length 11
      puzzlekit find --puzzle cube3 --to "R U R' U'" --max-length 8 --json
      puzzlekit find --puzzle cube3 --max-length 20 --count

    \b
    Exit codes
      0 found   1 none, or a limit was met   2 bad command line or moves
      3 an effect that is impossible   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit.analysis.find.find import Finder
    from puzzlekit.cli import positions
    from puzzlekit.cli.progress import Searching, building, print_all
    from puzzlekit.run.limits import Limits
    from puzzlekit.store.watchers import Patience

    if asked["max_length"] is None:
        raise click.UsageError("--max-length is missing: how long the sequences may be")
    if asked["min_length"] > asked["max_length"]:
        raise click.UsageError(
            f"--max-length {asked['max_length']} is less than --min-length, which is "
            f"{asked['min_length']}"
        )
    if count and limit is not None:
        raise click.UsageError("--count and --limit cannot go together")
    solver = options.load_puzzle(puzzle, definition)
    places = {"--to": to, "--to-facelets": to_facelets, "--to-vectors": to_vectors}
    given = {"--effect": asked["effect"], **places}
    sources = {name: value is not None for name, value in given.items()}
    if any(sources.values()) and positions.one_source(sources) in places:
        scramble = () if to is None else (to,)
        place = options.Given(scramble, to_facelets, to_vectors, scheme=scheme)
        asked["to"] = positions.read_position(solver, place).state
    elif scheme is not None:
        raise click.UsageError("--scheme is for stickers, and none are given")
    finder = Finder(solver, **{name: value for name, value in asked.items() if value is not None})
    if count and finder.is_arithmetic:
        return _tell_count(finder, finder.count(), json_lines)
    patience = Patience(timeout)
    with building(solver, lambda: finder.table_keys), solver.store.watched(patience):
        finder.assembled  # noqa: B018
    limits = Limits(timeout=patience.left, max_nodes=max_nodes)
    if count:
        with Searching():
            number = finder.count(limits)
        return _tell_count(finder, number, json_lines)
    lines = (
        _json_line(finder.puzzle, each) if json_lines else listed(each)
        for each in finder.find(limits)
    )
    longest = f"{finder.lengths.stop - 1} {finder.metric.name}"
    none = f"no sequence of at most {longest} has this effect"
    return print_all(lines, "sequence", limit, "--limit", none)


def _tell_count(finder: Finder, found: int, json_lines: bool) -> int:
    if json_lines:
        echo_json("find", puzzle=finder.puzzle.name, metric=finder.metric.name, count=found)
    else:
        click.echo(f"{found}")
    return 0


def listed(found: Found) -> str:
    """A sequence as a line that can be read as moves again: the rest is a comment."""
    return f"{found}  // {found.length} {found.metric}  {found.effect}".lstrip()


def _json_line(puzzle: Puzzle, found: Found) -> str:
    from puzzlekit.solve.json_records import written

    return json_line(
        "find",
        puzzle=found.puzzle,
        metric=found.metric,
        sequence=str(found),
        moves=found.moves,
        length=found.length,
        lengths=found.lengths,
        effect=found.effect,
        state=written(puzzle, found.state),
    )
