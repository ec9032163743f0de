"""Definitions whose moves are permutations of stickers, without any word about pieces.

The pieces follow from the moves. Two stickers belong to one piece if the place of one always
determines the place of the other. The stickers of a piece then form a cycle, and turning the piece
turns this cycle. A sticker that is alone, or whose piece turns in another way, is a piece of its
own with one orientation.

A permutation p describes a move. The sticker that arrives at place i comes from place p[i].
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from string import ascii_uppercase
from typing import Any

import attrs

from puzzlekit import Move, NotationError, Puzzle, StateError
from puzzlekit.errors import DefinitionError
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit.puzzle.move import Effect
from puzzlekit.puzzle.notation import MAX_DIGITS
from puzzlekit_definitions.definition import (
    MAX_DEFINED,
    MAX_NAME,
    MAX_ORIENTATIONS,
    MAX_PLACES,
    Change,
    DefinedMove,
    Definition,
    Numbers,
    Pattern,
    Set,
    checked_set,
    repeated,
)
from puzzlekit_definitions.moves import is_rotation, shortest_sums

_MOST_IMAGES = 50_000_000  # numbers of a table of images
_NAMED = re.compile(rf"[0-9]{{0,{MAX_DIGITS}}}[A-Za-z_]+")
_INVERSE_MARKS = ("-", "'", "_inv", "^-1")

# For each place and each orientation, the stickers: one of each orbit of stickers.
Places = tuple[tuple[tuple[int, ...], ...], ...]


@attrs.frozen(slots=False, eq=False)
class StickerPieces:
    """The pieces to which stickers belong.

    - `colours`: the colour of each sticker in the solved state.
    - `places`: for each set of pieces the stickers of each place.
    - `names`: for each sticker its place in a file that lists pieces. Default: the file lists
      stickers.
    """

    colours: tuple[str, ...]
    places: Mapping[str, Places]
    names: tuple[str, ...] = ()

    @property
    def sets(self) -> Iterator[Set]:
        """The sets of pieces."""
        for name, places in self.places.items():
            named = tuple(map(self._named, places)) if self.names else ()
            yield Set(name, len(places), len(places[0]), named)

    def _named(self, place: Sequence[Sequence[int]]) -> str:
        """Return the numbers of the places of the file that are joined, such as 1_5."""
        owners = dict.fromkeys(self.names[sticker] for each in place for sticker in each)
        return "_".join(owner.split()[-1] for owner in owners)

    @cached_property
    def _normal(self) -> dict[str, list[tuple[Any, int, int]]]:
        """For each set and place its colours in the solved state, as `_normal` returns them."""
        return {
            name: [_solved(place, self.colours) for place in places]
            for name, places in self.places.items()
        }

    @cached_property
    def _labels(self) -> dict[str, dict[Any, int]]:
        """For each set, the number of the piece with some colours: the first place it has."""
        return {name: _first_places(normal) for name, normal in self._normal.items()}

    @cached_property
    def _at(self) -> dict[str, dict[int, tuple[int, int]]]:
        """For each set the place of each first sticker of a piece, and its turn there."""
        return {
            name: {
                each[0]: (i, t) for i, place in enumerate(places) for t, each in enumerate(place)
            }
            for name, places in self.places.items()
        }

    @property
    def solved(self) -> dict[str, Pattern]:
        """The solved state of each set."""
        return {
            name: Pattern(
                tuple(self._labels[name][shown] for shown, _, _ in normal),
                tuple(turn for _, turn, _ in normal),
                tuple(modulus for _, _, modulus in normal),
            )
            for name, normal in self._normal.items()
        }

    def changes(self, permutation: Sequence[int]) -> dict[str, Change]:
        """Return what a permutation of the stickers changes in each set."""
        found = {}
        for name, places in self.places.items():
            at = self._at[name]
            arrivals = [at[permutation[place[0][0]]] for place in places]
            if any((i, 0) != arrival for i, arrival in enumerate(arrivals)):
                turns = tuple(-t % len(places[0]) for _, t in arrivals)
                found[name] = Change(tuple(i for i, _ in arrivals), turns)
        return found

    def patterns(self, colours: Sequence[str]) -> dict[str, Pattern]:
        """Return the state that shows these colours.

        Raise a StateError if stickers show no piece of the puzzle.
        """
        found = {}
        faults = []
        seen: set[int] = set()
        for name, places in self.places.items():
            known = self._labels[name]
            pieces, turns, moduli = [], [], []
            for place in places:
                shown, turn, modulus = _normal([[colours[s] for s in each] for each in place])
                seen.update(sticker for each in place for sticker in each)
                if shown not in known:
                    faults.append(self._unknown([s for each in place for s in each]))
                pieces.append(known.get(shown, 0))
                turns.append(turn)
                moduli.append(modulus)
            found[name] = Pattern(tuple(pieces), tuple(turns), tuple(moduli))
        for sticker, colour in enumerate(self.colours):
            if sticker not in seen and colours[sticker] != colour:
                own = f"sticker {sticker} has another colour"
                if self.names:
                    own = f"the piece at {self.names[sticker]} is another one"
                faults.append(f"{own}, but no move changes it")
        if faults:
            raise StateError(faults)
        return found

    def _unknown(self, stickers: Sequence[int]) -> str:
        if self.names:
            named = dict.fromkeys(self.names[sticker] for sticker in stickers)
            return f"the pieces at {', '.join(named)} do not belong together"
        return f"stickers {', '.join(map(str, stickers))} show no piece of the puzzle"

    def shown(self, numbers: Numbers) -> list[str]:
        """Return the colours of the stickers in a state."""
        found = list(self.colours)
        for name, places in self.places.items():
            for place, piece, turn in zip(places, *numbers[name], strict=True):
                shown, _, _ = self._normal[name][piece]
                for t, colours in enumerate(shown):
                    stickers = place[(t + turn) % len(place)]
                    for sticker, colour in zip(stickers, colours, strict=True):
                        found[sticker] = colour
        return found


@attrs.frozen
class PermutationDefinition(Definition):
    """A definition that was made from permutations of stickers.

    `pieces` says which stickers belong together. `spellings` maps the names of the file to names in
    the notation of puzzlekit.
    """

    pieces: StickerPieces = attrs.field(factory=lambda: StickerPieces((), {}))
    spellings: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def has_orientations(self) -> bool:
        """False: the orientations are chosen when the puzzle is built."""
        return False

    def patterns(self, colours: Sequence[str], source: str) -> dict[str, Pattern]:
        """Return the state that shows these colours.

        Raise a DefinitionError if the number of colours is wrong, and a StateError if stickers show
        no piece of the puzzle.
        """
        expected = len(self.pieces.colours)
        if len(colours) != expected:
            problem = f"expected the colours of {expected} stickers, found {len(colours)}"
            raise DefinitionError(problem, source)
        return self.pieces.patterns(colours)

    def path(self, puzzle: Puzzle, moves: Sequence[Move]) -> list[str]:
        """Return moves as names of the file, as few as possible for each move.

        An inverse that the file does not name is written with a minus sign.
        """
        names: dict[Effect, str] = {}
        for name, spelling in self.spellings.items():
            with suppress(NotationError):  # the move has no effect
                for meant in puzzle.notation.parse(spelling):
                    names.setdefault(puzzle.move(*meant).effect, name)
        found = []
        for move in moves:
            powers = puzzle.family_moves([move.family])
            own = {each.amount: names[each.effect] for each in powers if each.effect in names}
            for amount in shortest_sums(move.order, tuple(own))[move.amount]:
                named = own.get(amount % move.order)
                found.append(named or f"-{own[-amount % move.order]}")
        return found


def _first_places(solved: Sequence[tuple[Any, int, int]]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for place, (shown, _, _) in enumerate(solved):
        found.setdefault(shown, place)
    return found


def _solved(place: Sequence[Sequence[int]], colours: Sequence[str]) -> tuple[Any, int, int]:
    return _normal([[colours[sticker] for sticker in each] for each in place])


def _normal(shown: Sequence[Sequence[str]]) -> tuple[tuple[tuple[str, ...], ...], int, int]:
    """Return the colours of a piece in a normal order, its orientation, and the modulus of it."""
    listed = [tuple(each) for each in shown]
    turned = [(*listed[k:], *listed[:k]) for k in range(len(listed))]
    best = min(turned)
    first = turned.index(best)
    later = [k for k in range(1, len(turned)) if turned[(first + k) % len(turned)] == best]
    return best, first, later[0] if later else len(listed)


def permutation_definition(
    source: str, name: str, moves: Mapping[str, Sequence[int]], solved: Sequence[str] | None = None
) -> PermutationDefinition:
    """Return the definition of a puzzle whose moves permute stickers.

    Parameters
    ----------
    source
        The name of the file, for errors.
    name
        The name of the puzzle.
    moves
        The permutation of each move, of 0 to n - 1. A move whose name has a mark of an inverse,
        such as `-R`, must be the inverse of the move without the mark, if there is such a move.
    solved
        The colour of each sticker in the solved state. Default: all stickers differ.
    """
    if not moves:
        raise DefinitionError("there is no move", source)
    if len(moves) > MAX_DEFINED:
        raise DefinitionError(f"a definition has at most {MAX_DEFINED} moves", source)
    count = len(next(iter(moves.values())))
    if not 0 < count <= MAX_PLACES:
        raise DefinitionError(f"expected 1 to {MAX_PLACES:,} stickers, found {count:,}", source)
    for move, permutation in moves.items():
        if not (move.isprintable() and len(move) <= MAX_NAME):
            shown = "".join(char if char.isprintable() else "?" for char in move[:20])
            problem = f"the name of a move has up to {MAX_NAME} printable characters, not {shown!r}"
            raise DefinitionError(problem, source)
        if len(permutation) != count or sorted(permutation) != list(range(count)):
            twice = repeated(permutation)
            problem = f"expected each number from 0 to {count - 1} once"
            if twice is not None:
                problem += f"; {permutation[twice]} is there twice"
            raise DefinitionError(problem, source, f"move {move}")
    colours = tuple(map(str, range(count))) if solved is None else tuple(solved)
    if len(colours) != count:
        problem = f"the moves permute {count} stickers, but the solved state has {len(colours)}"
        raise DefinitionError(problem, source)
    kept, spellings = _spelt(moves, source)
    found = pieces_of(list(kept.values()), count, source)
    names = [f"PIECE{number}" for number in range(len(found))]
    pieces = StickerPieces(colours, dict(zip(names, found, strict=True)))
    sets: list[Set] = []
    for of in pieces.sets:
        sets.append(checked_set(sets, of, source, ""))
    if not sets:
        raise DefinitionError("no move has an effect", source)
    changes = {move: pieces.changes(permutation) for move, permutation in kept.items()}
    listed = tuple(DefinedMove(spellings[move], changes[move], f"move {move}") for move in kept)
    return PermutationDefinition(
        source,
        name,
        0,
        tuple(sets),
        pieces.solved,
        listed,
        by_turns=True,
        notes=tuple(f"{move} is called {new}" for move, new in spellings.items() if move != new),
        pieces=pieces,
        spellings=spellings,
    )


def _spelt(
    moves: Mapping[str, Sequence[int]], source: str
) -> tuple[dict[str, Sequence[int]], dict[str, str]]:
    """Return the moves without inverses of others, and the spelling of each move.

    Digits at the end of a name go to the front (f12 becomes 12f), because they would look like an
    amount. If names cannot be spelt so, all moves are named by letters.
    """
    bases = {move: _base(move) for move in moves}
    kept = {}
    inverse: dict[str, str] = {}
    for move, permutation in moves.items():
        base = bases[move]
        if base == move or base not in moves:
            kept[move] = permutation
            continue
        if any(permutation[j] != i for i, j in enumerate(moves[base])):
            problem = f"{move} is not the inverse of {base}, but its name says so: rename the move"
            raise DefinitionError(problem, source, f"move {move}")
        inverse[move] = base
    names = {}
    for move in kept:
        stem = bases[move].rstrip("0123456789")
        names[move] = bases[move][len(stem) :] + stem
        names[move] += "_" * is_rotation(names[move])
    if len(set(names.values())) < len(names) or not all(map(_NAMED.fullmatch, names.values())):
        names = {move: _lettered(number) for number, move in enumerate(kept)}
    return kept, names | {move: f"{names[base]}'" for move, base in inverse.items()}


def _base(move: str) -> str:
    """Return the name of a move without the mark of an inverse.

    >>> [_base(name) for name in ("-f0", "U'", "L_inv", "R")]
    ['f0', 'U', 'L', 'R']
    """
    for mark in _INVERSE_MARKS:
        bare = move.removeprefix(mark) if mark == "-" else move.removesuffix(mark)
        if bare and bare != move:
            return bare
    return move


def _lettered(number: int) -> str:
    """Return A, B, ..., Z, AA, AB and so on."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        name = ascii_uppercase[digit] + name
    return name


