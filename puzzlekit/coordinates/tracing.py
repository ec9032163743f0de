"""Compile the rank function of a coordinate into a rank program for the engine.

`Coordinate.rank` computes with `+`, `-`, `*`, `//`, `%`, comparisons, `&`, `|`, `^` and `look_up`.
It works on the numbers of one state, and on NumPy arrays with the numbers of many states. This
module calls it once with a third kind of values, which record each operation. The recorded
operations are the program.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from puzzlekit.engine.opcodes import (
    ADD,
    AND,
    CONSTANT,
    DIVIDE,
    ENTRY,
    EQUAL,
    FORMULA,
    LESS,
    MULTIPLY,
    OR,
    READ,
    REMAINDER,
    SUBTRACT,
    XOR,
)

_MOST_STEPS = 2048  # for which `puzzlekit.engine.ranks` has room
_COMMUTATIVE = {ADD, MULTIPLY, EQUAL, AND, OR, XOR}
_LARGEST = (1 << 31) - 1  # a program has signed numbers of 32 bits


class Untraceable(TypeError):
    """A rank function does more than arithmetic, so the engine cannot run it."""


class _Tape:
    """The operations so far. Equal operations are recorded once."""

    def __init__(self) -> None:
        self.steps: dict[tuple[int, int, int], int] = {}
        self.reads: dict[int, int] = {}
        self.tables: dict[tuple[int, ...], int] = {}

    def record(self, kind: int, one: int, other: int = 0) -> Term:
        if kind in _COMMUTATIVE and other < one:
            one, other = other, one
        return Term(self, self.steps.setdefault((kind, one, other), len(self.steps)))

    def term(self, value: Any) -> Term:
        """Return the term of an operand, which may be a constant."""
        if isinstance(value, Term):
            return value
        try:
            number = operator.index(value)
        except TypeError:
            raise Untraceable(f"a rank cannot compute with {type(value).__name__}") from None
        return self.record(CONSTANT, self.checked(number))

    @staticmethod
    def checked(number: int) -> int:
        if not -_LARGEST <= number <= _LARGEST:
            raise Untraceable(f"a rank program cannot contain the number {number}")
        return number


def _operation(kind: int, swapped: bool = False, negated: bool = False) -> Any:
    def method(self: Term, value: Any) -> Any:
        tape = self.tape
        if isinstance(value, int) and kind in (ADD, MULTIPLY) and value == (kind != ADD):
            return self  # x + 0, x * 1
        if isinstance(value, int) and kind == MULTIPLY and value == 0:
            return 0
        other = tape.term(value)
        one, other = (other, self) if swapped else (self, other)
        found = tape.record(kind, one.at, other.at)
        return 1 - found if negated else found

    return method


class Term:
    """A value that records the operations on it."""

    __slots__ = ("at", "tape")

    __array_ufunc__ = None  # an operation with a NumPy number is an operation of the term
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tape: _Tape, at: int) -> None:
        self.tape = tape
        self.at = at

    __add__ = __radd__ = _operation(ADD)
    __mul__ = __rmul__ = _operation(MULTIPLY)
    __sub__, __rsub__ = _operation(SUBTRACT), _operation(SUBTRACT, swapped=True)
    __floordiv__, __rfloordiv__ = _operation(DIVIDE), _operation(DIVIDE, swapped=True)
    __mod__, __rmod__ = _operation(REMAINDER), _operation(REMAINDER, swapped=True)
    __and__ = __rand__ = _operation(AND)
    __or__ = __ror__ = _operation(OR)
    __xor__ = __rxor__ = _operation(XOR)
    __lt__, __gt__ = _operation(LESS), _operation(LESS, swapped=True)
    __ge__, __le__ = _operation(LESS, negated=True), _operation(LESS, swapped=True, negated=True)
    __eq__, __ne__ = _operation(EQUAL), _operation(EQUAL, negated=True)

    def __neg__(self) -> Any:
        return 0 - self

    def __bool__(self) -> bool:
        raise Untraceable("a rank cannot depend on conditions: compute with truth values instead")

    def entry_of(self, table: Sequence[int]) -> Term:
        """Return the entry of a table at the index that this value is."""
        numbers = tuple(_Tape.checked(operator.index(number)) for number in table)
        return self.tape.record(
            ENTRY, self.at, self.tape.tables.setdefault(numbers, len(self.tape.tables))
        )


class _Bytes(Sequence[Any]):
    """The bytes of a state. Their values are not known, but it is recorded which ones are read."""

    def __init__(self, tape: _Tape) -> None:
        self._tape = tape

    def __getitem__(self, j: Any) -> Any:
        reads = self._tape.reads
        return self._tape.record(READ, reads.setdefault(operator.index(j), len(reads)))

    def __len__(self) -> int:
        raise Untraceable("a rank cannot depend on the length of a state")

    def __iter__(self) -> Iterator[Any]:
        raise Untraceable("a rank cannot read all bytes of a state at once")


def traced(rank: Callable[[Any], Any]) -> tuple[int, ...]:
    """Return the rank program of a rank function.

    Raises Untraceable if the function does more than arithmetic, or takes too many steps.

    >>> from puzzlekit.engine.opcodes import FORMULA
    >>> traced(lambda vector: vector[4] * 3 + vector[6])[:5] == (FORMULA, 5, 2, 4, 6)
    True
    """
    tape = _Tape()
    last = tape.term(rank(_Bytes(tape))).at
    steps = list(tape.steps)
    needed = {last}
    for at in range(last, -1, -1):
        kind, *operands = steps[at]
        if at in needed and kind not in (READ, CONSTANT):
            needed |= {*operands[: 1 if kind == ENTRY else 2]}
    if len(needed) > _MOST_STEPS:
        raise Untraceable(f"a rank program has at most {_MOST_STEPS} steps, not {len(needed)}")
    new = {at: i for i, at in enumerate(sorted(needed))}
    first = 3 + len(tape.reads) + 3 * len(new)
    tables: list[int] = []
    starts = []
    for table in tape.tables:
        starts.append(first + len(tables))
        tables += [len(table), *table]
    code: list[int] = []
    for at in new:
        kind, one, other = steps[at]
        if kind not in (READ, CONSTANT):
            one, other = new[one], starts[other] if kind == ENTRY else new[other]
        code += [kind, one, other]
    return (FORMULA, len(new), len(tape.reads), *tape.reads, *code, *tables)
