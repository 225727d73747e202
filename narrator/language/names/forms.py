"""The words by which a seat is called: its name, its number, and what only sounds so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from narrator.core.values import Seat
from narrator.language.grammar.templates import expand, plain_sentences
from narrator.language.locale import Locale
from narrator.language.numbers import NumberWords, is_digits, small_forms, spell, spellings
from narrator.language.text import fold, normalise


def spelled(text: str, words: NumberWords) -> str:
    """Return the text with its digits in words: `seat 3` becomes `seat three`."""
    return " ".join(spell(int(w), words) if is_digits(w) else w for w in text.split())


def name_forms(seat: Seat, locale: Locale) -> tuple[str, ...]:
    """Return the spoken forms of a seat's name, the plainest first; none for a name of signs."""
    forms: list[str] = []
    for text in (seat.name, *seat.hear):
        form = spelled(normalise(text), locale.numbers)
        forms += [form, fold(form), form.replace("'", "")]
    return tuple(dict.fromkeys(" ".join(f.split()) for f in forms if f.strip()))


def same_forms(seat: Seat, seats: Sequence[Seat], locale: Locale) -> tuple[str, ...]:
    """Return other spellings of a seat's name that sound as it does; none that is another's as
    well.

    A recogniser writes the usual one: who is called Ana is heard as Anna.
    """
    groups = _same_names(locale)
    own = name_forms(seat, locale)
    taken = {f for other in seats if other != seat for f in name_forms(other, locale)}
    found = [f for form in own for f in groups.get(form, ())]
    free = taken.isdisjoint(found)  # else the spelling alone tells the two apart
    return tuple(dict.fromkeys(f for f in found if f not in own)) if free else ()


@lru_cache(maxsize=8)
def _same_names(locale: Locale) -> dict[str, tuple[str, ...]]:
    groups = [tuple(normalise(name) for name in group) for group in locale.same_names]
    return {name: group for group in groups for name in group}


def number_forms(number: int, locale: Locale, *, homophones: bool = False) -> tuple[str, ...]:
    """Return the ways to name a seat by its number, such as `seat three`.

    With `homophones` the ways that only sound so: `seat for`.
    """
    said = list(spellings(number, locale.numbers))
    if homophones:
        forms = small_forms(locale.numbers, True).items()
        sounding = [" ".join(f) for f, n in forms if n == number]
        said = [s for s in sounding if s not in said]
    return tuple(s for t in locale.seat_numbers for s in expand(t, {"number": said}))


def bare_numbers(number: int, locale: Locale) -> tuple[str, ...]:
    """Return a seat's number alone: typed often, but `dee` is soon heard as `three`."""
    return tuple(spellings(number, locale.numbers))


def seat_words(seats: Sequence[Seat], locale: Locale) -> frozenset[str]:
    """Return the words that tell seats apart: names, and the words of numbers."""
    forms = [form for s in seats for form in name_forms(s, locale)]
    forms += [form for s in seats for form in same_forms(s, seats, locale)]
    forms += [form for s in seats for form in bare_numbers(s.number, locale)]
    return frozenset(word for form in forms for word in form.split())


def named_once(seats: Sequence[Seat], locale: Locale) -> frozenset[str]:
    """Return the words of which a line of points has each once: names, and what stands for all."""
    forms = [form for seat in seats for form in name_forms(seat, locale)]
    forms += [form for seat in seats for form in same_forms(seat, seats, locale)]
    words = {word for form in (*forms, *plain_sentences(locale.everyone)) for word in form.split()}
    return frozenset(words - {w for form in small_forms(locale.numbers, True) for w in form})
