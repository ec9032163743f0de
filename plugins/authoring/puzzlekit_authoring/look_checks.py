"""Checks of a puzzle's stickers and vectors, its named goals, and metrics that only sort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from puzzlekit import FaceletLayout, Move
from puzzlekit.errors import PuzzlekitError
from puzzlekit.puzzle.move import act, invert
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.position import format_vectors, parse_vectors
from puzzlekit.puzzle.sticker_reading import read_facelets
from puzzlekit.puzzle.stickers import appearance
from puzzlekit_authoring.checks import PUZZLE, Target, check, fail, skip
from puzzlekit_authoring.move_checks import COUNTED, HAS_MOVES, SOUND
from puzzlekit_steps import Goal
from puzzlekit_steps.goal import Condition

_STATES = 6  # random states of a check
_LANGUAGES = ("en", "de", "fr", "es", "ja", "zh")  # those of the page
PLACED = "every sticker is in one place"


@check("named goals can be tested", PUZZLE, needs=(HAS_MOVES,))
def goals(target: Target) -> None:
    """Each goal names pieces of the puzzle. Where its conditions hold, their needs hold too."""
    puzzle, named = target.puzzle, target.solver.catalogue.goals
    if not named:
        skip("it names no goals")
    walked = target.walk(target.all_moves, _STATES)
    states = [puzzle.solved, *(state for _, state in walked)]
    for goal in named.values():
        try:
            for state in states:
                goal.reached(puzzle, state)
            for condition in {each for case in goal.cases for each in case.conditions}:
                _check_condition(target, cast(Goal, goal), condition, states)
        except PuzzlekitError as error:
            fail(f"the goal {goal.name} cannot be tested: {error}")


def _check_condition(
    target: Target, goal: Goal, condition: Condition, states: Sequence[bytes]
) -> None:
    """Fail if a condition contradicts its `needs` or its `is_kept`."""
    puzzle = target.puzzle
    test = condition.test(puzzle)
    where = f"{goal.name}: {condition.words}"
    for state in filter(test, states):
        for orbit, home, placed, turned in condition.needs(puzzle):
            labels, turns = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
            own = orbit.solved[home]
            if placed and labels[home] != own:
                fail(f"{where}: {orbit.places[home]} is not at home, although it needs to be")
            if turned and orbit.distinct and turns[labels.index(own)]:
                fail(f"{where}: {orbit.places[home]} is twisted, although it must not be")
    for held in puzzle.whole_rotations[1:]:
        if condition.is_kept(puzzle, held):
            back = invert(held, puzzle.modulus)
            for state in states:
                seen = act(puzzle.relabel(state, back), *held, puzzle.modulus)
                if test(seen) != test(state):
                    fail(f"{where}: a rotation changes the condition, although `is_kept` denies it")


@check("rankings count every move", PUZZLE, needs=(HAS_MOVES, COUNTED))
def rankings(target: Target) -> None:
    """Each metric for sorting has a cost of at least 0 for each move of the default method."""
    own = [
        metric
        for metric in target.solver.catalogue.rankings.values()
        if metric not in target.puzzle.metrics
    ]
    if not own:
        skip("it has no metrics only for sorting")
    moves = {
        move
        for phase in target.solver.method().phases
        if phase.view is None
        for move in phase.allowed(target.puzzle)
    }
    for metric in own:
        for move in moves:
            try:
                cost = metric.total((move,))
            except PuzzlekitError as error:
                fail(f"{metric.name}: {error}")
            if cost < 0:
                fail(f"{metric.name}: {move.name} costs {cost}")


def _layout(target: Target) -> FaceletLayout:
    layout = target.puzzle.layout
    if layout is None:
        skip("it has no layout")
    return layout


@check(PLACED, PUZZLE)
def placed(target: Target) -> None:
    """Each facelet has one face and at most one place, and pieces show their orientations."""
    layout = _layout(target)
    count = len(layout.face_of)
    if set(layout.face_of) != set(range(len(layout.faces))):
        fail(f"face_of has to name each of the {len(layout.faces)} faces, by 0, 1, 2 and so on")
    uses: Counter[int] = Counter()
    for orbit in target.puzzle.orbits:
        if orbit.name not in layout.places:
            fail(f"the layout has no places for the {orbit.name}")
        places = layout.places[orbit.name]
        if len(places) != orbit.size:
            fail(f"the layout has {len(places)} places for the {orbit.name}, not {orbit.size}")
        around = {len(place) for place in places}
        if len(around) != 1 or 0 in around:
            fail(f"all places of the {orbit.name} have to show the same number of stickers")
        for place in places:
            uses.update(place)
    for facelet, times in uses.items():
        if not 0 <= facelet < count:
            fail(f"there is no facelet {facelet}: face_of has {count}, from 0")
        if times > 1:
            fail(f"the facelet {layout.name(facelet)} ({facelet}) is in {times} places")


@check("the net shows every sticker once", PUZZLE, needs=(PLACED,))
def net(target: Target) -> None:
    """Each facelet is in one cell of the net, and no cell has anything else."""
    layout = _layout(target)
    if not layout.net:
        skip("its layout has no net")
    shown = Counter(cell for row in layout.net for cell in row if cell is not None)
    for facelet in range(len(layout.face_of)):
        if shown[facelet] != 1:
            times = f"{shown[facelet]} times" if shown[facelet] else "nowhere"
            fail(f"the net shows the facelet {layout.name(facelet)} ({facelet}) {times}")
    for facelet in shown:
        if not 0 <= facelet < len(layout.face_of):
            fail(f"the net shows a facelet {facelet}, which does not exist")


@check("colour schemes have a letter for each face", PUZZLE)
def schemes(target: Target) -> None:
    """There is one letter and one colour for each face, and each scheme has a letter for it."""
    layout = _layout(target)
    if len(set(layout.faces)) != len(layout.faces):
        fail(f"two faces have the same letter: {layout.faces}")
    if len(layout.colours) != len(layout.faces):
        fail(f"{len(layout.colours)} colours are named for {len(layout.faces)} faces")
    for name, letters in layout.schemes.items():
        if len(letters) != len(layout.faces):
            fail(f"the scheme {name} has {len(letters)} letters for {len(layout.faces)} faces")
        if len(set(letters)) != len(letters):
            fail(f"the scheme {name} gives two faces the same letter: {letters}")


@check("stickers are read back to the state", PUZZLE, needs=(PLACED, SOUND))
def stickers(target: Target) -> None:
    """Reading the facelets of a state gives the state again, in every colour scheme."""
    puzzle = target.puzzle
    if puzzle.layout is None and puzzle.has_facelets:
        for state in target.states(target.all_moves, target.effort.samples):
            if read_facelets(puzzle, facelets(puzzle, state)) != state:
                fail(f"the text {facelets(puzzle, state)} is read as another state")
        return
    layout = _layout(target)
    # Orientations that stickers do not show, such as those of plain centers, are read as 0.
    plain = any(len(look.reading) < len(look.shown) for look in appearance(puzzle).orbits)
    for state in target.states(target.all_moves, target.effort.samples):
        looks = facelets(puzzle, state)
        for scheme, letters in [(None, layout.faces), *layout.schemes.items()]:
            text = looks.translate(str.maketrans(layout.faces, letters))
            try:
                read = read_facelets(puzzle, text, scheme)
            except PuzzlekitError as error:
                fail(f"the stickers {text} of a reachable state are refused: {error}")
            if read != state and not (plain and facelets(puzzle, read) == looks):
                fail(
                    f"the stickers {text} are read as another state than the one that shows "
                    "them: two states look the same"
                )


@check("vectors are read back to the state", PUZZLE, needs=(SOUND,))
def vectors(target: Target) -> None:
    """Reading the vectors of a state gives the state again."""
    puzzle = target.puzzle
    if not any(orbit.vectors for orbit in puzzle.orbits):
        skip("it names no vectors")
    names = [name for orbit in puzzle.orbits for name in orbit.vectors]
    if len(set(names)) < len(names):
        fail(f"two vectors have the same name: {' '.join(names)}")
    whole = all(len(orbit.vectors) == orbit.width // orbit.size for orbit in puzzle.orbits)
    for state in target.states(target.all_moves, target.effort.samples if whole else 0):
        found = format_vectors(puzzle, state)
        text = " ".join(f"{name} {' '.join(map(str, block))}" for name, block in found.items())
        if whole and parse_vectors(puzzle, text) != state:
            fail(f"the vectors {text} are read back as another state")


@check("words for moves differ", PUZZLE, needs=(SOUND,))
def words(target: Target) -> None:
    """In each language, moves with different results have different words, or none has any."""
    puzzle, told = target.puzzle, target.puzzle.move_words
    if told is None:
        skip("it has no words for moves")
    for state in target.states(target.all_moves, _STATES):
        for language in (*_LANGUAGES, "unknown"):
            said: dict[object, Move] = {}
            for move in target.possible(target.all_moves, state):
                text = told(move, state, language)
                if not isinstance(text, str):
                    fail(f"the words of {move.name} in {language!r} are {text!r}, not a text")
                first = said.setdefault(text, move)
                same = puzzle.apply(state, [first]) == puzzle.apply(state, [move])
                if text and not same:
                    fail(f"{first.name} and {move.name} have the same words: {text!r}")
            if language == "unknown" and any(said):
                fail("it has words in an unknown language; return an empty text")
            if "" in said and any(said):
                fail(f"{said[''].name} has no words in {language!r}, but other moves have")
