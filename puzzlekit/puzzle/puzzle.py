"""The puzzle: orbits, moves, metrics, and how it is held and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING

import attrs

from puzzlekit.errors import DeclarationError, NotationError, StateError, UsageError, check_text
from puzzlekit.puzzle.declaration import check_declaration
from puzzlekit.puzzle.guard import Guard, GuardedMoves
from puzzlekit.puzzle.layout import FaceletLayout, Grid, Writing
from puzzlekit.puzzle.move import (
    Effect,
    Metric,
    Move,
    act,
    act_on_few,
    commute,
    compose,
    no_effect,
    powers,
    product,
)
from puzzlekit.puzzle.notation import Notation, Parentheses
from puzzlekit.puzzle.orbit import (
    Bandaged,
    Constraint,
    EvenParity,
    Forbidden,
    Frame,
    Orbit,
    OrientationSum,
    state_modulus,
)

if TYPE_CHECKING:
    from puzzlekit.engine.ranks import States

#: The renaming of the pieces of an orbit. The first item is the start and end of its labels in a
#: state. Three tables of 256 bytes follow: the new label of each label, the number to add to the
#: orientation of each label, and remainders (empty if no piece of the orbit turns).
_Renaming = tuple[tuple[int, int], bytes, bytes, bytes]

_SHORT = 1_000  # characters of a text whose words may be read as names of moves
_MOST_AT_ONCE = 256  # bytes of a state; in larger states, a move acts on the bytes that it changes


@attrs.frozen(slots=False, eq=False, repr=False)
class Puzzle:
    """A permutation puzzle, declared as data.

    A state is `bytes`. It has the bytes of each orbit, in the order of `orbits`: first the labels
    at the places of the orbit, then the orientations, if its pieces have several. States that
    differ by a rotation of the whole puzzle are different states. No function silently rotates a
    state.
    """

    #: The name of the puzzle in `--puzzle`, and in messages.
    name: str
    #: The name of the puzzle in text for people.
    title: str
    #: The orbits, in the order of a state.
    orbits: tuple[Orbit, ...]
    #: The effect (gather, add) of the base move of each family. Empty for a puzzle with a guard.
    turns: Mapping[str, Effect]
    #: The metrics. The first one is the default.
    metrics: tuple[Metric, ...]
    #: The families that turn the whole puzzle.
    rotations: tuple[str, ...] = ()
    #: For each reflection, the mirror image of each family: a pair of a family and a sign. The sign
    #: is 1 for the same direction of turning and -1 for the opposite direction.
    reflections: tuple[Mapping[str, tuple[str, int]], ...] = ()
    #: Conditions that every reachable state satisfies.
    constraints: tuple[Constraint, ...] = ()
    #: The stickers; None if the puzzle has no stickers.
    layout: FaceletLayout | None = None
    #: Other spellings of moves: see `Notation`.
    aliases: Mapping[str, tuple[str, int]] = attrs.field(factory=dict)
    #: Advice on unknown moves: see `Notation`.
    hints: object = None
    #: The aliases in which output writes moves, such as "R--": see `Notation`.
    preferred: tuple[str, ...] = ()
    #: Families that are written together, as in (1,-3): see `Notation`.
    grouped: tuple[str, ...] = ()
    #: The moves of a puzzle whose moves are not always possible. Such a puzzle has no turns,
    #: rotations, reflections or metrics of steps.
    guard: Guard | None = None
    #: The layout of a puzzle whose states are written in numbers. Such a puzzle has no `layout`.
    grid: Grid | None = None
    #: How states are written and drawn, if neither stickers nor a grid describe them. Such a puzzle
    #: has no `layout` and no `grid`.
    writing: Writing | None = None
    #: What a move does in words, for moves that no solid shows: a function of the move, the state
    #: before it, and a language such as "en" or "de". It returns "" for a language without words.
    move_words: Callable[[Move, bytes, str], str] | None = None
    _moves: dict[tuple[str, int], Move] = attrs.field(init=False, factory=dict)
    _named: dict[str, tuple[Move, ...]] = attrs.field(init=False, factory=dict)
    _inverses: dict[Move, Move] = attrs.field(init=False, factory=dict)
    #: Moves by their names, as far as they were read.
    _read: dict[str, Move] = attrs.field(init=False, factory=dict)
    _together: dict[frozenset[Move], Move] = attrs.field(init=False, factory=dict)
    _moved: dict[Move, frozenset[int]] = attrs.field(init=False, factory=dict)
    _names: dict[Effect, list[_Renaming]] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        check_declaration(self)

    def __repr__(self) -> str:
        return f"Puzzle({self.name!r})"

    @property
    def has_facelets(self) -> bool:
        """Whether states can be written as text: by stickers, in a grid, or in another way."""
        return any(each is not None for each in (self.layout, self.grid, self.writing))

    # --- the layout of a state -----------------------------------------------------------------

    @cached_property
    def offsets(self) -> dict[str, int]:
        """The start of each orbit's labels in a state."""
        offsets = {}
        start = 0
        for orbit in self.orbits:
            offsets[orbit.name] = start
            start += orbit.width
        return offsets

    @cached_property
    def modulus(self) -> bytes:
        """The modulus of each byte of a state; 0 for the bytes of labels."""
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
        """Return the orbit that is called `name`; raise DeclarationError if there is none."""
        for orbit in self.orbits:
            if orbit.name == name:
                return orbit
        raise DeclarationError(f"{self.name} has no orbit {name!r}")

    def labels(self, state: bytes, orbit: Orbit) -> bytes:
        """Return the labels at the places of an orbit."""
        start = self.offsets[orbit.name]
        return state[start : start + orbit.size]

    def orientations(self, state: bytes, orbit: Orbit) -> bytes:
        """Return the orientations at the places of an orbit; zeros if its pieces never turn."""
        if orbit.orientations == 1:
            return bytes(orbit.size)
        start = self.offsets[orbit.name] + orbit.size
        return state[start : start + orbit.size]

    @cached_property
    def forbidden(self) -> tuple[tuple[int, int, str], ...]:
        """Each `Forbidden` as its byte in a state, the label that must not be there, and words."""
        found = []
        for part in self.constraints:
            if isinstance(part, Forbidden):
                orbit = self.orbit(part.orbit)
                place, piece = orbit.place(part.place), orbit.place(part.piece)
                words = f"{orbit.piece} {part.piece} must not be at {part.place}"
                found.append((self.offsets[part.orbit] + place, orbit.solved[piece], words))
        return tuple(found)

    @cached_property
    def blocks(self) -> tuple[tuple[tuple[int, int, int], ...], ...]:
        """Each block of `Bandaged`: for each piece, the bytes of its orbit, and its label."""
        found = []
        for part in self.constraints:
            for block in part.blocks if isinstance(part, Bandaged) else ():
                pieces = []
                for name, named in block.items():
                    orbit, start = self.orbit(name), self.offsets[name]
                    for label in (orbit.solved[orbit.place(each)] for each in named.split()):
                        pieces.append((start, start + orbit.size, label))
                found.append(tuple(pieces))
        return tuple(found)

    @cached_property
    def block_turns(self) -> tuple[frozenset[str] | None, ...]:
        """For each of `blocks`, the families that turn a center in it; None without a center."""
        found: list[str | None] = []
        for part in self.constraints:
            if isinstance(part, Bandaged):
                found += part.centers or [None] * len(part.blocks)
        return tuple(None if each is None else frozenset(each.split()) for each in found)

    @cached_property
    def states(self) -> States | None:
        """What checks, replays and inverts states in compiled code.

        None if the moves of the puzzle are not always possible, or if a state has more than 256
        bytes.
        """
        from puzzlekit.engine.ranks import States

        if self.restricted or len(self.solved) > _MOST_AT_ONCE:
            return None
        kinds = OrientationSum, EvenParity, Frame
        summed = {each.orbit for each in self.constraints if isinstance(each, OrientationSum)}
        number = {orbit.name: i for i, orbit in enumerate(self.orbits)}
        return States(
            [
                (
                    list(orbit.solved),
                    orbit.orientations,
                    orbit.name in summed,
                    orbit.name in self.frames,
                )
                for orbit in self.orbits
            ],
            [
                [number[name] for name in each.orbits]
                for each in self.constraints
                if isinstance(each, EvenParity)
            ],
            all(isinstance(each, kinds) for each in self.constraints),
        )

    @property
    def restricted(self) -> bool:
        """Whether moves are not always possible: by a guard, `Forbidden` or `Bandaged`."""
        return self.guard is not None or bool(self.forbidden or self.blocks)

    def moved(self, move: Move) -> frozenset[int]:
        """Return the bytes of the labels of the places whose pieces a move moves or turns."""
        if move not in self._moved:
            changed = set(move.changed)
            found = set[int]()
            for orbit in self.orbits:
                start = self.offsets[orbit.name]
                turned = orbit.size if orbit.orientations > 1 else 0
                places = range(start, start + orbit.size)
                found |= {each for each in places if changed & {each, each + turned}}
            self._moved[move] = frozenset(found)
        return self._moved[move]

    def obstacle(self, state: bytes, move: Move) -> str:
        """Return why a move is not possible in a state, in words; "" if no piece prevents it.

        The words name the first `Forbidden` place, or block of `Bandaged`. A guard is no obstacle.
        """
        for block, turning in zip(self.blocks, self.block_turns, strict=True):
            moved = self.moved(move)
            among = [state.find(label, start, end) in moved for start, end, label in block]
            among += [] if turning is None else [move.family in turning]
            if any(among) and not all(among):
                pieces = [
                    (orbit.piece, orbit.label_name(label))
                    for start, _, label in block
                    for orbit in self.orbits
                    if self.offsets[orbit.name] == start
                ]
                names = [name for _, name in pieces]
                if len({*names}) < len(names):  # corner 4 and edge 4
                    names = [" ".join(piece) for piece in pieces]
                names += [] if turning is None else ["a center"]
                return f"it would part {', '.join(names[:-1])} and {names[-1]}"
        if self.forbidden:
            wrong = self.misplaced(act(state, move.gather, move.add, self.modulus))
            return wrong[0] if wrong else ""
        return ""

    def misplaced(self, state: bytes) -> list[str]:
        """Return in words which pieces are at forbidden places (see `Forbidden`)."""
        return [words for byte, label, words in self.forbidden if state[byte] == label]

    def bytes_at(self, places: Mapping[str, str]) -> list[int]:
        """Return the indices of the bytes that describe some places in a state.

        `places` maps names of orbits to names of places, separated by spaces. For each place the
        result has the index of the label, then the index of the orientation. The orientations in a
        `Frame` are free, so the result has no indices of these orientations.

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
        """The moves of a puzzle with a guard; None for other puzzles."""
        if self.guard is None:
            return None
        return GuardedMoves(self.name, self.orbits, self.guard, self.grid)

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The names of all families of moves, in declared order."""
        return (*self.turns, *(self.guarded.moves if self.guarded else ()))

    @cached_property
    def notation(self) -> Notation:
        """The notation of the moves."""
        orders = {family: len(found) + 1 for family, found in self._powers.items()}
        inverses = self.guarded.inverses if self.guarded else {}
        return Notation(
            orders,
            self.aliases,
            self.hints,  # type: ignore[arg-type]
            inverses,
            self.rotations,
            self.preferred,
            self.grouped,
        )

    def move(self, family: str, amount: int = 1) -> Move:
        """Return the move that does the base move of a family `amount` times.

        Calls for the same move return the same object. Raises DeclarationError if `amount` is a
        multiple of the order of the move, because such a move does nothing. If the puzzle has a
        guard, `amount` must be 1, because a move may be impossible the second time.
        """
        if family not in (self._powers if self.guarded is None else self.guarded.moves):
            known = " ".join(self.families)
            raise UsageError(f"{self.name} has no move {family!r}; its families are {known}")
        if self.guarded is not None:
            if amount != 1:
                raise DeclarationError(f"{family} done {amount} times is not a move")
            return self.guarded.moves[family]
        order = len(self._powers[family]) + 1
        amount %= order
        if not amount:
            raise DeclarationError(f"{family} done {order} times is not a move")
        found = self._moves.get((family, amount))
        if found is None:
            effect = self._powers[family][amount - 1]
            made = Move(self.notation.name(family, amount), family, amount, order, *effect)
            # Two threads may make it at once; both get the first object.
            found = self._moves.setdefault((family, amount), made)
        return found

    def moves(self, text: str, parentheses: Parentheses = "groups") -> tuple[Move, ...]:
        """Return the moves in a text; raise NotationError with the column of a problem.

        `parentheses` says what parentheses mean: see `Notation.parse`.
        """
        words: list[str] = []
        if isinstance(text, str) and len(text) < _SHORT and text.isascii() and text.isprintable():
            words = text.split()
        if words and parentheses == "groups" and self._read.keys() >= set(words):
            return tuple([self._read[word] for word in words])
        found = self.notation.parse(text, parentheses)
        moves = tuple(self.move(family, amount) for family, amount in found)
        if len(moves) == len(words):
            named = zip(words, moves, strict=True)
            self._read.update((word, move) for word, move in named if word == move.name)
        return moves

    def text(self, moves: Iterable[Move]) -> str:
        """Return moves as text, as people write them. `moves` reads the text back.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2").puzzle
        >>> cube.text(cube.moves("R U2 F'"))
        "R U2 F'"
        """
        if not self.grouped:
            return " ".join([move.name for move in moves])
        return self.notation.format((move.family, move.amount) for move in moves)

    def family_moves(self, families: Iterable[str]) -> tuple[Move, ...]:
        """Return all powers of the named families, in order.

        If the puzzle has a guard, the result has one move of each family.
        """
        if self.guarded is not None:
            return tuple(self.move(family) for family in families)
        return tuple(
            self.move(family, amount)
            for family in families
            for amount in range(1, len(self._powers[family]) + 1)
        )

    def turns_of(self, name: str) -> tuple[Move, ...]:
        """Return the moves that a name in a list means: all turns of a family, or one move.

        Another name of a move, such as r for Rw, means all its powers. Raises NotationError for an
        unknown name.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube3").puzzle
        >>> [" ".join(move.name for move in cube.turns_of(name)) for name in ("r", "2R", "R'")]
        ["Rw Rw2 Rw'", "M M2 M'", "R'"]
        """
        family, amount = self.aliases.get(name, (name, 1))
        # Names such as R--, UR3+, or R2 and Ri in a definition, mean one move.
        one = name in self.preferred or (amount != 1 and name.startswith(family))
        if one or family not in self.families:
            return self.moves(name)
        powers = gcd(amount, self.move(family).order)
        return tuple(move for move in self.family_moves([family]) if move.amount % powers == 0)

    def named_moves(self, names: str) -> tuple[Move, ...]:
        """Return moves in search order (see `searched`).

        `names` has names of moves and of families, separated by blanks. A family stands for all
        powers of its quarter turn, or of another smallest turn.
        """
        if names not in self._named:
            found = [move for name in names.split() for move in self.turns_of(name)]
            self._named[names] = self.searched(dict.fromkeys(found))  # "U U2" names U2 twice
        return self._named[names]

    def searched(self, moves: Iterable[Move]) -> tuple[Move, ...]:
        """Return the moves for a search. Each move with a guard is replaced by its cases."""
        return tuple(case for move in moves for case in (move.cases or (move,)) if case is not None)

    def place_of_guard(self, state: bytes) -> int:
        """Return the number of the place of the guarding piece; 0 if there is no guard."""
        return 0 if self.guarded is None else self.guarded.place(state)

    def apply(self, state: bytes, moves: Iterable[Move]) -> bytes:
        """Return the state after a sequence of moves; raise NotationError if one is impossible."""
        if len(state) != len(self.solved):
            raise StateError([f"state of {len(state)} bytes instead of {len(self.solved)}"])
        if self.states is not None:
            return self.states.after(state, moves)
        return self.replayed(state, moves)

    def replayed(self, state: bytes, moves: Iterable[Move]) -> bytes:
        """Return what `apply` returns, for every puzzle: move by move, and without compiled code.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2").puzzle
        >>> moves = cube.moves("R U2 F'")
        >>> cube.replayed(cube.solved, moves) == cube.apply(cube.solved, moves)
        True
        """
        if self.guarded is not None:
            moves = self.guarded.possible(state, moves)
        restricted = self.guard is None and self.restricted
        if len(state) > _MOST_AT_ONCE and not restricted:
            done = bytearray(state)
            for move in moves:
                act_on_few(done, move, self.modulus)
            return bytes(done)
        for number, move in enumerate(moves, 1):
            if restricted and (wrong := self.obstacle(state, move)):
                raise NotationError(f"move {number}, {move.name}, is not possible: {wrong}")
            state = act(state, move.gather, move.add, self.modulus)
        return state

    def together(self, moves: Sequence[Move]) -> Move:
        """Return one move that does several commuting moves at once.

        Calls with the same moves return the same object.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube3").puzzle
        >>> cube.together(cube.moves("L2 R'")).name
        "R' + L2"
        """
        if len(moves) == 1:
            return moves[0]
        if self.guard is not None:
            raise DeclarationError(f"{self.name} has a guard, so its moves cannot be done at once")
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
        """Return the move that undoes a move."""
        if move.parts:
            return self.together([self.inverse(part) for part in move.parts])
        if self.guarded is not None:
            return self.guarded.inverse(move)
        return self.move(move.family, move.order - move.amount)

    def undo(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Return the moves that undo a sequence of moves: the inverse of each, in reverse order.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2").puzzle
        >>> [move.name for move in cube.undo(cube.moves("R U2 F'"))]
        ['F', 'U2', "R'"]
        """
        known = self._inverses
        try:
            return tuple([known[move] for move in reversed(moves)])
        except KeyError:
            known.update((move, self.inverse(move)) for move in moves)
        return tuple([known[move] for move in reversed(moves)])

    def commute(self, one: Move, other: Move) -> bool:
        """Whether two moves commute.

        If the puzzle has a guard, both orders must be possible from the same states.
        """
        return self.commuting[one, other]

    @cached_property
    def commuting(self) -> Mapping[tuple[Move, Move], bool]:
        """Whether two moves commute, by pairs of moves. Each pair is compared when first needed."""
        return _Commuting(self)

    def metric(self, name: str | None = None) -> Metric:
        """Return the metric that is called `name`. Without a name, return the first metric.

        The name may be in upper or lower case. Raises a UsageError if there is no such metric.
        """
        if name is None and self.metrics:
            return self.metrics[0]
        if name is None:
            raise UsageError(f"{self.name} declares no metric")
        check_text(name, "the name of a metric")
        for metric in self.metrics:
            if metric.name.lower() == name.lower():
                return metric
        known = ", ".join(metric.name for metric in self.metrics)
        raise UsageError(f"{self.name} has no metric {name!r}; it has {known}")

    def lengths(self, moves: Sequence[Move], metric: Metric | None = None) -> dict[str, int]:
        """Return a mapping from the names of metrics to the total cost of moves.

        The result has every metric of the puzzle that counts single moves, and `metric` if given.
        """
        wanted = [each for each in self.metrics if each.counts]
        if metric is not None and metric not in wanted:
            wanted.insert(0, metric)
        return {each.name: each.total(moves) for each in wanted}

    # --- holding -------------------------------------------------------------------------------

    @cached_property
    def rotation_steps(self) -> dict[Effect, tuple[Effect, str] | None]:
        """For each rotation of the whole puzzle, how to make it from an earlier one.

        A dict maps each rotation to a pair: an earlier rotation of the dict, and the family whose
        base move leads from there to this rotation. The identity comes first and has None.
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
    def whole_rotations(self) -> tuple[Effect, ...]:
        """Every rotation of the whole puzzle, the identity first."""
        return tuple(self.rotation_steps)

    @cached_property
    def solved_states(self) -> frozenset[bytes]:
        """The solved states: one for each way to hold the puzzle."""
        return frozenset(act(self.solved, *held, self.modulus) for held in self.whole_rotations)

    def is_solved(self, state: bytes) -> bool:
        """Whether a state is solved, however it is held."""
        return state in self.solved_states

    def relabel(self, state: bytes, held: Effect) -> bytes:
        """Return a state with its pieces renamed by the rotation `held`. No piece moves.

        The solved state becomes the solved puzzle after this rotation. If moves lead from the
        solved state to `state`, the same moves lead from the rotated puzzle to the result. Moves
        that solve `state` also solve the result.
        """
        if held == self.whole_rotations[0]:
            return state
        if held not in self._names:
            self._names[held] = list(self._names_after(held))
        seen = b""
        for (start, end), renamed, turned, wrapped in self._names[held]:
            labels = state[start:end]
            seen += labels.translate(renamed)
            if wrapped:
                turns = state[end : 2 * end - start]
                added = map(int.__add__, turns, labels.translate(turned))
                seen += bytes(added).translate(wrapped)
        return seen

    def _names_after(self, held: Effect) -> Iterator[_Renaming]:
        """Yield for each orbit how a rotation renames its pieces."""
        target = act(self.solved, *held, self.modulus)
        for orbit in self.orbits:
            start = self.offsets[orbit.name]
            end = start + orbit.size
            renamed, turned = bytearray(256), bytearray(256)
            # The last assignment wins: pieces that are alike use their first place.
            for home, label in reversed([*enumerate(orbit.solved, start)]):
                renamed[label] = target[home]
                turned[label] = target[home + orbit.size] if orbit.orientations > 1 else 0
            wrapped = bytes(i % orbit.orientations for i in range(256))
            yield (start, end), bytes(renamed), bytes(turned), wrapped * (orbit.orientations > 1)

    @cached_property
    def invertible(self) -> bool:
        """Whether states can be inverted.

        They can if all pieces of the puzzle differ and the puzzle has no guard.
        """
        return self.guard is None and all(orbit.distinct for orbit in self.orbits)

    def relabel_to(self, state: bytes, target: bytes) -> bytes:
        """Return a state with its pieces renamed so that `target` becomes the solved state.

        Moves from `state` to `target` are moves from the renamed state to the solved state. If
        pieces are alike, all pieces of one label must have places of one label in `target`, too.
        Otherwise UsageError is raised.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2")
        >>> after, before = cube.state("R U F"), cube.state("R U")
        >>> cube.puzzle.relabel_to(after, before) == cube.state("F")
        True
        """
        seen = bytearray(state)
        for orbit, start in zip(self.orbits, self.offsets.values(), strict=True):
            size, turns = orbit.size, orbit.orientations
            names = self._names_at(orbit, target)
            for i in range(start, start + size):
                seen[i], turn = names[state[i]]
                if turns > 1:
                    seen[i + size] = (state[i + size] - turn) % turns
        return bytes(seen)

    def _names_at(self, orbit: Orbit, target: bytes) -> dict[int, tuple[int, int]]:
        """Map each label of an orbit to the solved label and the orientation where a target has it.

        Raises UsageError if alike pieces of the target are not where other alike pieces are solved.
        """
        found: dict[int, set[tuple[int, int]]] = {}
        shown = zip(
            self.labels(target, orbit), orbit.solved, self.orientations(target, orbit), strict=True
        )
        for label, solved, turn in shown:
            found.setdefault(label, set()).add((solved, turn))
        if any(len(each) > 1 for each in found.values()):
            raise UsageError(
                f"some {orbit.name} of {self.name} are alike, and in the goal state they are not "
                "together as in the solved state: give the goal by its stickers instead, on the "
                "command line with --goal stickers:..."
            )
        return {label: each.pop() for label, each in found.items()}

    @cached_property
    def _home(self) -> dict[int, dict[int, int]]:
        """For the start of each orbit in a state, the home byte of each label."""
        return {
            start: {label: start + i for i, label in enumerate(self.orbit(name).solved)}
            for name, start in self.offsets.items()
        }

    def invert(self, state: bytes) -> bytes:
        """Return the state whose solutions are the inverses of the solutions of `state`.

        The puzzle must be `invertible`.
        """
        return self.inverted(state) if self.states is None else self.states.inverse(state)

    def inverted(self, state: bytes) -> bytes:
        """Return what `invert` returns, for every puzzle, and without compiled code."""
        inverse = bytearray(state)
        for orbit, (start, home) in zip(self.orbits, self._home.items(), strict=True):
            size, turns = orbit.size, orbit.orientations
            for i, label in enumerate(orbit.solved, start):
                j = home[state[i]]
                inverse[j] = label
                if turns > 1:
                    inverse[j + size] = -state[i + size] % turns
        return bytes(inverse)


class _Commuting(dict[tuple[Move, Move], bool]):
    """See `Puzzle.commuting`."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle

    def __missing__(self, pair: tuple[Move, Move]) -> bool:
        guarded = self._puzzle.guarded
        if guarded is not None:
            self[pair] = guarded.commute(*pair)
        else:
            self[pair] = commute(*pair, self._puzzle.modulus)
        return self[pair]
