"""What is recorded can be read whatever ends the program, and nobody else can read it."""

import os
import stat

import numpy as np
import pytest

from narrator.adapters.sound import files
from narrator.adapters.sound.recorder import (
    Recorder,
    delete,
    delete_old,
    is_over,
    name_of,
    of_evening,
    until,
)
from narrator.ports.audio import BLOCK, MIC_RATE
from narrator.ports.errors import SoundError
from narrator.ports.faults import FaultCode
from tests.told import refused

pytestmark = pytest.mark.unit

NOW = "2026-11-30T20:14:00+01:00"
NOON = 1_796_000_000.0
"""A moment in 2026 as files count them; NOW is later the same month."""


def blocks(count=5):
    chance = np.random.default_rng(3)
    return [chance.integers(-9000, 9000, BLOCK).astype(np.int16) for _ in range(count)]


@pytest.fixture
def begun():
    """Return a function that begins a recording; all are finished at the end."""
    made = []

    def begin(folder, name="evening", fault=lambda fault: pytest.fail(str(fault))):
        made.append(Recorder(fault))
        return made[-1], made[-1].begin(folder, name)

    yield begin
    for recorder in made:
        recorder.close()


def test_it_is_what_was_heard_and_can_be_read_at_any_moment(tmp_path, begun):
    recorder, path = begun(tmp_path / "recordings")
    take = recorder.write
    for block in blocks():
        take(block)
    # Not closed: so it lies there after a kill.
    assert np.array_equal(files.read(path, MIC_RATE), np.concatenate(blocks()))
    recorder.close()
    take(blocks()[0])
    assert files.read(path).size == 5 * BLOCK


def test_before_it_is_begun_nothing_is_stored(tmp_path):
    recorder = Recorder(lambda fault: pytest.fail(str(fault)))
    recorder.write(blocks()[0])
    recorder.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has no file modes.")
def test_only_its_owner_can_read_it(tmp_path, begun):
    _, path = begun(tmp_path / "recordings")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_resumed_evening_has_one_more_part_and_only_its_own(tmp_path, begun):
    name, other = name_of("short", NOW), name_of("short-2", NOW)
    assert name == "2026-11-30T20-14-00-short"
    parts = [begun(tmp_path, name)[1] for _ in range(3)]
    begun(tmp_path, other)
    assert sorted(of_evening(tmp_path, name)) == sorted(parts)
    assert delete(of_evening(tmp_path, name)) == 3
    assert [path.name for path in tmp_path.iterdir()] == [f"{other}.wav"]


def test_what_is_older_than_it_may_be_is_deleted_and_nothing_else(tmp_path, begun):
    paths = [begun(tmp_path, name)[1] for name in ("old", "new")]
    (tmp_path / "notes.txt").write_text("mine")
    days = 24 * 3600
    os.utime(paths[0], (NOON - 31 * days, NOON - 31 * days))
    os.utime(paths[1], (NOON - 29 * days, NOON - 29 * days))
    moment = "2026-11-30T00:53:20+00:00"  # NOON
    assert [is_over(path, 30, moment) for path in paths] == [True, False]
    assert delete_old(tmp_path, 30, moment) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.wav", "notes.txt"]
    assert delete_old(tmp_path / "none", 30, moment) == 0


def test_it_tells_until_when_it_is_kept():
    assert until(30, NOW) == "2026-12-30"


def test_a_place_that_cannot_be_written_is_told_in_a_sentence(tmp_path, begun):
    (tmp_path / "file").write_text("no folder")
    with refused(SoundError, match="Nothing can be recorded in"):
        begun(tmp_path / "file")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no limit on the size of files.")
def test_on_a_full_disk_it_ends_with_what_it_has_and_says_so_once(tmp_path, begun):
    resource = pytest.importorskip("resource")
    told: list[SoundError] = []
    recorder, path = begun(tmp_path, fault=told.append)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    recorder.write(blocks()[0])
    resource.setrlimit(resource.RLIMIT_FSIZE, (3 * BLOCK, limits[1]))
    try:
        for block in blocks():
            recorder.write(block)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [fault.code for fault in told] == [FaultCode.RECORDING_ENDED]
    assert np.array_equal(files.read(path)[:BLOCK], blocks()[0])
