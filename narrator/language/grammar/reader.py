"""Reads a transcript with hassil's recognizer along one expectation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from hassil.expression import Group, Sentence
from hassil.intents import Intent, IntentData, Intents
from hassil.models import MatchEntity
from hassil.recognize import RecognizeResult, recognize_all

from narrator.core.expect import Expectation, Meaning
from narrator.core.values import Value
from narrator.language.grammar.expectation import Plan
from narrator.language.grammar.matcher import Matcher
from narrator.language.grammar.templates import parse
from narrator.language.names.forms import spelled
from narrator.language.numbers import NumberWords

_LITERAL_KINDS = ("phrase",)
_GLUED = re.compile(r"\w[\[({]|[\])}]\w")
_WORD = re.compile(r"[^\s\[\](){}|;]+")


class Reader:
    """One expectation's hassil intent."""

    def __init__(self, made: Plan, language: str) -> None:
        self.expectation: Expectation = made.expectation
        self._plan = made
        self._language = language

    @cached_property
    def _intents(self) -> Intents:
        # hassil parses these again from their text: what `parse` kept is already as a
        # transcript has it, and its ranges are lists of ours.
        templates = [parse(t).text or t for t in self._plan.templates]
        lists = {n: slot.listing(n) for n, slot in self._plan.slots.items()}
        intent = Intent(self.expectation.intent, [IntentData(sentence_texts=templates)])
        return Intents(self._language, {intent.name: intent}, slot_lists=lists)

    @cached_property
    def _vocabulary(self) -> frozenset[str] | None:
        """Every word of these templates; None where they have slots, or words put together."""
        templates = [parse(t).text or t for t in self._plan.templates]
        if any("{" in t or "<" in t or _GLUED.search(t) for t in templates):
            return None
        return frozenset(word for t in templates for word in _WORD.findall(t))

    def _is_out_of_the_question(self, words: str) -> bool:
        # Of some twenty commands that may be said at any time nearly all end here.
        return self._vocabulary is not None and not self._vocabulary.issuperset(words.split())

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(self._plan.templates, self._plan.slots)

    def read(self, words: str, numbers: NumberWords) -> tuple[Meaning, ...]:
        """Return every meaning of these words for this expectation, each once.

        Args:
            words: As a transcript has them, nothing before or after the sentence.
            numbers: By which digits among the words are also read as words.
        """
        found: list[Meaning] = []
        for text in dict.fromkeys((words, spelled(words, numbers))):
            if self.expectation.kind == "sentence":
                read = self._matcher.read(text.split()).whole()
                made = (Meaning(self.expectation.intent, dict(held)) for held in read)
                found += [m for m in made if m not in found]
                continue
            if self._is_out_of_the_question(text):
                continue
            for result in recognize_all(text, self._intents):
                found += [m for m in self._meanings(result, words) if m not in found]
        return tuple(found)

    def _meanings(self, result: RecognizeResult, words: str) -> Iterator[Meaning]:
        intent, kind = self.expectation.intent, self.expectation.kind
        lists = _lists(result.intent_sentence)
        values = [self._values(entity, lists[entity.name]) for entity in result.entities_list]
        if not all(values):
            return
        if kind in _LITERAL_KINDS:
            yield Meaning(intent, words)
        elif not values:
            yield Meaning(intent)
        else:
            yield from (Meaning(intent, value) for found in values for value in found)

    def _values(self, entity: MatchEntity, name: str) -> tuple[Value, ...]:
        found = entity.text_clean if entity.is_wildcard else entity.value
        return self._plan.values(name, entity.name, found)


def _lists(sentence: Sentence | None) -> dict[str, str]:
    """Return the list behind each slot of the sentence that matched."""
    tree = sentence.expression if sentence else None
    if not isinstance(tree, Group):
        return {}
    return {s.slot_name: s.list_name for s in tree.list_references()}
