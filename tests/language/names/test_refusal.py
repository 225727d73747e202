from __future__ import annotations

import pytest

from narrator.core.values import Seat
from narrator.language.grammar.templates import plain_sentences
from narrator.language.names.refusal import LONGEST, refusal
from narrator.script.files.locales import languages, load_locale

pytestmark = pytest.mark.unit


def told(*names: str, language: str = "en") -> str:
    seats = [Seat(number, name) for number, name in enumerate(names, 1)]
    return refusal(seats, load_locale(language))


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["!!!"], "cannot be said"),
        (["\U0001f642"], "cannot be said"),
        (["-", "Ben"], "cannot be said"),
        ([""], "no name"),
        (["Ana", "  "], "no name"),
        (["a" * 5000], "has 5000 letters"),
        (["Ana\x07"], r"cannot be seen, \x07"),
        (["\ud800na"], r"cannot be seen, \ud800"),
        (["\u202eana"], r"cannot be seen, \u202e"),
        (["A\u200bna"], r"cannot be seen, \u200b"),
        (["\u3164Ana"], r"cannot be seen, \u3164"),
        (["Ana", "\uff21\uff4e\uff41"], "look alike: change"),
        (["Ana", "\u0410n\u0430"], "look alike: change"),
        (["Stra\u00dfe", "Strasse"], "Two seats have the name Strasse"),
        (["yes"], "is an answer"),
        (["Nope"], "is an answer"),
        (["everyone"], "is an answer"),
        (["No one"], "is an answer"),
        (["nobody!"], "is an answer"),
        (["Narrator"], "a word that is ignored"),
        (["please"], "a word that is ignored"),
        (["and"], "a word that is ignored"),
        (["Ana", "seat one"], "number of a seat"),
        (["Player 4"], "number of a seat"),
        (["seven"], "is a number"),
        (["3"], "is a number"),
        (["stop"], "is a command"),
        (["How long left?"], "is a command"),
        (["Ana", "Ana"], "Two seats have the name Ana"),
        (["Ana", "ana"], "Two seats have the name ana"),
        (["Zoe", "Ben", "Zoë"], "Zoe and Zoë are said alike"),
        (["Zoé", "Zoë"], "Zoé and Zoë are said alike"),
        (["Jean-Luc", "Jean Luc"], "Jean-Luc and Jean Luc are said alike"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_one_sentence_with_a_remedy(names, why) -> None:
    sentence = told(*names)
    assert why in sentence
    assert "\n" not in sentence and len(sentence) < 200
    assert sentence.endswith((".", "B.")) and (":" in sentence or "Use another" in sentence)


@pytest.mark.parametrize(
    "names",
    [
        ["Ana", "Ben", "Cy"],
        ["A", "B", "C"],
        ["P2", "P3"],
        ["Jean-Luc", "O'Neil", "Siobhán", "Łukasz", "Will", "Mark", "May", "Art"],
        ["Ana B", "Ana C"],
        ["Player 1", "Player 2", "Player 3"],
        ["Ana \U0001f642", "Yesenia", "Nobu", "Stopford"],
        ["x" * LONGEST],
    ],
)
def test_names_that_people_have_are_taken(names) -> None:
    assert told(*names) == ""


@pytest.mark.parametrize("language", languages())
def test_every_language_takes_its_own_names_and_refuses_its_own_answers(language) -> None:
    locale = load_locale(language)
    assert refusal([Seat(n, name) for n, name in enumerate(locale.names, 1)], locale) == ""
    for answer in ("yes", "no", "nobody", "everyone"):
        assert told(plain_sentences(getattr(locale, answer))[0], language=language)


def test_a_spoken_form_that_is_an_answer_is_refused() -> None:
    locale = load_locale("en")
    assert "Ana cannot be heard as yes" in refusal([Seat(1, "Ana", hear=("yes",))], locale)
    assert refusal([Seat(1, "Siobhán", "shivawn", ("shivawn",))], locale) == ""


@pytest.mark.parametrize(
    "seats",
    [
        [Seat(1, "Ana", "Bob", ("bob",)), Seat(2, "Bob"), Seat(3, "Cy")],
        [Seat(1, "Ana", hear=("bob",)), Seat(2, "Cy", hear=("Bob",))],
        [Seat(1, "Ana", "Bob"), Seat(2, "Cy", "bob")],
        [Seat(1, "Bob"), Seat(2, "Cy", hear=("\uff22\uff2f\uff22",))],
    ],
)
def test_nobody_is_called_by_a_form_that_is_another_s(seats) -> None:
    assert "cannot sound like" in refusal(seats, load_locale("en"))


def test_names_in_the_letters_of_the_table_are_taken() -> None:
    seats = [Seat(number, name) for number, name in enumerate(("서연", "지훈", "이영희"), 1)]
    assert refusal(seats, load_locale("ko")) == ""
    assert "cannot read the letters of 서연" in refusal(seats, load_locale("en"))
