from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment, TemplateSyntaxError

from narrator.core.expect import Expectation
from narrator.language.grammar.automaton import Automaton
from narrator.language.grammar.grammar import compile_grammar
from narrator.language.locale import Locale
from narrator.script.files.locales import LOCALES, LocaleError, languages, load_locale
from tests.language.tables import ENGLISH, SEATS

pytestmark = pytest.mark.unit

_COMMANDS = (
    "repeat", "pause", "resume", "skip", "back", "undo", "more time", "how long left",
    "stop the timer", "whose turn", "scores", "help", "louder", "quieter", "faster", "slower",
    "end the game", "stop",
)  # fmt: skip


def test_english_has_every_command_under_any_spelling_of_its_name() -> None:
    for name in _COMMANDS:
        assert ENGLISH.command(name)
        assert ENGLISH.command(name.replace(" ", "_")) == ENGLISH.command(name)
    assert ENGLISH.command("dance") == ()


def test_a_language_is_loaded_once_and_regions_fall_back() -> None:
    assert "en" in languages()
    assert load_locale("en") is ENGLISH
    assert load_locale("en-GB").yes == ENGLISH.yes


def test_the_narrators_own_lines_are_templates_that_parse() -> None:
    environment = Environment(autoescape=True)
    for line, text in ENGLISH.lines.items():
        try:
            environment.parse(text)
        except TemplateSyntaxError as error:
            pytest.fail(f"{line}: {error}")


def test_an_opener_is_never_the_beginning_of_a_sentence_that_means_something_else() -> None:
    made = compile_grammar([Expectation("answer", "yesno")], SEATS, ENGLISH)
    for opener in ENGLISH.openers:
        found = made.interpret(f"{opener} no").meaning
        assert found is not None and found.value is False


_BROKEN = {
    "yes: [": "not valid YAML",
    "[]": "`the file`",
    "yes: ja": "`yes`: it must be a list",
    "yes: [1]": "`1` is not text",
    "yes: [(ja]": "never closed",
    "yes: []": "it has no sentence",
    "yes: [ja]\nyes: [jo]\n": "not valid YAML",
    "numbers: {small: {100: [x]}}\nno: [nein]\nyes: [ja]\nnobody: [keiner]\neveryone: [alle]\n"
    "seat numbers: []\n": "0 to 99",
}


@pytest.mark.parametrize(("text", "said"), _BROKEN.items())
def test_a_fault_in_a_language_file_is_told_in_one_sentence(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "de.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(LocaleError) as caught:
        load_locale("de", tmp_path)
    assert said in str(caught.value)


def test_a_language_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(LocaleError, match="Choose one of: en"):
        load_locale("tlh")


_GERMAN = """
language: de
yes: [ja]
no: [nein]
nobody: [niemand]
everyone: [alle]
seat numbers: ["platz {number}"]
frames: {seat: ["ich (wähle|beschuldige) {seat}"]}
commands: {back: [zurück]}
numbers: {small: {1: [eins], 2: [zwei, zwo], 21: [einundzwanzig]}}
letters: {A: [a, anton]}
"""


def test_another_language_needs_only_its_file(tmp_path: Path) -> None:
    (tmp_path / "de.yaml").write_text(_GERMAN, encoding="utf-8")
    german = load_locale("de", tmp_path)
    live = [Expectation("s", "seat"), Expectation("command:back", "command")]
    made = compile_grammar(live, SEATS, german)
    for text, value in {"Platz zwo": "Ben", "zwei": "Ben", "Ich wähle Ana": "Ana"}.items():
        found = made.interpret(text).meaning
        assert found is not None and found.value == value
    assert made.interpret("Zurück!").meaning is not None
    numbers = compile_grammar([Expectation("n", "number", high=30)], SEATS, german)
    assert numbers.interpret("einundzwanzig").meaning is not None
    assert numbers.interpret("two").meaning is None


def test_the_file_lies_in_the_package() -> None:
    assert (LOCALES / "en.yaml").is_file()
    assert isinstance(ENGLISH, Locale)
    assert isinstance(
        compile_grammar([Expectation("a", "yesno")], (), ENGLISH).automaton, Automaton
    )


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_is_said_where_names_are_tried_is_there_in_every_language(language: str) -> None:
    trying = load_locale(language).trying
    assert set(trying) == set(ENGLISH.trying)
    for line, text in trying.items():
        said = text.format(name="Ana", heard="anna", seat="seat one")
        slots = [s for s in ("{name}", "{heard}", "{seat}") if s in ENGLISH.trying[line]]
        assert all(slot in text for slot in slots) and "{" not in said
