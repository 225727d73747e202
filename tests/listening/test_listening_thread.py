"""The ear's thread with the real ear and inbox; only what it understands is scripted."""

import threading
import time
from typing import Any

import numpy as np
import pytest

from narrator.adapters.system.clock import SessionClock
from narrator.adapters.system.inbox import ThreadInbox
from narrator.audio.gate import Gate
from narrator.core.effects import Listen
from narrator.core.events import PortFailed, Transcript
from narrator.core.expect import Expectation, Meaning
from narrator.core.values import Seat
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter
from narrator.listening.listening_thread import QUEUE, ListeningThread
from narrator.listening.utterance_detector import UtteranceDetector
from narrator.ports.audio import BLOCK
from narrator.ports.errors import RecogniserError, SoundError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Heard
from narrator.script.files.locales import load_locale
from narrator.simulation.clock import VirtualClock
from narrator.testing.fakes import ScriptedRecogniser
from tests.patience import limit
from tests.told import english

pytestmark = pytest.mark.unit

SEATS = (Seat(1, "Ana"), Seat(2, "Ben"))
COMMANDS = ("stop", "pause", "undo", "skip")
SPEECH = (3000 * np.sin(np.arange(BLOCK) / 9)).astype(np.int16)
ROOM = np.full(BLOCK, 3, np.int16)


class LevelDetector:
    """What is loud is speech: enough for tones."""

    frame = 512

    def probability(self, frame):
        return float(np.abs(frame).max() > 500)

    def reset(self):
        pass


class Microphone:
    def __init__(self, blocks, fault):
        self.blocks, self.fault, self.closed = blocks, fault, False

    def close(self):
        self.closed = True


class Room:
    """A hearing thread, a microphone that says what the test puts in, and a clock in its hand."""

    def __init__(self, *texts, guard=0.5, make=None, **more):
        self.clock, self.inbox, self.gate = VirtualClock(), ThreadInbox(), Gate(guard)
        self.recogniser = ScriptedRecogniser(texts)
        self.mic: Any = None
        self.hearing = ListeningThread(
            make or self.make, self.open, self.gate, self.inbox, self.clock, **more
        )

    def make(self):
        ear = UtteranceDetector(self.recogniser, LevelDetector())
        return ear, Interpreter(SEATS, load_locale("en"))

    def open(self, blocks, fault):
        self.mic = Microphone(blocks, fault)
        return self.mic

    def listen(self, number=1, intent="command:skip", kind="command"):
        commands = tuple(Expectation(f"command:{c}", "command") for c in COMMANDS)
        answer = () if kind == "command" else (Expectation(intent, kind),)
        self.hearing.expect(Listen(number, (*answer, *commands), "day/ask"))
        self.until(lambda: self.mic is not None)

    def hear(self, *blocks):
        for block in blocks:
            self.clock.advance(0.1)
            self.mic.blocks(block)
            self.until(lambda: not self.hearing._blocks)

    def say(self):
        """Half a second of speech, and the silence after it."""
        self.hear(*[SPEECH] * 5, *[ROOM] * 9)
        time.sleep(0.05)

    def until(self, happens):
        end = time.monotonic() + limit(5)
        while not happens():
            assert time.monotonic() < end, "nothing happened"
            time.sleep(0.002)

    def heard(self):
        time.sleep(0.05)
        found = []
        while (event := self.inbox.take(0.05)) is not None:
            found.append(event)
        return found

    def events(self):
        found = []
        while (event := self.inbox.take(0.05)) is not None:
            heard = event.transcript if isinstance(event, Heard) else event
            found += [] if heard is None else [heard]
        return found


@pytest.fixture
def room():
    made = []

    def build(*texts, **more):
        made.append(Room(*texts, **more))
        return made[-1]

    yield build
    for one in made:
        one.hearing.close()
        assert not one.hearing._thread.is_alive()


def test_what_is_said_into_the_silence_is_heard(room):
    it = room("skip")
    it.listen()
    it.say()
    (event,) = it.events()
    assert isinstance(event, Transcript) and event.meaning == Meaning("command:skip")


def test_the_narrator_never_obeys_its_own_voice_and_its_echo(room):
    """Its line holds every command word, and lasts three times as long as was estimated."""
    it = room("skip", "stop", "pause", "undo")
    it.listen()
    it.gate.began(7)
    for _ in range(6):
        it.say()
    it.gate.ended(7, it.clock.now())
    it.hear(*[SPEECH] * 4)  # the echo, within the guard time
    it.hear(*[ROOM] * 11)
    assert it.events() == []
    it.say()
    assert [e.meaning.intent for e in it.events()] == ["command:skip"]


def test_an_answer_that_begins_in_the_guard_time_and_outlasts_it_is_heard_whole(room):
    it = room("skip", "pause")
    it.listen()
    it.gate.began(7)
    it.hear(*[SPEECH] * 4)
    it.gate.ended(7, it.clock.now())
    it.hear(SPEECH, ROOM, ROOM, *[SPEECH] * 5, *[ROOM] * 9)  # the echo, a gap, the answer
    (heard,) = it.heard()
    assert heard.transcript is not None and heard.transcript.meaning == Meaning("command:skip")
    assert heard.begin == pytest.approx(0.7, abs=0.1)
    it.say()
    assert [e.meaning.intent for e in it.events()] == ["command:pause"]


