"""The names of the commands of the core, in the order of the help."""

#: The module `puzzlekit.cli.<name>` (with _ for -) defines `command`.
COMMANDS = (
    "solve",
    "scramble",
    "check",
    "verify",
    "show",
    "puzzles",
    "plugins",
    "check-plugin",
    "new",
    "tables",
    "doctor",
)
