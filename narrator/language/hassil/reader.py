"""Reads the content of a hassil intents file; every fault has its place in the file.

hassil's own loader tells neither file nor line, asserts instead of complaining, and lists every
order of what may be said in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    TextChunk,
)
from hassil.parser import ParseError

from narrator.language.grammar.free_order import FreeOrder
from narrator.language.grammar.templates import (
    check_brackets,
    is_silent,
    parse,
    plain_template,
    with_words,
)
from narrator.language.hassil.faults import Fault, Findings, IntentsFault, Path, PlaceOf, nowhere
from narrator.language.hassil.fitting import Fitting
from narrator.language.hassil.intents import (
    Block,
    FileSlot,
    IntentGrammar,
    RangeSlot,
    ValueSlot,
    with_signs,
)
from narrator.language.hassil.trees import DEEPEST, depth, size, slots_in
from narrator.language.names.forms import spelled
from narrator.language.numbers import LARGEST, NumberWords

MAX_PERMUTED = 10
"""Parts that may come in any order: each doubles the places in the grammar."""
MOST_SENTENCES = 5_000
"""Sentences of a set; the longest of Home Assistant's has 1,700."""
_LARGEST_TREE = 50_000
"""Parts of a rule or sentence when it is written out; the largest of Home Assistant's has 3,000."""
_INLINE = re.compile(r"(\d+)\.\.(\d+),(\d+)")
_RANGE_NAME = re.compile(r"range_(\d+)_(\d+)")
_IGNORED = ("requires_context", "excludes_context")


@dataclass(slots=True)
class _Scope:
    """The rules and lists that sentences can name, with where they stand."""

    rules: dict[str, tuple[Path, object]] = field(default_factory=dict)
    lists: dict[str, tuple[Path, object]] = field(default_factory=dict)
    trees: dict[str, Expression | None] = field(default_factory=dict)
    """Rules written out; None while one is being written out, and for faulty ones."""
    slots: dict[str, FileSlot | None] = field(default_factory=dict)


def compile_intents(
    data: object, numbers: NumberWords, place: PlaceOf = nowhere, *, lenient: bool = False
) -> IntentGrammar:
    """Make a grammar of a file's content.

    Args:
        data: What the YAML says: mappings, lists, texts, numbers.
        numbers: Number words of its language.
        place: Where a value stands, for the notes.
        lenient: Whether what is faulty is left out, with a note, as long as something is left.

    Raises:
        IntentsFault: With everything that is wrong.
    """
    reader = _Reader(numbers, Findings(place, lenient=lenient))
    grammar = reader.grammar(data)
    if grammar is None or reader.faults:
        raise IntentsFault(reader.faults)
    return grammar


