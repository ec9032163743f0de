"""Names and coordinates that both methods of the 4x4x4 share.

The 24 places of wings fall into two classes of 12, low and high, one of each edge in either (see
`puzzlekit_cubes`). The turns U D F B, R2 L2 and the wide half turns keep the classes. Once one wing
of each dedge is at a low place, such moves leave it so, and where the partner of each wing at a low
place sits is a permutation that only has to be made the identity.
"""

from __future__ import annotations

from puzzlekit import Combination, Coordinate, PairSplit, Parity, Phase, Puzzle

# Lw, Dw and Bw do what Rw', Uw' and Fw' do, except for how the cube is held afterwards.
GATHERING = "R Rw L U Uw D F Fw B"
# What keeps the centers of two opposite colours on R and L.
SPLITTING = "R Rw L U D F B Uw2 Fw2"
# What keeps each center on its axis and wings in their classes.
PAIRING = "R2 Rw2 L2 Uw2 Fw2 U D F B"

SPLIT_GOAL = (
    "each center on its axis, those of R and L so that half turns solve them, one wing of each "
    "dedge at a low place, no parity of wings or flips"
)


class CubeCoordinates:
    """The pieces of a 4x4x4 cube, and the coordinates over them."""

    def __init__(self, cube: Puzzle) -> None:
        self.cube = cube
        wings = cube.orbit("wings").places
        self.low, self.high = wings[:12], wings[12:]
        both = zip(self.low, self.high, strict=True)
        self.pairs = " ".join(f"{one} {other}" for one, other in both)

    def low_wings(self, without: str) -> str:
        """The low wings of the edges that touch none of some faces."""
        return " ".join(wing for wing in self.low if not set(without) & set(wing[:2]))

    def centers(self, name: str, colours: str, faces: str = "") -> Combination:
        """Where the centers of some colours are, on some faces (on all of them without)."""
        places = self.cube.orbit("centers").places
        # One center stands for all of its colour.
        pieces = [next(place for place in places if place[0] == colour) for colour in colours]
        on = " ".join(place for place in places if place[0] in faces)
        return Combination(name, self.cube, "centers", " ".join(pieces), on)

    @property
    def gathered(self) -> Coordinate:
        """Where the centers of two opposite colours are: 24 choose 8."""
        return self.centers("rl-faces", "RL")

    @property
    def gather(self) -> Phase:
        """The first phase of both methods."""
        return Phase(
            name="gather",
            goal="the centers of two opposite colours on R and L",
            moves=GATHERING,
            coordinates=(self.gathered,),
            tables=("rl-faces",),
        )

    @property
    def right_left(self) -> Coordinate:
        """Which centers on R and L are those of R: 8 choose 4."""
        return self.centers("rl", "R", "RL")

    @property
    def front_back(self) -> Coordinate:
        """Which centers on F and B are those of F."""
        return self.centers("fb", "F", "FB")

    @property
    def up_down(self) -> Coordinate:
        """Which centers on U and D are those of U."""
        return self.centers("ud", "U", "UD")

    @property
    def split(self) -> tuple[Coordinate, Coordinate]:
        """One wing of each dedge at a low place, and no parity of flips or wings.

        Only to be looked at where all else is at a goal: one in 2,640 passes.
        """
        return (
            PairSplit("split", self.cube, "wings", self.pairs),
            Parity("wing-parity", self.cube, "wings"),
        )

    @property
    def parity(self) -> Parity:
        """That of corners and dedges together: odd is what a 3x3x3 cannot show."""
        dedges = Parity("dedges", self.cube, "wings", pairs=self.pairs)
        return Parity("parity", self.cube, "corners", plus=dedges)
