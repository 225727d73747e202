"""A table without sound: time is moved, lines take their time, words are heard as said."""

from __future__ import annotations

from narrator.audio.gate import Gate
from narrator.config.settings import Settings
from narrator.core.values import Seat
from narrator.language.locale import Locale
from narrator.listening.barge_in_policy import BargeInPolicy
from narrator.listening.interpreter import Interpreter
from narrator.session.watch import Watch
from narrator.simulation.clock import VirtualClock
from narrator.simulation.ears import TextEars
from narrator.simulation.report import Uttered
from narrator.simulation.timed_speech import TimedPlayer, TimedVoices
from narrator.simulation.virtual_inbox import VirtualInbox
from narrator.speaking.from_settings import make_speech


class TextWorld:
    """Everything a session needs, without sound.

    Args:
        seats: Everybody, clockwise.
        settings: Of the program, in force here as at a real table.
        begun: Session seconds at which it begins.
    """

    def __init__(
        self, seats: tuple[Seat, ...], locale: Locale, settings: Settings, begun: float = 0.0
    ) -> None:
        self.settings = settings
        self.clock = VirtualClock(begun)
        self.player = TimedPlayer(self.clock)
        self.voices = TimedVoices()
        self.gate = Gate(settings.guard_time)
        self.understanding = Interpreter(seats, locale, prefix=settings.prefix_word)
        self.inbox = VirtualInbox(self.clock, self.player)
        self.watch = Watch(())
        self.speech = make_speech(
            settings, seats, self.voices if settings.speech else None, self.player, self.gate,
            self.inbox, self.clock, self.watch.tell,
        )  # fmt: skip
        self.player.report = self.speech.played
        floor = BargeInPolicy(
            self.speech,
            barge_in=settings.barge_in in ("headset", "echo"),
            push_to_talk=settings.push_to_talk,
        )
        self.ears = TextEars(self.understanding, self.gate, self.inbox, self.clock, floor)
        self.inbox.movers.insert(1, self.ears)
        self.spoken: list[Uttered] = []
        """What players said."""

    def speak(self, seat: str, text: str) -> float:
        """Say something as a player now, pressing the key first where that is needed."""
        if self.settings.push_to_talk:
            self.ears.talk()
        now, seconds = self.clock.now(), self.ears.say(text)
        self.spoken.append(Uttered(seat, now, now + seconds, text))
        return seconds

    def quiet_since(self) -> float | None:
        """Return from when on a player may speak; None while somebody speaks."""
        return None if self.ears.is_hearing() else self.gate.opens()

    def close(self) -> None:
        """Do nothing: it holds no resources."""
