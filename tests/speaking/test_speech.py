"""The mouth with the real cache, inbox and clock; only voice and device are not real."""

import threading
import time

import numpy as np
import pytest

from narrator.adapters.system.clock import SessionClock
from narrator.adapters.system.inbox import ThreadInbox
from narrator.audio.gate import Gate
from narrator.core.effects import CountDown, Say
from narrator.core.events import Event, PortFailed, SpeechCut, SpeechFinished
from narrator.ports.audio import SPEAKER_RATE
from narrator.ports.session import Heard
from narrator.ports.speech import Voice
from narrator.simulation.timed_speech import TimedPlayer
from narrator.speaking import speech_queue as speech_module
from narrator.speaking.cache import SpeechCache
from narrator.speaking.line import sentences
from narrator.speaking.speech_queue import Speech
from narrator.testing.fakes import ListScreen, ToneSynthesiser
from tests.patience import limit
from tests.told import english

pytestmark = pytest.mark.unit


class TimedSpeech:
    def __init__(self, *, spoken=True, stretch=1.0, roles=None, slow=False):
        self.clock, self.inbox, self.gate = SessionClock(), ThreadInbox(), Gate(0.2)
        self.screen = ListScreen()
        self.player = TimedPlayer(self.clock, stretch)
        self.tones = ToneSynthesiser(per_character=0.01)
        self.cache = SpeechCache(self.tones) if spoken else None
        self.speech = Speech(
            self.cache, self.player, self.gate, self.inbox, self.clock, self.screen.observe,
            Voice(),
            speakable=lambda text: text.replace("Cy", "sigh"), roles=roles,
            slow=lambda _voice: slow,
        )  # fmt: skip
        self.player.report = self.speech.played

    def say(self, number, text, role="narration", rate=1.0):
        self.speech.say(Say(number, text, "", role, rate))

    def events(self, count, patience=5.0):
        """Live on as a session would until so many events have come."""
        found: list[Event] = []
        end = time.monotonic() + patience
        while len(found) < count and time.monotonic() < end:
            self.player.tick()
            self.speech.check()
            event = self.inbox.take(0.005)
            if event is not None:
                assert not isinstance(event, Heard)
                found.append(event)
        return found


@pytest.fixture
def mouth():
    made = []

    def build(**more):
        made.append(TimedSpeech(**more))
        return made[-1]

    yield build
    for one in made:
        one.tones.hang = lambda text: None
        one.speech.close()


def test_lines_are_played_in_order_and_each_end_is_told_once(mouth):
    it = mouth()
    for number in range(1, 6):
        it.say(number, f"Line {number}.")
    assert it.events(5) == [SpeechFinished(n) for n in range(1, 6)]
    assert it.speech.is_silent() and it.events(1, 0.1) == []
    assert it.screen.lines == [f"Line {n}." for n in range(1, 6)]


def test_the_voice_is_given_the_respelling_and_the_screen_is_not(mouth):
    it = mouth()
    it.say(1, "Cy.")
    it.events(1)
    assert it.tones.rendered[0][0] == "sigh." and it.screen.lines == ["Cy."]


def test_hush_cuts_what_plays_and_drops_what_waits_and_the_next_line_is_whole(mouth):
    it = mouth()
    for _ in range(3):
        it.say(1, "A line that would last for a second or even more than that. " * 2)
        it.say(2, "Another one.")
        it.events(1, 0.15)
        it.speech.hush()
        cut = it.events(2)
        assert [e.utterance for e in cut] == [1, 2]
        assert all(isinstance(e, SpeechCut) for e in cut)
        it.say(3, "Short.")
        assert it.events(1) == [SpeechFinished(3)]


def test_a_line_hushed_while_it_is_rendered_is_never_played(mouth):
    it, going = mouth(), threading.Event()
    it.tones.hang = lambda text: going.wait(limit(5))
    it.say(1, "Slow.")
    it.speech.hush()
    assert it.events(1) == [SpeechCut(1, 0.0)]
    going.set()
    it.say(2, "Next.")
    assert it.events(1) == [SpeechFinished(2)]
    assert len(it.player.clips) == 1


