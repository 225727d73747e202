"""The narrator's mouth: lines in their order, each heard, shown, and reported exactly once.

Called by the thread that thinks; the cache's worker and the player's thread only report back. A
line that the voice cannot give in time lasts as long in silence as it would have in sound, so
that readers can follow and the game goes on.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import inf

from narrator.audio import cues as sounds
from narrator.audio.gate import Gate
from narrator.core.effects import Adjust, CountDown, Say
from narrator.core.events import SpeechCut, SpeechFinished
from narrator.ports.audio import SPEAKER_RATE, Bus, Clip, Pcm, Played, Player
from narrator.ports.errors import PlayError, SoundError, SynthesiserError
from narrator.ports.faults import FaultCode, Then
from narrator.ports.session import Clock, Inbox, LineBegun, LineEnded
from narrator.ports.speech import Voice
from narrator.speaking.cache import Rendered, Voices
from narrator.speaking.line import Line, sentences
from narrator.speaking.line_notes import LineNotes
from narrator.speaking.styles import voice_for
from narrator.speaking.volumes import Volumes

LIMIT = 8.0
"""Seconds the voice may take for a line; its child process has a shorter limit of its own."""
IMPATIENT = 1.0
"""Seconds it may take after a line that did not come."""
OVERDUE = 5.0
"""Seconds after its expected end at which a line that was not reported is given up."""
SOONEST = 0.12
"""Seconds from now within which nothing can be heard any more: the device holds as much."""
HEARD_AGAIN = 2.0
"""Seconds of a held line that the player says again at most."""
LONGEST_HOLD = 6.0
"""Seconds after which a held line continues, even while people talk: no game may get stuck."""
FASTER = 1.15
BUSES: Mapping[str, Bus] = {"volume": "voice", "cue_volume": "cues", "cover_volume": "cover"}
"""By setting."""


class Speech:
    """Speaks what the core wants said.

    Args:
        cache: renders; None: every line is shown only, and lasts as long as it would.
        at_once: whether a line that is shown only is over as soon as it is shown: nobody waits for
            a voice that was not wanted. The beats of a countdown stay.
        player: plays; its ends are to be told to `played`.
        inbox: gets SpeechFinished and SpeechCut.
        begun: told of every line as it is queued, by the thread that thinks.
        voice: how it sounds at first.
        speakable: gives a line as the voice is to read it.
        roles: names of voices by role of text, where it has one of its own.
        slow: tells of a voice's name whether it takes its time: such a voice's lines are made and
            played sentence by sentence.
        brief: whether what is not the game's own text is shown only.
    """

    def __init__(
        self,
        cache: Voices | None,
        player: Player,
        gate: Gate,
        inbox: Inbox,
        clock: Clock,
        begun: Callable[[LineBegun], None],
        voice: Voice,
        *,
        speakable: Callable[[str], str] = str,
        brief: bool = False,
        at_once: bool = False,
        roles: Mapping[str, str] | None = None,
        slow: Callable[[str], bool] = lambda _voice: False,
    ) -> None:
        self._cache, self._player, self._gate = cache, player, gate
        self._inbox, self._clock = inbox, clock
        self._notes = LineNotes(clock, begun)
        self._voice, self._speakable, self._brief = voice, speakable, brief
        self._at_once = at_once and cache is None
        self._roles, self._slow = roles or {}, slow
        self._lock = threading.RLock()
        self._waiting: deque[Line] = deque()
        self._due: dict[int, float] = {}
        """By line that is not over: when it must be, in session seconds."""
        self._playing_until = 0.0
        """Session seconds at which the lines handed to the player should be over."""
        self._volumes = Volumes(player)
        self._awaits = False
        """Whether an answer is listened for as soon as all is silent."""
        self._own = 0
        self._limit = LIMIT
        self._cue_over = 0
        """Sample of the player's clock at which the last cue is over."""
        self._heard: dict[int, float] = {}
        """Seconds of a line that went to the player before its last sentence."""
        self._told: set[str] = set()
        self._held: float | None = None
        """Session seconds since which speech waits, if it does."""
        self._counting: set[int] = set()
        """Countdowns that are due: their beats wait for nobody."""

    def say(self, effect: Say) -> None:
        """Queue a line."""
        shown = self._brief and effect.role == "chatter"
        spoken = self._cache is not None and not shown
        self._notes.begun(effect.utterance, effect.text, effect.line, effect.role, spoken=spoken)
        if shown:
            self._over(effect.utterance)
            self.cue("understood")
            return
        voice = self._voice_of(effect.role, effect.rate, effect.style)
        self._queue(effect.utterance, self._parts(effect.text, voice))

    def count(self, effect: CountDown) -> None:
        """Queue a countdown; its words come on the beat whatever the voice needs for them."""
        text, spoken = f"{', '.join(effect.words).capitalize()}.", self._cache is not None
        self._notes.begun(effect.utterance, text, effect.line, "narration", spoken=spoken)
        beat = max(0.1, effect.beat)
        words = [(word, self._voice) for word in effect.words]
        self._queue(effect.utterance, words, beat, effect.begins)

    def tell(self, text: str) -> None:
        """Say something of the host's own, behind what is queued: a fault, a recovery."""
        number = self._number()
        spoken = self._cache is not None and not self._brief
        self._notes.begun(number, text, "", "chatter", spoken=spoken)
        if self._brief:
            self._over(number)
        else:
            self._queue(number, self._parts(text, self._voice_of("chatter")))

    def ended(self) -> list[LineEnded]:
        """Return the lines that are over since the last call."""
        return self._notes.ended()

    def hold(self) -> None:
        """Fall silent while somebody speaks, and lose no word of the line; not in a countdown."""
        with self._lock:
            if self._held is None and self._due and not self._counting:
                self._held = self._clock.now()
                self._player.hold(True)

    def release(self) -> None:
        """Continue what was held, if anything was."""
        with self._lock:
            if self._held is None:
                return
            late = self._clock.now() - self._held + HEARD_AGAIN
            self._held = None
            self._due = {number: due + late for number, due in self._due.items()}
            self._playing_until += late
            self._player.hold(False)

    def hush(self) -> None:
        """Stop speaking at once; what was queued is reported as cut."""
        with self._lock:
            self._held = None
            dropped, self._waiting = self._waiting, deque()
            self._player.hush()
            self._playing_until = self._clock.now()
        for line in dropped:
            self.played(Played(line.number, 0.0, complete=False))

    def cue(self, name: str, heard_at: float | None = None) -> None:
        """Play a short sound; a name that is not known is no sound.

        Args:
            name: of the cue.
            heard_at: session seconds of its first sample; None: at once.
        """
        if name not in sounds.CUES:
            return
        number, sound = self._number(), sounds.cue(name)
        with self._lock:
            ahead = max(0.0, (heard_at or 0.0) - self._clock.now())
            self._begin(number, self._clock.now() + ahead + sound.size / SPEAKER_RATE + OVERDUE)
            behind = round(ahead * SPEAKER_RATE) + sound.size
            self._cue_over = self._player.position() + behind
            self._player.play(Clip(number, sound, "cues", heard_at=heard_at))

    def cover(self, on: bool) -> None:
        """Start or stop the masking sound."""
        self._player.cover(on)

    def adjust(self, effect: Adjust) -> None:
        """Change loudness at once, or the rate of every line from now on; the core confirms it."""
        up = effect.direction == "up"
        if effect.setting != "rate":
            with self._lock:
                self._volumes.step("voice" if effect.setting == "volume" else effect.setting, up=up)
        else:
            rate = round(self._voice.rate * (FASTER if up else 1 / FASTER))
            self._voice = replace(self._voice, rate=min(450, max(80, rate)))

    def volumes(self, voice: float, cues: float, cover: float) -> None:
        """Set the loudness of voice, cues and masking sound, 0 to 2."""
        with self._lock:
            self._volumes.set({"voice": voice, "cues": cues, "cover": cover})

    def awaits(self, on: bool) -> None:
        """Note whether an answer is listened for; the masking sound is softer meanwhile."""
        with self._lock:
            self._awaits = on
            self._duck()

    def _duck(self) -> None:
        self._volumes.duck(self._awaits and not self._due)

    def adjusted(self) -> dict[str, float]:
        """Return by the names of their settings what can be changed by voice, as it is now."""
        gains = {n: self._volumes[b] for n, b in BUSES.items()}
        return {"rate": self._voice.rate, **{n: round(g, 3) for n, g in gains.items()}}

    def prepare(self, lines: Iterable[tuple[str, float, str, str]]) -> None:
        """Prepare lines (text, rate, role, style) that may be said next."""
        if self._cache is not None and "synthesiser" not in self._told:
            voiced = [(text, self._voice_of(role, f, style)) for text, f, role, style in lines]
            parts = [part for line in voiced for part in self._parts(*line)]
            self._cache.prepare(parts, self._unready)

    def is_silent(self) -> bool:
        """Whether everything that was queued is over."""
        with self._lock:
            return not self._due

    def next_check(self) -> float | None:
        """Return when `check` may have something to do, in session seconds; None: not by itself."""
        with self._lock:
            marks = [line.limit for line in self._waiting]
            marks += list(self._due.values()) if self._held is None else [self._held + LONGEST_HOLD]
            return min(marks, default=None)

    def check(self) -> None:
        """Drop what the voice or the player did not do in time; the game continues without it."""
        now = self._clock.now()
        with self._lock:
            if self._waiting and self._waiting[0].limit <= now:
                self._limit = IMPATIENT
                self._waiting[0].give_up()
                self._failed(SynthesiserError(FaultCode.VOICE_LATE))
            if self._held is not None and self._held + LONGEST_HOLD <= now:
                self.release()
            held = self._held is not None
            late = [number for number, due in self._due.items() if due <= now and not held]
        for number in late:
            self._report_once("loudspeaker", SoundError(FaultCode.LOUDSPEAKER_SILENT))
            self.played(Played(number, 0.0, complete=True))

    def played(self, end: Played) -> None:
        """Take the end of a clip from the player; only queues, so any thread may call it."""
        with self._lock:
            if self._due.pop(end.utterance, None) is None:
                return
            self._counting.discard(end.utterance)
            self._duck()
            self._gate.ended(end.utterance, self._clock.now())
            before = self._heard.pop(end.utterance, 0.0)
        seconds = before + end.seconds
        self._notes.over(end.utterance, seconds, complete=end.complete, at=end.over)
        if end.utterance > 0:
            finished = SpeechFinished(end.utterance, end.over)
            cut = SpeechCut(end.utterance, seconds)
            self._inbox.post(finished if end.complete else cut)

    def close(self) -> None:
        """End the voice and give the loudspeaker back."""
        if self._cache is not None:
            self._cache.close()
        self._player.close()

    def _voice_of(self, role: str, factor: float = 1.0, style: str = "") -> Voice:
        return voice_for(self._voice, self._roles, role, factor, style)

    def _parts(self, text: str, voice: Voice) -> list[tuple[str, Voice]]:
        """Return what is rendered one by one for a line: itself, or its sentences."""
        spoken = self._speakable(text)
        return [(p, voice) for p in (sentences(spoken) if self._slow(voice.name) else [spoken])]

    def _number(self) -> int:
        self._own -= 1
        return self._own

    def _queue(
        self,
        number: int,
        parts: list[tuple[str, Voice]],
        beat: float = 0.0,
        begins: float | None = None,
    ) -> None:
        shortened = self._at_once and not beat
        if shortened and not self._is_counting():
            self._over(number)
            return
        with self._lock:
            line = Line(number, parts, self._limit_of_next(), beat, begins, shortened)
            self._begin(number, inf)
            self._counting.update([number] if beat else [])
            self._waiting.append(line)
            if self._cache is None:
                line.show_only()
        if self._cache is not None:
            for index, (text, voice) in enumerate(parts):
                self._cache.fetch(text, voice, self._taker(line, index))
        self._send()

    def _limit_of_next(self) -> float:
        """Return when the voice has had its time; lines wait for each other's rendering."""
        limits = [line.limit for line in self._waiting]
        return max([self._clock.now(), *limits]) + self._limit

    def _is_counting(self) -> bool:
        with self._lock:
            return any(number > 0 for number in self._due)

    def _over(self, number: int) -> None:
        self._notes.over(number, 0.0)
        if number > 0:
            self._inbox.post(SpeechFinished(number))

    def _begin(self, number: int, due: float) -> None:
        self._due[number] = due
        self._duck()
        self._gate.began(number)

    def _taker(self, line: Line, index: int) -> Rendered:
        def take(result: Pcm | SynthesiserError) -> None:
            sound = None if isinstance(result, SynthesiserError) else result
            with self._lock:
                if not line.take(index, sound, self._clock.now() + self._limit):
                    return
                if isinstance(result, SynthesiserError):
                    self._failed(result)
                    return
                self._limit = LIMIT
                self._works_again()
            self._send()

        return take

    def _failed(self, problem: SynthesiserError) -> None:
        self._report_once("synthesiser", problem, Then.READ)
        self._send()

    def _unready(self, problem: SynthesiserError) -> None:
        """Report a line that could not be made ahead: the table may have to wait for the next."""
        with self._lock:
            self._report_once("synthesiser", problem)

    def _works_again(self) -> None:
        if "synthesiser" in self._told:
            self._told.discard("synthesiser")
            back = SynthesiserError(FaultCode.VOICE_BACK)
            self._inbox.post(back.event("synthesiser", recovered=True))

    def _report_once(self, port: str, fault: PlayError, then: Then | None = None) -> None:
        if port not in self._told:
            self._told.add(port)
            self._inbox.post(fault.event(port, then=then))

    def _send(self) -> None:
        """Hand everything to the player that is ready and has nothing before it."""
        with self._lock:
            while self._waiting:
                line = self._waiting[0]
                sound = line.next(max(self._clock.now() + SOONEST, self._playing_until))
                if sound is None:
                    return
                if line.is_over():
                    self._waiting.popleft()
                self._play(line, sound)

    def _play(self, line: Line, sound: Pcm) -> None:
        """Hand it over; what nothing else is said before waits for the cue to be over.

        A line's end is its last sentence's: those before it are not reported.
        """
        now, begins = self._clock.now(), line.begins
        behind = max(0, self._cue_over - self._player.position())
        alone = self._playing_until <= now
        at = self._cue_over if behind and alone else None
        begin = now + behind / SPEAKER_RATE if at else max(now, self._playing_until)
        begin = begin if begins is None else max(begin, begins)
        self._playing_until = begin + sound.size / SPEAKER_RATE
        last = line.is_over()
        if last:
            self._due[line.number] = self._playing_until + OVERDUE
        else:
            before = self._heard.get(line.number, 0.0)
            self._heard[line.number] = before + sound.size / SPEAKER_RATE
        number = line.number if last else 0
        self._player.play(Clip(number, sound, "voice", at, heard_at=begins))
