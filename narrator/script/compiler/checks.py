"""Checks of what players may say: it must be told apart, and the recogniser must know its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from narrator.core.commands.table import TABLE, When
from narrator.core.expect import Expectation
from narrator.language.grammar.grammar import compile_grammar
from narrator.language.grammar.overmatch import overlaps, sound_alike
from narrator.language.grammar.templates import expand
from narrator.language.locale import Locale
from narrator.language.read_aloud import unread
from narrator.script.compiler.phrases import Spot
from narrator.script.compiler.wording import Wording
from narrator.script.diagnostics.report import Report

WORDED = ("phrase", "choice", "yesno")
"""Kinds of answer whose words stand in the script or the locale, and do not depend on the table."""
SAMPLES = 4
"""Sentences of an answer whose sounds are compared."""


@dataclass(frozen=True, slots=True)
class Ears:
    """What is known of how a language is heard."""

    knows_word: Callable[[str], bool] | None = None
    """Returns whether the recogniser can ever hear a word; None: that is not known."""
    sounds: Callable[[str], str] | None = None
    """Returns a phrase's phonemes; None: they are not known."""


def check_spots(
    report: Report,
    spots: Iterable[Spot],
    locale: Locale,
    ears: Ears,
) -> None:
    """Check each moment at which something is expected; what is found goes into the report."""
    for spot in spots:
        if spot.expectation.kind not in WORDED or not _says_something(spot.expectation):
            continue
        _overlapping(report, spot, locale)
        # How yes and no are said is the locale's, and not for a script's author to change.
        if ears.knows_word and spot.expectation.kind != "yesno":
            grammar = compile_grammar([spot.expectation], [], locale)
            for word in grammar.unknown_words(ears.knows_word):
                report.add("NS066", spot.place, word=word)
        if ears.sounds:
            _alike(report, spot, ears.sounds)


_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def check_texts(report: Report, wording: Wording, language: str) -> None:
    """Tell of each text in which the voice of a language would name letters instead of reading."""
    for name, own in wording.lines.items():
        said = wording.line(name, own)
        word = unread(_CODE.sub(" ", said.text), language)
        if word:
            report.add("NS075", said.place, word=word, language=language)


def _says_something(expectation: Expectation) -> bool:
    return bool(
        expectation.kind == "yesno"
        or expectation.templates
        or (expectation.choices and all(said for _, said in expectation.choices))
    )


def reserved_commands(*, eyes_closed: bool) -> tuple[str, ...]:
    """Return the commands whose words no answer may take, as the locales call them.

    They are the urgent ones, and with eyes closed also whatever is listened for then.
    """
    return tuple(
        command.name.replace("_", " ")
        for command in TABLE.values()
        if command.urgent or (eyes_closed and When.NIGHT in command.when)
    )


def _overlapping(report: Report, spot: Spot, locale: Locale) -> None:
    commands = [
        Expectation(f"command:{name}", "command")
        for name in reserved_commands(eyes_closed=spot.eyes_closed)
        if name in locale.commands
    ]
    for found in overlaps([spot.expectation, *commands], [], locale):
        if not (found.first.startswith("command:") and found.second.startswith("command:")):
            one, two = _plain(found.first), _plain(found.second)
            report.add("NS062", spot.place, phrase=found.sentence, one=one, two=two)


def _plain(label: str) -> str:
    kind, _, value = label.partition(":")
    if kind == "command":
        return f"the command `{value}`"
    return f"the answer `{value.strip()}`" if value else "an answer"


def _alike(report: Report, spot: Spot, sounds: Callable[[str], str]) -> None:
    meant: dict[str, str] = {}
    for value, templates in spot.expectation.choices:
        for template in templates:
            meant |= dict.fromkeys(islice(expand(template), SAMPLES), value)
    for pair in sound_alike(list(meant), sounds):
        if meant[pair.first] != meant[pair.second]:
            report.add("NS068", spot.place, one=pair.first, two=pair.second)
