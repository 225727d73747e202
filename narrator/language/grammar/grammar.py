"""Live expectations become one grammar: what to listen for, and what was meant."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice, zip_longest

from narrator.core.expect import Expectation, Meaning
from narrator.core.values import Seat, Value
from narrator.language.grammar.automaton import Automaton, either
from narrator.language.grammar.everyday import spellings, ways_to_say
from narrator.language.grammar.expectation import GrammarError, Plan, plan
from narrator.language.grammar.names_slot import names_in
from narrator.language.grammar.network import Network
from narrator.language.grammar.reader import Reader
from narrator.language.grammar.templates import expand, plain_sentences
from narrator.language.hesitations import without_hesitations
from narrator.language.locale import Locale
from narrator.language.names.forms import named_once, seat_words, spelled
from narrator.language.numbers import NumberWords, small_forms, spell
from narrator.language.text import UNKNOWN, normalise

__all__ = ["Grammar", "GrammarError", "Interpretation", "compile_grammar"]

UNLIKELY = 3.0
"""Nats by which a command is less likely than an answer while somebody waits for one."""
_CORRECTABLE = ("seat", "number", "letter", "choice", "yesno", "points")
_OPENERS = 2
_HEARD_CORRECTIONS = 4
"""Words of correction that are listened for, the first ones: each makes an answer less certain."""
_LONGEST = 120
"""Words of the longest line that is looked at; what is longer is talk, or a pasted page."""
_CACHED = 256


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a transcript means now."""

    text: str
    """The words, as a transcript has them."""
    meanings: tuple[Meaning, ...] = ()
    """None: not understood. One: understood. Several: ambiguous, so somebody must ask."""
    is_everyday: bool = False
    """Whether they are none of the expected sentences, but what people say for one."""

    @property
    def meaning(self) -> Meaning | None:
        """The meaning, if there is exactly one."""
        return self.meanings[0] if len(self.meanings) == 1 else None

    @property
    def is_ambiguous(self) -> bool:
        """Whether the words mean several things."""
        return len(self.meanings) > 1


class Grammar:
    """Everything that may be said at one moment. Made by `compile_grammar`; never changes."""

    def __init__(
        self,
        plans: Sequence[Plan],
        seats: tuple[Seat, ...],
        locale: Locale,
        key: Hashable,
        *,
        openers: bool,
        corrections: bool = False,
    ) -> None:
        self.key = key
        """Equal for grammars that hear and understand the same."""
        self.expectations = tuple(p.expectation for p in plans)
        self._plans = tuple(plans)
        self._locale = locale
        self._readers = [Reader(p, locale.language) for p in plans if p.templates]
        self._corrections = {p.expectation: _corrections(p, locale) for p in plans}
        heard = tuple(_as_heard(e) for e in self.expectations)
        self._automaton = partial(_automaton, heard, seats, locale, corrections)
        self.automaton: Automaton = self._automaton(openers)
        """What a recogniser is given. Free speech is not in it."""
        self._full: Automaton | None = self.automaton if openers else None

    @property
    def is_free(self) -> bool:
        """Whether any words at all are an answer, so that the recogniser need not be bound."""
        return any(e.kind == "free" for e in self.expectations)

    def interpret(self, text: str) -> Interpretation:
        """Return what a transcript or typed line means.

        Words that may be said before or after any sentence are left out where that helps, and short
        or everyday forms are taken for what they stand for; a
        correction in the same breath counts; free speech is what nothing else explains, without
        hesitations around it. An answer wins over a command that has the same words.
        """
        words = normalise(text)
        if not words or UNKNOWN in text.lower():
            return Interpretation(words)
        is_talk = words.count(" ") >= _LONGEST
        # Where any words are an answer, everyday ones are no more than that.
        ways = (words,) if self.is_free else ways_to_say(words, self._locale)
        for same in () if is_talk else ways:
            for candidate in _trimmed(same, self._locale):
                meanings = self._meanings(candidate) or self._corrected(candidate)
                if meanings:
                    own = same in spellings(words, self._locale)
                    return Interpretation(words, meanings, is_everyday=not own)
        named = [e for e in self.expectations if e.kind == "names"]
        if named:  # those that are typed need not be on any list
            names: list[Value] = [*names_in(text, self._locale.joiners)]
            return Interpretation(words, (Meaning(named[0].intent, names),) if names else ())
        free = [e for e in self.expectations if e.kind == "free"]
        meant = without_hesitations(words, self._locale.hesitations)
        return Interpretation(words, tuple(Meaning(e.intent, meant) for e in free[:1]))

    def _meanings(self, words: str) -> tuple[Meaning, ...]:
        if not self._is_heard(words):
            return ()
        read = (m for r in self._readers for m in r.read(words, self._locale.numbers))
        return _shadowing(_distinct(read))

    def _corrected(self, words: str) -> tuple[Meaning, ...]:
        if not self._is_heard(words):
            return ()
        found: list[Meaning] = []
        for reader in self._readers:
            for before, after in _cut(words, self._corrections[reader.expectation]):
                meant = reader.read(after, self._locale.numbers)
                if meant and self._is_said_of(reader, before):
                    found += meant
        return _distinct(found)

    def _is_heard(self, words: str) -> bool:
        """Whether a recogniser could have heard this; hassil alone is laxer about spaces."""
        forms = {words, spelled(words, self._locale.numbers)}
        if any(self.automaton.accepts(form) for form in forms):
            return True
        if self._full is None:
            self._full = self._automaton(True)
        return any(self._full.accepts(form) for form in forms)

    def _is_said_of(self, reader: Reader, words: str) -> bool:
        cuts = _cut(words, self._corrections[reader.expectation])
        return bool(reader.read(words, self._locale.numbers)) or any(
            reader.read(after, self._locale.numbers) and self._is_said_of(reader, before)
            for before, after in cuts
        )

    def unknown_words(self, knows_word: Callable[[str], bool]) -> list[str]:
        """Return the words that a recogniser can never hear, in order."""
        return sorted(w for w in self.automaton.words() if not knows_word(w))

    def sample(self, expectation: Expectation, value: Value) -> str:
        """Return the most natural sentence that means this value; "" if there is none."""
        return next(self._sentences(expectation, value), "")

    def samples(self, expectation: Expectation, value: Value, limit: int) -> list[str]:
        """Return up to `limit` sentences that mean this value, the most natural first."""
        return list(islice(self._sentences(expectation, value), limit))

    def _sentences(self, expectation: Expectation, value: Value) -> Iterator[str]:
        if expectation.kind == "free" and isinstance(value, str):
            yield normalise(value)
        seen: set[str] = set()
        for made in self._plans:
            if made.expectation == expectation:
                for sentence in _said(made, value):
                    if sentence not in seen and self._means(sentence, expectation, value):
                        seen.add(sentence)
                        yield sentence

    def _means(self, sentence: str, expectation: Expectation, value: Value) -> bool:
        """Keep a sample that is ambiguous at this table, or means something else, from use."""
        meaning = self.interpret(sentence).meaning
        if meaning is None or meaning.intent != expectation.intent:
            return False
        return expectation.kind == "phrase" or meaning.value == value


