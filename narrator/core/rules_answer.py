"""How questions are asked, answered, refused, nudged and asked again."""

from __future__ import annotations

import re

from narrator.core import answers
from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Ask, Hear, Line, Nudge
from narrator.core.moment import Moment
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


def open_answer(moment: Moment, not_before: Expression, nudge: Nudge | None) -> None:
    """From now on the answer may be given."""
    state = moment.state
    floor = moment.number(not_before)
    state.stage, state.awaited, state.misses, state.held = "answering", 0, 0, 0.0
    state.opened = moment.now + floor
    _start_timers(moment, nudge)
    _listen(moment, floor)


def _start_timers(moment: Moment, nudge: Nudge | None) -> None:
    """Have the question repeated after a while, or given up where its time is limited."""
    step, state = moment.step, moment.state
    after = moment.number(nudge.after) if nudge else FIRST_NUDGE
    if isinstance(step, Ask) and step.within is not None:
        state.start_timer("limit", moment.number(step.within), moment.now)
    elif nudge or isinstance(step, Ask):
        state.start_timer("nudge", after, moment.now)


def expected_now(moment: Moment) -> tuple[Expectation, ...]:
    """Give what the step expects."""
    step = moment.step
    if not isinstance(step, (Ask, Hear)):
        return ()
    return (answers.of_step(moment, step), *answers.of_others(step))


def _listen(moment: Moment, floor: float) -> None:
    step = moment.step
    keeps = ("", "")
    if isinstance(step, Ask):
        keeps = (step.into, moment.text(step.key) if step.key else "")
    moment.listen(
        expected_now(moment), reads_back=_reads_back(moment), keeps=keeps, opens_after=floor
    )


def listen_on(moment: Moment, expected: tuple[Expectation, ...]) -> None:
    """Listen to the same as before, a question being said again among it."""
    if isinstance(moment.step, Ask) and moment.state.stage == "asking":
        _listen(moment, 0.0)
    else:
        moment.listen(expected)


def _reads_back(moment: Moment) -> dict[str, Value]:
    step = moment.step
    names = step.confirms if isinstance(step, Ask) else ()
    return {name: moment.state.variables.get(name) for name in names}


def _nudge(moment: Moment, nudge: Nudge | None) -> None:
    if nudge is not None:
        moment.say(nudge.line, remember=False)
    elif moment.state.last is not None:
        moment.speak(moment.state.last)
    every = moment.number(nudge.every) if nudge else NEXT_NUDGE
    if every:
        moment.state.start_timer("nudge", every, moment.now)


def _is_open(moment: Moment) -> bool:
    """Tell whether an answer counts yet; what comes before the floor is ignored without comment."""
    return moment.state.stage != "answering" or moment.now >= moment.state.opened


class HearRule(Quiet):
    """Wait for a phrase."""

    def begin(self, moment: Moment) -> None:
        """Listen."""
        step = moment.step
        if isinstance(step, Hear):
            moment.state.seat = moment.text(step.seat) if step.seat else None
            open_answer(moment, step.not_before, step.nudge)

    def timer(self, moment: Moment, name: str, kind: str) -> None:
        """Nudge, in the same words for every seat."""
        step = moment.step
        if name == "nudge" and isinstance(step, Hear):
            _nudge(moment, step.nudge)

    def answer(self, moment: Moment, meaning: Meaning) -> None:
        """Go on, unless it was too early to count."""
        if not _is_open(moment):
            moment.refuse(meaning, "it came before the step can be over")
            return
        moment.state.remember(moment.now, teller=moment.state.seat or "")
        moment.over = True

    def expected(self, moment: Moment) -> tuple[Expectation, ...]:
        """Give the phrases."""
        return expected_now(moment)


