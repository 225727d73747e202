"""Asking once more: after a break, and where something was not understood."""

from __future__ import annotations

import re
from collections.abc import Sequence

from narrator.core.steps.asked.ask import Ask, AskRule, confirms, open_answer
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.context import StepContext

LEAST = 5.0
"""Least seconds for a seat that is asked again after a break, where time is limited."""
BRIEF = 8
"""Words of a question that is said again when its answer was not understood."""
OFFERED = 2
"""Times that a table is asked which of two answers was meant: the third time keys are a help."""
_SHORT = 60
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


def ask_after_break(context: StepContext) -> None:
    """Say the question again, which was heard before a break, and take answers at once.

    An answer's limited time goes on with what it had left, once the question was heard.
    """
    state = context.state
    limit = state.timers.get("limit")
    left = state.held if limit is None else limit.left(context.now)
    said = context.say_again(whole=confirms(context))
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


def missed(context: StepContext, likely: Sequence[str] = ()) -> None:
    """Something was said that could not be understood: ask again in as few words as possible.

    With eyes closed, and where no seat owes an answer, nothing is spoken: a short cue at most.

    Args:
        context: Of the step that asks.
        likely: The two answers that it was most like, if there are any.
    """
    state, step = context.state, context.step
    state.misses += 1
    if isinstance(step, Hear) or context.phase.eyes_closed:
        if state.seat is not None:
            context.cue("again")
        return
    seats = isinstance(step, Ask) and step.kind in ("seat", "seats")
    if len(likely) == 2 and state.misses <= OFFERED:
        context.tell("either_or", "question", first=likely[0], second=likely[1])
    elif state.misses == 1:
        _ask_briefly(context)
    elif state.misses == 2 and seats:
        context.tell("again_seat", "question")
    else:
        context.tell("again_key", "question")
