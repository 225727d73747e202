"""Whether the names of a table can be told apart by ear, and from what else is said at it.

The bounds were fitted on names that voices said and the recogniser heard: see docs/names.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Literal, TypeAlias

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.templates import expand, plain_sentences
from narrator.language.locale import Locale
from narrator.language.messages import Messages, Told
from narrator.language.names.forms import name_forms, number_forms, same_forms
from narrator.language.names.phonetics import (
    Sounds,
    difference,
    rhymes,
    same_vowels,
    sounds_of,
    syllables,
)
from narrator.language.numbers import small_forms
from narrator.language.text import normalise

Trouble: TypeAlias = Literal["unknown", "alike", "word", "short", "misread"]

ALIKE = 0.26
"""Names with the same vowels sound alike if at most this part of their sounds differs."""
LIKE_A_WORD = 0.3
"""Likewise for a name and a word of the game: where names are no answer, nothing else fits."""
OTHERWISE, OTHERWISE_A_WORD = 0.17, 0.12
"""Likewise where the vowels differ."""
_RHYME, _UNEVEN = 0.8, 0.9
"""So much nearer are rhymes, and so much stricter is a bound where one has a syllable more."""
_SAMPLES = 8
"""Sentences of a template that are compared."""
_NUMBERS = 20
_FAR = 2.0
_SHORT = 3
"""A name of one syllable and at most this many sounds is short."""


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What part of the sounds may differ at most, with the same vowels and with others."""

    vowels: float
    otherwise: float
    rhyming: bool = False
    """Whether what rhymes sounds alike however much its begin differs."""


_BETWEEN_NAMES = _Bounds(ALIKE, OTHERWISE, rhyming=True)
_WITH_WORDS = _Bounds(LIKE_A_WORD, OTHERWISE_A_WORD)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is the matter with a name, in one sentence, and what to do about it."""

    trouble: Trouble
    names: tuple[str, ...]
    """Whom it is about."""
    code: str
    """Which of the language's sentences tells it."""
    fields: Mapping[str, str]
    """What the sentence names."""
    messages: Messages = field(repr=False, compare=False)
    word: str = ""
    """What it sounds like, where that is no name."""
    difference: float = 0.0
    """Part of the sounds that differs."""
    spellings: tuple[str, ...] = ()
    """Spellings that the recogniser knows and that sound alike."""

    @property
    def told(self) -> str:
        """What is the matter, in the language of the table."""
        return self._sentences().sentence

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return self._sentences().remedy

    def __str__(self) -> str:
        """Return the sentence and the remedy in one line."""
        return str(self._sentences())

    def _sentences(self) -> Told:
        return self.messages.fault(self.code, self.fields)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What a recogniser can hear."""

    knows: Callable[[str], bool]
    """Returns whether a word can ever be heard."""
    spellings: Callable[[str], Sequence[str]]
    """Returns known spellings, one or several words each, for a text that is not known."""


def check_names(
    seats: Sequence[Seat],
    locale: Locale,
    sounds: Sounds,
    *,
    lexicon: Lexicon | None = None,
    expectations: Iterable[Expectation] | None = None,
) -> list[Finding]:
    """Return everything that is the matter with the names of a table, the worst first.

    Args:
        seats: Everybody, clockwise.
        locale: The language of the table.
        sounds: Gives a phrase's phonemes.
        lexicon: What the recogniser can hear; without one everything can be.
        expectations: What is listened for in the game; None: what any game listens for.
    """
    unknown = list(unknown_names(seats, locale, lexicon)) if lexicon else []
    words = spoken_words(locale, expectations)
    alike = sorted(_alike(seats, locale, sounds), key=lambda f: f.difference)
    like_words = sorted(_like_words(seats, locale, sounds, words), key=lambda f: f.difference)
    return [*unknown, *alike, *like_words, *_short(seats, locale, sounds)]


def spoken_words(locale: Locale, expectations: Iterable[Expectation] | None) -> dict[str, str]:
    """Return the short sentences that are listened for, each with what it is.

    Args:
        locale: The language of the table.
        expectations: Of the game; None: what any game listens for.
    """
    if expectations is None:
        commands = (Expectation(f"command:{name}", "command") for name in locale.commands)
        expectations = (Expectation("answer", "yesno"), Expectation("answer", "number"), *commands)
    found: dict[str, str] = {}
    for expectation in expectations:
        for sentence, meaning in _sentences(expectation, locale):
            plain = normalise(sentence)
            if plain and plain.count(" ") <= 1 and "{" not in sentence:
                found.setdefault(plain, meaning)
    return found


def said_forms(seat: Seat, locale: Locale) -> tuple[str, ...]:
    """Return how a seat's name is said: its respelling where it has one, and its further forms."""
    bare = Seat(seat.number, seat.say or seat.name, hear=seat.hear)
    return name_forms(bare, locale)


