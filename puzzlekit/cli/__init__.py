"""The command line. It reads arguments, calls the library and prints results.

Each command has its own module, which is imported only when the command runs. `main` is a click
group that knows only the names of the commands of the core. It asks plugins for other commands.
`Main.main` prints the errors of all commands as `error: ...` on stderr, and maps errors to exit
codes (see docs/cli.md).
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.errors import did_you_mean
from puzzlekit.plugins.core_commands import COMMANDS, SECTIONS

if TYPE_CHECKING:
    from puzzlekit.plugins.hooks import CommandEntry

__all__ = ["Command"]

#: What to write instead of commands that people expect. `CommandEntry.instead_of` names others.
_INSTEAD = {
    "list": "'puzzlekit puzzles' lists the puzzles",
    "goal": "write 'puzzlekit solve --goal GOAL ...'",
    "goals methods metrics": "'puzzlekit puzzles cube3' lists the goals and methods of the 3x3x3",
    "kociemba korf nissy optimal twophase twsearch": "write 'puzzlekit solve --puzzle NAME ...'",
    "draw image picture png render svg": "'puzzlekit show' draws a position",
    "mix random shuffle": "'puzzlekit scramble' prints scrambles",
    "delete remove rm": "'puzzlekit tables clear' removes tables",
    "config info test": "'puzzlekit doctor' shows this installation",
    "docs examples manual": "'puzzlekit COMMAND --help' explains a command, with examples",
    "cstimer timer": "there is no timer, but 'puzzlekit scramble' prints scrambles for one",
    "robot robots machine servo": "write 'puzzlekit solve --metric robot ...' or --metric FILE",
    "completion": "docs/cli.md says how a shell completes commands",
}
_NUMPY_NEEDS = 128 << 20  # bytes of address space, including what OpenBLAS takes at its first use


class _RoomForNumPy:
    """Refuses to import NumPy if too little memory is free.

    Otherwise the libraries of NumPy would end the process.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Find no module. Raise a MemoryError if too little memory is free to import NumPy."""
        if name == "numpy":
            import mmap

            try:
                mmap.mmap(-1, _NUMPY_NEEDS, access=mmap.ACCESS_COPY).close()
            except OSError:
                raise MemoryError from None


class _Coloured(click.HelpFormatter):
    """Formats help for a terminal: headings are bold, and what is typed is coloured."""

    def write_heading(self, heading: str) -> None:
        super().write_heading(click.style(heading, bold=True))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        coloured = [(click.style(name, fg="cyan"), text) for name, text in rows]
        super().write_dl(coloured, col_max, col_spacing)


def _show_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from puzzlekit.cli.output import wants_colour

        if coloured := wants_colour():
            ctx.formatter_class = _Coloured
        click.echo(ctx.get_help(), color=coloured)
        ctx.exit()


class Command(click.Command):
    """A command with its own option --help, because the option of click imports `locale`.

    If the command has an option --puzzle, the first argument may be the name of the puzzle instead.
    The error for an unknown option names a command of a plugin that has this option.

    `sections` groups options in the help: it maps the headings to the names of options. All others
    come last. `renamed` says what to write instead of options that people expect, as `RENAMED`.
    """

    def __init__(
        self,
        *given: Any,
        sections: Mapping[str, str] | None = None,
        renamed: Mapping[str, str] | None = None,
        **named: Any,
    ) -> None:
        super().__init__(*given, **named)
        self.sections, self.renamed = sections or {}, renamed or {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in self.sections}
        for param in self.get_params(ctx):
            if (row := param.get_help_record(ctx)) is not None:
                own = (name for name, each in self.sections.items() if param.name in each.split())
                rows.setdefault(next(own, "Options"), []).append(row)
        for heading, own_rows in rows.items():
            with formatter.section(heading):
                formatter.write_dl(own_rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, after adding --puzzle if the first is the name of a puzzle."""
        known = {name for param in self.params for name in param.opts if name[:2] == "--"}
        for name in known.intersection(f"-{each}" for each in args):
            raise click.UsageError(f"no such option {name[1:]!r}: write {name}", ctx)
        if any("-p" in param.opts for param in self.params):
            args = self._with_puzzle(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = self._instead(error.option_name)
            raise click.UsageError(f"no such option {error.option_name!r}{hint}", ctx) from None
        except click.UsageError as error:
            if "unexpected extra argument" not in error.message:
                error.ctx = error.ctx or ctx  # so that the message names the command
                raise
            words = error.message.rpartition("(")[2].rstrip(".)").split() or [""]
            new = " ".join(filter(None, (self._option_for(ctx, word) for word in words)))
            hint = f": write {new}" if new else self._offered(words[0])
            raise click.UsageError(f"{error.message.rstrip('.')}{hint}", ctx) from None

    def _option_for(self, ctx: click.Context, word: str) -> str:
        """Return the option to which an argument belongs, with the argument; empty if unknown."""
        there = {name for name, value in ctx.params.items() if value and "." in word}
        known = (each for each in self.params if isinstance(each, click.Option))
        for param in (each for each in known if each.name not in there):
            if word.isdecimal() and param.name in ("count", "port"):
                return f"--{param.name} {word}"
            if word and word in [each.value for each in param.shell_complete(ctx, word)]:
                return f"{param.opts[-1]} {word}"
        return ""

    def _instead(self, option: str) -> str:
        """Say what to write instead of an option that the command does not have."""
        from puzzlekit.cli.options import RENAMED, AdvancedOption

        for param in self.params:
            if isinstance(param, AdvancedOption) and option[2:] in param.declared:
                flag = param.declared[option[2:]].is_flag
                return f": write --option {option[2:]}{'' if flag else '=VALUE'}"
            if isinstance(param, click.Argument) and str(param.name).startswith(option.strip("-")):
                return f": write its value without {option}"
        if fit := self._offered(option):
            return fit
        known = [name for param in self.params for name in param.opts]
        for names, new in {**RENAMED, **self.renamed}.items():
            if option in names.split() and (new[0] != "-" or new.split()[0] in known):
                return f": write {new}" if new[0] == "-" else f": {new}"
        near = did_you_mean(option.lstrip("-"), [name[2:] for name in known if name[:2] == "--"])
        return near.replace("mean ", "mean --") or _left_out()

    def _offered(self, word: str) -> str:
        """Say which command takes an option or argument, or which puzzle has a similar name."""
        from puzzlekit.plugins.manager import available

        asked, own = f"{self.name} {word}", "" if word[:1] == "-" else f" {word}"
        fit = [each.name for each in _plugin_commands().values() if asked in each.instead_of]
        if fit or not own or not any("-p" in each.opts for each in self.params):
            return f" (did you mean 'puzzlekit {fit[0]}{own}'?)" if fit else ""
        return did_you_mean(word, available()) or ": 'puzzlekit puzzles' lists the puzzles"

    def _with_puzzle(self, ctx: click.Context, args: list[str]) -> list[str]:
        if any(each.startswith(("-p", "--puzzle", "-h", "--help")) for each in args):
            return args
        try:
            found, rest, _ = self.make_parser(ctx).parse_args(list(args))
        except click.UsageError:  # reported when the arguments are read for real
            return args
        for param in self.params:
            words = found.get(param.name or "")  # not a tuple if the argument is not given
            if isinstance(param, click.Argument) and isinstance(words, tuple):
                rest = [*words, *rest]
        from puzzlekit.plugins.manager import is_puzzle

        if not rest or not isinstance(rest[0], str) or not is_puzzle(rest[0]):
            return args
        at = args.index(rest[0])
        return ["--puzzle", rest[0], *args[:at], *args[at + 1 :]]

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option that shows the help."""
        return click.Option(
            self.get_help_option_names(ctx),
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_help,
            help="Show this message and exit.",
        )


class Group(Command, click.Group):
    """A group that suggests a similar command if the name is unknown."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; `help COMMAND` and `version` stand for the options."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        elif args == ["version"]:
            args = ["--version"]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name.

        Raise a UsageError that says what to write instead if no command has this name.
        """
        word = args[0]
        if word[:1] == "-" or self.get_command(ctx, word) is not None:
            return super().resolve_command(ctx, args)
        from puzzlekit.plugins.manager import is_puzzle

        said = [text for words, text in _INSTEAD.items() if word in words.split()]
        fit = [each.name for each in _plugin_commands().values() if word in each.instead_of]
        hint = did_you_mean(fit[0] if fit else word, self.list_commands(ctx))
        if said:
            hint = f": {said[0]}"
        elif not hint and (" " in word or is_puzzle(word)):
            asked = f'NAME "{word}"' if " " in word else f"{word} ..."
            hint = f": write 'puzzlekit solve --puzzle {asked}'"
        raise click.UsageError(f"no such command {word!r}{hint}{_left_out()}", ctx)


class Main(Group):
    """The group of all commands: those of the core, then those of plugins."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return [*COMMANDS, *_plugin_commands()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import and return the command with this name."""
        target = COMMANDS.get(name)
        if target is None:
            entry = _plugin_commands().get(name)
            if entry is None:
                return None
            target = entry.target
        module, _, attribute = target.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands. The modules of plugins' commands are not imported."""
        for heading, names in SECTIONS.items():
            rows = []
            for name in names:
                command = self.get_command(ctx, name)
                assert command is not None
                rows.append((name, command.get_short_help_str(formatter.width)))
            with formatter.section(heading):
                formatter.write_dl(rows)
        if added := _plugin_commands():
            with formatter.section("Commands of plugins"):
                formatter.write_dl([(entry.name, entry.summary) for entry in added.values()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = False,
        **extra: Any,
    ) -> Any:
        """Run the command line, print each warning as one line, and exit with the exit code.

        `prog_name` and `windows_expand_args` are ignored: [R, U] is not a pattern of file names.
        """
        # Garbage collection during the run and at the end took 10 % of the time of short commands.
        gc.set_threshold(50_000)
        # NumPy builds tables, and one thread is enough for this work. If the system refuses memory
        # for more threads, the process ends without an error that could be caught.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if _RoomForNumPy not in sys.meta_path:
            sys.meta_path.insert(0, _RoomForNumPy)
        if isinstance(sys.stdout, io.TextIOWrapper):  # titles and paths may be in any language
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            self._main_shell_completion(extra, "puzzlekit", complete_var)
            try:
                given = list(sys.argv[1:] if args is None else args)
                extra.setdefault("obj", tuple(given))  # a report tells the command that made it
                with (
                    self.make_context("puzzlekit", given, **extra) as ctx,
                    warnings.catch_warnings(),
                ):
                    warnings.simplefilter("always", UserWarning)
                    warnings.showwarning = _show_warning
                    code: int = self.invoke(ctx) or 0
            except click.exceptions.Exit as ended:
                code = ended.exit_code
            if sys.stdout is not None:
                sys.stdout.flush()
            elif not code:
                from puzzlekit.cli.output import ENVIRONMENT, say

                say("error: standard output is closed: the result could not be printed")
                code = ENVIRONMENT
        except BrokenPipeError:  # no program reads the output any more (`| head`)
            code = 0
            _drop_output()
        except (Exception, KeyboardInterrupt) as error:
            from puzzlekit.cli.output import report

            code = report(error)
            _drop_output()
        if standalone_mode:
            gc.freeze()
            sys.exit(code)
        return code


def _plugin_commands() -> dict[str, CommandEntry]:
    from puzzlekit.plugins.manager import manager

    return manager().commands()


def _left_out() -> str:
    left_out = os.environ.get("PUZZLEKIT_WITHOUT", "")
    return f". PUZZLEKIT_WITHOUT leaves out the plugins {left_out}" if left_out else ""


def _drop_output() -> None:
    """Drop output that cannot be written: Python would try again at exit, and exit with 120."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, AttributeError):  # stdout may be replaced by a test
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    from puzzlekit.cli.output import printable, say

    say(f"warning: {printable(str(message))}")


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from puzzlekit.version import __version__

        click.echo(f"puzzlekit {__version__}")
        ctx.exit()


@click.group(
    cls=Main,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
    epilog="'puzzlekit COMMAND --help' explains a command, with examples.",
    renamed={"-p --puzzle": "write 'puzzlekit solve --puzzle NAME ...'"},
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Solve cubes, other twisty puzzles, sliding tiles, and puzzles of your own.

    \b
    Start with
      puzzlekit solve --puzzle cube3 "R U F2 D' L"
      puzzlekit serve --open
    """
