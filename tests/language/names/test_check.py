# ruff: noqa: RUF001  # these are letters of the phonetic alphabet
from __future__ import annotations

import pytest

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.names.check import Lexicon, check_names, spoken_words
from narrator.language.names.spelling import spelled_sounds
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit

ENGLISH = load_locale("en")
SOUNDS = {
    "zoe": "z_ˈoʊ_i", "joey": "dʒ_ˈoʊ_i", "robert": "ɹ_ˈɑː_b_ɚ_t", "julia": "dʒ_ˈuː_l_iə",
    "bess": "b_ˈɛ_s", "yes": "j_ˈɛ_s", "noah": "n_ˈoʊ_ʌ", "no": "n_ˈoʊ", "ben": "b_ˈɛ_n",
    "ten": "t_ˈɛ_n", "finn": "f_ˈɪ_n", "quinn": "k_w_ˈɪ_n", "dee": "d_ˈiː", "d": "d_ˈiː",
    "siobhan": "ʃ_ɪ_v_ˈɔː_n", "shivawn": "ʃ_ɪ_v_ˈɔː_n",
}  # fmt: skip


def sounds(text: str) -> str:
    return SOUNDS.get(text) or spelled_sounds(text)


def table(*names: str) -> list[Seat]:
    return [Seat(number, name) for number, name in enumerate(names, 1)]


def found(*names: str, **more: object) -> list[tuple[str, tuple[str, ...], str]]:
    return [
        (f.trouble, f.names, f.word)
        for f in check_names(table(*names), ENGLISH, sounds, **more)  # type: ignore[arg-type]
    ]


def test_names_that_are_far_apart_are_nobodys_trouble():
    assert found("Robert", "Julia") == []


def test_two_that_sound_alike_are_told_once_with_their_numbers():
    (finding,) = check_names(table("Zoe", "Robert", "Joey"), ENGLISH, sounds)
    assert (finding.trouble, finding.names) == ("alike", ("Zoe", "Joey"))
    assert str(finding) == (
        "Zoe and Joey sound alike. "
        "Say seat one and seat three, or give one of them a longer name for tonight."
    )
    assert 0 < finding.difference < 0.2


def test_short_names_that_rhyme_are_alike_however_they_begin():
    assert ("alike", ("Finn", "Quinn"), "") in found("Finn", "Quinn")


@pytest.mark.parametrize(
    ("name", "word"), [("Bess", "yes"), ("Noah", "no"), ("Ben", "ten"), ("Yes", "yes")]
)
def test_a_name_like_an_answer_is_told_with_the_answer(name, word):
    assert ("word", (name,), word) in found(name, "Robert")


def test_only_what_the_game_listens_for_counts():
    phrase = [Expectation("phrase", "phrase", ("ready",))]
    assert found("Bess", "Robert", expectations=phrase) == [("short", ("Bess",), "")]
    letter = [Expectation("answer", "letter", allowed=("A", "D"))]
    assert ("word", ("Dee",), "d") in found("Dee", "Robert", expectations=letter)


def test_all_short_names_share_one_line():
    (finding,) = [f for f in check_names(table("Dee", "Bess"), ENGLISH, sounds) if f.word == ""]
    assert finding.names == ("Dee", "Bess")
    assert str(finding).endswith("Dee, Bess. A number always works: seat one is Dee.")


def test_a_respelling_is_what_is_compared():
    seats = [Seat(1, "Xx", "Zoe", ("zoe",)), Seat(2, "Joey")]
    assert [f.names for f in check_names(seats, ENGLISH, sounds)] == [("Xx", "Joey")]


def test_a_name_outside_the_vocabulary_is_told_with_spellings_that_are_in_it():
    known = {"robert", "shivawn"}
    lexicon = Lexicon(known.__contains__, lambda name: ["shivawn"] if name == "Siobhan" else [])
    (finding,) = check_names(table("Robert", "Siobhan"), ENGLISH, sounds, lexicon=lexicon)
    assert (finding.trouble, finding.spellings) == ("unknown", ("shivawn",))
    assert "It knows shivawn, which sounds alike" in finding.remedy
    heard = [Seat(1, "Robert"), Seat(2, "Siobhan", "", ("shivawn",))]
    assert check_names(heard, ENGLISH, sounds, lexicon=lexicon) == []
    none = Lexicon(lambda _: False, lambda _: [])
    assert "Say seat one" in check_names(table("Robert"), ENGLISH, sounds, lexicon=none)[0].remedy


def test_every_kind_of_answer_has_its_words():
    words = spoken_words(
        ENGLISH,
        [
            Expectation("answer", "yesno"),
            Expectation("a", "choice", choices=(("heads", ("heads|tails up",)),)),
            Expectation("s", "seat", nobody=True),
            Expectation("command:stop", "command"),
        ],
    )
    assert {"yes", "nope", "heads", "nobody", "stop", "shut up"} <= set(words)
    assert words["stop"] == "command"
    assert all(word.count(" ") <= 1 for word in words)
