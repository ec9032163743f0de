"""Fewer subtrees for a state that symmetries map to itself.

The symmetries map the answers of the state to its answers, so of the words with which answers begin
one of each class is searched.

Even fewer are left for a state that commutes with every move and is its own inverse, such as the
superflip of the 3x3x3. Every cyclic shift of an answer is an answer, too. So is its inverse, and so
are its images under the symmetries of the state. So the words of three moves form classes: if a
word of a class occurs in an answer, each word of the class begins an answer of the same length. The
classes have an order. The search of a class begins with one of its words, and omits all words of
earlier classes.

M. Reid used such shifts to prove that the superflip needs 20 face turns ("superflip requires 20
face turns", Cube-Lovers, 1995).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from puzzlekit import Move, Puzzle
from puzzlekit.engine.automaton import MERGES, REORDERED, REPLACED, Automaton, Pairs

__all__ = ["ShiftedRoot", "Word", "in_order", "is_central", "shifted_roots", "unlike_words"]

#: Indices of moves.
Word = tuple[int, ...]

_LENGTH = 3  # most moves of a word; with 4 it takes longer to prepare than to search
_STATES = 100_000  # of an automaton; with more, words are shorter


class ShiftedRoot(NamedTuple):
    """The root of a subtree: its moves, and the states of the automaton on both sides."""

    path: Word
    before: int
    behind: int


def shifted_roots(
    automaton: Automaton,
    pairs: Pairs,
    images: Sequence[Sequence[int]],
    inverse: Sequence[int] | None,
    normal: Callable[[Word], Word],
) -> tuple[Automaton, list[ShiftedRoot]] | None:
    """Return the subtrees to search, and an automaton that omits the words of earlier classes.

    - `automaton`, `pairs`: which moves may follow which (see `pruned_pairs`).
    - `images`: the symmetries of the state. Each lists the indices of the images of the moves.
    - `inverse`: the index of the inverse of each move, which costs as much as the move. None if a
      move has no such inverse: then inverses of answers may not be answers of the same cost.
    - `normal`: returns the same word for words that differ only in the order of commuting moves.

    Returns None if moves replace each other in another way than by merging or reordering, or if
    there are too many moves.

    >>> swap = [[1]]  # one move, which undoes itself: no words of three moves
    >>> shifted_roots([[(0, 1)], []], swap, [[0]], [0], tuple)
    ([], [])
    """
    if any(REPLACED in row for row in pairs):
        return None
    # The canonical words of each length, with the states of the automaton after them.
    levels: list[dict[Word, int]] = [{(): 0}]
    for _ in range(_LENGTH):
        states = sum(map(len, levels)) * len(levels[-1]) * len(pairs) // (2 * len(images))
        if states > _STATES:
            break
        levels.append(
            {(*word, n): to for word, state in levels[-1].items() for n, to in automaton[state]}
        )
    kept = len(levels) - 2  # moves that a state of the automaton remembers
    if kept < 1:
        return None
    begun = {word: state for level in levels[:-1] for word, state in level.items()}
    classes = _classes(levels[-1], images, inverse, normal)
    if not all(any(_is_closed(word, pairs) for word in each) for each in classes):
        return None

    def first(words: Sequence[Word]) -> Word:
        return next(word for word in words if _is_closed(word, pairs))

    def order(words: Sequence[Word]) -> tuple[bool, int]:
        """Large classes come first: many words are omitted soon. This order was measured."""
        neighbours = zip(first(words), first(words)[1:], strict=False)
        return any(normal(pair) == normal(pair[::-1]) for pair in neighbours), -len(words)

    classes.sort(key=order)
    rank = {word: number for number, words in enumerate(classes) for word in words}
    index = {word: number for number, word in enumerate(begun)}
    omitting: Automaton = []
    roots = []
    for number, words in enumerate(classes):
        start = len(omitting)
        for word, state in begun.items():
            longer = [(*word, n) for n, _ in automaton[state]]
            omitting.append(
                [
                    (each[-1], start + index[each[-kept:]])
                    for each in longer
                    if rank.get(each, number) >= number
                ]
            )
        path = first(words)
        roots.append(ShiftedRoot(path, start + index[path[1:]], start))
    return omitting, roots


def unlike_words(
    words: Sequence[Word],
    pairs: Pairs,
    images: Sequence[Sequence[int]],
    normal: Callable[[Word], Word],
) -> set[Word]:
    """Return the words to search of all words of one length with which answers may begin.

    Of the words that symmetries map to each other, one is left. It is a word that every canonical
    sequence equal to this word and more moves begins with. All words of a class without such a word
    are left. For the parameters see `shifted_roots`.
    """
    found: set[Word] = set()
    for alike in _classes(words, images, None, normal):
        closed = [word for word in alike if _is_closed(word, pairs)]
        found.update(closed[:1] or alike)
    return found


def _classes(
    words: Iterable[Word],
    images: Sequence[Sequence[int]],
    inverse: Sequence[int] | None,
    normal: Callable[[Word], Word],
) -> list[list[Word]]:
    """Return the classes of words under symmetries, and under inversion with `inverse`."""
    members: dict[Word, list[Word]] = {}  # a class has one list for all its normal forms
    for word in words:
        key = normal(word)
        if key not in members:
            alike: list[Word] = []
            for image in images:
                carried = tuple(image[move] for move in word)
                members[normal(carried)] = alike
                if inverse is not None:
                    members[normal(tuple(inverse[move] for move in carried[::-1]))] = alike
        members[key].append(word)
    return list({id(each): each for each in members.values()}.values())


def _is_closed(word: Word, pairs: Pairs) -> bool:
    """Whether every canonical sequence equal to this word and more moves begins with this word.

    Otherwise a move may follow that comes before the last move in the order of the moves, or that
    replaces it together with that move.
    """
    *_, before, last = (None, *word)
    return all(
        reason != REPLACED
        and (reason != REORDERED or (before is not None and pairs[before][move] == MERGES))
        for move, reason in enumerate(pairs[last])
    )


def is_central(puzzle: Puzzle, state: bytes, moves: Sequence[Move]) -> bool:
    """Whether a state commutes with every move and is its own inverse."""
    return puzzle.invert(state) == state and all(
        puzzle.apply(state, [move])
        == puzzle.relabel_to(state, puzzle.apply(puzzle.solved, [puzzle.inverse(move)]))
        for move in moves
    )


def in_order(
    path: Sequence[int], moves: Sequence[Move], commute: Callable[[Move, Move], bool]
) -> tuple[int, ...]:
    """Return an equivalent sequence of moves in which commuting moves have a fixed order.

    `path` and the result are indices of `moves`. `commute` returns whether two moves commute. If
    two sequences differ only in the order of commuting moves, the results are equal: the Foata
    normal form. P. Cartier and D. Foata, "Problèmes combinatoires de
    commutation et réarrangements", 1969.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> moves = cube.moves("U D R")
    >>> in_order([2, 1, 0], moves, cube.commute), in_order([2, 0, 1], moves, cube.commute)
    ((2, 0, 1), (2, 0, 1))
    """
    steps: list[list[int]] = []
    for number in path:
        at = len(steps)
        while at and all(commute(moves[number], moves[other]) for other in steps[at - 1]):
            at -= 1
        if at == len(steps):
            steps.append([])
        steps[at].append(number)
    return tuple(number for step in steps for number in sorted(step))
