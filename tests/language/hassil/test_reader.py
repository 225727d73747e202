from __future__ import annotations

import random
from functools import cache
from itertools import permutations
from time import process_time
from typing import Any

import pytest
from hassil import Intents, recognize_best
from hassil.sample import sample_intents

from narrator.language.grammar import network
from narrator.language.grammar.automaton import Automaton
from narrator.language.hassil.faults import IntentsFault
from narrator.language.hassil.intents import IntentGrammar, with_skipped
from narrator.language.hassil.reader import compile_intents
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit

NUMBERS = load_locale("en").numbers
ORDER = (
    "[(can|could) i (have|get)|i want] ([[a] {size}];[[a] {roast} roast];[a] {drink};"
    "[[with|and] {milk} milk];[[with|and] {sugars} sugar[s]];[[with|and] {shots} shot[s]];"
    "[[an] {temperature}];[[for] {place}])"
)
LISTS = {
    "size": {"values": ["8-ounce", "12 ounce", {"in": "(sixteen ounce|large)", "out": "16"}]},
    "roast": {"values": ["dark", "light", "medium"]},
    "drink": {"values": ["americano", "latte", "double espresso", "mocha"]},
    "milk": {"values": ["2%", "oat", "half and half"]},
    "sugars": {"range": {"from": 0, "to": 10}},
    "shots": {"range": {"from": 1, "to": 4}},
    "temperature": {"values": ["extra hot", "iced"]},
    "place": {"values": ["to go", "here"]},
}


def file(*sentences: str, **more: Any) -> dict[str, Any]:
    return {"language": "en", "intents": {"It": {"data": [{"sentences": [*sentences]}]}}, **more}


def compiled(*sentences: str, **more: Any) -> IntentGrammar:
    return compile_intents(file(*sentences, **more), NUMBERS)


@pytest.fixture(scope="module")
def order() -> IntentGrammar:
    return compiled(ORDER, lists=LISTS, skip_words=["please", "thank you"])


def count_sentences(automaton: Automaton) -> int:
    @cache
    def count(state: int) -> int:
        return (state in automaton.finals) + sum(count(a.target) for a in automaton.arcs[state])

    return count(0)


def test_eight_slots_in_any_order_stay_small(order: IntentGrammar) -> None:
    assert count_sentences(order.automaton) > 1_000_000
    assert len(order.automaton.arcs) < 20_000


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("latte", {"drink": "latte"}),
        ("a 12-ounce mocha", {"size": "12 ounce", "drink": "mocha"}),
        ("a twelve ounce mocha", {"size": "12 ounce", "drink": "mocha"}),
        ("could i get a large dark roast latte", {"size": "16", "roast": "dark", "drink": "latte"}),
        ("mocha with 2% milk", {"drink": "mocha", "milk": "2%"}),
        ("mocha with two percent milk", {"drink": "mocha", "milk": "2%"}),
        (
            "please double espresso and one shot with half and half milk thank you",
            {"drink": "double espresso", "shots": 1, "milk": "half and half"},
        ),
        (
            "to go with ten sugars latte iced light roast sixteen ounce with oat milk 4 shots",
            {
                "place": "to go",
                "sugars": 10,
                "drink": "latte",
                "temperature": "iced",
                "roast": "light",
                "size": "16",
                "milk": "oat",
                "shots": 4,
            },
        ),
    ],
)
def test_an_order_is_understood_slot_by_slot(
    order: IntentGrammar, said: str, slots: dict[str, Any]
) -> None:
    found = order.interpret(said)
    assert found is not None
    assert found.slots == slots
    assert all(type(found.slots[n]) is type(v) for n, v in slots.items())


@pytest.mark.parametrize(
    "said", ["", "i want", "latte latte", "latte mocha", "latte an oat milk", "x"]
)
def test_what_the_file_does_not_say_means_nothing(order: IntentGrammar, said: str) -> None:
    assert order.interpret(said) is None


def walk(automaton: Automaton, chance: random.Random) -> str:
    words: list[str] = []
    state = 0
    while automaton.arcs[state] and not (state in automaton.finals and chance.random() < 0.3):
        arc = chance.choice(automaton.arcs[state])
        words.append(arc.word)
        state = arc.target
    return " ".join(words)


def test_every_walk_through_the_order_is_understood(order: IntentGrammar) -> None:
    chance = random.Random(7)
    said = [walk(order.automaton, chance) for _ in range(60)]
    assert [s for s in said if order.interpret(s) is None] == []


def test_parts_in_any_order_are_exactly_their_orders() -> None:
    grammar = compiled("go (a;[b];c d;[e])")
    expected = {
        "go " + " ".join(chosen)
        for kept in (["a", "c d"], ["a", "b", "c d"], ["a", "c d", "e"], ["a", "b", "c d", "e"])
        for chosen in permutations(kept)
    }
    assert set(grammar.automaton.sentences(1000)) == expected
    assert all(grammar.interpret(sentence) for sentence in expected)


