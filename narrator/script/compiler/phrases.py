"""Phrases as players say them: hassil templates, and the moments at which they are expected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from narrator.core.expect import Expectation
from narrator.core.game import Place
from narrator.language.grammar.templates import check_template, expand
from narrator.script.diagnostics.report import Report
from narrator.script.reading.nodes import Scalar


@dataclass(frozen=True, slots=True)
class Spot:
    """A moment at which something is expected; what is checked together, once all is compiled."""

    place: Place
    expectation: Expectation
    eyes_closed: bool


MOST_WAYS = 2_000
"""Ways to say all phrases of one script; the shipped one with the most has 200."""


def phrases(report: Report, words: Iterable[Scalar], slots: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the phrases of a list; one that is no template is reported and left out.

    Args:
        report: takes what is wrong.
        words: the phrases as written.
        slots: names that may stand in braces here.
    """
    found = []
    for word in words:
        problem = check_template(word.text, set(slots))
        if problem:
            report.add("NS063", word.place, problem=problem.rstrip("."))
        else:
            found.append(word.text.strip())
    return tuple(found)


WAYS_LOOKED_AT = 200
"""Ways to say a phrase, of which the first that is shortest is shown."""


def shortest(phrase: str) -> str:
    """Return the shortest way to say a phrase."""
    return min(islice(expand(phrase), WAYS_LOOKED_AT), key=len, default=phrase)