class AskRule(Quiet):
    """Ask and keep the answer."""

    def begin(self, moment: Moment) -> None:
        """Ask; an answer that comes before the question is over counts, where it is typed."""
        step = moment.step
        if not isinstance(step, Ask):
            return
        moment.state.seat = moment.text(step.seat) if step.seat else None
        if step.line is None:
            open_answer(moment, step.not_before, step.nudge)
            return
        moment.state.stage = "asking"
        moment.state.awaited = moment.say(step.line)
        _listen(moment, 0.0)

    def speech(self, moment: Moment) -> None:
        """The question was heard: the answer may come."""
        step, state = moment.step, moment.state
        if state.held:
            state.start_timer("limit", state.held, moment.now)
            state.held = 0.0
        elif isinstance(step, Ask):
            open_answer(moment, step.not_before, step.nudge)

    def timer(self, moment: Moment, name: str, kind: str) -> None:
        """Ask again in the same words, or give the answer up."""
        step = moment.step
        if not isinstance(step, Ask):
            return
        if name == "nudge":
            _nudge(moment, step.nudge)
        elif name == "limit":
            moment.cue("time")
            _keep(moment, step, None)
            moment.over = True

    def answer(self, moment: Moment, meaning: Meaning) -> None:
        """Keep the answer, or refuse it neutrally and go on asking."""
        step = moment.step
        if not isinstance(step, Ask):
            return
        if not _is_open(moment):
            moment.refuse(meaning, "it came before the step can be over")
        elif meaning.intent.startswith(answers.OR):
            self._other(moment, step, meaning)
        elif answers.is_allowed(moment, step, meaning):
            told = _told(moment, step, meaning.value)
            moment.state.remember(moment.now, told, moment.state.seat or "")
            _keep(moment, step, meaning.value)
            moment.over = True
        else:
            self._refuse(moment, step, meaning)

    def _other(self, moment: Moment, step: Ask, meaning: Meaning) -> None:
        """Keep which sentence was said instead, and what its slots hold."""
        moment.state.remember(moment.now, teller=moment.state.seat or "")
        _keep(moment, step, meaning.intent.removeprefix(answers.OR))
        held = meaning.value if isinstance(meaning.value, dict) else {}
        moment.state.variables.update({k: v for k, v in held.items() if k in step.slots})
        moment.over = True

    def _refuse(self, moment: Moment, step: Ask, meaning: Meaning) -> None:
        moment.refuse(meaning, "it is not an answer that the rules allow here")
        _ask_again(moment, step.refuse)

    def expected(self, moment: Moment) -> tuple[Expectation, ...]:
        """Give the question's answers."""
        return expected_now(moment)


def _told(moment: Moment, step: Ask, value: Value) -> str:
    """Give an answer as it may be told aloud; "" for a secret, and for yes or no."""
    if step.into in moment.program.game.secrets:
        return ""
    items = value if isinstance(value, list) else [value]
    plain = all(isinstance(i, (str, int, float)) and not isinstance(i, bool) for i in items)
    return ", ".join(map(str, items)) if plain else ""


def _keep(moment: Moment, step: Ask, value: Value) -> None:
    variables = moment.state.variables
    variables.update(dict.fromkeys(step.slots))
    if step.key is None:
        variables[step.into] = value
        return
    held = variables.get(step.into)
    kept = dict(held) if isinstance(held, dict) else {}
    variables[step.into] = kept | {moment.text(step.key): value}


def _ask_again(moment: Moment, line: Line | None) -> None:
    moment.hush()
    if line is not None:
        moment.say(line, remember=False)
    else:
        moment.tell("not_allowed", "question")
    if moment.state.held:
        AskRule().speech(moment)
    elif moment.state.awaited:
        open_answer_now(moment)


def ask_after_break(moment: Moment) -> None:
    """Say the question again, which was heard before a break, and take answers at once.

    An answer's limited time goes on with what it had left, once the question was heard.
    """
    state = moment.state
    limit = state.timers.get("limit")
    left = state.held if limit is None else limit.left(moment.now)
    said = 0 if state.last is None else moment.speak(state.last)
    open_answer_now(moment)
    if state.timers.pop("limit", None) is not None:
        state.held, state.awaited = max(LEAST, left), said
        if not said:
            AskRule().speech(moment)


def open_answer_now(moment: Moment) -> None:
    """Take answers although the question was cut short."""
    step = moment.step
    if isinstance(step, (Ask, Hear)):
        open_answer(moment, step.not_before, step.nudge)


def _ask_briefly(moment: Moment) -> None:
    """Ask once more: the question itself where it is short, else for the answer only."""
    last = moment.state.last
    sentences = _SENTENCE.findall(last.text) if last is not None and last.role == "question" else []
    question = sentences[-1].strip() if sentences else ""
    if question and len(question.split()) <= BRIEF and len(question) <= _SHORT:
        moment.tell("again_question", "question", question=question)
    else:
        moment.tell("again", "question")


def missed(moment: Moment) -> None:
    """Something was said that could not be understood: ask again in as few words as possible.

    With eyes closed, and where no seat owes an answer, nothing is spoken: a short cue at most.
    """
    state, step = moment.state, moment.step
    state.misses += 1
    if isinstance(step, Hear) or moment.phase.eyes_closed:
        if state.seat is not None:
            moment.cue("again")
        return
    seats = isinstance(step, Ask) and step.kind in ("seat", "seats")
    if state.misses == 1:
        _ask_briefly(moment)
    elif state.misses == 2 and seats:
        moment.tell("again_seat", "question")
    else:
        moment.tell("again_key", "question")
