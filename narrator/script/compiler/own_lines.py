"""The narrator's own lines for a script's language, and English ones for what a locale lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from narrator.language.locale import Locale
from narrator.script.files.locales import LocaleError, load_locale

Lines: TypeAlias = Mapping[str, str]

OWN_LINES: Lines = {
    "is_that_right": "Is that right?",
    "whose_vote_is_wrong": "Whose vote is wrong?",
    "whose_answer_is_wrong": "Whose answer is wrong?",
    "and": "and",
    "nobody": "nobody",
    "minute": "minute",
    "minutes": "minutes",
    "second": "second",
    "seconds": "seconds",
}
WORDS = ("and", "nobody", "minute", "minutes", "second", "seconds")
"""Of these, what expressions build their texts from."""


def locale_of(language: str) -> Locale | None:
    """Return the locale of a script's language; None where Narrator does not have it."""
    try:
        return load_locale(language)
    except LocaleError:
        return None


def locale_to_check_with(language: str) -> Locale:
    """Return a language's locale; where Narrator has none, English words under that language's
    name.

    A translation may be written before its language is there, and is to be checked all the same.
    """
    return locale_of(language) or replace(load_locale("en"), language=language)


def own_lines(locale: Locale | Lines | None) -> dict[str, str]:
    """Return every own line by id (with `_` for spaces): the locale's, then English ones."""
    if locale is None:
        return dict(OWN_LINES)
    if isinstance(locale, Locale):
        joiner = {"and": locale.joiners[0]} if locale.joiners else {}
        lines = {**joiner, **locale.lines}
    else:
        lines = dict(locale)
    return {**OWN_LINES, **{key.replace(" ", "_"): text for key, text in lines.items()}}
