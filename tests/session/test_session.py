import ast
import itertools
from dataclasses import replace
from pathlib import Path

import pytest

import narrator.core
from narrator.adapters.journal.memory import MemoryJournal
from narrator.app import games
from narrator.audio.gate import Gate
from narrator.core.effects import Adjust, Refusal, Say
from narrator.core.engine import Engine
from narrator.core.events import (
    Key,
    PortFailed,
    Slept,
    SpeechCut,
    SpeechFinished,
    Start,
    Transcript,
)
from narrator.core.expect import Meaning
from narrator.core.game import Choice, Phase
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.spoken.say import Say as SayStep
from narrator.core.values import Constant, Expression, ExpressionError, Scope, Seat, Value
from narrator.listening.interpreter import Interpreter
from narrator.ports.audio import SPEAKER_RATE
from narrator.ports.errors import JournalError, PlayError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Fault
from narrator.ports.speech import Voice
from narrator.script.files.locales import load_locale
from narrator.session.endpoints import Endpoints
from narrator.session.journal_writer import BEAT, SAVED_EVERY
from narrator.session.keyboard_input import KeyboardInput
from narrator.session.look_ahead import LookAhead
from narrator.session.replies import REPLIES
from narrator.session.session import LOOK, QUIT, Session
from narrator.simulation.clock import VirtualClock
from narrator.simulation.timed_speech import TimedPlayer
from narrator.simulation.virtual_inbox import VirtualInbox
from narrator.speaking.respelling import Speakable
from narrator.speaking.speech_queue import Speech
from narrator.testing.fakes import ListScreen
from tests.core.small_game import SEATS, game, text
from tests.told import ENGLISH

pytestmark = pytest.mark.unit

NIGHT = ["task complete"] * 3
DAY = ["we are done", "2"]
VOTES = ["ben", "cy", "ben", "yes"]

ASKING = """\
narrator: 1
title: Asking
players: {min: 3, max: 3}
phases:
  asking:
    steps:
      - ask: Which colour?
        answer: {red: [red], green: [green], blue: [blue]}
        into: colour
      - say: "You said {{ colour }}."
      - ask: "{{ seats[0] }}, are you well?"
        answer: yes/no
        into: well
"""


class Ears:
    def __init__(self):
        self.able, self.listens = True, []

    def expect(self, listen):
        self.listens.append(listen)

    def is_able(self):
        return self.able

    def talk(self):
        pass

    def close(self):
        pass


class House:
    """A session with everything real but the sound, on a virtual clock."""

    def __init__(
        self,
        *,
        piped=True,
        ears=None,
        stretch=1.0,
        journal=None,
        brief=False,
        at_once=False,
        played=None,
    ):
        self.clock = VirtualClock()
        self.player = TimedPlayer(self.clock, stretch)
        self.inbox = VirtualInbox(self.clock, self.player)
        self.screen = ListScreen()
        self.gate = Gate(0.5)
        self.journal = journal or MemoryJournal()
        self.understanding = Interpreter(SEATS, load_locale("en"))
        self.typed = KeyboardInput(self.understanding, piped=piped)
        self.speech = Speech(
            None,
            self.player,
            self.gate,
            self.inbox,
            self.clock,
            self.screen.observe,
            Voice(),
            brief=brief,
            at_once=at_once,
        )
        self.player.report = self.speech.played
        played = played or game()
        self.engine = Engine(played, SEATS, seed=1)
        self.session = Session(
            self.engine,
            Endpoints(self.clock, self.inbox, ears, self.speech, self.typed, (self.screen,)),
            self.journal,
            self.understanding,
            foresight=LookAhead(played, SEATS),
        )

    def type(self, *lines, close=False):
        for line in lines:
            self.typed.put(line, self.inbox.post)
        if close:
            self.typed.close(self.inbox.post)
        return self

    def at(self, moment, happen):
        self.inbox.later.append((moment, happen))
        return self

    def run(self):
        return self.session.run()


def test_a_game_is_played_to_its_end_by_lines_from_a_pipe():
    house = House().type(*NIGHT, *DAY, *VOTES, close=True)
    outcome = house.run()
    assert outcome.ended == "complete"
    assert outcome.result == {"totals": {"Ben": 1, "Cy": 1}}
    assert house.player.covered is False
    assert house.speech.is_silent()


