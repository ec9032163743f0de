"""`puzzlekit scramble`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options
from puzzlekit.errors import PuzzlekitError

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.solve.event_scrambles import EventScrambler, Moves
    from puzzlekit.solve.goal_states import Practice
    from puzzlekit.solve.solver import Solver
    from puzzlekit.store.table import TableKey

_LARGE = 30_000_000  # bytes; a scramble without a seed does not build more tables


@click.command("scramble", cls=Command, short_help="Print scrambles that lead to random states.")
@options.puzzle_option
@click.option(
    "--event",
    metavar="NAME",
    shell_complete=options.complete_events,
    help="Competition event such as 333 or pyram, instead of --puzzle.",
)
@click.option(
    "--moves",
    metavar="LIST",
    help="Scramble with these moves only, such as R,U: to random states that they reach.",
)
@options.goal_option
@click.option(
    "--not",
    "unwanted",
    metavar="GOAL",
    shell_complete=options.complete_goals,
    help="With --goal: leave out states that are at this goal.",
)
@click.option(
    "--at-most",
    type=options.whole(1, 30),
    metavar="N",
    help="With --goal: states from which the goal needs 1 to N moves, instead of states at the "
    "goal.",
)
@options.colours_option
@click.option(
    "--count",
    type=options.whole(1, 1_000_000),
    help="Number of scrambles. Default: 1; with --sheet the scrambles of a round.",
)
@options.seed_option
@click.option(
    "--sheet",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="With --event: also write a page for printing, with pictures and extra scrambles.",
)
@options.defaulted(
    "--extra", options.whole(0, 1000), 2, "With --sheet: number of extra scrambles (E1, E2, ...)"
)
@options.worker_options()
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object per scramble.")
def command(
    puzzle: str | None,
    definition: str | None,
    event: str | None,
    moves: str | None,
    goal: str | None,
    unwanted: str | None,
    at_most: int | None,
    colours: str | None,
    count: int | None,
    seed: int | None,
    sheet: str | None,
    extra: int,
    workers: options.WorkerChoice,
    json_lines: bool,
) -> int:
    """Print moves that lead from the solved puzzle to a random state.

    Each line is one scramble, and every state is equally likely. The same seed gives the same
    scrambles.

    In two cases a scramble is random moves instead. In the first case, large tables are missing and
    no seed is given. In the second case, --definition is given, and the search for moves to a
    random state takes too long. A line on stderr then gives the reason.

    With --event, states and moves follow the regulations of competitions. With --goal, the states
    are at a goal, for practice. With --moves, the scrambles have these moves only, and lead to
    random states of the group that the moves generate. A line on stderr says which states are
    equally likely.

    \b
    Examples
      puzzlekit scramble --puzzle cube3
      puzzlekit scramble --puzzle cube2 --count 5 --seed 2024
      puzzlekit scramble --event 222 --count 5
      puzzlekit scramble --event 333 --sheet round-1.html
      puzzlekit scramble --puzzle cube3 --goal oll --not pll --count 5
      puzzlekit scramble --puzzle cube3 --goal cross --at-most 4
      puzzlekit scramble --puzzle cube3 --moves R,U --count 5
    """
    if moves is not None:
        for name, there in {"--event": event, "--goal": goal, "--sheet": sheet}.items():
            if there is not None:
                raise click.UsageError(f"--moves and {name} cannot be combined")
        if workers.several:
            raise click.UsageError("--moves cannot be combined with --jobs and --cluster")
    if event is not None:
        if puzzle is not None or definition is not None:
            raise click.UsageError("--event names the puzzle: omit --puzzle and --definition")
        if goal is not None:
            raise click.UsageError("--event and --goal cannot be combined")
        if sheet is not None:
            options.check_page(sheet)
        return _print_event(event, count, seed, sheet, extra, workers, json_lines)
    if sheet is not None:
        raise click.UsageError("--sheet needs --event")
    if goal is not None:
        if unwanted is not None and at_most is not None:
            raise click.UsageError("--not and --at-most cannot be combined")
        from puzzlekit.solve.goal_states import Practice

        solver = options.load_puzzle(puzzle, definition)
        practice = Practice(goal, unwanted, at_most, colours)
        return _print_practice(solver, practice, count or 1, seed, workers, json_lines)
    for name, value in {"--not": unwanted, "--at-most": at_most, "--colours": colours}.items():
        if value is not None:
            raise click.UsageError(f"{name} needs --goal")
    from random import Random

    solver = options.load_puzzle(puzzle, definition)
    if moves is not None:
        return _print_of_group(solver, moves, count or 1, Random(seed), json_lines)
    return _print_random(solver, count or 1, Random(seed), seed is None, workers, json_lines)


def _print_random(
    solver: Solver,
    count: int,
    rng: Random,
    quick: bool,
    workers: options.WorkerChoice,
    json_lines: bool,
) -> int:
    """Print scrambles to random states. If `quick`, do not build large tables."""
    from puzzlekit.cli.messages import say
    from puzzlekit.solve.scrambling import RANDOM_MOVES, random_moves

    reason = missing_tables(solver) if quick else ""
    left = count
    if not reason:
        for moves in _to_random_states(solver, count, rng, workers):
            if not moves:
                reason = "finding moves to a random state takes too long for this puzzle"
                break
            left -= 1
            _print(solver, moves, json_lines)
    if reason:
        say(f"these scrambles are {RANDOM_MOVES} random moves each: {reason}")
        for _ in range(left):
            _print(solver, random_moves(solver, rng), json_lines, random_state=False)
    return 0


def _print_of_group(solver: Solver, moves: str, count: int, rng: Random, json_lines: bool) -> int:
    """Print scrambles of some moves to random states of their group."""
    from puzzlekit.cli.messages import say
    from puzzlekit.solve.group_scrambles import GroupScrambler
    from puzzlekit.solve.scrambling import RANDOM_MOVES

    scrambler = GroupScrambler(solver, moves)
    words = (
        f"random states of the group of {moves}, which has {scrambler.order:,} elements: all "
        "states are equally likely, except solved ones"
    )
    told = False
    for number in range(count):
        found = scrambler.scramble(rng)
        if number == 0 and found is not None:
            say(words)
        elif found is None and not told:
            say(f"some scrambles are {RANDOM_MOVES} random moves: finding moves takes too long")
            told = True
        names = [move.name for move in found or scrambler.random_moves(rng)]
        _print(solver, names, json_lines, found is not None)
    return 0


def _to_random_states(
    solver: Solver, count: int, rng: Random, workers: options.WorkerChoice
) -> Iterator[list[str]]:
    """Yield moves to random states; an empty list at the end if the solver gave up a search.

    Then the random numbers continue as if no later state had been drawn.
    """
    import contextlib
    from copy import copy

    from puzzlekit.cli.progress import prepare
    from puzzlekit.solve.inventory import table_keys
    from puzzlekit.solve.scrambling import moves_to, unsolved_state

    choice = solver.choose()
    if workers.needs_tables:
        prepare(solver, choice)
    if not workers.several:
        for _ in range(count):
            yield moves_to(solver, unsolved_state(solver, rng))
        return
    from puzzlekit.batches.job import Source, new_token
    from puzzlekit.batches.scrambles import ScrambleJob
    from puzzlekit.cli.batching import working

    ahead = copy(rng)  # a thread draws states ahead

    def states() -> Iterator[tuple[Any, bytes]]:
        for _ in range(count):
            state = unsolved_state(solver, ahead)
            yield (ahead.getstate() if solver.gives_up else None), state

    job = ScrambleJob(new_token(), (Source.of(solver),))
    with (
        working(workers, job, [solver], lambda: table_keys(solver, choice)) as stream,
        contextlib.closing(stream.results(states())) as results,
    ):
        for after, state, moves in results:
            if isinstance(moves, Exception):
                raise moves
            if not moves:
                rng.setstate(after)
            elif not _leads_to(solver.puzzle, moves, state):
                raise PuzzlekitError(f"a worker returned a wrong scramble: {' '.join(moves)}")
            yield moves


def _leads_to(puzzle: Puzzle, moves: list[str], state: bytes) -> bool:
    """Whether moves lead from the solved puzzle, held in some way, to a state."""
    return puzzle.is_solved(puzzle.apply(state, puzzle.undo(puzzle.moves(" ".join(moves)))))


def _print_practice(
    solver: Solver,
    practice: Practice,
    count: int,
    seed: int | None,
    workers: options.WorkerChoice,
    json_lines: bool,
) -> int:
    """Print scrambles to random states at a goal, or near a goal."""
    import contextlib

    from puzzlekit.batches.job import Source, new_token
    from puzzlekit.batches.scrambles import PracticeJob
    from puzzlekit.cli.batching import working
    from puzzlekit.cli.messages import say
    from puzzlekit.cli.progress import prepare
    from puzzlekit.solve.event_scrambles import fresh_seed
    from puzzlekit.solve.inventory import table_keys

    choices = [each for each in (practice.choice(solver), solver.choose()) if each is not None]
    for choice in choices if workers.needs_tables else choices[:-1]:  # some check the states
        prepare(solver, choice)
    states = practice.states(solver)
    say(states.words)
    more: Any = {"goal": practice.goal, "states": states.count, "words": states.words}
    seed = fresh_seed() if seed is None else seed
    sources = (Source.of(solver),) if workers.several else ()
    job = PracticeJob(new_token(), sources, practice, seed)

    def keys() -> list[TableKey]:
        return [key for choice in choices for key in table_keys(solver, choice)]

    with (
        working(workers, job, [solver], keys) as stream,
        contextlib.closing(stream.results((number, number) for number in range(count))) as results,
    ):
        for _, _, result in results:
            if isinstance(result, Exception):
                raise result
            state, moves = result
            if workers.several and not (
                _leads_to(solver.puzzle, moves, state) and states.has(state)
            ):
                raise PuzzlekitError(f"a worker returned a wrong scramble: {' '.join(moves)}")
            _print(solver, moves, json_lines, **more)
    return 0


def _print_event(
    name: str,
    count: int | None,
    seed: int | None,
    sheet: str | None,
    extra: int,
    workers: options.WorkerChoice,
    json_lines: bool,
) -> int:
    """Print scrambles of an event, and write the sheet of a round."""
    from puzzlekit.cli.progress import prepare
    from puzzlekit.method.event import RandomMoves
    from puzzlekit.plugins.manager import load_event
    from puzzlekit.solve.event_scrambles import fresh_seed

    scrambler = load_event(name)
    wanted = scrambler.event
    choice = scrambler.choice
    if choice is not None and workers.needs_tables:
        prepare(scrambler.solver, choice)
    seed = fresh_seed() if seed is None else seed
    made = {}
    labels = map(str, range(1, (count or (wanted.attempts if sheet else 1)) + 1))
    for label, moves in _of_event(scrambler, seed, labels, workers):
        made[label] = moves
        _print(
            scrambler.solver,
            [move.name for move in moves],
            json_lines,
            not isinstance(wanted.moves, RandomMoves),
            event=name,
        )
    if sheet is not None:
        from pathlib import Path

        from puzzlekit.solve import scramble_sheet

        made |= {f"E{k}": scrambler.scramble(seed, f"E{k}") for k in range(1, extra + 1)}
        page = scramble_sheet.sheet(wanted, scrambler.puzzle, made, seed)
        Path(sheet).write_text(page, encoding="utf-8", newline="\n")
    return 0


def _of_event(
    scrambler: EventScrambler, seed: int, labels: Iterable[str], workers: options.WorkerChoice
) -> Iterator[tuple[str, Moves]]:
    """Yield each label with its scramble."""
    if not workers.several:
        yield from ((label, scrambler.scramble(seed, label)) for label in labels)
        return
    import contextlib

    from puzzlekit.batches.job import Source, new_token
    from puzzlekit.batches.scrambles import EventJob
    from puzzlekit.cli.batching import working
    from puzzlekit.solve.inventory import table_keys

    solver, choice = scrambler.solver, scrambler.choice

    def keys() -> list[TableKey]:
        return [] if choice is None else table_keys(solver, choice)

    job = EventJob(new_token(), (Source.of(solver),), scrambler.event.name, seed)
    with (
        working(workers, job, [solver], keys) as stream,
        contextlib.closing(stream.results((label, label) for label in labels)) as results,
    ):
        for label, _, names in results:
            if isinstance(names, Exception):
                raise names
            yield label, solver.puzzle.moves(" ".join(names))


def _print(
    solver: Solver,
    moves: list[str],
    json_lines: bool,
    random_state: bool = True,
    **more: str | int | None,
) -> None:
    """Print one scramble."""
    from puzzlekit.cli.output import echo_json
    from puzzlekit.solve.json_records import written

    if json_lines:
        echo_json(
            "scramble",
            puzzle=solver.puzzle.name,
            scramble=" ".join(moves),
            moves=moves,
            random_state=random_state,
            state=written(solver.puzzle, solver.scrambled(moves)),
            **more,
        )
    else:
        click.echo(" ".join(moves))


def missing_tables(solver: Solver) -> str:
    """Return a message if a scramble needs large tables that are not on disk, else ""."""
    import os

    from puzzlekit.cli.output import size
    from puzzlekit.solve.inventory import table_keys

    if solver.gives_up:
        return ""
    keys = table_keys(solver, solver.choose())
    missing = sum(key.nbytes for key in keys if not os.path.exists(solver.store.path(key)))
    if missing <= _LARGE:
        return ""
    build = f"puzzlekit tables build {solver.puzzle.name}"
    return f"random states need {size(missing)} of tables, which '{build}' builds"
