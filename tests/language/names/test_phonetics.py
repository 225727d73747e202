# ruff: noqa: RUF001  # these are letters of the phonetic alphabet
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.language.names.phonetics import (
    change,
    difference,
    rhymes,
    same_vowels,
    sounds_of,
    syllables,
)
from narrator.language.names.spelling import spelled_sounds

pytestmark = pytest.mark.unit

BEN, TEN, JEN, BOB, YES, BESS = "b_ˈɛ_n", "t_ˈɛ_n", "dʒ_ˈɛ_n", "b_ˈɒ_b", "j_ˈɛ_s", "b_ˈɛ_s"
NOAH, NO, ZOE, JOEY, ROBERT = "n_ˈoʊ_ʌ", "n_ˈoʊ", "z_ˈoʊ_i", "dʒ_ˈoʊ_i", "ɹ_ˈɑː_b_ɚ_t"
phonemes = st.lists(
    st.sampled_from("b d dʒ tʃ s ʃ n m l ɹ j w h i ɪ ɛ æ ɑ oʊ aɪ u ə".split()), max_size=6
).map("_".join)


@given(phonemes, phonemes)
def test_it_is_a_measure_between_nothing_and_all(first, second):
    assert difference(first, first) == 0
    assert 0 <= difference(first, second) <= 1
    assert difference(first, second) == pytest.approx(difference(second, first))


def test_marks_of_stress_and_length_do_not_count():
    assert difference("ʃ_ɪ_v_ˈɔː_n", "ʃ_ˈɪ_v_ɔ_n") == 0


def test_a_change_of_voice_costs_less_than_one_of_place_or_kind():
    def between(first: str, second: str) -> float:
        return change(sounds_of(first)[0], sounds_of(second)[0])

    assert between("p", "b") < between("p", "k") < between("b", "m") < between("s", "m")
    assert between("ɪ", "i") < between("ɪ", "ɛ") < between("i", "ɑ")
    assert between("j", "i") < between("j", "ɑ") <= between("s", "ɑ")


def test_what_people_confuse_is_nearer_than_what_they_do_not():
    assert difference(BEN, TEN) < difference(BEN, BOB) < difference(BEN, ROBERT)
    assert difference(ZOE, JOEY) < difference(ZOE, ROBERT)


def test_affricates_and_diphthongs_are_one_sound():
    assert [s.letters for s in sounds_of(JOEY)] == ["dʒ", "oʊ", "i"]
    assert syllables(JOEY) == 2 and syllables(BEN) == 1 and syllables("") == 0


def test_rhymes_are_of_one_syllable_and_alike_from_the_vowel_on():
    assert rhymes(BEN, TEN) and rhymes(BESS, YES)
    assert not rhymes(BEN, BOB) and not rhymes(ZOE, JOEY) and not rhymes("", "")


def test_vowels_may_have_one_more_at_the_end():
    assert same_vowels(NOAH, NO) and same_vowels(BEN, JEN)
    assert not same_vowels(BEN, BOB) and not same_vowels("", "") and not same_vowels(ROBERT, BEN)


@pytest.mark.parametrize(
    ("written", "like"),
    [
        ("Kate", "k_e_t"),
        ("Philip", "f_ɪ_l_ɪ_p"),
        ("Shivawn", "ʃ_ɪ_v_ɔ_n"),
        ("Yannick", "j_a_n_ɪ_k"),
    ],
)
def test_without_a_voice_spelling_tells_roughly_how_it_sounds(written, like):
    assert difference(spelled_sounds(written), like) < 0.2


def test_hangul_is_read_as_it_is_written():
    assert spelled_sounds("지민") == "tɕ_i_m_i_n"
    assert spelled_sounds("Ана") == ""
