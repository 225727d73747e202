"""A game's flow as rows of words: as a host reads it, or with every step as the script has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from narrator.core.game import Line, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Timer
from narrator.core.steps.blocks.again import Again
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.steps.spoken.cover import CoverStep
from narrator.core.steps.spoken.cue import CueStep
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait
from narrator.core.steps.values.draw import Draw
from narrator.core.steps.values.roll import Roll
from narrator.core.steps.values.score import Score
from narrator.core.steps.values.set import Set
from narrator.core.steps.values.teams import Teams
from narrator.core.values import Constant, Expression
from narrator.language.grammar.templates import plain_sentences

RIGHT = "_right"
"""Variable that holds whether what was read back is right."""
ANSWERS = {
    "yesno": "yes or no", "number": "a number", "seat": "a player", "seats": "players",
    "letter": "a letter", "points": "points", "free": "any words", "names": "names",
}  # fmt: skip
"""What is answered, by kind."""
_QUOTED = re.compile(r"'[^']*'")
MOST_CHOICES = 6
"""Answers that are listed; more are counted."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the outline."""

    depth: int
    kind: str
    """What is done, in a word; empty for the head of a block."""
    text: str


def outline(steps: tuple[Step, ...], *, detail: bool = False, depth: int = 0) -> Iterator[Row]:
    """Yield the rows of a run of steps.

    Args:
        steps: The run.
        detail: Every step and expression as the script has it; else what a host reads.
        depth: How far it is indented.
    """
    for step in steps:
        if isinstance(step, If):
            yield from _branch(step, depth, detail=detail)
        elif isinstance(step, ForEach):
            inner = list(outline(step.steps, detail=detail, depth=depth + 1))
            if inner or detail:
                yield Row(depth, "", _each(step, detail=detail))
                yield from inner
        elif isinstance(step, Repeat):
            yield from _repeat(step, depth, detail=detail)
        elif detail or not _is_inner(step):
            yield Row(depth, *_simple(step, detail=detail))


def _is_inner(step: Step) -> bool:
    """Whether a step is of no interest to who hosts the game."""
    if isinstance(step, Ask):
        return step.into.startswith("_")
    return isinstance(step, (Set, CueStep))


def _branch(step: If, depth: int, *, detail: bool) -> Iterator[Row]:
    condition = _source(step.condition)
    if RIGHT in condition and not detail:
        return  # what was read back wrong is asked again
    then = list(outline(step.then, detail=detail, depth=depth + 1))
    otherwise = list(outline(step.otherwise, detail=detail, depth=depth + 1))
    said = f"if {condition}" if detail else humanly(condition)
    if then or detail:
        yield Row(depth, "", said)
        yield from then
    if otherwise and (then or detail):
        yield Row(depth, "", "else")
    elif otherwise:
        yield Row(depth, "", said.replace("if ", "unless ", 1))
    yield from otherwise


def _each(step: ForEach, *, detail: bool) -> str:
    items = _source(step.items)
    if detail:
        return f"for each {step.variable} in {items}"
    variable = "player" if step.variable == "seat" else step.variable.replace("_", " ")
    name = re.fullmatch(r"(?:circle\(.*\) \| only\()?(\w+)\)?", items)
    of = f" of {name[1].replace('_', ' ')}" if name and name[1] != "seats" else ""
    return f"each {variable}{of} in turn"


def _repeat(step: Repeat, depth: int, *, detail: bool) -> Iterator[Row]:
    once = step.times == Constant(1) and step.until is None
    if once:  # a part, put in where it is used
        yield from outline(step.steps, detail=detail, depth=depth)
        return
    if step.until is not None and _source(step.until) == RIGHT and not detail:
        for row in outline(step.steps, depth=depth):
            yield Row(depth, "checks", row.text) if row.kind == "says" else row
        return
    yield Row(depth, "", _how_often(step, detail=detail))
    yield from outline(step.steps, detail=detail, depth=depth + 1)


def _how_often(step: Repeat, *, detail: bool) -> str:
    times = _source(step.times) if step.times else ""
    until = _source(step.until) if step.until else ""
    if not detail:
        number = re.fullmatch(r"\w+", times)
        times = (number[0].replace("_", " ") if number else "several") if times else ""
        until = humanly(until).removeprefix("if ") if until else ""
    words = (f"{times} times" if times else "", f"until {until}" if until else "")
    return f"repeat {' '.join(filter(None, words))}"


