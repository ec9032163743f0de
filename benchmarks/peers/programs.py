"""Other programs that solve cubes, each with its compiler command and its limits.

A program is compiled from a checkout that the user names, with a driver of this folder, into the
checkout's directory `benchmark`, where it also keeps its tables. It answers facelets line by line,
with the tables in memory, and reports the CPU time of each answer.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE, Popen, run
from typing import NamedTuple

HERE = Path(__file__).parent
MARK = "="  # before the lines of a driver; the programs print lines of their own


class Limit(NamedTuple):
    """When to stop: at the `first` answer of at most `value` moves, after a `budget`, or `none`.

    A budget is in seconds. `none` leaves it to the program.
    """

    kind: str
    value: float = 0

    def __str__(self) -> str:
        if self.kind == "first":
            return f"first of <= {self.value:g}"
        if self.kind == "budget":
            return f"{self.value:g} s" if self.value >= 1 else f"{1000 * self.value:g} ms"
        return f"{self.value / 1e6:g} M nodes" if self.kind == "nodes" else "none"


#: From facelets and a limit to moves, None without an answer, and CPU seconds.
Ask = Callable[[str, Limit], tuple[str | None, float]]


class Program(NamedTuple):
    """A program to compare with: what it solves, its kinds of limits, how to compile and start it.

    In the commands, `{checkout}`, `{here}` and `{out}` are its directory, this folder, and the
    directory for what is compiled.
    """

    puzzle: str
    limits: tuple[str, ...]
    compile: str
    start: str
    sources: str  # of the checkout, a pattern
    without: tuple[str, ...] = ()  # sources that the driver replaces


JAVA = "javac -nowarn -encoding UTF-8 -d {out}"
PROGRAMS = {
    "rob-twophase": Program(
        "cube3",
        ("first", "budget"),
        "g++ -std=c++17 -O3 -include cstdint -include chrono -I{checkout}/src -o {out}/rob "
        "{here}/rob_twophase.cpp {sources} -lpthread",
        "{out}/rob",
        "src/*.cpp",
        ("main.cpp", "test.cpp"),
    ),
    "min2phase": Program(
        "cube3",
        ("first",),
        f"{JAVA} {{here}}/Lines.java {{here}}/Min2phase.java {{sources}}",
        "java -cp {out} Min2phase",
        "src/*.java",
    ),
    "tpr": Program(
        "cube4",
        ("none",),
        f"{JAVA} -cp {{checkout}}/twophase.jar {{here}}/Lines.java {{here}}/Threephase.java "
        "{sources}",
        "java -cp {out}:{checkout}/twophase.jar Threephase",
        "src/*.java",
        ("MainProgram.java", "solver.java", "test.java"),
    ),
    "cube555": Program(
        "cube5",
        ("none",),
        f"{JAVA} -cp {{checkout}}/lib/twophase.jar {{here}}/Lines.java {{here}}/Cube555.java "
        "{sources}",
        "java -cp {out}:{checkout}/lib/twophase.jar Cube555",
        "src/*.java",
    ),
}


@contextmanager
def started(name: str, checkout: Path) -> Iterator[Ask]:
    """Compile a program and start it."""
    program = PROGRAMS[name]
    checkout = checkout.expanduser().resolve()
    out = checkout / "benchmark"
    sources = sorted(
        str(path) for path in checkout.glob(program.sources) if path.name not in program.without
    )
    if not sources:
        sys.exit(f"{checkout} is no checkout of {name}: it has no {program.sources}")
    out.mkdir(exist_ok=True)

    def words(command: str) -> list[str]:
        paths = {"checkout": checkout, "here": HERE, "out": out}
        found: list[str] = []
        for word in command.split():
            found += sources if word == "{sources}" else [word.format_map(paths)]
        return found

    if shutil.which(words(program.compile)[0]) is None:
        sys.exit(f"{name} needs {words(program.compile)[0]} to be compiled: install it")
    if run(words(program.compile), check=False).returncode:
        sys.exit(f"{name} cannot be compiled in {checkout}")
    with Popen(words(program.start), cwd=out, stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        lines, answers = process.stdin, process.stdout

        def told() -> list[str]:
            for line in answers:
                if line.startswith(MARK):
                    return line.split()[1:]
            sys.exit(f"{name} ended")

        def ask(facelets: str, limit: Limit) -> tuple[str | None, float]:
            value = limit.value * 1000 if limit.kind == "budget" else limit.value
            with suppress(BrokenPipeError):  # it has ended
                lines.write(f"{facelets} {limit.kind} {int(value)}\n")
                lines.flush()
            seconds, *moves = told()
            return " ".join(moves) if moves else None, float(seconds)

        try:
            told()
            yield ask
        finally:
            process.kill()


@contextmanager
def kociemba() -> Iterator[Ask]:
    """The package `kociemba`, in this process."""
    try:
        import kociemba
    except ImportError:
        sys.exit("kociemba is not installed: pip install '.[peers]'")

    def ask(facelets: str, limit: Limit) -> tuple[str | None, float]:
        most = {"max_depth": int(limit.value)} if limit.kind == "first" else {}
        before = time.process_time()
        try:
            moves = kociemba.solve(facelets, **most)
        except ValueError:  # it gave up after one second
            moves = None
        return moves, time.process_time() - before

    yield ask
