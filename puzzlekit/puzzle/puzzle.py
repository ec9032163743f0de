"""The puzzle: orbits, moves, metrics, and how it is held and drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import attrs

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.constraint import Blocks, Constraint, EvenParity, Frame, Law
from puzzlekit.puzzle.guard import Guard, GuardedMoves
from puzzlekit.puzzle.layout import FaceletLayout, Grid
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Effect, Move, act, compose, no_effect, powers, product
from puzzlekit.puzzle.notation import Notation
from puzzlekit.puzzle.orbit import Orbit, state_modulus

#: Of an orbit: from where to where its labels are; as tables of 256 bytes the new label of each
#: label, what is added to its orientation, and what that is modulo the orientations (or none).
_Renaming = tuple[tuple[int, int], bytes, bytes, bytes]


@attrs.frozen(slots=False, eq=False, repr=False)
class Puzzle:
    """A permutation puzzle, stated as data.

    A state is `bytes`: for each orbit in turn the labels at its places and then, where pieces can
    be turned, their orientations. It describes the puzzle as it is held and is never turned
    silently.

    `turns` gives the effect (gather, add) of each base move by its family name; `rotations` names
    the families that turn the whole puzzle; `reflections` say of each family which one it is in a
    mirror, and with the sign -1 that it turns the other way round there; `aliases` and `hints`
    complete the notation (see `Notation`); `metrics` lists the metrics, the default one first;
    `constraints` states what holds for every state that can be reached; `layout` says how the
    puzzle looks, or for one that is written in numbers its `grid`. A puzzle whose moves are not
    always possible has a `guard` in place of `turns`; it has neither rotations nor reflections, nor
    metrics with memory.
    """

    name: str
    title: str
    orbits: tuple[Orbit, ...]
    turns: Mapping[str, Effect]
    metrics: tuple[Metric, ...]
    rotations: tuple[str, ...] = ()
    reflections: tuple[Mapping[str, tuple[str, int]], ...] = ()
    constraints: tuple[Constraint, ...] = ()
    layout: FaceletLayout | None = None
    aliases: Mapping[str, tuple[str, int]] = attrs.field(factory=dict)
    hints: object = None
    guard: Guard | None = None
    grid: Grid | None = None
    _moves: dict[tuple[str, int], Move] = attrs.field(init=False, factory=dict)
    _commuting: dict[tuple[Move, Move], bool] = attrs.field(init=False, factory=dict)
    _together: dict[frozenset[Move], Move] = attrs.field(init=False, factory=dict)
    _names: dict[Effect, list[_Renaming]] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        others = self.turns or self.rotations or self.reflections
        if self.guard is not None and (others or not all(each.counts for each in self.metrics)):
            raise DeclarationError(
                f"{self.name}: beside a guard there are no other moves, rotations, reflections or "
                "machines"
            )
        if self.grid is not None and (
            self.layout is not None or len(self.orbits) != 1 or self.orbits[0].orientations > 1
        ):
            raise DeclarationError(
                f"{self.name}: a grid is for one orbit, whose pieces cannot be turned, and in "
                "place of a layout"
            )
        _check_constraints(self)

    def __repr__(self) -> str:
        return f"Puzzle({self.name!r})"

    @property
    def has_facelets(self) -> bool:
        """Whether states can be given and shown as text: by their stickers, or in a grid."""
        return self.layout is not None or self.grid is not None

    # --- the layout of a state -----------------------------------------------------------------

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Where the labels of each orbit start in a state."""
        offsets = {}
        start = 0
        for orbit in self.orbits:
            offsets[orbit.name] = start
            start += orbit.width
        return offsets

    @cached_property
    def modulus(self) -> bytes:
        """For each byte of a state its modulus; 0 for labels, which are only moved."""
        return state_modulus(self.orbits)

    @cached_property
    def solved(self) -> bytes:
        """The solved state, held in the standard way."""
        return b"".join(orbit.solved_bytes for orbit in self.orbits)

    @cached_property
    def frames(self) -> tuple[str, ...]:
        """The names of the orbits that only show how the puzzle is held (see `Frame`)."""
        return tuple(part.orbit for part in self.constraints if isinstance(part, Frame))

    def orbit(self, name: str) -> Orbit:
        """The orbit of that name; a DeclarationError if there is none."""
        for orbit in self.orbits:
            if orbit.name == name:
                return orbit
        raise DeclarationError(f"{self.name} has no orbit {name!r}")

    def labels(self, state: bytes, orbit: Orbit) -> bytes:
        """The labels at the places of an orbit."""
        start = self.offsets[orbit.name]
        return state[start : start + orbit.size]

    def orientations(self, state: bytes, orbit: Orbit) -> bytes:
        """The orientations at the places of an orbit (zeros where pieces cannot be turned)."""
        if orbit.orientations == 1:
            return bytes(orbit.size)
        start = self.offsets[orbit.name] + orbit.size
        return state[start : start + orbit.size]

    def bytes_at(self, places: Mapping[str, str]) -> list[int]:
        """The numbers of the bytes that say what is at some places, by orbit, and how it is turned.

        Of a frame only what is there: how its pieces are turned tells nothing of the holding.

        >>> import puzzlekit
        >>> puzzlekit.load("cube2").puzzle.bytes_at({"corners": "ULB DBL"})
        [0, 8, 4, 12]
        """
        found = []
        for name, named in places.items():
            orbit = self.orbit(name)
            turned = orbit.orientations > 1 and name not in self.frames
            for place in named.split():
                label = self.offsets[name] + orbit.place(place)
                found += [label, label + orbit.size] if turned else [label]
        return found

    # --- moves ---------------------------------------------------------------------------------

    @cached_property
    def _powers(self) -> dict[str, list[Effect]]:
        return {family: powers(effect, self.modulus) for family, effect in self.turns.items()}

    @cached_property
    def guarded(self) -> GuardedMoves | None:
        """The moves that are not always possible, if there are any."""
        if self.guard is None:
            return None
        return GuardedMoves(self.name, self.orbits, self.guard, self.grid)

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The names of all families of moves, in the order in which they are declared."""
        return (*self.turns, *(self.guarded.moves if self.guarded else ()))

    @cached_property
    def notation(self) -> Notation:
        """How moves of this puzzle are written."""
        orders = {family: len(found) + 1 for family, found in self._powers.items()}
        inverses = self.guarded.inverses if self.guarded else {}
        return Notation(orders, self.aliases, self.hints, inverses, self.rotations)  # type: ignore[arg-type]

    def move(self, family: str, amount: int = 1) -> Move:
        """The base move of a family done `amount` times; the same object for the same move.

        A DeclarationError for a multiple of its order, which is no move. One that is not always
        possible has no multiples.
        """
        if self.guarded is not None:
            if amount != 1:
                raise DeclarationError(f"{family} done {amount} times is no move")
            return self.guarded.moves[family]
        order = len(self._powers[family]) + 1
        amount %= order
        if not amount:
            raise DeclarationError(f"{family} done {order} times is no move")
        found = self._moves.get((family, amount))
        if found is None:
            effect = self._powers[family][amount - 1]
            made = Move(self.notation.name(family, amount), family, amount, order, *effect)
            # Two threads may make it at once: both get the one that came first.
            found = self._moves.setdefault((family, amount), made)
        return found

    def moves(self, text: str) -> tuple[Move, ...]:
        """Read a move sequence; a NotationError says what is wrong and where."""
        return tuple(self.move(family, amount) for family, amount in self.notation.parse(text))

    def family_moves(self, families: Iterable[str]) -> tuple[Move, ...]:
        """All powers of the named families, in order; one move of each that has none."""
        if self.guarded is not None:
            return tuple(self.move(family) for family in families)
        return tuple(
            self.move(family, amount)
            for family in families
            for amount in range(1, len(self._powers[family]) + 1)
        )

    def searched(self, moves: Iterable[Move]) -> tuple[Move, ...]:
        """Moves as they are searched: in place of each that is not always possible its cases."""
        return tuple(case for move in moves for case in (move.cases or (move,)) if case is not None)

    def place_of_guard(self, state: bytes) -> int:
        """The number of the place at which the guarding piece is; 0 where there is none."""
        return 0 if self.guarded is None else self.guarded.place(state)

    def apply(self, state: bytes, moves: Iterable[Move]) -> bytes:
        """The state after a sequence of moves; a NotationError if one of them is not possible."""
        if self.guarded is not None:
            moves = self.guarded.possible(state, moves)
        for move in moves:
            state = act(state, move.gather, move.add, self.modulus)
        return state

    def together(self, moves: Sequence[Move]) -> Move:
        """Moves of different families that commute as one; the same object for the same moves.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube3").puzzle
        >>> cube.together(cube.moves("L2 R'")).name
        "R' + L2"
        """
        if len(moves) == 1:
            return moves[0]
        if self.guard is not None:
            raise DeclarationError(f"{self.name}: its moves are not done at once")
        key = frozenset(moves)
        found = self._together.get(key)
        if found is None:
            order = list(self.turns)
            parts = tuple(sorted(moves, key=lambda move: order.index(move.family)))
            effect = product([move.effect for move in parts], self.modulus)
            name = " + ".join(move.name for move in parts)
            family = " + ".join(move.family for move in parts)
            made = Move(name, family, 1, 0, *effect, parts)
            found = self._together.setdefault(key, made)
        return found

    def inverse(self, move: Move) -> Move:
        """The move that undoes a move."""
        if move.parts:
            return self.together([self.inverse(part) for part in move.parts])
        if self.guarded is not None:
            return self.guarded.inverse(move)
        return self.move(move.family, move.order - move.amount)

    def undo(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """The moves that undo some moves: the inverse of each, the last one first.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2").puzzle
        >>> [move.name for move in cube.undo(cube.moves("R U2 F'"))]
        ['F', 'U2', "R'"]
        """
        return tuple(map(self.inverse, reversed(moves)))

    def commute(self, one: Move, other: Move) -> bool:
        """Whether two moves do the same in either order, wherever they are possible in one."""
        found = self._commuting.get((one, other))
        if found is None and self.guarded is not None:
            found = self._commuting[one, other] = self.guarded.commute(one, other)
        if found is None:
            both = (one.effect, other.effect), (other.effect, one.effect)
            first, second = (compose(*each, self.modulus) for each in both)
            found = self._commuting[one, other] = first == second
        return found

    def metric(self, name: str | None = None) -> Metric:
        """The metric of that name (any case), or the default one."""
        if name is None:
            return self.metrics[0]
        for metric in self.metrics:
            if metric.name.lower() == name.lower():
                return metric
        known = ", ".join(metric.name for metric in self.metrics)
        raise UsageError(f"{self.name} has no metric {name!r}; it has {known}")

    def lengths(self, moves: Sequence[Move], metric: Metric | None = None) -> dict[str, int]:
        """The cost of moves in every metric in which moves are counted, and in a given one."""
        wanted = [each for each in self.metrics if each.counts]
        if metric is not None and metric not in wanted:
            wanted.insert(0, metric)
        return {each.name: each.total(moves) for each in wanted}

    # --- holding -------------------------------------------------------------------------------

    @cached_property
    def holding_steps(self) -> dict[Effect, tuple[Effect, str] | None]:
        """Every rotation of the whole puzzle as (another one, the family turned after it).

        None for the identity, which comes first; each comes after the one it is made from.
        """
        identity = no_effect(self.modulus)
        found: dict[Effect, tuple[Effect, str] | None] = {identity: None}
        fresh = [identity]
        while fresh:
            held = fresh.pop()
            for family in self.rotations:
                turned = compose(held, self.turns[family], self.modulus)
                if turned not in found:
                    found[turned] = held, family
                    fresh.append(turned)
        return found

    @cached_property
    def holdings(self) -> tuple[Effect, ...]:
        """Every rotation of the whole puzzle, the identity first."""
        return tuple(self.holding_steps)

    @cached_property
    def solved_states(self) -> frozenset[bytes]:
        """The solved state in every holding."""
        return frozenset(act(self.solved, *held, self.modulus) for held in self.holdings)

    def is_solved(self, state: bytes) -> bool:
        """Whether a state is solved, however it is held."""
        return state in self.solved_states

    def recolour(self, state: bytes, held: Effect) -> bytes:
        """Rename the pieces as the rotation `held` carries them; no piece moves.

        The solved state becomes the solved state in that holding, and whatever solves a state also
        solves it recoloured.
        """
        if held == self.holdings[0]:
            return state
        if held not in self._names:
            self._names[held] = list(self._names_after(held))
        recoloured = b""
        for (start, end), renamed, turned, wrapped in self._names[held]:
            labels = state[start:end]
            recoloured += labels.translate(renamed)
            if wrapped:
                turns = state[end : 2 * end - start]
                added = map(int.__add__, turns, labels.translate(turned))
                recoloured += bytes(added).translate(wrapped)
        return recoloured

    def _names_after(self, held: Effect) -> Iterator[_Renaming]:
        """How a rotation renames the pieces of each orbit."""
        target = act(self.solved, *held, self.modulus)
        for orbit in self.orbits:
            start = self.offsets[orbit.name]
            end = start + orbit.size
            renamed, turned = bytearray(256), bytearray(256)
            # Of alike pieces the first place counts.
            for home, label in reversed([*enumerate(orbit.solved, start)]):
                renamed[label] = target[home]
                turned[label] = target[home + orbit.size] if orbit.orientations > 1 else 0
            wrapped = bytes(i % orbit.orientations for i in range(256))
            yield (start, end), bytes(renamed), bytes(turned), wrapped * (orbit.orientations > 1)

    @cached_property
    def invertible(self) -> bool:
        """Whether all pieces differ, so that a state is also a permutation and can be inverted.

        Not so where moves are not always possible: what undoes a state need not be.
        """
        return self.guard is None and all(orbit.distinct for orbit in self.orbits)

    @cached_property
    def _home(self) -> dict[int, dict[int, int]]:
        """For the start of each orbit in a state, the byte at which each label is solved."""
        return {
            start: {label: start + i for i, label in enumerate(self.orbit(name).solved)}
            for name, start in self.offsets.items()
        }

    def invert(self, state: bytes) -> bytes:
        """The state whose solutions are those of `state` undone (only where `invertible`)."""
        inverse = bytearray(state)
        for orbit, (start, home) in zip(self.orbits, self._home.items(), strict=True):
            size, turns = orbit.size, orbit.orientations
            for i, label in enumerate(orbit.solved, start):
                j = home[state[i]]
                inverse[j] = label
                if turns > 1:
                    inverse[j + size] = -state[i + size] % turns
        return bytes(inverse)


def _check_constraints(puzzle: Puzzle) -> None:
    """Raise a DeclarationError if a constraint is not on orbits of the puzzle as they are."""
    for part in puzzle.constraints:
        for name in part.orbits if isinstance(part, EvenParity | Law) else (part.orbit,):
            orbit = puzzle.orbit(name)
        if isinstance(part, Blocks):
            blocks = part.places(orbit)
            places = sorted(place for block in blocks for place in block)
            if places != list(range(orbit.size)) or len(set(map(len, blocks))) > 1:
                raise DeclarationError(
                    f"{puzzle.name}: the blocks of {orbit.name} have to be of one size, with each "
                    "place in one of them"
                )
