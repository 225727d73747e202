"""Every utterance of an evening is kept: when, what fitted best, what became of it and why."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.file import MIGRATIONS, NAME
from narrator.adapters.journal.memory import MemoryJournal
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import local_moment
from narrator.app.games import load_game
from narrator.app.records.journal_store import open_file, opening_of
from narrator.cli.look_back import history
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.core.effects import Refusal
from narrator.core.events import Transcript
from narrator.core.expect import Meaning
from narrator.core.values import Seat
from narrator.language.rejection import Reason
from narrator.ports.session import Heard
from narrator.script.files.locales import load_locale
from narrator.session.session import QUIT
from tests.session.test_session import House

pytestmark = pytest.mark.unit

FIXTURE = Path(__file__).parents[1] / "fixtures" / "journal-0.1.0.sqlite3"
IGNORED = Heard(
    0.0, 8.0, 8.6, "silence", "ignored", Reason.BABBLE, 0.4, 1.2, 2.0, "night/turns/turn"
)
UNCLEAR = Transcript("task", None, 0, 0.4, unclear=True)


def evening(house, language="en"):
    """Play a short evening in which something of every kind is heard; return its notes."""
    loaded = load_game("two-truths-and-a-lie", language)
    seats = tuple(Seat(n, name) for n, name in enumerate(("Robert", "Julia", "Oliver"), 1))
    opening = opening_of(loaded, seats, {}, Settings(), 1)
    house.journal = SqliteJournal(open_file(), local_moment, opening=opening)
    again = House(journal=house.journal)

    def hear(transcript, verdict, reason, score):
        number = again.engine.state.listen
        told = Transcript(
            transcript.text, transcript.meaning, number, transcript.confidence,
            unclear=transcript.unclear,
        )  # fmt: skip
        again.inbox.post(
            Heard(0.0, 8.0, 8.5, told.text, verdict, reason, score, 1.5, 21.0, "step", 0.1, told)
        )

    complete = Transcript("task complete", Meaning("phrase", "task complete"), 0)
    scores = Transcript("undo", Meaning("command:undo"), 0)
    again.at(8.0, lambda: again.inbox.post(IGNORED))
    again.at(9.0, lambda: hear(UNCLEAR, "unclear", Reason.FITS_BADLY, -0.3))
    again.at(13.0, lambda: hear(scores, "accepted", "", 1.0))
    again.at(20.0, lambda: hear(complete, "accepted", "", 2.0))
    again.at(21.0, lambda: again.inbox.post(QUIT))
    again.run()
    again.session.end("stopped")
    house.journal.close()


def kept():
    file = open_file()
    try:
        return Archive(file).heard(1)
    finally:
        file.close()


def test_what_was_ignored_asked_again_refused_and_accepted_is_all_there():
    evening(House())
    notes = [(h.text, h.verdict, h.reason, h.score, h.stands_out) for h in kept()]
    assert notes == [
        ("silence", "ignored", "murmur", 0.4, 2.0),
        ("task", "unclear", "fits-badly", -0.3, 21.0),
        ("undo", "refused", Refusal.NOT_NOW, 1.0, 21.0),
        ("task complete", "accepted", "", 2.0, 21.0),
    ]
    assert [h.begin for h in kept()] == [8.0] * 4


@pytest.mark.parametrize(("language", "why"), [("en", "babble"), ("ko", "웅성거리는")])
def test_history_tells_them_in_the_language_of_the_table(language, why):
    evening(House(), language)
    told = CliRunner().invoke(history.command, ["1", "--heard"]).output.splitlines()
    assert len(told) == 5
    assert '0:08.0: "silence"' in told[1] and "0.40" in told[1] and "1.20" in told[1]
    assert why in told[1]
    as_json = json.loads(CliRunner().invoke(history.command, ["1", "--heard", "--json"]).output)
    assert [(h["text"], h["verdict"], h["reason"]) for h in as_json][1] == (
        "task",
        "unclear",
        "fits-badly",
    )


def test_every_reason_and_verdict_has_words_in_every_language():
    never_heard = {
        Refusal.BEGUN_ALREADY, Refusal.STALE_TIMER, Refusal.TIMER_NOT_DUE,
        Refusal.NOT_UNDERSTOOD, Refusal.PORT_FAILED, Refusal.STANDING_STILL, Refusal.STANDING_STILL,
    }  # fmt: skip
    for language in ("en", "ko"):
        words = load_locale(language).heard
        wanted = {*Reason, *Refusal, "accepted", "unclear", "ignored", "refused"} - never_heard
        assert wanted <= set(words)
        assert set(words) == set(load_locale("en").heard)


def test_what_is_typed_is_no_utterance():
    journal = MemoryJournal()
    House(journal=journal).type("task complete", close=True).run()
    assert journal.utterances == []


def test_a_journal_of_the_first_release_keeps_them_from_now_on():
    data_folder().mkdir(parents=True)
    shutil.copy(FIXTURE, data_folder() / NAME)
    file = open_file()
    assert file.db.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
    assert Archive(file).heard(2) == []
    journal = SqliteJournal(file, local_moment, evening=2)
    journal.heard(IGNORED)
    assert [h.text for h in Archive(file).heard(2)] == ["silence"]
    journal.close()


def test_what_was_said_in_an_evening_that_is_forgotten_is_gone():
    evening(House())
    file = open_file()
    Archive(file).forget([1])
    assert file.db.execute("SELECT count(*) FROM heard").fetchone()[0] == 0
    file.close()


class Failing:
    """An observer with a fault of its own."""

    seen = 0

    def observe(self, update):
        self.seen += 1
        raise RuntimeError("it fell over")


def test_an_observer_that_fails_is_left_out_and_the_game_goes_on():
    house = House()
    failing = Failing()
    house.session.add(failing)
    assert house.type("task complete", close=True).run().ended == "unanswered"
    assert failing.seen == 1
