"""Which heuristic joins the distances in each phase of a method, and the text that says so."""

from __future__ import annotations

from puzzlekit.errors import UsageError
from puzzlekit.heuristic.heuristic import Heuristic, Max
from puzzlekit.heuristic.registry import find_heuristic
from puzzlekit.method.method import Method


def parse_heuristics(method: Method, heuristic: str | Heuristic | None) -> tuple[Heuristic, ...]:
    """The heuristic of each phase: max unless others are given.

    A text such as "sum" or "blended:a=3" is for all phases, one such as "0=sum/finish=blended:a=3"
    for the phases that it names, by their numbers or their names. A UsageError says what is wrong
    with it.

    >>> import puzzlekit
    >>> method = puzzlekit.load("cube3").method("two-phase")
    >>> parse_heuristics(method, "finish=sum")
    (Max(), Sum())
    """
    if heuristic is None:
        return (Max(),) * len(method.phases)
    if not isinstance(heuristic, str):
        return (heuristic,) * len(method.phases)
    if "/" not in heuristic and not _names_phase(heuristic):
        return (find_heuristic(heuristic),) * len(method.phases)
    chosen: dict[int, Heuristic] = {}
    for part in heuristic.split("/"):
        if not _names_phase(part):
            known = ", ".join(f"{number} {each.name}" for number, each in enumerate(method.phases))
            raise UsageError(
                f"{part!r} does not say for which phase it is, as 0=max does; {method.name} has "
                f"{known}"
            )
        name, _, text = part.partition("=")
        number = method.phase_number(name.strip())
        if number in chosen:
            phase = method.phases[number].name
            raise UsageError(f"phase {number} {phase} is given more than one heuristic")
        chosen[number] = find_heuristic(text)
    return tuple(chosen.get(number, Max()) for number in range(len(method.phases)))


def _names_phase(text: str) -> bool:
    return "=" in text.partition(":")[0]
