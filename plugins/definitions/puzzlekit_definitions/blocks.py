"""The constraint for pieces that are glued together, from the blocks of a definition."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from puzzlekit.errors import DefinitionError
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit.puzzle.orbit import Bandaged
from puzzlekit_definitions.definition import Block, DefinedMove, Definition
from puzzlekit_definitions.moves import Families
from puzzlekit_definitions.orbits import DefinedOrbit


def glued(
    definition: Definition,
    moves: Sequence[DefinedMove],
    parts: Sequence[DefinedOrbit],
    families: Families,
) -> tuple[Bandaged, ...]:
    """Return what keeps the blocks of a definition together; nothing if it has none.

    A piece that moves only turn, and whose orientation is not told apart, such as a center of a
    cube, is no part of the state. The constraint has the families that turn it.
    """
    blocks: list[dict[str, str]] = []
    centers: list[str | None] = []
    for block in _joined(definition.blocks):
        named: dict[str, list[str]] = {}
        turning: list[list[str]] = []
        for name, number in block.pieces:
            part = next(p for p in parts if p.of.name == name and number in (*p.pieces, *p.places))
            if part.pieces.count(number) != 1:
                like = "like another" if number in part.pieces else "nowhere"
                problem = f"which is {like} in the solved state"
                raise _cannot(definition, block, part, number, problem)
            home = part.home(number)
            if part.orbit is None:
                turned: dict[str | None, dict[bool, str]] = {}
                for move in moves:
                    does = _turns(move, name, part.places[home])
                    turned.setdefault(families.family(move.name), {})[does] = move.name
                turned.pop(None, None)  # moves that change nothing else
                for own in turned.values():
                    if len(own) > 1:
                        problem = f"since {own[True]} turns it, and its power {own[False]} does not"
                        raise _cannot(definition, block, part, number, problem)
                turning.append([family for family, own in turned.items() if True in own and family])
                continue
            alike = part.stickers and part.moduli[home] < part.orientations
            if alike or any(_turns_unseen(move, part) for move in moves):
                problem = f"since orientations of {name}, which moves change, are not told apart"
                raise _cannot(definition, block, part, number, problem)
            place, sides = part.place(home), range(part.orientations)
            labels = [f"{place}/{side}" for side in sides] if part.stickers else [place]
            named.setdefault(part.orbit.name, []).extend(labels)
        if any({*each} != {*turning[0]} for each in turning):
            raise DefinitionError(
                "Block joins pieces that different moves turn, so none of these moves is possible",
                definition.source,
                block.where,
            )
        if named and (turning or sum(map(len, named.values())) > 1):
            blocks.append({orbit: " ".join(names) for orbit, names in named.items()})
            centers.append(" ".join(turning[0]) if turning else None)
    return (Bandaged(tuple(blocks), tuple(centers)),) if blocks else ()


def _cannot(
    definition: Definition, block: Block, part: DefinedOrbit, number: int, problem: str
) -> DefinitionError:
    words = f"Block cannot join {part.piece} {number + part.first}, {problem}"
    return DefinitionError(words, definition.source, block.where)


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks, those with a common piece as one."""
    found: list[Block] = []
    for block in blocks:
        apart = [each for each in found if not {*each.pieces} & {*block.pieces}]
        for each in found:
            if each not in apart:
                block = Block(tuple(dict.fromkeys(each.pieces + block.pieces)), each.where)
        found = [*apart, block]
    return found


def _turns(move: DefinedMove, name: str, place: int) -> bool:
    """Whether the file says that a move turns the piece at a place."""
    change = move.changes.get(name)
    return (name, place) in move.turned or (change is not None and change.turns[place] > 0)


def _turns_unseen(move: DefinedMove, part: DefinedOrbit) -> bool:
    """Whether a power of a move turns a piece where it is, and the state does not show that."""
    change = move.changes.get(part.of.name)
    if change is None:
        return False
    own = part.change(change)
    for cycle in orbits_of(len(part.places), [own.source]):
        # The first power that brings these pieces back as the state shows them.
        power = part.orientations // gcd(sum(own.turns[i] for i in cycle), part.orientations)
        turned = power * sum(change.turns[part.places[i]] for i in cycle)
        alone = len(cycle) == 1 and (part.of.name, part.places[cycle[0]]) in move.turned
        if alone or turned % part.of.orientations:
            return True
    return False
