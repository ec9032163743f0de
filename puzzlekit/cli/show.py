"""The commands about one position: check, verify and show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.output import columns, echo_json, exit_code, print_error, printable, say
from puzzlekit.errors import StateError
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.position import read_moves, stickers_or_moves
from puzzlekit.puzzle.services import find_service, links, renderer
from puzzlekit.search.catalogue import coordinates
from puzzlekit.search.solution import written

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Move
    from puzzlekit.puzzle.notation import Parentheses
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.puzzle.services import RepairSearch
    from puzzlekit.search.method import Method
    from puzzlekit.search.solver import Solver

_FILE = click.Path(dir_okay=False)
# Endings of names that say what a file is.
_SUFFIXES = {"svg", "svgz", "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf"}
_SUFFIXES |= {"avif", "heic", "ico", "eps", "ps", "html", "htm", "txt", "json"}


@click.command("check", cls=Command, short_help="Say what is wrong with a state.")
@options.puzzle_option
@options.scramble_argument
@options.stickers_options
@options.state_option
@options.coordinates_method_option
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def check(puzzle: str | None, given: options.Given, method: str | None, json_lines: bool) -> int:
    """Say what is wrong with a state, without solving it.

    The command names every fault: wrong stickers, parity, and pieces that are missing, double,
    twisted or flipped. If one or two stickers or one piece is wrong, it also lists repairs, the
    smallest first. Unknown stickers ("?") are filled in if the others determine them. The exit
    code is 3 if the state has a fault.

    \b
    Examples
      puzzlekit check --puzzle cube2 --state OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit check --puzzle cube3 --state "cp=0,1,2,3,4,5,6,7 co=1,0,0,0,0,0,0,0
        ep=0,1,2,3,4,5,6,7,8,9,10,11 eo=0,0,0,0,0,0,0,0,0,0,0,0"
    """
    from puzzlekit.cli import positions

    positions.one_source(given.sources)
    solver = options.load_checked(puzzle, method)
    try:
        state = positions.read_position(solver, given, method).state
    except StateError as error:
        print_error(error)
        found = _repairs(solver.puzzle, given)
        for words in found:
            say(f"repair: {printable(words)}")
        if json_lines:
            echo_json("check", puzzle=solver.puzzle.name, faults=error.faults, repairs=found)
        return exit_code(error)
    solved = solver.puzzle.is_solved(state)
    other = _other_goal(solver, state)
    if json_lines:
        told = {"state": written(solver.puzzle, state), "solved": solved}
        told |= {"other": other} if other else {}
        echo_json("check", puzzle=solver.puzzle.name, faults=[], repairs=[], **told)
        return 0
    also = " and is solved" if solved else ""
    click.echo(f"no faults: the {solver.puzzle.title} can be in this state{also}")
    if other:
        own = solver.positions.to_facelets(solver.puzzle.solved)
        also = "can be in this state too" if other["possible"] else "cannot be in this state"
        click.echo(f"goal: {own}; {other['puzzle']}, with the goal {other['goal']}, {also}")
    return 0


def _other_goal(solver: Solver, state: bytes) -> dict[str, Any]:
    """Describe the puzzle with the other goal, and say whether it can be in this state.

    The result is empty if the puzzle has only one goal.
    """
    grid = solver.puzzle.grid
    if grid is None or grid.other is None:
        return {}
    name, goal = grid.other
    possible = not diagnose(options.load_puzzle(name).puzzle, state)
    return {"puzzle": name, "goal": goal, "possible": possible}


def _repairs(puzzle: Puzzle, given: options.Given) -> list[str]:
    """Describe the changes of stickers that remove all faults, the smallest first.

    A plugin finds them; without it there are none.
    """
    if "=" in (given.state or "").partition("\n")[0]:
        return []
    text = given.state or " ".join(given.scramble)
    found: RepairSearch | None = find_service("repairs")
    if found is None:
        return []
    return [each.words for each in found.of_text(puzzle, text, given.scheme, given.order)]


@click.command("verify", cls=Command, short_help="Say whether moves solve a position.")
@options.puzzle_option
@click.argument("moves", nargs=-1, metavar="MOVES")
@click.option("--scramble", "start", metavar="S", help="Scramble or state where the moves start.")
@options.stickers_options
@options.state_option
@options.parentheses_option
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def verify(
    puzzle: str | None,
    moves: tuple[str, ...],
    start: str | None,
    given: options.Given,
    parentheses: Parentheses,
    json_lines: bool,
) -> int:
    """Apply MOVES to a position and say whether the puzzle is then solved.

    The exit code is 0 if the puzzle is solved, else 1. A solved puzzle may be held in any way.
    Parentheses are groups of moves, or moves on the inverse scramble (NISS). If both are possible,
    --parentheses says which.

    \b
    Examples
      puzzlekit verify --puzzle cube3 --scramble "R U F2" "F2 U' R'"
      puzzlekit verify --puzzle cube2 --state OGWWGYWRBOGGYRYYBROORWBB "U2 R U' R'"
      puzzlekit verify --puzzle cube3 --scramble "R U F2" --parentheses inverse "F2 (R U)"
    """
    from puzzlekit.cli import output, positions
    from puzzlekit.puzzle.net import draw_net

    positions.one_source({"--scramble": start is not None, "--state": given.state is not None})
    if not moves:
        raise click.UsageError("no moves are given: write the moves to try as arguments")
    solver = options.load_puzzle(puzzle)
    held = solver.puzzle
    begun = positions.read_position(solver, given._replace(scramble=(start or "",)))
    done = read_moves(held, " ".join(moves), parentheses)
    state = held.apply(begun.state, done)
    solved = held.is_solved(state)
    if json_lines:
        record = {"moves": [move.name for move in done], "lengths": held.lengths(done)}
        record["state"] = written(held, state)
        output.echo_json("verify", puzzle=held.name, **record, solved=solved)
        return 0 if solved else 1
    if held.has_facelets:
        output.echo(draw_net(held, state, output.wants_colour(), begun.symbols))
        click.echo()
    lengths = [f"{length} {metric}" for metric, length in held.lengths(done).items()]
    click.echo(f"{'solved' if solved else 'not solved'} after {', '.join(lengths)}")
    return 0 if solved else 1


@click.command("show", cls=Command, short_help="Show or draw a position.")
@options.puzzle_option
@options.scramble_argument
@options.stickers_options
@options.state_option
@click.option(
    "--coordinates", "wanted", is_flag=True, help="Also show the coordinates of a method."
)
@options.coordinates_method_option
@click.option("--svg", metavar="FILE", type=_FILE, help="Draw the position as SVG.")
@click.option(
    "--png",
    metavar="FILE",
    type=_FILE,
    help="Draw the position as PNG; needs permutation-puzzlekit[picture].",
)
@click.option(
    "--picture",
    default="net",
    metavar="NAME",
    help="Picture to draw: net, solid (in space) or top (from above). Some puzzles have only net. "
    "Default: net.",
)
@click.option(
    "--size", type=options.whole(16, 10_000), help="Longer side of the picture, in pixels."
)
@click.option(
    "--only",
    default="",
    metavar="STICKERS",
    help="Draw all stickers grey except these. STICKERS is one or several of layer:U, face:U, "
    "piece:UF and moved:R.",
)
@click.option(
    "--grey", default="", metavar="STICKERS", help="Draw these stickers grey; see --only."
)
@click.option("--link", is_flag=True, help="Print links to Twizzle and alg.cubing.net.")
@click.option("--solution", metavar="MOVES", help="Moves that the links or the SVG play.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def show(
    puzzle: str | None,
    given: options.Given,
    wanted: bool,
    method: str | None,
    link: bool,
    solution: str | None,
    json_lines: bool,
    **drawn: Any,
) -> int:
    """Show a position: its net, its facelets and its vectors.

    --state accepts the facelets, vectors and coordinates that this command prints. A method has
    coordinates for each phase. The method first renames the pieces as if the whole puzzle were
    rotated, for example so that one corner is in its place.

    --only and --grey name stickers by where they are on the solved puzzle. The stickers are drawn
    coloured or grey wherever they are now. --link prints addresses of pages that show the scramble
    and play the moves of --solution, as an SVG does.

    \b
    Examples
      puzzlekit show --puzzle cube3 "R U R' U'"
      puzzlekit show --puzzle cube2 --state OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit show --puzzle cube3 ""      (the solved cube)
      puzzlekit show --puzzle cube3 "R U F2" --coordinates --method optimal
      puzzlekit show --puzzle cube2 --state "permutation=12 orientation=3"
      puzzlekit show --puzzle cube3 "R U R' U R U2 R'" --svg case.svg --picture top --only layer:U
      puzzlekit show --puzzle skewb "R U" --png skewb.png --picture solid
      puzzlekit show --puzzle cube3 "R U F2" --link --solution "F2 U' R'"
      puzzlekit show --puzzle cube3 "R U F2" --svg moving.svg --solution "F2 U' R'"
    """
    from puzzlekit.cli import output, positions

    positions.one_source(given.sources)
    if method is not None and not (wanted or positions.is_coordinates(given.state or "")):
        raise click.UsageError("--method needs --coordinates, or coordinates as --state")
    if solution is not None and not (link or drawn["svg"]):
        raise click.UsageError("--solution needs --link or --svg")
    solver = options.load_checked(puzzle, method)
    state, symbols = positions.read_position(solver, given, method)
    moves = read_moves(solver.puzzle, solution or "")
    found = _links(solver, given, moves) if link else {}
    chosen = solver.method(method) if wanted else None
    text = None if chosen is None else _coordinates(solver, state, chosen)
    _draw(solver.puzzle, state, symbols, moves, **drawn)
    if json_lines:
        added = {"links": found} if link else {}
        output.echo_json("show", **_record(solver, state, chosen), **added)
        return 0
    _show(solver, state, symbols)
    if text is not None:
        click.echo(f"\n{text}")
    for address in found.values():
        click.echo(f"link      {address}")
    return 0


def _draw(
    puzzle: Puzzle,
    state: bytes,
    symbols: Mapping[str, str] | None,
    moves: Sequence[Move],
    svg: str | None,
    png: str | None,
    size: int | None,
    **drawn: Any,
) -> None:
    """Write the requested pictures."""
    _check_suffix(svg, "svg")
    _check_suffix(png, "png")
    if svg is None and png is None:
        if size or drawn != {"picture": "net", "only": "", "grey": ""}:
            raise click.UsageError("--picture, --size, --only and --grey need --svg or --png")
        return
    drawn |= {"size": size} if size else {}
    text = renderer().draw(puzzle, state, symbols=symbols, moves=moves, **drawn)
    if png is not None:
        Path(png).write_bytes(renderer().png(text))
    if svg is not None:
        Path(svg).write_text(text, encoding="utf-8")


def _check_suffix(path: str | None, kind: str) -> None:
    """Raise a UsageError if the name of a file says that it is of another kind."""
    suffix = "" if path is None else Path(path).suffix[1:].lower()
    if suffix in _SUFFIXES - {kind}:
        other = f"use --{suffix}, or " if suffix in ("svg", "png") else ""
        raise click.UsageError(
            f"--{kind} writes {kind.upper()}, but the name {path} ends in .{suffix}: {other}let "
            f"the name end in .{kind}"
        )


def _links(solver: Solver, given: options.Given, moves: Sequence[Move]) -> dict[str, str]:
    """Return the addresses of pages that show the scramble, by the name of the site."""
    setup = stickers_or_moves(solver.puzzle, " ".join(given.scramble))
    if isinstance(setup, str) or not given.sources["a scramble"]:
        raise click.UsageError("--link needs a scramble, because links contain moves")
    return links(solver.puzzle, setup, moves)


def _show(solver: Solver, state: bytes, symbols: Mapping[str, str] | None) -> None:
    """Print the net, the facelets and the vectors for people."""
    from puzzlekit.cli import output
    from puzzlekit.puzzle.net import draw_net

    if solver.puzzle.has_facelets:
        output.echo(draw_net(solver.puzzle, state, output.wants_colour(), symbols))
        layout = solver.puzzle.layout
        if layout and layout.net_scheme and not symbols:
            named = zip(layout.schemes[layout.net_scheme], layout.colours, strict=True)
            words = ", ".join(" ".join(pair).replace(" ", "\xa0") for pair in named)
            lines = fill(f"colours   {words}", 80, subsequent_indent=" " * 10)
            click.echo("\n" + lines.replace("\xa0", " "))
        click.echo(f"\nfacelets  {solver.positions.to_facelets(state)}")
    else:
        click.echo(solver.positions.written(state) or "\n".join(_places(solver, state)))
    if vectors := _vectors(solver, state):
        click.echo(f"vectors   {vectors}")
    click.echo(f"solved    {'yes' if solver.puzzle.is_solved(state) else 'no'}")


def _coordinates(solver: Solver, state: bytes, method: Method) -> str:
    """Format the coordinates as a table and as a line for --state."""
    found = coordinates().values(solver.puzzle, method, state)
    rows = [["phase", "coordinate", "value", "of", "solved", "meaning"]]
    for each in found:
        value = "-" if each.value is None else f"{each.value:,}"
        numbers = [value, f"{each.size:,}", f"{each.solved:,}"]
        rows.append([each.phase, each.name, *numbers, each.tells])
    text = f"coordinates of the method {method.name}\n{columns(rows, right=[2, 3, 4])}"
    if any(each.value is None for each in found):
        text += "\n- means that the coordinate has no value until an earlier phase is done"
    given = " ".join(f"{each.name}={each.value}" for each in found if each.value is not None)
    return f"{text}\ncoordinates  {given}"


def _record(solver: Solver, state: bytes, method: Method | None) -> dict[str, Any]:
    record: dict[str, Any] = {
        "puzzle": solver.puzzle.name,
        "state": written(solver.puzzle, state),
        "vectors": solver.positions.to_vectors(state),
        "solved": solver.puzzle.is_solved(state),
    }
    if method is not None:
        found = coordinates().values(solver.puzzle, method, state)
        record |= {"method": method.name, "coordinates": [each._asdict() for each in found]}
    return record


def _places(solver: Solver, state: bytes) -> list[str]:
    """Return a line for each place with the piece there and the orientation of the piece."""
    lines = []
    for orbit in solver.puzzle.orbits:
        labels = solver.puzzle.labels(state, orbit)
        turns = solver.puzzle.orientations(state, orbit)
        for place, label, turn in zip(orbit.places, labels, turns, strict=True):
            turned = f", orientation {turn}" if orbit.orientations > 1 else ""
            lines.append(f"{orbit.piece} at {place}: {orbit.label_name(label)}{turned}")
    return lines


def _vectors(solver: Solver, state: bytes) -> str:
    """Return the vectors of a state as one string, or "" if the puzzle has no vectors."""
    named = solver.positions.to_vectors(state)
    text = " ".join(f"{name}={','.join(map(str, numbers))}" for name, numbers in named.items())
    if not text:
        return ""
    with suppress(StateError):
        if solver.positions.from_vectors(text) == state:
            return text
    if not solver.puzzle.rotations:
        return "(vectors cannot describe this state completely)"
    return "(vectors cannot describe how the puzzle is held; rotate it back first)"
