"""Random hassil files with every construct of the format, and what may be said by each sentence.

One seed is one file. Every word of a file is its own, so that a sentence can be read in one way.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "il")]
MOST_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Said:
    """A way to say something."""

    text: str
    slots: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a template, and how it is said."""

    template: str
    say: Callable[[random.Random], Said | None]
    """None: it cannot be said, or not be told apart from other ways."""


@dataclass(slots=True)
class RandomFile:
    """The content of a file."""

    data: dict[str, Any]
    samples: dict[str, list[Said]]
    """By intent: what may be said, with its slots; none where nothing is known of it."""
    constructs: set[str]
    """What of the format is used."""
    wrong: str
    """What was broken on purpose; empty: nothing."""


def random_file(seed: int) -> RandomFile:
    """Make the file of a seed."""
    return _Maker(random.Random(f"hassil {seed}")).file()


CONSTRUCTS = frozenset(
    {
        "text", "optional", "alternative", "empty alternative", "permutation", "list",
        "renamed list", "rule", "rule with a slot", "range", "step", "multiplier", "fractions",
        "inline range", "named range", "wildcard", "in and out", "template as value", "affix",
        "glued", "keywords", "context", "fixed slots", "own lists", "own rules", "skip words",
        "ignore whitespace", "accents", "capitals", "punctuation", "metadata", "numbers as values",
        "list filled elsewhere",
    }
)  # fmt: skip
WRONG = (
    "open bracket", "unknown rule", "rule in a circle", "list without values", "range backwards",
    "sentences as a text", "long permutation", "deep brackets", "many forms", "empty sentence",
    "intents as a list", "not a number", "silent sentence", "slot within a value", "huge range",
)  # fmt: skip
"""Ways to break a file."""