def test_an_answer_that_ends_within_the_guard_time_may_be_an_echo(room):
    it = room("skip")
    it.listen()
    it.gate.began(7)
    it.hear(*[SPEECH] * 4)
    it.gate.ended(7, it.clock.now())
    it.hear(ROOM, ROOM, SPEECH, *[ROOM] * 12)
    assert it.events() == []


def test_with_push_to_talk_the_guard_time_holds_nothing(room):
    it = room("skip", floor=BargeInPolicy(None, push_to_talk=True))
    it.listen()
    it.gate.began(7)
    it.gate.ended(7, it.clock.now())
    it.hear(ROOM, ROOM, *[SPEECH] * 5, *[ROOM] * 9)
    assert it.events() == []


def test_with_barge_in_a_few_commands_are_heard_while_it_speaks_and_nothing_else(room):
    it = room("undo", "pause", "skip", floor=BargeInPolicy(None, barge_in=True))
    it.listen()
    it.gate.began(7)
    it.say()  # to take back is none of the few
    it.say()
    assert [e.meaning.intent for e in it.events()] == ["command:pause"]


def test_what_was_queued_before_the_gate_opened_is_dropped(room):
    it = room("skip")
    it.listen()
    it.gate.began(7)
    with it.hearing._wake:  # the thread is busy while the narrator speaks to its end
        for block in [SPEECH] * 5:
            it.clock.advance(0.1)
            it.hearing._blocks.append((it.clock.now(), block))
        it.gate.ended(7, it.clock.now())
        it.clock.advance(0.6)
        for block in [ROOM] * 9:
            it.hearing._blocks.append((it.clock.now(), block))
    it.hear(ROOM)
    assert it.events() == []


def test_an_answer_to_an_older_question_carries_that_questions_number(room):
    it = room("skip")
    it.listen(1)
    it.hear(*[SPEECH] * 4)
    it.listen(2)
    it.hear(SPEECH, *[ROOM] * 9)
    assert [e.listen for e in it.events()] == [1]
    it.say()
    assert [e.listen for e in it.events()] == [2]


def test_sound_that_is_two_seconds_late_is_dropped_with_one_warning(room):
    it = room("skip")
    it.listen()
    for _ in range(3):
        with it.hearing._wake:
            for block in [SPEECH] * 5 + [ROOM] * 9:
                it.hearing._blocks.append((it.clock.now(), block))
            it.clock.advance(2.5)
        it.hear(ROOM)
    (told,) = it.events()
    assert told == PortFailed("recogniser", FaultCode.HEARING_LATE, {"seconds": 2.6})
    assert it.hearing.dropped == 3 * 14


def test_a_recogniser_slower_than_speech_falls_behind_by_so_much_and_no_more(room, monkeypatch):
    """Five minutes of talk reach it five times as fast as it can listen."""
    it = room(*["skip"] * 200)
    it.listen()
    listened = it.recogniser.accept

    def slowly(block):
        time.sleep(0.003)
        return listened(block)

    monkeypatch.setattr(it.recogniser, "accept", slowly)
    waiting = []
    for _ in range(3000 // 14):
        for block in [SPEECH] * 5 + [ROOM] * 9:
            it.clock.advance(0.1)
            it.mic.blocks(block)
            waiting.append(len(it.hearing._blocks))
            time.sleep(0.0005)
    assert max(waiting) <= QUEUE and it.hearing.dropped > 0
    it.until(lambda: not it.hearing._blocks)
    told = [e for e in it.events() if isinstance(e, PortFailed)]
    assert {e.code for e in told} == {FaultCode.HEARING_LATE}
    assert len(told) == 1
    monkeypatch.undo()
    it.hear(*[ROOM] * 10)
    it.say()
    assert [e.meaning.intent for e in it.events() if e.meaning] == ["command:skip"]
    assert it.hearing.lag < 1
    it.say()
    assert len(it.events()) == 1


def test_a_flood_of_blocks_stays_bounded(room):
    it = room("skip")
    it.listen()
    with it.hearing._wake:
        for _ in range(1000):
            it.hearing._blocks.append((it.clock.now(), ROOM))
        assert len(it.hearing._blocks) <= 64


def test_a_recogniser_that_falls_over_costs_one_utterance(room):
    it = room("skip")
    it.listen()
    it.recogniser.fails = True
    it.say()
    (fault,) = it.events()
    assert fault.port == "recogniser" and "say them again" in english(fault)
    it.recogniser.fails = False
    it.say()
    assert [e.meaning.intent for e in it.events()] == ["command:skip"]
    assert it.hearing.is_able()


def test_a_recogniser_that_always_falls_over_is_given_up_and_the_microphone_given_back(room):
    it = room("skip")
    it.listen()
    it.recogniser.fails = True
    for _ in range(2):
        it.say()
    it.hear(*[SPEECH] * 5)
    for block in [ROOM] * 9:
        it.mic.blocks(block)
    it.until(lambda: not it.hearing.is_able())
    it.until(lambda: it.mic.closed)
    assert "Please type instead." in english(it.events()[-1])


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (RecogniserError(FaultCode.VOSK_MISSING), "Install it with `pip install vosk`."),
        (SoundError(FaultCode.NO_DEVICE, device="microphone"), "No microphone was found."),
        (ValueError("surprise"), "ValueError"),
    ],
)
def test_what_cannot_be_loaded_is_told_in_one_line_and_the_keyboard_named(room, fault, told):
    def make():
        raise fault

    it = room(make=make)
    it.hearing.expect(Listen(1, (), "day/ask"))
    it.until(lambda: not it.hearing.is_able())
    (event,) = it.events()
    assert told in english(event) and english(event).endswith("Please type instead.")