def test_without_speech_a_line_is_over_as_soon_as_it_is_shown_and_only_the_game_takes_time():
    slow, quick = House().type(*NIGHT, *DAY, *VOTES), House(at_once=True).type(*NIGHT, *DAY, *VOTES)
    assert quick.run().result == slow.run().result
    assert quick.screen.lines == slow.screen.lines
    spoken = [clip for clip in quick.player.clips if clip.bus == "voice"]
    beats = sum(clip.pcm.size for clip in spoken) / SPEAKER_RATE
    assert 3.9 < beats < 4.1  # the countdown alone
    waits = 3.0 + 3 * (3.0 + 2.0)  # the dark; each turn's floor and gap
    assert quick.clock.now() < waits + beats + 1.0 < slow.clock.now()
    assert quick.clock.now() >= waits + beats


def test_each_line_of_a_pipe_waits_for_its_question():
    house = House().type(*NIGHT, *DAY, *VOTES, close=True)
    house.run()
    refused = [e for e in house.journal.entries() if "Refused" in repr(e.effects)]
    assert refused == []


def test_every_line_is_shown_and_every_question_with_its_answers():
    house = House().type(*NIGHT, *DAY, *VOTES, close=True)
    house.run()
    lines = house.screen.lines
    assert lines[0] == "Eyes closed."
    assert "Three, two, one, vote." in lines
    assert "Press Enter, or type: task complete." in lines
    assert "Type a name: Ben or Cy." in lines
    assert "Type yes or no." in lines


def test_a_pipe_that_ends_too_early_ends_the_game_politely():
    house = House().type(*NIGHT[:2], close=True)
    outcome = house.run()
    assert outcome.ended == "unanswered"
    assert "nobody can answer" in house.screen.lines[-1]
    assert house.player.clips[-1].utterance < 0  # and it was said, to the last sample
    assert house.speech.is_silent()


def test_with_a_microphone_a_closed_keyboard_is_no_end():
    house = House(ears=Ears()).type(close=True)
    house.at(30.0, lambda: house.inbox.post(QUIT))
    assert house.run().ended == "quit"
    assert house.clock.now() == pytest.approx(30.0)


def test_enter_says_the_expected_words():
    house = House(piped=False)
    house.at(9.0, lambda: house.type(""))
    house.at(10.0, lambda: house.inbox.post(QUIT))
    house.run()
    heard = [e.event for e in house.journal.entries() if isinstance(e.event, Transcript)]
    assert heard[0].meaning == Meaning("phrase", "task complete")
    assert house.engine.state.seat is None  # the turn is over, its gap runs


