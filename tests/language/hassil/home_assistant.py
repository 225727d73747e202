"""Folders in the shape of Home Assistant's intents: one a language, as its checkout has them.

The words are made up by a seed; the shape, the number of files, sentences, rules and lists are
those of the published format, and of the largest languages there.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import yaml

LANGUAGES = (
    "af ar bg bn ca cs cy da de de-CH el en es et eu fa fi fr gl gu he hi hr hu id is it ja ka kn "
    "ko kw lb lt lv ml mn mr ms nb ne nl pa pl pt pt-BR ro ru sk sl sr sr-Latn sv sw te th tr uk "
    "ur vi zh-CN zh-HK"
).split()
DOMAINS = (
    "light fan cover climate lock media_player vacuum valve timer shopping_list todo scene script "
    "sensor binary_sensor weather person calendar lawn_mower homeassistant"
).split()
"""Parts of the house: the first half of a file's name."""
ACTIONS = ("HassTurnOn", "HassTurnOff", "HassGetState", "HassSetPosition", "HassNevermind")
LARGE = frozenset({"en", "de", "nl", "fr", "it", "ru", "es", "pt-BR", "sv"})
"""Languages with the most sentences."""
ENDS = "a e i o u en er ar il ost ig um ei".split()
STARTS = "b br d f fl g h k kl l m n p pr r s sch st t tr v w z".split()


def write(folder: Path, language: str, *, filled: bool = True) -> int:
    """Write the folder of a language; return how many sentences it has.

    Args:
        folder: Gets the folder `sentences/LANGUAGE`.
        language: Its code.
        filled: Whether the lists that Home Assistant fills itself (names, areas, floors) are added.
    """
    house = _House(random.Random(f"house {language}"), large=language in LARGE)
    home = folder / "sentences" / language
    home.mkdir(parents=True)
    _dump(home / "_common.yaml", {"language": language, **house.common(filled=filled)})
    count = 0
    for domain in DOMAINS:
        for action in ACTIONS:
            sentences = house.sentences(domain)
            count += len(sentences)
            blocks = [
                {
                    "sentences": sentences,
                    "slots": {"domain": domain},
                    "response": "default",
                    "requires_context": {"domain": domain},
                }
            ]
            content = {"language": language, "intents": {action: {"data": blocks}}}
            _dump(home / f"{domain}_{action}.yaml", content)
    return count


def _dump(path: Path, content: dict[str, Any]) -> None:
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")


