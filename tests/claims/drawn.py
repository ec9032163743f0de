"""Random small puzzles, and random questions about them. Nothing here comes from puzzlekit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from reference import Mask, Metric, Move, Orbit, TooLarge, Toy, Turn, after

FEWEST = 3  # states of a puzzle
MOST_MOVES = 30  # with all powers


def draw_toy(rng: Random) -> Toy:
    """A puzzle of a random kind, with few enough states to list them."""
    while True:
        toy = draw_held(rng) if rng.random() < 0.4 else draw_defined(rng)
        try:
            if len(toy.states) >= FEWEST and _all_differ(toy):
                return toy
        except TooLarge:
            continue


def _all_differ(toy: Toy) -> bool:
    """Whether every move does something, and no two do the same: no second names are needed."""
    columns = {column.tobytes() for column in toy.following.T}
    families = {move.family for move in toy.moves}
    still = np.arange(len(toy.states)).tobytes()
    turns = {move.turn for move in toy.moves} | set(toy.holdings)
    return (
        families == set(toy.turns)
        and len(toy.moves) <= MOST_MOVES
        and len(columns) == len(toy.moves)
        and still not in columns
        and len(turns) == len(toy.moves) + 1
    )


# --- puzzles of definition files -----------------------------------------------------------------


def draw_defined(rng: Random) -> Toy:
    """Orbits, some with alike pieces, orientations with and without a law of sums, any moves."""
    orbits = []
    for name in "STV"[: rng.choice((1, 1, 2, 2, 3))]:
        size = rng.choice((2, 3, 3, 4, 4, 5, 6))
        labels = tuple(range(size))
        if rng.random() < 0.35:
            labels = tuple(sorted(rng.choices(range(max(1, size - 1)), k=size)))
        orbits.append(Orbit(name, labels, rng.choice((1, 1, 1, 2, 2, 3, 4))))
    lawful = rng.random() < 0.5
    if rng.random() < 0.08:  # words that turn a piece in passing are easily taken for 3-cycles
        orbits, lawful = [Orbit("S", (0, 1, 2), 3)], False
    turns = {}
    for family in "ABCD"[: rng.choice((1, 2, 2, 2, 3))]:
        turns[family] = _random_turn(rng, orbits, lawful)
    names = list(turns)
    if len(names) < 4 and rng.random() < 0.3:  # a composite move, as a slice or a wide turn is
        one, other = rng.choice(names), rng.choice(names)
        moduli = [orbit.orientations for orbit in orbits for _ in orbit.labels]
        turns["W"] = after(turns[one], turns[other], moduli)
    moves = Metric("moves", dict.fromkeys(turns, 1))
    per_turn = Metric("turns", dict.fromkeys(turns, 1), per_turn=True)
    toy = Toy(tuple(orbits), turns, (moves, per_turn))
    if rng.random() < 0.15:
        places = len(toy.moduli)
        barred = set()
        for _ in range(rng.choice((1, 1, 2, 3))):
            place = rng.randrange(places)
            own = [label for label in toy.orbit_at(place).labels if label != toy.home_labels[place]]
            if own:
                barred.add((place, rng.choice(own)))
        toy = Toy(toy.orbits, toy.turns, toy.metrics, forbidden=tuple(sorted(barred)))
    return toy


def _random_turn(rng: Random, orbits: Sequence[Orbit], lawful: bool) -> Turn:
    source: list[int] = []
    add: list[int] = []
    for orbit in orbits:
        start, places = len(source), list(range(orbit.size))
        own = [0] * orbit.size
        if rng.random() < 0.8:
            few = rng.sample(places, rng.randint(2, orbit.size))
            for i, place in enumerate(few):
                places[place] = few[i - 1]
            if orbit.orientations > 1 and rng.random() < 0.7:
                own = [rng.randrange(orbit.orientations) for _ in places]
        if lawful and orbit.size:
            own[-1] = (own[-1] - sum(own)) % orbit.orientations
        source += [start + place for place in places]
        add += own
    return Turn(tuple(source), tuple(add))


# --- puzzles that can be held in several ways ----------------------------------------------------


def draw_held(rng: Random) -> Toy:
    """A puzzle with rotations: its faces are conjugates of one turn; some moves carry the centers.

    The centers show how the puzzle is held. All pieces differ.
    """
    count = rng.choice((2, 2, 3, 4))  # faces, and the order of the rotation
    centers = Orbit("centers", tuple(range(count)), rng.choice((1, 1, 1, 2)))
    orbits, rotation = [centers], [[(i - 1) % count for i in range(count)]]
    for name in "ST"[: rng.choice((1, 1, 2))]:
        rings = rng.choice((1, 1, 2)) if count < 4 else 1
        alone = rng.choice((0, 0, 1))
        size = rings * count + alone
        if size > 6:
            size, rings, alone = count, 1, 0
        orbits.append(Orbit(name, tuple(range(size)), rng.choice((1, 1, 2, 3))))
        rotation.append(
            [ring * count + (i - 1) % count for ring in range(rings) for i in range(count)]
            + ([size - 1] if alone else [])
        )
    moduli = [orbit.orientations for orbit in orbits for _ in orbit.labels]
    source: list[int] = []
    for row in rotation:
        start = len(source)
        source += [start + i for i in row]
    still = tuple(range(len(moduli)))
    around = Turn(tuple(source), (0,) * len(moduli))
    while True:
        face = _random_turn(rng, orbits[1:], rng.random() < 0.5)
        base = Turn(
            (*range(count), *(count + i for i in face.source)),
            (
                *((1 if i == 0 and centers.orientations > 1 else 0) for i in range(count)),
                *face.add,
            ),
        )
        if base.source != still or any(base.add[count:]):
            break
    turns = {}
    back = _undone(around, moduli)
    turn = base
    for family in "ABCD"[:count]:
        turns[family] = turn
        turn = after(after(back, turn, moduli), around, moduli)
    wide = after(around, base, moduli)
    kind = rng.randrange(3)
    if kind == 0:
        turns["W"] = wide  # a wide turn
    elif kind == 1:
        turns["M"] = after(wide, _undone(turns["B"], moduli), moduli)  # a slice
    else:
        turns |= {"W": wide, "M": after(wide, turns["B"], moduli)}
    # Faces make a power of W or M at no higher cost, so that methods may search with faces alone.
    turns["x"] = around
    plain = Toy(tuple(orbits), turns, ())
    orders = {move.family: move.order for move in plain.moves}
    costs = dict.fromkeys(turns, 1) | {"x": 0} | ({"M": 2} if "M" in turns else {})
    least = {
        name: cost * (orders[name] // 2 if name in "WM" else 1) for name, cost in costs.items()
    }
    metrics = Metric("HTM", least), Metric("QTM", costs, per_turn=True)
    return Toy(tuple(orbits), turns, metrics, ("x",), ("centers",))


def _undone(turn: Turn, moduli: Sequence[int]) -> Turn:
    source = [0] * len(moduli)
    add = [0] * len(moduli)
    for place, came in enumerate(turn.source):
        source[came] = place
        add[came] = -turn.add[place] % moduli[place]
    return Turn(tuple(source), tuple(add))


# --- questions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """A goal as text, and whether each state is at it."""

    text: str
    met: Mask


def draw_moves(rng: Random, toy: Toy) -> tuple[str, list[Move]]:
    """Allowed moves, as text and as a list: whole families, and single powers."""
    families = [name for name in toy.turns if name not in toy.rotations]
    words, found = [], []
    for family in rng.sample(families, rng.randint(1, len(families))):
        powers = [move for move in toy.searched if move.family == family]
        if rng.random() < 0.35 and len(powers) > 1:
            powers = rng.sample(powers, rng.randint(1, len(powers) - 1))
            words += [move.name for move in powers]
        else:
            words.append(family)
        found += powers
    return ",".join(words), found


def place_name(toy: Toy, place: int) -> str:
    """The name of a place: its number in its orbit, counted from 1."""
    orbit = toy.orbit_at(place)
    return f"{orbit.name}/{place - toy.starts[orbit.name] + 1}"


def draw_goal(rng: Random, toy: Toy) -> Goal:
    """One to three conditions, sometimes with alternatives or with moves that may be missing."""
    goal = _draw_case(rng, toy)
    if rng.random() < 0.2:
        other = _draw_case(rng, toy)
        goal = Goal(f"{goal.text} or {other.text}", goal.met | other.met)
    return goal


def _draw_case(rng: Random, toy: Toy) -> Goal:
    words: list[str] = []
    met = np.ones(len(toy.states), bool)
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        word, own = draw_condition(rng, toy)
        words.append(word)
        met &= own
    if toy.frames:
        met = met[toy.seen]
    if rng.random() < 0.15:
        text, moves = draw_moves(rng, toy)
        if all(_keeps_centers(toy, move) for move in moves):
            words.append(f"up-to:{text}")
            met = toy.up_to(met, moves)
    return Goal(" ".join(words), met)


def _keeps_centers(toy: Toy, move: Move) -> bool:
    return all(
        move.turn.source[place] == place
        for name in toy.frames
        for place in range(toy.starts[name], toy.starts[name] + len(toy.holdings))
    )


def draw_condition(rng: Random, toy: Toy) -> tuple[str, Mask]:
    """A condition as text, and where it is met."""
    kinds = ["solved", "placed", "oriented", "within", "joined", "solvable-by", "each-solvable-by"]
    kind = rng.choice(kinds)
    if kind in ("solvable-by", "each-solvable-by"):
        text, moves = draw_moves(rng, toy)
        if all(_keeps_centers(toy, move) for move in moves):
            met = toy.moved_by(moves) if kind == "solvable-by" else toy.each_home(moves)
            return f"{kind}:{text}", met
        kind = "placed"
    places = [p for p in range(len(toy.moduli)) if toy.orbit_at(p).name not in toy.frames]
    chosen = rng.sample(places, rng.randint(1, min(4, len(places))))
    if kind == "joined" and any(
        len(set(toy.orbit_at(p).labels)) < toy.orbit_at(p).size for p in chosen
    ):
        kind = "solved"
    if kind == "oriented" and not all(_turns_freely(toy, place) for place in chosen):
        kind = "solved"  # docs/definitions.md: such orientations count from references
    names = ",".join(place_name(toy, place) for place in chosen)
    if kind != "within":
        return f"{kind}:{names}", toy.holds(kind, chosen)
    wanted = sorted({*chosen, *rng.sample(places, rng.randint(0, min(3, len(places))))})
    room: dict[str, int] = {}
    for place in wanted:
        room[toy.orbit_at(place).name] = room.get(toy.orbit_at(place).name, 0) + 1
    needed: dict[str, int] = {}
    for place in chosen:
        orbit = toy.orbit_at(place)
        labels = {toy.home_labels[p] for p in chosen if toy.orbit_at(p) is orbit}
        needed[orbit.name] = sum(orbit.labels.count(label) for label in labels)
    if any(needed[name] > room[name] for name in needed):  # such a goal is refused
        return f"placed:{names}", toy.holds("placed", chosen)
    text = f"within:{names}={','.join(place_name(toy, place) for place in wanted)}"
    return text, toy.holds("within", chosen, wanted)


def _turns_freely(toy: Toy, place: int) -> bool:
    """Whether a piece of the orbit of a place has every orientation at every place it reaches."""
    orbit = toy.orbit_at(place)
    start = toy.starts[orbit.name]
    own = slice(start, start + orbit.size)
    for column in range(own.start, own.stop):
        codes = set(toy.states[:, column].tolist())
        labels = {code // orbit.orientations for code in codes}
        if len(codes) < len(labels) * orbit.orientations:
            return False
    return True


def definition_text(toy: Toy) -> str:
    """The puzzle in the format of twsearch."""
    lines = ["Name made"]
    for orbit in toy.orbits:
        lines.append(f"Set {orbit.name} {orbit.size} {orbit.orientations}")
    lines.append("Solved")
    for orbit in toy.orbits:
        lines += [orbit.name, " ".join(str(label + 1) for label in orbit.labels)]
    lines.append("End")
    for family, turn in toy.turns.items():
        lines.append(f"Move {family}")
        for orbit in toy.orbits:
            start = toy.starts[orbit.name]
            source = [came - start for came in turn.source[start : start + orbit.size]]
            leaving = [0] * orbit.size  # the file lists the turn of the piece that leaves a place
            for i, came in enumerate(source):
                leaving[came] = turn.add[start + i]
            lines.append(orbit.name)
            lines.append(" ".join(str(came + 1) for came in source))
            lines.append(" ".join(map(str, leaving)))
        lines.append("End")
    for place, label in toy.forbidden:
        orbit = toy.orbit_at(place)
        lines.append(f"Illegal {orbit.name} {place - toy.starts[orbit.name] + 1} {label + 1}")
    return "\n".join(lines) + "\n"


def state_text(toy: Toy, state: Sequence[int]) -> str:
    """A state in the format of twsearch."""
    lines = ["Scramble state"]
    for orbit in toy.orbits:
        start = toy.starts[orbit.name]
        own = [int(code) for code in state[start : start + orbit.size]]
        lines.append(orbit.name)
        lines.append(" ".join(str(code // orbit.orientations + 1) for code in own))
        lines.append(" ".join(str(code % orbit.orientations) for code in own))
    return "\n".join([*lines, "End"]) + "\n"


def read_state(toy: Toy, text: str) -> bytes:
    """The codes of a state that is written in the format of twsearch."""
    found = list(toy.solved)
    rows = [line.split() for line in text.splitlines()[1:] if line != "End"]
    for i, row in enumerate(rows):
        orbit = next((each for each in toy.orbits if [each.name] == row), None)
        if orbit is None:
            continue
        turns = rows[i + 2] if orbit.orientations > 1 else ["0"] * orbit.size
        start = toy.starts[orbit.name]
        for k, (label, turn) in enumerate(zip(rows[i + 1], turns, strict=True)):
            found[start + k] = (int(label) - 1) * orbit.orientations + int(turn)
    return bytes(found)
