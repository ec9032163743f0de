"""Definitions of ksolve: files .def, and states as they stand in its scramble files.

Pieces and places count from 1. In a Move the orientation is said for the place that a piece comes
from, in Solved and in a Scramble for the place where it is.
"""

from __future__ import annotations

from puzzlekit.definition.definition import MAX_DEFINED, DefinedMove, Definition, Pattern, Set
from puzzlekit.definition.words import Words

_COMMANDS = "Name, Set, Solved, Move"

# What restricts searches, not the puzzle: answers may do what it forbids.
_RESTRICTING = {
    "ForbiddenPairs": "moves that it forbids one after the other may follow each other",
    "ForbiddenGroups": "moves that it forbids one after the other may follow each other",
    "MoveLimits": "moves are used as often as it takes",
    "MaxDepth": "searches go as deep as they are asked to",
    "Slack": "searches end at the shortest answers",
    "QTM": "the metric is chosen for each search",
    "HTM": "the metric is chosen for each search",
}
_OUTDATED = ("ParallelMoves", "Multiplicators")  # both follow from the moves
_SINGLE = ("MaxDepth", "Slack", "QTM", "HTM")  # a line, not a block


def read_ksolve(text: str, source: str, name: str) -> Definition:
    """The definition in a text; a DefinitionError says where it is wrong."""
    words = Words(text, source)
    sets: list[Set] = []
    solved: dict[str, Pattern] = {}
    moves: list[DefinedMove] = []
    warnings: list[str] = []
    notes: list[str] = []
    while words.more:
        line = words.line("a command")
        command = line[0]
        if command.text == "Name":
            name = words.name(line, "the puzzle")
        elif command.text == "Set":
            if solved or moves:
                words.fail("every Set comes before Solved and Move", command)
            sets.append(words.set(line, sets))
        elif command.text == "Solved":
            words.values(line)
            if solved or not sets:
                words.fail("Solved comes once, after every Set", command)
            solved = words.patterns("Solved", sets, 1, strict=False)
        elif command.text == "Move":
            if not sets:
                words.fail("Move comes after every Set", command)
            if len(moves) == MAX_DEFINED:
                words.fail(f"more than {MAX_DEFINED} moves", command)
            moves.append(words.move(line, sets, 1, by_place=False, strict=False))
        elif command.text == "Block":
            words.fail(
                "Block joins pieces, so that a move is not always possible: this cannot be read "
                "from a definition",
                command,
            )
        elif command.text in _RESTRICTING:
            warnings.append(
                f"{command.where}: {command.text} is left out: {_RESTRICTING[command.text]}"
            )
            _skip(words, command.text)
        elif command.text == "Ignore":
            notes.append(
                f"{command.where}: Ignore only says what scrambles may leave open; here every "
                "piece is solved"
            )
            _skip(words, command.text)
        elif command.text in _OUTDATED:
            notes.append(f"{command.where}: {command.text} says what follows from the moves")
            _skip(words, command.text)
        else:
            words.fail(f"expected a command: {_COMMANDS}", command)
    if not solved:
        words.fail("there is no Solved", words.end)
    return Definition(
        source, name, 1, tuple(sets), solved, tuple(moves), (), tuple(warnings), tuple(notes)
    )


def _skip(words: Words, command: str) -> None:
    """Go on behind the End of a block that is left out."""
    while command not in _SINGLE and words.line(f"the End of {command}")[0].text != "End":
        pass