def test_a_line_that_fails_lasts_as_long_in_silence_and_the_next_is_told_to_sound_again(mouth):
    it = mouth()
    it.tones.fails = lambda text: "bad" in text
    for number, text in enumerate(["A bad line.", "A good one.", "A bad line too."], 1):
        it.say(number, text)
    events = it.events(6)
    assert [e for e in events if isinstance(e, SpeechFinished)] == [
        SpeechFinished(n) for n in (1, 2, 3)
    ]
    told = [e for e in events if isinstance(e, PortFailed)]
    assert english(told[0]).endswith("Lines are shown instead.")
    assert english(told[1]) == "The voice works again." and told[1].recovered
    silent = [not clip.pcm.any() for clip in it.player.clips]
    assert silent == [True, False, True]
    assert it.player.clips[0].pcm.size / SPEAKER_RATE == pytest.approx(11 * 0.06, abs=0.01)


def test_a_voice_that_fails_line_after_line_is_told_once(mouth):
    it = mouth()
    it.tones.fails = lambda text: True
    for number in (1, 2, 3):
        it.say(number, "A bad line.")
    events = it.events(4)
    assert [e.utterance for e in events if isinstance(e, SpeechFinished)] == [1, 2, 3]
    assert sum(isinstance(e, PortFailed) for e in events) == 1


def test_a_countdown_ticks_where_the_voice_has_no_word_for_it(mouth):
    it = mouth()
    it.tones.fails = lambda text: text in ("two", "vote")
    it.speech.count(CountDown(4, ("three", "two", "one", "vote"), 0.25))
    assert SpeechFinished(4) in it.events(4)
    (clip,) = it.player.clips
    beat = round(0.25 * SPEAKER_RATE)
    for index in range(4):
        assert np.abs(clip.pcm[index * beat : index * beat + 400]).max() > 1000


def test_a_slow_voice_begins_with_its_first_sentence_while_the_next_is_made(mouth):
    it, going = mouth(slow=True), threading.Event()
    it.tones.hang = lambda text: going.wait(limit(5)) if text.startswith("Keep") else None
    it.say(1, "Everybody sleeps now. Keep your hands on the table.")
    assert until(lambda: it.player.clips)
    assert it.player.clips[0].utterance == 0
    assert it.events(1, patience=0.8) == []
    going.set()
    assert it.events(1) == [SpeechFinished(1)]
    assert [text for text, _ in it.tones.rendered] == [
        "Everybody sleeps now.", "Keep your hands on the table."
    ]  # fmt: skip
    assert [clip.utterance for clip in it.player.clips] == [0, 1]


def test_a_slow_voices_line_that_is_cut_in_its_second_sentence_tells_what_was_heard(mouth):
    it = mouth(slow=True)
    it.say(1, "Everybody sleeps now. Keep your hands on the table.")
    assert until(lambda: len(it.player.clips) == 2)
    time.sleep(0.1)
    it.speech.hush()
    (cut,) = it.events(1)
    first = it.player.clips[0].pcm.size / SPEAKER_RATE
    assert isinstance(cut, SpeechCut) and cut.at >= first
    it.say(2, "Next.")
    assert it.events(1) == [SpeechFinished(2)]


def test_a_slow_voice_that_fails_in_its_second_sentence_ends_the_line_in_silence(mouth):
    it = mouth(slow=True)
    it.tones.fails = lambda text: text.startswith("Keep")
    it.say(1, "Everybody sleeps now. Keep your hands on the table.")
    assert SpeechFinished(1) in it.events(2)
    assert [bool(clip.pcm.any()) for clip in it.player.clips] == [True, False]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Night. All eyes closed. Keep still, all of you.", 2),
        ("Dr. Ana begins.", 1),
        ("All eyes closed.", 1),
        ("Who points at whom, Ana? Say a name, or nobody.", 2),
        ("Version 2.5 is three and a half long", 1),
        ("", 1),
    ],
)
def test_sentences_are_parted_where_they_end_and_nothing_is_lost(text, parts):
    found = sentences(text)
    assert len(found) == parts
    assert " ".join(found) == text


