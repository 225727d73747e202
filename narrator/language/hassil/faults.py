"""What is wrong with an intents file, and what of it is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and positions that lead to a value of the file."""
PlaceOf: TypeAlias = Callable[[Path], str]
"""Returns the place of a value for a message, `lights.yaml:3:7`; empty if unknown."""

_TOLD = 40
"""Notes of a file that are told one by one; a set that leaves out more has one cause for most."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, or what of it is left aside."""

    path: Path
    message: str
    """One plain sentence."""


class IntentsFault(ValueError):
    """No grammar can be made of a file."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(" ".join(f.message for f in faults))
        self.faults = tuple(faults)


def nowhere(path: Path) -> str:
    """Return no place: for content that comes from no file."""
    return ""


class Findings:
    """Collects faults and notes, each once.

    Args:
        place: Where a value stands.
        lenient: Whether a fault in one sentence leaves that sentence out, with a note, instead of
            refusing everything: for sets that somebody else wrote.
    """

    def __init__(self, place: PlaceOf = nowhere, *, lenient: bool = False) -> None:
        self.faults: list[Fault] = []
        self.lenient = lenient
        self._place = place
        self._notes: dict[str, list[Path]] = {}

    def fault(self, path: Path, message: str) -> None:
        """Report what is wrong."""
        if self.lenient:
            self.note(path, f"{message} What needs it is left out.")
        elif Fault(path, message) not in self.faults:
            self.faults.append(Fault(path, message))

    def note(self, path: Path, message: str) -> None:
        """Report what is ignored; the same words are reported once, with all their places."""
        places = self._notes.setdefault(message, [])
        if path not in places:
            places.append(path)

    @property
    def noted(self) -> list[Fault]:
        """What is left aside, as faults where nothing remains."""
        return [Fault(paths[0], message) for message, paths in self._notes.items()]

    def notes(self) -> tuple[str, ...]:
        """Return the notes, each with its place where one is known."""
        told = [self._told(message, paths) for message, paths in self._notes.items()]
        more = len(told) - _TOLD
        return (*told[:_TOLD], *([f"And {more} more of the kind."] if more > 0 else []))

    def _told(self, message: str, paths: Sequence[Path]) -> str:
        place = self._place(paths[0])
        more = f" (and {len(paths) - 1} more like it)" if len(paths) > 1 else ""
        return f"{place}{more}: {message}" if place else message
