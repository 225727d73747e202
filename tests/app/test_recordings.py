"""An evening is recorded only where that is asked for, and its table knows."""

import os
import time

import numpy as np
import pytest
from click.testing import CliRunner

from narrator.adapters.journal.archive import Archive
from narrator.app.games import load_game
from narrator.app.records import recordings
from narrator.app.records.journal_store import JournalStore, open_file, opening_of, settings_of
from narrator.app.records.recordings import Recording
from narrator.cli.look_back import forget, history
from narrator.config.settings import Settings
from narrator.core.events import Start
from narrator.core.values import Seat
from narrator.ports.audio import BLOCK
from narrator.script.files.locales import load_locale
from tests.told import ENGLISH

pytestmark = pytest.mark.unit

BEGUN = "2026-11-30T20:14:00+01:00"


class Screen:
    def __init__(self):
        self.lines = []

    def line(self, text):
        self.lines.append(text)


def recorded(settings, *, hears=True, language="en", begun=BEGUN):
    screen = Screen()
    said: list[str] = []
    recording = Recording(settings, screen, load_locale(language).messages)
    take = recording.take
    loaded = load_game("one-night-revolution", language)
    recording.begin(loaded, begun, said.append, hears=hears)
    take(np.ones(BLOCK, np.int16))
    recording.close()
    return screen.lines, said


def files():
    return sorted(path.name for path in recordings.folder().glob("*"))


def test_unless_it_is_asked_for_no_sound_is_stored():
    assert recorded(Settings()) == ([], [])
    assert files() == []


def test_the_table_is_told_at_the_beginning_and_at_the_end():
    lines, said = recorded(Settings(record=True, record_days=1))
    assert said == ["This evening is recorded. The recording is deleted after 1 day."]
    assert files() == ["2026-11-30T20-14-00-one-night-revolution.wav"]
    assert len(lines) == 1 and files()[0] in lines[0] and "narrator forget" in lines[0]


def test_it_is_told_in_the_language_of_the_table():
    assert recorded(Settings(record=True, language="ko"), language="ko")[1] == [
        "오늘 저녁은 녹음됩니다. 녹음은 30일 뒤에 지워집니다."
    ]


def test_without_a_microphone_it_says_that_nothing_is_recorded():
    assert recorded(Settings(record=True), hears=False) == (
        [ENGLISH.line("nothing recorded")],
        [],
    )
    assert files() == []


def test_a_look_at_the_evenings_shows_no_recording_that_is_too_old():
    recorded(Settings(record=True))
    (path,) = recordings.folder().glob("*")
    for days, left in ((29, 1), (31, 0)):
        when = time.time() - days * 24 * 3600
        os.utime(path, (when, when))
        CliRunner().invoke(history.command)
        assert len(files()) == left


def test_to_go_on_with_an_evening_is_no_consent_to_record_it():
    JournalStore(Screen(), ENGLISH).journal(opening(Settings(record=True))).append(0.0, Start(), [])
    file = open_file()
    record = Archive(file).record(1)
    file.close()
    assert Settings(**settings_of(record, {})).record is False
    assert Settings(**settings_of(record, {"record": True})).record is True


def opening(settings, names=("Ana", "Ben", "Cy"), begun=BEGUN):
    loaded = load_game("one-night-revolution")
    seats = tuple(Seat(n, name) for n, name in enumerate(names, 1))
    return opening_of(loaded, seats, {}, settings, 1, begun)


@pytest.mark.parametrize(
    ("words", "left"),
    [(["1"], "21-00-00"), (["--player", "dee"], "20-14-00"), (["--player", "Ben"], None)],
)
def test_who_forgets_an_evening_or_a_player_forgets_the_voices_too(words, left):
    later = "2026-11-30T21:00:00+01:00"
    for names, begun in ((("Ana", "Ben", "Cy"), BEGUN), (("Dee", "Ben", "Fay"), later)):
        journal = JournalStore(Screen(), ENGLISH).journal(opening(Settings(), names, begun))
        journal.append(0.0, Start(), [])
        journal.close()
        recorded(Settings(record=True), begun=begun)
    done = CliRunner().invoke(forget.command, ["--yes", *words])
    assert done.exit_code == 0 and " deleted.\n" in done.output
    assert files() == ([f"2026-11-30T{left}-one-night-revolution.wav"] if left else [])
