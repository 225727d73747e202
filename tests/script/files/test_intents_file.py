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
            "more than 100000 values",
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
