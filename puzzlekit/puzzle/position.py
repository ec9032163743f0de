"""Positions as people write them: moves, stickers, vectors, names of pieces."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit.errors import DeclarationError, NotationError, StateError, UsageError, check_text
from puzzlekit.puzzle.diagnose import check
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.net import is_grid
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.services import find_service, missing
from puzzlekit.puzzle.stickers import appearance, is_plain, net_in

if TYPE_CHECKING:
    from puzzlekit.puzzle.notation import Parentheses
    from puzzlekit.puzzle.services import Pasted, TextReader

__all__ = [
    "Position",
    "changed_pieces",
    "find_place",
    "format_vectors",
    "named_pieces",
    "parse_vectors",
    "read_moves",
    "read_position_with_scheme",
    "stickers_in",
]
_BETWEEN_FACES = str.maketrans("/|,;", "    ")
_LABEL_ENDS = ".:)"  # of a word in front of a state: "1." or "Scramble:"
_PASTED = re.compile(r"\w[:/]|^\s*\d+[.):;]", re.MULTILINE)  # "NISS:", "twizzle.net/", "1."
# Separators of names and numbers. They also allow JSON objects and Python dictionaries.
_SEPARATORS = str.maketrans("=:,;()[]{}\"'", " " * 12)


def find_place(puzzle: Puzzle, name: str) -> tuple[Orbit, int]:
    """Return the orbit and number of a named place; raise UsageError if there is none.

    The letters may be in any order. `orbit/name` selects the orbit.

    >>> import puzzlekit
    >>> orbit, place = find_place(puzzlekit.load("cube3").puzzle, "FUR")
    >>> orbit.name, orbit.places[place]
    ('corners', 'URF')
    """
    within, slash, short = name.rpartition("/")
    found = []
    for orbit in puzzle.orbits:
        if slash and orbit.name != within:
            continue
        try:
            found.append((orbit, orbit.place(short)))
        except DeclarationError:
            continue
    exact = [each for each in found if each[0].places[each[1]] == short]
    if len(found) > 1 and len(exact) == 1:
        found = exact
    if len(found) == 1:
        return found[0]
    if found:
        known = " and ".join(orbit.name for orbit, _ in found)
        raise UsageError(f"{short} is a place of {known}: write {found[0][0].name}/{short}")
    known = "; ".join(
        f"{orbit.name}: {' '.join(orbit.places[:3])} ..."
        if orbit.size > 3
        else f"{orbit.name}: {' '.join(orbit.places)}"
        for orbit in puzzle.orbits
    )
    raise UsageError(f"{puzzle.name} has no piece {name!r} (its pieces are {known})")


def named_pieces(puzzle: Puzzle, text: str) -> list[tuple[Orbit, int]]:
    """Return the pieces in a text. The name of an orbit means all its pieces.

    Spaces or commas separate the names.
    """
    found: list[tuple[Orbit, int]] = []
    orbits = {orbit.name: orbit for orbit in puzzle.orbits}
    for name in text.replace(",", " ").split():
        if name in orbits:
            found += [(orbits[name], place) for place in range(orbits[name].size)]
        else:
            found.append(find_place(puzzle, name))
    return list(dict.fromkeys(found))


def changed_pieces(puzzle: Puzzle, moves: Iterable[Move]) -> list[tuple[Orbit, int]]:
    """Return the pieces, by their home places, that some moves change on the solved puzzle."""
    found = []
    for move in moves:
        for orbit in puzzle.orbits if move.gather else ():
            start = puzzle.offsets[orbit.name]
            for home in range(orbit.size):
                turned = orbit.orientations > 1 and move.add[start + orbit.size + home]
                if turned or move.gather[start + home] != start + home:
                    found.append((orbit, home))
    return found


class Position(NamedTuple):
    """A state, and the face of each symbol if it was read from stickers.

    `symbols` is None if the state was read from moves.
    """

    state: bytes
    symbols: Mapping[str, str] | None = None


def read_position(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> bytes:
    """Return the state that a text describes by stickers, or by moves from the solved state.

    A text is read as stickers if it has one symbol for each sticker of the puzzle. Such a text has
    no brackets, and no number or prime mark after a letter. It is one word, or several words of at
    least two symbols each. A printed net is read as stickers, too (see
    `puzzlekit.puzzle.stickers.net_in`). If the puzzle has a `Grid`, a text of numbers is read
    as a state. All other text is read as moves. `state:` or `moves:` at the start of the text
    overrides these rules. The text may also be pasted: a numbered line, a line of a timer or a link
    (the service "texts" of plugins). `scheme` and `order` are as for `read_facelets`.

    A likely mistake gives a UserWarning. Raises NotationError if moves cannot be read, and
    StateError if the stickers show no possible state.
    """
    return read_position_with_scheme(puzzle, text, scheme, order).state


def read_position_with_scheme(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> Position:
    """Return the state as `read_position` does, and the face of each symbol of stickers."""
    check_text(text, "a position to be read")
    if scheme is None and order is None and (known := _face_letters(puzzle, text)) is not None:
        return known
    found = stickers_or_moves(puzzle, text)
    if isinstance(found, str):
        from puzzlekit.puzzle.sticker_reading import read_facelets_with_scheme

        try:
            return Position(*read_facelets_with_scheme(puzzle, found, scheme, order))
        except StateError:
            if ":" not in text and _reads_as_moves(puzzle, found):
                warnings.warn(
                    f"read as a state of {len(found)} stickers; if you meant moves, write 'moves:' "
                    "in front of them",
                    stacklevel=3,
                )
            raise
    state = puzzle.apply(puzzle.solved, found)
    groups, plain = _plain_groups(text)
    count = sum(map(len, groups))
    wanted = _sticker_count(puzzle)
    if plain and wanted * 3 < count * 4 < wanted * 5:
        warnings.warn(
            f"read as {count} moves; if you meant a state: it needs {wanted} stickers", stacklevel=3
        )
    return Position(state)


def _face_letters(puzzle: Puzzle, text: str) -> Position | None:
    """Return the state of stickers that are face letters in one word; None for any other text.

    The text is read in another way, too, which takes longer. It finds the same.
    """
    layout, states = puzzle.layout, puzzle.states
    colourless = puzzle.grid is not None or puzzle.writing is not None
    if layout is None or states is None or colourless or len(text) != len(layout.face_of):
        return None
    look = appearance(puzzle)
    state = look.state(text)
    return Position(state, look.symbols) if state and states.is_sound(state) else None


def read_moves(puzzle: Puzzle, text: str, parentheses: Parentheses = "groups") -> tuple[Move, ...]:
    """Return the moves in a text, which may be pasted.

    If the text is a link, the result has the moves after the setup. `parentheses` says what
    parentheses mean: see `Notation.parse`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [move.name for move in read_moves(cube, "Solution: R U2")]
    ['R', 'U2']
    >>> link = "https://alg.cubing.net/?setup=F_B&alg=U2_R-"
    >>> [move.name for move in read_moves(cube, link)]
    ['U2', "R'"]
    """
    try:
        return puzzle.moves(text, parentheses)
    except NotationError as error:
        pasted = _unwrapped(puzzle, text, "alg", error)
        return _pasted_moves(puzzle, pasted, text, parentheses)


def stickers_in(puzzle: Puzzle, text: str) -> str | None:
    """Return the stickers or numbers in a text.

    The result is None if `read_position` reads the text as moves.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> stickers_in(cube, "UUUU RRRR FFFF DDDD LLLL BBB? // half painted")
    'UUUURRRRFFFFDDDDLLLLBBB?'
    >>> stickers_in(cube, "R U F2")
    """
    try:
        found = stickers_or_moves(puzzle, text)
    except NotationError:
        return None
    return found if isinstance(found, str) else None


def stickers_or_moves(puzzle: Puzzle, text: str) -> str | tuple[Move, ...]:
    """Return the stickers or the moves in a text, which may be pasted."""
    stickers = _plain_stickers(puzzle, text)
    if stickers is not None:
        return stickers
    try:
        return puzzle.moves(text)
    except NotationError as error:
        pasted = _unwrapped(puzzle, text, "setup", error)
        if pasted.kind == "state":
            return _plain_stickers(puzzle, pasted.text) or _without_comment(pasted.text)
        stickers = None if pasted.kind else _plain_stickers(puzzle, pasted.text)
        return stickers or _pasted_moves(puzzle, pasted, text)


def _unwrapped(puzzle: Puzzle, text: str, wanted: str, error: NotationError) -> Pasted:
    """Return the inner part of a text that cannot be read.

    Raises `error` if the text has no such part, or no plugin looks for it.
    """
    if not error.column:
        raise error
    reader: TextReader | None = find_service("texts")
    if reader is None and _PASTED.search(text):
        gone = str(missing("readers of labels, lists and links come", "exports"))
        raise NotationError(
            error.problem,
            text=text,
            token=error.token,
            column=error.column,
            hint=f"{error.hint}; {gone}" if error.hint else gone,
        )
    pasted = None if reader is None else reader.unwrap(text, wanted)
    if pasted is None:
        raise error
    known_as = puzzle.layout.viewer if puzzle.layout else ""
    if pasted.puzzle and known_as and pasted.puzzle not in (known_as, puzzle.name):
        raise NotationError(
            f"the link is for the puzzle {pasted.puzzle}, not for {puzzle.name}",
            text=text,
            hint="choose that puzzle",
        )
    return pasted


def _pasted_moves(
    puzzle: Puzzle, pasted: Pasted, text: str, parentheses: Parentheses = "groups"
) -> tuple[Move, ...]:
    """Return the moves in pasted text. An error has the column in the whole text."""
    try:
        moves = puzzle.moves(pasted.text, "inverse" if pasted.kind == "inverse" else parentheses)
    except NotationError as error:
        raise pasted.retold(error, text) from None
    if pasted.undone is None:
        return moves
    return moves + puzzle.undo(_pasted_moves(puzzle, pasted.undone, text))


def _plain_stickers(puzzle: Puzzle, text: str) -> str | None:
    """Return the stickers or numbers of a text that looks like a state; None for other text."""
    bare = _without_comment(text)
    if puzzle.grid is not None and is_grid(bare) and bare.split()[0][-1] not in _LABEL_ENDS:
        return bare
    if puzzle.writing is not None:
        return bare if puzzle.writing.is_state(bare) else None
    if puzzle.layout is not None and (net := net_in(puzzle.layout, text)) is not None:
        return net
    for given in (bare, bare.translate(_BETWEEN_FACES)):
        groups, plain = _plain_groups(given)
        stickers = "".join(groups)
        if plain and len(stickers) == _sticker_count(puzzle):
            return stickers
    return None


def _sticker_count(puzzle: Puzzle) -> int:
    return len(puzzle.layout.face_of) if puzzle.layout else -1


def _plain_groups(text: str) -> tuple[list[str], bool]:
    """Return the words of a text, and whether they may be stickers.

    Stickers are one word, or several words of more than one symbol.
    """
    groups = _without_comment(text).split()
    plain = is_plain("".join(groups)) and (len(groups) == 1 or min(map(len, groups)) > 1)
    return groups, plain


def _reads_as_moves(puzzle: Puzzle, text: str) -> bool:
    try:
        puzzle.moves(text)
    except NotationError:
        return False
    return True


def _without_comment(text: str) -> str:
    """Return the text before a comment. A space precedes each comment."""
    for mark in (" #", "\t#", " //", "\t//"):
        text = text.partition(mark)[0]
    return text


def format_vectors(puzzle: Puzzle, state: bytes) -> dict[str, list[int]]:
    """Return the vectors of a state by name: the labels and orientations of each orbit.

    Orbits whose vectors have no names are left out.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> edges = Orbit("edges", "edge", "UF UR UB", orientations=2, vectors="ep eo")
    >>> format_vectors(Puzzle("ring", "three edges", (edges,), {}, ()), bytes([1, 0, 2, 0, 1, 1]))
    {'ep': [1, 0, 2], 'eo': [0, 1, 1]}
    """
    vectors = {}
    for orbit in puzzle.orbits:
        blocks = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
        for name, block in zip(_names(orbit), blocks, strict=False):
            vectors[name] = list(block)
    return vectors


def parse_vectors(puzzle: Puzzle, text: str) -> bytes:
    """Return the state that a text describes by named vectors.

    In the text, the numbers of a vector follow its name. White space, commas, semicolons, `=`,
    `:`, quotes and brackets are separators. An orbit is solved if its vectors have no names. A
    frame is solved if its vectors are not given.

    Raises a StateError that names every fault of the text. If the text has no fault, the error
    names every fault of the state. Raises a UsageError if the puzzle has no vectors.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> edges = Orbit("edges", "edge", "UF UR UB", orientations=2, vectors="ep eo")
    >>> ring = Puzzle("ring", "three edges", (edges,), {}, ())
    >>> parse_vectors(ring, "ep = [1, 0, 2]  eo: 0 1 1") == bytes([1, 0, 2, 0, 1, 1])
    True
    """
    check_text(text, "a state by its vectors")
    known = [name for orbit in puzzle.orbits for name in orbit.vectors]
    if not known:
        raise UsageError(f"{puzzle.name} has no vectors that could describe a state")
    given, faults = _split(text)
    faults += [
        f"unknown vector {name}: {puzzle.name} has {', '.join(known)}"
        for name in given
        if name not in known
    ]
    state = bytearray()
    for orbit in puzzle.orbits:
        if orbit.name in puzzle.frames and given.keys().isdisjoint(orbit.vectors):
            state += orbit.solved_bytes
        else:
            state += _read_orbit(orbit, given, faults)
    if not given and not faults:
        faults.append(f"no vectors are given: {puzzle.name} has {', '.join(known)}")
    if faults:
        raise StateError(faults)
    check(puzzle, bytes(state))
    return bytes(state)


def names_vectors(puzzle: Puzzle, text: str) -> bool:
    """Whether a text begins with the name of a vector of the puzzle."""
    words = text.translate(_SEPARATORS).split()
    return bool(words) and any(words[0] in orbit.vectors for orbit in puzzle.orbits)


def _names(orbit: Orbit) -> tuple[str, ...]:
    """Return the names of the vectors of an orbit: one for labels and one for orientations.

    The name for orientations is missing if the pieces of the orbit never turn.
    """
    return orbit.vectors[: orbit.width // orbit.size]


def _split(text: str) -> tuple[dict[str, list[int]], list[str]]:
    """Return the numbers after each name, and the faults of words that cannot be read."""
    given: dict[str, list[int]] = {}
    faults = []
    numbers: list[int] | None = None
    for word in text.translate(_SEPARATORS).split():
        if word.isidentifier():
            if word in given:
                faults.append(f"vector {word} is given twice")
            numbers = given.setdefault(word, [])
            numbers.clear()
            continue
        try:
            number = int(word)
        except ValueError:
            faults.append(f"{word!r} is neither the name of a vector nor a number")
            continue
        if numbers is None:
            faults.append(f"number {word} stands before the name of any vector")
        else:
            numbers.append(number)
    return given, faults


def _read_orbit(orbit: Orbit, given: dict[str, list[int]], faults: list[str]) -> bytes:
    """Return the bytes of an orbit, and add the faults of its vectors to `faults`."""
    block = bytearray(orbit.solved_bytes)
    allowed = [sorted(set(orbit.solved)), list(range(orbit.orientations))]
    for k, name in enumerate(_names(orbit)):
        if name not in given:
            faults.append(f"vector {name} is missing")
            continue
        numbers = given[name]
        if len(numbers) != orbit.size:
            faults.append(f"vector {name} has {len(numbers)} numbers instead of {orbit.size}")
        wrong = [
            f"vector {name}: {number} at position {i + 1} is not {_range(allowed[k])}"
            for i, number in enumerate(numbers)
            if number not in allowed[k]
        ]
        faults += wrong
        if not wrong and len(numbers) == orbit.size:
            block[k * orbit.size : (k + 1) * orbit.size] = bytes(numbers)
    return bytes(block)


def _range(numbers: list[int]) -> str:
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return "one of " + ", ".join(map(str, numbers))
