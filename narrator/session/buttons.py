"""The answers that are awaited, as buttons: what each would type, and what stands on it."""

from __future__ import annotations

from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.language.messages import Messages
from narrator.listening.interpreter import Interpreter
from narrator.ports.page import Answers, Button, Picking
from narrator.session.keyboard_input import prompt

_MOST_NUMBERS = 60
"""Numbers that still fit as buttons; more are typed."""


def answers(listen: Listen, understanding: Interpreter) -> Answers:
    """Return what may be answered now; no buttons where nothing is asked."""
    expected = next(iter(listen.answers), None)
    if expected is None:
        return Answers("words", ())
    buttons, typed = _buttons(listen, expected, understanding), prompt(listen, understanding)
    labels = tuple(button.label for button in buttons if button.label)
    say = understanding.messages
    told = say.line("page say", words=say.listed(labels)) if labels else typed
    return Answers(_picking(expected), buttons, told, typed, int(expected.low), int(expected.high))


def _picking(expected: Expectation) -> Picking:
    if expected.kind in ("free", "sentence"):
        return "words"
    if expected.kind == "number" and expected.high - expected.low > _MOST_NUMBERS:
        return "words"
    if expected.kind == "letter" and not expected.allowed:
        return "words"
    return {"seats": "several", "points": "points"}.get(expected.kind, "one")  # type: ignore[return-value]


def _buttons(
    listen: Listen, expected: Expectation, understanding: Interpreter
) -> tuple[Button, ...]:
    messages = understanding.messages
    if expected.kind == "phrase":
        return (Button("", understanding.grammar(listen).sample(expected, None)),)
    if expected.kind == "yesno":
        return (Button("y", messages.line("key yes")), Button("n", messages.line("key no")))
    if expected.kind == "number" and expected.high - expected.low <= _MOST_NUMBERS:
        return tuple(Button(text, text) for text in _numbers(expected))
    if expected.kind == "choice":
        return tuple(
            _choice(listen, expected, value, understanding) for value, _ in expected.choices
        )
    return (*(Button(name, name) for name in expected.allowed), *_nobody(expected, messages))


def _numbers(expected: Expectation) -> list[str]:
    whole = [str(number) for number in range(int(expected.low), int(expected.high) + 1)]
    if not expected.halves:
        return whole
    return [text for number in whole for text in (number, f"{number}.5")][:-1]


def _choice(
    listen: Listen, expected: Expectation, value: str, understanding: Interpreter
) -> Button:
    """Return a button for one value: a sentence that means it, for its key may be no word."""
    said = understanding.grammar(listen).sample(expected, value)
    return Button(said or value, said or value)


def _nobody(expected: Expectation, messages: Messages) -> tuple[Button, ...]:
    word = messages.line("nobody")
    return (Button(word, word, is_whole=True),) if expected.nobody else ()
