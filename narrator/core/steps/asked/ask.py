"""A question, whose answer goes into a variable; and how answers are waited for."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.effects import Refusal
from narrator.core.expect import AnswerKind, Expectation, Meaning
from narrator.core.game import Choice, Line, Nudge, Step
from narrator.core.machine import Trigger
from narrator.core.steps.asked import amend, answers
from narrator.core.steps.asked.amend import Amends
from narrator.core.steps.context import StepContext
from narrator.core.steps.rule import Quiet, register, rule_of
from narrator.core.values import Constant, Expression, Value

FIRST_NUDGE = 20.0
"""Seconds after which a question by day is repeated in the same words (RULES, section 6)."""
NEXT_NUDGE = 30.0
FLOOR = "floor"
"""Timer at whose end counts what was said before it could."""
THAT_IS_ALL = "done"
"""The word of `or` that ends a free answer before its time; all others are no answer."""


@dataclass(frozen=True, slots=True)
class Ask(Step):
    """Ask, and put the answer into a variable."""

    line: Line | None
    """None: the question was asked by an earlier line."""
    kind: AnswerKind
    into: str
    key: Expression | None = None
    """Puts the answer into `into[key]` instead of `into`."""
    seat: Expression | None = None
    """Who answers; None: anybody."""
    allowed: Expression | None = None
    """For seats and letters: a list of those that are acceptable; None: all."""
    refuse: Line | None = None
    """The neutral re-ask where an answer was understood but is not allowed."""
    low: Expression = Constant(0)
    high: Expression = Constant(999)
    choices: tuple[Choice, ...] = ()
    templates: tuple[str, ...] = ()
    """Frames around the slot, hassil; empty: the language's own."""
    halves: bool = False
    """For numbers and points: whether "and a half" may follow."""
    nobody: bool = False
    confirms: tuple[str, ...] = ()
    """Variables that were just read aloud and that this yes or no confirms."""
    as_said: bool = False
    """For seats: whether the list keeps the order in which they were said; else the table's."""
    undoable: bool = True
    nudge: Nudge | None = None
    not_before: Expression = Constant(0.0)
    within: Expression | None = None
    """Seconds after which the answer is no value; None: it is waited for."""
    others: tuple[Choice, ...] = ()
    """Sentences that may be said instead of the answer; `into` then holds the choice's value."""
    every: str = ""
    """Variable for all that was said in the time of a free answer, in order; "": none."""
    slots: tuple[str, ...] = ()
    """Variables that the slots of those sentences fill: no value where nothing was said for one."""
    amends: Amends | None = None
    """What this yes or no confirms, which may be put right in a sentence."""
    unless: str = ""
    """Variable that holds the answer already where it holds something; empty: none does."""


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
    """Schedule a repeat of the question, or its end where its time is limited."""
    step, state = context.step, context.state
    after = context.number(nudge.after) if nudge else FIRST_NUDGE
    if isinstance(step, Ask) and step.within is not None:
        state.start_timer("limit", context.number(step.within), context.now)
    elif nudge or isinstance(step, Ask):
        state.start_timer("nudge", after, context.now)


