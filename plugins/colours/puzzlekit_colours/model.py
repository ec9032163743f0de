"""The colour model: a centre for each colour, light that differs from face to face, and noise."""

from __future__ import annotations

from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlekit import FaceletLayout

__all__ = ["Floats", "Model", "balanced", "lab", "lit_by", "reference"]

Floats: TypeAlias = npt.NDArray[np.float64]

_TAIL = 4.0  # degrees of freedom of Student's t distribution: glare is no surprise
_ALIKE = 12.0  # stickers that outweigh the belief that all colours vary alike
_FLOOR = 0.7  # the least standard deviation of a measurement, in units of Lab
_LIGHT = 6.0  # stickers of a face that outweigh the belief that its light is that of the others
_ROUNDS = 3  # of fitting centres and lights in turn
_SINKHORN = 12
_LEARNING, _UNLIT = 14, 9  # rounds at the start, and how many of them have even light

# From linear sRGB to X, Y and Z, each divided by that of white.
_TO_XYZ = np.array(
    [
        [0.4339, 0.3762, 0.1899],
        [0.2126, 0.7152, 0.0722],
        [0.0178, 0.1095, 0.8727],
    ]
)


def lab(rgb: Floats) -> Floats:
    """Return colours in CIE Lab (D65) of colours in sRGB, whose channels are from 0 to 1.

    >>> lab(np.array([[1.0, 1.0, 1.0]])).round().tolist()
    [[100.0, 0.0, 0.0]]
    """
    linear = np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    xyz = linear @ _TO_XYZ.T
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = root[:, 0], root[:, 1], root[:, 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def reference(colours: tuple[str, ...]) -> Floats:
    """Return what stickers of these colours, in words, look like in daylight (sRGB, 0 to 1)."""
    from puzzlekit_pictures import css_colour

    shown = [css_colour(word, i, len(colours)) for i, word in enumerate(colours)]
    return np.array([[int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)] for text in shown])


def balanced(rgb: Floats, expected: Floats) -> Floats:
    """Return colours after white balance, so that their mean is that of the expected colours.

    A puzzle shows each colour a known number of times, so the mean of all stickers is known.
    """
    gains = expected.mean(axis=0) / np.maximum(rgb.mean(axis=0), 1e-3)
    return np.asarray(rgb * np.clip(gains, 0.2, 8.0))


def lit_by(layout: FaceletLayout) -> Floats:
    """Return how the light of each face falls on each sticker: evenly, and rising in the net.

    The result has a row for each sticker, and three columns for each face.
    """
    face_of = np.array(layout.face_of)
    at = np.zeros((len(face_of), 2))
    for number, row in enumerate(layout.net):
        for column, facelet in enumerate(row):
            if facelet is not None:
                at[facelet] = number, column
    found = np.zeros((len(face_of), 3 * len(layout.faces)))
    for face in range(len(layout.faces)):
        own = face_of == face
        apart = at[own] - at[own].mean(axis=0)
        found[own, 3 * face] = 1.0
        found[own, 3 * face + 1 : 3 * face + 3] = apart / max(float(np.abs(apart).max()), 1.0)
    return found


