"""What the program itself shows and says in a language: texts by name, with fields in braces.

After a colon a field has the words for its number, in the order in which CLDR lists a language's
plurals: English `{count} {count:game|games}`.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

TERMS = frozenset({"device", "reason", "meaning", "key"})
"""Fields whose values are words of the language, found among its terms."""


def one_or_other(number: float) -> int:
    """Return 0 for one and 1 for every other number, as English and most languages of Europe do."""
    return int(number != 1)


@dataclass(frozen=True, slots=True)
class Told:
    """A fault in a language: what is wrong, and what to do about it; the latter may be empty."""

    sentence: str
    remedy: str = ""

    def __str__(self) -> str:
        """Return both in one line."""
        return f"{self.sentence} {self.remedy}".strip()


@dataclass(frozen=True, eq=False)
class Messages:
    """One language's texts for faults, answers to keys, prompts and reports."""

    faults: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By code: a sentence, and the remedy where there is one."""
    then: Mapping[str, str] = field(default_factory=dict)
    """What follows from a fault for the table."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """Words that stand in the sentences: devices, and why a file cannot be used."""
    shown: Mapping[str, str] = field(default_factory=dict)
    """Everything else, by name."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """What the commands beside a game tell, by name; they speak English."""
    plural: Callable[[float], int] = one_or_other
    """Takes a number; gives the place of its words among those of a field."""

    def fault(self, code: str, fields: Mapping[str, object]) -> Told:
        """Return a fault's sentence and remedy; a code of a later release is shown as it is."""
        texts = self.faults.get(code, (f"{code}.",))
        return Told(*(self._filled(text, fields) for text in texts[:2]))

    def event(self, code: str, fields: Mapping[str, object], then: str = "") -> str:
        """Return a fault in one line, with what follows from it for the table."""
        return f"{self.fault(code, fields)} {self.then.get(then, '')}".strip()

    def line(self, name: str, /, **fields: object) -> str:
        """Return a text by its name, with its fields filled in."""
        return self._filled(self.shown[name], fields)

    def told(self, name: str, /, **fields: object) -> str:
        """Return what a command tells, by its name, with its fields filled in."""
        return self._filled(self.commands[name], fields)

    def listed(self, words: tuple[str, ...]) -> str:
        """Return words as a choice: `Ana, Ben or nobody`."""
        if len(words) < 2:
            return "".join(words)
        return self.line("either", first=", ".join(words[:-1]), last=words[-1])

    def _filled(self, text: str, fields: Mapping[str, object]) -> str:
        known = {
            name: self.terms.get(str(value), value) if name in TERMS else value
            for name, value in fields.items()
        }
        return _Filling(self.plural).vformat(text, (), known)


class _Filling(string.Formatter):
    """Fills in fields, and chooses words by number."""

    def __init__(self, plural: Callable[[float], int]) -> None:
        self._plural = plural

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a field's value, or the words for its number."""
        if "|" not in format_spec:
            return str(super().format_field(value, format_spec))
        forms = format_spec.split("|")
        try:
            return forms[self._plural(float(str(value).replace(",", "")))]
        except ValueError:  # a stored fault may have anything as its number
            return forms[-1]