def test_parts_that_all_may_be_left_out_may_all_be_left_out() -> None:
    grammar = compiled("go ([a];[b])")
    assert set(grammar.automaton.sentences(99)) == {"go", "go a", "go b", "go a b", "go b a"}
    assert all(grammar.interpret(s) for s in ("go", "go a", "go b a"))


def test_it_hears_and_understands_what_hassil_does() -> None:
    content = {
        "language": "en",
        "intents": {
            "Light": {
                "data": [
                    {
                        "sentences": ["<turn> {state} [the] {room} light[s]", "({room};{state})"],
                        "slots": {"domain": "light"},
                    }
                ]
            },
            "Wait": {"data": [{"sentences": ["wait {minutes} minute[s]", "wait {half:seconds}"]}]},
        },
        "lists": {
            "state": {"values": [{"in": "(on|lit)", "out": "on"}, "off"]},
            "room": {"values": ["kitchen", "living room"]},
            "minutes": {"range": {"from": 5, "to": 30, "step": 5}},
            "half": {"range": {"from": 1, "to": 3, "multiplier": 0.5}},
        },
        "expansion_rules": {"turn": "(turn|switch)"},
    }
    grammar, model = compile_intents(content, NUMBERS), Intents.from_dict(content)
    sentences = {text for _, text in sample_intents(model, language="en")}
    assert len(sentences) > 60
    for sentence in sentences:
        theirs, ours = recognize_best(sentence, model), grammar.interpret(sentence)
        assert theirs is not None
        assert ours is not None
        assert ours.intent == theirs.intent.name
        assert ours.slots == {name: entity.value for name, entity in theirs.entities.items()}


def test_numbers_are_whole_where_they_are_whole() -> None:
    grammar = compiled("{1..60:minutes}", "{0..100,25:part} percent")
    for said in ("forty two", "42"):
        found = grammar.interpret(said)
        assert found is not None
        assert found.slots == {"minutes": 42}
        assert isinstance(found.slots["minutes"], int)
    assert grammar.interpret("75 percent") is not None
    assert grammar.interpret("seventy percent") is None
    assert grammar.interpret("61") is None


def test_a_slot_filled_twice_has_both() -> None:
    grammar = compiled("{drink} and {drink}", lists=LISTS)
    found = grammar.interpret("latte and mocha")
    assert found is not None
    assert found.slots == {"drink": ["latte", "mocha"]}


def test_a_block_may_have_lists_and_rules_of_its_own() -> None:
    content = file("say <word> {thing}", lists={"thing": {"values": ["b"]}})
    content["intents"]["It"]["data"].append(
        {
            "sentences": ["tell <word> {thing}"],
            "lists": {"thing": {"values": ["c"]}},
            "expansion_rules": {"word": "my"},
        }
    )
    content["expansion_rules"] = {"word": "the"}
    grammar = compile_intents(content, NUMBERS)
    assert set(grammar.automaton.sentences(9)) == {"say the b", "tell my c"}


def test_skip_words_are_heard_between_words_twice_at_most() -> None:
    grammar = compiled("go [right] now", skip_words=["please", "thank you"])
    for said in (
        "please go now",
        "go please now thank you",
        "go right now",
        "please please go now",
    ):
        assert grammar.interpret(said) is not None
    assert grammar.interpret("please go please now please") is None
    assert grammar.interpret("go thank you now") is None
    assert grammar.interpret("please") is None
    assert with_skipped(grammar.automaton, ()) is grammar.automaton


def test_what_is_left_aside_is_told() -> None:
    content = file("go", settings={"ignore_whitespace": True})
    content["intents"]["It"]["data"][0]["requires_context"] = {"area": None}
    notes = compile_intents(content, NUMBERS).notes
    assert [n for n in notes if "`requires_context` is left aside" in n]
    assert [n for n in notes if "ignore_whitespace" in n]


def test_what_needs_any_words_is_left_out_and_noted():
    wild = {"song": {"wildcard": True}}
    rules = {"what": "(music|<song>)", "song": "the song {song}"}
    sentences = ["play <what>", "play <song>", "stop [{song}]", "loud"]
    made = compiled(*sentences, lists=wild, expansion_rules=rules)
    assert set(made.automaton.sentences(9)) == {"play music", "stop", "loud"}
    assert [n for n in made.notes if "The list song takes any words" in n]


AT = ("intents", "It", "data", 0, "sentences", 0)


