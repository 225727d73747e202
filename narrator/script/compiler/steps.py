"""Compiling the simple steps."""

from __future__ import annotations

import re

from narrator.core.expect import Expectation
from narrator.core.game import SECOND, Line, Nudge, Scoring, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.timer import Early, Timer
from narrator.core.steps.blocks.again import Again
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.end import End
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.steps.spoken.cover import CoverStep
from narrator.core.steps.spoken.cue import CueStep
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait
from narrator.core.steps.values.score import Score
from narrator.core.steps.values.set import Set
from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import Builder, handles
from narrator.script.expressions.compiled import Listing
from narrator.script.expressions.duration import parse_duration
from narrator.script.reading.models import (
    CountdownShape,
    CoverShape,
    CueShape,
    EarlyShape,
    EndShape,
    NudgeShape,
    SayShape,
    ScoreShape,
    SetShape,
    TimerShape,
    WaitShape,
)
from narrator.script.reading.nodes import Scalar, Table

CUES = ("listen", "understood", "again", "time")


@handles(SayShape)
def say(b: Builder, shape: SayShape) -> list[Step]:
    """`say: text`."""
    name = b.name(shape)
    return [Say(name, b.line(name, shape.say))]


@handles(WaitShape)
def wait(b: Builder, shape: WaitShape) -> list[Step]:
    """`wait: duration`."""
    return [Wait(b.name(shape), b.duration(shape.wait))]


@handles(TimerShape)
def timer(b: Builder, shape: TimerShape) -> list[Step]:
    """`timer: duration`, with what is said and how it may end early."""
    name = b.name(shape)
    seconds = b.duration(shape.timer)
    line = b.line(name, shape.say) if shape.say else None
    ended = b.line(f"{name}/ended", shape.ended) if shape.ended else None
    early = _early(b, shape.end_early, name) if shape.end_early else None
    seat = b.reference(shape.whose) if shape.whose else None
    return [
        Timer(
            name, seconds, line, _warnings(b, shape), early, ended, seat, shape.cut_short,
            _last_ten(b, shape),
        )
    ]  # fmt: skip


def _last_ten(b: Builder, shape: TimerShape) -> Expression | None:
    if shape.last_ten is None:
        return None
    said = shape.last_ten.text
    return Constant(said == "yes") if said in ("yes", "no") else b.condition(shape.last_ten)


def _warnings(b: Builder, shape: TimerShape) -> Expression | None:
    if shape.warnings is None:
        return None
    if len(shape.warnings) == 1 and shape.warnings[0].text == "none":
        return Constant([])
    return Listing(tuple(("", b.duration(word)) for word in shape.warnings), keyed=False)


def _early(b: Builder, shape: EarlyShape, name: str) -> Early:
    question: Line | None = None
    hands: Expression | None = None
    if shape.hands is not None:
        hands = b.reference(shape.hands)
        if shape.ask is None:
            b.report.add("NS021", shape.place, key="ask")
    if shape.ask is not None:
        question = b.line(f"{name}/hands", shape.ask, "question")
    said = b.phrases(f"{name}/end-early", shape.hear)
    b.expects(shape.at("hear"), Expectation("phrase", "phrase", said))
    return Early(said, hands, question)


@handles(CountdownShape)
def countdown(b: Builder, shape: CountdownShape) -> list[Step]:
    """`countdown: [three, two, one]`."""
    name = b.name(shape)
    return [counted(b, name, shape.countdown, shape.beat)]


def counted(b: Builder, name: str, words: list[Scalar], beat: Scalar | None) -> Countdown:
    """Compile words that are spoken one a beat; also used by `vote`."""
    first, last = words[0], words[-1]
    text = ", ".join(word.text for word in words)
    whole = Scalar(text, first.place, first.plain, last.last)
    seconds = SECOND
    if beat is not None:
        length = parse_duration(beat.text)
        if length is None:
            b.duration(beat)
        elif not 0.4 <= length <= 5:
            b.report.add("NS027", beat.place, what="A beat lasts between 0.4 and 5 seconds")
        else:
            seconds = Constant(length)
    return Countdown(name, b.line(name, whole), seconds)


