"""Finds answers that get in each other's way: one sentence for two intents, or two of one sound."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.automaton import Automaton
from narrator.language.grammar.expectation import Plan, plan
from narrator.language.grammar.network import Network
from narrator.language.locale import Locale
from narrator.language.names.forms import bare_numbers, name_forms, number_forms
from narrator.language.text import edit_distance, normalise

ALIKE = 1 / 3
"""Two phrases sound alike if at most this part of the longer one's sounds differs."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """One sentence that two live intents, choices or seats claim."""

    first: str
    """An intent, with the value where it has fixed ones: `answer: heads`; or a seat's name."""
    second: str
    sentence: str
    """The shortest such sentence."""
    shadowed: str = ""
    """The command that an answer of the game's own takes the sentence from. That is allowed, and
    still worth knowing; empty where neither or both are commands, so that nobody could decide."""


@dataclass(frozen=True, slots=True)
class SoundAlike:
    """Two phrases that are easily taken for each other."""

    first: str
    second: str
    difference: float
    """Part of the longer one's sounds that differs, 0 to ALIKE."""


def overlaps(
    expectations: Sequence[Expectation], seats: Sequence[Seat], locale: Locale
) -> list[Overlap]:
    """Return every pair of live intents, choices or seats that one sentence would mean.

    Nothing is enumerated: the pairs' automata are walked side by side.

    Raises:
        GrammarError: A template cannot be read, a slot is unknown, or nothing may be said.
    """
    found: list[Overlap] = []
    claims = [
        claim for e in dict.fromkeys(expectations) for claim in _claims(e, tuple(seats), locale)
    ]
    for (first, a), (second, b) in combinations(claims, 2):
        sentence = common_sentence(a, b)
        if sentence is not None:
            found.append(Overlap(first, second, sentence, _shadowed(first, second)))
    if any(e.kind in ("seat", "seats") for e in expectations):
        found += _same_seats(seats, locale)
    return found


def _shadowed(first: str, second: str) -> str:
    commands = [label for label in (first, second) if label.startswith("command:")]
    return commands[0] if len(commands) == 1 else ""


@lru_cache(maxsize=256)
def _claims(
    expectation: Expectation, seats: tuple[Seat, ...], locale: Locale
) -> tuple[tuple[str, Automaton], ...]:
    return tuple(
        (_label(made), _automaton(made))
        for made in plan(expectation, seats, locale).each_value()
        if made.templates
    )


def _label(made: Plan) -> str:
    value = made.only_value()
    if value is None:
        return made.expectation.intent
    said = ("yes" if value else "no") if isinstance(value, bool) else value
    return f"{made.expectation.intent}: {said}"


def _automaton(made: Plan) -> Automaton:
    network = Network(cuts=made.bounds())
    return network.automaton(made.enter(network, 0))


def common_sentence(first: Automaton, second: Automaton) -> str | None:
    """Return the shortest spoken sentence that both accept, or None."""
    todo: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
    seen = {(0, 0)}
    for a, b, words in todo:
        if words and a in first.finals and b in second.finals:
            return " ".join(words)
        others = {arc.word: arc.target for arc in second.arcs[b] if not arc.written}
        for arc in first.arcs[a]:
            pair = (arc.target, others.get(arc.word, -1))
            if not arc.written and pair[1] >= 0 and pair not in seen:
                seen.add(pair)
                todo.append((*pair, (*words, arc.word)))
    return None


def _same_seats(seats: Sequence[Seat], locale: Locale) -> Iterator[Overlap]:
    forms = {
        s.name: (
            *name_forms(s, locale),
            *number_forms(s.number, locale),
            *bare_numbers(s.number, locale),
        )
        for s in seats
    }
    for first, second in combinations(seats, 2):
        shared = [f for f in forms[first.name] if f in forms[second.name]]
        if shared:
            yield Overlap(first.name, second.name, shared[0])


def sound_alike(phrases: Sequence[str], sounds: Callable[[str], str]) -> list[SoundAlike]:
    """Return the pairs of phrases that sound alike, the closest first.

    Args:
        phrases: Names, or answers that are live together. The same phrase twice is no pair.
        sounds: Gives a phrase's phonemes, one character each; stress and length do not count.
    """
    found = []
    for first, second in combinations(dict.fromkeys(phrases), 2):
        if normalise(first) == normalise(second):
            continue
        one, two = (_bare(sounds(own)) for own in _own_words(first, second))
        longer = max(len(one), len(two))
        difference = edit_distance(one, two) / longer if longer else 1.0
        if difference <= ALIKE:
            found.append(SoundAlike(first, second, difference))
    return sorted(found, key=lambda pair: pair.difference)


def _own_words(first: str, second: str) -> tuple[str, str]:
    """Leave out the words with which both begin or end; all of them stay if one has no others."""
    one, two = first.split(), second.split()
    begin = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)
    one, two = one[begin:], two[begin:]
    pairs = zip(reversed(one), reversed(two), strict=False)
    end = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(two)))
    one, two = one[: len(one) - end], two[: len(two) - end]
    return (" ".join(one), " ".join(two)) if one and two else (first, second)


def _bare(phonemes: str) -> str:
    """Keep the sounds: letters of the phonetic alphabet, without marks of stress and length."""
    return "".join(c for c in phonemes if unicodedata.category(c) in ("Ll", "Lu", "Lo"))
