"""How questions are asked, answered, refused, nudged and asked again."""

from __future__ import annotations

import re

from narrator.core import answers
from narrator.core.context import StepContext
from narrator.core.effects import Refusal
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Ask, Hear, Line, Nudge
from narrator.core.machine import Trigger
from narrator.core.rules import Quiet
from narrator.core.values import Expression, Value

FIRST_NUDGE = 20.0
"""Seconds after which a question by day is repeated in the same words (RULES, section 6)."""
NEXT_NUDGE = 30.0
LEAST = 5.0
"""Seconds that whoever is asked again after a break has at least, where time is limited."""
BRIEF = 8
"""Words of a question that is said again when its answer was not understood."""
_SHORT = 60
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


def open_answer(context: StepContext, not_before: Expression, nudge: Nudge | None) -> None:
    """From now on the answer may be given."""
    state = context.state
    floor = context.number(not_before)
    context.enter(Trigger.TAKE_ANSWERS)
    state.awaited, state.misses, state.held = 0, 0, 0.0
    state.opened = context.now + floor
    _start_timers(context, nudge)
    _listen(context, floor)


def _start_timers(context: StepContext, nudge: Nudge | None) -> None:
    """Have the question repeated after a while, or given up where its time is limited."""
    step, state = context.step, context.state
    after = context.number(nudge.after) if nudge else FIRST_NUDGE
    if isinstance(step, Ask) and step.within is not None:
        state.start_timer("limit", context.number(step.within), context.now)
    elif nudge or isinstance(step, Ask):
        state.start_timer("nudge", after, context.now)


def expected_now(context: StepContext) -> tuple[Expectation, ...]:
    """Return what the step expects."""
    step = context.step
    if not isinstance(step, (Ask, Hear)):
        return ()
    return (answers.of_step(context, step), *answers.of_others(context, step))


def _listen(context: StepContext, floor: float) -> None:
    step = context.step
    keeps = ("", "")
    if isinstance(step, Ask):
        keeps = (step.into, context.text(step.key) if step.key else "")
    context.listen(
        expected_now(context), reads_back=_reads_back(context), keeps=keeps, opens_after=floor
    )


def listen_on(context: StepContext, expected: tuple[Expectation, ...]) -> None:
    """Listen to the same as before, a question being said again among it."""
    if isinstance(context.step, Ask) and context.state.moderator.is_asking:
        _listen(context, 0.0)
    else:
        context.listen(expected)


def _reads_back(context: StepContext) -> dict[str, Value]:
    step = context.step
    names = step.confirms if isinstance(step, Ask) else ()
    return {name: context.state.variables.get(name) for name in names}


def _nudge(context: StepContext, nudge: Nudge | None) -> None:
    if nudge is not None:
        context.say(nudge.line, remember=False)
    elif context.state.last is not None:
        context.speak(context.state.last)
    every = context.number(nudge.every) if nudge else NEXT_NUDGE
    if every:
        context.state.start_timer("nudge", every, context.now)


def _is_open(context: StepContext) -> bool:
    """Whether an answer counts yet; what comes before the floor is ignored without comment."""
    return not context.state.moderator.is_answering or context.now >= context.state.opened


