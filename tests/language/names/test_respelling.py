# ruff: noqa: RUF001  # these are letters of the phonetic alphabet
from __future__ import annotations

import pytest

from narrator.language.names.phonetics import difference
from narrator.language.names.respelling import NEAR, Vocabulary
from narrator.language.names.spelling import spelled_sounds

pytestmark = pytest.mark.unit

SOUNDS = {"siobhan": "ʃ_ɪ_v_ˈɔː_n", "niamh": "n_ˈiː_v", "xiomara": "z_ɪ_ə_m_ˈɑː_ɹ_ə",
          "zio": "z_ˈɪ_o", "mara": "m_ˈɑː_ɹ_ə", "zio mara": "z_ˈɪ_o m_ˈɑː_ɹ_ə"}  # fmt: skip
WORDS = (
    "shivawn", "shaven", "seven", "sea", "van", "knee", "neve", "zio", "mara", "robert", "table",
    "ABSOLUTE", "<eps>", "[unk]", "!SIL", "john's", "co2",
)  # fmt: skip


def sounds(text: str) -> str:
    return SOUNDS.get(text.lower()) or spelled_sounds(text)


@pytest.fixture(scope="module")
def words() -> Vocabulary:
    return Vocabulary(WORDS, sounds)


def test_a_spelling_that_sounds_alike_is_found_whatever_the_name_looks_like(words):
    assert words.spellings("Siobhan")[0] == "shivawn"
    assert words.spellings("Niamh") == ["neve"]


def test_two_words_serve_where_no_single_one_is_near(words):
    assert words.spellings("Xiomara") == ["zio mara"]


def test_nothing_is_proposed_that_does_not_sound_alike(words):
    assert words.spellings("Bartholomew") == []
    assert words.spellings("") == []
    for name in ("Siobhan", "Niamh", "Robert", "Savin"):
        for spelling in words.spellings(name):
            assert difference(sounds(name), sounds(spelling)) <= NEAR


def test_what_is_no_plain_word_is_never_proposed(words):
    assert not {s for n in ("Absolute", "Sil", "Unk") for s in words.spellings(n)} & set(WORDS)


def test_hangul_is_found_by_its_letters():
    korean = Vocabulary(("지민", "제민", "민수", "학교"), spelled_sounds)
    assert korean.spellings("치민")[0] == "지민"
    assert korean.knows("민수") and not korean.knows("치민")