class Model:
    """What stickers of each colour look like, learnt from the stickers of one puzzle.

    The measurement of a sticker is the centre of its colour, plus the light of its face, plus noise
    with a covariance for each colour; with few stickers, it is close to that of all colours.
    """

    def __init__(self, seen: Floats, where: Floats, counts: Floats) -> None:
        self.seen = seen
        self.counts = counts
        self._where = where
        self._lights = np.zeros((where.shape[1], 3))
        self.centres = np.zeros((len(counts), 3))
        self._noise = np.stack([np.eye(3) * 100.0] * len(counts))

    def begin(self, centres: Floats) -> Floats:
        """Start from guessed centres; return the probability of each colour for each sticker."""
        self.centres = centres
        self._lights = np.zeros_like(self._lights)
        apart = ((centres[:, None] - centres[None]) ** 2).sum(axis=2)
        np.fill_diagonal(apart, np.inf)
        noise = np.eye(3) * max(float(np.median(apart.min(axis=1))) / 16, _FLOOR**2)
        self._noise = np.stack([noise] * len(centres))
        shares = self.shares()
        for number in range(_LEARNING):
            self.fit(shares, lit=number >= _UNLIT)
            shares = self.shares()
        return shares

    def renamed(self, order: npt.NDArray[np.intp]) -> Model:
        """Return a copy in which colour i is what colour `order[i]` was."""
        other = Model(self.seen, self._where, self.counts)
        other.centres = self.centres[order]
        other._lights = self._lights.copy()
        other._noise = self._noise[order]
        return other

    def shares(self) -> Floats:
        """Return how probable each colour is for each sticker, if each is there so often."""
        weight = -self.costs()
        weight -= weight.max(axis=1, keepdims=True)
        shares: Floats = np.exp(weight) + 1e-30
        for _ in range(_SINKHORN):
            shares *= self.counts / shares.sum(axis=0)
            shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def fit(self, shares: Floats, lit: bool = True) -> None:
        """Learn centres, lights and noise from the probabilities of the colours."""
        weights = self._weights()
        for _ in range(_ROUNDS if lit else 1):
            even = self.seen - self._where @ self._lights
            held = shares * weights[:, None]
            self.centres = (held.T @ even) / held.sum(axis=0)[:, None].clip(1e-9)
            if not lit:
                break
            rest = (self.seen - shares @ self.centres) * weights[:, None]
            inner = self._where.T @ (self._where * weights[:, None])
            inner += np.eye(len(inner)) * _LIGHT
            self._lights = np.asarray(
                np.linalg.solve(inner, self._where.T @ rest), dtype=np.float64
            )
        apart = self._apart()
        held = shares * weights[:, None]
        scatter = np.einsum("ic,icx,icy->cxy", held, apart, apart)
        number = shares.sum(axis=0)
        free = max(float(number.sum()) - len(self.counts), 1.0)
        noise: Floats = np.asarray(scatter.sum(axis=0) / free)
        # Few stickers say little about the shape of the noise: begin with a round one.
        round_ = np.eye(3) * np.trace(noise) / 3
        trust = free / (free + 30.0)
        noise = trust * noise + (1 - trust) * round_
        own = (scatter + _ALIKE * noise) / (number + _ALIKE)[:, None, None]
        self._noise = own + np.eye(3) * _FLOOR**2

    def costs(self) -> Floats:
        """Return minus the logarithm of the likelihood of each colour for each sticker."""
        likely = (_TAIL + 3) / 2 * np.log1p(self._squares() / _TAIL)
        return np.asarray(likely + np.linalg.slogdet(self._noise)[1] / 2)

    def total(self, colours: npt.NDArray[np.intp]) -> float:
        """Return minus the logarithm of the likelihood of all measurements, given the colours."""
        return float(self.costs()[np.arange(len(colours)), colours].sum())

    def evenly(self) -> Floats:
        """Return the measurements as if all faces had the same light."""
        return np.asarray(self.seen - self._where @ self._lights)

    def near(self, most: float) -> list[tuple[int, int]]:
        """Return the pairs of colours at most so many standard deviations apart, nearest first."""
        found = []
        for one, other in combinations(range(len(self.counts)), 2):
            apart = self.centres[one] - self.centres[other]
            noise = (self._noise[one] + self._noise[other]) / 2
            far = float(np.sqrt(apart @ np.linalg.solve(noise, apart)))
            if far <= most:
                found.append((far, one, other))
        return [(one, other) for _, one, other in sorted(found)]

    def _apart(self) -> Floats:
        return np.asarray(self.evenly()[:, None, :] - self.centres[None, :, :])

    def _squares(self) -> Floats:
        apart = self._apart()
        inverse = np.linalg.inv(self._noise)
        return np.asarray(np.einsum("icx,cxy,icy->ic", apart, inverse, apart))

    def _weights(self) -> Floats:
        """Return how much each sticker counts: one with glare counts little."""
        return np.asarray((_TAIL + 3) / (_TAIL + self._squares().min(axis=1)))