class _House:
    def __init__(self, chance: random.Random, *, large: bool) -> None:
        self.chance, self.large = chance, large
        self.verbs = self.words(24)

    def words(self, count: int) -> list[str]:
        return [self.word() for _ in range(count)]

    def word(self) -> str:
        pieces = self.chance.randint(1, 3)
        choice = self.chance.choice
        return "".join(choice(STARTS) + choice(ENDS) for _ in range(pieces))

    def common(self, *, filled: bool) -> dict[str, Any]:
        """Return what all files share."""
        lists: dict[str, Any] = {
            "color": {"values": [{"in": self.some(), "out": f"color{n}"} for n in range(30)]},
            "brightness": {"range": {"type": "percentage", "from": 0, "to": 100}},
            "brightness_level": {
                "values": [{"in": self.some(), "out": 100}, {"in": self.some(), "out": 1}]
            },
            "temperature": {
                "range": {"type": "temperature", "from": 0, "to": 100, "fractions": "halves"}
            },
            "temperature_unit": {"values": [{"in": "celsius", "out": "celsius"}]},
            "volume": {"range": {"type": "percentage", "from": 0, "to": 100}},
            "position": {"range": {"type": "percentage", "from": 0, "to": 100}},
            "timer_seconds": {"range": {"from": 1, "to": 100}},
            "timer_minutes": {"range": {"from": 1, "to": 100}},
            "timer_hours": {"range": {"from": 1, "to": 100}},
            "timer_half": {"values": [{"in": self.some(), "out": 30}]},
            "on_off_states": {
                "values": [{"in": self.some(), "out": "on"}, {"in": self.some(), "out": "off"}]
            },
            "cover_states": {"values": [{"in": self.some(), "out": f"state{n}"} for n in range(5)]},
            "shopping_list_item": {"wildcard": True},
            "todo_list_item": {"wildcard": True},
            "search_query": {"wildcard": True},
            "message": {"wildcard": True},
        }
        if filled:
            lists |= {
                "name": {"values": [" ".join(self.words(2)) for _ in range(60)]},
                "area": {"values": [self.word() for _ in range(20)]},
                "floor": {"values": [self.word() for _ in range(5)]},
            }
        return {"lists": lists, "expansion_rules": self.rules(), "skip_words": self.words(8)}

    def some(self) -> str:
        """Return a word, with its endings."""
        return f"{self.word()}[{self.chance.choice(ENDS)}|{self.chance.choice(ENDS)}]"

    def choice(self, count: int) -> str:
        return f"({'|'.join(self.words(count))})"

    def rules(self) -> dict[str, str]:
        """Return the rules that all sentences share."""
        rules = {
            "the": self.choice(4),
            "in": self.choice(5),
            "what_is": self.choice(6),
            "name": "[<the>] {name}",
            "area": "[<the>] {area}",
            "floor": "[<the>] {floor}",
            "area_floor": "(<in> (<area>|<floor>))",
            "everywhere": self.choice(6),
            "light": self.some(),
            "lights": self.choice(4),
            "all": self.choice(3),
            "turn": self.choice(8),
            "set": self.choice(8),
            "to": self.choice(3),
            "percent": f"[ ]({self.word()}|%)",
            "brightness": "{brightness}<percent>",
            "temperature": "{temperature}[°| <degrees>] [{temperature_unit}]",
            "degrees": self.choice(3),
            "here": self.choice(3),
            "timer_set": self.choice(6),
            "timer_cancel": self.choice(6),
            "left": self.choice(5),
        }
        rules |= self.timers()
        return rules

    def timers(self) -> dict[str, str]:
        """Return how lengths of time are said; each is three numbers at most."""
        seconds, minutes, hours, ands = (self.some() for _ in range(4))
        return {
            "timer_duration_seconds": f"{{timer_seconds:seconds}} {seconds}",
            "timer_duration_minutes": f"{{timer_minutes:minutes}} {minutes} [[{ands}] "
            f"{{timer_seconds:seconds}} {seconds}]",
            "timer_duration_hours": f"{{timer_hours:hours}} {hours} "
            f"[[{ands}] {{timer_minutes:minutes}} "
            f"{minutes}] [[{ands}] {{timer_seconds:seconds}} {seconds}]",
            "timer_duration": "(<timer_duration_seconds>|<timer_duration_minutes>"
            "|<timer_duration_hours>)",
            "timer_start_seconds": f"{{timer_seconds:start_seconds}} {seconds}",
            "timer_start_minutes": f"{{timer_minutes:start_minutes}} {minutes}",
            "timer_start_hours": f"{{timer_hours:start_hours}} {hours} "
            f"[{{timer_minutes:start_minutes}} {minutes}]",
            "timer_start": "(<timer_start_seconds>|<timer_start_minutes>|<timer_start_hours>)",
        }

    def sentences(self, domain: str) -> list[str]:
        """Return the sentences of one file."""
        count = self.chance.randint(8, 22) if self.large else self.chance.randint(2, 9)
        return [self.sentence(domain) for _ in range(count)]

    def sentence(self, domain: str) -> str:
        """Return a sentence as those of its part of the house are."""
        verb, first = self.chance.choice(self.verbs), self.word()
        special = {
            "timer": [
                f"<timer_set> {first} <timer_duration> [{first}]",
                f"<timer_cancel> [<the>] <timer_start> [{first}] {first}",
                f"{first} (<timer_duration>;{self.word()}) {verb}",
            ],
            "climate": [
                f"<set> [<the>] {first} [<area_floor>] <to> <temperature>",
                f"<what_is> [<the>] {first} (<area_floor>;[{verb}])",
            ],
            "shopping_list": [f"{first} {{shopping_list_item:item}} <to> {verb}"],
            "todo": [f"{first} {{todo_list_item:item}} [<to>] <the> {{name}} {verb}"],
            "light": [
                "<set> [<the>] <name> <light> <to> <brightness>",
                "<turn> <all> <lights> [<area_floor>] {color}",
                f"[{verb}] (<area_floor>;{first};[<here>]) <to> "
                "({brightness_level:brightness}|<brightness>)",
            ],
        }
        general = [
            f"(<turn>|{verb}) <name> [<area_floor>] {first}",
            f"<turn> ({first};(<name>;[<area_floor>]))",
            f"<what_is> [<the>] ({first}|{verb}) <to> <name> [<in> <area>]",
            f"({first}|{verb} {{on_off_states:state}}) [<all>] [<the>] {self.some()} <area_floor>",
            f"<set> <name> {first} <to> {{position}}<percent>",
            f"[<everywhere>] {verb} {first} {{cover_states:state}} [<here>]",
        ]
        return self.chance.choice(special.get(domain, []) * 2 + general)
