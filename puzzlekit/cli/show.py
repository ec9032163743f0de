"""`puzzlekit show`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.method.method import Method
    from puzzlekit.solve.solver import Solver


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
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def command(
    puzzle: str | None,
    definition: str | None,
    given: options.Given,
    wanted: bool,
    method: str | None,
    json_lines: bool,
) -> int:
    """Show a position: its net, its facelets and its vectors.

    Facelets, vectors and coordinates are printed as --facelets, --vectors and --from-coordinates
    take them. A method has coordinates for each of its phases; it sees the state with its pieces
    renamed such that what it takes for solved is so.

    \b
    Examples
      puzzlekit show --puzzle cube3 "R U R' U'"
      puzzlekit show --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit show --puzzle cube3 ""      (the solved cube)
      puzzlekit show --puzzle cube3 "R U F2" --coordinates --method optimal
      puzzlekit show --puzzle cube2 --from-coordinates "permutation=12 orientation=3"
    """
    from puzzlekit.cli import output, positions

    positions.one_source(given.sources)
    if method is not None and not wanted and given.coordinates is None:
        raise click.UsageError("--method goes with --coordinates and --from-coordinates")
    solver = options.load_checked(puzzle, definition, method)
    state, symbols = positions.read_position(solver, given, method)
    chosen = solver.method(method) if wanted else None
    if json_lines:
        output.echo_json("show", **_record(solver, state, chosen))
        return 0
    _show(solver, state, symbols)
    if chosen is not None:
        click.echo(f"\n{_coordinates(solver, state, chosen)}")
    return 0


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
