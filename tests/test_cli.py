"""The command line: what each command prints, in one process."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import attrs
import click
import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Method, Metric, Orbit, Permutation, Phase, Puzzle
from puzzlekit.cli import main
from puzzlekit.cli.answers import explain, summary
from puzzlekit.puzzle import diagnose, sticker_reading
from puzzlekit.search.strategies.candidate import HowFound

SOLVED2 = "UUUURRRRFFFFDDDDLLLLBBBB"
TWISTED2 = "LUUURRRRFFFFDDDDBLLLBUBB"  # the corner ULB turned in place


def run(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


@pytest.fixture(scope="session")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((files("puzzlekit.schema") / "solve.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(
    "command", [(), *((name,) for name in main.list_commands(click.Context(main)))]
)
def test_help(command: tuple[str, ...]) -> None:
    found = run(*command, "--help")
    assert found.exit_code == 0
    assert "Usage: puzzlekit" in found.output
    assert "puzzlekit " + " ".join(command) in found.output
    assert max(map(len, found.output.splitlines())) <= 100
    assert run(*command, "-h").output == found.output


@pytest.mark.parametrize("name", ["list", "build", "verify", "clear", "path"])
def test_help_of_tables(name: str) -> None:
    assert f"puzzlekit tables {name}" in run("tables", name, "--help").output


def test_version() -> None:
    assert run("-V").output == run("--version").output == f"puzzlekit {puzzlekit.__version__}\n"


def test_solve_for_people() -> None:
    found = run("solve", "--puzzle", "cube2", "R U F2")
    assert found.exit_code == 0
    assert "solution  F2 U' R'" in found.output
    assert "length    3 HTM, 4 QTM (optimal in HTM)" in found.output
    assert "\x1b" not in found.output


def test_unquoted_scramble() -> None:
    assert "solution  F2 U' R'" in run("solve", "-p", "cube2", "R", "U", "F2").output


def test_solved_needs_nothing() -> None:
    for scramble in ("", "x y'", "R R'"):
        assert "it is solved" in run("solve", "-p", "cube3", scramble).output


def test_metric() -> None:
    found = run("solve", "-p", "cube2", "R U F2", "--metric", "qtm")
    assert "length    4 QTM, 3 HTM (optimal in QTM)" in found.output


def test_explain() -> None:
    puzzlekit.load("cube3").prepared()  # without tables, another search answers
    found = run("solve", "-p", "cube3", "R U F2 D L' B", "--explain", "--max-length", "12")
    assert found.exit_code == 0
    for words in (
        "phase 0, orient: corners and edges oriented",
        "phase 1, finish: the cube is solved",
        "solution",
    ):
        assert words in found.output
    assert "shortest for this phase" not in found.output


def test_phases_that_come_in_another_order_than_in_the_method_say_why() -> None:
    scramble = "R' U F2 L D' B R2 U2 F' D L2 B' U R F D2"
    solved = puzzlekit.load("cube3").solve(scramble, max_nodes=300_000)
    for names in (("orient", "finish"), ("finish", "orient")):
        found = HowFound(inverted=names[0] == "finish")
        by_name = {each.name: attrs.evolve(each, found=found) for each in solved.phases}
        phases = [by_name[name] for name in names]
        text = summary(puzzlekit.load("cube3"), solved.evolve(phases=tuple(phases)))
        (line,) = [each for each in text.splitlines() if each.startswith("phases ")]
        why = " (in the order of the moves: orient and finish solved the inverse state)"
        assert line.endswith(why) == (names[0] == "finish")
        assert f"{names[0]} {phases[0].cost}, {names[1]} {phases[1].cost}" in line


def test_an_answer_that_no_phase_has_found_solved_no_inverse_state() -> None:
    solved = puzzlekit.load("cube3").solve("R U", max_nodes=300_000)
    last = max(solved.phases, key=lambda phase: phase.number)
    directly = attrs.evolve(last, found=HowFound(directly=True), direct=False)
    text = explain(puzzlekit.load("cube3"), solved.evolve(phases=(directly,)), coloured=False)
    assert "phase 1, finish: the cube is solved (found directly)" in text
    assert "inverse" not in text


def test_explain_tells_which_phases_are_shortest() -> None:
    found = run("solve", "-p", "cube3", "--random", "--seed", "7", "-o", "heuristic=1=blended",
                "--explain")  # fmt: skip
    said = [line.strip() for line in found.output.splitlines() if " node" in line]
    assert "9 HTM, shortest for this phase, " in said[0]
    assert "shortest" not in said[1]
    assert "HTM, shortest for this phase," in run("solve", "-p", "cube2", "R U", "--explain").output


def test_heuristics(validator: jsonschema.Draft202012Validator) -> None:
    for asked, told in (
        ("blended", "blended"),
        ("blended:a=2.0,sd=population", "blended:sd=population"),
        ("finish=euclid", "0=max/1=euclid"),
    ):
        found = run(
            "solve", "-p", "cube3", "--random", "--seed", "3", "-o", f"heuristic={asked}", "--json"
        )
        record = json.loads(found.stdout)
        validator.validate(record)
        assert record["heuristic"] == told
        assert [phase["optimal"] for phase in record["phases"]] == ["0=max" in told, False]
        assert not record["optimal"]
    assert json.loads(run("solve", "-p", "cube2", "R U", "--json").stdout)["phases"][0]["optimal"]


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("guess", "error: there is no heuristic 'guess'; there are max, sum, max-sd:a=1,sd=sum, "),
        ("blended:e=1", "error: the heuristic blended has no parameter 'e'; it has a=2, b=0.625, "),
        ("2=max", "error: two-phase has no phase '2'; it has 0 orient, 1 finish\n"),
    ],
)
def test_heuristics_that_do_not_exist(asked: str, problem: str) -> None:
    found = run("solve", "-p", "cube3", "R U", "-o", f"heuristic={asked}")
    assert found.exit_code == 2
    assert problem in found.stderr


@pytest.mark.parametrize("command", ["solve", "check", "show", "verify"])
def test_a_command_without_arguments_names_what_is_missing(command: str) -> None:
    found = run(command)
    assert found.exit_code == 2
    assert found.stderr.startswith("error: no position is given: use ")


def test_json(validator: jsonschema.Draft202012Validator) -> None:
    found = run("solve", "-p", "cube3", "R U F2 x", "--json")
    record = json.loads(found.stdout)
    validator.validate(record)
    cube = puzzlekit.load("cube3")
    state = cube.state("R U F2 x")
    assert cube.positions.from_facelets(record["state"]) == state
    assert cube.puzzle.is_solved(cube.puzzle.apply(state, cube.puzzle.moves(record["solution"])))
    assert record["solution"].split() == record["moves"]
    assert record["length"] == record["lengths"]["HTM"] == 3
    assert "line" not in record


def test_schema_refuses_what_is_incomplete(validator: jsonschema.Draft202012Validator) -> None:
    record = json.loads(run("solve", "-p", "cube2", "R", "--json").stdout)
    del record["optimal"]
    assert not validator.is_valid(record)
    assert not validator.is_valid({"schema": "puzzlekit.solve/1"})


def test_json_of_an_error(validator: jsonschema.Draft202012Validator) -> None:
    found = run("solve", "-p", "cube2", "R Q", "--json")
    assert found.exit_code == 2
    record = json.loads(found.stdout)
    validator.validate(record)
    assert (record["kind"], record["column"], record["token"]) == ("notation", 3, "Q")
    assert found.stderr.startswith("error: column 3: 'Q'")


def test_state_as_the_argument() -> None:
    assert "it is solved" in run("solve", "-p", "cube2", SOLVED2).output
    found = run("solve", "-p", "cube2", "RU" * 12)
    assert found.exit_code == 3
    assert "read as a state" in found.stderr
    found = run("solve", "-p", "cube2", SOLVED2[1:])
    assert "warning: read as 23 moves" in found.stderr


def test_state_with_blanks() -> None:
    faces = " ".join(face * 4 for face in "WRGYOB")
    rows = " ".join(face * 2 for face in "WWRRGGYYOOBB")
    for text in (faces, rows, faces.lower() + "  # solved"):
        assert "solved    yes" in run("show", "-p", "cube2", text).output
        assert "it is solved" in run("solve", "-p", "cube2", *text.partition("#")[0].split()).output
    assert run("show", "-p", "cube2", " ".join("RU" * 12)).exit_code == 0  # moves
    assert "read as 23 moves" in run("show", "-p", "cube2", "UUU" + SOLVED2[4:]).stderr


def test_net_in_the_symbols_that_were_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    japanese = "WWWWRRRRGGGGBBBBOOOOYYYY"
    for name, arguments in (("show", ()), ("solve", ()), ("solve", ("--explain",))):
        shown = run(name, "-p", "cube2", "--state", japanese, *arguments).stdout
        assert "  O O  G G  R R  Y Y" in shown
    assert "  5 5  3 3  2 2  6 6" in run("show", "-p", "cube2", "--state", "111122223333"
                                         "444455556666", "-o", "scheme=123456").stdout  # fmt: skip
    assert "  L L  F F  R R  B B" in run("show", "-p", "cube2", SOLVED2).stdout
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[48;5;21;38;5;231mB" in run("show", "-p", "cube2", "--state", japanese).stdout


@pytest.mark.slow
def test_names_that_are_nearly_right() -> None:
    for arguments, said in (
        (("solve", "-p", "cube", "R"), "did you mean cube"),
        (("solve", "-p", "cube3", "R", "--method", "twophase"), "did you mean two-phase?"),
        (
            ("solve", "-p", "cube3", "R", "--metric", "QTN"),
            "no metric 'QTN' (did you mean QTM?); it searches in HTM",
        ),
        (
            ("solve", "-p", "cube3", "R", "--metric", "foo"),
            "in HTM, QTM, AXHT, AXQT, STM, robot, flip-spin\n",
        ),
        (
            ("solve", "-p", "cube4", "R", "--metric", "stm", "--method", "six-phase"),
            "does not search in STM",
        ),
        (("solve", "-p", "cube3", "R", "--metric", "OBTM"), "'OBTM' (did you mean HTM?); it"),
        (("solve", "-p", "cube4", "R", "--metric", "turns"), "'turns' (did you mean OBTM?); it"),
        (("scramble", "megamix"), "argument (megamix) (did you mean megaminx?)"),
        (("scramble", "gear"), "argument (gear): 'puzzlekit puzzles' lists the puzzles"),
        (("solve", "--cube", "cube3", "R"), "'--cube': write --puzzle NAME"),
        (("solve", "-p", "cube3", "--stickers", "U"), "'--stickers': write --state S"),
        (("solve", "-p", "cube3", "R+"), "'+': not a move (R turns clockwise, R' counter-clock"),
        (("solve", "-p", "cube3", "R ccw"), "'ccw': not a move (R turns clockwise, R' counter"),
        (("solve", "-p", "square1", "1,0/3"), "'3': a number without a move (moves are (x,y) or"),
        (("slove",), "did you mean solve?"),
        (("solve", "-p", "cube3", "R", "-o", "heuristic=mask"), "'mask' (did you mean max?);"),
        (("tables", "bild"), "did you mean build?"),
        (("solve", "-p", "cube3", "R", "-m", "kociemba"), "'kociemba' (did you mean two-phase?);"),
        (("solve", "-p", "cube3", "R", "--optimal"), "'--optimal': write --method optimal"),
        (("show", "-p", "cube3", "R", "--gif", "x"), "'--gif': write --svg FILE --solution MOVES"),
        (("solve", "-p", "cube3", "R", "--gif", "x"), "'--gif': 'puzzlekit show --svg FILE --sol"),
        (("solve", "-p", "cub3", "R"), "'cub3' (did you mean cube3?); available puzzles"),
        (("scramble", "cube3", "3"), "argument (3): write --count 3"),
        (("goals",), "'puzzlekit puzzles cube3' lists the goals"),
        (("3x3", "R U"), "write 'puzzlekit solve --puzzle 3x3 ...'"),
        (("puzzles", "cuve3"), "did you mean cube3?"),
        (("solve", "cuve3", "R U"), "--puzzle is missing (did you mean cube3?): write 'puzzlekit"),
        (
            ("solve", "my/cube.def", "R U"),
            ": write 'puzzlekit solve --puzzle my/cube.def ...'; ",
        ),
        (
            ("solve", "R U"),
            "--puzzle is missing: write 'puzzlekit solve --puzzle NAME ...'; ",
        ),
        (("solve", "-p", "cube3", "R", "-v"), "no such option '-v': write --explain"),
        (("scramble", "cube3", ""), "unexpected extra argument ()"),
        (("solve", "-puzzle", "cube3", "R"), "no such option '-puzzle': write --puzzle"),
        (("solve", "cube3", "R", "-timeout", "3"), "no such option '-timeout': write --timeout"),
        (("solve", "-p", "cube3", "R", "--quiet"), "'--quiet': progress is on stderr"),
        (("solve", "-p", "cube3", "R", "--max-depth", "9"), "'--max-depth': write --max-length N"),
        (("solve", "-p", "cube3", "R", "--goals", "x"), "'--goals' (did you mean --goal?)\n"),
        (("solve", "-p", "cube3", "R", "--public"), "no such option '--public'"),
        (("solve", "-p", "cube3", "R", "-o", "foo=1"), "'foo=1' is not NAME=VALUE, with one of"),
        (("solve", "-p", "cube3", "R", "-o", "orders=net"), "NAME=VALUE (did you mean order?),"),
        (("solve", "-p", "cube3", "--scramble", "R"), ": write its value without --scramble"),
        (("scramble", "cube3", "--length", "20"), "--length': a scramble is as long as its"),
        (("tables", "build", "-p", "cube3"), "no such option '-p': write its value without -p"),
        (("-p", "cube3", "R U"), "no such option '-p': write 'puzzlekit solve --puzzle NAME ...'"),
        (("R U2 F",), "write 'puzzlekit solve --puzzle NAME \"R U2 F\"'"),
        (("kociemba", "R U2 F"), "'kociemba': write 'puzzlekit solve --puzzle NAME ...'"),
        (("timer",), "there is no timer, but 'puzzlekit scramble' prints scrambles for one"),
        (("tables", "rm"), "no such command 'rm': 'puzzlekit tables clear' removes tables"),
        (("tables", "build", "cube2", "cube3", "7"), "arguments (cube3 7)\n"),
        (("show", "-p", "cube3", "R", "--width", "800"), "'--width': write --size N"),
        (("show", "cube3", "R", "--view", "top"), "'--view': write --picture top"),
        (("show", "cube3", "R", "-o", "a.svg"), "'a.svg' is not NAME=VALUE (did you mean --svg a."),
        (("show", "cube3", "R", "--svg"), "'puzzlekit show --help' explains"),
        (("solve", "cube3", "R", "--machine", "arms.toml"), "'--machine': write --metric FILE"),
        (("solve", "cube3", "R", "--colour", "white"), "'--colour': write --option scheme=S"),
        (("robot", "R"), "'robot': write 'puzzlekit solve --metric robot ...' or --metric FILE"),
        (("show", "-p", "cube3", "R", "--size", "800"), "--size, --only and --grey need --svg"),
        (("solve", "-p", "cube3", "R", "-o", "heuristic=maxx"), "'maxx' (did you mean max?);"),
    ):
        found = run(*arguments)
        assert found.exit_code in (2, 3), arguments
        assert said in found.stderr, found.stderr
    assert "did you mean" not in run("solve", "-p", "cube3", "R", "--public").stderr


def test_help_has_sections_and_two_words_of_its_own() -> None:
    whole = run("--help").output
    headings = re.findall(r"^(\S.*):$", whole, re.MULTILINE)
    tools = ["Commands of plugins"] * ("Commands of plugins" in headings)
    usual = ["Solve", "Puzzles and plugins", "This installation"]
    assert headings == [*usual, *tools, "Options"]
    solve = run("solve", "--help").output
    found = re.findall(r"^(\S.*):$", solve, re.MULTILINE)
    assert found == ["Position", "Search", "Limits", "Output", "Options"]
    assert all(f"  {each}" in solve for each in ("-m, --method", "-g, --goal", "-t, --timeout"))
    assert run("help").output == whole and run("help", "solve").output == solve
    assert run("version").output == run("--version").output
    assert run("tables", "help").output == run("tables", "--help").output


def test_help_is_coloured_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain = run("scramble", "--help").output
    monkeypatch.setenv("FORCE_COLOR", "1")
    found = run("scramble", "--help").output
    assert "\x1b[36m-n, --count N" in found and click.unstyle(found) == plain


def test_one_puzzle_is_listed_alone() -> None:
    shown = run("puzzles", "3x3").output
    assert shown.startswith("cube3: 3x3x3 cube\n") and "  method  " in shown
    assert "cube3: 3x3x3 cube\ncube3-" in run("puzzles").output
    record = json.loads(run("puzzles", "cube3", "--json").output)
    assert [each["name"] for each in record["puzzles"]] == ["cube3"] and not record["families"]


def test_only_so_many_faults_are_printed() -> None:
    mixed = "BDFUULDDLBDLRDUBDUFFUFFBRRDBBDDDRRRULFULFURRLULLBLFFFRRB"[:54]
    found = run("check", "-p", "cube3", "--state", mixed)
    assert found.exit_code == 3
    assert len(found.stderr.splitlines()) == 13
    assert " more" in found.stderr.splitlines()[-1]


def test_puzzle_without_stickers(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = Orbit("tokens", "token", "A B C", orientations=2)
    turns = {"L": (bytes([1, 2, 0, 4, 5, 3]), bytes([0, 0, 0, 1, 0, 1]))}
    puzzle = Puzzle("three", "Three", (tokens,), turns, (Metric("TURNS", "turns", {"L": 1}),))
    phase = Phase(
        "solve", "home", "L", (order := Permutation("p", puzzle, "tokens"),), (order.name,)
    )
    solver = puzzlekit.Solver(puzzle, [Method("optimal", "shortest", (phase,))])
    monkeypatch.setattr("puzzlekit.cli.options.load_puzzle", lambda *_: solver)
    shown = run("show", "-p", "three", "L").output
    assert "token at A: B, orientation 1\n" in shown
    assert run("check", "-p", "three", "--state", "ABC").exit_code == 2
    assert run("check", "-p", "three", "--state", "").exit_code == 2
    assert "\n\n\n" not in run("solve", "-p", "three", "--explain", "L").output


def test_a_solve_resolves_its_options_once_and_diagnoses_no_sound_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[str] = []

    def counted(owner: Any, name: str) -> None:
        own = getattr(owner, name)

        def count(*arguments: Any) -> Any:
            calls.append(name)
            return own(*arguments)

        monkeypatch.setattr(owner, name, count)

    counted(puzzlekit.Solver, "choose")
    counted(sticker_reading, "diagnose")
    counted(diagnose, "diagnose")
    assert run("solve", "-p", "cube2", "--state", SOLVED2, "--json").exit_code == 0
    assert calls == ["choose"]


def test_vectors_and_schemes() -> None:
    assert "vectors   (vectors cannot describe" in run("show", "-p", "cube3", "R U' x").output
    shown = run("show", "-p", "cube3", "R U' r R' M").output
    vectors = next(line for line in shown.splitlines() if line.startswith("vectors"))
    again = run("show", "-p", "cube3", "--state", vectors.removeprefix("vectors"))
    assert again.output == shown
    found = run(
        "solve", "-p", "cube2", "--state", "wwwwrrrrggggyyyyoooobbbb", "-o", "scheme=western"
    )
    assert "it is solved" in found.output


def test_random_is_repeatable() -> None:
    one, other, third = (
        json.loads(run("solve", "-p", "cube2", "--random", "--seed", seed, "--json").stdout)[
            "state"
        ]
        for seed in ("1", "1", "2")
    )
    assert one == other != third


@pytest.mark.parametrize("name", ["cube2", "cube3"])
def test_scramble(name: str) -> None:
    arguments = ("scramble", "-p", name, "--count", "3", "--seed", "5")
    found = run(*arguments)
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert len(set(lines)) == 3
    assert run(*arguments).stdout == found.stdout
    for line in lines:
        assert run("solve", "-p", name, line, "--max-length", "30").exit_code == 0


def test_check() -> None:
    assert run("check", "-p", "cube2", "R U").exit_code == 0
    found = run("check", "-p", "cube2", "--state", TWISTED2)
    assert found.exit_code == 3
    assert found.stderr.startswith("error: corner ULB is twisted counter-clockwise\n")
    assert found.stdout == ""


def test_a_printed_net_is_a_position() -> None:
    for name, moves in {"cube2": "R", "cube3": "R U x"}.items():
        net = run("show", "-p", name, moves).stdout
        for how in ([], ["--state"]):
            assert run("show", "-p", name, *how, net).stdout == net
    damaged = run("check", "-p", "cube2", run("show", "-p", "cube3", "R").stdout)
    assert damaged.exit_code == 3 and damaged.stdout == ""
    assert damaged.stderr == "error: a net of 54 stickers instead of 24\n"
    rows = "UUUULLFFRRBBLLFFRRBBDDDD"
    found = run("check", "-p", "cube2", rows, "-o", "order=net")
    assert "is solved" in found.stdout and not found.stderr
    assert run("check", "-p", "cube2", rows, "-o", "order=faces").exit_code == 3
    assert run("solve", "-p", "cube2", "R", "-o", "order=net").exit_code == 2


def test_verify() -> None:
    found = run("verify", "-p", "cube3", "--scramble", "R U F2", "F2 U' R' y")
    assert found.exit_code == 0
    assert "solved after 3 HTM, 4 QTM" in found.output
    found = run("verify", "-p", "cube3", "--state", "U" * 9 + "R" * 9 + "F" * 9 + "D" * 9
                + "L" * 9 + "B" * 9, "R")  # fmt: skip
    assert found.exit_code == 1
    assert "not solved after 1 HTM" in found.output


def test_verify_reads_moves_on_the_inverse() -> None:
    """They are told from groups: by an option, or not at all."""
    given = ("verify", "-p", "cube3", "--scramble", "R U F2 D L B' R2 U2")
    moves = "U2 R2 B L' (R U) D' F2"
    for asked in (
        (moves, "--parentheses", "inverse"),
        ("U2 R2 B L' D' F2 (U' R')", "--parentheses", "groups"),
        ("U2 R2 B L' D' F2 U' R' (8f)",),
    ):
        found = run(*given, *asked)
        assert "\nsolved after 8 HTM" in found.output, asked
    assert "not solved" in run(*given, moves, "--parentheses", "groups").output
    found = run(*given, moves)
    assert found.exit_code == 2
    for words in ("column 12: '(R U)'", "a group, or moves on the inverse", "--parentheses"):
        assert words in found.output


def test_a_scramble_that_is_not_found_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.search.scrambling._NODES", 1)
    monkeypatch.setattr("puzzlekit.search.scrambling._PATIENCE", 0)
    found = run("scramble", "-p", "cube2", "--seed", "5")
    assert found.exit_code == 1 and "puzzlekit check-plugin cube2" in found.output


def test_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run("show", "-p", "cube2", "R").output
    assert "\x1b[48;5;" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = run("show", "-p", "cube2", "R").output
    assert "\x1b" not in plain
    assert plain.splitlines()[0] == "       U F"


@pytest.mark.slow
def test_puzzles_plugins_doctor() -> None:
    puzzles = json.loads(run("puzzles", "--json").output)["puzzles"]
    assert all(metric["searched"] for each in puzzles for metric in each["metrics"])
    plugins = run("plugins").output
    assert "puzzlekit_cube2" in plugins and "333, 333oh, 333fm, 333bf, 333mbf" in plugins
    found = run("doctor")
    assert found.exit_code == 0, found.output
    for word in ("puzzlekit", "numpy", "engine", "cache", "writable", "puzzlekit_cube3"):
        assert word in found.output


@pytest.mark.slow
def test_doctor_warns_of_the_other_distribution_of_this_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a package of the same name. An older installation of ours gives no warning."""
    assert "warning" not in run("doctor").output
    info = tmp_path / "puzzlekit-0.3.4.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: puzzlekit\nVersion: 0.3.4\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = run("doctor")
    assert found.exit_code == 0
    assert "the distribution puzzlekit 0.3.4, installed here too, is another" in found.output
    assert "pip uninstall puzzlekit" in found.output
    assert "--force-reinstall permutation-puzzlekit" in found.output
    (info / "entry_points.txt").write_text("[puzzlekit]\ncube2 = puzzlekit_cube2\n")
    assert "warning" not in run("doctor").output