def pieces_of(moves: Sequence[Sequence[int]], count: int, source: str) -> list[Places]:
    """Return the places of each kind of piece that moves change, with their stickers."""
    import numpy as np

    images = np.empty((len(moves), count), dtype=np.int32)
    for image, permutation in zip(images, moves, strict=True):
        image[np.asarray(permutation)] = np.arange(count)
    orbits = [orbit for orbit in orbits_of(count, moves) if len(orbit) > 1]
    size = {sticker: len(orbit) for orbit in orbits for sticker in orbit}
    orbit_of = {sticker: number for number, orbit in enumerate(orbits) for sticker in orbit}
    done: set[int] = set()
    found: list[Places] = []
    for number, orbit in enumerate(orbits):
        if number in done:
            continue
        near = [s for s in range(count) if size.get(s) == len(orbit) and orbit_of[s] not in done]
        if len(near) * len(orbit) > _MOST_IMAGES:
            problem = f"{len(orbit):,} stickers trade places, too many to find the pieces"
            raise DefinitionError(problem, source)
        carried, followers = _followers(images, orbit, np.array(near))
        own = [s for s in followers if orbit_of[s] == number]
        cycle = _cycle(carried, orbit[0], own)
        if cycle is None:
            found.append(tuple(((sticker,),) for sticker in orbit))
            done.add(number)
            continue
        firsts = {orbit_of[s]: s for s in reversed(followers)} | {number: orbit[0]}
        lines = [[orbit[0]], *([s] for n, s in firsts.items() if n != number)]
        for line in lines:
            for _ in cycle[1:]:
                line.append(carried[cycle[1]][line[-1]])
        done.update(firsts)
        left = dict.fromkeys(orbit)
        places: list[tuple[tuple[int, ...], ...]] = []
        while left:
            to = carried[next(iter(left))]
            places.append(tuple(tuple(to[s] for s in each) for each in zip(*lines, strict=True)))
            for each in places[-1]:
                del left[each[0]]
        found.append(tuple(places))
    return found


