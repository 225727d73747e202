"""What `narrator doctor` tells of the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.app.doctor import doctor
from narrator.config.settings import Settings
from narrator.config.sources import load_configuration

pytestmark = pytest.mark.unit
README = Path(__file__).parents[2] / "README.md"


def told(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[str]:
    monkeypatch.setenv("NARRATOR_CONFIG", str(folder))
    return [finding.told for finding in doctor._origins(load_configuration())]


def test_the_place_of_the_settings_is_told_and_where_each_value_comes_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "narrator.toml"
    assert told(monkeypatch, tmp_path)[0] == f"There is no {file}: write it to have others."
    file.write_text("rate = 150\n", encoding="utf-8")
    monkeypatch.setenv("NARRATOR_PITCH", "60")
    where, *each, usual = told(monkeypatch, tmp_path)
    assert where == f"They are read from {file}."
    assert each == ["pitch is 60, from NARRATOR_PITCH.", f"rate is 150, from {file}."]
    named = [name for name in Settings.model_fields if f"{name} " in usual.replace(":", "")]
    assert {*named, "rate", "pitch"} == set(Settings.model_fields)
    assert "rate 1" not in usual and "pitch" not in usual


def test_the_readme_says_where_the_settings_lie() -> None:
    text = README.read_text(encoding="utf-8")
    for place in ("~/.config/narrator/", "~/Library/Application Support/narrator/", "LOCALAPPDATA"):
        assert place in text
