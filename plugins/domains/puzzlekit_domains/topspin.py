"""TopSpin: a ring of tokens, of which a turntable turns over some neighbours."""

from __future__ import annotations

from math import perm

from puzzlekit import EvenParity, Method, Metric, Orbit, Permutation, Phase, Puzzle, Sequential
from puzzlekit_domains.writing import Ring

_ENTRIES = 2_000_000  # most entries of a table


def topspin(name: str, size: int, turned: int) -> Puzzle:
    """Return the ring of `size` tokens; a move turns over `turned` neighbours anywhere.

    Turning the ring costs nothing, so token 1 is held at the first place, and (size - 1)! orders of
    the others are states. A turn that moves token 1 is followed by one of the ring, which brings it
    back. Such a turn undoes another one, and both are powers of one move: A and A'.
    """
    effects: dict[bytes, None] = {}
    for begin in range(size):
        order = [*range(size)]
        span = [(begin + step) % size for step in range(turned)]
        for place, source in zip(span, reversed(span), strict=True):
            order[place] = source
        at = order.index(0)  # where token 1 comes to
        held = [order[(at + step) % size] for step in range(1, size)]
        effects[bytes(place - 1 for place in held)] = None
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    turns: dict[str, bytes] = {}
    for effect in effects:
        inverse = bytes(effect.index(place) for place in range(size - 1))
        if inverse not in turns.values():
            turns[next(letters)] = effect
    even = all(_is_even(effect) for effect in turns.values())
    return Puzzle(
        name=name,
        title=f"TopSpin, {size} tokens, {turned} turned over",
        orbits=(Orbit("tokens", "token", " ".join(map(str, range(2, size + 1)))),),
        turns={family: (effect, bytes(size - 1)) for family, effect in turns.items()},
        metrics=(Metric("TURNS", "turns", dict.fromkeys(turns, 1), per_turn=True),),
        constraints=(EvenParity(("tokens",)),) if even else (),
        writing=Ring(2, size - 1, held="1"),
    )


def _is_even(order: bytes) -> bool:
    """Whether a permutation is a product of an even number of exchanges."""
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :]) % 2 == 0


def methods(puzzle: Puzzle) -> list[Method]:
    """Return the one method: shortest answers by tables of as many tokens as fit."""
    (orbit,) = puzzle.orbits
    many = orbit.size
    while perm(orbit.size, many) > _ENTRIES:
        many -= 1
    parts = [orbit.places[begin : begin + many] for begin in range(0, orbit.size, many)]
    names = [f"{each[0]}-{each[-1]}" for each in parts]
    coordinates = tuple(
        Permutation(name, puzzle, "tokens", " ".join(part))
        for name, part in zip(names, parts, strict=True)
    )
    moves = " ".join(
        f"{family}1 {family}'" if puzzle.move(family).order > 2 else family
        for family in puzzle.turns
    )
    solve = Phase("solve", "every token in its place", moves, coordinates, tuple(names))
    return [Method("optimal", "shortest answers by pattern databases", (solve,), Sequential())]
