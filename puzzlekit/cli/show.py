"""`puzzlekit show`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.method.method import Method
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.solve.solver import Solver

_FILE = click.Path(dir_okay=False)


@click.command("show", cls=Command, short_help="Show a position: net, facelets, vectors.")
@options.puzzle_option
@options.scramble_argument
@options.state_options
@options.coordinates_option
@click.option("--coordinates", "wanted", is_flag=True, help="Show its coordinates in a method.")
@click.option(
    "--method",
    metavar="NAME",
    shell_complete=options.complete_methods,
    help="Whose coordinates; 'puzzlekit puzzles' lists the methods.",
)
@click.option("--svg", metavar="FILE", type=_FILE, help="Draw it as SVG.")
@click.option("--png", metavar="FILE", type=_FILE, help="Draw it as PNG; needs resvg.")
@click.option(
    "--picture",
    default="net",
    metavar="NAME",
    help="What is drawn: net, or if the puzzle has them solid (in space) and top (from above).",
)
@click.option(
    "--only",
    default="",
    metavar="STICKERS",
    help="Draw all other stickers grey: layer:U, face:U, piece:UF, moved:R, or several of these.",
)
@click.option("--grey", default="", metavar="STICKERS", help="Draw these stickers grey.")
@click.option("--link", is_flag=True, help="Print links to Twizzle and alg.cubing.net.")
@click.option("--solution", metavar="MOVES", help="The moves that the links play.")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(
    puzzle: str | None,
    definition: str | None,
    given: options.Given,
    wanted: bool,
    method: str | None,
    link: bool,
    solution: str | None,
    json_lines: bool,
    **drawn: str | None,
) -> int:
    """Show a position: its net, its facelets and its vectors.

    Facelets, vectors and coordinates are printed as --facelets, --vectors and --from-coordinates
    take them. A method has coordinates for each of its phases; it sees the state with its pieces
    renamed such that what it takes for solved is so.

    A picture shows the net, a puzzle in space, or its upper layer from above. --only and --grey
    name stickers on the solved puzzle, which keep or lose their colour wherever they are.
    --link prints addresses at which the scramble is shown, and the moves of --solution are played.

    \b
    Examples
      puzzlekit show --puzzle cube3 "R U R' U'"
      puzzlekit show --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit show --puzzle cube3 ""      (the solved cube)
      puzzlekit show --puzzle cube3 "R U F2" --coordinates --method optimal
      puzzlekit show --puzzle cube2 --from-coordinates "permutation=12 orientation=3"
      puzzlekit show --puzzle cube3 "R U R' U R U2 R'" --svg case.svg --picture top --only layer:U
      puzzlekit show --puzzle skewb "R U" --png skewb.png --picture solid
      puzzlekit show --puzzle cube3 "R U F2" --link --solution "F2 U' R'"
    """
    from puzzlekit.cli import output, positions

    positions.one_source(given.sources)
    if method is not None and not wanted and given.coordinates is None:
        raise click.UsageError("--method goes with --coordinates and --from-coordinates")
    if solution is not None and not link:
        raise click.UsageError("--solution goes with --link")
    solver = options.load_checked(puzzle, definition, method)
    state, symbols = positions.read_position(solver, given, method)
    found = _links(solver, given, solution or "") if link else {}
    _draw(solver.puzzle, state, symbols, **drawn)
    chosen = solver.method(method) if wanted else None
    if json_lines:
        added = {"links": found} if link else {}
        output.echo_json("show", **_record(solver, state, chosen), **added)
        return 0
    _show(solver, state, symbols)
    if chosen is not None:
        click.echo(f"\n{_coordinates(solver, state, chosen)}")
    for address in found.values():
        click.echo(f"link      {address}")
    return 0


def _draw(
    puzzle: Puzzle,
    state: bytes,
    symbols: Mapping[str, str] | None,
    svg: str | None,
    png: str | None,
    **drawn: Any,
) -> None:
    """Write the pictures that are asked for."""
    from pathlib import Path

    if svg is None and png is None:
        if drawn != {"picture": "net", "only": "", "grey": ""}:
            raise click.UsageError("--picture, --only and --grey go with --svg and --png")
        return
    from puzzlekit.picture.png import png as as_png
    from puzzlekit.picture.svg import draw_svg

    text = draw_svg(puzzle, state, symbols=symbols, **drawn)
    if png is not None:
        Path(png).write_bytes(as_png(text))
    if svg is not None:
        Path(svg).write_text(text, encoding="utf-8")


def _links(solver: Solver, given: options.Given, solution: str) -> dict[str, str]:
    """The addresses of the sites that show the scramble, by the name of the site."""
    from puzzlekit.position.links import links
    from puzzlekit.position.position import read_moves, stickers_or_moves

    setup = stickers_or_moves(solver.puzzle, " ".join(given.scramble))
    if isinstance(setup, str) or not given.sources["a scramble"]:
        raise click.UsageError("--link takes a scramble: links are made of moves")
    return links(solver.puzzle, setup, read_moves(solver.puzzle, solution))


def _show(solver: Solver, state: bytes, symbols: Mapping[str, str] | None) -> None:
    """For people: the net, facelets, vectors."""
    from puzzlekit.cli import output
    from puzzlekit.position.net import draw_net

    if solver.puzzle.has_facelets:
        output.echo(draw_net(solver.puzzle, state, output.wants_colour(), symbols))
        click.echo(f"\nfacelets  {solver.to_facelets(state)}")
    else:
        click.echo(solver.written(state) or "\n".join(_places(solver, state)))
    if vectors := _vectors(solver, state):
        click.echo(f"vectors   {vectors}")
    click.echo(f"solved    {'yes' if solver.puzzle.is_solved(state) else 'no'}")


def _coordinates(solver: Solver, state: bytes, method: Method) -> str:
    """For people: the coordinates in a table, and in the form in which they are read again."""
    from puzzlekit.cli.output import columns
    from puzzlekit.solve.named_coordinates import coordinate_values

    found = coordinate_values(solver.puzzle, method, state)
    rows = [["phase", "coordinate", "value", "of", "solved", "what it tells"]]
    for each in found:
        value = "-" if each.value is None else f"{each.value:,}"
        numbers = [value, f"{each.size:,}", f"{each.solved:,}"]
        rows.append([each.phase, each.name, *numbers, each.tells])
    text = f"coordinates of the method {method.name}\n{columns(rows, right=[2, 3, 4])}"
    if any(each.value is None for each in found):
        text += "\n- is not defined in this state: an earlier phase sees to that"
    given = " ".join(f"{each.name}={each.value}" for each in found if each.value is not None)
    return f"{text}\ncoordinates  {given}"


def _record(solver: Solver, state: bytes, method: Method | None) -> dict[str, Any]:
    from puzzlekit.solve.json_records import written

    record: dict[str, Any] = {
        "puzzle": solver.puzzle.name,
        "state": written(solver.puzzle, state),
        "vectors": solver.to_vectors(state),
        "solved": solver.puzzle.is_solved(state),
    }
    if method is not None:
        from puzzlekit.solve.named_coordinates import coordinate_values

        found = coordinate_values(solver.puzzle, method, state)
        record |= {"method": method.name, "coordinates": [each._asdict() for each in found]}
    return record


def _places(solver: Solver, state: bytes) -> list[str]:
    """A line for each place: the piece there, and how it is turned."""
    lines = []
    for orbit in solver.puzzle.orbits:
        labels = solver.puzzle.labels(state, orbit)
        turns = solver.puzzle.orientations(state, orbit)
        for place, label, turn in zip(orbit.places, labels, turns, strict=True):
            turned = f", orientation {turn}" if orbit.orientations > 1 else ""
            lines.append(f"{orbit.piece} at {place}: {orbit.label_name(label)}{turned}")
    return lines


def _vectors(solver: Solver, state: bytes) -> str:
    """The vectors of a state as one text; empty if the puzzle has none."""
    from puzzlekit.errors import StateError

    named = solver.to_vectors(state)
    text = " ".join(f"{name}={','.join(map(str, numbers))}" for name, numbers in named.items())
    if not text:
        return ""
    try:
        complete = solver.from_vectors(text) == state
    except StateError:
        complete = False
    if complete:
        return text
    if not solver.puzzle.rotations:
        return "(they cannot say all of this state)"
    return "(they cannot say how the puzzle is held; turn it back first)"
