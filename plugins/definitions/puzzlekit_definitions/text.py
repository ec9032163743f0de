"""Read definitions of twsearch (.tws) and ksolve (.def), and states as in their scramble files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from puzzlekit.errors import DefinitionError
from puzzlekit_definitions.definition import (
    MAX_DEFINED,
    MAX_ORIENTATIONS,
    MAX_PLACES,
    MAX_TEXT,
    Block,
    Change,
    DefinedMove,
    Definition,
    DerivedMove,
    Illegal,
    Pattern,
    Set,
    checked_name,
    checked_set,
    in_order,
    repeated,
)

_KSOLVE_COMMANDS = "Name, Set, Solved, Move"
_OUTDATED = ("ParallelMoves", "Multiplicators")  # both follow from the moves
_SINGLE = ("MaxDepth", "Slack", "QTM", "HTM")  # a line, not a block
_AFTER = ("MoveAlias", "MoveSequence", "Illegal")  # commands that need the solved state
_TWS_COMMANDS = f"Name, Set, Solved, StartState, Move, MoveTransformation, {', '.join(_AFTER)}"
_STATES = ("Scramble", "ScrambleState", "StartState", "Solved")


class Word(NamedTuple):
    """A word and its line and column, counted from 1."""

    text: str
    line: int
    column: int

    @property
    def where(self) -> str:
        """The position, in words."""
        return f"line {self.line}, column {self.column}"

    @property
    def is_number(self) -> bool:
        """Whether the word begins with a digit or with the wildcard `?`."""
        return self.text[0] in "0123456789?"


class Section(NamedTuple):
    """One set in a block: the words of its line of pieces and its line of orientations.

    `pieces` has the numbers of the pieces. `turns` has the orientations. It is empty if the block
    has no line of orientations for the set.
    """

    of: Set
    pieces: list[Word]
    turns: list[Word]


class Words:
    """Reads the lines of a text one after the other, without blank lines and comments."""

    def __init__(self, text: str, source: str, strict: bool) -> None:
        self.source = source
        self.strict = strict  # whether orientations have to be below their modulus
        self.sets: list[Set] = []
        self.solved: dict[str, Pattern] = {}
        self.open_at_end = ""  # the block without End that ends the text, which ksolve accepts
        if len(text) > MAX_TEXT:
            raise DefinitionError(f"more than {MAX_TEXT:,} characters", source)
        self.lines = []
        for number, line in enumerate(text.splitlines(), 1):
            words = []
            column = 0
            for word in line.split():
                column = line.index(word, column)
                words.append(Word(word, number, column + 1))
                column += len(word)
            if words and not words[0].text.startswith("#"):
                self.lines.append(words)
        self.end = f"line {text.count(chr(10)) + 1}"
        self.at = 0

    def fail(self, problem: str, where: Word | str) -> NoReturn:
        """Raise a DefinitionError that names the position of a word, or a given position."""
        place = where if isinstance(where, str) else where.where
        raise DefinitionError(problem, self.source, place)

    @property
    def more(self) -> bool:
        """Whether there is another line."""
        return self.at < len(self.lines)

    def line(self, expected: str) -> list[Word]:
        """Return the words of the next line."""
        if not self.more:
            self.fail(f"the text ends where {expected} was expected", self.end)
        self.at += 1
        return self.lines[self.at - 1]

    def values(self, line: Sequence[Word], *names: str) -> Sequence[Word]:
        """Return the words after the first. Fail if their number differs from that of `names`."""
        if len(line) != len(names) + 1:
            self._refuse_comment(line)
            form = " ".join([line[0].text, *names])
            self.fail(f"expected '{form}', found {len(line) - 1} words after it", line[0])
        return line[1:]

    def _refuse_comment(self, line: Sequence[Word]) -> None:
        """Fail if a line with too many words ends with a comment."""
        for word in line:
            if word.text.startswith("#"):
                self.fail("a comment needs a line of its own", word)

    def name(self, line: Sequence[Word], what: str) -> str:
        """Return the rest of a line as one name."""
        if len(line) < 2:
            self.fail(f"expected a name of {what} after {line[0].text}", line[0])
        text = " ".join(word.text for word in line[1:])
        return checked_name(text, what, self.source, line[1].where)

    def number(self, word: Word, least: int, most: int, what: str) -> int:
        """Return a word as a whole number from `least` to `most`."""
        if not (word.text.isascii() and word.text.isdecimal()):
            self.fail(f"expected {what}, a whole number, found {_short(word.text)!r}", word)
        if len(word.text) > 9 or not least <= int(word.text) <= most:
            self.fail(f"expected {what} from {least} to {most}, found {_short(word.text)}", word)
        return int(word.text)

    def add_set(self, line: Sequence[Word]) -> None:
        """Add the set that a line declares."""
        name, size, orientations = self.values(line, "NAME", "PIECES", "ORIENTATIONS")
        if name.is_number or name.text == "End":
            self.fail(f"{_short(name.text)!r} cannot be the name of a set; use another name", name)
        new = Set(
            checked_name(name.text, "a set", self.source, name.where),
            self.number(size, 1, MAX_PLACES, "the number of pieces"),
            self.number(orientations, 1, MAX_ORIENTATIONS, "the number of orientations"),
        )
        self.sets.append(checked_set(self.sets, new, self.source, name.where))

    def read_solved(self, line: Sequence[Word], first: int) -> None:
        """Read the solved state.

        Fail if the text has a second solved state, or has no set before the solved state.
        """
        self.values(line)
        if self.solved or not self.sets:
            self.fail("Solved has to come once, after every Set", line[0])
        self.solved = self.patterns(line[0].text, first)

    def block(self, what: str) -> list[Section]:
        """Return the sections of a block, up to its End."""
        known = {each.name: each for each in self.sets}
        sections: list[Section] = []
        while True:
            if not (self.more or self.strict) and sections:
                self.open_at_end = what
                return sections
            line = self.line(f"a set of {what}, or End,")
            word = line[0]
            if word.text == "End":
                self.values(line)
                return sections
            if word.is_number:
                self.fail(f"expected the name of a set or End in {what}, found a number", word)
            if word.text not in known:
                names = ", ".join(known)
                self.fail(f"there is no set {_short(word.text)!r}; the sets are {names}", word)
            self.values(line)
            if any(section.of.name == word.text for section in sections):
                self.fail(f"set {word.text} appears twice in {what}", word)
            of = known[word.text]
            pieces = self._numbers(of, f"the pieces of {of.name}")
            turns = []
            if self.more and self.lines[self.at][0].is_number:
                turns = self._numbers(of, f"the orientations of {of.name}")
            sections.append(Section(of, pieces, turns))

    def _numbers(self, of: Set, what: str) -> list[Word]:
        """Return the words of a line of numbers."""
        line = self.line(what)
        if not line[0].is_number:
            self.fail(
                f"expected {what}, {of.size} numbers, found {_short(line[0].text)!r}", line[0]
            )
        if len(line) != of.size:
            self._refuse_comment(line)
            self.fail(f"expected {what}, {of.size} numbers, found {len(line)}", line[0])
        return list(line)

    def patterns(self, what: str, first: int) -> dict[str, Pattern]:
        """Read a state, which is a block of sets.

        Sets that the block omits are solved. In the block `Solved` itself, an omitted set has every
        piece at its own place.

        The wildcard `?` is an orientation that does not matter.
        """
        found = self.solved.copy() or {each.name: in_order(each) for each in self.sets}
        for section in self.block(what):
            moduli = [section.of.orientations] * section.of.size
            for i, word in enumerate(section.turns):
                if word.text == "?":
                    moduli[i] = 1
                    section.turns[i] = word._replace(text="0")
            pieces, turns = self._pieces(section, first), self._turns(section)
            found[section.of.name] = Pattern(pieces, turns, tuple(moduli))
        return found

    def move(self, line: Sequence[Word], first: int, by_place: bool = False) -> DefinedMove:
        """Read a move: a line with its name, then a block with the sets that it changes.

        A set in the block lists orientations that the move adds to pieces. If `by_place` is true,
        the n-th orientation is added to the piece that arrives at place n. If not, it is added to
        the piece that leaves place n. `line` has the words of the first line, and `first` is the
        number of the first place and piece (0 or 1).
        """
        move = self.name(line, "a move")
        found, turned = {}, set[tuple[str, int]]()
        for section in self.block(f"move {move}"):
            name, source = section.of.name, self._pieces(section, first)
            if (twice := repeated(source)) is not None:
                word = section.pieces[twice]
                self.fail(
                    f"duplicate number {word.text}: each place of {name} has to appear once", word
                )
            turns = self._turns(section)
            if section.of.orientations == 1:
                turned |= {(name, i) for i, word in enumerate(section.turns) if int(word.text)}
            if not by_place:
                turns = tuple(turns[place] for place in source)
            found[name] = Change(source, turns)
        return DefinedMove(move, found, line[1].where, frozenset(turned))

    def glued(self, command: Word) -> Block:
        """Read the pieces of a block: names of sets, each before the numbers of its pieces."""
        known = {each.name: each for each in self.sets}
        found: dict[tuple[str, int], None] = {}
        of: Set | None = None
        while self.more or not found:
            line = self.line("a set of Block, or End,")
            if line[0].text == "End":
                break
            if not line[0].is_number:
                if line[0].text not in known:
                    names = ", ".join(known)
                    self.fail(
                        f"there is no set {_short(line[0].text)!r}; the sets are {names}", line[0]
                    )
                of = known[line.pop(0).text]
            elif of is None:
                self.fail("expected the name of a set in Block, found a number", line[0])
            for word in line:
                piece = self.number(word, 1, of.size, "the number of a piece") - 1
                found[of.name, piece] = None
        else:
            self.open_at_end = "Block"
        return Block(tuple(found), command.where)

    def _pieces(self, section: Section, first: int) -> tuple[int, ...]:
        most = section.of.size - 1 + first
        return tuple(
            self.number(word, first, most, "the number of a piece") - first
            for word in section.pieces
        )

    def _turns(self, section: Section) -> tuple[int, ...]:
        of = section.of
        if not section.turns:
            return (0,) * of.size
        most = of.orientations - 1 if self.strict else 999_999
        return tuple(
            self.number(word, 0, most, "an orientation") % of.orientations for word in section.turns
        )


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:27]}..."


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


def read_ksolve(text: str, source: str, name: str) -> Definition:
    """Read a definition from a string. Raise a DefinitionError if the definition is wrong."""
    words = Words(text, source, strict=False)
    moves: list[DefinedMove] = []
    blocks: list[Block] = []
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
            blocks.append(words.glued(command))
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
            words.fail(f"expected a command: {_KSOLVE_COMMANDS}", command)
    if not words.solved:
        words.fail("there is no Solved", words.end)
    if words.open_at_end:
        notes.append(f"{words.end}: the End of {words.open_at_end} is missing")
    read = tuple(words.sets), words.solved, tuple(moves)
    told = tuple(warnings), tuple(notes)
    return Definition(source, name, 1, *read, (), *told, blocks=tuple(blocks))


def _skip(words: Words, command: str) -> None:
    """Skip the lines of an ignored block up to its End, which may be missing at the end."""
    if command in _SINGLE:
        return
    while words.more:
        if words.line("")[0].text == "End":
            return
    words.open_at_end = command


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
            words.fail(f"expected a command: {_TWS_COMMANDS}", command)
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
    return [Illegal(of.name, place, piece, line[0].where) for piece in pieces]


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
