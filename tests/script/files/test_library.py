from __future__ import annotations

from pathlib import Path

import pytest

from narrator.script.files.library import NoScriptError, find_script, list_scripts

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.unit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "whist": "title: Whist\nplayers: {min: 4, max: 4}\nlanguage: de\n",
        "broken": "title: [\n",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_scripts_are_listed_by_name_the_damaged_ones_too(folder: Path) -> None:
    broken, whist = list_scripts([folder, folder / "nowhere"])
    assert (whist.name, whist.title, whist.low, whist.high) == ("whist", "Whist", 4, 4)
    assert whist.language == "de"
    assert (broken.name, broken.title, broken.low) == ("broken", "broken", 0)


def test_found_by_name_by_file_and_by_folder(folder: Path) -> None:
    path = folder / "whist" / "game.yaml"
    assert find_script("whist", [folder]) == path
    assert find_script(str(path), []) == path
    assert find_script(str(path.parent), []) == path


@pytest.mark.parametrize("name", ["whits", "", "../whist", "."])
def test_what_is_not_there_has_a_remedy(name: str, folder: Path) -> None:
    with pytest.raises(NoScriptError) as caught:
        find_script(name, [folder])
    assert "whist" in caught.value.hint


def test_the_shipped_scripts_are_found() -> None:
    assert find_script("one-night-revolution") == ROOT / "scripts/one-night-revolution/game.yaml"
