"""The answers that a question lists: each is typed by its words, its name or its number."""

from __future__ import annotations

from narrator.core.effects import Listen
from narrator.core.expect import Expectation, Meaning
from narrator.core.steps.asked.answers import OR
from narrator.language.text import normalise
from narrator.listening.interpreter import Interpreter


def listed(listen: Listen, understanding: Interpreter) -> tuple[tuple[str, str], ...]:
    """Return the values that may be chosen, each with the words to be typed for it, in order."""
    expected = _choice(listen)
    if expected is None:
        return ()
    grammar = understanding.grammar(listen)
    values = (value for value, _ in expected.choices)
    return tuple((v, grammar.sample(expected, v) or v) for v in values)


def first_of(listen: Listen) -> Meaning | None:
    """Return the first of the answers that are listed; None where none are."""
    expected = _choice(listen)
    return Meaning(expected.intent, expected.choices[0][0]) if expected else None


def named(listen: Listen, text: str) -> Meaning | None:
    """Return the answer of this name, or of this number in the list; None where there is none."""
    wanted = _plain(text)
    expected = _choice(listen)
    values = [value for value, _ in expected.choices] if expected else []
    found = [value for value in values if _plain(value) == wanted]
    if not found and wanted.isdecimal() and len(wanted) < 4 and 0 < int(wanted) <= len(values):
        found = [values[int(wanted) - 1]]
    if expected and found:
        return Meaning(expected.intent, found[0])
    instead = (e for e in listen.answers if _is_whole_sentence(e))
    return next(
        (Meaning(e.intent, {}) for e in instead if _plain(e.intent[len(OR) :]) == wanted), None
    )


def _choice(listen: Listen) -> Expectation | None:
    return next((e for e in listen.answers if e.kind == "choice" and e.choices), None)


def _is_whole_sentence(expected: Expectation) -> bool:
    """Whether one of the sentences that may be said instead says everything without a slot."""
    return expected.intent.startswith(OR) and any("{" not in t for t in expected.templates)


def _plain(text: str) -> str:
    return normalise(text.replace("_", " "))
