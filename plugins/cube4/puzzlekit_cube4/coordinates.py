"""Names and coordinates that both methods of the 4x4x4 share.

The 24 places of wings form two classes of 12, low and high. Each edge has one place of each
class (see `puzzlekit_cubes`). The turns U D F B, R2 L2 and the wide half turns keep the classes.
Suppose one wing of each dedge is at a low place. These moves keep this property, and the places of
the other wings form a permutation. The dedges are paired if this permutation is the identity.
"""

from __future__ import annotations

from puzzlekit import Combination, Coordinate, PairSplit, Parity, Phase, Puzzle

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
        """Return the low wings of the edges that touch none of the given faces."""
        return " ".join(wing for wing in self.low if not set(without) & set(wing[:2]))

    def centers(self, name: str, colours: str, faces: str = "") -> Combination:
        """Return the places of the centers of some colours, on some faces (default: all)."""
        places = self.cube.orbit("centers").places
        # One center names all centers of its colour.
        pieces = [next(place for place in places if place[0] == colour) for colour in colours]
        on = " ".join(place for place in places if place[0] in faces)
        return Combination(name, self.cube, "centers", " ".join(pieces), on)

    @property
    def gathered(self) -> Coordinate:
        """Return the places of the centers of two opposite colours: 24 choose 8."""
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
        """Return the places of the centers of R among the centers on R and L: 8 choose 4."""
        return self.centers("rl", "R", "RL")

    @property
    def front_back(self) -> Coordinate:
        """Return the places of the centers of F among the centers on F and B."""
        return self.centers("fb", "F", "FB")

    @property
    def up_down(self) -> Coordinate:
        """Return the places of the centers of U among the centers on U and D."""
        return self.centers("ud", "U", "UD")

    @property
    def split(self) -> tuple[Coordinate, Coordinate]:
        """One wing of each dedge at a low place, and no parity of flips or wings.

        The search tests these two coordinates last, after all other coordinates have reached a
        goal. One in 2,640 states then passes the test.
        """
        return (
            PairSplit("split", self.cube, "wings", self.pairs),
            Parity("wing-parity", self.cube, "wings"),
        )

    @property
    def parity(self) -> Parity:
        """Return the parity of corners and dedges together. A 3x3x3 cube has an even parity."""
        dedges = Parity("dedges", self.cube, "wings", pairs=self.pairs)
        return Parity("parity", self.cube, "corners", plus=dedges)
