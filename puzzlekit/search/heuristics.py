"""The heuristic of each phase of a method, read from a string."""

from __future__ import annotations

from puzzlekit.errors import UsageError
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.method import Method
from puzzlekit.search.registry import find_heuristic

__all__ = ["parse_heuristics"]


def parse_heuristics(method: Method, heuristic: str | Heuristic | None) -> tuple[Heuristic, ...]:
    """Return the heuristic of each phase. The default is the one that the phase declares.

    A string such as "sum" or "blended:a=3" applies to all phases. A string such as
    "0=sum/finish=blended:a=3" applies to the phases that it names, by number or name. All other
    phases have their defaults. Raises UsageError if the string cannot be read.

    >>> import puzzlekit
    >>> method = puzzlekit.load("cube3").method("two-phase")
    >>> parse_heuristics(method, "finish=sum")
    (Max(), Sum())
    """
    if heuristic is None:
        return tuple(phase.heuristic for phase in method.phases)
    if not isinstance(heuristic, str):
        return (heuristic,) * len(method.phases)
    if "/" not in heuristic and not _names_phase(heuristic):
        return (find_heuristic(heuristic),) * len(method.phases)
    chosen: dict[int, Heuristic] = {}
    for part in heuristic.split("/"):
        if not _names_phase(part):
            known = ", ".join(f"{number} {each.name}" for number, each in enumerate(method.phases))
            raise UsageError(
                f"{part!r} names no phase; write 0=max, for example; {method.name} has the phases "
                f"{known}"
            )
        name, _, text = part.partition("=")
        number = method.phase_number(name.strip())
        if number in chosen:
            phase = method.phases[number].name
            raise UsageError(f"phase {number} {phase} has more than one heuristic")
        chosen[number] = find_heuristic(text)
    return tuple(chosen.get(number, phase.heuristic) for number, phase in enumerate(method.phases))


def _names_phase(text: str) -> bool:
    return "=" in text.partition(":")[0]
