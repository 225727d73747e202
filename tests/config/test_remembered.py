"""What was changed by voice is there the next evening, and the person's own file wins over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.config.remembered import FILE_NAME, recall, remember
from narrator.config.sources import load_configuration

pytestmark = pytest.mark.unit


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"NARRATOR_DATA": str(tmp_path / "data"), "NARRATOR_CONFIG": str(tmp_path)}


def change(home: dict[str, str], **changed: float) -> bool:
    configured = load_configuration(environment=home).configured
    return remember(Path(home["NARRATOR_DATA"]), changed, configured)


def test_a_change_is_there_again_and_says_where_it_comes_from(home: dict[str, str]) -> None:
    assert change(home, rate=143, cover_volume=0.0)
    assert change(home, volume=1.25)
    now = load_configuration(environment=home)
    assert (now.settings.rate, now.settings.volume, now.settings.cover_volume) == (143, 1.25, 0.0)
    assert now.settings.cue_volume == 0.6
    assert now.origin("rate").startswith("the last evening")
    assert now.configured["rate"] == 165


def test_a_new_value_in_the_file_takes_effect(home: dict[str, str], tmp_path: Path) -> None:
    change(home, rate=143)
    (tmp_path / "narrator.toml").write_text("rate = 150\n", encoding="utf-8")
    assert load_configuration(environment=home).settings.rate == 150
    assert load_configuration({"rate": 165}, environment=home).settings.rate == 165
    assert load_configuration(environment=home | {"NARRATOR_RATE": "120"}).settings.rate == 120


def test_what_is_as_configured_again_is_forgotten(home: dict[str, str]) -> None:
    change(home, rate=143, volume=0.8)
    change(home, rate=165)
    assert recall(Path(home["NARRATOR_DATA"])) == {"volume": (0.8, 1.0)}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"rate": 3}', '{"rate": ["a", "b"]}', "\0"])
def test_a_damaged_file_is_as_good_as_none(home: dict[str, str], text: str) -> None:
    folder = Path(home["NARRATOR_DATA"])
    folder.mkdir()
    (folder / FILE_NAME).write_text(text, encoding="utf-8")
    assert load_configuration(environment=home).settings.rate == 165
    assert change(home, rate=143)
    assert load_configuration(environment=home).settings.rate == 143


def test_a_folder_that_cannot_be_written_costs_nothing(home: dict[str, str]) -> None:
    Path(home["NARRATOR_DATA"]).write_text("a file, no folder", encoding="utf-8")
    assert not change(home, rate=143)
    assert load_configuration(environment=home).settings.rate == 165


def test_voices_and_pronunciations_come_from_the_environment_too(home: dict[str, str]) -> None:
    told = {"NARRATOR_PRONUNCIATIONS": "Siobhan=Shivawn, TTRPG = T T R P G"}
    given = {"language": "ko", "language_voices": {"ko": "ko+f2"}, "voice": "en"}
    settings = load_configuration(given, environment=home | told).settings
    assert settings.pronunciations == {"Siobhan": "Shivawn", "TTRPG": "T T R P G"}
    assert settings.as_voice().name == "ko+f2"
    assert settings.model_copy(update={"language": "en"}).as_voice().name == "en"
