"""The decoder: from the measured colours of all stickers to the most probable legal state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, permutations, zip_longest
from math import exp, inf
from time import monotonic
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlekit import FaceletLayout, Puzzle, StateError, UsageError
from puzzlekit.puzzle.stickers import appearance
from puzzlekit_colours.assignment import assign
from puzzlekit_colours.legal import Pieces
from puzzlekit_colours.model import Floats, Model, balanced, lab, lit_by, reference
from puzzlekit_colours.turned import likely_turns, quarter_turns, turned_back

__all__ = ["Colours", "Doubt", "read_colours"]

_LIKE_NEIGHBOUR = 0.3  # the belief that neighbours on a face are alike, in units of the costs
_ROUNDS = 8  # of reading and learning in turn
_ALL_ORDERS = 6  # colours, whose orders are all tried
_TRIED = 3  # essentially different meanings of the colours
_DOUBTFUL = 100.0  # to one: readings with smaller odds are doubted
_RUNNERS_UP = 400  # states that are tried
_FEW_MENDED, _MENDED = 2, 0.05  # stickers, and their share, from which on faces may be turned
_TURN_TRIALS = 200
_NEAR = 4.0  # standard deviations between colours that are hard to tell apart
_SAME = 6  # digits of Lab that tell colours apart
_RANDOM = 8  # starts
_CLUSTERED = 3  # different clusters that are read


class Doubt(NamedTuple):
    """A sticker that may have another colour than the one that was read."""

    #: The index of the sticker.
    facelet: int
    #: The name of the sticker, such as "F3".
    sticker: str
    #: The face whose colour was read.
    read: str
    #: The face whose colour is the runner-up.
    runner_up: str
    #: In `Colours.doubts`, how many times more probable the state that was read is than the best
    #: legal state found in which this sticker has the other colour. In `Colours.mended`, the same
    #: by the measurement of this sticker alone (below 1).
    odds: float


class Colours(NamedTuple):
    """What the measured colours of all stickers say."""

    #: The most probable legal state that was found.
    state: bytes
    #: The letter of the face of each sticker.
    stickers: str
    #: The name of each colour in words, by the face that has it in the solved puzzle.
    names: dict[str, str]
    #: The stickers whose nearest colour is another one than that which the whole puzzle says, with
    #: the nearest colour as the runner-up.
    mended: tuple[Doubt, ...]
    #: The stickers that another legal state, nearly as probable, would change.
    doubts: tuple[Doubt, ...]
    #: The faces that were scanned another way up, each with the quarter turns clockwise that bring
    #: its image to how it belongs. `stickers` and all places are those of the faces as they belong.
    turned: dict[str, int]


def read_colours(
    puzzle: Puzzle,
    measured: Sequence[Sequence[float]],
    space: str = "rgb",
    timeout: float | None = None,
) -> Colours:
    """Return the most probable legal state of measured colours that the search finds.

    It is not proven that no other legal state is more probable.

    Parameters
    ----------
    puzzle
        A puzzle with stickers.
    measured
        Three numbers for each sticker, in the order of the layout: face by face.
    space
        "rgb" (red, green and blue, on any scale that begins at 0) or "lab" (CIE Lab).
    timeout
        The search for a more probable state begins no further attempt after so many seconds. The
        colours of a puzzle take less than one; those of no puzzle may take a minute. Default: no
        limit.

    Raises
    ------
    UsageError
        If the puzzle has no stickers, or the numbers are not those of all its stickers.
    StateError
        If no legal state is near the measured colours.
    """
    if puzzle.layout is None:
        raise UsageError(f"{puzzle.name} has no stickers whose colours could be read")
    if space not in ("rgb", "lab"):
        raise UsageError(f"unknown colour space {space!r}: use rgb or lab")
    layout = puzzle.layout
    values = np.array(measured, dtype=np.float64)
    wanted = len(layout.face_of)
    if values.shape != (wanted, 3):
        raise UsageError(
            f"{puzzle.name} has {wanted} stickers: give three numbers for each of them, not "
            f"{len(measured)} rows"
        )
    usual = reference(layout.colours)
    expected = usual[np.array(layout.colour_of)]
    usual_lab = lab(usual)
    if space == "rgb":
        seen = lab(balanced(values / (float(values.max()) or 1.0), expected))
    else:
        seen = values
    shown, faces = len(np.unique(seen.round(_SAME), axis=0)), len(layout.faces)
    if shown < faces:
        plural = "" if shown == 1 else "s"
        raise StateError([f"{shown} different colour{plural} instead of {faces}"])
    decoder = _Decoder(puzzle, seen, usual_lab, inf if timeout is None else timeout)
    try:
        found = decoder.decoded()
    except StateError:
        if (better := _turned(decoder, usual_lab, wanted)) is None:
            raise
        return better
    if len(found.mended) <= max(_FEW_MENDED, _MENDED * wanted):
        return found
    return _turned(decoder, usual_lab, len(found.mended)) or found


def _turned(decoder: _Decoder, usual: Floats, mended: int) -> Colours | None:
    """Return the colours with faces turned back, unless that mends more than half of `mended`."""
    if (turns := decoder.turns()) is None:
        return None
    order, turned = turns
    left = decoder.end - monotonic()
    try:
        found = _Decoder(decoder.puzzle, decoder.seen[order], usual, left).decoded()
    except StateError:
        return None
    return found._replace(turned=turned) if 2 * len(found.mended) <= mended else None


def _beside(layout: FaceletLayout) -> Floats:
    """Return the matrix of stickers that are neighbours on a face of the net."""
    found = np.zeros((len(layout.face_of), len(layout.face_of)))
    for rows in (layout.net, tuple(zip_longest(*layout.net))):
        for row in rows:
            for one, other in pairwise(row):
                if one is None or other is None:
                    continue
                if layout.face_of[one] == layout.face_of[other]:
                    found[one, other] = found[other, one] = 1.0
    return found


@lru_cache(maxsize=8)
def _pieces(puzzle: Puzzle) -> Pieces:
    return Pieces(puzzle)


class _Found(NamedTuple):
    total: float
    state: bytes
    colours: npt.NDArray[np.intp]
    model: Model


class _Decoder:
    def __init__(self, puzzle: Puzzle, seen: Floats, usual: Floats, timeout: float) -> None:
        self.end = monotonic() + timeout
        self.puzzle = puzzle
        self.layout = appearance(puzzle).layout
        self.pieces = _pieces(puzzle)
        self.seen = seen
        colour_of = np.array(self.layout.colour_of)
        self.counts = np.bincount(colour_of, minlength=len(self.layout.faces)).astype(float)
        self.where = lit_by(self.layout)
        self.beside = _beside(self.layout)
        # Spread the usual colours as the measured ones are.
        every = usual[colour_of]
        lightness = seen[:, 0].std() / max(every[:, 0].std(), 1e-9)
        chroma = np.sqrt(seen[:, 1:].var(axis=0).sum() / max(every[:, 1:].var(axis=0).sum(), 1e-9))
        scale = np.array([lightness, chroma, chroma])
        self.usual = (usual - every.mean(axis=0)) * scale + seen.mean(axis=0)

    def decoded(self) -> Colours:
        """Return the best state of the most probable clusters."""
        clusters: list[tuple[float, Model]] = []
        for centres in self._starts():
            model = Model(self.seen, self.where, self.counts)
            shares = model.begin(centres)
            clusters.append((model.total(shares.argmax(axis=1)), model))
        clusters.sort(key=lambda each: each[0])
        best: _Found | None = None
        tried: list[float] = []
        for total, model in clusters:
            if len(tried) == _CLUSTERED or (tried and monotonic() > self.end):
                break
            if any(abs(total - other) < 0.5 for other in tried):
                continue
            tried.append(total)
            found = self._from(model)
            if found is not None and (best is None or found.total < best.total):
                best = found
        if best is None:
            raise StateError(["no legal state is near the measured colours: scan the puzzle again"])
        return self._told(self._parted(best))

    def turns(self) -> tuple[npt.NDArray[np.intp], dict[str, int]] | None:
        """Return the scanned sticker that belongs at each place if faces are turned, and the turns.

        None if the faces cannot be turned, or fit best as they are.
        """
        layout = self.layout
        quarter = quarter_turns(layout)
        if quarter is None or monotonic() > self.end:
            return None
        best: tuple[float, int, npt.NDArray[np.intp], tuple[int, ...]] | None = None
        model = Model(self.seen, self.where, self.counts)
        model.begin(self.usual)
        far = ((self.usual[:, None] - model.centres[None]) ** 2).sum(axis=2)
        costs = model.costs()[:, assign(far)]
        for _, turns in likely_turns(self.pieces, layout, quarter, costs):
            order = turned_back(layout, quarter, turns)
            legal = self.pieces.best(costs[order], _TURN_TRIALS)
            if legal is None:
                continue
            rated = round(self.pieces.cost(costs[order], legal.state), 3), sum(map(bool, turns))
            if best is None or rated < best[:2]:
                best = *rated, order, turns
        if best is None or not any(best[3]):
            return None
        named = zip(layout.faces, best[3], strict=True)
        return best[2], {face: turns for face, turns in named if turns}

    def _parted(self, found: _Found) -> _Found:
        """Part the colours that nearly look alike in other ways; return the best state."""
        best = found
        for one, other in found.model.near(_NEAR):
            both = np.flatnonzero((found.colours == one) | (found.colours == other))
            number = int((found.colours == one).sum())
            seen = found.model.evenly()[both]
            for along in (*np.eye(3), *np.linalg.svd(seen - seen.mean(axis=0))[2]):
                order = both[np.argsort(seen @ along, kind="stable")]
                for ranked in (order, order[::-1]):
                    if monotonic() > self.end:
                        return best
                    colours = found.colours.copy()
                    colours[ranked[:number]], colours[ranked[number:]] = one, other
                    model = found.model.renamed(np.arange(len(self.counts)))
                    model.fit(np.eye(len(self.counts))[colours])
                    settled = self._settled(model)
                    if settled is not None and settled.total < best.total:
                        best = settled
        return best

    def _starts(self) -> Iterator[Floats]:
        """Yield centres of the colours to start from."""
        yield self.usual
        single = [
            (place[0], self.layout.face_of[place[0]])
            for orbit in self.puzzle.orbits
            if orbit.name in self.puzzle.frames
            for place in self.layout.places[orbit.name]
            if len(place) == 1
        ]
        if len(single) == len(self.counts):
            yield self.seen[[facelet for facelet, _ in sorted(single, key=lambda each: each[1])]]
        rng = np.random.default_rng(1)
        for _ in range(_RANDOM):
            centres = [self.seen[rng.integers(len(self.seen))]]
            while len(centres) < len(self.counts):
                far = ((self.seen[:, None] - np.array(centres)[None]) ** 2).sum(axis=2).min(axis=1)
                centres.append(self.seen[rng.choice(len(far), p=far / far.sum())])
            yield np.array(centres)

    def _from(self, clusters: Model) -> _Found | None:
        """Return the best state that is found from these clusters of stickers."""
        best: _Found | None = None
        for number, order in enumerate(self._meanings(clusters)):
            if number and monotonic() > self.end:
                break
            found = self._settled(clusters.renamed(order))
            if found is not None and (best is None or found.total < best.total):
                best = found
        return best

    def _meanings(self, model: Model) -> list[npt.NDArray[np.intp]]:
        """Return which cluster is the colour of which face: the most probable first."""
        costs = model.costs()
        far = ((self.usual[:, None] - model.centres[None]) ** 2).sum(axis=2)  # face, cluster
        number = len(self.counts)
        if number <= _ALL_ORDERS:
            rated = []
            for order in map(np.array, permutations(range(number))):
                unusual = far[np.arange(number), order].sum()
                rated.append((round(self.pieces.bound(costs[:, order]), 3), unusual, order))
            rated.sort(key=lambda each: each[:2])
            kept: dict[float, npt.NDArray[np.intp]] = {}
            for bound, _, order in rated:
                kept.setdefault(bound, order)
                if len(kept) == _TRIED:
                    break
            return list(kept.values())
        return [self._climbed(costs, assign(far))]

    def _climbed(self, costs: Floats, order: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Return a better meaning of the colours: exchange two as long as the pieces fit better."""
        least = self.pieces.bound(costs[:, order])
        better = True
        while better:
            better = False
            for one, other in zip(*np.triu_indices(len(order), 1), strict=True):
                tried = order.copy()
                tried[[one, other]] = tried[[other, one]]
                bound = self.pieces.bound(costs[:, tried])
                if bound < least - 1e-6:
                    least, order, better = bound, tried, True
        return order

    def _settled(self, model: Model) -> _Found | None:
        """Read and learn in turn, until the state stays the same."""
        best: _Found | None = None
        shares = model.shares()
        for _ in range(_ROUNDS):
            legal = self.pieces.best(model.costs() - _LIKE_NEIGHBOUR * (self.beside @ shares))
            if legal is None:
                return best
            colours = self.pieces.colours(legal.state)
            same = best is not None and (colours == best.colours).all()
            shares = np.eye(len(self.counts))[colours]
            model.fit(shares)
            alike = float((shares * (self.beside @ shares)).sum()) / 2
            total = model.total(colours) - _LIKE_NEIGHBOUR * alike
            best = _Found(total, legal.state, colours, model)
            if same:
                break
        return best

    def _told(self, found: _Found) -> Colours:
        faces = self.layout.faces
        costs = found.model.costs()
        odds: dict[int, tuple[float, int]] = {}
        for other in self.pieces.others(costs, found.state, np.log(_DOUBTFUL), _RUNNERS_UP):
            colours = self.pieces.colours(other.state)
            for index in np.flatnonzero(colours != found.colours):
                odds.setdefault(int(index), (exp(other.cost), int(colours[index])))
        nearest = costs.argmin(axis=1)
        own = costs[np.arange(len(costs)), found.colours]

        def doubt(index: int, other: int, how: float) -> Doubt:
            name = self.layout.name(index)
            return Doubt(
                index, name, faces[found.colours[index]], faces[other], float(round(how, 3))
            )

        mended = [
            doubt(i, int(nearest[i]), exp(costs[i, nearest[i]] - own[i]))
            for i in np.flatnonzero(nearest != found.colours).tolist()
        ]
        named = assign(((found.model.centres[:, None] - self.usual[None]) ** 2).sum(axis=2))
        return Colours(
            state=found.state,
            stickers="".join(faces[colour] for colour in found.colours),
            names={face: self.layout.colours[named[i]] for i, face in enumerate(faces)},
            mended=tuple(mended),
            doubts=tuple(doubt(i, other, how) for i, (how, other) in sorted(odds.items())),
            turned={},
        )