def nudged(b: Builder, shape: NudgeShape | None, name: str) -> Nudge | None:
    """Compile a reminder."""
    if shape is None:
        return None
    every = b.duration(shape.every)
    return Nudge(b.duration(shape.after), every, b.line(f"{name}/nudge", shape.say, "chatter"))


@handles(SetShape)
def put(b: Builder, shape: SetShape) -> list[Step]:
    """`set: {name: value}`."""
    return [Set(b.name(shape), assigned(b, shape.table("set")))]


def assigned(b: Builder, table: Table) -> tuple[tuple[str, Expression], ...]:
    """Compile `name: value` lines, in order; a later one sees the earlier."""
    values: list[tuple[str, Expression]] = []
    for key, node in table.items():
        value = b.value(node)
        name = b.variable(Scalar(key, table.keys_at[key]))
        values.append((name, value))
    return tuple(values)


@handles(ScoreShape)
def score(b: Builder, shape: ScoreShape) -> list[Step]:
    """`score: scoring`."""
    scoring = b.scorings.get(shape.score.text)
    if scoring is None:
        word = shape.score.text
        if word in b.report.dropped:
            return []
        b.report.add("NS052", shape.score.place, name=word, near=(word, b.scorings))
        # Whatever was meant would give something: one misspelt word is told of once.
        b.known |= {key for known in b.scorings.values() for key, _ in known.gives}
        return []
    for need in scoring.needs:
        if not need.optional and need.name not in b.known | b.maybe:
            b.report.add("NS054", shape.score.place, scoring=scoring.name, name=need.name)
    b.known |= {key for key, _ in scoring.gives}
    name = b.name(shape)
    if shape.read_back is None:
        return [Score(name, scoring)]
    return [*_agreed(b, shape.read_back, scoring, name), Score(name, scoring)]


def _agreed(b: Builder, read_back: Scalar, scoring: Scoring, name: str) -> list[Step]:
    """Say what a scoring comes to; where it is wrong, all that led to it is asked again."""
    worked = Score(b.claim(f"{name}-worked-out"), scoring, adds=False)
    line = b.line(f"{name}/read-back", read_back)
    named = set(_NAMED.findall(" ".join(_BRACED.findall(read_back.text))))
    answered = (need.name for need in scoring.needs if need.name in named)
    told = (*answered, *(key for key, _ in scoring.gives))
    sure = Ask(b.claim(f"{name}-right"), b.own_line("is_that_right"), "yesno", "_right",
               confirms=told)  # fmt: skip
    with b.with_names("_right"):
        wrong = b.written("not _right", read_back)
    back = Again("again", b.around[-1][1])
    said = Say(b.claim(f"{name}-read-back"), line)
    return [worked, said, sure, If(b.claim(f"{name}-wrong"), wrong, (back,))]


@handles(CueShape)
def cue(b: Builder, shape: CueShape) -> list[Step]:
    """`cue: sound`."""
    word = shape.cue.text
    if word not in CUES:
        b.report.add("NS026", shape.cue.place, word=word, key="cue", near=(word, CUES))
    return [CueStep(b.name(shape), word)]


@handles(CoverShape)
def cover(b: Builder, shape: CoverShape) -> list[Step]:
    """`cover: on` or `cover: off`."""
    return [CoverStep(b.name(shape), shape.cover)]


@handles(EndShape)
def end(b: Builder, shape: EndShape) -> list[Step]:
    """`end`."""
    b.finished |= b.known | b.maybe
    return [End(b.name(shape))]


_BRACED = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_NAMED = re.compile(r"\w+")
_INTO = re.compile(r"^(?P<name>[^\[\]]+?)\s*(?:\[(?P<key>.+)\])?$")


def target(b: Builder, scalar: Scalar) -> tuple[str, Expression | None]:
    """Compile where an answer goes: `name`, or `name[expression]`."""
    match = _INTO.match(scalar.text.strip())
    if not match:
        b.report.add("NS030", scalar.place, name=scalar.text, why="it should be name or name[key]")
        return "answer", None
    key = b.written(match["key"], scalar) if match["key"] else None
    return b.variable(Scalar(match["name"], scalar.place)), key
