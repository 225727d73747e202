"""Whole evenings in which the sound system, the voice and the disk fail, and which end rightly.

`tools/bench faults` plays one evening for each fault; here they come together, to be quick.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.device.faults import (
    SOUND_FAULTS,
    UNKEPT,
    VOICE_FAULTS,
    faulty_voice,
    full_disk,
    server_dies,
)
from tests.device.faulty import evening
from tests.virtual_table import VirtualTable, require

pytestmark = pytest.mark.device


@pytest.fixture
def table() -> Iterator[VirtualTable]:
    require()
    with VirtualTable() as made:
        yield made


def test_an_evening_survives_a_sound_system_that_sleeps_and_dies_and_a_full_disk(
    table: VirtualTable, tmp_path: Path
) -> None:
    sleeps = next(fault for fault in SOUND_FAULTS if "loudspeaker sleeps" in fault.name)
    faults = [sleeps, server_dies("listening"), server_dies("counting")]
    told: list[str] = []
    with contextlib.ExitStack() as disk:
        with contextlib.suppress(OSError):  # only who may mount has a small disk
            disk.enter_context(full_disk(tmp_path / "data" / "speech"))
            told.append(UNKEPT)
        played = evening(tmp_path, table, faults)
    assert played.problems(told, faults) == [], played.screen


def test_an_evening_survives_a_voice_that_fails_in_every_way(
    table: VirtualTable, tmp_path: Path
) -> None:
    played = evening(tmp_path, table, env=faulty_voice(tmp_path, *VOICE_FAULTS, every=6))
    assert played.problems([*VOICE_FAULTS.values()]) == [], played.screen
