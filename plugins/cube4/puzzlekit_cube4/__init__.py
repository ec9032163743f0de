"""The 4x4x4 cube and a method of six phases.

The first four phases reduce it to a 3x3x3: centers solved, the two wings of each edge paired into a
dedge, and no parity left that a 3x3x3 cannot have. The last two are those of Kociemba's Two-Phase
algorithm, which the plugin of the 3x3x3 provides. The chain is that of Nyanyan's solver "Solvour",
in the manner of C. Tsai's 4x4x4 method.

The 24 places of wings fall into two classes of 12, low and high, one of each edge in either (see
`puzzlekit_cubes`). The turns U D F B, R2 L2 and the wide half turns keep the classes. Once one wing
of each dedge is at a low place (phase 1), such moves leave it so, and where the partner of each
wing at a low place sits is a permutation that only has to be made the identity (phases 2 and 3).
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from puzzlekit import (
    Alternative,
    Combination,
    Method,
    Pairing,
    PairSplit,
    Parity,
    Phase,
    PluginError,
    Product,
    PruningTable,
    Puzzle,
    PuzzleEntry,
    SymPairing,
    UsageError,
    View,
    hookimpl,
    load,
)
from puzzlekit_cubes import cube_puzzle

puzzlekit_api = 1

# Lw, Dw and Bw do what Rw', Uw' and Fw' do, but for how the cube is held afterwards.
GATHERING = "R Rw L U Uw D F Fw B"
SPLITTING = "R Rw L U D F B Uw2 Fw2"
PAIRING = "R2 Rw2 L2 Uw2 Fw2 U D F B"
REDUCING = "R2 Rw2 L2 F2 Fw2 B2 U D"


def puzzle() -> Puzzle:
    """The 4x4x4 cube, as held."""
    return cube_puzzle("cube4", 4)


def methods(cube: Puzzle) -> list[Method]:
    """The method `six-phase`."""
    return [
        Method(
            name="reduction",
            title="reduction",
            phases=(*beam(cube), *finish(cube, large=True)),
            chaining="beam",
            starts="y z",
            shares=(0.08, 0.25, 0.3),
            pooled=True,
            alternatives=(aside(cube),),
            metrics=("OBTM",),
        ),
        Method(
            name="six-phase",
            title="reduction to a 3x3x3 in four phases, and Two-Phase",
            phases=(*reduction(cube), *finish(cube)),
            choices=50,
            recolour=True,
            metrics=("OBTM",),  # turning inner slices is not among its moves
        )
    ]


def reduction(cube: Puzzle) -> list[Phase]:
    """The phases 0 to 3, after which the cube is a 3x3x3."""
    wings = cube.orbit("wings").places
    low, high = wings[:12], wings[12:]
    pairs = " ".join(f"{one} {other}" for one, other in zip(low, high, strict=True))
    middle = " ".join(place for place in low if not {"U", "D"} & set(place[:2]))
    outer = " ".join(place for place in low if {"U", "D"} & set(place[:2]))

    def faces(letters: str) -> str:
        """The centers of some faces; one center stands for all of its colour."""
        return " ".join(place for place in cube.orbit("centers").places if place[0] in letters)

    def colours(letters: str) -> str:
        return " ".join(faces(letter).split()[0] for letter in letters)

    right_left = Combination("rl", cube, "centers", colours("R"), faces("RL"))  # 8 choose 4
    front_back = Combination("fb", cube, "centers", colours("F"), faces("FB"))
    up_down = Combination("ud", cube, "centers", colours("U"), faces("UD"))
    # Where the two wings of each dedge sit, not telling them apart: 24 choose 2
    dedges = [
        Combination(f"{first}+{second}", cube, "wings", f"{first} {second}")
        for first, second in zip(low, high, strict=True)
    ]
    gather = Phase(
        name="gather",
        goal="the centers of two opposite colours on R and L",
        moves=GATHERING,
        # 24 choose 8
        coordinates=(Combination("rl-faces", cube, "centers", colours("RL")),),
        tables=("rl-faces",),
    )
    split = Phase(
        name="split",
        goal="each center on its axis, those of R and L so that half turns solve them, one wing "
        "of each dedge at a low place, no parity of wings or flips",
        moves=SPLITTING,
        goal_moves=PAIRING,
        coordinates=(
            Combination("fb-faces", cube, "centers", colours("FB"), faces("UDFB")),  # 16 choose 8
            right_left,
            *dedges,
            # Only looked at where all others are at a goal: one in four of these passes.
            PairSplit("split", cube, "wings", pairs),
            Parity("wing-parity", cube, "wings"),
        ),
        tables=(
            "fb-faces rl",
            *(
                f"{one.name} {other.name}"
                for one, other in zip(dedges[::2], dedges[1::2], strict=True)
            ),
        ),
    )
    pair = Phase(
        name="pair",
        goal="R, L, F and B centers in columns, the four dedges of the middle layers paired",
        moves=PAIRING,
        goal_moves=REDUCING,
        coordinates=(
            right_left,
            front_back,
            Pairing("middle", cube, "wings", pairs, at=middle),  # 12! / 8!
        ),
        tables=("rl fb", "middle rl", "middle fb"),
    )
    reduce = Phase(
        name="reduce",
        goal="centers solved, all dedges paired, no parity: a 3x3x3",
        moves=REDUCING,
        coordinates=(
            up_down,
            front_back,
            right_left,
            Pairing("pairing", cube, "wings", pairs, within=outer),  # 8!
            # That of corners and dedges together: odd is what a 3x3x3 cannot show.
            Parity(
                "parity",
                cube,
                "corners",
                plus=Parity("dedges", cube, "wings", pairs=pairs),
            ),
        ),
        tables=("pairing ud parity", "pairing fb parity", "pairing rl parity", "ud fb rl"),
    )
    return [gather, split, pair, reduce]


def beam(cube: Puzzle) -> list[Phase]:
    wings = cube.orbit("wings").places
    low, high = wings[:12], wings[12:]
    pairs = " ".join(f"{one} {other}" for one, other in zip(low, high, strict=True))
    gather, split, _, reduce = reduction(cube)
    head = " ".join(wing for wing in low if not {"R", "L"} & set(wing[:2]))
    def faces(letters: str) -> str:
        return " ".join(place for place in cube.orbit("centers").places if place[0] in letters)

    def colours(letters: str) -> str:
        return " ".join(faces(letter).split()[0] for letter in letters)
    rl = Combination("rl", cube, "centers", colours("R"), faces("RL"))
    fb = Combination("fb", cube, "centers", colours("F"), faces("FB"))
    ud = Combination("ud", cube, "centers", colours("U"), faces("UD"))
    parity = Parity("parity", cube, "corners", plus=Parity("dedges", cube, "wings", pairs=pairs))
    c = Phase(
        name="pair",
        goal="reduced",
        moves=PAIRING,
        goal_turns="x2 y2",
        coordinates=(
            Product("rl-parity", cube, "centers", (rl, parity)),
            ud,
            fb,
            SymPairing("pairing", cube, "wings", pairs, head, classes=1538, symmetries=8),
            parity,
        ),
        tables=(
            "rl-parity ud fb",
            PruningTable("pairing parity", bits=2, thresholds=(9, 10, 11)),
            PruningTable("pairing rl-parity ud fb", hashed=54_000_000, farthest={"OBTM": 8}),
        ),
    )
    b = Phase(name="split", goal=split.goal, moves=SPLITTING, goal_moves=PAIRING, goal_turns="x",
        coordinates=(split.coordinates[0], rl, *split.coordinates[-2:]),
        tables=("fb-faces rl",),
        endings=3,
    )
    return [gather, b, c]


def aside(cube):
    wings = cube.orbit("wings").places
    low, high = wings[:12], wings[12:]
    pairs = " ".join(f"{one} {other}" for one, other in zip(low, high, strict=True))
    gather, split, _, reduce = reduction(cube)
    def faces(letters: str) -> str:
        return " ".join(place for place in cube.orbit("centers").places if place[0] in letters)

    def colours(letters: str) -> str:
        return " ".join(faces(letter).split()[0] for letter in letters)
    phase = Phase(
        name="split aside", goal=split.goal, moves="U Uw D R L F B Rw2 Fw2", goal_moves=PAIRING,
        coordinates=(
            Combination("r", cube, "centers", colours("R"), faces("RLFB")),
            Combination("l", cube, "centers", colours("L"), faces("RLFB")),
            *split.coordinates[-2:],
        ),
        tables=("r l",),
        endings=3,
    )
    return Alternative("split", phase, ("z", "y z"), ("", "y"))


def finish(cube: Puzzle, large: bool = False) -> list[Phase]:
    """The phases 4 and 5, those of the 3x3x3 that a reduced cube shows."""
    try:
        small = load("cube3")
        method = small.method("two-phase")
        phases = method.phases
        if large:
            phases = (method.larger[0].phases[0], phases[1])
    except UsageError as error:
        raise PluginError(
            f"the method six-phase ends as the 3x3x3 does, and needs its plugin: {error}"
        ) from None
    view = View(small.puzzle, seen(cube, small.puzzle))
    return [attrs.evolve(phase, view=view) for phase in phases]


def seen(cube: Puzzle, small: Puzzle) -> list[int]:
    """For each sticker of a 3x3x3 the sticker of the 4x4x4 that shows it.

    An edge is seen in the first of its wings, a center in any one.
    """
    assert cube.layout is not None and small.layout is not None
    face_of = cube.layout.face_of
    shown: dict[frozenset[int], tuple[int, ...]] = {}
    for orbit in reversed(cube.orbits):
        for place in reversed(cube.layout.places[orbit.name]):
            shown[frozenset(face_of[sticker] for sticker in place)] = place
    picked = [0] * len(small.layout.face_of)
    for places in small.layout.places.values():
        for place in places:
            faces = [small.layout.face_of[sticker] for sticker in place]
            for sticker, face in zip(place, faces, strict=True):
                picked[sticker] = next(i for i in shown[frozenset(faces)] if face_of[i] == face)
    return picked


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube4."""
    yield PuzzleEntry("cube4", "4x4x4 cube", puzzle, methods)
