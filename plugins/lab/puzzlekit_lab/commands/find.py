"""`puzzlekit find`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from puzzlekit import Puzzle
from puzzlekit.cli import Command, options
from puzzlekit.cli.output import echo_json, json_line, several
from puzzlekit.puzzle.stickers import appearance
from puzzlekit_events.sheet import printed_page, row
from puzzlekit_lab.sequences import Found
from puzzlekit_pictures import Stickers, draw_svg, drawn, pictures

if TYPE_CHECKING:
    from puzzlekit import Metric, Puzzle, Solver
    from puzzlekit.cli.answers import Sorting
    from puzzlekit.puzzle.notation import Parentheses
    from puzzlekit_lab.insertions import InsertedAnswer, Inserter
    from puzzlekit_lab.sequences import Finder, Found


def _amounts(value: Any) -> tuple[int, ...]:
    """Read whole numbers separated by commas."""
    try:
        return tuple(int(each) for each in str(value).replace(",", " ").split())
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a list of whole numbers such as 0,1") from None


@click.command("find", cls=Command, short_help="Find all sequences of moves with a given effect.")
@options.puzzle_option
@options.stickers_options
@options.scramble_argument
@click.option(
    "--insert",
    metavar="MOVES",
    help="Skeleton: moves that solve most of the SCRAMBLE. Short cycles are inserted into it, so "
    "that it solves all.",
)
@options.parentheses_option
@click.option("--state", metavar="S", help="With --insert: the state as stickers or vectors.")
@click.option(
    "--insertions",
    type=options.whole(1, 5),
    help="With --insert: maximum number of insertions. Default: 2.",
)
@click.option(
    "--cycle-length",
    type=options.whole(1, 12),
    help="With --insert: maximum number of moves of an inserted sequence. Default: 8.",
)
@click.option(
    "--moves",
    metavar="LIST",
    help="Moves to use, such as R,U2,F. R means all turns of R; R1, R2 and R' mean only this turn. "
    "Default: the moves of the default method.",
)
@options.metric_option
@click.option("--max-length", type=options.lengths, help="Maximum length of a sequence (required).")
@click.option("--min-length", type=options.lengths, default=1, help="Minimum length. Default: 1.")
@click.option(
    "--effect",
    metavar="CYCLES",
    help="Effect in cycles of pieces, such as '(URF UBR)(UF UR UB)'; '(URF)+' turns a piece in its "
    "place. All other pieces stay as they are.",
)
@click.option("--to", metavar="MOVES", help="Moves with the wanted effect.")
@click.option("--to-state", metavar="S", help="State to reach, as stickers or vectors.")
@click.option(
    "--keep", metavar="PIECES", help="Pieces that stay as they are, such as UF,UR or corners."
)
@click.option(
    "--keep-placed", metavar="PIECES", help="Pieces that stay in place but may be twisted."
)
@click.option(
    "--keep-oriented", metavar="PIECES", help="Pieces that may move but must not be twisted."
)
@click.option("--free", metavar="PIECES", help="Pieces that may end up anywhere.")
@click.option(
    "--ignore-orientation",
    is_flag=True,
    help="Pieces must reach the places that the effect or state gives, in any orientation.",
)
@click.option(
    "--nontrivial", is_flag=True, help="Omit sequences with the effect of no move or of one move."
)
@click.option(
    "--orientations",
    type=_amounts,
    metavar="LIST",
    help="List only sequences that change orientations by these amounts, such as 0,1.",
)
@click.option(
    "--unique",
    is_flag=True,
    help="List only the first of sequences that are symmetric or inverse to each other.",
)
@options.sort_option
@click.option("--count", is_flag=True, help="Print only the number of sequences.")
@click.option("--limit", type=options.whole(1, 10**9), help="Stop after this many sequences.")
@click.option(
    "--memory",
    type=options.memory_size,
    metavar="SIZE",
    help="Maximum size of the pruning tables. Default: 128MB.",
)
@click.option("--max-nodes", type=options.nodes, help="Stop after this many nodes.")
@click.option("--timeout", type=options.seconds, help="Stop after this time.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    metavar="FILE.html",
    help="Also write a page for printing, with a picture of the state that each sequence solves.",
)
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object per sequence.")
def command(
    puzzle: str | None,
    scramble: tuple[str, ...],
    insert: str | None,
    parentheses: Parentheses,
    state: str | None,
    insertions: int | None,
    cycle_length: int | None,
    to: str | None,
    to_state: str | None,
    scheme: str | None,
    order: str | None,
    timeout: float | None,
    max_nodes: int | None,
    sort: str | Metric | None,
    count: bool,
    limit: int | None,
    output: str | None,
    json_lines: bool,
    **asked: Any,
) -> int:
    """Find all sequences of moves with a given effect, or insert cycles into a skeleton.

    The shortest sequences come first, unless --sort names another order. Sequences that differ
    only in the order of commuting moves are listed once, and sequences that fewer moves replace at
    the same cost are left out.
    Pieces are named by their places and separated by commas or blanks. Each line can be read as
    moves again. The comment in the line shows the length and the effect in cycles.

    With --insert, complete a skeleton, moves that solve most of SCRAMBLE, by inserting sequences
    that change at most four pieces.

    \b
    Examples
      puzzlekit find --puzzle cube3 --effect "(UF UR UB)" --max-length 9
      puzzlekit find --puzzle cube2 --moves R,U,F --keep DBL,DFL,DFR,DBR --nontrivial --max-length 7
      puzzlekit find --puzzle cube3 --moves R,U --effect "(URF)+(UFL)-" --free edges --max-length 11
      puzzlekit find --puzzle cube3 --to "R U R' U'" --max-length 8 --json
      puzzlekit find --puzzle cube3 --effect "(UF UR UB)" --max-length 9 --sort ergonomic --limit 5
      puzzlekit find --puzzle cube3 --insert "R2 D' F L2 U B'" "SCRAMBLE"
      puzzlekit find --puzzle cube3 --insert "R2 (B L2) D'" --parentheses inverse "SCRAMBLE"
      puzzlekit find --puzzle cube3 --max-length 20 --count
      puzzlekit find --puzzle cube3 --effect "(UF UR UB)" --max-length 10 --output 3-cycle.html

    \b
    Exit codes
      0 found   1 none found, or stopped by a limit   2 error in the command line or moves
      3 impossible effect   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit import Limits
    from puzzlekit.cli import positions
    from puzzlekit.cli.answers import Sorting
    from puzzlekit.cli.progress import Searching, building, print_all
    from puzzlekit.tables.watchers import Patience
    from puzzlekit_lab.sequences import Finder

    if insert is not None:
        own = (
            "insert parentheses scramble state advanced scheme order insertions cycle_length "
            "moves metric max_length timeout sort limit puzzle json_lines"
        )
        check_options({*own.split()})
        return insert_into(
            options.load_puzzle(puzzle),
            options.Given(scramble, state, scheme, order),
            insert,
            sort,
            limit,
            json_lines,
            insertions=insertions,
            cycle_length=cycle_length,
            timeout=timeout,
            parentheses=parentheses,
            **{name: asked[name] for name in ("moves", "metric", "max_length")},
        )
    for name, there in {
        "a scramble": scramble,
        "--state": state,
        "--parentheses": parentheses != "ask",
        "--insertions": insertions,
        "--cycle-length": cycle_length,
    }.items():
        if there:
            hint = "; without it, --effect '(UF UR UB)' says what to find" if scramble else ""
            raise click.UsageError(f"{name} needs --insert{hint}")
    if asked["max_length"] is None:
        raise click.UsageError("--max-length is missing: give the maximum length of the sequences")
    if asked["min_length"] > asked["max_length"]:
        raise click.UsageError(
            f"--max-length {asked['max_length']} is less than --min-length {asked['min_length']}"
        )
    if count and limit is not None:
        raise click.UsageError("--count and --limit cannot be combined")
    if count and sort is not None:
        raise click.UsageError("--count and --sort cannot be combined")
    if output is not None:
        if count:
            raise click.UsageError("--count and --output cannot be combined")
        options.check_page(output)
    solver = options.load_puzzle(puzzle)
    places = {"--to": to, "--to-state": to_state}
    given = {"--effect": asked["effect"], **places}
    sources = {name: value is not None for name, value in given.items()}
    if any(sources.values()) and positions.one_source(sources) in places:
        scramble = () if to is None else (to,)
        place = options.Given(scramble, to_state, scheme, order)
        asked["to"] = positions.read_position(solver, place)
    elif scheme is not None or order is not None:
        name = "order" if scheme is None else "scheme"
        raise click.UsageError(f"--option {name} needs --to-state, or --state and --insert")
    finder = Finder(solver, **{name: value for name, value in asked.items() if value is not None})
    if count and finder.is_arithmetic:
        return _tell_count(finder, finder.count(), json_lines)
    sorting = None if sort is None else Sorting(solver, sort, finder.metric)
    patience = Patience(timeout)
    with building(solver, lambda: finder.table_keys), solver.store.watched(patience):
        finder.assembled  # noqa: B018
    limits = Limits(timeout=patience.left, max_nodes=max_nodes)
    if count:
        with Searching():
            number = finder.count(limits)
        return _tell_count(finder, number, json_lines)
    found: list[Found] = []  # only for the page, because there may be millions

    def lines() -> Iterator[str]:
        every = finder.find(limits)
        if sorting is not None:
            every = sorting.first(every, lambda each: each.moves, limit)
        for each in every:
            if output is not None:
                found.append(each)
            yield _json_line(finder.puzzle, each, sorting) if json_lines else listed(each, sorting)

    longest = f"{finder.lengths.stop - 1} {finder.metric.name}"
    none = f"no sequence of at most {longest} has this effect"
    try:
        most = limit if sorting is None else None  # sorting obeys the limit itself
        return print_all(lines(), "sequence", most, "--limit", none)
    finally:
        if output is not None and found:
            _write_page(output, finder.puzzle, found)


