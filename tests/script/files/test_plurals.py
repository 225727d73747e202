"""Counts of nothing, one and two: every text of every language, with each number in its place."""

import re

import pytest

from narrator.script.files.locales import languages, load_locale
from narrator.script.files.messages import fields_of, load_messages

pytestmark = pytest.mark.unit

NUMBERS = {"all", "changed", "channels", "count", "days", "deleted", "minutes", "seconds"}
SINGULAR = {"is", "was", "has", "of", "does", "ms"}
"""Words that end like plurals, and are none."""
FORMS = re.compile(r"\{(\w+):([^{}]*\|[^{}]*)\}")


def texts(language):
    own = load_locale(language).messages
    for code, sentences in own.faults.items():
        yield from ((f"{code} {n}", text) for n, text in enumerate(sentences))
    for part in (own.then, own.terms, own.shown, own.commands):
        yield from part.items()


def filled(language, text, count):
    forms = {field for field, _ in FORMS.findall(text)}
    fields = {name: count if name in NUMBERS | forms else "x" for name in fields_of(text)}
    return load_locale(language).messages._filled(text, fields)


@pytest.mark.parametrize("language", languages())
def test_every_text_has_a_form_for_every_number(language):
    for name, text in texts(language):
        for count in (0, 1, 2, 5, 11, 21, 101):
            assert "|" not in filled(language, text, count), name


@pytest.mark.parametrize("count", [0, 1, 2])
def test_no_english_text_says_one_games_or_two_game(count):
    wrong = []
    for name, text in texts("en"):
        told = filled("en", text, count)
        for number, word in re.findall(r"(?<![\w.:,#/-])(\d+) ([a-z]+)\b", told):
            plural = word.endswith("s") and word not in SINGULAR
            if plural and number == "1":
                wrong.append((name, told))
        for field, forms in FORMS.findall(text):
            one, other = forms.split("|")
            assert one != other, name
            assert (one if count == 1 else other) in told, (name, field)
    assert not wrong


def test_numbers_of_other_languages_are_those_of_cldr(tmp_path):
    """Russian has three, Korean one, Arabic six; a language that CLDR lacks counts as English."""
    folder = tmp_path / "messages"
    folder.mkdir()
    for language, words in {
        "ru": "книга|книги|книг|книги",
        "ko": "권|",
        "ar": "0|1|2|3|11|100",
        "tlh": "one|other",
    }.items():
        (folder / f"{language}.yaml").write_text(f'shown:\n  n: "{{n:{words}}}"\n', "utf-8")

    def line(language, n):
        return load_messages(language, tmp_path).line("n", n=n)

    assert [line("ru", n) for n in (1, 2, 5, 11, 21, 22)] == [
        "книга", "книги", "книг", "книг", "книга", "книги",
    ]  # fmt: skip
    assert [line("ko", n) for n in (0, 1, 2)] == ["권"] * 3
    assert [line("ar", n) for n in (0, 1, 2, 3, 11, 100)] == ["0", "1", "2", "3", "11", "100"]
    assert [line("tlh", n) for n in (0, 1, 2)] == ["other", "one", "other"]
