"""Whatever an author wants to begin with: the script is clean and its first test holds."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from narrator.script.authoring.new import NewError, Wishes, write_new
from narrator.script.compiler.compile import compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.plan import read_plan
from narrator.testing.plan_run import run_plan

pytestmark = pytest.mark.unit

CHOICES = [(3, *picked) for picked in product((False, True), repeat=3)]


@pytest.mark.parametrize(
    ("low", "night", "talk", "vote"), [*CHOICES, (2, True, True, True), (14, True, True, False)]
)
def test_the_new_game_is_clean_and_plays(
    tmp_path: Path, low: int, night: bool, talk: bool, vote: bool
) -> None:
    wishes = Wishes('The "first" \\ game: ours', low, max(low, 8), night, talk, vote)
    script, plan = write_new(tmp_path / "new", wishes)
    compiled = compile_script(script)
    assert compiled.diagnostics == ()
    assert compiled.game is not None
    assert compiled.game.title == wishes.title
    outcome = run_plan(read_plan(plan), compiled.game, load_locale("en"), "plain")
    assert outcome.failure == ""


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    write_new(tmp_path, Wishes("One"))
    before = (tmp_path / "game.yaml").read_text(encoding="utf-8")
    with pytest.raises(NewError, match="is there already"):
        write_new(tmp_path, Wishes("Two"))
    assert (tmp_path / "game.yaml").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    "wishes", [Wishes("..."), Wishes("A", 5, 4), Wishes("A", 1, 4), Wishes("A", 3, 31)]
)
def test_impossible_wishes_are_refused_and_nothing_is_written(
    tmp_path: Path, wishes: Wishes
) -> None:
    with pytest.raises(NewError):
        write_new(tmp_path / "new", wishes)
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(NewError, match="cannot be written"):
        write_new(tmp_path / "file" / "new", Wishes("A"))
