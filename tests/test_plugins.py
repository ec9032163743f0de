"""The plugin manager: what it finds, and what a bad plugin does to the others (nothing)."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit import PuzzleEntry, PuzzleFamily, Solver, TableStore, UsageError, hookimpl
from puzzlekit.cli import main
from puzzlekit.cli.installed import plugin_lines
from puzzlekit.errors import PluginError
from puzzlekit.plugins import alarm
from puzzlekit.plugins import manager as manager_module
from puzzlekit.plugins.hooks import API_VERSION
from puzzlekit.plugins.manager import Plugin, PluginManager
from puzzlekit.puzzle.services import renderer
from puzzlekit.search.estimates import find_heuristic

GOOD = """
from puzzlekit import Metric, Orbit, Puzzle, PuzzleEntry, hookimpl

puzzlekit_api = 2

def puzzle():
    return Puzzle("{name}", "a ring", (Orbit("beads", "bead", "A B C"),),
                  {{"t": (bytes([1, 2, 0]), bytes(3))}}, (Metric("steps", "steps", {{"t": 1}}),))

@hookimpl
def puzzlekit_puzzles():
    yield PuzzleEntry("{name}", "a ring", puzzle, lambda made: ())
"""

FAMILY = (
    GOOD.replace("PuzzleEntry, hookimpl", "PuzzleEntry, PuzzleFamily, hookimpl")
    + """    yield PuzzleFamily("{name}s-N", "rings", "3 or 4 beads", "{name}s-3", sized)

def sized(name):
    from puzzlekit import UsageError
    if not name.startswith("{name}s-"):
        return None
    if name == "{name}s-5":
        raise UsageError("no ring has 5 beads")
    return {{
        "{name}s-3": PuzzleEntry(name, "three", puzzle, lambda made: ()),
        "{name}s-6": PuzzleEntry("other", "six", puzzle, lambda made: ()),
    }}[name]
"""
)

HEURISTIC = """
import attrs
from puzzlekit import Heuristic, Max, hookimpl

puzzlekit_api = 2

@attrs.frozen
class Scaled(Heuristic):
    name = "{name}"
    by: float = 1.5

    def join(self, distances):
        return Max().join(distances) * self.by // 1

@hookimpl
def puzzlekit_heuristics():
    yield Scaled
"""

Install = Callable[..., PluginManager]
Use = Callable[[PluginManager], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install modules as plugins, each in a distribution of its own, and make a manager."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def run(**sources: str) -> PluginManager:
        for name, source in sources.items():
            (tmp_path / f"plugin_{name}.py").write_text(source)
            info = tmp_path / f"dist_{name}-1.0.dist-info"
            info.mkdir(exist_ok=True)
            (info / "entry_points.txt").write_text(f"[puzzlekit]\n{name} = plugin_{name}\n")
        return PluginManager()

    yield run
    for name in set(sys.modules) - before:
        if name.startswith("plugin_"):
            del sys.modules[name]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Take a manager for that of the process."""
    return lambda made: monkeypatch.setattr(manager_module, "manager", lambda: made)


def named(manager: PluginManager, name: str) -> Plugin:
    (found,) = [plugin for plugin in manager.plugins if plugin.name == name]
    return found


def puzzles(manager: PluginManager) -> list[str]:
    return sorted(entry.name for entry in manager.entries())


def test_entry_points_are_read_from_files(install: Install, tmp_path: Path) -> None:
    manager = install(ring=GOOD.format(name="ring"))
    plugin = named(manager, "ring")
    assert (plugin.module, plugin.distribution) == ("plugin_ring", "dist_ring")
    assert "plugin_ring" not in sys.modules, "found, but not imported"
    entry = manager.entry("ring")
    made = entry.puzzle()
    assert made.apply(made.solved, made.moves("t t t")) == made.solved
    assert {"ring", "cube2", "cube3"} <= set(puzzles(manager))
    assert plugin.problem is None