def _as_heard(expectation: Expectation) -> Expectation:
    """Drop which seats are acceptable: every seat is heard, acceptable or not."""
    if expectation.kind not in ("seat", "seats", "points"):
        return expectation
    return replace(expectation, allowed=())


def _automaton(
    expectations: tuple[Expectation, ...],
    seats: tuple[Seat, ...],
    locale: Locale,
    corrections: bool,
    openers: bool,
) -> Automaton:
    if openers:
        return _network(expectations, seats, locale, True)
    commands = tuple(e for e in expectations if e.kind == "command")
    answers = tuple(e for e in expectations if e.kind != "command")
    if not (answers and commands):
        return _network(expectations, seats, locale, False, corrections)
    return _weighed(answers, commands, seats, locale, corrections)


@lru_cache(maxsize=_CACHED)
def _weighed(
    answers: tuple[Expectation, ...],
    commands: tuple[Expectation, ...],
    seats: tuple[Seat, ...],
    locale: Locale,
    corrections: bool,
) -> Automaton:
    asked = _network(answers, seats, locale, False, corrections)
    return either(asked, _network(commands, (), locale, False), UNLIKELY)


@lru_cache(maxsize=_CACHED)
def _network(
    expectations: tuple[Expectation, ...],
    seats: tuple[Seat, ...],
    locale: Locale,
    openers: bool,
    corrections: bool = False,
) -> Automaton:
    plans = [plan(e, seats, locale) for e in expectations]
    cuts = [b for p in plans for b in p.bounds()]
    network = Network(_digits(locale.numbers), cuts, loose=openers)
    begins: list[int] = []
    for made in plans:
        if not made.templates:
            continue
        begin, end = network.state(), network.state()
        network.join(begin, made.enter(network, end))
        network.join(end, 0)
        for closer in locale.closers if openers else ():
            network.join(end, network.spoken(f" {closer}", 0))
        most = None if openers else _HEARD_CORRECTIONS if corrections else 0
        for word in _corrections(made, locale)[:most] if openers or _names(made) else ():
            network.join(end, network.spoken(f" {word} ", begin))
        begins.append(begin)
    starts = begins
    for _ in range(_OPENERS if openers else 0):
        onward = network.any_of(starts)
        starts = [*begins, *(network.spoken(f"{o} ", onward) for o in locale.openers)]
    kinds = {e.kind for e in expectations}
    once = seat_words(seats, locale) if "seats" in kinds else frozenset[str]()
    if "names" in kinds:
        once = frozenset(normalise(name) for name in locale.given_names)
    if "points" in kinds and "seats" not in kinds:
        once = named_once(seats, locale)
    return replace(network.automaton(network.any_of(starts)), once=once)