def _listen(context: StepContext, floor: float) -> None:
    step = context.step
    keeps = ("", "")
    if isinstance(step, Ask):
        keeps = (step.into, context.text(step.key) if step.key else "")
    context.listen(
        rule_of(context.step).expected(context),
        reads_back=_reads_back(context),
        keeps=keeps,
        opens_after=floor,
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


def nudge_again(context: StepContext, nudge: Nudge | None) -> None:
    """Say the reminder, or the question again in the same words."""
    if nudge is not None:
        context.say(nudge.line, remember=False)
    elif context.state.last is not None:
        context.speak(context.state.last)
    every = context.number(nudge.every) if nudge else NEXT_NUDGE
    if every:
        context.state.start_timer("nudge", every, context.now)


def is_open(context: StepContext) -> bool:
    """Whether an answer counts yet; what comes before the floor is ignored without comment."""
    return not context.state.moderator.is_answering or context.now >= context.state.opened


def hold_early(context: StepContext, meaning: Meaning) -> None:
    """Keep what was said before it counts; everybody heard it, so it is taken at the floor."""
    state = context.state
    state.early = {"intent": meaning.intent, "value": meaning.value}
    state.start_timer(FLOOR, state.opened - context.now, context.now)


def held_early(context: StepContext) -> Meaning:
    """Return what was said too early, which counts from now on."""
    state = context.state
    early, state.early = state.early or {}, None
    state.opened = min(state.opened, context.now)
    return Meaning(str(early.get("intent", "")), early.get("value"))


class AskRule(Quiet):
    """Ask and keep the answer."""

    def begin(self, context: StepContext) -> None:
        """Ask; an answer that comes before the question is over counts, where it is typed."""
        step = context.step
        if not isinstance(step, Ask):
            return
        context.state.seat = context.text(step.seat) if step.seat else None
        if step.unless and context.state.variables.get(step.unless):
            context.over = True
            return
        why = answers.impossible(context, step)
        if why:
            context.show_fault(f"nobody can answer this, for {why}; it is passed over")
            answers.keep(context, step, [] if step.kind == "seats" else None)
            context.over = True
            return
        if step.line is None:
            open_answer(context, step.not_before, step.nudge)
            return
        context.enter(Trigger.ASK)
        if _gathers(step):
            answers.keep(context, step, None)
            if step.every:
                context.state.variables[step.every] = []
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
        if name == FLOOR:
            self.answer(context, held_early(context))
        elif name == "nudge":
            nudge_again(context, step.nudge)
        elif name == "limit":
            context.cue("time")
            context.state.instruction = []
            if not _gathers(step):
                answers.keep(context, step, None)
            context.over = True

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Keep the answer, or refuse it neutrally and go on asking."""
        step = context.step
        if not isinstance(step, Ask):
            return
        if not is_open(context):
            hold_early(context, meaning)
        elif meaning.intent in (amend.RIGHT, amend.WRONG):
            self._amend(context, step, meaning)
        elif meaning.intent.startswith(answers.OR):
            self._other(context, step, meaning)
        elif _gathers(step):
            _gather(context, step, meaning.value)
        elif answers.is_allowed(context, step, meaning):
            told = _told(context, step, meaning.value)
            context.state.remember(context.now, told, context.state.seat or "")
            answers.keep(context, step, meaning.value)
            context.over = True
        else:
            self._refuse(context, step, meaning)

    def _other(self, context: StepContext, step: Ask, meaning: Meaning) -> None:
        """Keep which sentence was said instead, and what its slots hold."""
        if _gathers(step):
            context.over = meaning.intent == f"{answers.OR}{THAT_IS_ALL}"
            return
        context.state.remember(context.now, teller=context.state.seat or "")
        answers.keep(context, step, meaning.intent.removeprefix(answers.OR))
        held = meaning.value if isinstance(meaning.value, dict) else {}
        context.state.variables.update({k: v for k, v in held.items() if k in step.slots})
        context.over = True

    def _amend(self, context: StepContext, step: Ask, meaning: Meaning) -> None:
        """Put right what was read back, and read it back again; or ask those who are wrong."""
        if step.amends is None:
            return
        if meaning.intent == amend.WRONG:
            wrong = amend.wrong_ones(context, step.amends, meaning)
            if not wrong:
                self._refuse(context, step, meaning)
                return
            context.state.remember(context.now)
            answers.keep(context, step, False)
            context.state.variables[amend.WHOSE] = wrong
            context.over = True
        elif amend.put_right(context, step.amends, meaning):
            context.state.timers.clear()
            context.hush()
            context.say(step.amends.line)
            context.state.misses = 0
            self.begin(context)
        else:
            self._refuse(context, step, meaning)

    def _refuse(self, context: StepContext, step: Ask, meaning: Meaning) -> None:
        context.refuse(meaning, Refusal.NOT_ALLOWED_HERE)
        _ask_again(context, step)

    def again(self, context: StepContext) -> None:
        """Ask once more; with what was read back, where that is to be confirmed."""
        if context.state.awaited and context.state.last is not None:
            context.state.awaited = context.say_again(whole=confirms(context))

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the question's answers."""
        step = context.step
        if not isinstance(step, Ask):
            return ()
        others = answers.of_others(context, step)
        amended = amend.expected(context, step.amends) if step.amends else ()
        return (answers.of_question(context, step), *others, *amended)

    def anything(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return the same: a question listens for one thing all the time."""
        return self.expected(context)


def confirms(context: StepContext) -> bool:
    """Whether a yes or no is asked for to what was just read back."""
    return isinstance(context.step, Ask) and bool(context.step.confirms)


def _gathers(step: Ask) -> bool:
    """Whether the time of the answer runs to its end, and what was said last counts."""
    return step.kind == "free" and step.within is not None


def _gather(context: StepContext, step: Ask, value: Value) -> None:
    """Keep what was said last, and all of it where the script wants that; a hesitation is none."""
    if not isinstance(value, str) or not value:
        return
    answers.keep(context, step, value)
    said = context.state.variables.get(step.every)
    if step.every:
        context.state.variables[step.every] = [*(said if isinstance(said, list) else []), value]


def _told(context: StepContext, step: Ask, value: Value) -> str:
    """Return an answer as it may be told aloud; "" for a secret, and for yes or no."""
    if step.into in context.program.game.secrets:
        return ""
    if step.kind == "choice":  # its value is a word of the script's, which nobody ever said
        return next((c.shown for c in step.choices if c.value == value), "")
    items = value if isinstance(value, list) else [value]
    plain = all(isinstance(i, (str, int, float)) and not isinstance(i, bool) for i in items)
    return ", ".join(map(str, items)) if plain else ""


def _ask_again(context: StepContext, step: Ask) -> None:
    line = step.refuse
    context.hush()
    if line is not None:
        context.say(line, remember=False)
    else:
        context.tell("not_allowed", "question")
    if context.state.held:
        AskRule().speech(context)
    elif context.state.awaited:
        open_answer(context, step.not_before, step.nudge)


register("ask", Ask, AskRule())