def test_other_groups_comments_and_blanks_in_entry_points(install: Install, tmp_path: Path) -> None:
    (tmp_path / "plugin_spaced.py").write_text(GOOD.format(name="spaced"))
    info = tmp_path / "spaced-2.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(
        "[console_scripts]\nspaced = nothing:main\n\n[puzzlekit]\n# none = here\n"
        "  spaced=plugin_spaced\n\n[puzzlekit.other]\nother = nothing\n"
    )
    (tmp_path / "empty-1.dist-info").mkdir()
    manager = install()
    assert manager.entry("spaced").title == "a ring"
    names = [plugin.name for plugin in manager.plugins]
    assert names.count("spaced") == 1 and "other" not in names and "none" not in names


def test_an_egg_info_counts_too_and_the_first_on_the_path_wins(
    install: Install, tmp_path: Path
) -> None:
    later = tmp_path / "later"
    for directory, module in ((tmp_path, "plugin_ring"), (later, "plugin_never")):
        info = directory / "ring.egg-info"
        info.mkdir(parents=True)
        (info / "entry_points.txt").write_text(f"[puzzlekit]\nring = {module}\n")
    sys.path.insert(1, str(later))
    (tmp_path / "plugin_ring.py").write_text(GOOD.format(name="ring"))
    try:
        assert named(install(), "ring").module == "plugin_ring"
    finally:
        sys.path.remove(str(later))


def test_one_module_under_two_distributions_is_one_plugin(install: Install, tmp_path: Path) -> None:
    """As after an installation under another name that leaves the older one."""
    info = tmp_path / "formerly-1.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[puzzlekit]\nring = plugin_ring\n")
    manager = install(ring=GOOD.format(name="ring"))
    assert named(manager, "ring").problem is None
    (info / "entry_points.txt").write_text("[puzzlekit]\nring = plugin_wring\n")
    problems = [plugin.problem or "" for plugin in install().plugins if plugin.name == "ring"]
    assert len(problems) == 2 and "has a plugin of the same name" in "".join(problems)


def test_only_the_plugin_asked_for_is_imported(install: Install) -> None:
    manager = install(ring=GOOD.format(name="ring"), torus=GOOD.format(name="torus"))
    assert manager.entry("torus").name == "torus"
    assert "plugin_torus" in sys.modules and "plugin_ring" not in sys.modules


def test_a_puzzle_may_be_named_unlike_its_plugin(install: Install) -> None:
    manager = install(toys=GOOD.format(name="ring"))
    assert manager.entry("ring").name == "ring"