def test_lines_of_a_role_are_made_ahead_in_its_own_voice(mouth):
    it = mouth(roles={"question": "deep"})
    it.speech.prepare([("Who is it?", 1.0, "question", "")])
    assert until(lambda: it.tones.rendered)
    it.say(1, "Who is it?", "question")
    it.events(1)
    assert [(text, voice.name) for text, voice in it.tones.rendered] == [("Who is it?", "deep")]


def until(true, seconds=5.0):
    """Wait for what another thread does; tell whether it did."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return bool(true())


def test_a_voice_that_hangs_for_ever_costs_its_limit_and_not_the_game(mouth, monkeypatch):
    monkeypatch.setattr(speech_module, "IMPATIENT", 0.1)
    it, never = mouth(), threading.Event()
    it.speech._limit = 0.3
    it.tones.hang = lambda text: never.wait(limit(20))
    it.say(1, "Hangs.")
    it.say(2, "Hangs as well.")
    events = it.events(3)
    assert [e for e in events if isinstance(e, SpeechFinished)] == [
        SpeechFinished(1), SpeechFinished(2)
    ]  # fmt: skip
    assert sum(isinstance(e, PortFailed) for e in events) == 1
    assert it.screen.lines == ["Hangs.", "Hangs as well."]
    never.set()


def test_a_player_that_reports_nothing_is_given_up_and_the_gate_opens(mouth, monkeypatch):
    monkeypatch.setattr(speech_module, "OVERDUE", 0.2)
    it = mouth()
    it.player.dead = True
    it.say(1, "Unheard.")
    events = it.events(2)
    assert SpeechFinished(1) in events
    assert any(isinstance(e, PortFailed) and e.port == "loudspeaker" for e in events)
    assert until(lambda: it.gate.is_open(it.clock.now()))


def test_without_speech_a_line_lasts_as_long_as_it_would(mouth):
    it = mouth(spoken=False)
    begin = it.clock.now()
    it.say(1, "Eyes closed.", rate=2.0)
    assert it.events(1) == [SpeechFinished(1)]
    assert it.clock.now() - begin >= 0.4
    assert not it.player.clips[0].pcm.any()


def test_the_gate_is_shut_from_the_moment_a_line_is_queued(mouth):
    it, going = mouth(), threading.Event()
    it.tones.hang = lambda text: going.wait(limit(5))
    it.say(1, "Slow.")
    assert not it.gate.is_open(it.clock.now() + 100)
    going.set()
    it.events(1)
    assert not it.gate.is_open(it.clock.now())
    assert it.gate.is_open(it.clock.now() + 0.3)


def test_a_countdown_has_its_words_on_the_beat_as_one_clip(mouth):
    it = mouth()
    it.speech.count(CountDown(4, ("three", "two", "one", "vote"), 0.25))
    assert it.events(1) == [SpeechFinished(4)]
    (clip,) = it.player.clips
    beat = round(0.25 * SPEAKER_RATE)
    for index in range(4):
        assert np.abs(clip.pcm[index * beat : index * beat + 200]).max() > 1000
    assert it.screen.lines == ["Three, two, one, vote."]


def test_a_line_after_a_cue_begins_when_the_cue_is_over(mouth):
    it = mouth()
    it.speech.cue("time")
    it.say(1, "Time.")
    it.events(1)
    cue, line = it.player.clips
    assert line.at is not None and line.at >= cue.pcm.size
    it.say(2, "Later.")
    it.events(1)
    assert it.player.clips[-1].at is None


def test_what_was_prepared_is_not_rendered_again(mouth):
    it = mouth()
    it.speech.prepare([("Ana.", 0.9, "narration", ""), ("Cy.", 1.0, "narration", "")])
    end = time.monotonic() + limit(5)
    while len(it.tones.rendered) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    it.say(1, "Cy.")
    it.say(2, "Ana.", rate=0.9)
    it.events(2)
    assert len(it.tones.rendered) == 2


def test_a_line_waits_while_somebody_speaks_and_is_not_taken_for_lost(mouth, monkeypatch):
    monkeypatch.setattr(speech_module, "OVERDUE", 0.05)
    monkeypatch.setattr(speech_module, "LONGEST_HOLD", 30.0)
    it = mouth()
    it.say(1, "Once more.")
    it.events(1, 0.03)
    it.speech.hold()
    it.player.dead = True  # as a player that stands still
    assert it.player.held
    assert it.events(1, 0.5) == []
    it.speech.release()
    assert not it.player.held
    it.player.dead = False
    assert it.events(1) == [SpeechFinished(1)]


def test_a_line_does_not_wait_for_ever_for_people_who_talk(mouth, monkeypatch):
    monkeypatch.setattr(speech_module, "LONGEST_HOLD", 0.1)
    it = mouth()
    it.say(1, "A long line, so that there is something to wait for.")
    it.events(1, 0.05)
    it.speech.hold()
    assert it.player.held
    it.events(1, 0.3)
    assert not it.player.held


def test_a_countdown_waits_for_nobody_and_silence_is_not_held(mouth):
    it = mouth()
    it.speech.hold()
    assert not it.player.held
    it.speech.count(CountDown(1, ("three", "two", "one"), 0.2))
    it.events(1, 0.2)
    it.speech.hold()
    assert not it.player.held


def test_the_masking_sound_is_softer_while_an_answer_is_listened_for_in_silence(mouth):
    it = mouth()
    it.speech.volumes(1.0, 0.6, 0.4)
    assert it.player.gains == {"voice": 1.0, "cues": 0.6, "cover": 0.4}
    it.speech.awaits(True)
    assert it.player.gains["cover"] == pytest.approx(0.2)
    it.say(1, "Ana.")
    assert it.player.gains["cover"] == pytest.approx(0.4)
    it.events(1)
    assert it.player.gains["cover"] == pytest.approx(0.2)
    it.speech.awaits(False)
    assert it.player.gains["cover"] == pytest.approx(0.4)


def test_a_role_of_text_may_have_a_voice_of_its_own(mouth):
    it = mouth(roles={"question": "asker"})
    it.say(1, "Night.")
    it.say(2, "Who?", role="question")
    it.events(2)
    assert [voice.name for _, voice in it.tones.rendered] == ["", "asker"]


def test_numbers_that_have_passed_are_left_out_and_the_rest_comes_at_its_moment(mouth):
    it = mouth()
    it.say(1, "A line that takes more than half a second to be said in full.")
    begins = it.clock.now() + 0.2
    it.speech.count(CountDown(2, ("four", "three", "two", "one"), 0.4, begins=begins))
    assert until(lambda: len(it.player.clips) == 2)
    first, count = it.player.clips
    over = first.pcm.size / SPEAKER_RATE
    passed = -(-(over - 0.2) // 0.4)
    assert passed >= 1
    assert count.heard_at == pytest.approx(begins + passed * 0.4)
    assert count.pcm.size / SPEAKER_RATE <= (4 - passed) * 0.4


def test_a_count_with_no_number_left_is_over_without_a_sound(mouth):
    it = mouth()
    it.speech.count(CountDown(2, ("two", "one"), 0.1, begins=it.clock.now() - 5))
    assert it.events(1) == [SpeechFinished(2)]
    assert not any(clip.pcm.size for clip in it.player.clips)


def test_a_cue_is_placed_at_its_moment_and_a_line_comes_behind_it(mouth):
    it = mouth()
    moment = it.clock.now() + 0.3
    it.speech.cue("time", moment)
    it.say(1, "Time.")
    assert until(lambda: len(it.player.clips) == 2)
    cue, line = it.player.clips
    assert cue.heard_at == moment
    behind = moment + cue.pcm.size / SPEAKER_RATE
    assert line.at / SPEAKER_RATE >= behind - 0.05
