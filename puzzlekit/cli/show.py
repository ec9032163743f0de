"""`puzzlekit show`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.method import Method
    from puzzlekit.search.solver import Solver

_FILE = click.Path(dir_okay=False)
# Endings of names that say what a file is.
_SUFFIXES = {"svg", "svgz", "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf"}
_SUFFIXES |= {"avif", "heic", "ico", "eps", "ps", "html", "htm", "txt", "json"}


@click.command("show", cls=Command, short_help="Show or draw a position.")
@options.puzzle_option
@options.scramble_argument
@options.state_options
@options.coordinates_option
@click.option(
    "--coordinates", "wanted", is_flag=True, help="Also show the coordinates of a method."
)
@options.coordinates_method_option
@click.option("--svg", metavar="FILE", type=_FILE, help="Draw the position as SVG.")
@click.option(
    "--png", metavar="FILE", type=_FILE, help="Draw the position as PNG; needs puzzlekit[picture]."
)
@click.option(
    "--picture",
    default="net",
    metavar="NAME",
    help="Picture to draw: net, solid (in space) or top (from above). Some puzzles have only net. "
    "Default: net.",
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
@click.option("--solution", metavar="MOVES", help="With --link: moves that the links play.")
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

    --facelets, --vectors and --from-coordinates accept the facelets, vectors and coordinates that
    this command prints. A method has coordinates for each phase. The method first renames the
    pieces as if the whole puzzle were rotated, for example so that one corner is in its place.

    --only and --grey name stickers by where they are on the solved puzzle. The stickers are drawn
    coloured or grey wherever they are now. --link prints addresses of pages that show the scramble
    and play the moves of --solution.

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
        raise click.UsageError("--method needs --coordinates or --from-coordinates")
    if solution is not None and not link:
        raise click.UsageError("--solution needs --link")
    solver = options.load_checked(puzzle, definition, method)
    state, symbols = positions.read_position(solver, given, method)
    found = _links(solver, given, solution or "") if link else {}
    chosen = solver.method(method) if wanted else None
    text = None if chosen is None else _coordinates(solver, state, chosen)
    _draw(solver.puzzle, state, symbols, **drawn)
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
    svg: str | None,
    png: str | None,
    **drawn: Any,
) -> None:
    """Write the requested pictures."""
    from pathlib import Path

    _check_suffix(svg, "svg")
    _check_suffix(png, "png")
    if svg is None and png is None:
        if drawn != {"picture": "net", "only": "", "grey": ""}:
            raise click.UsageError("--picture, --only and --grey need --svg or --png")
        return
    from puzzlekit.puzzle.svg import draw_svg
    from puzzlekit.puzzle.svg import png as as_png

    text = draw_svg(puzzle, state, symbols=symbols, **drawn)
    if png is not None:
        Path(png).write_bytes(as_png(text))
    if svg is not None:
        Path(svg).write_text(text, encoding="utf-8")


def _check_suffix(path: str | None, kind: str) -> None:
    """Raise a UsageError if the name of a file says that it is of another kind."""
    from pathlib import Path

    suffix = "" if path is None else Path(path).suffix[1:].lower()
    if suffix in _SUFFIXES - {kind}:
        other = f"use --{suffix}, or " if suffix in ("svg", "png") else ""
        raise click.UsageError(
            f"--{kind} writes {kind.upper()}, but the name {path} ends in .{suffix}: {other}let "
            f"the name end in .{kind}"
        )


def _links(solver: Solver, given: options.Given, solution: str) -> dict[str, str]:
    """Return the addresses of pages that show the scramble, by the name of the site."""
    from puzzlekit.puzzle.pasted import links
    from puzzlekit.puzzle.position import read_moves, stickers_or_moves

    setup = stickers_or_moves(solver.puzzle, " ".join(given.scramble))
    if isinstance(setup, str) or not given.sources["a scramble"]:
        raise click.UsageError("--link needs a scramble, because links contain moves")
    return links(solver.puzzle, setup, read_moves(solver.puzzle, solution))


def _show(solver: Solver, state: bytes, symbols: Mapping[str, str] | None) -> None:
    """Print the net, the facelets and the vectors for people."""
    from puzzlekit.cli import output
    from puzzlekit.puzzle.net import draw_net

    if solver.puzzle.has_facelets:
        output.echo(draw_net(solver.puzzle, state, output.wants_colour(), symbols))
        click.echo(f"\nfacelets  {solver.to_facelets(state)}")
    else:
        click.echo(solver.written(state) or "\n".join(_places(solver, state)))
    if vectors := _vectors(solver, state):
        click.echo(f"vectors   {vectors}")
    click.echo(f"solved    {'yes' if solver.puzzle.is_solved(state) else 'no'}")


def _coordinates(solver: Solver, state: bytes, method: Method) -> str:
    """Format the coordinates as a table and as a line for --from-coordinates."""
    from puzzlekit.cli.output import columns
    from puzzlekit.search.named_coordinates import coordinate_values

    found = coordinate_values(solver.puzzle, method, state)
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
    from puzzlekit.search.solution import written

    record: dict[str, Any] = {
        "puzzle": solver.puzzle.name,
        "state": written(solver.puzzle, state),
        "vectors": solver.to_vectors(state),
        "solved": solver.puzzle.is_solved(state),
    }
    if method is not None:
        from puzzlekit.search.named_coordinates import coordinate_values

        found = coordinate_values(solver.puzzle, method, state)
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
        return "(vectors cannot describe this state completely)"
    return "(vectors cannot describe how the puzzle is held; rotate it back first)"
