"""Positions of a puzzle: read, written and drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from puzzlekit.errors import UsageError, check_text
from puzzlekit.puzzle.diagnose import check
from puzzlekit.puzzle.move import Given, Move, move_names
from puzzlekit.puzzle.position import Position, read_position_with_scheme
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.services import links, renderer, repairs

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.puzzle.groups import StabiliserLevels
    from puzzlekit.puzzle.services import Painted

__all__ = ["Positions"]


class Positions:
    """Reads, writes and draws the positions of a puzzle: `Solver.positions`.

    A puzzle from a file may have positions of a subclass, which also knows their format in the file
    and which of them moves reach.

    >>> import puzzlekit
    >>> from puzzlekit.search.positions import Positions
    >>> positions = Positions(puzzlekit.load("cube2").puzzle)
    >>> positions.to_facelets(positions.scrambled("R2"))
    'UDUDRRRRFBFBDUDULLLLFBFB'
    """

    #: Name of the format in which `written` writes states and `from_written` reads them, if the
    #: puzzle comes from a definition file. Empty for other puzzles.
    state_format = ""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle

    def read_position(
        self, text: str, scheme: str | None = None, order: str | None = None
    ) -> Position:
        """Return the state that a scramble or stickers describe, and the face of each symbol.

        `scheme` and `order` explain the stickers, as in `from_facelets`.
        Raises a NotationError if the text cannot be read. Raises a StateError if the puzzle cannot
        be in the state.
        """
        return read_position_with_scheme(self.puzzle, text, scheme, order)

    def written(self, state: bytes) -> str:
        """Return a state in the format of the puzzle's definition file; empty without a file."""
        return ""

    def from_written(self, text: str, source: str = "state") -> bytes:
        """Return the state that a text describes in the format of the puzzle's definition file.

        `source` is the name of the text in error messages. Raises a DefinitionError if the text
        cannot be read, a StateError that names every fault if the puzzle cannot be in the state,
        and a UsageError if the puzzle comes from no such file.
        """
        raise UsageError(f"{self.puzzle.name} does not come from a definition file")

    def state(self, position: Given) -> bytes:
        """Return the state that a position describes.

        A position is a string (a scramble or stickers), a list of moves, or a state (bytes).
        Raises a UsageError for any other type, a NotationError if the string or the moves cannot
        be read, and a StateError if the puzzle cannot be in the state.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2")
        >>> cube.state(["R", "U2"]) == cube.state("R U2") == cube.state(cube.net("R U2"))
        True
        >>> cube.state(42)
        Traceback (most recent call last):
        puzzlekit.errors.UsageError: a position is a string, bytes or a list of moves, not int
        """
        if isinstance(position, str):
            return self.read_position(position).state
        if isinstance(position, (bytes, bytearray, memoryview)):
            state = bytes(position)
            check(self.puzzle, state)
            return state
        return self.scrambled(position)

    def scrambled(self, scramble: str | Iterable[str | Move]) -> bytes:
        """Return the state after a scramble of the solved puzzle.

        The scramble is a string or a list of moves.
        """
        moves = scramble if isinstance(scramble, str) else move_names(scramble)
        if moves is None:
            kind = type(scramble).__name__
            raise UsageError(f"a position is a string, bytes or a list of moves, not {kind}")
        return self.puzzle.apply(self.puzzle.solved, self.puzzle.moves(moves))

    def net(self, position: Given, *, coloured: bool = False) -> str:
        """Return the net or the grid of a position as text; empty if the puzzle has neither.

        `coloured` adds escape sequences for terminals with 256 colours.

        >>> import puzzlekit
        >>> print(puzzlekit.load("eight").net("L U"))
          1 2 3
          4 0 6
          7 5 8
        """
        from puzzlekit.puzzle.net import draw_net

        return draw_net(self.puzzle, self.state(position), coloured)

    def svg(
        self,
        position: Given,
        picture: str = "net",
        *,
        only: str | Iterable[int] = "",
        grey: str | Iterable[int] = "",
    ) -> str:
        """Return a position as SVG, which notebooks display.

        Parameters
        ----------
        position
            A scramble, stickers, moves or a state, as in `state`.
        picture
            "net", or the name of a picture that the plugin declares. Cubes have "solid" and "top".
        only
            The stickers that keep their colour: words such as "layer:U", or numbers of facelets.
            Default: all stickers.
        grey
            The stickers that become grey, in the form of `only`. Default: none.

        Raises
        ------
        UsageError
            If the puzzle has no such picture or no such stickers, or no plugin draws pictures.

        Examples
        --------
        >>> import puzzlekit
        >>> text = puzzlekit.load("cube3").svg("R U R' U'", "solid", only="layer:U")
        >>> text.startswith("<svg xmlns=")
        True
        """
        state = self.state(position)
        return renderer().draw(self.puzzle, state, picture, only=only, grey=grey)

    def links(self, scramble: str, solution: str = "") -> dict[str, str]:
        """Return a mapping from sites to web addresses that show a scramble and play a solution.

        The sites are Twizzle and alg.cubing.net. Raises a UsageError if neither site knows the
        puzzle.

        >>> import puzzlekit
        >>> puzzlekit.load("skewb").positions.links("R U", "U' R'")
        {'twizzle': 'https://alpha.twizzle.net/edit/?puzzle=skewb&setup-alg=R+U&alg=U%27+R%27'}
        """
        return links(self.puzzle, self.puzzle.moves(scramble), self.puzzle.moves(solution))

    def from_facelets(
        self, text: str, scheme: str | None = None, order: str | None = None
    ) -> bytes:
        """Return the state with these stickers.

        Stickers are face letters, colour letters or any other symbols, or a printed net of them.
        `scheme` is the name of a colour scheme, or the symbols in the order of the faces. By
        default the scheme is derived from the stickers. `order` is the order of the stickers:
        "faces" (face by face), "net" (row by row, as in the net), or the letters of the faces in
        another order. By default it is "net" if only this order gives a possible state, else
        "faces". Raises a StateError that names every fault.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2")
        >>> cube.positions.from_facelets(cube.net("R U")) == cube.state("R U")
        True
        """
        from puzzlekit.puzzle.sticker_reading import read_facelets

        return read_facelets(self.puzzle, text, scheme, order)

    def inspect(self, stickers: str, scheme: str | None = None) -> Painted:
        """Return the faults of stickers and their repairs.

        Some stickers may be unpainted ("?"). Symbols and `scheme` are as in `from_facelets`.

        >>> import puzzlekit
        >>> cube = puzzlekit.load("cube2")
        >>> [str(fault) for fault in cube.positions.inspect("UUUU?R??????????????????").faults]
        []
        >>> painting = cube.positions.inspect("UUUURRRRFFFFDDDDLLLLBBBD")
        >>> painting.faults[-2].facelets, painting.repairs[0].words
        ((14, 18, 23), 'sticker B4: B in place of D')
        """
        check_text(stickers, "a state by its stickers")
        return repairs().inspect(self.puzzle, stickers, scheme)

    def to_facelets(self, state: bytes) -> str:
        """Return the stickers of a state as face letters."""
        from puzzlekit.puzzle.net import facelets

        return facelets(self.puzzle, state)

    def from_vectors(self, text: str) -> bytes:
        """Return the state with these vectors, such as "cp 0 1 ... co 0 0 ...".

        Raises a StateError that names every fault.
        """
        from puzzlekit.puzzle.position import parse_vectors

        return parse_vectors(self.puzzle, text)

    def to_vectors(self, state: bytes) -> dict[str, list[int]]:
        """Return the vectors of a state, by name."""
        from puzzlekit.puzzle.position import format_vectors

        self.puzzle.apply(state, ())  # tests the number of bytes
        return format_vectors(self.puzzle, state)

    def random_state(self, seed: int | Random | None = None) -> bytes:
        """Return a random reachable state.

        All reachable states are equally likely. The same seed gives the same state. Pass a `Random`
        instead of a seed to draw several states in a row.
        """
        from random import Random

        from puzzlekit.puzzle.random_states import random_state

        return random_state(self.puzzle, seed if isinstance(seed, Random) else Random(seed))

    @property
    def draws_evenly(self) -> bool:
        """Whether `random_state` draws all reachable states equally likely."""
        return True

    @property
    def decides_reach(self) -> bool:
        """Whether moves reach exactly the states that satisfy the constraints of the puzzle."""
        return True

    def stabiliser_levels(self) -> StabiliserLevels | None:
        """Return a chain of stabilisers of the group of the moves; None if it is not known.

        It is known for some puzzles from definitions.
        """
        return None