def test_space_pauses_speech_and_timers_and_goes_on():
    house = House(piped=False)
    house.at(0.3, lambda: house.type(" "))
    house.at(100.0, lambda: house.type(" "))
    house.at(100.1, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.player.hushed[0] == pytest.approx(0.3)
    assert house.screen.lines == ["Eyes closed.", "paused", "resumed", "Eyes closed."]
    cut = [e.event for e in house.journal.entries() if isinstance(e.event, SpeechCut)]
    assert cut[0].at == pytest.approx(0.3)


def test_escape_asks_before_the_game_is_ended_and_says_so_to_the_last_word():
    house = House(piped=False)
    house.at(1.0, lambda: house.type("\x1b"))
    house.at(8.0, lambda: house.type("yes"))  # the question comes behind the silence of 3 s
    house.at(100.0, lambda: house.inbox.post(QUIT))
    outcome = house.run()
    assert outcome.ended == "stopped"
    last = house.player.clips[-1]
    assert house.screen.lines[-1] == "ended"
    assert house.clock.now() >= 8.0 + last.pcm.size / SPEAKER_RATE


def test_a_typed_command_is_heard_at_night_as_a_key_is():
    house = House(piped=False)
    house.at(8.0, lambda: house.type("whose turn is it"))
    house.at(12.0, lambda: house.inbox.post(QUIT))
    house.run()
    keys = [e.event for e in house.journal.entries() if isinstance(e.event, Key)]
    assert keys == [Key("whose_turn")]


def test_a_line_that_fits_nothing_is_told_and_changes_nothing():
    house = House(piped=False)
    house.at(2.0, lambda: house.type("xylophone"))
    house.at(2.5, lambda: house.inbox.post(QUIT))
    house.run()
    assert ENGLISH.line("no answer now") in house.screen.lines
    assert house.engine.at() == "night/dark"


def test_a_fault_of_a_port_is_said_once_and_written_down():
    house = House(ears=Ears())
    fault = PortFailed("microphone", "device stopped", {"device": "microphone"})
    house.at(1.0, lambda: house.inbox.post(fault))
    house.at(8.0, lambda: house.inbox.post(QUIT))
    house.run()
    shown = "The microphone stopped. Check its cable or connection."
    assert house.screen.lines.count(shown) == 1
    assert any(clip.utterance < 0 for clip in house.player.clips)
    assert any(e.event == fault for e in house.journal.entries())


def test_timers_go_on_while_a_device_is_lost():
    house = House(ears=Ears())
    house.player.dead = True  # a loudspeaker that takes everything and reports nothing
    house.at(60.0, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.engine.at() == "night/turns/turn"
    assert "The loudspeaker does not play. Please read the lines." in house.screen.lines


def test_an_expiry_and_a_spoken_end_in_the_same_instant_advance_once():
    house = House().type(*NIGHT)

    def both_at_once():
        due = house.engine.state.timers["step"]
        house.clock.advance_to(due.due)
        listen = house.session._listen.listen
        house.inbox.post(Transcript("we are done", Meaning("phrase", "we are done"), listen))

    house.at(40.0, both_at_once)
    house.at(400.0, lambda: house.inbox.post(QUIT))
    house.run()
    ends = [e for e in house.journal.entries() if "Cue(name='time')" in repr(e.effects)]
    assert len(ends) <= 1
    assert repr(house.journal.entries()).count("CountDown(") == 1


def test_the_journal_has_an_event_before_its_effects_are_heard():
    class Watching(MemoryJournal):
        def append(self, now, event, effects):
            if isinstance(event, Start):
                self.clips_before = len(house.player.clips)
            super().append(now, event, effects)

    journal = Watching()
    house = House(journal=journal).type(*NIGHT[:1], close=True)
    house.run()
    assert journal.clips_before == 0


FULL = "The journal j cannot be used: the disk is full or fails. Make room for it."


def test_a_journal_that_fails_costs_one_line_and_not_the_game():
    class Full(MemoryJournal):
        def append(self, now, event, effects):
            raise JournalError(FaultCode.JOURNAL_FULL, path="j")

    house = House(journal=Full()).type(*NIGHT, *DAY, *VOTES, close=True)
    assert house.run().ended == "complete"
    assert [line for line in house.screen.lines if "disk" in line] == [f"{FULL} The game goes on."]


def test_a_journal_that_recovers_is_told_of_and_how_it_ended_is_stored():
    class Full(MemoryJournal):
        ended = None

        def append(self, now, event, effects):
            super().append(now, event, effects)
            if 5 <= len(self.entries()) < 9:
                raise JournalError(FaultCode.JOURNAL_FULL, path="j")

        def finish(self, now, ended, result, totals):
            self.ended = (ended, result, totals)

    house = House(journal=Full()).type(*NIGHT, *DAY, *VOTES, close=True)
    house.run()
    told = [line for line in house.screen.lines if "disk" in line or "stored again" in line]
    assert told == [f"{FULL} The game goes on.", ENGLISH.line("stored again")]
    points = {"Ben": 1, "Cy": 1}
    assert house.journal.ended == ("complete", {"totals": points}, points)


class Faults:
    def __init__(self):
        self.found = []

    def observe(self, update):
        if isinstance(update, Fault):
            self.found.append((update.port, update.code, dict(update.fields), update.recovered))


def test_an_observer_gets_every_fault_with_its_code_and_exactly_its_fields():
    class Full(MemoryJournal):
        def append(self, now, event, effects):
            super().append(now, event, effects)
            if 5 <= len(self.entries()) < 9:
                raise JournalError(FaultCode.JOURNAL_FULL, path="j")

    house, faults = House(journal=Full()).type(*NIGHT, *DAY, *VOTES, close=True), Faults()
    house.session.add(faults)
    posted = [c for c in FaultCode if c != FaultCode.EARLIER]
    for code in posted:
        fields = dict.fromkeys(code.fields, "one")
        event = PlayError(code, **fields).event("speaker", recovered=code.name.endswith("BACK"))
        house.at(0.1, lambda event=event: house.inbox.post(event))
    house.run()
    stored = [one for one in faults.found if one[0] == "journal"]
    assert stored == [
        ("journal", "journal full", {"path": "j"}, recovered) for recovered in (False, True)
    ]
    others = [one for one in faults.found if one[0] == "speaker"]
    assert {code: (set(fields), back) for _, code, fields, back in others} == {
        code.value: (set(code.fields), code.name.endswith("BACK")) for code in posted
    }


def test_the_state_is_stored_now_and_then_and_the_time_while_a_timer_runs():
    class Notes(MemoryJournal):
        def __init__(self):
            super().__init__()
            self.kept, self.beats = [], []

        def keep(self, now, state):
            self.kept.append((len(self.entries()), state["stack"][-1]["block"]))

        def beat(self, now):
            self.beats.append(now)

    house = House(journal=Notes()).type(*NIGHT, close=False)
    house.clock.sleeps = True
    house.at(450.0, lambda: house.inbox.post(QUIT))
    house.run()
    assert [count for count, _ in house.journal.kept] == [SAVED_EVERY]
    talk = [beat for beat in house.journal.beats if 100 < beat < 200]
    assert max(b - a for a, b in itertools.pairwise(talk)) <= 2 * BEAT + LOOK


def test_a_machine_that_slept_asks_the_table_about_the_timer():
    house = House().type(*NIGHT, close=False)
    gaps = [120.0]
    house.clock.gap = lambda: gaps.pop() if house.clock.now() > 100 and gaps else 0.0
    house.at(110.0, lambda: house.type("yes"))
    house.at(130.0, lambda: house.inbox.post(QUIT))
    house.run()
    slept = [e for e in house.journal.entries() if e.event == Slept(120.0)]
    assert len(slept) == 1
    asked = house.screen.lines.index("really slept")
    assert "Type yes or no." in house.screen.lines[asked:]
    assert "left" in house.screen.lines[-1] or "left" in " ".join(house.screen.lines[asked:])


def test_louder_and_slower_are_in_force_at_once_and_kept():
    house = House()
    house.speech.adjust(Adjust("volume", "up"))
    house.speech.adjust(Adjust("rate", "down"))
    assert house.player.gains["voice"] == pytest.approx(1.25)
    house.speech.adjust(Adjust("cues", "down"))
    assert house.player.gains["cues"] == pytest.approx(0.8)
    assert house.speech.adjusted() == {
        "rate": 143,
        "volume": 1.25,
        "cue_volume": 0.8,
        "cover_volume": 1.0,
    }


@pytest.mark.parametrize("word", ["louder", "quieter", "faster", "slower"])
def test_a_change_of_the_voice_is_confirmed_in_text_and_by_the_new_voice(word):
    house = House(piped=False)
    house.at(2.0, lambda: house.type(word))
    house.at(9.0, lambda: house.inbox.post(QUIT))
    house.run()
    (caused,) = [e.effects for e in house.journal.entries() if isinstance(e.event, Key)]
    assert [type(effect) for effect in caused] == [Adjust, Say]
    assert word in house.screen.lines
    assert house.speech.adjusted() != House().speech.adjusted()


def test_every_reason_of_the_core_has_its_reply():
    core = Path(narrator.core.__file__).parent
    reasons = {
        Refusal[node.attr]
        for path in core.rglob("*.py")
        if path.name != "effects.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "Refusal"
    }
    only_in_old_journals = {Refusal.TOO_EARLY}
    assert reasons == set(Refusal) - only_in_old_journals, "each reason is given somewhere"
    never_typed = {
        Refusal.BEGUN_ALREADY, Refusal.STALE_TIMER, Refusal.TIMER_NOT_DUE, Refusal.PORT_FAILED,
        Refusal.STANDING_STILL,
    }  # fmt: skip
    assert reasons - never_typed == set(REPLIES)


@pytest.mark.parametrize(
    ("moment", "line", "told"),
    [
        (2.0, "xylophone", ENGLISH.line("no answer now")),
        (2.0, "yes", ENGLISH.line("no answer now")),
        (2.0, "", ENGLISH.line("no answer now")),
        (2.0, "this round is spoiled", "Understood."),  # it is done behind the silence
        (
            9.0,
            "xylophone",
            "That does not answer this question. Press Enter, or type: task complete.",
        ),
        (9.0, "y", "That does not answer this question. Press Enter, or type: task complete."),
        (9.0, "task complete", "Understood."),
        (6.5, "task complete", "Understood."),
    ],
)
def test_every_typed_line_is_answered(moment, line, told):
    house = House(piped=False)
    house.at(moment, lambda: house.type(line))
    house.at(moment + 0.2, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.screen.lines[-1] == told


def test_answers_that_are_typed_faster_than_they_are_read_back_all_count():
    """Three points within half a second, as a scorekeeper types them, while lines are spoken."""
    house = House(piped=False, played=games.load_game("scorekeeper").game)
    for moment, line in ((20.0, "ana 1"), (20.2, "ben 2"), (20.4, "cy 3"), (20.6, "louder")):
        house.at(moment, lambda line=line: house.type(line))
    house.at(60.0, lambda: house.inbox.post(QUIT))
    house.run()
    said = " ".join(house.screen.lines)
    assert all(f"{name} {n}" in said for name, n in (("Ana", 1), ("Ben", 2), ("Cy", 3)))
    assert ENGLISH.line("no answer now") not in house.screen.lines


def test_a_line_that_waits_and_is_never_asked_for_is_named_at_the_end():
    house = House(piped=False, played=games.load_game("scorekeeper").game)
    for moment, line in ((20.0, "ana 1"), (20.2, "ben 2"), (20.4, "cy 3")):
        house.at(moment, lambda line=line: house.type(line))
    house.at(20.5, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.screen.lines[-1].startswith(ENGLISH.line("never taken", lines="")[:-1])


def test_a_second_task_complete_never_ends_the_turn_of_the_next_seat():
    house = House(piped=False)
    house.at(9.0, lambda: house.type("task complete"))
    house.at(9.1, lambda: house.type("task complete"))
    house.at(18.0, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.engine.at() == "night/turns/turn" and house.engine.state.seat == "Ben"
    assert ENGLISH.line("no answer now") in house.screen.lines


def test_a_second_yes_never_answers_another_question():
    asked = Ask("one", text("Is it hot?", "question"), "yesno", "hot")
    told = SayStep("told", text("So be it, and let us go on."))
    other = Ask("two", text("Is it over?", "question"), "yesno", "over")
    played = replace(game(), phases=(Phase("day", (asked, told, other)),))
    house = House(piped=False, played=played)
    house.at(3.0, lambda: house.type("yes"))
    house.at(3.1, lambda: house.type("yes"))
    house.at(12.0, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.engine.state.variables == {"hot": True}


def asks_how_it_went():
    went = (("fine", ("all is well", "go on")), ("wrong", ("skip",)))
    asked = Ask("went", text("How did it go?", "question"), "choice", "went",
                choices=tuple(Choice(*choice) for choice in went))  # fmt: skip
    told = SayStep("told", text("The night is over, and the day begins for all of you."))
    return replace(game(), phases=(Phase("day", (told, asked)),))


@pytest.mark.parametrize("piped", [True, False])
@pytest.mark.parametrize(("line", "went"), [("go on", "fine"), ("skip", "wrong")])
def test_an_answer_that_is_typed_ahead_is_no_command(piped, line, went):
    house = House(piped=piped, played=asks_how_it_went())
    house.at(1.0, lambda: house.type(line))
    house.at(60.0, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.engine.state.variables == {"went": went}
    assert ENGLISH.line("no answer now") not in house.screen.lines


def test_a_command_that_answers_nothing_soon_is_obeyed_at_once():
    house = House(piped=False, played=asks_how_it_went())
    house.at(1.0, lambda: house.type("pause"))
    house.at(1.5, lambda: house.inbox.post(QUIT))
    house.run()
    assert house.engine.is_paused


def test_a_brief_narrator_confirms_by_a_cue_and_shows_the_words():
    house = House(piped=False, brief=True)
    house.at(2.0, lambda: house.type("h"))
    house.at(3.0, lambda: house.inbox.post(QUIT))
    house.run()
    assert "help" in house.screen.lines
    assert [clip.bus for clip in house.player.clips] == ["voice", "cues"]


def test_an_interrupt_ends_within_its_line_and_silences_the_voice():
    house = House()

    def interrupt():
        raise KeyboardInterrupt

    house.at(0.2, interrupt)
    assert house.run().ended == "quit"
    assert house.player.hushed[-1] == pytest.approx(0.2)


def test_what_comes_next_is_foreseen():
    house = House()
    state = house.engine
    state.step(Start(), 0.0)
    foreseen = LookAhead(game(), SEATS).lines(state.state.to_dict(0.0, history=False), 0.0)
    assert [text for text, *_ in foreseen[:3]] == ["Ana.", "Ben.", "Cy."]


def test_what_follows_other_answers_is_foreseen_and_questions_to_everybody(tmp_path):
    script = tmp_path / "game.yaml"
    script.write_text(ASKING)
    engine = Engine(games.load_game(str(script)).game, SEATS)
    effects = engine.step(Start(), 0.0)
    effects += engine.step(SpeechFinished(engine.awaited), 1.0)
    state = engine.state.to_dict(1.0, history=False)
    foreseen = LookAhead(games.load_game(str(script)).game, SEATS).lines(state, 1.0)
    texts = [text for text, *_ in foreseen]
    assert {"You said red.", "You said green.", "You said blue."} <= set(texts)
    assert {f"{name}, are you well?" for name in ("Ana", "Ben", "Cy")} <= set(texts)
    assert len(texts) == len(set(texts))
    assert [seat.name for seat in SEATS] == ["Ana", "Ben", "Cy"]


def test_its_own_lines_are_had_ready_unless_they_depend_on_the_moment():
    def of_the_moment(scope: Scope) -> Value:
        raise ExpressionError("it needs a seat")

    own: dict[str, Expression] = {"again": Constant("Again,  please."), "whose turn": of_the_moment}
    foresight = LookAhead(replace(game(), own=own), SEATS)
    assert foresight.own_lines == [("Again, please.", 1.0, "chatter", "")]


def test_names_are_respelled_for_the_voice_by_whole_word_only():
    spoken = Speakable([Seat(1, "Siobhán", say="shi vawn"), Seat(2, "An")], {"HQ": "head quarters"})
    assert (
        spoken("Siobhán, not Siobhánach, at HQ.") == "shi vawn, not Siobhánach, at head quarters."
    )


def test_the_gate_is_shut_until_the_guard_time_after_the_last_sample():
    gate = Gate(0.5)
    gate.began(1)
    gate.began(-1)
    gate.ended(1, 2.0)
    assert not gate.is_open(9.0)  # a cue still sounds
    gate.ended(-1, 3.0)
    assert not gate.is_open(3.4)
    assert gate.is_open(3.6)
    assert not gate.hears(3.45, 3.55)  # sound that began before it opened


class Talking(Ears):
    """Ears that count the presses of the key."""

    presses = 0

    def talk(self):
        self.presses += 1


def test_tab_makes_it_listen_and_says_so():
    ears = Talking()
    house = House(piped=False, ears=ears)
    house.at(1.0, lambda: house.type("\t")).at(2.0, lambda: house.inbox.post(QUIT)).run()
    assert ears.presses == 1
    assert "Listening." in house.screen.lines


def test_tab_says_so_where_nothing_is_heard():
    house = House(piped=False)
    house.at(1.0, lambda: house.type("\t")).at(2.0, lambda: house.inbox.post(QUIT)).run()
    assert "Nothing is heard here. Please type." in house.screen.lines


def test_what_fell_silent_for_a_command_goes_on_when_the_command_is_refused():
    house = House(ears=Ears())

    def interrupt():
        house.speech.hold()
        assert house.player.held
        number = house.engine.state.listen
        house.inbox.post(Transcript("skip", Meaning("command:skip"), number))

    house.at(0.5, interrupt).at(2.0, lambda: house.inbox.post(QUIT)).run()
    assert not house.player.held