class _Reader:
    def __init__(self, numbers: NumberWords, findings: Findings) -> None:
        self._findings = findings
        self.faults = findings.faults
        self._wild: list[Fault] = []
        """Lists of any words: what needs them is left out, which is a fault if nothing remains."""
        self._open: set[tuple[int, str]] = set()
        """Rules that are being written out."""
        self._numbers = numbers

    def grammar(self, data: object) -> IntentGrammar | None:
        top = self._mapping((), data, "The file")
        intents = self._mapping(("intents",), top.get("intents"), "`intents:`")
        scope = self._scope((), top, _Scope())
        blocks = self._blocks(intents, scope)
        skipped = self._texts(("skip_words",), top.get("skip_words", []))
        self._settings(top)
        if not blocks and not self.faults:
            nothing = [Fault(("intents",), "The file has no sentence.")]
            self.faults += self._wild or self._findings.noted or nothing
        if self.faults:
            return None
        fitting = Fitting(blocks, self._numbers, self._findings)
        if not fitting.blocks:
            self.faults += self._findings.noted
            return None
        language = str(top.get("language") or "en")
        return IntentGrammar(
            fitting.blocks,
            skipped,
            numbers=self._numbers,
            language=language,
            notes=self._findings.notes(),
            automaton=fitting.automaton,
        )

    def _blocks(self, intents: Mapping[Any, Any], scope: _Scope) -> list[Block]:
        if sum(map(_count, intents.values())) > MOST_SENTENCES:
            told = f"There are more than {MOST_SENTENCES:,} sentences."
            self.faults.append(Fault(("intents",), told))
            return []
        return [
            block
            for name, intent in intents.items()
            for block in self._intent(("intents", str(name)), intent, scope)
        ]

    def _settings(self, top: Mapping[Any, Any]) -> None:
        settings = top.get("settings")
        if isinstance(settings, Mapping) and settings.get("ignore_whitespace"):
            told = "`ignore_whitespace` is left aside: words are told apart by spaces."
            self._findings.note(("settings",), told)

    def _intent(self, path: Path, intent: object, scope: _Scope) -> Iterator[Block]:
        data = self._mapping(path, intent, f"The intent {path[-1]}").get("data")
        if not isinstance(data, list):
            self._fault(path, f"The intent {path[-1]} needs a list `data:` with `sentences:`.")
            return
        for at, block in enumerate(data):
            yield from self._block((*path, "data", at), block, scope)

    def _block(self, path: Path, data: object, outer: _Scope) -> Iterator[Block]:
        block = self._mapping(path, data, "An item of `data:`")
        for name in _IGNORED:
            if block.get(name):
                told = f"`{name}` is left aside: the sentences beside it always count."
                self._findings.note(path, told)
        scope = self._scope(path, block, outer)
        sentences = self._texts((*path, "sentences"), block.get("sentences", []))
        trees = [
            self._sentence((*path, "sentences", at), text, scope)
            for at, text in enumerate(sentences)
        ]
        kept = [at for at, tree in enumerate(trees) if tree is not None]
        said = tuple(tree for tree in trees if tree is not None)
        slots = self._mapping((*path, "slots"), block.get("slots", {}), "`slots:`")
        words = self._texts((*path, "required_keywords"), block.get("required_keywords", []))
        used = {ref.list_name for tree in said for ref in slots_in(tree)}
        lists = {n: s for n, s in scope.slots.items() if s is not None and n in used}
        if said:
            keywords = tuple(word.casefold() for word in words)
            fixed = {str(k): v for k, v in slots.items()}
            places = tuple((*path, "sentences", at) for at in kept)
            yield Block(str(path[1]), said, lists, fixed, keywords, places)

    def _scope(self, path: Path, data: Mapping[Any, Any], outer: _Scope) -> _Scope:
        """Return the names of a block: its own come before those of the file."""
        rules = self._named((*path, "expansion_rules"), data)
        lists = self._named((*path, "lists"), data)
        if path and not rules and not lists:
            return outer
        return _Scope(outer.rules | rules, outer.lists | lists)

    def _named(self, path: Path, data: Mapping[Any, Any]) -> dict[str, tuple[Path, object]]:
        part = self._mapping(path, data.get(path[-1], {}), f"`{path[-1]}:`")
        return {str(name): ((*path, str(name)), value) for name, value in part.items()}

    def _sentence(self, path: Path, text: str, scope: _Scope) -> Expression | None:
        try:
            tree = self._template(path, text, scope)
            too_deep = tree is not None and depth(tree) > DEEPEST
        except RecursionError:
            tree, too_deep = None, True
        if too_deep:
            self._fault(path, "Its brackets and rules are nested too deeply.")
            return None
        if tree is not None and is_silent(tree):
            self._fault(path, f"The sentence `{text}` can be said without a word.")
            return None
        if tree is not None and size(tree) > _LARGEST_TREE:
            self._fault(path, "This sentence is too large when it is written out.")
            return None
        return tree

    def _template(
        self, path: Path, text: str, scope: _Scope, *, slots: bool = True
    ) -> Expression | None:
        complaint = check_brackets(text) if text.strip() else "There is no word in it."
        if complaint:
            self._fault(path, f"In `{text}`: {complaint}")
            return None
        spelt = partial(spelled, words=self._numbers)
        try:
            tree = parse(with_words(plain_template(with_signs(text)), spelt)).expression
        except (ParseError, AssertionError, ValueError, RecursionError):
            self._fault(path, f"`{text}` cannot be read: look at its brackets and bars.")
            return None
        return self._resolved(path, tree, scope, slots)

    def _resolved(
        self, path: Path, tree: Expression, scope: _Scope, slots: bool
    ) -> Expression | None:
        if isinstance(tree, RuleReference):
            return self._rule(path, tree.rule_name, scope, slots)
        if isinstance(tree, ListReference):
            return tree if self._has_slot(path, tree, scope, slots) else None
        if not isinstance(tree, Group):
            return tree
        if isinstance(tree, Permutation) and len(tree.items) > MAX_PERMUTED:
            self._fault(path, f"More than {MAX_PERMUTED} parts in any order (`;`) are too many.")
            return None
        found = [self._resolved(path, item, scope, slots) for item in tree.items]
        items = [item for item in found if item is not None]
        # What needs a list of any words is left out: other ways to say it stay.
        if len(items) < len(found) and not (isinstance(tree, Alternative) and items):
            return None
        return FreeOrder(items) if isinstance(tree, Permutation) else _like(tree, items)

    def _rule(self, path: Path, name: str, scope: _Scope, slots: bool) -> Expression | None:
        if name not in scope.rules:
            cure = _cure(name, scope.rules)
            self._fault(path, f"There is no rule <{name}> in `expansion_rules:`.{cure}")
            return None
        key = (id(scope), name)
        if name not in scope.trees:
            where, body = scope.rules[name]
            scope.trees[name] = None
            self._open.add(key)
            tree = self._template(where, str(body), scope, slots=slots)
            self._open.discard(key)
            if tree is not None and size(tree) > _LARGEST_TREE:
                self._fault(where, f"The rule <{name}> is too large when it is written out.")
                tree = None
            scope.trees[name] = tree
        elif key in self._open:
            self._fault(path, f"The rule <{name}> leads back to itself.")
        return scope.trees[name]

    def _has_slot(self, path: Path, slot: ListReference, scope: _Scope, allowed: bool) -> bool:
        name = slot.list_name
        if not allowed:
            self._fault(path, f"{{{name}}} stands inside the words of a list: write them out.")
        elif name not in scope.slots:
            scope.slots[name] = self._slot(path, name, scope)
        return allowed and scope.slots[name] is not None

    def _slot(self, path: Path, name: str, scope: _Scope) -> FileSlot | None:
        inline = _INLINE.fullmatch(name) or _RANGE_NAME.fullmatch(name)
        if name in scope.lists:
            where, content = scope.lists[name]
            return self._list(where, name, content, scope)
        if inline:
            low, high, *step = map(int, inline.groups())
            return self._range(path, {"from": low, "to": high, "step": (step or [1])[0]})
        cure = _cure(name, scope.lists)
        self._fault(path, f"Nothing fills {{{name}}}: it is not in `lists:`.{cure}")
        return None

    def _list(self, path: Path, name: str, content: object, scope: _Scope) -> FileSlot | None:
        data = self._mapping(path, content, f"The list {name}")
        if data.get("wildcard"):
            told = f"The list {name} takes any words (`wildcard`), which cannot be listened for: "
            self._wild.append(Fault(path, f"{told}give it `values:`."))
            self._findings.note(path, f"{told}what needs it is left out.")
            return None
        if "range" in data:
            return self._range((*path, "range"), data["range"])
        if not isinstance(data.get("values"), list):
            self._fault(path, f"The list {name} needs `values:` or a `range:`.")
            return None
        found = (
            self._value((*path, "values", at), value, scope)
            for at, value in enumerate(data["values"])
        )
        return ValueSlot(tuple(entry for entry in found if entry is not None))

    def _value(self, path: Path, value: object, scope: _Scope) -> tuple[Expression, Any] | None:
        if isinstance(value, Mapping):
            text, out = value.get("in"), value.get("out")
        else:
            text, out = value, None if isinstance(value, str) and _is_template(value) else value
        if isinstance(text, (list, Mapping)) or text is None:
            self._fault(path, "A value is a text, or has `in:` with the words and `out:`.")
            return None
        tree = self._template(path, str(text), scope, slots=False)
        if tree is not None and is_silent(tree):
            self._fault(path, f"The value `{text}` can be said without a word.")
            return None
        return None if tree is None else (_unwrapped(tree), out)

    def _range(self, path: Path, data: object) -> FileSlot | None:
        part = self._mapping(path, data, "`range:`")
        if part.get("fractions"):
            told = "Fractions are not heard: of this range only the whole numbers are."
            self._findings.note(path, told)
        try:
            low, high, step = int(part["from"]), int(part["to"]), int(part.get("step", 1))
            times = float(part.get("multiplier") or 1)
        except (KeyError, TypeError, ValueError, OverflowError):
            self._fault(path, "A range needs whole numbers `from:` and `to:`.")
            return None
        if low > high or step < 1 or low < -LARGEST or low > LARGEST:
            self._fault(
                path, f"The range {low} to {high} by {step} has no number that can be said."
            )
            return None
        if high > LARGEST:
            told = f"Numbers above {LARGEST} are not heard; a range goes to {high}."
            self._findings.note(path, told)
        return RangeSlot(low, high, step, times, self._numbers)

    def _texts(self, path: Path, value: object) -> list[str]:
        if isinstance(value, list) and all(isinstance(v, (str, int, float)) for v in value):
            return [str(v) for v in value]
        self._fault(path, f"`{path[-1]}:` should be a list of texts.")
        return []

    def _mapping(self, path: Path, value: object, what: str) -> Mapping[Any, Any]:
        if isinstance(value, Mapping):
            return value
        self._fault(path, f"{what} should be `name: value` lines.")
        return {}

    def _fault(self, path: Path, message: str) -> None:
        self._findings.fault(path, message)


def _count(intent: object) -> int:
    """Return how many sentences an intent has, or seems to have."""
    data = intent.get("data") if isinstance(intent, Mapping) else None
    blocks = (
        [block for block in data if isinstance(block, Mapping)] if isinstance(data, list) else []
    )
    listed = [block.get("sentences") for block in blocks]
    return sum(len(texts) for texts in listed if isinstance(texts, list))


def _cure(name: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(name, list(known), n=1)
    return f" Did you mean {close[0]}?" if close else ""


def _is_template(text: str) -> bool:
    return any(sign in text for sign in "()[]{}<>|;")


def _like(tree: Group, items: list[Expression]) -> Expression:
    made = type(tree)(items=items)
    if getattr(tree, "is_optional", False):
        made.is_optional = True  # type: ignore[attr-defined]
    return made


def _unwrapped(tree: Expression) -> Expression:
    """Return plain words bare: hassil keeps an index of those."""
    if isinstance(tree, Group) and all(isinstance(item, TextChunk) for item in tree.items):
        if type(tree).__name__ == "Sequence":
            return TextChunk(
                "".join(item.text for item in tree.items if isinstance(item, TextChunk))
            )
    return tree