@pytest.mark.parametrize(
    ("content", "path", "said"),
    [
        (file("go (now"), AT, "`(` at character 4 is never closed"),
        (file("go {wher}", lists={"where": {"values": ["up"]}}), AT, "Did you mean where?"),
        (file("go {where}"), AT, "Nothing fills {where}"),
        (file("go <way>"), AT, "no rule <way>"),
        (file("[go]"), AT, "without a word"),
        (file(" "), AT, "no word in it"),
        (file("(" + ";".join("abcdefghijk") + ")"), AT, "More than 10 parts"),
        (
            file("<a>", expansion_rules={"a": "x <b>", "b": "<a>"}),
            ("expansion_rules", "b"),
            "leads back to itself",
        ),
        (file("play {x}", lists={"x": {"wildcard": True}}), ("lists", "x"), "any words"),
        (file("play {x}", lists={"x": {}}), ("lists", "x"), "needs `values:` or a `range:`"),
        (
            file("{x}", lists={"x": {"values": [{"out": 1}]}}),
            ("lists", "x", "values", 0),
            "`in:` with the words",
        ),
        (
            file("{x}", lists={"x": {"values": ["a", "[b"]}}),
            ("lists", "x", "values", 1),
            "never closed",
        ),
        (
            file("{x}", lists={"x": {"range": {"from": 3, "to": 1}}}),
            ("lists", "x", "range"),
            "no number that can be said",
        ),
        ({"language": "en"}, ("intents",), "`intents:` should be"),
        ({"intents": {}}, ("intents",), "no sentence"),
        ({"intents": {"It": {"sentences": ["go"]}}}, ("intents", "It"), "needs a list `data:`"),
        ("go", (), "The file should be"),
        (None, (), "The file should be"),
    ],
)
def test_a_fault_is_told_with_its_place(
    content: object, path: tuple[str | int, ...], said: str
) -> None:
    with pytest.raises(IntentsFault) as caught:
        compile_intents(content, NUMBERS)
    told = [f for f in caught.value.faults if said in f.message]
    assert [f.path for f in told] == [path]
    assert all(f.message.endswith((".", "?")) for f in caught.value.faults)


def test_every_fault_of_a_file_is_told_at_once() -> None:
    with pytest.raises(IntentsFault) as caught:
        compile_intents(file("a (", "b", "{c}"), NUMBERS)
    assert [f.path[-1] for f in caught.value.faults] == [0, 2]


def test_rules_that_multiply_are_refused() -> None:
    rules = {f"r{n}": f"<r{n + 1}> <r{n + 1}>" for n in range(40)} | {"r40": "x"}
    with pytest.raises(IntentsFault, match="too large"):
        compiled("<r0>", expansion_rules=rules)


def test_of_a_range_with_fractions_the_whole_numbers_are_heard() -> None:
    part = {"range": {"from": 0, "to": 30, "fractions": "halves"}}
    grammar = compiled("set it to {t} degrees", "yes", lists={"t": part})
    assert grammar.interpret("set it to twenty one degrees") is not None
    assert grammar.interpret("yes") is not None
    assert [n for n in grammar.notes if "Fractions are not heard" in n]


def ranges(high: int) -> dict[str, Any]:
    return {name: {"range": {"from": 1, "to": high}} for name in "hms"}


@pytest.mark.parametrize(
    "glued", ["cook {h}h{m}m{s}s", "cook {h}[ ]h[ ]{m}[ ]m[ ]{s}[ ]s", "({h}{m};{s}{h}) now"]
)
def test_ranges_that_are_glued_together_are_left_out_within_a_second(glued: str) -> None:
    begun = process_time()
    grammar = compiled(glued, "cook {h} hours", lists=ranges(100))
    assert process_time() - begun < 1
    assert grammar.interpret("cook five hours") is not None
    assert grammar.interpret("cook five h six m seven s") is None
    assert [n for n in grammar.notes if "too many forms" in n] == list(grammar.notes)


def test_what_is_glued_in_few_ways_is_heard() -> None:
    grammar = compiled("cook {h}h{m}m", lists=ranges(5))
    found = grammar.interpret("cook fourhthreem")
    assert found is not None
    assert found.slots == {"h": 4, "m": 3}


def test_a_set_with_nothing_but_glued_sentences_says_so() -> None:
    with pytest.raises(IntentsFault) as caught:
        compiled("cook {h}h{m}m{s}s", lists=ranges(100))
    assert [f.path for f in caught.value.faults] == [AT]


def test_sentences_that_say_too_much_together_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network, "MOST_ARCS", 60)
    # In how many words back "left" was said must be known all along.
    endless = "[left] [right] [left] [right] [left] [right] left " + " ".join(["(left|right)"] * 10)
    grammar = compiled("yes", "no", "perhaps", endless, f"now {endless}", f"then {endless}")
    assert grammar.interpret("yes") is not None
    assert [n for n in grammar.notes if "too much could be said" in n]


def test_too_many_sentences_are_refused() -> None:
    with pytest.raises(IntentsFault, match="more than 5,000 sentences"):
        compiled(*(f"word {n}" for n in range(5_001)))


def test_a_lenient_reader_leaves_out_what_is_faulty() -> None:
    content = file("go {name}", "go (", "go <where>", "stop", "[silent]")
    grammar = compile_intents(content, NUMBERS, lenient=True)
    assert set(grammar.automaton.sentences(9)) == {"stop"}
    assert len(grammar.notes) == 4
    with pytest.raises(IntentsFault, match="Nothing fills"):
        compile_intents(file("go {name}"), NUMBERS, lenient=True)
