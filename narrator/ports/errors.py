"""Faults a person can meet: one plain sentence each, and the remedy."""

from __future__ import annotations

from narrator.core.events import PortFailed
from narrator.ports.faults import FaultCode, FieldValue, Then


class NarratorError(Exception):
    """A fault a person can meet who writes games or looks after the program: told in English.

    What can be met while playing is a `PlayError`.
    """

    exit_code: int = 1

    def __init__(self, message: str, hint: str = "") -> None:
        """Take one plain sentence, and the remedy."""
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class PlayError(NarratorError):
    """A fault that can be met while playing: a code and fields, told in the table's language.

    Args:
        code: what is wrong.
        fields: what the sentence names, exactly those of the code.
    """

    def __init__(self, code: FaultCode, **fields: FieldValue) -> None:
        if set(fields) != set(code.fields):
            raise TypeError(f"{code.name} takes {code.fields}, not {tuple(fields)}")
        super().__init__(f"{code}: {fields}" if fields else str(code))
        self.code, self.fields = code, fields

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (type(self), self.code, self.fields)

    def event(self, port: str, *, recovered: bool = False, then: Then | None = None) -> PortFailed:
        """Return this as what a part of the outside world reports.

        Args:
            port: the part.
            recovered: whether it tells of the end of a fault.
            then: what follows for the table.
        """
        return PortFailed(
            port, self.code.value, dict(self.fields), recovered, then.value if then else ""
        )


def _made(kind: type[PlayError], code: FaultCode, fields: dict[str, FieldValue]) -> PlayError:
    return kind(code, **fields)


class RecogniserError(PlayError):
    """The recogniser or its model cannot be used."""

    exit_code = 3


class SynthesiserError(PlayError):
    """A line could not be turned into sound."""

    exit_code = 4


class SoundError(PlayError):
    """A sound device cannot be used."""

    exit_code = 5


class JournalError(PlayError):
    """The evening cannot be stored."""

    exit_code = 6
