"""Faults in a language: at the edge where they are shown, and nowhere below."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from narrator.language.messages import Messages, Told
from narrator.ports.errors import NarratorError, PlayError
from narrator.script.files.locales import load_locale

__all__ = ["Messages", "ToldError", "in_language", "report", "told"]


class ToldError(NarratorError):
    """A fault that was put into the language of the table."""

    def __init__(self, fault: PlayError, messages: Messages) -> None:
        """Take the fault's sentence and remedy from the language; keep its exit code."""
        told = messages.fault(fault.code, fault.fields)
        super().__init__(told.sentence, told.remedy)
        self.exit_code = fault.exit_code


def told(error: NarratorError, messages: Messages | None = None) -> Told:
    """Return an error's sentence and remedy.

    Args:
        error: what happened.
        messages: of the language; None: of English, as the commands beside a game speak it.
    """
    if not isinstance(error, PlayError):
        return Told(error.message, error.hint)
    known = messages or load_locale("en").messages
    return known.fault(error.code, error.fields)


def report(name: str, /, **fields: object) -> str:
    """Return what a command beside a game tells, by its name."""
    return load_locale("en").messages.told(name, **fields)


@contextmanager
def in_language(messages: Messages) -> Iterator[None]:
    """Translate every fault raised within; raises it as a ToldError."""
    try:
        yield
    except PlayError as fault:
        raise ToldError(fault, messages) from fault
