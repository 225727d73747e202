"""Names that nobody at a table can have: they could not be said, or would be taken for an answer.

How well a name that can be had is told from others by ear is another matter: see `names`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from narrator.core.values import Seat
from narrator.language.grammar.templates import expand, plain_sentences
from narrator.language.locale import Locale
from narrator.language.messages import Messages
from narrator.language.names.forms import number_forms, spelled
from narrator.language.numbers import is_digits, small_forms
from narrator.language.read_aloud import unread
from narrator.language.shown import hidden, shown
from narrator.language.text import fold, normalise

LONGEST = 40
"""Letters that a name may have."""
_SEATS = 20
_LOOKS_LATIN = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455"
    "\u03b1\u03b2\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6",
    "abekmhopctyxijs" "abehikmnoptyxz",
)  # fmt: skip
"""Cyrillic and Greek letters whose capitals or small ones are drawn as Latin ones: on the screen
nobody tells the two names apart."""


def refusal(seats: Sequence[Seat], locale: Locale) -> str:
    """Say in one sentence, with the remedy, why a table cannot have these names; "" if it can.

    Args:
        seats: Everybody; also their further spoken forms are looked at.
        locale: The language of the table, whose answers and commands no name may be.
    """
    for seat in seats:
        told = _unusable(seat.name, locale.messages) or _taken(seat, locale)
        told = told or next((_form(seat, f, locale) for f in seat.hear if f != seat.name), "")
        if told:
            return told
    unread = (told for seat in seats if (told := _unread(seat, locale)))
    return _twice(seats, locale.messages) or next(unread, "")


def _unusable(name: str, messages: Messages) -> str:
    if not name.strip():
        return messages.line("name empty")
    if len(name) > LONGEST:
        start = shown(name[:12])
        return messages.line("name too long", name=start, count=len(name), most=LONGEST)
    if unseen := hidden(name):
        return messages.line("name unshowable", sign=unseen)
    if not any(sign.isalnum() for sign in normalise(name)):
        return messages.line("name unsayable", name=name)
    return ""


def _unread(seat: Seat, locale: Locale) -> str:
    """Tell of letters that the language's voice does not read but names, one by one."""
    if not unread(seat.say or seat.name, locale.language):
        return ""
    return locale.messages.line("name unread", name=seat.name)


def _taken(seat: Seat, locale: Locale) -> str:
    what = _meaning(seat.name, seat.number, locale)
    if not what:
        return ""
    return locale.messages.line("name taken", name=seat.name, meaning=what)


def _form(seat: Seat, form: str, locale: Locale) -> str:
    long = len(form) > LONGEST
    what = "too long" if long else _meaning(form, seat.number, locale)
    if not what:
        return ""
    return locale.messages.line("form taken", name=seat.name, form=form, meaning=what)


def _meaning(text: str, number: int, locale: Locale) -> str:
    plain = normalise(text)
    if is_digits(plain.replace(" ", "")):
        return "number"
    plain = spelled(plain, locale.numbers)
    if plain in number_forms(number, locale):
        return ""  # Player 2 in seat 2 means the same either way
    return _words(locale).get(plain) or _words(locale).get(fold(plain), "")


@cache
def _words(locale: Locale) -> Mapping[str, str]:
    """Return every short sentence that means something by itself, and what it is."""
    return {normalise(sentence): what for sentence, what in _sentences(locale)}


def _sentences(locale: Locale) -> Iterator[tuple[str, str]]:
    ignored = (*locale.openers, *locale.closers, *locale.joiners, *locale.excepting)
    yield from ((word, "filler") for word in ignored if len(word) > 1)
    yield from ((word, "correction") for word in locale.corrections)
    yield from ((" ".join(f), "number") for f in small_forms(locale.numbers, False))
    for number in range(1, _SEATS + 1):
        yield from ((form, "seat number") for form in number_forms(number, locale))
    for templates in locale.commands.values():
        plain = (t for t in templates if "{" not in t)
        yield from ((s, "command") for t in plain for s in expand(t))
    answers = (*locale.yes, *locale.no, *locale.nobody, *locale.everyone)
    yield from ((s, "answer") for s in plain_sentences(answers))


def _twice(seats: Sequence[Seat], messages: Messages) -> str:
    for at, seat in enumerate(seats):
        for other in seats[:at]:
            if text := _alike(other, seat):
                return messages.line(text, other=other.name, name=seat.name)
    for at, seat in enumerate(seats):
        for other in seats[:at]:
            for one, two in ((seat, other), (other, seat)):
                if form := _shared_form(one, two):
                    return messages.line(
                        "form of another", name=one.name, other=two.name, form=form
                    )
    return ""


def _shared_form(seat: Seat, other: Seat) -> str:
    """Return a seat's spoken form by which another is called; "" where there is none."""
    theirs = {_looks(form) for form in (other.name, other.say, *other.hear) if form}
    for form in (seat.say, *seat.hear):
        if form and _looks(form) in theirs:
            return form
    return ""


def _alike(one: Seat, other: Seat) -> str:
    """Return which text tells that two names are the same to an ear or an eye; "" if none."""
    if one.name.casefold() == other.name.casefold():
        return "names the same"
    if fold(normalise(one.name)) == fold(normalise(other.name)):
        return "names said alike"
    if _looks(one.name) == _looks(other.name):
        return "names look alike"
    return ""


def _looks(name: str) -> str:
    """Return what a name is read as: wide and narrow letters, and those of other scripts, alike."""
    wide = unicodedata.normalize("NFKC", name).casefold()
    return fold(normalise(wide)).translate(_LOOKS_LATIN)
