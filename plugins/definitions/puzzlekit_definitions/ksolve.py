"""Read definitions of ksolve (.def files), and states as in its scramble files.

Pieces and places are numbered from 1. The n-th orientation in a Move is added to the piece that
leaves place n. In Solved and Scramble, it is the orientation of the piece at place n.
"""

from __future__ import annotations

from puzzlekit_definitions.definition import MAX_DEFINED, DefinedMove, Definition
from puzzlekit_definitions.words import Words

_COMMANDS = "Name, Set, Solved, Move"

# Commands that restrict searches, not the puzzle. Answers may break these restrictions.
_RESTRICTING = {
    "ForbiddenPairs": "the forbidden pairs of moves are allowed",
    "ForbiddenGroups": "the forbidden groups of moves are allowed",
    "MoveLimits": "the number of times that a move is used is not limited",
    "MaxDepth": "the depth is chosen for each search",
    "Slack": "searches end at the shortest answers",
    "QTM": "the metric is chosen for each search",
    "HTM": "the metric is chosen for each search",
}
_OUTDATED = ("ParallelMoves", "Multiplicators")  # both follow from the moves
_SINGLE = ("MaxDepth", "Slack", "QTM", "HTM")  # a line, not a block


def read_ksolve(text: str, source: str, name: str) -> Definition:
    """Read a definition from a string. Raise a DefinitionError if the definition is wrong."""
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
                words.fail("every Set has to come before Solved and Move", command)
            words.add_set(line)
        elif command.text == "Solved":
            words.read_solved(line, 1)
        elif command.text == "Move":
            if not words.sets:
                words.fail("Move has to come after every Set", command)
            if len(moves) == MAX_DEFINED:
                words.fail(f"a definition has at most {MAX_DEFINED} moves", command)
            moves.append(words.move(line, 1))
        elif command.text == "Block":
            words.fail(
                "Block joins pieces, so moves are not always possible; definitions with Block are "
                "not supported",
                command,
            )
        elif command.text in _RESTRICTING:
            warnings.append(
                f"{command.where}: {command.text} is ignored: {_RESTRICTING[command.text]}"
            )
            _skip(words, command.text)
        elif command.text == "Ignore":
            notes.append(f"{command.where}: Ignore has no effect: every piece is solved")
            _skip(words, command.text)
        elif command.text in _OUTDATED:
            notes.append(f"{command.where}: {command.text} has no effect here")
            _skip(words, command.text)
        else:
            words.fail(f"expected a command: {_COMMANDS}", command)
    if not words.solved:
        words.fail("there is no Solved", words.end)
    read = tuple(words.sets), words.solved, tuple(moves)
    return Definition(source, name, 1, *read, (), tuple(warnings), tuple(notes))


def _skip(words: Words, command: str) -> None:
    """Skip the lines of an ignored block up to its End."""
    while command not in _SINGLE and words.line(f"the End of {command}")[0].text != "End":
        pass