def _write_page(path: str, puzzle: Puzzle, found: Sequence[Found]) -> None:
    from pathlib import Path

    Path(path).write_text(sheet(puzzle, found), encoding="utf-8", newline="\n")


def _tell_count(finder: Finder, found: int, json_lines: bool) -> int:
    if json_lines:
        echo_json("find", puzzle=finder.puzzle.name, metric=finder.metric.name, count=found)
    else:
        click.echo(f"{found}")
    return 0


def listed(found: Found, order: Sorting | None = None) -> str:
    """Format a sequence as a line that can be read as moves again. A comment has the effect."""
    note = "" if order is None else order.note(found.moves, found.metric)
    return f"{found}  // {found.length} {found.metric}{note}  {found.effect}".lstrip()


def _json_line(puzzle: Puzzle, found: Found, order: Sorting | None) -> str:
    from puzzlekit.search.solution import written

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
        **({} if order is None else order.record(found.moves)),
    )


def check_options(used: set[str]) -> None:
    """Raise a UsageError if the command line has an option that `--insert` does not use."""
    from click.core import ParameterSource

    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        given = parameter.name and ctx.get_parameter_source(parameter.name)
        if given == ParameterSource.COMMANDLINE and parameter.name not in used:
            raise click.UsageError(f"{parameter.opts[-1]} cannot be combined with --insert")


