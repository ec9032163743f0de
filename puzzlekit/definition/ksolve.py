"""Definitions of ksolve: files .def, and states as they stand in its scramble files.

Pieces and places count from 1. In a Move the orientation is said for the place that a piece comes
from, in Solved and in a Scramble for the place where it is.
"""

from __future__ import annotations

from puzzlekit.definition.definition import MAX_DEFINED, DefinedMove, Definition
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
    words = Words(text, source, strict=False)
    moves: list[DefinedMove] = []
    warnings: list[str] = []
    notes: list[str] = []
    while words.more:
        line = words.line("a command")
        command = line[0]
        if command.text == "Name":
            name = words.name(line, "the puzzle")
        elif command.text == "Set":
            if words.solved or moves:
                words.fail("every Set comes before Solved and Move", command)
            words.add_set(line)
        elif command.text == "Solved":
            words.read_solved(line, 1)
        elif command.text == "Move":
            if not words.sets:
                words.fail("Move comes after every Set", command)
            if len(moves) == MAX_DEFINED:
                words.fail(f"more than {MAX_DEFINED} moves", command)
            moves.append(words.move(line, 1))
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
    if not words.solved:
        words.fail("there is no Solved", words.end)
    read = tuple(words.sets), words.solved, tuple(moves)
    return Definition(source, name, 1, *read, (), tuple(warnings), tuple(notes))


def _skip(words: Words, command: str) -> None:
    """Go on behind the End of a block that is left out."""
    while command not in _SINGLE and words.line(f"the End of {command}")[0].text != "End":
        pass
