"""hassil's sentence templates: parsed one by one, so that an error has its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import permutations
from math import factorial, prod

from hassil import parse_sentence
from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    TextChunk,
)
from hassil.expression import Sentence as HassilSentence
from hassil.parser import ParseError

from narrator.language.text import normalise, plain_characters

_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OPENERS = {close: open_ for open_, close in _CLOSERS.items()}
_SLOT = re.compile(r"\{([^{}]*)\}")
_SYNTAX = re.compile(r"(\{[^{}]*\}|<[^<>]*>|\\.|[()\[\]|;])")
_DIGITS = re.compile(r"(?<!\S)\d+(?!\S)")
_RANGE = re.compile(r"(\d+)\.\.(\d+)(?::(\w+))?")
_MAX_PERMUTED = 4
LONGEST = 300
"""Characters of a phrase; the longest that is shipped has 58."""
DEEPEST = 12
"""Brackets within one another."""
MOST_WAYS = 500
"""Ways to say one phrase; the one with the most that is shipped has 18."""


def check_template(template: str, slots: Set[str]) -> str | None:
    """Return what is wrong with a template, in one plain sentence; None if nothing is.

    Args:
        template: In hassil's syntax, for instance `[I] (accuse|vote for) {seat}`.
        slots: The names that may stand in braces here.
    """
    return (
        ("The sentence is empty." if not template.strip() else None)
        or _check_size(template)
        or check_brackets(template)
        or _check_slots(template, slots)
        or _check_sense(template)
    )


def _check_size(template: str) -> str | None:
    if len(template) > LONGEST:
        return f"It has {len(template):,} characters, and {LONGEST} are the most."
    depth = 0
    for sign in template:
        depth += (sign in "([") - (sign in ")]")
        if depth > DEEPEST:
            return f"Its brackets stand more than {DEEPEST} deep in one another."
    return None


def ways(tree: Expression) -> int:
    """Return in how many ways an expression can be said; a slot counts as one."""
    if isinstance(tree, Alternative):
        return sum(map(ways, tree.items))
    if isinstance(tree, Group):
        orders_of = factorial(len(tree.items)) if isinstance(tree, Permutation) else 1
        return orders_of * prod(map(ways, tree.items))
    return 1


def check_brackets(template: str) -> str | None:
    """Return a sentence naming a bracket of a template without its pair; None if all have one."""
    open_: list[tuple[str, int]] = []
    escaped = False
    for position, character in enumerate(template, 1):
        if escaped or character == "\\":
            escaped = not escaped
        elif character in _CLOSERS:
            open_.append((character, position))
        elif character in _OPENERS:
            if not open_ or open_[-1][0] != _OPENERS[character]:
                return (
                    f"The `{character}` at character {position} has no opening bracket: "
                    f"there is no `{_OPENERS[character]}` before it."
                )
            open_.pop()
    if open_:
        bracket, position = open_[-1]
        return (
            f"The `{bracket}` at character {position} is never closed: "
            f"put a `{_CLOSERS[bracket]}` after it."
        )
    return None


def _check_slots(template: str, slots: Set[str]) -> str | None:
    for match in _SLOT.finditer(template):
        name, where = match[1].split(":")[0].strip(), match.start() + 1
        bounds = _RANGE.fullmatch(match[1])
        if bounds and int(bounds[1]) > int(bounds[2]):
            return f"The range {match[0]} at character {where} ends before it begins."
        if not bounds and name not in slots:
            return f"Nothing fills {match[0]} at character {where}.{_cure(name, slots)}"
    rule = re.search(r"(?<!\\)<[^>]*>", template)
    if rule:
        return f"There is no rule {rule[0]} (character {rule.start() + 1}): write it out."
    return None


def _cure(name: str, slots: Set[str]) -> str:
    close = get_close_matches(name, sorted(slots), n=1)
    if close:
        return f" Did you mean {{{close[0]}}}?"
    if slots:
        return " It may be " + " or ".join(f"{{{s}}}" for s in sorted(slots)) + "."
    return " A slot cannot be used here: write the words themselves."


def _check_sense(template: str) -> str | None:
    try:
        tree = parse(template).expression
    except (ParseError, AssertionError, ValueError, RecursionError):
        return f"The sentence `{template}` cannot be read: look at its brackets and bars."
    if _permuted(tree) > _MAX_PERMUTED:
        return f"More than {_MAX_PERMUTED} parts in any order (`;`) are too many."
    if ways(tree) > MOST_WAYS:
        return f"It can be said in {ways(tree):,} ways, and {MOST_WAYS} are the most."
    if is_silent(tree):
        return "The sentence can be said without a word: something in it must not be optional."
    return None


def _permuted(tree: Expression) -> int:
    if not isinstance(tree, Group):
        return 0
    own = len(tree.items) if isinstance(tree, Permutation) else 0
    return max([own, *(_permuted(item) for item in tree.items)])


def is_silent(tree: Expression) -> bool:
    """Whether the expression can be said without a word."""
    if isinstance(tree, TextChunk):
        return not tree.text.strip()
    if isinstance(tree, Alternative):
        return any(is_silent(item) for item in tree.items)
    if isinstance(tree, Group):
        return all(is_silent(item) for item in tree.items)
    return False


@lru_cache(maxsize=4096)
def parse(template: str) -> HassilSentence:
    """Parse one template, its words as a transcript has them. Raises what hassil raises.

    A range such as `{1..60:minutes}` becomes a reference to the list `range_1_60`.
    """
    return parse_sentence(plain_template(template), keep_text=True)


def plain_template(template: str) -> str:
    """Return the template with its own words as a transcript has them."""
    return "".join(_plain(part) for part in _SYNTAX.split(template))


def _plain(part: str) -> str:
    if part.startswith("{"):
        bounds = _RANGE.fullmatch(part[1:-1])
        if not bounds:
            return part
        return f"{{range_{bounds[1]}_{bounds[2]}:{bounds[3] or 'number'}}}"
    if _SYNTAX.fullmatch(part):
        return part
    return plain_characters(part)


def with_words(template: str, spell_digits: Callable[[str], str]) -> str:
    """Return a template with its own digits spelt out: they are heard in words."""
    parts = _SYNTAX.split(template)
    return "".join(p if _SYNTAX.fullmatch(p) else _DIGITS.sub(_by(spell_digits), p) for p in parts)


def _by(spell_digits: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    return lambda match: spell_digits(match[0])


def slots_of(template: str) -> Iterator[ListReference]:
    """Yield every slot that the template refers to."""
    yield from _slots(parse(template).expression)


def _slots(tree: Expression) -> Iterator[ListReference]:
    if isinstance(tree, ListReference):
        yield tree
    elif isinstance(tree, Group):
        for item in tree.items:
            yield from _slots(item)


def orders(tree: Permutation) -> Iterator[tuple[Expression, ...]]:
    """Return the parts of "in any order" in each of their orders."""
    return permutations(tree.items)


def expand(template: str, fill: Mapping[str, Sequence[str]] | None = None) -> Iterator[str]:
    """Yield the sentences of a template, each once, the shortest reading of an option first.

    Args:
        template: In hassil's syntax.
        fill: The words for each slot, by the slot's own name. A slot without any gives nothing.
    """
    seen: set[str] = set()
    for text in expand_raw(template, fill or {}):
        sentence = normalise(text)
        if sentence and sentence not in seen:
            seen.add(sentence)
            yield sentence


def expand_raw(template: str, fill: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what `expand` returns, as the sentences are built, some more than once."""
    yield from _expand(parse(template).expression, fill)


def _expand(tree: Expression, fill: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if isinstance(tree, TextChunk):
        yield tree.text
    elif isinstance(tree, ListReference):
        yield from fill.get(tree.slot_name, ())
    elif isinstance(tree, Permutation):
        for order in orders(tree):
            yield from _expand_all(order, fill)
    elif isinstance(tree, Alternative):
        # hassil puts the empty reading of `[option]` last; the plain sentence is the natural one.
        first = tree.items[-1:] if tree.is_optional else []
        for item in [*first, *tree.items[: len(tree.items) - len(first)]]:
            yield from _expand(item, fill)
    elif isinstance(tree, Group):
        yield from _expand_all(tuple(tree.items), fill)


def _expand_all(items: Sequence[Expression], fill: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if not items:
        yield ""
        return
    for head in _expand(items[0], fill):
        for rest in _expand_all(items[1:], fill):
            yield head + rest


@cache
def plain_sentences(templates: tuple[str, ...]) -> tuple[str, ...]:
    """Return every sentence of templates without slots."""
    return tuple(dict.fromkeys(s for t in templates for s in expand(t)))