def _names(made: Plan) -> bool:
    """Whether somebody is named, which is what people correct in the same breath."""
    return made.expectation.kind == "seat"


def _said(made: Plan, value: Value) -> Iterator[str]:
    wanted = (
        normalise(value) if made.expectation.kind == "phrase" and isinstance(value, str) else ""
    )
    if wanted:
        yield wanted
    ways = [expand(t, made.words_for(value, t)) for t in made.templates]
    # One of each template first, so that a few samples show many ways to say it.
    for row in zip_longest(*ways):
        yield from (sentence for sentence in row if sentence)


def _distinct(meanings: Iterator[Meaning] | list[Meaning]) -> tuple[Meaning, ...]:
    found: list[Meaning] = []
    for meaning in meanings:
        if not any(m.intent == meaning.intent and _same(m.value, meaning.value) for m in found):
            found.append(meaning)
    return tuple(found)


def _shadowing(meanings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
    """Give what a game asks for precedence over the commands that are always live."""
    answers = tuple(m for m in meanings if not m.intent.startswith("command:"))
    return answers or meanings


def _same(first: Value, second: Value) -> bool:
    return type(first) is type(second) and first == second


def _corrections(made: Plan, locale: Locale) -> tuple[str, ...]:
    """Return the words of correction, without those that are an answer themselves."""
    kind = made.expectation.kind
    if kind not in _CORRECTABLE:
        return ()
    taken = plain_sentences((*locale.yes, *locale.no)) if kind == "yesno" else ()
    return tuple(c for c in locale.corrections if not any(w in taken for w in (c, c.split()[0])))


def _cut(words: str, corrections: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for correction in corrections:
        at = words.rfind(f" {correction} ")
        while at > 0:
            yield words[:at], words[at + len(correction) + 2 :]
            # Two of them may share the space between: "Ana, no, no one".
            at = words.rfind(f" {correction} ", 0, at + len(correction) + 1)


def _trimmed(words: str, locale: Locale) -> Iterator[str]:
    """Yield the words, then the words without openers and closers."""
    tails = [words]
    tails += [words.removesuffix(f" {c}") for c in locale.closers if words.endswith(f" {c}")]
    seen = set()
    for _ in range(_OPENERS + 1):
        for tail in tails:
            if tail not in seen:
                seen.add(tail)
                yield tail
        tails = [
            t.removeprefix(f"{o} ") for t in tails for o in locale.openers if t.startswith(f"{o} ")
        ]


@lru_cache(maxsize=8)
def _digits(words: NumberWords) -> dict[str, str]:
    """Return the plainest words of each number below 100 with its digits."""
    return {spell(n, words): str(n) for n in sorted(set(small_forms(words, False).values()))}


def compile_grammar(
    expectations: Sequence[Expectation],
    seats: Sequence[Seat],
    locale: Locale,
    *,
    openers: bool = False,
    corrections: bool = False,
) -> Grammar:
    """Make the grammar of this moment; the same arguments give the same grammar, from a cache.

    Args:
        expectations: What may be said now.
        seats: Everybody at the table, clockwise.
        locale: The language of the table.
        openers: Whether a recogniser may hear "um", "okay", "please" and corrections around a
            sentence. They make every short answer easier to mistake, so that it has to be asked
            for; `interpret` allows for them either way.
        corrections: Whether a recogniser may hear "Ben, no, Cy" where a seat is named: one that
            follows the grammar would hear Ben otherwise. Not for one that is given a list.

    Raises:
        GrammarError: A template cannot be read, a slot is unknown, or nothing may be said.
    """
    return _compiled(tuple(expectations), tuple(seats), locale, openers, corrections)


@lru_cache(maxsize=_CACHED)
def _compiled(
    expectations: tuple[Expectation, ...],
    seats: tuple[Seat, ...],
    locale: Locale,
    openers: bool,
    corrections: bool,
) -> Grammar:
    plans = [plan(e, seats, locale) for e in expectations]
    heard = tuple((s.number, s.name, s.hear) for s in seats)
    key = (expectations, heard, locale.language, openers, corrections)
    return Grammar(plans, seats, locale, key, openers=openers, corrections=corrections)
