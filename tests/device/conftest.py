"""Everything in this folder plays and records for real, on the virtual table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.device.desk import Desk
from tests.device.play_process import GAME, SHORT
from tests.virtual_table import VirtualTable, require


@pytest.fixture(autouse=True)
def _espeak_narrates(own_folders: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have eSpeak speak whatever is installed: what is expected here was fitted to its sound."""
    monkeypatch.setenv("NARRATOR_VOICE", "en")


@pytest.fixture
def desk() -> Iterator[Desk]:
    require()
    with VirtualTable() as table:
        made = Desk(table)
        yield made
        made.close()


@pytest.fixture
def short(tmp_path: Path) -> list[str]:
    path = tmp_path / "game.yaml"
    path.write_text(SHORT)
    return [str(path), *GAME[1:]]


@pytest.fixture
def table() -> Iterator[VirtualTable]:
    require()
    with VirtualTable() as made:
        made.leak(-6)
        yield made
