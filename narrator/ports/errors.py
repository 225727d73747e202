"""Faults a person can meet: one plain sentence each, and the remedy."""

from __future__ import annotations


class NarratorError(Exception):
    """A fault a person can meet: one plain sentence, and the remedy."""

    code: str = "narrator"
    exit_code: int = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class RecogniserError(NarratorError):
    """The recogniser or its model cannot be used."""

    code = "recogniser"
    exit_code = 3


class SynthesiserError(NarratorError):
    """A line could not be turned into sound."""

    code = "synthesiser"
    exit_code = 4


class SoundError(NarratorError):
    """A sound device cannot be used."""

    code = "sound"
    exit_code = 5


class JournalError(NarratorError):
    """The evening cannot be stored."""

    code = "journal"
    exit_code = 6
