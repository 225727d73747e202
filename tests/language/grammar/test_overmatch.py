# ruff: noqa: RUF001 -- phonemes are written in the phonetic alphabet
from __future__ import annotations

import pytest

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.overmatch import overlaps, sound_alike
from tests.language.tables import COMMANDS, ENGLISH, LIVE, SEATS

pytestmark = pytest.mark.unit


def test_the_locales_commands_never_claim_one_sentence() -> None:
    assert overlaps(COMMANDS, SEATS, ENGLISH) == []


@pytest.mark.parametrize("live", ["yesno", "seat", "seat or nobody", "seats", "letter"])
def test_no_answer_of_the_locale_is_a_command(live: str) -> None:
    assert overlaps([*LIVE[live], *COMMANDS], SEATS, ENGLISH) == []


def test_two_intents_with_one_sentence_are_found_with_the_sentence() -> None:
    first = Expectation("first", "phrase", templates=("[we] (vote|go) now",))
    second = Expectation("second", "phrase", templates=("(we|they) go (now|later)",))
    (found,) = overlaps([first, second], SEATS, ENGLISH)
    assert (found.first, found.second, found.sentence) == ("first", "second", "we go now")
    assert found.shadowed == ""


def test_an_answer_takes_its_sentence_from_a_command() -> None:
    (found,) = overlaps([*LIVE["answer and commands"]], SEATS, ENGLISH)
    assert found.sentence == "next"
    assert found.shadowed == "command:skip"


def test_two_choices_with_one_sentence_are_found() -> None:
    choice = Expectation("c", "choice", choices=(("x", ("go [on]",)), ("y", ("go on",)), ("z", ())))
    (found,) = overlaps([choice], SEATS, ENGLISH)
    assert (found.first, found.second, found.sentence) == ("c: x", "c: y", "go on")


def test_a_seat_and_a_number_of_one_sound_are_found() -> None:
    number = Expectation("count", "number", high=5)
    (found,) = overlaps([*LIVE["seat"], number], SEATS, ENGLISH)
    assert (found.first, found.second) == ("answer", "count")
    assert found.sentence in ("one", "two", "three", "four", "five")


def test_two_seats_with_one_form_are_found() -> None:
    seats = (Seat(1, "Zoë"), Seat(2, "Zoe"), Seat(3, "Seat one"))
    found = overlaps([Expectation("a", "seat")], seats, ENGLISH)
    assert [(f.first, f.second, f.sentence) for f in found] == [
        ("Zoë", "Zoe", "zoe"),
        ("Zoë", "Seat one", "seat one"),
    ]


def test_large_grammars_are_compared_without_enumeration() -> None:
    first = Expectation("first", "number", high=9999)
    second = Expectation("second", "phrase", templates=("nine thousand nine hundred (and) six",))
    (found,) = overlaps([first, second], SEATS, ENGLISH)
    assert found.sentence == "nine thousand nine hundred and six"


_SOUNDS = {
    "Ben": "bˈɛn", "Jen": "dʒˈɛn", "Ana": "ˈænə", "Anna": "ˈænə", "Cy": "sˈaɪ",
    "task complete": "tˈæsk kəmplˈiːt", "mission accomplished": "mˈɪʃən ɐkˈʌmplɪʃt",
}  # fmt: skip


def test_phrases_of_one_sound_are_told_the_closest_first() -> None:
    found = sound_alike(list(_SOUNDS), _SOUNDS.__getitem__)
    assert [(f.first, f.second) for f in found][:1] == [("Ana", "Anna")]
    assert found[0].difference == 0
    assert not any("task complete" in (f.first, f.second) for f in found)


def test_the_same_phrase_twice_is_no_pair() -> None:
    assert sound_alike(["Ben", "Ben", "ben!"], lambda phrase: "bˈɛn") == []
