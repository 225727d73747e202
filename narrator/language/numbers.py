"""Words to numbers and back, for one language's number words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeAlias

from narrator.language.text import normalise

Words: TypeAlias = tuple[str, ...]

LARGEST = 9_999
"""The largest number that is spoken or understood in words."""


@dataclass(frozen=True, slots=True)
class NumberWords:
    """A language's number words. The first of several forms is the one that is spoken."""

    small: tuple[tuple[int, Words], ...]
    """Below 100: those that are not put together from tens and units, `(2, ("two",))`."""
    hundred: str = ""
    thousand: str = ""
    joiners: Words = ()
    """May stand before the tens and units: `and`."""
    one: Words = ()
    """May stand for one before `hundred` and `thousand`: `a`."""
    minus: Words = ()
    alone: bool = False
    """Whether `hundred` and `thousand` by themselves are 100 and 1000, as in many languages."""
    half: Words = ()
    """May follow a number and add a half to it: `and a half`."""
    half_alone: Words = ()
    """Stand for a half by themselves: `half`."""
    homophones: tuple[tuple[int, Words], ...] = ()
    """Words that sound like a number; they count as one only inside a number slot."""


def parse(text: str, words: NumberWords, *, homophones: bool = False) -> int | None:
    """Return the number that the whole text says, in words or digits; None if it says none.

    With `homophones` words such as `to` and `for` count as numbers too.
    """
    tokens = tuple(normalise(text).split())
    if len(tokens) == 1 and is_digits(tokens[0]):
        return int(tokens[0])
    if len(tokens) > 1 and tokens[0] in words.minus:
        value = _positive(tokens[1:], words, homophones)
        return None if value is None else -value
    return _positive(tokens, words, homophones)


def parse_halves(text: str, words: NumberWords, *, homophones: bool = False) -> float | None:
    """Return the number that the whole text says, which may have a half; None if it says none."""
    whole = parse(text, words, homophones=homophones)
    if whole is not None:
        return whole
    plain = normalise(text)
    size, less = _unsigned(plain, words)
    if size in words.half_alone:
        return -0.5 if less else 0.5
    for ending in (*words.half, *WRITTEN_HALF):
        head = size.removesuffix(f" {ending}")
        number = parse(head, words, homophones=homophones) if head != size else None
        if number is not None:
            less = less or head.startswith("-")
            return -(abs(number) + 0.5) if less else number + 0.5
    return None


WRITTEN_HALF = ("5", "1 2")
"""What is left of 2.5 and of 2 1/2 where there are words only."""


def _unsigned(plain: str, words: NumberWords) -> tuple[str, bool]:
    for minus in words.minus:
        if plain.startswith(f"{minus} "):
            return plain.removeprefix(f"{minus} "), True
    return plain, False


def with_half(number: float, words: NumberWords) -> Iterator[str]:
    """Yield the ways to say a number that has a half, the plainest first."""
    minus = f"{words.minus[0]} " if number < 0 and words.minus else ""
    size = int(abs(number))
    if not size:
        yield from (f"{minus}{half}" for half in words.half_alone)
    for spelling in spellings(size, words) if size else ():
        yield from (f"{minus}{spelling} {half}" for half in words.half)


def is_digits(word: str) -> bool:
    """Whether the word is a number in digits, of a length worth reading."""
    return word.isascii() and word.removeprefix("-").isdecimal() and len(word) <= 9


def _positive(tokens: Words, words: NumberWords, homophones: bool) -> int | None:
    if len(tokens) == 1 and is_digits(tokens[0]):
        return int(tokens[0])
    if words.thousand and words.thousand in tokens:
        at = tokens.index(words.thousand)
        starts = at == 0 and words.alone
        head = 1 if starts else _head(tokens[:at], words, homophones, range(1, 10))
        tail = _tail(tokens[at + 1 :], words, homophones, range(1, 1000))
        return None if head is None or tail is None else 1000 * head + tail
    return _below_hundreds(tokens, words, homophones)


