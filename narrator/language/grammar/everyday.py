"""Other words for the same: contractions, and what people say for a sentence that is awaited.

Nothing of this is in what a recogniser is given: a longer grammar is mistaken more easily.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from narrator.language.locale import Locale


def ways_to_say(words: str, locale: Locale) -> Iterator[str]:
    """Yield the words, then other words for the same, the nearest first.

    Args:
        words: As `normalise` gives them.
        locale: Whose contractions and everyday forms are meant.
    """
    seen = set[str]()
    whole = _replaced(words, _wholes(locale))
    meant = (s for form in (words, whole) for s in _everyday(locale).get(form, ()))
    for same in (*spellings(words, locale), *meant):
        if same not in seen:
            seen.add(same)
            yield same


def spellings(words: str, locale: Locale) -> tuple[str, ...]:
    """Return the words, and the same words with contractions dissolved or made."""
    whole = _replaced(words, _wholes(locale))
    return words, whole, _replaced(whole, _shorts(locale))


def _replaced(words: str, by: Mapping[str, str]) -> str:
    """Return the words with each that stands in a table, alone or with the next, replaced."""
    tokens, made = words.split(), list[str]()
    while tokens:
        pair = " ".join(tokens[:2])
        length = 2 if len(tokens) > 1 and pair in by else 1
        made.append(by.get(" ".join(tokens[:length]), tokens[0]))
        del tokens[:length]
    return " ".join(made)


@lru_cache(maxsize=8)
def _wholes(locale: Locale) -> Mapping[str, str]:
    """Return what each short form stands for, with its apostrophe and, where it may be, without."""
    wholes = dict(locale.contractions)
    bare = {s.replace("'", ""): w for s, w in wholes.items() if s not in locale.apostrophed}
    return bare | wholes


@lru_cache(maxsize=8)
def _shorts(locale: Locale) -> Mapping[str, str]:
    return {whole: short for short, whole in locale.contractions}


@lru_cache(maxsize=8)
def _everyday(locale: Locale) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for means, forms in locale.everyday:
        for form in forms:
            found[form] = (*found.get(form, ()), *means)
    return found
