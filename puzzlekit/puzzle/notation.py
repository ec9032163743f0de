"""Reading and writing move sequences: R U2 R', (R U)3, [A, B], [A: B], [A / B], comments.

This module depends on no puzzle: the puzzle passes its moves and their orders as data. Text is
untrusted. Therefore nesting, numbers and the expanded length are limited, and the reader uses its
own stack instead of recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Literal, NoReturn

import attrs

from puzzlekit.errors import DeclarationError, NotationError, UsageError

__all__ = ["MAX_DIGITS", "Notation", "Parentheses"]

MAX_TEXT = 1_000_000  # characters in a text
MAX_MOVES = 100_000  # moves after expansion, including moves that a repetition by 0 drops
MAX_DEPTH = 50  # brackets inside brackets
MAX_DIGITS = 6  # digits of an amount or a repeat count

# Prime marks of keyboards, word processors and web pages: quotes, primes, accents.
_PRIMES = frozenset(
    "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u0374\u0384\u055a"
    "\u2018\u2019\u201b\u2032\u2035\ua78c\uff07\uff40"
)
_DIGITS = frozenset("0123456789")
# Invisible characters of copied text that Python does not count as white space.
_INVISIBLE = frozenset("\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff")
_LINE_ENDS = frozenset("\n\r\x85\u2028\u2029")
_CLOSERS = {"(": ")", "[": "]"}
_TIMES = frozenset("xX*^\u00d7\u2715\u2716\u2217\u22c5")  # between a bracket and a number
_OLD_PRIME = "i"  # Ri is R' in old books
_SEPARATORS = frozenset(",:;.")
_PAUSE = "."  # stands alone, so that "R. U" and "R U." are not guessed
_COUNTED = frozenset("fqs")  # in a length such as (21f): face turns, quarter turns, slice turns
_BRACKET_HINT = (
    "(A B) is a group, [A, B] a commutator, [A: B] a conjugate, [A / B] means A B A2' B' A"
)
_BLANK_HINT = "put a space before the number or behind it"
_NUMBER_HINT = "a number goes right after a move or bracket, without a space"
_LENGTH_HINT = (
    "omit the length, or put it into a comment: // 2f; write the move without parentheses"
)
_INVERSE_HINT = (
    "choose what parentheses mean: 'groups' does these moves here, 'inverse' (NISS) undoes them "
    "after all other moves; on the command line with --parentheses groups or --parentheses inverse"
)
_TIMES_HINT = "(A B)6 or (A B)x6 is six times; a rotation stands after a space, as in (A B) x2"

_Move = tuple[str, int]

#: What parentheses mean: groups of moves, or moves on the inverse (NISS). "ask" refuses a text in
#: which the two meanings differ.
Parentheses = Literal["groups", "inverse", "ask"]


def _spellings(notation: Notation) -> dict[str, _Move]:
    """Return the family and amount of every spelling; raise DeclarationError for a bad spelling."""
    table = {family: (family, 1) for family in notation.families}
    for family, order in notation.orders.items():
        if order < 2:
            raise DeclarationError(
                f"move family {family!r} has order {order}, but an order is at least 2"
            )
    for spelling, (family, amount) in notation.aliases.items():
        if family not in notation.families:
            raise DeclarationError(f"alias {spelling!r} stands for unknown family {family!r}")
        if spelling in table:
            raise DeclarationError(f"alias {spelling!r} is the name of a move family")
        table[spelling] = (family, amount)
    if wrong := [each for each in notation.preferred if each not in notation.aliases]:
        raise DeclarationError(f"preferred spelling {wrong[0]!r} is not an alias")
    if wrong := [each for each in notation.grouped if each not in notation.orders]:
        raise DeclarationError(f"grouped family {wrong[0]!r} is not a move family with an order")
    for spelling in table:
        # Digits at the end would be ambiguous with an amount: "R2" beside "R", "A12" beside "A1".
        stems = (spelling[:end] for end in range(len(spelling.rstrip("0123456789")), len(spelling)))
        if (
            not spelling
            or any(stem in table for stem in stems)
            or spelling.startswith(("//", "/*"))
            or any(_is_blank(c) or c in _PRIMES or c in "()[],:#" for c in _unbracketed(spelling))
        ):
            raise DeclarationError(f"move family {spelling!r} could not be read back from text")
    return table


def _unbracketed(spelling: str) -> str:
    return spelling[1] if len(spelling) == 3 and spelling[::2] == "[]" else spelling


@attrs.frozen(eq=False, repr=False)
class Notation:
    """The notation of the moves of one puzzle.

    >>> cube = Notation(orders={"R": 4, "U": 4, "Rw": 4, "M": 4}, aliases={"r": ("Rw", 1)})
    >>> cube.parse("R U2 R' r")
    (('R', 1), ('U', 2), ('R', 3), ('Rw', 1))
    >>> cube.format(cube.parse("[R: U]2 (R M)'  // and a comment"))
    "R U R' R U R' M' R'"
    >>> cube.parse("R Q2")
    Traceback (most recent call last):
    puzzlekit.errors.NotationError: column 3: 'Q2': not a move (known moves: R U Rw M)
    >>> slides = Notation(orders={}, inverses={"U": "D", "D": "U"})
    >>> slides.format(slides.parse("U2 D'"))
    'U U U'

    A puzzle chooses how its moves are written:

    >>> wide = Notation({"R++": 5}, {"R--": ("R++", 4)}, preferred=("R--",))
    >>> wide.format(wide.parse("R--2 R++'"))
    "R++2' R--"
    >>> layers = Notation({"U": 12, "D": 12, "/": 2}, grouped=("U", "D"))
    >>> layers.format(layers.parse("(1, -3) / U6 / D' U / (0,0)"))
    '(1,-3)/(6,0)/(1,-1)/'
    """

    #: The order of the base move of each family: how many base moves restore the state.
    orders: Mapping[str, int]
    #: Other spellings. The values are the family and the amount that a spelling stands for. The
    #: spelling "[r]" declares [r], [r2] and [r'].
    aliases: Mapping[str, tuple[str, int]] = attrs.field(factory=dict)
    #: A function that returns advice on an unknown spelling, or "" if it has no advice.
    hints: Callable[[str], str] | None = None
    #: The inverse family of each family, for moves with a guard. Such families have no order.
    inverses: Mapping[str, str] = attrs.field(factory=dict)
    #: The families that turn the whole puzzle. Text must have a space between a bracket and them.
    rotations: Collection[str] = ()
    #: The aliases that `name` writes instead of a family and an amount.
    preferred: Collection[str] = ()
    #: Commuting families whose amounts are read and written together in parentheses: (1,-3) does
    #: the first of them once, and the second one backwards three times.
    grouped: tuple[str, ...] = ()
    _table: dict[str, _Move] = attrs.field(
        init=False, repr=False, default=attrs.Factory(_spellings, takes_self=True)
    )
    _names: dict[tuple[str, int], str] = attrs.field(
        init=False,
        repr=False,
        default=attrs.Factory(
            lambda self: {self.aliases[each]: each for each in self.preferred}, takes_self=True
        ),
    )

    @property
    def families(self) -> tuple[str, ...]:
        """The names of all families."""
        return (*self.orders, *self.inverses)

    def parse(self, text: str, parentheses: Parentheses = "groups") -> tuple[tuple[str, int], ...]:
        """Return the expanded moves of `text` as (family, amount), with 1 <= amount < order.

        If a family has no order, each of its moves has amount 1: U2 becomes two moves U.

        Moves need no space between them. A number directly after a move is the amount of this move
        ("R2F" is R2 F). A number after a space begins the next move ("R 2F"). One case is special:
        a number of several digits whose last digits begin the name of a move. These last digits
        belong to the next move ("U22R" is U2 2R if there is a move 2R). Outside square brackets,
        commas separate moves as spaces do. "Ri" is R'. A times sign may stand between a bracket and
        its number: (R U)x6, (R U) *6. But x after a space is a rotation, if the puzzle has one of
        this name: (R U) x2. Moves with no effect (R4) are dropped, but R0 is an error. Adjacent
        moves are not merged. A dot between blanks is a pause and does nothing. A length that other
        programs print behind the moves, such as (21f) or (18f*), is skipped. If families are
        `grouped`, as many numbers are their amounts, in parentheses or without: (1,-3) or 1,-3.

        `parentheses` says what outermost parentheses without a number or prime mark mean: with
        "groups" the moves in them are done where they stand. With "inverse" they are moves on the
        inverse, as in fewest-moves solutions: they are undone after all other moves, the last one
        first. With "ask" the text is an error if the two meanings differ.

        >>> cube = Notation(orders={"R": 4, "U": 4, "F": 4})
        >>> cube.format(cube.parse("(F) R (U F2)", "inverse"))
        "R F2 U' F'"

        Raises a NotationError if the text cannot be read, or if it exceeds MAX_TEXT, MAX_MOVES,
        MAX_DEPTH or MAX_DIGITS. The error has the column of the problem.
        """
        if parentheses not in ("groups", "inverse", "ask"):
            raise UsageError(f"parentheses are 'groups', 'inverse' or 'ask', not {parentheses!r}")
        reader = _Reader(self, self._table, text, inverse=parentheses == "inverse")
        moves = reader.read()
        if parentheses != "ask" or reader.plain is None:
            return moves
        if moves != _Reader(self, self._table, text, inverse=True).read():
            reader.fail("a group, or moves on the inverse?", *reader.plain, _INVERSE_HINT)
        return moves

    def name(self, family: str, amount: int) -> str:
        """Return the usual spelling of one move.

        An amount of more than half the order is written as an inverse.

        >>> [Notation(orders={"R": 5}).name("R", amount) for amount in (1, 2, 3, 4)]
        ['R', 'R2', "R2'", "R'"]
        """
        if family in self.inverses:
            return family
        order = self.orders[family]
        amount %= order
        if (family, amount) in self._names:
            return self._names[family, amount]
        inverse = 2 * amount > order
        size = order - amount if inverse else amount
        return f"{family}{'' if size == 1 else size}{chr(39) if inverse else ''}"

    def format(self, moves: Iterable[tuple[str, int]]) -> str:
        """Return the names of `moves`, separated by spaces. `parse` reads the result back.

        If families are `grouped`, their amounts are in parentheses, without spaces around them.

        >>> Notation(orders={"R": 4, "U": 4}).format([("R", 3), ("U", 2)])
        "R' U2"
        """
        if not self.grouped:
            return " ".join([self.name(family, amount) for family, amount in moves])
        words: list[str] = []
        amounts = dict[str, int]()

        def close() -> None:
            if amounts:
                signed = (self._signed(each, amounts.get(each, 0)) for each in self.grouped)
                words.append(f"({','.join(map(str, signed))})")
                amounts.clear()

        for family, amount in moves:
            if family not in self.grouped or family in amounts:
                close()
            if family in self.grouped:
                amounts[family] = amount
            else:
                words.append(self.name(family, amount))
        close()
        return " ".join(words).replace(") ", ")").replace(" (", "(")

    def _signed(self, family: str, amount: int) -> int:
        order = self.orders[family]
        amount %= order
        return amount - order if 2 * amount > order else amount


def _is_blank(char: str) -> bool:
    return char.isspace() or char in _INVISIBLE


class _Bracket:
    """An open bracket: its column, the moves before it, and its first part if it has two parts."""

    __slots__ = ("begin", "first", "outer", "part", "separator")

    def __init__(self, begin: int, outer: list[_Move]) -> None:
        self.begin = begin
        self.outer = outer
        self.part = begin + 1  # where the part that is being read begins
        self.first: list[_Move] = []
        self.separator = ""


class _Reader:
    """A reader that passes over one text once."""

    def __init__(
        self, notation: Notation, table: dict[str, _Move], text: str, inverse: bool = False
    ) -> None:
        self.notation = notation
        self.table = table
        self.longest = max(map(len, table), default=0)
        self.text = text
        self.at = 0
        self.last = 0  # where the latest move begins
        self.made = 0
        self.moves: list[_Move] = []  # of the part of the innermost bracket
        self.stack: list[_Bracket] = []
        self.inverse_aside = inverse  # whether plain parentheses hold moves on the inverse
        self.aside: list[_Move] = []  # the moves on the inverse
        self.plain: tuple[int, int] | None = None  # the first parentheses of either meaning

    def read(self) -> tuple[_Move, ...]:
        text = self.text
        if len(text) > MAX_TEXT:
            raise NotationError(f"text of more than {MAX_TEXT:,} characters", text=text)
        while self.at < len(text):
            char = text[self.at]
            if _is_blank(char):
                self.at += 1
            elif char == "#" or text.startswith(("//", "/*"), self.at):
                self.skip_comment()
            elif char == "(" and self.skip_length():
                break
            elif (char == "[" and self.read_bracketed()) or self.read_group():
                continue
            elif char in "([":
                self.open_bracket()
            elif char in ")]":
                self.close_bracket(char)
            elif char in ",:/" and self.separates(char):
                self.next_part(char)
            elif char in ",." and self.does_nothing(char):
                self.at += 1
            else:
                self.read_move()
        if self.stack:
            begin = self.stack[-1].begin
            self.fail(f"never closed by {_CLOSERS[text[begin]]!r}", begin, begin + 1)
        return (*self.moves, *self.inverse(self.aside))

    def skip_length(self) -> bool:
        """Skip a length such as (21f) if it ends the text; return whether it does.

        Raises NotationError if it may also be a group: (2f) of a cube that has the move 2f.
        """
        text, begin = self.text, self.at
        at = begin + 1
        while text[at : at + 1] in _DIGITS and at < len(text):
            at += 1
        number = text[begin + 1 : at]
        if not number or text[at : at + 1] not in _COUNTED or self.stack:
            return False
        end = at + 1 + (text[at + 1 : at + 2] == "*")
        if text[end : end + 1] != ")" or not (self.made or not number.strip("0")):
            return False
        self.at = end + 1
        self.skip_comments()
        if self.at < len(text):
            self.at = begin
            return False
        if len(self.spelling_at(begin + 1)) == end - begin - 1:
            self.fail("a length, or a move?", begin, end + 1, _LENGTH_HINT)
        return True

    def skip_comments(self) -> None:
        """Skip blanks and comments."""
        text = self.text
        while self.at < len(text):
            if _is_blank(text[self.at]):
                self.at += 1
            elif text[self.at] == "#" or text.startswith(("//", "/*"), self.at):
                self.skip_comment()
            else:
                break

    def read_bracketed(self) -> bool:
        """Read a rotation such as [r2]; return whether there is one."""
        text, begin = self.text, self.at
        move = self.table.get(f"{text[begin : begin + 2]}]")
        at = begin + 2
        while text[at : at + 1] in _DIGITS or text[at : at + 1] in _PRIMES:
            at += 1
        if move is None or text[at : at + 1] != "]":
            return False
        times = self.read_suffix(begin, begin + 2, split=False)
        self.add_move(move, begin, times * self.read_suffix(begin, at + 1, split=False))
        return True

    def read_group(self) -> bool:
        """Read the amounts of grouped families, such as (1,-3); return whether there are any.

        Other programs leave out the parentheses, and then the comma: 1,-3 or 1 -3 or 1-3.
        """
        families = self.notation.grouped
        if not families:
            return False
        import re

        digit, more = "[-+\u2212]?[0-9]", f"{{{len(families) - 1}}}"
        bare = rf"(?:{digit}+(?:[\s,]\s*{digit}+){more}|{digit}(?:{digit}){more})"
        form = rf"\(\s*{digit}[-+\u2212\s,0-9]*\)|{bare}(?!\s*[-+\u2212,0-9])"
        found = re.compile(form).match(self.text, self.at)
        if found is None:
            return False
        begin, self.at = self.at, found.end()
        numbers = found[0].strip("()").replace("\u2212", "-")
        parts = numbers.split(",")
        if found[0][0] != "(":
            apart = re.search(r"[\s,]", numbers)
            parts = re.findall(r"[-+]?[0-9]+" if apart else r"[-+]?[0-9]", numbers)
        if len(parts) != len(families) or any(
            re.fullmatch(rf"\s*[-+]?[0-9]{{1,{MAX_DIGITS}}}\s*", part) is None for part in parts
        ):
            form = ",".join("-1" if n % 2 else "3" for n in range(len(families)))
            hint = f"give the amounts of {', '.join(families)}, as in ({form})"
            self.fail("amounts that cannot be read", begin, self.at, hint)
        for family, part in zip(families, parts, strict=True):
            if amount := int(part) % self.notation.orders[family]:
                self.count_moves(1, begin)
                self.moves.append((family, amount))
        return True

    def does_nothing(self, char: str) -> bool:
        """Whether a dot is a pause, or a comma separates moves outside square brackets."""
        if char == _PAUSE:
            before, after = self.text[: self.at][-1:], self.text[self.at + 1 : self.at + 2]
            return all(not c or _is_blank(c) or c in "()[],:" for c in (before, after))
        return not any(self.text[each.begin] == "[" for each in self.stack)

    def separates(self, char: str) -> bool:
        """Whether a character separates the parts of a square bracket. A slash may be a move."""
        inside = self.stack and self.text[self.stack[-1].begin] == "["
        return bool(inside) and not (char == "/" and self.spelling_at(self.at))

    def skip_comment(self) -> None:
        text, at = self.text, self.at
        if text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                self.fail("comment never closed by '*/'", at, at + 2)
            self.at = end + 2
        else:
            while at < len(text) and text[at] not in _LINE_ENDS:
                at += 1
            self.at = at

    def open_bracket(self) -> None:
        if len(self.stack) == MAX_DEPTH:
            self.fail(f"brackets nested deeper than {MAX_DEPTH}", self.at, self.at + 1)
        self.stack.append(_Bracket(self.at, self.moves))
        self.moves = []
        self.at += 1

    def next_part(self, separator: str) -> None:
        bracket = self.stack[-1]
        if bracket.separator:
            self.fail("a third part in [ ]", self.at, self.at + 1, _BRACKET_HINT)
        self.check_part(bracket)
        bracket.separator = separator
        bracket.first, self.moves = self.moves, []
        self.at += 1
        bracket.part = self.at

    def close_bracket(self, closer: str) -> None:
        text, end = self.text, self.at + 1
        if not self.stack:
            self.fail("closes a bracket that was never opened", self.at, end)
        bracket = self.stack.pop()
        begin = bracket.begin
        if _CLOSERS[text[begin]] != closer:
            self.fail(f"does not close the {text[begin]!r} of column {begin + 1}", self.at, end)
        if closer == "]":
            if not bracket.separator:
                self.fail("no ',', ':' or '/' in [ ]", begin, end, _BRACKET_HINT)
            self.check_part(bracket)
        count = self.read_suffix(begin, self.after_times(end), split=False)
        self.check_no_rotation()

        first, second, separator = bracket.first, self.moves, bracket.separator
        times = abs(count)
        size = len(first) + len(second)
        added = {"": 0, ":": len(first), ",": size, "/": 2 * len(first) + size}[separator]
        # Count before expanding, so that no text can use more memory than the limit.
        self.count_moves((size + added) * times - size, begin)
        body = first + second
        if separator == "/":
            body += self.undone_twice(first)
        elif separator:
            body += self.inverse(first)
        if separator in (",", "/"):
            body += self.inverse(second)
        if separator == "/":
            body += first
        if count < 0:
            body = list(self.inverse(body))
        self.moves = bracket.outer
        if closer == ")" and self.at == end and body and not self.stack:
            self.plain = self.plain or (begin, end)
            if self.inverse_aside:
                self.aside += body
                return
        self.moves += body * times

    def undone_twice(self, moves: list[_Move]) -> list[_Move]:
        """Return the inverse of moves two times; a single move as one move, if it has an order."""
        orders = self.notation.orders
        if len(moves) == 1 and moves[0][0] in orders:
            family, amount = moves[0]
            amount = -2 * amount % orders[family]
            return [(family, amount)] if amount else []
        return [*self.inverse(moves)] * 2

    def after_times(self, at: int) -> int:
        """Return where the number of repetitions begins; `at` if there is no times sign.

        `at` is the index after a closing bracket, and `x` may be a times sign or a rotation. In
        "(R U)x2", `x` directly follows the bracket and is a times sign. In "(R U) x6", `x` is a
        times sign because x6 is not a rotation. In "(R U) x2", `x2` is a rotation, and the result
        is `at`. Raises NotationError if both meanings are possible.
        """
        text = self.text
        sign = self.skip_blanks(at)
        number = self.skip_blanks(sign + 1)
        end = number
        while text[end : end + 1] in _DIGITS:
            end += 1
        spelling = self.spelling_at(sign)
        if text[sign : sign + 1] not in _TIMES or end == number or len(spelling) > 1:
            return at
        if not spelling or number > sign + 1:
            return number
        order = self.notation.orders.get(self.table[spelling][0], MAX_MOVES)
        amount = int(text[number : min(end, number + MAX_DIGITS)])
        if sign == at:
            unclear = text[end : end + 1] in _PRIMES  # x2' looks like a rotation
        elif amount < order and 2 * amount <= order:
            return at
        else:
            unclear = amount < order
        if unclear:
            self.fail("a rotation, or a number of times?", sign, end, _TIMES_HINT)
        return number

    def skip_blanks(self, at: int) -> int:
        while at < len(self.text) and _is_blank(self.text[at]):
            at += 1
        return at

    def check_no_rotation(self) -> None:
        """Raise NotationError for a rotation directly after a bracket: it looks like a times sign.

        The same holds for a rotation directly after the number of a bracket.
        """
        spelling = self.spelling_at(self.at)
        if spelling and (
            spelling[0] in _TIMES or self.table[spelling][0] in self.notation.rotations
        ):
            self.fail("no space before it", self.at, self.at + len(spelling), _TIMES_HINT)

    def check_part(self, bracket: _Bracket) -> None:
        if not self.text[bracket.part : self.at].strip():
            self.fail("an empty part", bracket.begin, self.at + 1, _BRACKET_HINT)

    def inverse(self, moves: list[_Move]) -> Iterator[_Move]:
        orders, inverses = self.notation.orders, self.notation.inverses
        return (
            (inverses[family], 1) if family in inverses else (family, orders[family] - amount)
            for family, amount in reversed(moves)
        )

    def read_move(self) -> None:
        begin = self.at
        spelling = self.spelling_at(begin)
        if not spelling:
            self.fail_unknown()
        family, unit = self.table[spelling]
        times, self.at = 1, begin + len(spelling)
        grouped = self.notation.grouped  # in /3,0 the number is not that of the slash
        if not grouped or family in grouped or self.text[self.at : self.at + 1] not in _DIGITS:
            times = self.read_suffix(begin, self.at, split=True)
        if spelling in _TIMES and abs(times) >= self.notation.orders.get(family, MAX_MOVES):
            self.fail("a rotation, or a number of times?", begin, self.at, _TIMES_HINT)
        self.last = begin
        self.add_move((family, unit), begin, times)

    def add_move(self, move: _Move, begin: int, times: int) -> None:
        """Add a move, done several times. A negative number means its inverse."""
        if not times:
            self.fail("0 turns", begin, self.at, "the number after a move is its number of turns")
        family, unit = move
        if (undone := self.notation.inverses.get(family)) is not None:
            amount = unit * times
            self.count_moves(abs(amount), begin)
            self.moves += [(family if amount > 0 else undone, 1)] * abs(amount)
            return
        amount = unit * times % self.notation.orders[family]
        if amount:
            self.count_moves(1, begin)
            self.moves.append((family, amount))

    def spelling_at(self, at: int) -> str:
        """Return the longest spelling that begins at `at`; "" if there is none."""
        text, table = self.text, self.table
        for size in range(self.longest, 0, -1):
            if text[at : at + size] in table:
                return text[at : at + size]
        return ""

    def read_suffix(self, begin: int, at: int, *, split: bool) -> int:
        """Read the amount and the prime mark of the move or bracket at `begin`, in either order.

        Returns the amount, negative after a prime mark; 1 if there is neither. With `split`, the
        last digits are not read if they begin the spelling of the next move.
        """
        text = self.text
        inverse = self.is_prime(at, split)
        number = at + inverse
        at = number
        while text[at : at + 1] in _DIGITS:
            at += 1
        if at - number > MAX_DIGITS:
            self.fail(f"a number of more than {MAX_DIGITS} digits", begin, at)
        if split:
            at = next((k for k in range(number + 1, at) if self.spelling_at(k)), at)
        amount = int(text[number:at]) if at > number else 1
        # R2U is R2 U by custom. R3Uw may be R3 Uw or R 3Uw.
        if split and amount > 2 and self.spelling_at(at) and self.spelling_at(number):
            end = number + len(self.spelling_at(number))
            self.fail("turns, or layers of the next move?", number, end, _BLANK_HINT)
        if not inverse and self.is_prime(at, split):
            inverse = True
            at += 1
        if text[at : at + 1] in _PRIMES:
            self.fail("more than one prime mark", begin, at + 1, "one means the inverse")
        self.at = at
        return -amount if inverse else amount

    def is_prime(self, at: int, of_move: bool) -> bool:
        """Whether there is a prime mark at a column.

        After a move, the letter i is a prime mark too, if it begins no move and no word.
        """
        char = self.text[at : at + 1]
        return char in _PRIMES or bool(
            of_move
            and char == _OLD_PRIME
            and not self.spelling_at(at)
            and (self.spelling_at(at + 1) or not self.text[at + 1 : at + 2].islower())
        )

    def count_moves(self, more: int, begin: int) -> None:
        self.made += max(0, more)
        if self.made > MAX_MOVES:
            self.fail(f"more than {MAX_MOVES:,} moves when written out", begin, self.at)

    def fail_unknown(self) -> NoReturn:
        """Raise a NotationError for the text at `self.at`, where no move begins."""
        import re  # only needed here, and the pattern should not be compiled at every start

        text, at = self.text, self.at
        char = text[at]
        if char in _PRIMES:
            self.fail(
                "a prime mark without a move", at, at + 1, "it goes right after a move or bracket"
            )
        if char in _SEPARATORS:
            hint = f"moves are separated by spaces, a pause is ' . '; {_BRACKET_HINT}"
            self.fail("not a move", at, at + 1, hint)
        # "Rw" if only R is a move: name the whole word that the person wrote.
        begin = self.last if char.islower() and text[self.last : at] in self.table else at
        word = re.compile(r"(?:[0-9]+-)?[0-9]*[^\W\d_]?[a-z]*").match(text, at)
        end = max(word.end() if word else at, at + 1)
        family = text[begin:end]
        if family.isdecimal():
            hint = self.hint(family) if self.notation.grouped else _NUMBER_HINT
            self.fail("a number without a move", begin, end, hint)
        while text[end : end + 1] in _DIGITS or text[end : end + 1] in _PRIMES:
            end += 1
        self.fail("not a move", begin, end, self.hint(family))

    def hint(self, family: str) -> str:
        hints = []
        alike = [s for s in self.table if s.lower() == family.lower()]
        if alike:
            hints.append(f"did you mean {' or '.join(alike)}? Upper and lower case differ")
        known = self.notation.families
        advice = self.notation.hints(family) if self.notation.hints else ""
        hints.append(
            advice or f"known moves: {' '.join(known[:20])}{' ...' if len(known) > 20 else ''}"
        )
        return "; ".join(hints)

    def fail(self, problem: str, begin: int, end: int, hint: str = "") -> NoReturn:
        token = self.text[begin:end]
        if len(token) > 40:  # enough to recognise it in a readable message
            token = token[:39] + "\u2026"
        raise NotationError(problem, text=self.text, token=token, column=begin + 1, hint=hint)