class HearRule(Quiet):
    """Wait for a phrase."""

    def begin(self, context: StepContext) -> None:
        """Listen."""
        step = context.step
        if isinstance(step, Hear):
            context.state.seat = context.text(step.seat) if step.seat else None
            open_answer(context, step.not_before, step.nudge)

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Nudge, in the same words for every seat."""
        step = context.step
        if name == "nudge" and isinstance(step, Hear):
            _nudge(context, step.nudge)

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Go on, unless it was too early to count."""
        if not _is_open(context):
            context.refuse(meaning, Refusal.TOO_EARLY)
            return
        context.state.remember(context.now, teller=context.state.seat or "")
        context.over = True

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the phrases."""
        return expected_now(context)


class AskRule(Quiet):
    """Ask and keep the answer."""

    def begin(self, context: StepContext) -> None:
        """Ask; an answer that comes before the question is over counts, where it is typed."""
        step = context.step
        if not isinstance(step, Ask):
            return
        context.state.seat = context.text(step.seat) if step.seat else None
        if step.line is None:
            open_answer(context, step.not_before, step.nudge)
            return
        context.enter(Trigger.ASK)
        context.state.awaited = context.say(step.line)
        _listen(context, 0.0)

    def speech(self, context: StepContext) -> None:
        """The question was heard: the answer may come."""
        step, state = context.step, context.state
        if state.held:
            state.start_timer("limit", state.held, context.now)
            state.held = 0.0
        elif isinstance(step, Ask):
            open_answer(context, step.not_before, step.nudge)

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Ask again in the same words, or give the answer up."""
        step = context.step
        if not isinstance(step, Ask):
            return
        if name == "nudge":
            _nudge(context, step.nudge)
        elif name == "limit":
            context.cue("time")
            _keep(context, step, None)
            context.over = True

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Keep the answer, or refuse it neutrally and go on asking."""
        step = context.step
        if not isinstance(step, Ask):
            return
        if not _is_open(context):
            context.refuse(meaning, Refusal.TOO_EARLY)
        elif meaning.intent.startswith(answers.OR):
            self._other(context, step, meaning)
        elif answers.is_allowed(context, step, meaning):
            told = _told(context, step, meaning.value)
            context.state.remember(context.now, told, context.state.seat or "")
            _keep(context, step, meaning.value)
            context.over = True
        else:
            self._refuse(context, step, meaning)

    def _other(self, context: StepContext, step: Ask, meaning: Meaning) -> None:
        """Keep which sentence was said instead, and what its slots hold."""
        context.state.remember(context.now, teller=context.state.seat or "")
        _keep(context, step, meaning.intent.removeprefix(answers.OR))
        held = meaning.value if isinstance(meaning.value, dict) else {}
        context.state.variables.update({k: v for k, v in held.items() if k in step.slots})
        context.over = True

    def _refuse(self, context: StepContext, step: Ask, meaning: Meaning) -> None:
        context.refuse(meaning, Refusal.NOT_ALLOWED_HERE)
        _ask_again(context, step.refuse)

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the question's answers."""
        return expected_now(context)


def _told(context: StepContext, step: Ask, value: Value) -> str:
    """Return an answer as it may be told aloud; "" for a secret, and for yes or no."""
    if step.into in context.program.game.secrets:
        return ""
    items = value if isinstance(value, list) else [value]
    plain = all(isinstance(i, (str, int, float)) and not isinstance(i, bool) for i in items)
    return ", ".join(map(str, items)) if plain else ""


def _keep(context: StepContext, step: Ask, value: Value) -> None:
    variables = context.state.variables
    variables.update(dict.fromkeys(step.slots))
    if step.key is None:
        variables[step.into] = value
        return
    held = variables.get(step.into)
    kept = dict(held) if isinstance(held, dict) else {}
    variables[step.into] = kept | {context.text(step.key): value}


def _ask_again(context: StepContext, line: Line | None) -> None:
    context.hush()
    if line is not None:
        context.say(line, remember=False)
    else:
        context.tell("not_allowed", "question")
    if context.state.held:
        AskRule().speech(context)
    elif context.state.awaited:
        open_answer_now(context)


def ask_after_break(context: StepContext) -> None:
    """Say the question again, which was heard before a break, and take answers at once.

    An answer's limited time goes on with what it had left, once the question was heard.
    """
    state = context.state
    limit = state.timers.get("limit")
    left = state.held if limit is None else limit.left(context.now)
    said = 0 if state.last is None else context.speak(state.last)
    open_answer_now(context)
    if state.timers.pop("limit", None) is not None:
        state.held, state.awaited = max(LEAST, left), said
        if not said:
            AskRule().speech(context)


def open_answer_now(context: StepContext) -> None:
    """Take answers although the question was cut short."""
    step = context.step
    if isinstance(step, (Ask, Hear)):
        open_answer(context, step.not_before, step.nudge)


def _ask_briefly(context: StepContext) -> None:
    """Ask once more: the question itself where it is short, else for the answer only."""
    last = context.state.last
    sentences = _SENTENCE.findall(last.text) if last is not None and last.role == "question" else []
    question = sentences[-1].strip() if sentences else ""
    if question and len(question.split()) <= BRIEF and len(question) <= _SHORT:
        context.tell("again_question", "question", question=question)
    else:
        context.tell("again", "question")


def missed(context: StepContext) -> None:
    """Something was said that could not be understood: ask again in as few words as possible.

    With eyes closed, and where no seat owes an answer, nothing is spoken: a short cue at most.
    """
    state, step = context.state, context.step
    state.misses += 1
    if isinstance(step, Hear) or context.phase.eyes_closed:
        if state.seat is not None:
            context.cue("again")
        return
    seats = isinstance(step, Ask) and step.kind in ("seat", "seats")
    if state.misses == 1:
        _ask_briefly(context)
    elif state.misses == 2 and seats:
        context.tell("again_seat", "question")
    else:
        context.tell("again_key", "question")