def insert_into(
    solver: Solver,
    given: options.Given,
    skeleton: str,
    sort: str | Metric | None,
    limit: int | None,
    json_lines: bool,
    **asked: Any,
) -> int:
    """Print the best answers, one by default."""
    from puzzlekit.cli import positions
    from puzzlekit.cli.answers import Sorting
    from puzzlekit.cli.output import say
    from puzzlekit.cli.progress import Searching
    from puzzlekit_lab.insertions import Inserter

    positions.one_source(given.sources)
    state = positions.read_position(solver, given).state
    search = Inserter(
        solver, state, skeleton, **{name: each for name, each in asked.items() if each is not None}
    )
    order = None if sort is None else Sorting(solver, sort, search.metric)
    if not json_lines:
        say(f"the skeleton leaves {search.unsolved}")
    with Searching():
        found = search.answers()
    if order is not None:
        found = list(order.first(found, lambda each: each.moves, None))
    shown = found[: limit or 1]
    for each in shown:
        if json_lines:
            _print_json(search, each, order)
        else:
            click.echo(_line(each, order))
    if not json_lines and search.stopped:
        say("stopped by --timeout: there may be shorter answers")
    if not json_lines and len(found) > len(shown):
        say(f"best of {several(len(found), 'answer')}; --limit shows more")
    return 0