def test_a_lost_microphone_is_told_and_so_is_its_return(room):
    it = room("skip")
    it.listen()
    of = {"device": "microphone"}
    it.mic.fault(SoundError(FaultCode.DEVICE_STOPPED, **of), False)
    it.mic.fault(SoundError(FaultCode.DEVICE_BACK, **of), True)
    assert it.events() == [
        PortFailed("microphone", "device stopped", of),
        PortFailed("microphone", "device back", of, recovered=True),
    ]


def test_a_microphone_that_comes_later_is_used_and_its_absence_not_told_again(room):
    it = room("skip", present=False)
    it.listen()
    it.mic.fault(SoundError(FaultCode.NO_DEVICE, device="microphone"), False)
    assert it.events() == [] and not it.hearing.is_able()
    it.mic.fault(SoundError(FaultCode.DEVICE_BACK, device="microphone"), True)
    it.say()
    assert it.hearing.is_able()
    assert [type(event).__name__ for event in it.events()] == ["PortFailed", "Transcript"]


def test_closing_does_not_wait_for_a_model_that_loads_for_ever():
    stuck = threading.Event()

    def make():
        stuck.wait(limit(20))
        raise RecogniserError(FaultCode.RECOGNISER_CLOSED)

    clock = SessionClock()
    hearing = ListeningThread(make, Microphone, Gate(0.5), ThreadInbox(), clock)
    hearing.expect(Listen(1, (), "x"))
    before = clock.now()
    hearing.close()
    assert clock.now() - before < 2.0
    stuck.set()


class TimedSpeech:
    def __init__(self):
        self.did = []

    def hold(self):
        self.did.append("hold")

    def release(self):
        self.did.append("release")


def test_the_voice_falls_silent_for_a_player_and_goes_on_after_words_that_mean_nothing(room):
    mouth = TimedSpeech()
    it = room("what a nice day", "pause", floor=BargeInPolicy(mouth, barge_in=True))
    it.listen()
    it.gate.began(7)
    it.say()
    it.until(lambda: mouth.did == ["hold", "release"])
    assert it.events() == []
    it.hear(*[ROOM] * 60)
    it.say()
    assert [e.meaning.intent for e in it.events()] == ["command:pause"]
    assert mouth.did == ["hold", "release", "hold"]  # the code that obeys lets it go on


class Broken:
    knows_the_room = True

    def clean(self, block, moment):
        raise OSError("gone")

    def is_own_voice(self):
        return False


def test_a_canceller_that_fails_is_told_of_once_and_the_table_is_heard_as_before(room):
    it = room("skip", "stop", echo=Broken(), floor=BargeInPolicy(None, barge_in=True))
    it.listen()
    it.gate.began(7)
    it.say()
    it.gate.ended(7, it.clock.now())
    it.hear(*[ROOM] * 11)
    it.say()
    told, heard = it.events()
    assert isinstance(told, PortFailed) and told.code == FaultCode.ECHO_CANCELLER_FAILED
    assert heard.meaning.intent == "command:skip"


class Deaf:
    """A canceller that has lost the room."""

    knows_the_room = True

    def clean(self, block, moment):
        return block

    def is_own_voice(self):
        return True


def test_an_echo_that_came_through_is_left_out_and_silences_nothing(room):
    mouth = TimedSpeech()
    it = room("stop", echo=Deaf(), floor=BargeInPolicy(mouth, barge_in=True))
    it.listen()
    it.gate.began(7)
    it.say()
    assert it.events() == [] and mouth.did == []


def test_by_the_key_a_whole_answer_is_heard_although_the_narrator_asks(room):
    mouth = TimedSpeech()
    it = room("yes", floor=BargeInPolicy(mouth, push_to_talk=True))
    it.listen(intent="answer", kind="yesno")
    it.gate.began(7)
    it.say()
    assert it.events() == []
    it.hearing.talk()
    assert mouth.did == ["hold"]
    it.hear(*[ROOM] * 4)
    it.say()
    assert [e.meaning.value for e in it.events()] == [True]
