from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from narrator.script.files.intents import IntentsFileError, load_intents

pytestmark = pytest.mark.unit

GOOD = """\
language: en
intents:
  Answer:
    data:
      - sentences:
          - "[it is] {word}"
        requires_context: {area: any}
        metadata: {anything: 1}
lists:
  word:
    values:
      - yes
      - 7
      - {in: "(maybe|perhaps)", out: false}
"""


def refused(folder: Path, content: str | bytes) -> str:
    path = folder / "words.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(IntentsFileError) as caught:
        load_intents(path)
    return str(caught.value).replace(f"{folder}/", "")


def test_values_mean_what_yaml_says(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(GOOD)
    grammar = load_intents(path)
    said = {"yes": "yes", "it is seven": 7, "perhaps": False}
    for words, value in said.items():
        found = grammar.interpret(words)
        assert found is not None
        assert found.slots == {"word": value}
        assert type(found.slots["word"]) is type(value)
    assert grammar.intents == ("Answer",)
    assert "requires_context" in grammar.notes[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"[it is] {word}"', '"[it is {word}"', "words.yaml:6:13: In `[it is {word}`: The `[`"),
        ('"[it is] {word}"', '"{wort}"', "words.yaml:6:13: Nothing fills {wort}"),
        ("      - yes", '      - "(yes"', "words.yaml:12:9: In `(yes`"),
        ("    values:", "    value:", "words.yaml:10:3: The list word needs `values:`"),
        ("lists:", "intents:", "words.yaml:9:1: `intents` is there already, in line 2"),
        ("language: en", "language: [en", "words.yaml:2:8: This is not valid YAML"),
    ],
)
def test_a_fault_has_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in refused(tmp_path, GOOD.replace(old, new))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "The file should be"),
        (b"\xff\xfe", "not UTF-8"),
        ("a: " + "[" * 5000, "levels deep"),
        (
            "a: &a [x]\n"
            + "".join(f"{b}: &{b} [{f'*{a}, ' * 9}]\n" for a, b in pairwise("abcdefgh")),
            "more than 100,000 values",
        ),
    ],
)  # fmt: skip
def test_hostile_files_are_refused(tmp_path: Path, content: str | bytes, said: str) -> None:
    assert said in refused(tmp_path, content)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(IntentsFileError, match="cannot be read"):
        load_intents(tmp_path / "none.yaml")


def test_numbers_are_heard_in_a_language_without_a_locale(tmp_path: Path) -> None:
    path = tmp_path / "de.yaml"
    path.write_text('language: de\nintents: {Zahl: {data: [{sentences: ["{0..20:zahl}"]}]}}\n')
    grammar = load_intents(path)
    found = grammar.interpret("zwölf")
    assert found is not None
    assert found.slots == {"zahl": 12}


COMMON = """\
language: en
lists:
  state: {values: [{in: "(on|lit)", out: "on"}, "off"]}
  brightness: {range: {from: 0, to: 100, type: percentage}}
  song: {wildcard: true}
expansion_rules: {turn: "(turn|switch)", name: "[the] {name}"}
responses: {errors: {no_intent: "What?"}}
skip_words: [please]
"""
LIGHT = """\
language: en
intents:
  HassTurnOn:
    data:
      - sentences: ["<turn> {state} <name>", "<turn> everything {state}"]
        slots: {domain: light}
        response: default
        metadata: {slot_combination: name_only}
"""
SET = """\
language: en
intents:
  HassTurnOn:
    data:
      - sentences: ["dim to {brightness} [percent]", "play {song}"]
"""


def checkout(folder: Path, language: str = "en") -> Path:
    home = folder / "sentences" / language
    (home / "deeper").mkdir(parents=True)
    (home / "_common.yaml").write_text(COMMON)
    (home / "light_HassTurnOn.yaml").write_text(LIGHT)
    (home / "deeper" / "set.yaml").write_text(SET)
    return home


def test_a_folder_as_home_assistant_keeps_them_is_one_set(tmp_path: Path) -> None:
    home = checkout(tmp_path)
    grammar = load_intents(home)
    found = grammar.interpret("please turn everything lit")
    assert found is not None
    assert (found.intent, dict(found.slots)) == ("HassTurnOn", {"state": "on", "domain": "light"})
    assert grammar.interpret("dim to forty percent") is not None
    assert [n for n in grammar.notes if "Nothing fills {name}" in n and "_common.yaml:6:" in n]
    assert [n for n in grammar.notes if "The list song takes any words" in n]


def test_a_list_of_ones_own_fills_what_the_set_leaves_open(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("lists: {name: {values: [kitchen light]}}\n")
    grammar = load_intents([checkout(tmp_path), own])
    found = grammar.interpret("switch off the kitchen light")
    assert found is not None
    assert found.slots["name"] == "kitchen light"
    assert not [n for n in grammar.notes if "Nothing fills" in n]


def test_of_several_files_none_is_dropped(tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = f"language: en\nintents: {{It{name}: {{data: [{{sentences: [word {name}]}}]}}}}\n"
        (tmp_path / f"{name}.yaml").write_text(text)
    grammar = load_intents([tmp_path / "a.yaml", tmp_path / "b.yaml"])
    assert grammar.intents == ("Ita", "Itb")
    assert grammar.interpret("word a") is not None
    assert grammar.interpret("word b") is not None


def test_a_checkout_of_many_languages_wants_one(tmp_path: Path) -> None:
    checkout(tmp_path)
    checkout(tmp_path, "de")
    assert load_intents(tmp_path, "en").interpret("turn everything off") is not None
    for path in (tmp_path, tmp_path / "sentences"):
        with pytest.raises(IntentsFileError, match="name one with --language, of de, en"):
            load_intents(path)


def test_a_fault_in_a_folder_is_told_in_the_file_it_stands_in(tmp_path: Path) -> None:
    home = checkout(tmp_path)
    (home / "light_HassTurnOn.yaml").write_text(LIGHT.replace("everything", "(everything"))
    notes = load_intents(home).notes
    assert [n for n in notes if "light_HassTurnOn.yaml:5:" in n and "never closed" in n]
    (home / "light_HassTurnOn.yaml").write_text("a: [")
    with pytest.raises(IntentsFileError, match=r"light_HassTurnOn\.yaml:1:.*not valid YAML"):
        load_intents(home)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(IntentsFileError, match=r"no \.yaml file"):
        load_intents(empty)


def test_a_number_without_words_is_understood_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    sentence = "intents: {Set: {data: [{sentences: ['set {0..200,1:n}']}]}}\n"
    for language in ("xx", "de", "en"):  # without words, with words below 100, with all
        path.write_text(f"language: {language}\n{sentence}")
        grammar = load_intents(path)
        for number in (7, 45, 190):
            found = grammar.interpret(f"set {number}")
            assert found is not None, (language, number)
            assert found.slots == {"n": number}


def nested(depth: int) -> str:
    return f"intents: {{Set: {{data: [{{sentences: ['a {'[' * depth}b{']' * depth}']}}]}}}}"


def test_brackets_nested_too_deeply_are_told_with_their_place(tmp_path: Path) -> None:
    for depth in (151, 300, 2_000):
        assert "words.yaml:1:" in refused(tmp_path, nested(depth))
    path = tmp_path / "words.yaml"
    path.write_text(nested(50))
    assert load_intents(path).interpret("a b") is not None