@pytest.mark.slow
def test_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path))
    puzzlekit.load("cube2")  # its store lies where it was; the commands below make their own
    assert run("tables", "path").output.strip() == str(tmp_path)
    assert run("tables", "list").output.splitlines()[0] == f"0 tables, 0 B, in {tmp_path}"
    store = puzzlekit.TableStore(str(tmp_path))
    cube = puzzlekit.load("cube2")
    puzzlekit.Solver(cube.puzzle, cube.methods, store).prepared()
    old = tmp_path / "v1" / "cube2" / "old-0123456789abcdef0123456789abcdef.npy"
    old.write_bytes(b"from another version")
    every = run("tables", "list", "--all").output
    assert every.startswith(run("tables", "list", "cube2").output)
    listed = run("tables", "list", "cube3").output
    assert listed.splitlines()[0] == f"0 tables, 0 B, in {tmp_path}"
    assert run("tables", "list", "cube9").exit_code == 2
    assert "permutation x orientation distance HTM" in every
    listed = run("tables", "list").output
    assert listed.splitlines()[1].split()[:2] == ["cube2", "4"] and "4 tables" in listed
    assert "unusable" in listed and "permutation" not in listed
    assert run("tables", "verify").exit_code == 4
    assert "removed 1 table," in run("tables", "clear", "--stale").output
    assert run("tables", "verify").output.rstrip().endswith("none damaged")
    assert "removed 0 tables" in run("tables", "clear", "cube3").output

    def refused(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    with monkeypatch.context() as patch:
        patch.setattr("os.unlink", refused)
        found = run("tables", "clear", "cube2")
    assert found.exit_code == 4
    assert found.stderr.count("error: cannot remove the table") == 2  # two of them share a file
    assert "removed 3 tables" in run("tables", "clear").output


def test_clear_asks_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question has the number and the size of what would be removed."""
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path))
    store = puzzlekit.TableStore(str(tmp_path))
    cube = puzzlekit.load("cube2")
    puzzlekit.Solver(cube.puzzle, cube.methods, store).prepared()
    monkeypatch.setattr("puzzlekit.cli.progress.on_terminal", lambda: True)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True)

    def clear(*args: str, answer: str = "") -> str:
        return CliRunner().invoke(main, ["tables", "clear", *args], input=answer).output

    assert f"Remove 3 tables, 1.9 MB, from {tmp_path}? [y/N]" in (said := clear(answer="n\n"))
    assert "removed 0 tables" in said and len(store.entries()) == 3
    assert "?" not in clear("cube3")  # there is nothing to remove
    clear(answer="")  # the end of the input says no, too
    assert len(store.entries()) == 3
    assert "?" not in clear("--yes", "cube2") and not store.entries()


@pytest.mark.slow
def test_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.plugins.manager.available", lambda: ["cube2", "cube3"])
    run("tables", "build", "cube2")
    assert (
        run("tables", "build", "cube2").output
        == "cube2 optimal HTM: all tables are already on disk\n"
    )
    assert "small-tables QTM" in run("tables", "build", "cube2", "--all").output
    built = run("tables", "build").output
    profile = puzzlekit.load("cube3").choose().method.profile  # large, if it is there already
    assert "cube2 optimal HTM: " in built and f"cube3 two-phase HTM {profile}: " in built


def test_list_of_tables_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzlekit.cli.tables import _fitted

    text = "x" * 70 + "\n" + "y" * 30
    assert _fitted(text) == text
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    assert _fitted(text) == "x" * 37 + "...\n" + "y" * 30


@pytest.mark.parametrize(
    ("puzzle", "asked", "limits", "words"),
    [
        ("cube4", {}, {"max_length": 30}, "(reduction, at most 30 OBTM; {} it may never end)"),
        ("cube4", {}, {}, "(reduction)"),
        ("cube4", {}, {"max_length": 30, "timeout": 9.0}, "(reduction, at most 30 OBTM)"),
        ("cube3", {"method": "optimal"}, {}, "(optimal; {} it may take days)"),
    ],
)
def test_a_search_says_what_it_searches_and_that_it_may_never_end(
    puzzle: str, asked: dict[str, Any], limits: dict[str, Any], words: str
) -> None:
    from puzzlekit.cli.answers import aim

    choice = puzzlekit.load(puzzle).choose(puzzlekit.SearchOptions(**asked))
    assert aim(choice, puzzlekit.Limits(**limits)) == words.format("without --timeout")


@pytest.mark.slow
def test_a_long_search_reports_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.cli.progress._FIRST_LINE", 0.1)
    found = run("solve", "--puzzle", "cube2", "R U F", "--max-length", "1", "--timeout", "0.01")
    assert "still searching" not in found.stderr
    scramble = "R U2 F' L2 D B2 R' U F2 D' L B U2 R2 F L2 D' R B' U2 F2 R D2 L' B"
    arguments = "--method", "two-phase", "--max-length", "14", "--timeout", "0.7"
    found = run("solve", "--puzzle", "cube3", scramble, *arguments)
    assert found.exit_code == 1
    lines = [line for line in found.stderr.splitlines() if line.startswith("still searching")]
    told = "(two-phase, at most 14 HTM) (no answer so far, and none is excluded)"
    assert 1 <= len(lines) <= 2 and all(line.endswith(told) for line in lines)


ANYTHING = st.text(max_size=30) | st.text("RUFDLBxyzMESrw2'()[],: #/", max_size=30)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(ANYTHING, st.sampled_from(["", "--state", "--option", "--metric"]))
def test_garbage_gives_no_traceback(text: str, option: str) -> None:
    arguments = [f"{option}={text}", "R"] if option else ["--", text]
    for command in ("check", "solve", "show"):
        found = run(command, "-p", "cube2", *arguments)
        assert found.exit_code in (0, 2, 3)
        assert "internal error" not in found.output
        assert found.exception is None or isinstance(found.exception, SystemExit)


def test_docs_name_every_command() -> None:
    """The page of commands has every option: test_the_page_of_commands_has_every_option."""
    text = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    text = text.partition("| command | what it does")[2].partition("\n## ")[0]
    with click.Context(main) as context:
        for name in main.list_commands(context):
            assert f"`{name}`" in text
