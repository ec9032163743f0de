"""Read definitions of twsearch (.tws files), and states as in its scramble files.

`Move` and `Solved` number places and pieces from 1. `MoveTransformation` and `StartState` number
them from 0. The n-th orientation in a `Move` is added to the piece that leaves place n. In a
`MoveTransformation`, it is added to the piece that arrives at place n. In a state, it is the
orientation of the piece at place n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit_definitions.definition import (
    MAX_DEFINED,
    DefinedMove,
    Definition,
    DerivedMove,
    Illegal,
    Pattern,
    checked_name,
)
from puzzlekit_definitions.words import Word, Words

_AFTER = ("MoveAlias", "MoveSequence", "Illegal")  # commands that need the solved state
_COMMANDS = f"Name, Set, Solved, StartState, Move, MoveTransformation, {', '.join(_AFTER)}"
_STATES = ("Scramble", "ScrambleState", "StartState", "Solved")


def read_tws(text: str, source: str, name: str) -> Definition:
    """Read a definition from a string. Raise a DefinitionError if the definition is wrong."""
    words = Words(text, source, strict=True)
    moves: list[DefinedMove] = []
    derived: list[DerivedMove] = []
    illegal: list[Illegal] = []
    first = 1
    while words.more:
        line = words.line("a command")
        command = line[0]
        if len(moves) + len(derived) > MAX_DEFINED:
            words.fail(f"a definition has at most {MAX_DEFINED} moves", command)
        if command.text in ("Name", "Set"):
            if words.solved:
                words.fail(f"{command.text} has to come before Solved", command)
            if command.text == "Name":
                name = words.name(line, "the puzzle")
            else:
                words.add_set(line)
        elif command.text in ("Solved", "StartState"):
            first = int(command.text == "Solved")
            words.read_solved(line, first)
        elif command.text not in ("Move", "MoveTransformation", *_AFTER):
            words.fail(f"expected a command: {_COMMANDS}", command)
        elif not words.solved:
            words.fail(f"{command.text} has to come after Solved", command)
        elif command.text == "Illegal":
            illegal += _illegal(words, line)
        elif command.text in ("MoveAlias", "MoveSequence"):
            if len(line) < 3:
                words.fail(f"expected '{command.text} NAME MOVES'", command)
            made = " ".join(word.text for word in line[2:])
            named = checked_name(line[1].text, "a move", source, line[1].where)
            alias = command.text == "MoveAlias"
            derived.append(DerivedMove(named, made, line[1].where, alias))
        else:
            by_place = command.text == "MoveTransformation"
            moves.append(words.move(line, int(not by_place), by_place))
    if not words.solved:
        words.fail("there is no Solved", words.end)
    read = tuple(words.sets), words.solved, tuple(moves)
    return Definition(source, name, first, *read, tuple(derived), illegal=tuple(illegal))


def _illegal(words: Words, line: Sequence[Word]) -> list[Illegal]:
    """Read a line that forbids some pieces at a place of a set. All numbers count from 1."""
    if len(line) < 4:
        words.fail("expected 'Illegal SET PLACE PIECES'", line[0])
    of = next((each for each in words.sets if each.name == line[1].text), None)
    if of is None:
        words.fail(f"there is no set {line[1].text[:30]!r}", line[1])
    place = words.number(line[2], 1, of.size, "the number of a place") - 1
    pieces = [words.number(word, 1, of.size, "the number of a piece") - 1 for word in line[3:]]
    return [Illegal(of.name, place, piece) for piece in pieces]


def read_tws_state(
    text: str, source: str, definition: Definition, strict: bool = True
) -> Mapping[str, Pattern]:
    """Read a state from a string.

    The string is a block such as `Scramble NAME ... End`, or only the sets of such a block.
    """
    words = Words(text, source, strict)
    words.sets, words.solved = list(definition.sets), dict(definition.solved)
    first = 1
    if words.more and words.lines[0][0].text in _STATES:
        first = int(words.line("a state")[0].text in ("Scramble", "Solved"))
    if not words.more:
        words.fail("there is no state", words.end)
    if words.lines[-1][0].text != "End":
        last = words.lines[-1][-1]
        words.lines.append([last._replace(text="End")])
    found = words.patterns("the state", first)
    if words.more:
        words.fail("there is a second state: give only one", words.line("the end")[0])
    return found