def _sentences(expectation: Expectation, locale: Locale) -> Iterator[tuple[str, str]]:
    kind = expectation.kind
    if kind == "yesno":
        yield from ((s, "answer") for s in plain_sentences((*locale.yes, *locale.no)))
    if kind in ("number", "points"):
        numbers = small_forms(locale.numbers, False)
        yield from ((" ".join(f), "number") for f, n in numbers.items() if n <= _NUMBERS)
    if kind == "letter":
        allowed = expectation.allowed
        for letter, forms in locale.letters:
            yield from ((form, "letter") for form in forms if not allowed or letter in allowed)
    if kind in ("seat", "seats", "points"):
        everybody = locale.everyone if kind != "seat" else ()
        said = (*(locale.nobody if expectation.nobody else ()), *everybody)
        yield from ((s, "answer") for s in plain_sentences(said))
    yield from _worded(expectation, locale)


def _worded(expectation: Expectation, locale: Locale) -> Iterator[tuple[str, str]]:
    for _, templates in expectation.choices:
        yield from _samples(templates, "answer")
    if expectation.kind == "command":
        templates = expectation.templates or locale.command(expectation.intent.partition(":")[2])
        yield from _samples(templates, "command")
    elif expectation.kind in ("phrase", "sentence"):
        yield from _samples(expectation.templates, "answer")


def _samples(templates: Iterable[str], meaning: str) -> Iterator[tuple[str, str]]:
    for template in templates:
        if "{" not in template:
            yield from ((sentence, meaning) for sentence in islice(expand(template), _SAMPLES))


def unknown_names(seats: Sequence[Seat], locale: Locale, lexicon: Lexicon) -> Iterator[Finding]:
    """Yield each name that has no form which a recogniser can hear, with spellings it can.

    Args:
        seats: Everybody.
        locale: The language of the table.
        lexicon: What the recogniser can hear.
    """
    for seat in seats:
        forms = (*name_forms(seat, locale), *said_forms(seat, locale))
        forms += same_forms(seat, seats, locale)
        if any(all(lexicon.knows(word) for word in form.split()) for form in forms):
            continue
        near = tuple(lexicon.spellings(seat.say or seat.name)) if forms else ()
        code, fields = "name unknown", {"name": seat.name, "seat": _seat(seat, locale)}
        if near:
            code = "name unknown but near"
            fields = {"name": seat.name, "near": ", ".join(near), "first": near[0]}
        yield Finding("unknown", (seat.name,), code, fields, locale.messages, spellings=near)


def _alike(seats: Sequence[Seat], locale: Locale, sounds: Sounds) -> Iterator[Finding]:
    for one, two in combinations(seats, 2):
        forms = said_forms(one, locale), said_forms(two, locale)
        apart, _ = _nearest(*forms, sounds, _BETWEEN_NAMES)
        if apart <= 1.0:
            fields = {"one": one.name, "two": two.name}
            fields |= {"seat": _seat(one, locale), "other": _seat(two, locale)}
            yield Finding(
                "alike", (one.name, two.name), "names alike", fields, locale.messages,
                difference=round(apart, 3),
            )  # fmt: skip


def _like_words(
    seats: Sequence[Seat], locale: Locale, sounds: Sounds, words: dict[str, str]
) -> Iterator[Finding]:
    for seat in seats:
        apart, word = _nearest(said_forms(seat, locale), tuple(words), sounds, _WITH_WORDS)
        if apart <= 1.0:
            fields = {"name": seat.name, "word": word, "meaning": words[word]}
            fields["seat"] = _seat(seat, locale)
            yield Finding(
                "word", (seat.name,), "name like a word", fields, locale.messages, word,
                round(apart, 3),
            )  # fmt: skip


def _nearest(
    forms: Sequence[str], others: Sequence[str], sounds: Sounds, bounds: _Bounds
) -> tuple[float, str]:
    """Return the least difference of two of these that sound alike, and the second of them.

    Where no two do, the difference is `_FAR`.
    """
    heard = [sounds(form) for form in forms]
    pairs = ((_apart(one, sounds(other), bounds), other) for other in others for one in heard)
    return min(pairs, default=(_FAR, ""))


def _apart(first: str, second: str, bounds: _Bounds) -> float:
    """Return how far two that sound alike are apart; `_FAR` where they do not sound alike.

    Those that rhyme are nearer than their sounds: measured, they are confused more.
    """
    if not (sounds_of(first) and sounds_of(second)):
        return _FAR
    is_rhyme = rhymes(first, second)
    apart = difference(first, second) * (_RHYME if is_rhyme else 1.0)
    limit = bounds.vowels if syllables(first) == syllables(second) else _UNEVEN * bounds.vowels
    if apart <= bounds.otherwise or (apart <= limit and same_vowels(first, second)):
        return apart
    return apart if bounds.rhyming and is_rhyme else _FAR


def _short(seats: Sequence[Seat], locale: Locale, sounds: Sounds) -> Iterator[Finding]:
    short = [s for s in seats if all(_is_short(sounds(f)) for f in said_forms(s, locale))]
    if short:
        names = ", ".join(seat.name for seat in short)
        fields = {"names": names, "seat": _seat(short[0], locale), "name": short[0].name}
        called = tuple(seat.name for seat in short)
        yield Finding("short", called, "names short", fields, locale.messages)


def _is_short(phonemes: str) -> bool:
    return syllables(phonemes) <= 1 and 0 < len(sounds_of(phonemes)) <= _SHORT


def _seat(seat: Seat, locale: Locale) -> str:
    return next(iter(number_forms(seat.number, locale)), str(seat.number))