BROKEN = {
    "does not import": ("import no_such_module_at_all\n", "no_such_module_at_all"),
    "does not parse": ("def :\n", "SyntaxError"),
    "raises": ("raise RuntimeError('out of paint')\n", "RuntimeError: out of paint"),
    "exits": ("import sys\nsys.exit(3)\n", "SystemExit"),
    "raises what is no Exception": (
        "class Gone(BaseException):\n    pass\n\nraise Gone('for good')\n",
        "Gone: for good",
    ),
    "states no version": (
        GOOD.format(name="ring").replace("puzzlekit_api = 2", ""),
        "puzzlekit_api = None",
    ),
    "another version": (
        GOOD.format(name="ring").replace("puzzlekit_api = 2", "puzzlekit_api = 999"),
        f"puzzlekit_api = 999, but this puzzlekit has {API_VERSION}",
    ),
    "misspelt hook": (
        GOOD.format(name="ring").replace("puzzlekit_puzzles", "puzzlekit_puzzels"),
        "puzzlekit_puzzels",
    ),
    "unknown argument": (
        GOOD.format(name="ring").replace("puzzlekit_puzzles()", "puzzlekit_puzzles(colour)"),
        "colour",
    ),
    "hook raises": (
        GOOD.format(name="ring").replace("    yield", "    raise KeyError('gone')\n    yield"),
        "KeyError: 'gone'",
    ),
    "hook gives nothing": (
        GOOD.format(name="ring").replace("    yield PuzzleEntry", "    PuzzleEntry"),
        "None",
    ),
    "hook gives something else": (
        GOOD.format(name="ring").replace("    yield", "    yield 'ring'\n    yield"),
        "str",
    ),
    "the same puzzle twice": (
        GOOD.format(name="ring") + "    yield PuzzleEntry('ring', 'again', puzzle, tuple)\n",
        "ring",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_plugin_is_recorded_and_the_others_work(install: Install, fault: str) -> None:
    source, problem = BROKEN[fault]
    manager = install(ring=source, torus=GOOD.format(name="torus"))
    assert {"torus", "cube2", "cube3"} <= set(puzzles(manager))
    assert "ring" not in puzzles(manager)
    assert problem in str(named(manager, "ring").problem)
    with pytest.raises(PluginError, match="plugin ring is broken") as caught:
        manager.entry("ring")
    assert problem in str(caught.value)
    assert manager.entry("cube2").name == "cube2"
    with pytest.raises(UsageError, match=r"no puzzle 'cube9'.*cube3.*broken plugins: ring"):
        manager.entry("cube9")


def test_a_file_is_no_name_of_a_puzzle() -> None:
    with pytest.raises(UsageError, match=r"no puzzle 'a.tws' \(.*load_file reads files\); ava"):
        puzzlekit.load("a.tws")


HANGING = {
    "while it is imported": ("import time\ntime.sleep(600)\n", "importing plugin_ring failed"),
    "in a loop": ("while True:\n    pass\n", "importing plugin_ring failed"),
    "and catches all": (
        "while True:\n    try:\n        import time; time.sleep(9)\n"
        "    except Exception:\n        pass\n",
        "importing plugin_ring failed",
    ),
    "in a hook": (
        GOOD.format(name="ring").replace("    yield", "    while True: pass\n    yield"),
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="an alarm of POSIX ends them")
@pytest.mark.parametrize("fault", HANGING)
def test_a_plugin_that_hangs_is_named_and_the_others_work(
    install: Install, use: Use, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(alarm, "PATIENCE", 0.3)
    source, where = HANGING[fault]
    manager = install(ring=source)
    use(manager)
    assert {"cube2", "cube3"} <= set(puzzles(manager))
    problem = str(named(manager, "ring").problem)
    assert where in problem and "TooSlow: it was not done after 0.3 s" in problem
    assert f"  broken: {problem}" in plugin_lines()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0, "and the alarm is off"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="an alarm of POSIX ends them")
@pytest.mark.parametrize("fault", ["while True: pass", "raise BaseException('gone')"])
def test_a_puzzle_that_cannot_be_made_does_not_keep_others_from_being_listed(
    install: Install, use: Use, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(alarm, "PATIENCE", 3)
    use(install(ring=GOOD.format(name="ring").replace("    return", f"    {fault}\n    return", 1)))
    done = CliRunner().invoke(main, ["puzzles"])
    assert done.exit_code == 4
    assert "error: ring: the plugin of ring is broken: " in done.stderr
    assert "pyraminx: Pyraminx" in done.stdout and "skewb: Skewb" in done.stdout


def test_a_broken_plugin_does_not_disturb_a_puzzle_asked_for_first(install: Install) -> None:
    manager = install(ring="raise RuntimeError\n")
    assert manager.entry("cube3").name == "cube3"
    assert named(manager, "ring").problem is None, "not even imported"


def test_a_family_makes_puzzles_by_name(install: Install) -> None:
    manager = install(ring=FAMILY.format(name="ring"))
    assert manager.entry("rings-3").title == "three"
    assert manager.entry("ring").title == "a ring"
    assert "rings-N" not in puzzles(manager) and "rings-3" not in puzzles(manager)
    (family,) = [each for each in manager.families() if each.name == "rings-N"]
    assert isinstance(family, PuzzleFamily) and family.example == "rings-3"
    with pytest.raises(UsageError, match="no ring has 5 beads"):
        manager.entry("rings-5")
    with pytest.raises(PluginError, match=r"family rings-N is broken: KeyError: 'rings-9'"):
        manager.entry("rings-9")
    with pytest.raises(PluginError, match=r"family rings-N is broken: it returns .*'other'"):
        manager.entry("rings-6")
    with pytest.raises(UsageError, match=r"no puzzle 'cube9'.*rings-N \(as rings-3\)"):
        manager.entry("cube9")


def test_families_of_one_name_clash(install: Install) -> None:
    manager = install(one=FAMILY.format(name="ring"), two=FAMILY.format(name="ring"))
    assert [each.name for each in manager.families()].count("rings-N") == 1
    (problem,) = [plugin.problem for plugin in manager.plugins if plugin.problem]
    assert "rings-N (of " in problem


def test_a_broken_family_leaves_names_to_the_others(install: Install) -> None:
    broken = FAMILY.format(name="a").replace('if not name.startswith("as-")', "if False")
    manager = install(broken=broken, ring=FAMILY.format(name="ring"))
    assert manager.families()[0].name == "as-N"  # asked first
    assert manager.entry("rings-3").title == "three"
    with pytest.raises(PluginError, match="family as-N is broken: KeyError: 'cube9'"):
        manager.entry("cube9")


def test_a_clash_names_both_owners(install: Install) -> None:
    manager = install(one=GOOD.format(name="ring"), two=GOOD.format(name="ring"))
    assert puzzles(manager).count("ring") == 1
    problems = {plugin.name: plugin.problem for plugin in manager.plugins if plugin.problem}
    (loser,) = problems
    (winner,) = {"one", "two"} - {loser}
    assert f"ring (of {winner})" in problems[loser]
    with pytest.raises(PluginError) as caught:
        manager.entry(loser)
    assert loser in str(caught.value) and winner in str(caught.value)


def module(name: str, *entries: str) -> ModuleType:
    made = ModuleType(name)
    made.puzzlekit_api = API_VERSION  # type: ignore[attr-defined]

    @hookimpl
    def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
        for entry in entries:
            yield PuzzleEntry(entry, entry, lambda: pytest.fail("made"), lambda puzzle: ())

    made.puzzlekit_puzzles = puzzlekit_puzzles  # type: ignore[attr-defined]
    return made


def test_a_module_can_be_registered() -> None:
    manager = PluginManager()
    manager.register(module("mine", "necklace", "bracelet"), "mine")
    assert manager.entry("bracelet").title == "bracelet"
    assert {"necklace", "bracelet", "cube2"} <= set(puzzles(manager))


def test_registering_what_clashes_is_an_error_and_leaves_no_trace() -> None:
    manager = PluginManager()
    expected = puzzles(manager)
    with pytest.raises(PluginError, match=r"mine is broken.*cube2 \(of cube2\)"):
        manager.register(module("mine", "cube2"), "mine")
    assert puzzles(manager) == expected
    manager.register(module("mine", "necklace"), "mine")
    assert "necklace" in puzzles(manager)


def test_registering_without_a_version_is_an_error() -> None:
    with pytest.raises(PluginError, match="puzzlekit_api = None"):
        PluginManager().register(ModuleType("mine"), "mine")


def test_the_bundled_plugins_offer_what_their_entry_points_say() -> None:
    manager = PluginManager()
    for name in ("cube2", "cube3"):
        entry = manager.entry(name)
        puzzle = entry.puzzle()
        assert (puzzle.name, puzzle.title) == (entry.name, entry.title)
        methods = tuple(entry.methods(puzzle))
        assert Solver(puzzle, methods).method() is methods[0]
        assert all(method.phases and method.title for method in methods)


def test_a_plugin_whose_second_method_is_broken_still_has_the_first(
    install: Install, use: Use
) -> None:
    source = GOOD.format(name="half").replace("lambda made: ()", "methods")
    source += """

def methods(made):
    from puzzlekit import load

    yield load("cube2").method()
    raise ValueError("no more")
"""
    use(install(half=source))
    solver = puzzlekit.load("half")
    assert solver.method().name == puzzlekit.load("cube2").method().name
    with pytest.raises(PluginError, match="the plugin of half is broken: ValueError: no more"):
        _ = solver.methods


def test_a_puzzle_belongs_to_the_plugin_named_like_it(install: Install) -> None:
    """Whatever is imported first."""
    manager = install(aaa=GOOD.format(name="ring"), ring=GOOD.format(name="ring"))
    assert "ring" in puzzles(manager)
    assert "plugin that" not in str(named(manager, "ring").problem)
    assert "ring (of ring)" in str(named(manager, "aaa").problem)


def test_a_puzzle_that_cannot_be_made_is_the_plugins_fault(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    from puzzlekit.plugins import manager as module

    broken = GOOD.format(name="boom").replace("return Puzzle", "1 / 0; return Puzzle")
    installed = install(boom=broken)
    monkeypatch.setattr(module, "manager", lambda: installed)
    with pytest.raises(PluginError, match=r"boom.*ZeroDivisionError"):
        module.load.__wrapped__("boom")


# --- commands -----------------------------------------------------------------------------------

COMMAND = """
import click
from puzzlekit import CommandEntry, hookimpl

puzzlekit_api = 2

@hookimpl
def puzzlekit_commands():
    yield CommandEntry("{name}", "plugin_later:greet", "Say hello.")
"""
LATER = """
import click
from puzzlekit import UsageError

@click.command("greet")
@click.argument("whom")
def greet(whom):
    if whom == "nobody":
        raise UsageError("nobody is there")
    click.echo(f"Hello, {whom}!")
    return 3 if whom == "three" else None
"""


def test_a_plugin_may_add_a_command(install: Install, use: Use, tmp_path: Path) -> None:
    manager = install(hello=COMMAND.format(name="greet"))
    (tmp_path / "plugin_later.py").write_text(LATER)
    use(manager)
    shown = CliRunner().invoke(main, ["--help"])
    assert re.search(r"Commands of plugins:\n(?:.+\n)*  greet +Say hello\.\n", shown.output)
    assert "plugin_later" not in sys.modules, "it is imported when the command runs"
    assert CliRunner().invoke(main, ["greet", "you"]).output == "Hello, you!\n"
    assert CliRunner().invoke(main, ["greet", "three"]).exit_code == 3
    wrong = CliRunner().invoke(main, ["greet", "nobody"])
    assert (wrong.exit_code, wrong.stderr) == (2, "error: nobody is there\n")
    assert "did you mean greet?" in CliRunner().invoke(main, ["gret", "you"]).stderr.lower()


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (COMMAND.format(name="solve"), "it offers commands that another plugin has: solve"),
        (COMMAND.format(name="x").replace("plugin_later:greet", "later"), "'module:attribute'"),
        (COMMAND.format(name="x").replace("yield CommandEntry", "yield tuple"), "tuple"),
    ],
)
def test_wrong_commands_break_their_plugin(install: Install, source: str, problem: str) -> None:
    manager = install(hello=source)
    assert not {"solve", "x"} & manager.commands().keys()
    assert problem in str(named(manager, "hello").problem)


READER = """
from puzzlekit import hookimpl
from puzzlekit.plugins.hooks import PuzzleReader

puzzlekit_api = 2

@hookimpl
def puzzlekit_readers():
    yield PuzzleReader("beads", (".beads", ".pearls"), "plugin_beads:read")

def read(path, memory=None):
    import puzzlekit

    return None if "pearls" in path else puzzlekit.load("cube2")
"""


def test_a_plugin_may_read_files(install: Install, use: Use) -> None:
    use(install(beads=READER))
    for path in ("one.beads", "ONE.BEADS", "one.beads#first"):
        found = CliRunner().invoke(main, ["solve", "--puzzle", path, "R"])
        assert found.exit_code == 0 and "solution  R'" in found.output
    found = CliRunner().invoke(main, ["solve", "--puzzle", "one.pearls", "R"])
    assert found.exit_code == 4 and "the reader beads is broken: it returns None" in found.stderr


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ((".beads", ".shells"), "it offers readers of files that another plugin has: .shells"),
        ((".beads", ".pearls"), "it offers .pearls more than once"),
        (('(".beads", ".pearls")', '".beads"'), "have to be a tuple of strings"),
        (('".beads"', '".BEADS"'), "in small letters that begin with a dot: ('.BEADS'"),
        (('".beads"', '"beads"'), "begin with a dot: ('beads'"),
        (("plugin_beads:read", "plugin_beads"), "has to be 'module:function'"),
        (("yield PuzzleReader", "yield tuple"), "tuple"),
    ],
)
def test_wrong_readers_break_their_plugin(
    install: Install, change: tuple[str, str], problem: str
) -> None:
    shells = READER.replace('"beads", (".beads", ".pearls")', '"shells", (".shells",)')
    manager = install(earlier=shells, later=READER.replace(*change))
    assert not any(each.name == "beads" for each in manager.readers())
    assert problem in str(named(manager, "later").problem)


def test_a_reader_whose_module_is_missing(install: Install, use: Use) -> None:
    use(install(beads=READER.replace("plugin_beads:read", "plugin_gone:read")))
    found = CliRunner().invoke(main, ["solve", "--puzzle", "one.beads", "R"])
    assert (found.exit_code, found.stderr) == (
        4,
        "error: the reader beads is broken: No module named 'plugin_gone'\n",
    )


def test_a_file_that_no_plugin_reads(
    install: Install, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUZZLEKIT_WITHOUT", "definitions,lab,puzzlegeometry")
    use(install(beads=READER))
    known = "the name has to end in .beads or .pearls. "
    known += "PUZZLEKIT_WITHOUT leaves out the plugins definitions, lab, puzzlegeometry"
    for path, problem in [
        ("one.stl", f"one.stl: no plugin reads files that end in .stl; {known}"),
        ("./one", f"./one: the name of the file has no ending that says its format; {known}"),
    ]:
        found = CliRunner().invoke(main, ["show", "--puzzle", path, "R"])
        assert (found.exit_code, found.stderr) == (2, f"error: {problem}\n")
    for without, problem in [
        (
            "definitions,lab,puzzlegeometry",
            "one.tws: no plugin reads files that end in .tws; the name has to end in "
            ".beads or .pearls. "
            "PUZZLEKIT_WITHOUT leaves out the plugins definitions, lab, puzzlegeometry",
        ),
        (
            "beads, definitions, lab, puzzlegeometry",
            "one.tws: no plugin reads files that end in .tws. "
            "PUZZLEKIT_WITHOUT leaves out the plugins beads, definitions, lab, puzzlegeometry",
        ),
    ]:
        monkeypatch.setenv("PUZZLEKIT_WITHOUT", without)
        use(install())
        found = CliRunner().invoke(main, ["show", "--puzzle", "one.tws", "R"])
        assert (found.exit_code, found.stderr) == (2, f"error: {problem}\n")


@pytest.mark.parametrize("told", [None, "the service goals cannot be imported"])
def test_goals_are_read_by_the_first_plugin_that_does(
    told: str | None, install: Install, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "hooks.md").read_text("utf-8")
    block = page.partition("## Services")[2].partition("```python\n")[2].partition("```")[0]
    monkeypatch.setenv("PUZZLEKIT_WITHOUT", "steps")
    use(install(home=block.replace("puzzlekit_home", "plugin_gone" if told else "plugin_home")))
    asked = ["solve", "--puzzle", "cube3", "R U", "--goal", "UF" if told else "DFR"]
    found = CliRunner().invoke(main, asked)
    if told:
        assert (found.exit_code, told in found.stderr) == (4, True)
    else:
        assert "DFR in place" in found.stdout, found.output


def test_without_a_plugin_that_reads_goals_they_are_refused(
    install: Install, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUZZLEKIT_WITHOUT", "steps")
    use(install())
    found = CliRunner().invoke(main, ["solve", "--puzzle", "cube3", "R U", "--goal", "UB"])
    assert found.exit_code == 2 and "comes from the plugin steps" in found.stderr


CHALK = """
from puzzlekit import hookimpl
from puzzlekit.plugins.hooks import ServiceEntry

puzzlekit_api = 2

@hookimpl
def puzzlekit_services():
    yield ServiceEntry("pictures", "plugin_chalk:Chalk")

class Chalk:
    @staticmethod
    def draw(puzzle, state, picture="net", **options):
        return f"<svg>{picture} of {puzzle.name}</svg>"

    @staticmethod
    def html(shown):
        return f"<p>{type(shown).__name__}</p>"
"""


def test_pictures_are_drawn_by_the_plugin_that_offers_them(
    install: Install, use: Use, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PUZZLEKIT_WITHOUT", "pictures")
    cube = puzzlekit.load("cube2")
    use(install())
    assert cube._repr_html_() is None
    asked = ["show", "--puzzle", "cube2", "R", "--svg", str(tmp_path / "a.svg")]
    found = CliRunner().invoke(main, asked)
    assert found.exit_code == 2 and "pictures come from the plugin pictures" in found.stderr
    use(install(chalk=CHALK))
    assert cube.svg("R", "top") == "<svg>top of cube2</svg>"
    assert cube._repr_html_() == "<p>Solver</p>"
    with pytest.raises(PluginError, match="the service pictures has no method png: <class"):
        renderer().png("<svg></svg>")


def test_plugins_can_be_left_out(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLEKIT_WITHOUT", "ring, cube2")
    manager = install(ring=GOOD.format(name="ring"), torus=GOOD.format(name="torus"))
    assert {"torus", "cube3"} <= set(puzzles(manager))
    assert not {"ring", "cube2"} & set(puzzles(manager))


# --- heuristics ---------------------------------------------------------------------------------


def test_a_plugin_may_offer_heuristics(
    install: Install, use: Callable[[PluginManager], None]
) -> None:
    manager = install(scaled=HEURISTIC.format(name="scaled"), ring=GOOD.format(name="ring"))
    use(manager)
    assert find_heuristic("max") == puzzlekit.Max()
    assert "plugin_scaled" not in sys.modules, "built-in names import no plugin"
    found = find_heuristic("scaled:by=2")
    assert (str(found), found.join([3, 7])) == ("scaled:by=2", 14)
    assert puzzlekit.heuristics()[-1].name == "scaled"
    assert manager.heuristics()[-1].name == "scaled"
    assert named(manager, "scaled").entries == ()
    assert named(manager, "ring").heuristics == ()
    solution = puzzlekit.load("cube2").solve(
        "R U F2 R U2", method="small-tables", heuristic="0=scaled:by=1.25"
    )
    assert (solution.heuristic, solution.verified) == ("scaled:by=1.25", True)
    with pytest.raises(UsageError, match=r"no heuristic 'other'; there are max, .* scaled:by=1.5"):
        find_heuristic("other")


def test_a_plugin_may_offer_puzzles_and_heuristics(install: Install) -> None:
    both = GOOD.format(name="ring") + HEURISTIC.format(name="scaled")
    plugin = named(manager := install(both=both), "both")
    assert "ring" in puzzles(manager) and plugin.problem is None
    assert [kind.name for kind in plugin.heuristics] == ["scaled"]


SCALED = HEURISTIC.format(name="scaled")
BROKEN_HEURISTICS = {
    "an object": (SCALED.replace("yield Scaled", "yield Scaled()"), "Scaled(by=1.5) is not a sub"),
    "another class": (SCALED.replace("yield Scaled", "yield int"), "<class 'int'> is not a sub"),
    "nothing": (SCALED.replace("yield Scaled", "Scaled"), "NoneType"),
    "raises": (SCALED.replace("yield Scaled", "raise KeyError('gone')"), "KeyError: 'gone'"),
    "no name": (SCALED.replace('name = "scaled"', ""), "Scaled needs a name"),
    "unreadable name": (
        HEURISTIC.format(name="a=b"),
        "needs a name of letters, digits and hyphens",
    ),
    "no default": (SCALED.replace("float = 1.5", "float"), "scaled: by needs a default"),
    "strange default": (SCALED.replace("= 1.5", "= None"), "scaled: by needs a default"),
    "no formula": (SCALED.replace("join", "joined"), "scaled needs a method 'join' or 'estimate'"),
    "bad formula": (SCALED.replace("// 1", "// 0"), "scaled does not work: ZeroDivisionError"),
    "built-in name": (
        HEURISTIC.format(name="sum"),
        "another plugin has: sum (of puzzlekit)",
    ),
    "name of another": (HEURISTIC.format(name="taken"), "another plugin has: taken (of first)"),
    "twice": (SCALED + "    yield Scaled\n", "it offers scaled more than once"),
}


@pytest.mark.parametrize("fault", BROKEN_HEURISTICS)
def test_a_broken_heuristic_is_recorded_and_the_others_work(
    install: Install, use: Callable[[PluginManager], None], fault: str
) -> None:
    source, problem = BROKEN_HEURISTICS[fault]
    manager = install(first=HEURISTIC.format(name="taken"), second=source)
    use(manager)
    own = [each for each in manager.heuristics() if each.__module__.startswith("plugin_")]
    assert [kind.name for kind in own] == ["taken"]
    assert problem in str(named(manager, "second").problem)
    assert find_heuristic("taken").join([2]) == 3
    assert {"cube2", "cube3"} <= set(puzzles(manager))


def test_plugins_are_listed_with_what_they_offer(
    install: Install, use: Callable[[PluginManager], None]
) -> None:
    use(install(scaled=SCALED, second=HEURISTIC.format(name="max")))
    lines = [line.split() for line in plugin_lines()]
    assert lines[0] == ["plugin", "module", "distribution", "offers"]
    assert ["scaled", "plugin_scaled", "dist_scaled", "heuristics", "scaled"] in lines
    assert ["puzzles", "cube2;", "events", "222"] in [line[3:] for line in lines]
    assert ["-"] in [line[3:] for line in lines]
    assert any("max (of puzzlekit)" in " ".join(line) for line in lines)


def test_positions_of_a_puzzle_with_broken_methods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are shown and checked; solving, and the checks of plugins, tell what is wrong."""
    from puzzlekit import Metric, Orbit, Puzzle
    from puzzlekit_authoring.run import run_checks

    def methods(_: Puzzle) -> list[Any]:
        raise KeyError("corners")

    turns = {"t": (bytes([1, 2, 0]), bytes(3))}
    metric = Metric("TURNS", "turns", {"t": 1})
    ring = Puzzle("broken-ring", "", (Orbit("beads", "bead", "A B C"),), turns, (metric,))
    entry = PuzzleEntry("broken-ring", "", lambda: ring, methods)
    solver = manager_module._solver(entry, TableStore(tmp_path))
    assert solver.state("t") == bytes([1, 2, 0])
    with pytest.raises(PluginError, match="broken-ring is broken: KeyError: 'corners'"):
        solver.solve("t")
    monkeypatch.setattr("puzzlekit_authoring.checks.load", lambda name: solver)
    (result,) = run_checks(entry, "quick", only="it can be loaded")
    assert result.outcome == "failed" and "corners" in result.reason
