"""What the program itself shows and says in a language: texts by name, with fields in braces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TERMS = frozenset({"device", "reason", "meaning", "key"})
"""Fields whose values are words of the language, found among its terms."""


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
        return text.format_map(known)
