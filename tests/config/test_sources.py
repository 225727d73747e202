from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from narrator.config.settings import SECTIONS, Settings, documented_defaults
from narrator.config.sources import (
    Configuration,
    ConfigurationError,
    config_folder,
    data_folder,
    load_configuration,
)

pytestmark = pytest.mark.unit

DOCUMENTED = Path(__file__).parents[2] / "config" / "narrator.toml"


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refused(*args: object, **named: object) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(*args, **named)  # type: ignore[arg-type]
    assert caught.value.exit_code == 2
    assert "\n" not in caught.value.message
    return caught.value


def test_documented_file_is_in_step_with_the_settings() -> None:
    assert DOCUMENTED.read_text(encoding="utf-8") == documented_defaults()


def test_documented_file_changes_nothing() -> None:
    configuration = load_configuration(file=DOCUMENTED, environment={})
    assert configuration.settings == Settings()
    assert set(configuration.origins) == set(Settings.model_fields)


def test_every_setting_is_one_sentence_and_every_section_exists() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name
    assert {name for name, _ in SECTIONS} <= set(Settings.model_fields)


def test_nothing_set_gives_defaults(own_folders: Path) -> None:
    configuration = load_configuration()
    assert configuration == Configuration(Settings(), {})
    assert configuration.origin("rate") == "default"


def test_the_nearer_source_wins_and_each_value_knows_its_own(tmp_path: Path) -> None:
    file = written(tmp_path, "rate = 120\npitch = 40\nvolume = 0.5\n")
    environment = {"NARRATOR_RATE": "140", "NARRATOR_PITCH": "45", "NARRATOR_PLAIN": "yes"}
    configuration = load_configuration({"rate": 150, "voice": None}, file, environment)
    settings = configuration.settings
    assert (settings.rate, settings.pitch, settings.volume) == (150, 45, 0.5)
    assert settings.plain is True
    assert [configuration.origin(n) for n in ("rate", "pitch", "volume", "voice")] == [
        "--rate",
        "NARRATOR_PITCH",
        str(file),
        "default",
    ]


def test_the_persons_own_file_is_found(own_folders: Path) -> None:
    folder = config_folder()
    assert folder == own_folders / "config"
    assert data_folder() == own_folders / "data"
    folder.mkdir()
    (folder / "narrator.toml").write_text('voice = "en-gb"\n', encoding="utf-8")
    assert load_configuration().settings.voice == "en-gb"


def test_the_home_folder_may_be_written_as_in_a_shell() -> None:
    assert data_folder({"NARRATOR_DATA": "~/evenings"}) == Path.home() / "evenings"
    assert config_folder({"NARRATOR_CONFIG": "~/set"}) == Path.home() / "set"
    assert data_folder({"NARRATOR_DATA": "~nobody-here/x"}) == Path("~nobody-here/x")


def test_folders_without_variables_are_the_systems() -> None:
    assert config_folder({}).name == data_folder({}).name == "narrator"
    assert config_folder({}).is_absolute()


@pytest.mark.parametrize(
    ("given", "rate"),
    [("150.4", 150), (149.6, 150), ("40", 80), (9_000, 450), ("1e9", 450), ("0", 80)],
)
def test_rate_is_a_whole_number_in_its_range(given: object, rate: int) -> None:
    settings = load_configuration({"rate": given}, environment={}).settings
    assert settings.rate == rate
    assert isinstance(settings.rate, int)


def test_loudness_is_pulled_into_its_range() -> None:
    settings = load_configuration({"volume": 3, "cue_volume": "0"}, environment={}).settings
    assert (settings.volume, settings.cue_volume) == (2.0, 0.0)


def test_device_may_be_a_number(tmp_path: Path) -> None:
    file = written(tmp_path, "microphone = 3\n")
    assert load_configuration(file=file, environment={}).settings.microphone == "3"


def test_unknown_setting_in_a_file_is_refused_with_the_near_one(tmp_path: Path) -> None:
    file = written(tmp_path, "volum = 1\n")
    assert str(refused(file=file, environment={})) == (
        f'"volum" in {file} is no setting. Did you mean "volume"?'
    )


def test_unknown_setting_without_a_near_one_names_the_page() -> None:
    error = refused({"zzzz": 1}, environment={})
    assert error.message == '"zzzz" in --zzzz is no setting.'
    assert "config/narrator.toml" in error.hint


def test_unknown_variable_is_noted_not_refused() -> None:
    environment = {"NARRATOR_RAET": "1", "NARRATOR_DATA": "/somewhere", "PATH": ""}
    configuration = load_configuration(environment=environment)
    assert configuration.notes == (
        'NARRATOR_RAET is no setting and was ignored. Did you mean "rate"?',
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate", "fast"),
        ("rate", "nan"),
        ("rate", True),
        ("record_days", True),
        ("lead_in", False),
        ("volume", [1]),
        ("guard_time", 9),
        ("guard_time", "nan"),
        ("plain", "perhaps"),
    ],
)
def test_impossible_value_is_refused_with_what_the_setting_means(name: str, value: object) -> None:
    error = refused({name: value}, environment={})
    assert error.message == f'"{name}" in --{name.replace("_", "-")} cannot be "{value}".'
    assert error.hint == f"It means: {Settings.model_fields[name].description}"


def test_an_engine_that_is_not_there_is_refused_with_those_that_are() -> None:
    error = refused({"engine": "sphinx"}, environment={}, engines=["auto", "whisper"])
    assert error.message == '"engine" in --engine cannot be "sphinx".'
    assert error.hint == "There are: auto, whisper."
    known = load_configuration({"engine": "whisper"}, environment={}, engines=["auto", "whisper"])
    assert known.settings.engine == "whisper"


def test_named_file_must_exist(tmp_path: Path) -> None:
    missing = tmp_path / "no.toml"
    assert refused(file=missing, environment={}).message == f"There is no file {missing}."


def test_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refused(file=tmp_path, environment={}).message


@pytest.mark.parametrize("text", ["rate 150", "rate = 1\nrate = 2", "voice = en", "[["])
def test_broken_file_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    error = refused(file=written(tmp_path, text), environment={})
    assert "not written as TOML" in error.message
    assert "line" in error.message or "end of document" in error.message


def test_wrong_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes('voice = "Jürgen"\n'.encode("latin-1"))
    assert "not UTF-8" in refused(file=file, environment={}).message


def test_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "windows.toml"
    file.write_bytes(b"\xef\xbb\xbfrate = 150\r\n")
    assert load_configuration(file=file, environment={}).settings.rate == 150


def test_settings_give_the_voice() -> None:
    settings = Settings(voice="gmw/en-us+f3", rate=140, volume=0.5, pitch=30)
    voice = settings.as_voice()
    assert (voice.name, voice.language, voice.rate, voice.volume, voice.pitch) == (
        "gmw/en-us+f3",
        "en",
        140,
        1.0,
        30,
    )


def test_documented_file_is_toml_without_sections() -> None:
    values = tomllib.loads(documented_defaults())
    assert values == {name: field.default for name, field in Settings.model_fields.items()}
