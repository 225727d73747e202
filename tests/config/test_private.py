"""What was said and played is its owner's only, wherever it is written."""

import os
import stat

import numpy as np
import pytest

from narrator.adapters.journal.memory import MemoryJournal
from narrator.config import private
from narrator.config.remembered import remember
from narrator.ports.speech import Voice
from narrator.speaking.store import SpeechStore

pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(os.name != "posix", reason="Windows has no such rights."),
]


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_and_one_that_was_open_to_others(tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("what was there before, and longer")
    old.chmod(0o644)
    for path in (new, old):
        private.write(path, "été\n")
        assert path.read_text(encoding="utf-8") == "été\n"
        assert rights(path) == 0o600


def test_what_is_no_file_keeps_its_rights(tmp_path):
    private.write(tmp_path.parent.joinpath("/dev/null"), "x")
    assert stat.S_IMODE(os.stat("/dev/null").st_mode) & 0o066


def test_the_record_log_and_what_is_remembered(tmp_path):
    MemoryJournal(tmp_path / "log").close()
    assert rights(tmp_path / "log") == 0o600
    assert remember(tmp_path / "data", {"rate": 180.0}, {"rate": 165.0})
    assert rights(tmp_path / "data" / "remembered.json") == 0o600


def test_spoken_lines_and_those_of_an_earlier_version(tmp_path):
    folder = tmp_path / "speech"
    sound = np.ones(100, np.int16)
    SpeechStore(folder).save("e", "Ana, your turn.", Voice("", "en"), sound)
    (path,) = folder.iterdir()
    assert (rights(folder), rights(path)) == (0o700, 0o600)
    folder.chmod(0o755)
    path.chmod(0o644)
    store = SpeechStore(folder)
    assert (rights(folder), rights(path)) == (0o700, 0o600)
    found = store.load("e", "Ana, your turn.", Voice("", "en"))
    assert found is not None and found.tolist() == sound.tolist()
