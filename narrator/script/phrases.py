"""Phrases as players say them: hassil templates, checked as far as the language package can."""

from __future__ import annotations

from collections.abc import Iterable

from narrator.script.builder import Builder
from narrator.script.source import Scalar

OPENING = {"[": "]", "(": ")", "{": "}", "<": ">"}


def phrases(b: Builder, words: Iterable[Scalar], slots: Iterable[str] = ()) -> tuple[str, ...]:
    """Give the phrases of a list; one that is no template is reported and left out."""
    found = []
    for word in words:
        problem = fault(word.text, set(slots))
        if problem:
            b.report.add("NS063", word.place, problem=problem)
        else:
            found.append(word.text.strip())
    return tuple(found)


def fault(template: str, slots: set[str]) -> str | None:
    """Say what is wrong with a template in one plain sentence; None where nothing is."""
    if not any(letter.isalnum() for letter in template):
        return "it holds no word"
    stack: list[str] = []
    for position, letter in enumerate(template, 1):
        if letter in OPENING:
            stack.append(OPENING[letter])
        elif letter in OPENING.values() and (not stack or stack.pop() != letter):
            return f"{letter} at position {position} closes nothing"
    return f"{stack[-1]} is missing" if stack else None
