"""Lines rendered ahead of time: what was spoken or can be reached from here needs no waiting.

One worker thread renders; the caller never waits. A line that is needed now goes before lines
that only may be needed. A line that fails is told, and costs nothing else.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from narrator.audio.loudness import levelled
from narrator.ports.audio import Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import KeyedSynthesiser, Voice
from narrator.speaking.store import SpeechStore

Line = tuple[str, Voice]
"""A text and how it is to sound."""
Rendered = Callable[[Pcm | SynthesiserError], None]
"""Called once for a line, with its sound or the reason there is none."""

FORM = "levelled 1"
"""What is done to a line after the engine: lines stored in another form are not taken."""
_MEMORY = 24 * 1024 * 1024
"""Bytes: nine minutes of speech; what is older is read from the disk again."""
_WAITING = 500
_LOOKS_AGAIN = 0.1
"""Seconds after which an engine that was still starting is asked again."""
_PATIENCE = 2.0
_log = logging.getLogger(__name__)


class Voices(Protocol):
    """What gives lines as sound; never waits."""

    def fetch(self, text: str, voice: Voice, done: Rendered) -> None:
        """Ask for a line that is needed now; `done` is told at once or later, from any thread."""
        ...

    def prepare(self, lines: Iterable[Line], failed: Callable[[SynthesiserError], None]) -> None:
        """Prepare lines that may be needed; `failed` is called for one that cannot be made."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class SpeechCache:
    """Keeps rendered lines by engine, voice, rate, volume, pitch and text."""

    def __init__(
        self,
        synthesiser: KeyedSynthesiser,
        store: SpeechStore | None = None,
        memory: int = _MEMORY,
        *,
        inline: bool = False,
    ) -> None:
        """Start the worker.

        Args:
            synthesiser: renders what is not kept; used by the worker only.
            store: keeps lines from one evening to the next; None: in memory only.
            memory: bytes of sound kept; what was not used for longest goes first.
            inline: whether a line is rendered by the caller, who waits for it, as under virtual
                time; there is no worker then, and nothing is rendered ahead.
        """
        self._synthesiser, self._store, self._memory = synthesiser, store, memory
        self._kept: OrderedDict[Line, Pcm] = OrderedDict()
        self._bytes = 0
        self._wake = threading.Condition()
        self._now: deque[tuple[Line, Rendered]] = deque()
        self._ahead: deque[Line] = deque()
        self._keep_only = _keeper(_ignore)
        self._closing = False
        self._worker: threading.Thread | None = None
        if not inline:
            self._worker = threading.Thread(target=self._work, name="speech", daemon=True)
            self._worker.start()

    def get(self, text: str, voice: Voice) -> Pcm | None:
        """Return a line if it is in memory; never waits."""
        with self._wake:
            return self._known((text, voice))

    def fetch(self, text: str, voice: Voice, done: Rendered) -> None:
        """Ask for a line that is needed now; `done` is told at once, or by the worker later."""
        line = (text, voice)
        with self._wake:
            sound = self._known(line)
            if sound is None and not self._closing and self._worker is not None:
                self._now.append((line, done))
                self._wake.notify()
                return
        if sound is None and not self._closing:
            done(self._render(line))
            return
        done(sound if sound is not None else SynthesiserError(FaultCode.VOICE_CLOSED))

    def prepare(
        self, lines: Iterable[Line], failed: Callable[[SynthesiserError], None] | None = None
    ) -> None:
        """Render these when there is time, in this order; replaces what was asked for before.

        Args:
            lines: texts, each with how it is to sound.
            failed: told of a line that could not be rendered, by the worker.
        """
        if self._worker is None:
            return
        with self._wake:
            self._keep_only = _keeper(failed or _ignore)
            wanted = dict.fromkeys(line for line in lines if line not in self._kept)
            self._ahead = deque([*wanted][:_WAITING])
            self._wake.notify()

    def close(self) -> None:
        """End the worker and the synthesiser within two seconds; who waits is told."""
        with self._wake:
            self._closing = True
            self._ahead.clear()
            left, self._now = self._now, deque()
            self._wake.notify()
        self._synthesiser.close()
        for _, done in left:
            done(SynthesiserError(FaultCode.VOICE_CLOSED))
        if self._worker is not None:
            self._worker.join(_PATIENCE)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            line, done = job
            try:
                done(self._render(line))
            except Exception as error:  # a thread that dies would leave the game without a voice
                _log.warning("A rendered line was not taken (%s).", type(error).__name__)

    def _next(self) -> tuple[Line, Rendered] | None:
        with self._wake:
            while not (self._closing or self._now):
                if self._ahead and self._may_render(self._ahead[0]):
                    return self._ahead.popleft(), self._keep_only
                self._wake.wait(_LOOKS_AGAIN if self._ahead else None)
            return None if self._closing else self._now.popleft()

    def _may_render(self, line: Line) -> bool:
        try:
            return self._synthesiser.is_ready(*line)
        except Exception:  # rendering the line tells what is the matter, and costs no thread
            return True

    def _render(self, line: Line) -> Pcm | SynthesiserError:
        with self._wake:
            sound = self._known(line)
        if sound is not None:
            return sound
        try:
            sound = self._stored_or_new(line)
        except SynthesiserError as error:
            return error
        except Exception as error:  # an engine's surprise costs this line, never the thread
            return SynthesiserError(FaultCode.VOICE_CRASHED, kind=type(error).__name__)
        if self._synthesiser.spoken_by(*line) == self._synthesiser.key(*line):
            self._keep(line, sound)  # else its own engine, once it has started, is to say it
        return sound

    def _stored_or_new(self, line: Line) -> Pcm:
        """Return the line at the one level of all voices; the volume is ours, not the engine's."""
        text, voice = line
        key = self._synthesiser.key(text, voice)
        sound = self._store.load(_stored_by(key), text, voice) if self._store else None
        if sound is not None:
            return sound
        whole = self._synthesiser.render(text, replace(voice, volume=1.0))
        sound = levelled(whole, voice.volume)
        if self._store:
            spoke = self._synthesiser.spoken_by(text, voice)
            self._store.save(_stored_by(spoke), text, voice, sound)
        return sound

    def _known(self, line: Line) -> Pcm | None:
        sound = self._kept.get(line)
        if sound is not None:
            self._kept.move_to_end(line)
        return sound

    def _keep(self, line: Line, sound: Pcm) -> None:
        with self._wake:
            self._kept[line] = sound
            self._bytes += sound.nbytes
            while self._bytes > self._memory and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1].nbytes


def _stored_by(engine: str) -> str:
    return f"{engine}, {FORM}"


def _keeper(failed: Callable[[SynthesiserError], None]) -> Rendered:
    """Return who takes a line that was rendered ahead: it is kept already, or tried again later."""
    return lambda result: failed(result) if isinstance(result, SynthesiserError) else None


def _ignore(_problem: SynthesiserError) -> None:
    """Do nothing: the line is rendered when it is needed."""
