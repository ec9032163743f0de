"""`puzzlekit export` and `puzzlekit visualcube`."""

from __future__ import annotations

import click

from puzzlekit.cli import Command, options

_NAMES = ("kpuzzle", "tws", "ksolve", "gap", "hog2", "pddl")
# The endings by which --puzzle reads a definition again.
_ENDINGS = {"kpuzzle": ".json", "tws": ".tws", "ksolve": ".def", "gap": ".gap"}
_PICTURES = (".bmp", ".gif", ".jpeg", ".jpg", ".pdf", ".webp")


@click.command("export", cls=Command, short_help="Write a puzzle or a position for other programs.")
@options.puzzle_option
@options.scramble_argument
@options.stickers_options
@options.state_option
@click.option("--random", is_flag=True, help="Write a random state.")
@options.seed_option
@click.option(
    "--format",
    "form",
    required=True,
    type=click.Choice(_NAMES),
    help="Format: kpuzzle (cubing.js), tws (twsearch), ksolve, gap, hog2 or pddl.",
)
@click.option(
    "--moves",
    metavar="MOVES",
    help="Families of moves, such as R,U. Default: those that answers of the default method have.",
)
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write to a file.")
def command(
    puzzle: str | None,
    given: options.Given,
    random: bool,
    seed: int | None,
    form: str,
    moves: str | None,
    output: str | None,
) -> int:
    """Write a puzzle in the format of another program; with SCRAMBLE or --state, a position.

    kpuzzle, tws, ksolve and gap describe puzzles whose moves are always possible, and ksolve also
    those with glued pieces. hog2 has only positions: the pieces of permutation puzzles, and moves
    that lead there of all others. pddl writes a domain, or with a position a problem for it.

    \b
    Examples
      puzzlekit export cube3 --format kpuzzle --output cube3.json
      puzzlekit export pyraminx "U L' R" --format tws
      puzzlekit export fifteen --random --seed 7 --format hog2
      puzzlekit export cube2 --format pddl --output cube2-domain.pddl
    """
    from contextlib import suppress
    from pathlib import Path

    from puzzlekit import NotationError
    from puzzlekit.cli import positions
    from puzzlekit_exports.formats import export

    positions.check_drawn(random, seed, given)
    sources = {**given.sources, "--random": random}
    ending = "" if output is None else Path(output).suffix.lower()
    other = ending in _ENDINGS.values() and ending != _ENDINGS.get(form)
    if other and not any(sources.values()):
        meant = next(name for name, known in _ENDINGS.items() if known == ending)
        raise click.UsageError(
            f"{output}: --puzzle reads {ending} as the format {meant}, not {form}: choose that "
            "format, or another ending"
        )
    state: bytes | str | None = None
    solver = options.load_puzzle(puzzle)
    if any(sources.values()):
        positions.one_source(sources)
        if random:
            state = solver.positions.random_state(seed)
        else:
            state = positions.read_position(solver, given).state
            with suppress(NotationError):  # a scramble may also be stickers
                written = " ".join(given.scramble)
                if given.scramble and solver.positions.scrambled(written) == state:
                    state = written
    text = export(solver, form, state, None if moves is None else moves.replace(",", " "))
    if output is None:
        click.echo(text)
    else:
        Path(output).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return 0


@click.command("visualcube", cls=Command, short_help="Draw a cube by VisualCube's parameters.")
@click.argument("query", metavar="QUERY")
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write to a file.")
def visualcube(query: str, output: str | None) -> int:
    """Draw a cube by the parameters of VisualCube, given as the query of an address.

    Known are pzl (2 to 7), size, view=plan, stage, alg, case, fd, fc, sch and bg, with VisualCube's
    meanings and defaults. The picture is SVG; a FILE whose name ends with .png becomes PNG, which
    needs permutation-puzzlekit[picture].

    \b
    Examples
      puzzlekit visualcube "pzl=3&view=plan&stage=oll&case=RUR'URU2R'" --output oll.svg
      puzzlekit visualcube "pzl=2&alg=R2F2R2&sch=wrgyob&size=200" --output cube2.svg
    """
    from pathlib import Path

    from puzzlekit_exports.visualcube import picture
    from puzzlekit_pictures import png

    if output is not None and Path(output).suffix.lower() in _PICTURES:
        raise click.UsageError(f"{output}: let the name end in .svg or .png")
    text = picture(query)
    if output is None:
        click.echo(text, nl=False)
    elif output.lower().endswith(".png"):
        Path(output).write_bytes(png(text))
    else:
        Path(output).write_text(text, encoding="utf-8", newline="\n")
    return 0
