"""Places of a definition that always move together become places of one piece."""

from __future__ import annotations

import json

import pytest

from puzzlekit import StateError, UsageError
from puzzlekit_definitions import DefinedSolver, parse_definition
from puzzlekit_definitions.generators import read_json
from puzzlekit_definitions.joined import joined

# Four edges in a row: each has a sticker in FRONTS and one in BACKS, which a move may exchange.
# A sticker has a number for its place: i for the front of edge i, 4 + i for its back.
MOVES = {"A": [2, 4, 1, 3, 6, 0, 5, 7], "B": [0, 3, 1, 2, 4, 7, 5, 6]}
COLOURS = [0, 0, 1, 1, 1, 2, 2, 3]  # no two edges show the same


def kpuzzle() -> str:
    """Return the edges as a KPuzzle: one set of eight places, and a corner that stays as it is."""
    still = {"permutation": [0, 1], "orientationDelta": [0, 0]}
    sets = [("STICKERS", 8, 1), ("CORNERS", 2, 3)]
    moves = {
        name: {
            "STICKERS": {"permutation": each, "orientationDelta": [0] * 8},
            "CORNERS": {**still, "orientationDelta": [1, 2] if name == "A" else [0, 0]},
        }
        for name, each in MOVES.items()
    }
    solved = {
        "STICKERS": {"pieces": COLOURS, "orientation": [0] * 8},
        "CORNERS": {"pieces": [0, 1], "orientation": [0, 0]},
    }
    orbits = [
        {"orbitName": name, "numPieces": size, "numOrientations": turns}
        for name, size, turns in sets
    ]
    return json.dumps({"orbits": orbits, "moves": moves, "defaultPattern": solved})


@pytest.fixture(scope="module")
def solver() -> DefinedSolver:
    return parse_definition(kpuzzle(), "json")


def test_stickers_of_one_piece_become_a_piece_with_orientations(solver: DefinedSolver) -> None:
    shape = [(orbit.size, orbit.orientations) for orbit in solver.puzzle.orbits]
    assert (4, 2) in shape
    assert all(orbit.distinct for orbit in solver.puzzle.orbits)


def test_every_state_is_read_and_written_as_in_the_file(solver: DefinedSolver) -> None:
    """The states are those that a search through the numbers of the file finds."""
    first = (tuple(COLOURS), 0)
    listed, known = [first], {first}
    for stickers, turned in listed:  # grows during the loop
        for name, source in MOVES.items():
            after = (tuple(stickers[i] for i in source), (turned + (name == "A")) % 3)
            if after not in known:
                known.add(after)
                listed.append(after)
    seen = set()
    for stickers, turned in listed:
        corners = {"pieces": [0, 1], "orientation": [turned, -turned % 3]}
        own = {"pieces": list(stickers), "orientation": [0] * 8}
        text = json.dumps({"patternData": {"STICKERS": own, "CORNERS": corners}})
        state = solver.positions.from_written(text)
        assert json.loads(solver.positions.written(state)) == json.loads(text)
        seen.add(state)
    assert len(seen) == len(listed)
    for name, source in MOVES.items():
        written = json.loads(solver.positions.written(solver.state(name)))["patternData"]
        assert written["STICKERS"]["pieces"] == [COLOURS[i] for i in source]


def test_goals_in_places_of_the_file_are_refused(solver: DefinedSolver) -> None:
    """The number of a place of the file is no name of a joined place."""
    assert solver.puzzle.orbit("STICKERS-pieces").places == ("0_4", "1_5", "2_6", "3_7")
    for place in ("STICKERS/1", "STICKERS-pieces/1", "2"):
        with pytest.raises(UsageError, match="STICKERS-pieces: 0_4 1_5"):
            solver.goal(f"solved:{place}")


def test_stickers_that_show_no_piece_are_named(solver: DefinedSolver) -> None:
    text = solver.positions.written(solver.puzzle.solved)
    data = json.loads(text)
    pieces = data["patternData"]["STICKERS"]["pieces"]
    pieces[2], pieces[5] = pieces[5], pieces[2]
    with pytest.raises(StateError) as failure:
        solver.positions.from_written(json.dumps(data))
    assert failure.value.faults == ["the pieces at STICKERS 2, STICKERS 6 do not belong together"]


def test_pieces_that_move_alone_stay_as_they_are() -> None:
    """A piece whose places are all in one cycle is none: one move does not tell what is tied."""
    data = json.loads(kpuzzle())
    del data["moves"]["B"]
    definition = read_json(json.dumps(data), "file", "one move")
    assert joined(definition) is definition