def _line(answer: InsertedAnswer, order: Sorting | None) -> str:
    """Format an answer as a line that can be read as moves. A comment has the insertions."""
    note = "" if order is None else order.note(answer.moves, answer.metric)
    made = "".join(
        f"; {' '.join(each.moves)} after move {each.after}, {each.cancelled} cancelled"
        for each in answer.insertions
    )
    return f"{answer}  // {answer.length} {answer.metric}{note}{made}".lstrip()


def _print_json(search: Inserter, answer: InsertedAnswer, order: Sorting | None) -> None:
    echo_json(
        "find",
        puzzle=answer.puzzle,
        metric=answer.metric,
        skeleton=[move.name for move in search.skeleton],
        unsolved=search.unsolved,
        solution=str(answer),
        moves=answer.moves,
        length=answer.length,
        lengths=answer.lengths,
        insertions=[each._asdict() for each in answer.insertions],
        **({} if order is None else order.record(answer.moves)),
    )


def sheet(puzzle: Puzzle, sequences: Sequence[Found]) -> str:
    """Return the sheet as HTML for A4 paper. A puzzle without stickers has no pictures.

    All pictures are of one kind. It is the last one in the list of `pictures` that shows every
    piece that a sequence changes.
    """
    before = [_before(puzzle, each) for each in sequences]
    changed = [_changed(puzzle, state) for state in before]
    kind = _picture(puzzle, frozenset().union(*changed))
    centers = _centers(puzzle) if kind else frozenset()
    rows = []
    for i, (found, state, shown) in enumerate(zip(sequences, before, changed, strict=True), 1):
        title = f"{puzzle.title}: the state that sequence {i} solves"
        picture = draw_svg(puzzle, state, kind, only=shown | centers, title=title) if kind else ""
        note = f"{found.length} {found.metric}  {found.effect}"
        rows.append(row(str(i), found.moves, picture, note=note))
    note = "Each picture shows the state that the moves solve. Grey pieces stay in place."
    title = f"{puzzle.title}: sequences"
    return printed_page(title, note if kind else "", title, rows)


def _before(puzzle: Puzzle, found: Found) -> bytes:
    """Return the state that a sequence solves."""
    moves = puzzle.moves(" ".join(found.moves))
    return puzzle.apply(puzzle.solved, [puzzle.inverse(move) for move in reversed(moves)])


def _changed(puzzle: Puzzle, state: bytes) -> Stickers:
    """Return the stickers of the pieces that are not as in the solved state.

    A state does not distinguish pieces that are alike. If one of them changed, all of them count.
    """
    found: set[int] = set()
    for orbit in puzzle.orbits if puzzle.layout is not None else ():
        pieces = puzzle.labels(state, orbit)
        turns = puzzle.orientations(state, orbit)
        changed = {
            piece
            for piece, home, turn in zip(pieces, orbit.solved, turns, strict=True)
            if piece != home or turn
        }
        for home, place in zip(orbit.solved, _places(puzzle)[orbit.name], strict=True):
            if home in changed:
                found |= {*place}
    return frozenset(found)


def _centers(puzzle: Puzzle) -> Stickers:
    """Return the stickers of pieces with one sticker. They show which face is which."""
    look = appearance(puzzle)
    alone = {place[0] for each in _places(puzzle).values() for place in each if len(place) == 1}
    return frozenset(alone.union(look.fixed))


def _picture(puzzle: Puzzle, changed: Stickers) -> str:
    """Return the name of the last picture that shows every changed piece, or an empty string."""
    fitting = ""
    for name in pictures(puzzle) if puzzle.layout is not None else ():
        visible = {facelet for facelet, _ in drawn(puzzle, name).stickers}
        shown = (
            visible & {*place}
            for each in _places(puzzle).values()
            for place in each
            if changed & {*place}
        )
        if all(shown):
            fitting = name
    return fitting


def _places(puzzle: Puzzle) -> Mapping[str, Sequence[tuple[int, ...]]]:
    return appearance(puzzle).layout.places