def _below_hundreds(tokens: Words, words: NumberWords, homophones: bool) -> int | None:
    if not words.hundred or words.hundred not in tokens:
        return small_forms(words, homophones).get(tokens)
    at = tokens.index(words.hundred)
    tail = _tail(tokens[at + 1 :], words, homophones, range(1, 100))
    if at == 0:
        # "hundred and twenty" is said for 120; "hundred" alone is too little to act on in English.
        return 100 + tail if tail or (words.alone and tail == 0) else None
    head = _head(tokens[:at], words, homophones, range(1, 100))
    if head is None or tail is None or (head >= 10 and head % 10 == 0):
        return None
    return 100 * head + tail


def _head(tokens: Words, words: NumberWords, homophones: bool, among: range) -> int | None:
    if len(tokens) == 1 and tokens[0] in words.one:
        return 1
    value = small_forms(words, homophones).get(tokens)
    return value if value in among else None


def _tail(tokens: Words, words: NumberWords, homophones: bool, among: range) -> int | None:
    if not tokens:
        return 0
    joined = tokens[0] in words.joiners
    rest = tokens[1:] if joined else tokens
    if joined or words.hundred not in rest:
        value = small_forms(words, homophones).get(rest)
    else:
        begins = rest[0] == words.hundred and not words.alone
        value = None if begins else _below_hundreds(rest, words, homophones)
    return value if value in among else None


@cache
def small_forms(words: NumberWords, homophones: bool) -> dict[Words, int]:
    """Return every way to say a number below 100, as words, with the number."""
    listed = {number: [tuple(f.split()) for f in forms] for number, forms in words.small}
    if homophones:
        for number, forms in words.homophones:
            listed[number] = listed.get(number, []) + [tuple(f.split()) for f in forms]
    found: dict[Words, int] = {}
    for number in range(100):
        for form in listed.get(number) or _composed(number, listed):
            found.setdefault(form, number)
    return found


def _composed(number: int, listed: dict[int, list[Words]]) -> list[Words]:
    tens, units = listed.get(number - number % 10, []), listed.get(number % 10, [])
    if number < 20:
        return []
    return [t + u for t, u in product(tens, units)]


@cache
def _forms_by_number(words: NumberWords) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for form, number in small_forms(words, False).items():
        found.setdefault(number, []).append(" ".join(form))
    return found


def spell(number: int, words: NumberWords) -> str:
    """Return the number in words, `one hundred twenty`; digits where the language has no words."""
    return next(spellings(number, words), str(number))


def spellings(number: int, words: NumberWords) -> Iterator[str]:
    """Yield the ways to say the number, the plainest first, homophones left out."""
    if abs(number) > LARGEST:
        return
    if number < 0:
        yield from (f"{m} {s}" for m in words.minus for s in spellings(-number, words))
        return
    forms = _forms_by_number(words)
    if number < 100:
        yield from forms.get(number, [])
    elif number >= 1000 and words.thousand:
        yield from _scaled(number, 1000, words.thousand, words)
    if number >= 100 and words.hundred and _is_said_in_hundreds(number, words):
        yield from _scaled(number, 100, words.hundred, words)


def _is_said_in_hundreds(number: int, words: NumberWords) -> bool:
    return number < 1000 or (number // 100 % 10 != 0 and not words.alone)


def _scaled(number: int, scale: int, name: str, words: NumberWords) -> Iterator[str]:
    forms = _forms_by_number(words)
    head, tail = divmod(number, scale)
    heads = [*forms.get(head, []), *(words.one if head == 1 else ())]
    if words.alone and head == 1:
        heads = ["", *heads]
    for tail_words in _tails(tail, words):
        yield from (f"{h} {name} {tail_words}".strip() for h in heads)
        if scale == 100 and head == 1 and tail and not words.alone:
            yield f"{name} {tail_words}"


def _tails(tail: int, words: NumberWords) -> list[str]:
    if tail == 0:
        return [""]
    plain = list(spellings(tail, words))
    if tail >= 100:
        if words.alone:
            return plain
        return [p for p in plain if not p.startswith(words.hundred)]
    return plain + [f"{j} {p}" for j in words.joiners for p in plain]
