"""What must hold after every event of a game, whatever the table does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from narrator.core.effects import CountDown, Effect, Finish, Listen, Refused, Say, Show
from narrator.core.engine import Engine
from narrator.core.expect import Expectation
from narrator.core.game import Game, Line, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Timer
from narrator.core.steps.program import Program
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.steps.spoken.say import Say as SayStep
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Expression, ExpressionError, Seat, Value
from narrator.language.grammar.expectation import GrammarError
from narrator.language.grammar.grammar import Grammar, compile_grammar
from narrator.language.locale import Locale

SENTINEL = "somebody else"
"""Stands for what a secret might be as well."""
SLACK = 1e-6


@dataclass(slots=True)
class Numbers:
    """The last numbers that were given out."""

    listen: int = 0
    utterance: int = 0
    ended: bool = False


class Checks:
    """The checks for one game; knows nothing of how the engine does it.

    Args:
        game: The script.
        locale: Its language, to check that every answer can be said; None: that is not checked.
    """

    def __init__(self, game: Game, locale: Locale | None) -> None:
        self._game = game
        self._locale = locale
        self._program = Program(game)
        self._looked_at: set[object] = set()
        self._said: dict[object, bool] = {}

    def faults(
        self, engine: Engine, effects: Sequence[Effect], now: float, numbers: Numbers
    ) -> list[str]:
        """Return what does not hold after an event, each in a plain sentence."""
        found = _effects(effects, numbers)
        found += _timers(engine, now)
        found += [
            f"The public view shows the secret `{name}`."
            for name in sorted(self._game.secrets & engine.public().keys())
        ]
        if engine.at() not in self._program.steps and engine.at() not in ("ready", "ended"):
            found.append(f"The game is at `{engine.at()}`, which is no step.")
        found += self._leaks(engine)
        found += [f for e in effects if isinstance(e, Listen) for f in self._unsayable(engine, e)]
        return found

    def _leaks(self, engine: Engine) -> list[str]:
        """Find lines and waits of a secret phase that would differ if a secret did."""
        step = self._program.steps.get(engine.at())
        known = self._game.secrets & engine.state.variables.keys()
        if step is None or not known or not self._phase_is_secret(engine.at()):
            return []
        state = engine.state
        scope = _scope(self._game, engine)
        other = scope | {name: _other(state.variables[name]) for name in known}
        return [
            f"At `{engine.at()}`, what is said or how long it takes depends on a secret."
            for expression in _heard(step)
            if _value(expression, scope) != _value(expression, other)
        ]

    def _phase_is_secret(self, path: str) -> bool:
        return self._program.phases[path.split("/", 1)[0]].eyes_closed

    def _unsayable(self, engine: Engine, listen: Listen) -> list[str]:
        """Find answers that nobody could give in words; each set of answers is looked at once."""
        seats = engine.state.seats
        # Commands never take an answer's words from it, and cost most of the time.
        asked = listen.answers
        key = (asked, len(seats))
        if self._locale is None or not asked or key in self._looked_at:
            return []
        self._looked_at.add(key)
        heard = tuple(_as_heard(e, seats) for e in asked)
        try:
            grammar = compile_grammar(heard, seats, self._locale)
        except GrammarError as fault:
            return [f"At `{listen.step}` nobody can be understood: {fault}"]
        return [
            f"At `{listen.step}` there is no way to say {value!r}."
            for number, expected in enumerate(asked)
            if not expected.amends  # its values were looked at where they were asked for
            for value in (*expected.allowed, *(v for v, _ in expected.choices))
            if not self._can_be_said(grammar, heard[number], value)
        ]

    def _can_be_said(self, grammar: Grammar, expected: Expectation, value: str) -> bool:
        """Whether a grammar has words for an answer; each is looked for once."""
        key = (grammar.key, expected, value)
        if key not in self._said:
            self._said[key] = bool(grammar.sample(expected, _as_answer(expected, value)))
        return self._said[key]


def _as_heard(expected: Expectation, seats: Sequence[Seat]) -> Expectation:
    """Let everybody be named: a grammar hears every seat of the table, acceptable or not, so that
    one grammar serves all questions that differ in nothing else.
    """
    if expected.kind not in ("seat", "seats", "points"):
        return expected
    return replace(expected, allowed=tuple(seat.name for seat in seats))


def _as_answer(expected: Expectation, value: Value) -> Value:
    """Return an answer of this kind that holds one of its values."""
    if expected.kind == "points":
        return {str(value): max(expected.low, min(expected.high, 1))}
    return [value] if expected.kind == "seats" else value


def _effects(effects: Sequence[Effect], numbers: Numbers) -> list[str]:
    found = []
    for effect in effects:
        if numbers.ended and not isinstance(effect, Refused):
            found.append(f"After the end of the game there was {type(effect).__name__}.")
        if isinstance(effect, Listen):
            found += _grows("listen", numbers.listen, effect.listen)
            numbers.listen = effect.listen
        elif isinstance(effect, (Say, CountDown)):
            found += _grows("utterance", numbers.utterance, effect.utterance)
            numbers.utterance = effect.utterance
            if isinstance(effect, Say) and not effect.text:
                found.append(f"The line `{effect.line}` is empty.")
        elif isinstance(effect, Show) and "fault" in effect.text:
            found.append(effect.text)
        elif isinstance(effect, Finish):
            numbers.ended = True
    return found


def _grows(name: str, before: int, now: int) -> list[str]:
    return [] if now > before else [f"The {name} number went from {before} to {now}."]


def _timers(engine: Engine, now: float) -> list[str]:
    found = []
    for name, timer in engine.state.timers.items():
        if timer.remaining < 0 or (timer.due is not None and timer.due < 0):
            found.append(f"The timer `{name}` is negative.")
        if engine.is_paused and timer.due is not None:
            found.append(f"The timer `{name}` runs on in a pause.")
    if (engine.opens_at(now) or now) > now + 86_400:
        found.append("An answer would count only after more than a day.")
    return found


def _scope(game: Game, engine: Engine) -> dict[str, Value]:
    state = engine.state
    names: list[Value] = list(state.names())
    builtin: Mapping[str, Value] = {
        "title": game.title,
        "n": len(names),
        "seats": names,
        "totals": dict(state.totals),
    }
    return {**builtin, **state.settings, **state.posts, **state.variables}


def _heard(step: Step) -> list[Expression]:
    """Return the expressions of a step that the table can hear, in words or in time."""
    if isinstance(step, SayStep):
        return [step.line.text]
    if isinstance(step, Countdown):
        return [step.line.text, step.beat]
    if isinstance(step, Wait):
        return [step.seconds]
    if isinstance(step, Hear):
        nudged = [step.nudge.line] if step.nudge else []
        return [*_texts(nudged), step.not_before]
    if isinstance(step, Ask):
        nudged = [step.nudge.line] if step.nudge else []
        return _texts([step.line, *nudged])
    return [*_texts([step.line, step.ended]), step.seconds] if isinstance(step, Timer) else []


def _texts(lines: Sequence[Line | None]) -> list[Expression]:
    return [line.text for line in lines if line is not None]


def _other(value: Value) -> Value:
    """Return what a secret could be instead."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, list):
        return [SENTINEL, *value]
    if isinstance(value, dict):
        return dict.fromkeys(value, SENTINEL)
    return SENTINEL


def _value(expression: Expression, scope: Mapping[str, Value]) -> Value:
    try:
        return expression(scope)
    except ExpressionError:
        return None
