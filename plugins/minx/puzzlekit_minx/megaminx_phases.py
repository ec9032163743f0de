"""The phases of the Megaminx: one face after the other is given up.

If the faces of a set are not turned any more, the pieces that touch no other face stay where they
are. So each phase solves the pieces that only the given-up faces touch, and the next phase turns
one face less. D and its neighbours come first, then the neighbours of U; at the end, U and F turn
the last pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Method, Orientation, Permutation, Phase, Pieces, Puzzle
from puzzlekit_beam import Alternative, Beam, Rounds
from puzzlekit_minx import shape
from puzzlekit_twophase import Anytime

# The faces that are given up before each phase, and those that the phase gives up.
_STEPS = (
    ("", "DNM"),
    ("DNM", "P"),
    ("DNMP", "Q"),
    ("DNMPQ", "B"),
    ("DNMPQB", "J"),
    ("DNMPQBJ", "I"),
    ("DNMPQBJI", "L"),
    ("DNMPQBJIL", "R"),
)
_LAST = "DNMPQBJILR"  # given up before the last phase


def _touched_only_by(faces: str) -> tuple[list[str], list[str]]:
    """Return the corners and the edges that touch no other faces."""
    corners, edges = (
        [each for each in places if set(each) <= set(faces)]
        for places in (shape.CORNERS, shape.EDGES)
    )
    return corners, edges


def method(minx: Puzzle) -> Method:
    """Return the method `faces`."""
    steps = Steps(minx)
    phases = steps.phases()
    return Method(
        name="faces",
        title="one face after the other is given up, by a beam",
        phases=phases,
        strategy=Beam(
            shares=(0.05, 0.05, 0.05, 0.12, 0.08, 0.15, 0.15),
            starts=steps.starts(),
            alternatives=steps.alternatives(phases),
            finish=Anytime(finish_most=15),
            seconds=2,
            rounds=Rounds(first=0.3, pooled_a_second=5000, nodes_a_second=10_000_000),
        ),
        fixed={"centers": " ".join(shape.FACES)},
        heavy=True,
    )


class Steps:
    """Makes the phases of a puzzle."""

    def __init__(self, minx: Puzzle) -> None:
        self.minx = minx

    def _moves(self, done: str) -> str:
        return " ".join(name for face, name in shape.FACES.items() if face not in done)

    def _free(self, orbit: str, done: str) -> str:
        """Return the places that the other faces touch."""
        solved = _touched_only_by(done)[orbit == "edges"]
        places = shape.CORNERS if orbit == "corners" else shape.EDGES
        return " ".join(place for place in places if place not in solved)

    def _pieces(self, name: str, orbit: str, places: Sequence[str], done: str) -> Pieces:
        return Pieces(name, self.minx, orbit, " ".join(places), self._free(orbit, done))

    def phase(self, name: str, done: str, faces: str) -> Phase:
        """Return the phase that gives up some faces when others have been given up."""
        before, after = _touched_only_by(done), _touched_only_by(done + faces)
        corners, edges = ([e for e in b if e not in a] for a, b in zip(before, after, strict=True))
        own = self._pieces("edges", "edges", edges, done)
        every = self._pieces("corners", "corners", corners, done)
        coordinates: tuple[Pieces, ...] = own, every
        tables: tuple[str, ...] = ("edges corners",)
        if own.size * every.size > 100_000_000:
            each = [
                self._pieces(f"corner{n}", "corners", [one], done)
                for n, one in enumerate(corners, 1)
            ]
            coordinates = own, *each
            tables = tuple(f"edges {one.name}" for one in each)
        goal = f"solved are {' '.join(corners + edges)}"
        return Phase(name, goal, self._moves(done), coordinates, tables)

    def phases(self) -> tuple[Phase, ...]:
        """Return all phases in order."""
        *steps, (done, faces) = _STEPS
        found = [
            self.phase("without-" + "-".join(shape.FACES[f].lower() for f in own), before, own)
            for before, own in steps
        ]
        corners, edges = _touched_only_by(done + faces)
        old = _touched_only_by(done)
        corners = [each for each in corners if each not in old[0]]
        edges = [each for each in edges if each not in old[1]]
        free = self._free("edges", done)
        found.append(
            Phase(
                name="without-r",
                goal=f"solved are {' '.join(corners + edges)}; U and F flip no other edge",
                moves=self._moves(done),
                coordinates=(
                    self._pieces("corners", "corners", corners, done),  # 10 * 9 * 3**2
                    self._pieces("edges", "edges", edges, done),  # 12 * 11 * 10 * 2**3
                    Orientation("flips", self.minx, "edges", free),  # 2**11
                    Permutation("places", self.minx, "edges", " ".join(edges), free),
                    self._pieces("corner", "corners", corners[:1], done),
                ),
                tables=("corners edges", "flips places corner"),
            )
        )
        corners, edges = self._free("corners", _LAST).split(), self._free("edges", _LAST).split()
        found.append(
            Phase(
                name="finish",
                goal="the Megaminx is solved",
                moves=self._moves(_LAST),
                coordinates=(
                    # Turns are even, so the other pieces follow.
                    Permutation(
                        "corners", self.minx, "corners", " ".join(corners[:6]), " ".join(corners)
                    ),
                    Orientation("twists", self.minx, "corners", " ".join(corners)),
                    Permutation("edges", self.minx, "edges", " ".join(edges[:7]), " ".join(edges)),
                    Permutation(
                        "three", self.minx, "corners", " ".join(corners[:3]), " ".join(corners)
                    ),
                ),
                tables=("corners twists", "edges three"),
            )
        )
        return tuple(found)

    def starts(self) -> str:
        """Return the rotations that bring other faces to the places of the first given-up ones."""
        found: dict[frozenset[str], str] = {}
        for moves, places in shape.held().items():
            found.setdefault(frozenset(chr(places[ord(face)]) for face in _STEPS[0][1]), moves)
        return " ".join(found.values())

    def alternatives(self, phases: Sequence[Phase]) -> tuple[Alternative, ...]:
        """Return the other faces that some phases may give up instead.

        Before such a phase, the puzzle is turned so that the same faces are left afterwards.
        """
        found: list[Alternative] = []
        for phase, (done, face) in zip(phases[1:], _STEPS[1:-1], strict=False):
            free = [each for each in shape.FACES if each not in done]
            ways: dict[str, Alternative] = {}
            for moves, places in shape.held().items():
                # An alternative shows the puzzle as if it had been turned the other way.
                seen = {chr(places[ord(each)]): each for each in shape.FACES}
                for given in free:
                    left = {seen[each] for each in free if each != given}
                    if given != face and left == {*free} - {face}:
                        turned = "".join(seen[each] for each in shape.FACES if each not in free)
                        own = self._turned(phase, turned, seen[given])
                        if given not in ways or own is phase:
                            ways[given] = Alternative(phase.name, own, (moves,))
            found += ways.values()
        return tuple(found)

    def _turned(self, phase: Phase, done: str, face: str) -> Phase:
        """Return the phase that gives up a face after others; `phase` itself, if it does that."""
        name = f"{phase.name}-from-{shape.FACES[face].lower()}"
        own = self.phase(name, done, face)
        return phase if own.moves == phase.moves and own.goal == phase.goal else own
