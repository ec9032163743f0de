"""The commands of the core."""

#: The commands of the core as the help groups them.
SECTIONS = {
    "Solve": ("solve", "scramble", "check", "verify", "show"),
    "Puzzles and plugins": ("puzzles", "plugins"),
    "This installation": ("tables", "doctor"),
}

#: Where each command of the core is defined, in the order of the help.
COMMANDS = {
    "solve": "puzzlekit.cli.solve:command",
    "scramble": "puzzlekit.cli.scramble:command",
    "check": "puzzlekit.cli.show:check",
    "verify": "puzzlekit.cli.show:verify",
    "show": "puzzlekit.cli.show:show",
    "puzzles": "puzzlekit.cli.installed:puzzles",
    "plugins": "puzzlekit.cli.installed:plugins",
    "tables": "puzzlekit.cli.tables:command",
    "doctor": "puzzlekit.cli.installed:doctor",
}