class _Maker:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.words: set[str] = set()
        self.used: set[str] = set()
        self.lists: dict[str, Any] = {}
        self.rules: dict[str, str] = {}
        self.slots: list[Part] = []
        self.named: list[Part] = []

    def file(self) -> RandomFile:
        chance = self.chance
        for _ in range(chance.randint(1, 5)):
            self.slots.append(self.a_list(self.lists))
        for _ in range(chance.randint(0, 4)):
            self.named.append(self.a_rule(self.rules))
        intents, samples = {}, {}
        for number in range(chance.randint(1, 8)):
            name = f"Intent{number}"
            intents[name], samples[name] = self.intent()
        data: dict[str, Any] = {"language": chance.choice(["en", "ko", "de", "fr", "xx"])}
        data |= {"intents": intents, "lists": self.lists, "expansion_rules": self.rules}
        if chance.random() < 0.4:
            self.use("skip words")
            data["skip_words"] = [self.word() for _ in range(chance.randint(1, 3))]
        if chance.random() < 0.1:
            self.use("ignore whitespace")
            data["settings"] = {"ignore_whitespace": True}
        wrong = self.broken(data) if chance.random() < 0.25 else ""
        return RandomFile(data, {} if wrong else samples, self.used, wrong)

    def use(self, construct: str) -> None:
        assert construct in CONSTRUCTS, construct
        self.used.add(construct)

    def word(self) -> str:
        while True:
            word = "".join(self.chance.choices(SYLLABLES, k=self.chance.randint(2, 3)))
            if word not in self.words:
                self.words.add(word)
                return word

    def name(self, stem: str) -> str:
        return f"{stem}_{self.word()}"

    # Lists and rules.

    def a_list(self, into: dict[str, Any]) -> Part:
        name = self.name("list")
        kind = self.chance.choice(["values", "values", "range", "wildcard"])
        if kind == "wildcard" and self.chance.random() < 0.6:
            kind = "values"
        if kind == "wildcard":
            self.use("wildcard")
            into[name] = {"wildcard": True}
            return Part(f"{{{name}}}", lambda chance: None)
        if kind == "range":
            return self.a_range(name, into)
        return self.values(name, into)

    def values(self, name: str, into: dict[str, Any]) -> Part:
        entries: list[Any] = []
        said: list[Said] = []
        for _ in range(self.chance.randint(1, 6)):
            word = self.word()
            kind = self.chance.choice(["plain", "out", "template", "number", "metadata"])
            if kind == "plain":
                entries.append(word)
                said.append(Said(word, {name: word}))
            elif kind == "out":
                self.use("in and out")
                entries.append({"in": word, "out": word.upper()})
                said.append(Said(word, {name: word.upper()}))
            elif kind == "template":
                self.use("template as value")
                other = self.word()
                entries.append({"in": f"[{other}] {word}", "out": 7})
                said += [Said(word, {name: 7}), Said(f"{other} {word}", {name: 7})]
            elif kind == "metadata":
                self.use("metadata")
                entries.append({"in": word, "out": word, "metadata": {"id": 1},
                                "context": {"area": "x"}})  # fmt: skip
                said.append(Said(word, {name: word}))
            else:
                self.use("numbers as values")
                entries.append({"in": word, "out": self.chance.randint(1, 99)})
                said.append(Said(word, {name: entries[-1]["out"]}))
        into[name] = {"values": entries}
        self.use("list")
        return self.filled(name, said)

    def filled(self, name: str, said: list[Said]) -> Part:
        if self.chance.random() < 0.3:
            self.use("renamed list")
            other = self.name("slot")
            renamed = [Said(s.text, {other: s.slots[name]}) for s in said]
            return Part(f"{{{name}:{other}}}", lambda chance: chance.choice(renamed or [None]))
        return Part(f"{{{name}}}", lambda chance: chance.choice(said or [None]))

    def a_range(self, name: str, into: dict[str, Any]) -> Part:
        self.use("range")
        low = self.chance.choice([0, 1, 10, -20])
        high = low + self.chance.choice([5, 30, 100, 240])
        step, times = 1, 1
        content: dict[str, Any] = {"from": low, "to": high}
        if self.chance.random() < 0.3:
            self.use("step")
            step = content["step"] = self.chance.choice([2, 5, 10])
        if self.chance.random() < 0.3:
            self.use("multiplier")
            times = content["multiplier"] = self.chance.choice([2, 10])
        if self.chance.random() < 0.2:
            self.use("fractions")
            content["fractions"] = self.chance.choice(["halves", "tenths"])
        content["type"] = self.chance.choice(["number", "percentage", "temperature"])
        into[name] = {"range": content}
        numbers = [n for n in range(low, high + 1, step) if n >= 0]
        said = [Said(str(n), {name: n * times}) for n in numbers]
        return self.filled(name, said)

    def a_rule(self, into: dict[str, str]) -> Part:
        name = self.name("rule")
        part = self.template(1)
        into[name] = part.template
        self.use("rule with a slot" if "{" in part.template else "rule")
        return Part(f"<{name}>", part.say)

    # Templates.

    def template(self, depth: int) -> Part:
        parts = [self.piece(depth) for _ in range(self.chance.randint(1, 3))]
        # Between two pieces stands a word: where one ends and the next begins is then plain.
        spaced = [parts[0]]
        for part in parts[1:]:
            spaced += [self.text(), part]
        return self.in_a_row(spaced)

    def in_a_row(self, parts: list[Part]) -> Part:
        return Part(" ".join(part.template for part in parts), lambda c: joined(parts, c))

    def piece(self, depth: int) -> Part:
        kinds: list[Callable[[int], Part]] = [self.affixed, self.inline]
        if depth < MOST_DEPTH:
            kinds += [self.optional, self.alternative, self.permutation] * 2
        if self.slots:
            kinds += [lambda _: self.chance.choice(self.slots)] * 4
        if self.named:
            kinds += [lambda _: self.chance.choice(self.named)] * 2
        return self.chance.choice(kinds)(depth + 1)

    def text(self) -> Part:
        self.use("text")
        word = self.word()
        look = word
        if self.chance.random() < 0.1:
            self.use("accents")
            word = look = f"{word}é"
        if self.chance.random() < 0.2:
            self.use("capitals")
            look = word.capitalize()
        if self.chance.random() < 0.1:
            self.use("punctuation")
            look = f"{look},"
        return Part(look, lambda chance: Said(word))

    def affixed(self, depth: int) -> Part:
        self.use("affix")
        word = self.word()
        return Part(f"{word}[s]", lambda c: Said(c.choice([word, f"{word}s"])))

    def inline(self, depth: int) -> Part:
        if self.chance.random() < 0.5:
            self.use("inline range")
            low, high, step = 0, self.chance.choice([9, 60]), self.chance.choice([1, 3])
            name = f"{low}..{high},{step}"
        else:
            self.use("named range")
            low, high, step = 0, self.chance.choice([10, 50]), 1
            name = f"range_{low}_{high}"
        slot = self.name("slot")
        numbers = range(low, high + 1, step)

        def say(chance: random.Random) -> Said:
            number = chance.choice(numbers)
            return Said(str(number), {slot: number})

        return Part(f"{{{name}:{slot}}}", say)

    def optional(self, depth: int) -> Part:
        self.use("optional")
        inner = self.template(depth)
        return Part(
            f"[{inner.template}]",
            lambda c: Said("") if c.random() < 0.4 else inner.say(c),
        )

    def alternative(self, depth: int) -> Part:
        self.use("alternative")
        count = self.chance.randint(2, 4)
        # Two numbers could be told apart by nothing: before each way stands a word of its own.
        ways = [self.in_a_row([self.text(), self.template(depth)]) for _ in range(count)]
        shown = [way.template for way in ways]
        empty = self.chance.random() < 0.15
        if empty:
            self.use("empty alternative")
            shown.insert(0, "")
        return Part(f"({'|'.join(shown)})", lambda c: c.choice(ways).say(c))

    def permutation(self, depth: int) -> Part:
        self.use("permutation")
        ways = [self.text() for _ in range(self.chance.randint(2, 3))]

        def say(chance: random.Random) -> Said | None:
            return joined(chance.sample(ways, len(ways)), chance)

        return Part(f"({';'.join(way.template for way in ways)})", say)

    # Intents.

    def intent(self) -> tuple[dict[str, Any], list[Said]]:
        block: dict[str, Any] = {}
        slots, named = list(self.slots), list(self.named)
        if self.chance.random() < 0.2:
            self.use("own lists")
            block["lists"] = {}
            self.slots = [*slots, self.a_list(block["lists"])]
        if self.chance.random() < 0.2:
            self.use("own rules")
            block["expansion_rules"] = {}
            self.named = [*named, self.a_rule(block["expansion_rules"])]
        first = self.word()
        part = self.in_a_row([Part(first, lambda c: Said(first)), self.template(0)])
        self.slots, self.named = slots, named
        block["sentences"] = [part.template, *self.extra()]
        fixed = self.beside(block, first)
        samples = [part.say(self.chance) for _ in range(6)]
        told = [Said(s.text, {**fixed, **s.slots}) for s in samples if s is not None]
        return {"data": [block]}, told

    def extra(self) -> list[str]:
        """Return sentences that only some readers take."""
        found: list[str] = []
        if self.chance.random() < 0.15:
            self.use("glued")
            found.append(f"{self.word()} {{0..99,1:a}}h{{0..99,1:b}}m")
        if self.chance.random() < 0.03:
            self.use("list filled elsewhere")
            found.append(f"{self.word()} {{area}}")
        return found

    def beside(self, block: dict[str, Any], first: str) -> dict[str, Any]:
        if self.chance.random() < 0.2:
            self.use("keywords")
            block["required_keywords"] = [first]
        if self.chance.random() < 0.2:
            self.use("context")
            block["requires_context"] = {"domain": "light"}
            block["excludes_context"] = {"domain": ["cover"]}
        if self.chance.random() < 0.3:
            self.use("fixed slots")
            block["slots"] = {"fixed": "light"}
        block["response"] = "default"
        return dict(block.get("slots", {}))

    def broken(self, data: dict[str, Any]) -> str:
        """Break a file in one way."""
        wrong = self.chance.choice(WRONG)
        intents = data["intents"]
        intent = intents[self.chance.choice(list(intents))]
        sentences = intent["data"][0]["sentences"]
        odd = {
            "open bracket": "turn (on|off", "unknown rule": "say <nothing_of_it>",
            "rule in a circle": "say <circle>", "list without values": "say {void}",
            "range backwards": "say {backwards}",
            "long permutation": f"({';'.join('abcdefghijkl')})",
            "deep brackets": f"a {'[' * 300}b{']' * 300}", "many forms": "[a|b|c|d] " * 400 + "e",
            "empty sentence": " ", "silent sentence": "[a] [b]", "not a number": "say {odd}",
            "slot within a value": "say {inner}", "huge range": "say {huge}",
        }  # fmt: skip
        data["expansion_rules"]["circle"] = "x <circle>"
        data["lists"] |= {
            "void": {}, "backwards": {"range": {"from": 9, "to": 1}},
            "odd": {"range": {"from": "a", "to": float("nan")}}, "inner": {"values": ["a {void}"]},
            "huge": {"range": {"from": 0, "to": 10**15}},
        }  # fmt: skip
        if wrong == "sentences as a text":
            intent["data"][0]["sentences"] = "turn on"
        elif wrong == "intents as a list":
            data["intents"] = [1, 2]
        else:
            sentences.append(odd[wrong])
        return wrong


def joined(parts: list[Part], chance: random.Random) -> Said | None:
    """Say parts one after the other; a slot that comes twice is no matter of one value."""
    texts: list[str] = []
    slots: dict[str, Any] = {}
    for part in parts:
        said = part.say(chance)
        if said is None or set(said.slots) & set(slots):
            return None
        texts.append(said.text)
        slots |= said.slots
    return Said(" ".join(filter(None, texts)), slots)