def _followers(
    images: Any, orbit: Sequence[int], near: Any
) -> tuple[dict[int, dict[int, int]], list[int]]:
    """Return the stickers among `near` whose place the place of the first sticker determines.

    The first result says for each sticker p of the orbit where these stickers are when the first
    sticker is at p.
    """
    import numpy as np

    rows = {orbit[0]: 0}
    carried = np.empty((len(orbit), len(near)), dtype=np.int32)
    carried[0] = near
    fresh = [orbit[0]]
    for sticker in fresh:  # grows during the loop
        for image in images:
            to = int(image[sticker])
            if to not in rows:
                rows[to] = len(fresh)
                carried[len(fresh)] = image[carried[rows[sticker]]]
                fresh.append(to)
    for image in images:
        after = [rows[int(to)] for to in image[fresh]]
        same = (image[carried] == carried[after]).all(axis=0)
        carried = carried[:, same]
    followers = [int(s) for s in carried[0]]
    return {
        sticker: dict(zip(followers, map(int, carried[row]), strict=True))
        for sticker, row in rows.items()
    }, followers


def _cycle(
    carried: Mapping[int, Mapping[int, int]], first: int, own: Sequence[int]
) -> list[int] | None:
    """Return the stickers of a piece in the order of a turn; None if no turn reaches all."""
    if len(own) > MAX_ORIENTATIONS:
        return None
    for second in own[1:] or own:
        cycle = [first]
        while len(cycle) < len(own):
            cycle.append(carried[second][cycle[-1]])
        if len(set(cycle)) == len(own):
            return cycle
    return None


def read_colours(text: str, source: str, definition: Definition) -> Mapping[str, Pattern]:
    """Read a state: the colours of all stickers, as a JSON array or between separators.

    Blanks, commas and semicolons are separators.
    """
    assert isinstance(definition, PermutationDefinition)
    if text.strip().startswith("["):
        try:
            listed = json.loads(text)
        except (ValueError, RecursionError):
            raise DefinitionError("this is not an array in JSON", source) from None
        return definition.patterns([str(each) for each in listed], source)
    return definition.patterns(re.split(r"[\s,;]+", text.strip()), source)


def write_colours(definition: Definition, numbers: Numbers) -> str:
    """Return a state as the colours of all stickers, with commas between them."""
    assert isinstance(definition, PermutationDefinition)
    return ",".join(definition.pieces.shown(numbers))