def _simple(step: Step, *, detail: bool) -> tuple[str, str]:
    """Return what a step without steps of its own does, and its words."""
    if isinstance(step, Say):
        return "says", _line(step.line, detail=detail)
    if isinstance(step, Wait):
        return "waits", f"{_text(step.seconds, detail=detail)} s".replace("s s", "s")
    if isinstance(step, Hear):
        said = step.phrases if detail else plain_sentences(step.phrases)[:1]
        return "hears", " or ".join(said)
    if isinstance(step, Ask):
        how = f"{step.kind}, into {step.into}" if detail else _answer(step)
        return "asks", f"{_line(step.line, detail=detail)} ({how})".strip()
    if isinstance(step, Timer):
        seconds = _text(step.seconds, detail=detail)
        return "timer", f"{seconds} {_line(step.line, detail=detail)}".strip()
    if isinstance(step, Countdown):
        return "counts", _line(step.line, detail=detail)
    return _silent(step, detail=detail)


def _answer(step: Ask) -> str:
    if step.kind != "choice":
        return ANSWERS[step.kind]
    if len(step.choices) > MOST_CHOICES:
        return f"one of {len(step.choices)}"
    return " or ".join(choice.value for choice in step.choices)


def _silent(step: Step, *, detail: bool) -> tuple[str, str]:
    if isinstance(step, Set):
        return "sets", ", ".join(f"{name} = {_source(value)}" for name, value in step.values)
    if isinstance(step, Score):
        return "scores", step.scoring.name.replace("-", " ")
    if isinstance(step, Again):
        target = step.target if detail else step.target.rsplit("/", 1)[-1].replace("-", " ")
        return "goes back to", target
    if isinstance(step, CueStep):
        return "sound", step.cue
    if isinstance(step, CoverStep):
        return "masking sound", "on" if step.on else "off"
    return _chance(step)


def _chance(step: Step) -> tuple[str, str]:
    if isinstance(step, Draw):
        return "shuffles" if step.whole else "draws", step.variable.replace("_", " ")
    if isinstance(step, Roll):
        return "rolls", step.variable.replace("_", " ")
    if isinstance(step, Teams):
        return "makes teams", step.variable.replace("_", " ")
    return "ends", "the game"


def _line(line: Line | None, *, detail: bool) -> str:
    return _text(line.text, detail=detail) if line else ""


def _text(expression: Expression, *, detail: bool) -> str:
    """Return a text with what is filled in as names in square brackets."""
    source = _source(expression)
    if detail:
        return source
    source = re.sub(r"\{%.*?%\}", " ", source)
    filled = re.sub(r"\{\{(.*?)\}\}", lambda match: _filled(match[1]), source)
    return " ".join(re.sub(r"\]s\b", "] s", filled).split())


def _filled(code: str) -> str:
    """Return what stands for an expression: the texts it chooses from, or its first name."""
    if " if " in code:
        texts = [text.strip(" ,.") for text in re.findall(r"'([^']*)'", code.split(" if ")[0])]
        texts += [text.strip(" ,.") for text in re.findall(r"else\s+'([^']*)'", code)]
        kept = [text for text in texts if text]
        if kept:
            return f"[{' / '.join(kept)}]"
    names, numbers = _names_in(code), " / ".join(re.findall(r"\d+", _QUOTED.sub("", code)))
    return f"[{names[0]}]" if names else f"[{numbers}]" if numbers else ""


def _names_in(code: str) -> list[str]:
    """Return the variables that an expression names, each once, as they are said."""
    found = re.findall(r"(?<!\w)(?<!\| )[a-z]\w*\b(?!\()", _QUOTED.sub("", code))
    return list(dict.fromkeys(name.replace("_", " ") for name in found if name not in _WORDS))


_PLAINLY = (
    (r"(\w+) \| length", r"number of \1"),
    (r"\| (?:float|int|list)\b", ""),
    (r"==", "is"),
    (r"!=", "is not"),
    (r">=", "is at least"),
    (r"<=", "is at most"),
    (r">", "is more than"),
    (r"<", "is less than"),
    (r"['\"]", ""),
    (r"\bnone\b", "nobody"),
    (r"(?<=\w)_(?=\w)", " "),
)
"""What a host reads instead of an operator."""


def humanly(condition: str) -> str:
    """Return a condition in words; of one that is too involved only what it depends on."""
    text = condition
    for pattern, words in _PLAINLY:
        text = re.sub(pattern, words, text)
    text = " ".join(text.split())
    if not re.search(r"[|\[\]{}()+*/%]", text):
        return f"if {text}"
    names = _names_in(condition)
    return f"depending on {' and '.join(names[:2])}" if names else "depending on the table"


_WORDS = frozenset("and or not in is if else none true false length".split())


def _source(expression: Expression | None) -> str:
    """Return an expression as it was written, as far as it knows."""
    if isinstance(expression, Constant):
        value = expression.value
        return f"{value:g}" if isinstance(value, float) else str(value)
    for name in ("source", "text", "seconds"):
        inner = getattr(expression, name, None)
        if isinstance(inner, str):
            return inner
        if callable(inner):
            return _source(inner)
    return "..."
