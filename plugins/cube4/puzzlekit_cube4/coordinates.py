"""Names and coordinates that both methods of the 4x4x4 share.

There are 24 places of wings: 12 low places and 12 high places. Each edge of the cube has one low
place and one high place. A dedge is the two wings of one edge of the solved cube. The turns U D F
B, R2 L2 and the wide half turns bring low places to low places. So if one wing of each dedge is at
a low place, this remains true after these moves. The other wings are then at the high places, and
the pairing is a permutation: it maps each low place to the high place of the other wing of the same
dedge. All dedges are paired if this permutation is the identity.
"""

from __future__ import annotations

from puzzlekit import Combination, Coordinate, Phase, Puzzle
from puzzlekit_cubes import PairSplit, Parity

# Lw, Dw and Bw have the effects of Rw', Uw' and Fw', except for the holding of the cube.
GATHERING = "R Rw L U Uw D F Fw B"
# Moves that keep the centers of two opposite colours on R and L.
SPLITTING = "R Rw L U D F B Uw2 Fw2"
# Moves that keep each center on its axis and the wings in their classes.
PAIRING = "R2 Rw2 L2 Uw2 Fw2 U D F B"

SPLIT_GOAL = (
    "each center on its axis, those of R and L so that half turns solve them, one wing of each "
    "dedge at a low place, no parity of wings or flips"
)


class CubeCoordinates:
    """The pieces of a 4x4x4 cube, and coordinates of these pieces."""

    def __init__(self, cube: Puzzle) -> None:
        self.cube = cube
        wings = cube.orbit("wings").places
        self.low, self.high = wings[:12], wings[12:]
        both = zip(self.low, self.high, strict=True)
        self.pairs = " ".join(f"{one} {other}" for one, other in both)

    def low_wings(self, without: str) -> str:
        """Return the low places of the edges that touch none of the faces in `without`."""
        return " ".join(wing for wing in self.low if not set(without) & set(wing[:2]))

    def centers(self, name: str, colours: str, faces: str = "") -> Combination:
        """Return the coordinate of the places of some centers on `faces` (default: all faces)."""
        places = self.cube.orbit("centers").places
        # One center names all centers of its colour.
        pieces = [next(place for place in places if place[0] == colour) for colour in colours]
        on = " ".join(place for place in places if place[0] in faces)
        return Combination(name, self.cube, "centers", " ".join(pieces), on)

    @property
    def gathered(self) -> Coordinate:
        """Return the coordinate of the places of R's and L's centers: 24 choose 8 values."""
        return self.centers("rl-faces", "RL")

    @property
    def gather(self) -> Phase:
        """Return the first phase of both methods."""
        return Phase(
            name="gather",
            goal="the centers of two opposite colours on R and L",
            moves=GATHERING,
            coordinates=(self.gathered,),
            tables=("rl-faces",),
        )

    @property
    def right_left(self) -> Coordinate:
        """Return the coordinate of R's centers among the places on R and L: 8 choose 4 values."""
        return self.centers("rl", "R", "RL")

    @property
    def front_back(self) -> Coordinate:
        """Return the coordinate of F's centers among the places on F and B: 70 values."""
        return self.centers("fb", "F", "FB")

    @property
    def up_down(self) -> Coordinate:
        """Return the coordinate of U's centers among the places on U and D: 70 values."""
        return self.centers("ud", "U", "UD")

    @property
    def split(self) -> tuple[Coordinate, Coordinate]:
        """Return the two coordinates that test the wings at the end of the phase `split`.

        Both are at a goal if one wing of each dedge is at a low place, the number of exchanged
        dedges is even, and the permutation of the wings is even. The search tests them last, after
        all other coordinates have reached a goal. One in 2,640 states then passes.
        """
        return (
            PairSplit("split", self.cube, "wings", self.pairs),
            Parity("wing-parity", self.cube, "wings"),
        )

    @property
    def parity(self) -> Parity:
        """Return the sum of the parities of corners and dedges, which is even for a 3x3x3."""
        dedges = Parity("dedges", self.cube, "wings", pairs=self.pairs)
        return Parity("parity", self.cube, "corners", plus=dedges)
