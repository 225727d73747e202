"""The mixer: everything that is heard, placed by the sample. Pure but for one lock; no device.

A loudspeaker's callback, or a rehearsal that writes a file, calls `read`; that is what moves the
player's clock. Every clip has its place on that clock from the moment it is queued.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from narrator.audio.loudness import AHEAD, gains, wanted_gains
from narrator.audio.masking import Cover, CoverKind, make_cover
from narrator.ports.audio import SPEAKER_RATE, Bus, Clip, Pcm, Played, PlayedCallback

_Mix = NDArray[np.float32]

_BUSES: tuple[Bus, ...] = ("voice", "cues", "cover")
_FADE = 0.012
_GAIN_RAMP = 0.05
_HOLD_RAMP = 0.025
_COVER_RAMP = 1.0
_BUS_RAMPS: dict[Bus, float] = {"voice": _GAIN_RAMP, "cues": _GAIN_RAMP, "cover": 0.5}
"""Seconds for a change by 1; that of the masking sound is not to be noticed."""
_GO_BACK = 0.8
"""Seconds of a held line that are said again, so that no word of it is lost."""
_FROM_START = 2.0
"""A line that was held within this many seconds of its start begins again."""
_FULL = 32768.0
_NEAR = 0.5
"""Below this nothing can reach the ceiling, between the samples neither."""


@dataclass(frozen=True, slots=True)
class MixerSettings:
    """How the mixer treats silence around speech."""

    lead_in: float = 0.15
    """Seconds of silence before the first clip after a pause: loudspeakers that sleep need time."""
    idle: float = 5.0
    """Seconds of silence after which a loudspeaker is taken to sleep."""
    tail: float = 0.2
    """Seconds of silence to be played after the last clip before the device may be given back."""
    cover: CoverKind | None = "brown"
    """The kind of masking sound; None: there is none."""
    cover_seed: int = 1
    """The masking sound is the same for the same seed."""


@dataclass(slots=True)
class _Layer:
    """A clip with its place on the clock."""

    clip: Clip
    start: int
    end: int
    cut: int | None = None
    """Where its fade to silence begins."""
    heard: int = 0


@dataclass(slots=True)
class _Ramp:
    """A gain that moves evenly, so that no change of it clicks."""

    seconds: float
    value: float
    target: float = field(init=False)

    def __post_init__(self) -> None:
        self.target = self.value

    def take(self, count: int, ahead: int) -> float | _Mix:
        """Return the gain for the next samples and those ahead, one number while it stands still.

        It moves on by `count` only; count > 0.
        """
        if self.value == self.target:
            return self.value
        low, high = sorted((self.value, self.target))
        step = (1 if self.target > self.value else -1) / (self.seconds * SPEAKER_RATE)
        exact = np.clip(self.value + step * np.arange(1, count + ahead + 1), low, high)
        self.value = float(exact[count - 1])
        path: _Mix = exact.astype(np.float32)
        return path


class Mixer:
    """A Player without a device: clips go in, `read` takes the mixed sound out.

    May be used from any thread. `read` is for one thread at a time.
    """

    def __init__(self, settings: MixerSettings | None = None) -> None:
        """Begin in silence, at sample 0."""
        self._settings = settings or MixerSettings()
        self._lock = threading.Lock()
        self._layers: list[_Layer] = []
        self._free_at: dict[Bus, int] = dict.fromkeys(_BUSES, 0)
        self._gains = {bus: _Ramp(_BUS_RAMPS[bus], 1.0) for bus in _BUSES}
        self._cover = _Ramp(_COVER_RAMP, 0.0)
        self._masking: Cover | None = None
        self._presence = _Ramp(_HOLD_RAMP, 1.0)
        """Of the voice: 0 while it is held."""
        self._stands = False
        """Whether speech was held long enough to stand still."""
        self._position = 0
        self._limiter = _Limiter()
        self._loud_until = -round(self._settings.idle * SPEAKER_RATE)
        self._report: PlayedCallback = _ignore

    def on_played(self, report: PlayedCallback) -> None:
        """Set the callback for ends of clips, called by the thread of `read`: only queue there."""
        self._report = report

    def play(self, clip: Clip) -> None:
        """Queue a clip, or place it at its sample; one that is late begins at once."""
        pcm = np.ascontiguousarray(clip.pcm, np.int16).reshape(-1)
        with self._lock:
            start = self._place(clip)
            end = start + pcm.size
            kept = Clip(clip.utterance, pcm, clip.bus, clip.at)
            self._layers.append(_Layer(kept, start, end))
            self._free_at[clip.bus] = max(self._free_at[clip.bus], end)
            self._loud_until = max(self._loud_until, end)

    def hush(self) -> None:
        """Fade speech to silence within 12 ms and drop what waits; each clip is reported as cut."""
        with self._lock:
            now, end = self._position, self._position + round(_FADE * SPEAKER_RATE)
            for layer in self._layers:
                if layer.clip.bus == "voice" and layer.cut is None:
                    layer.cut = now
                    layer.end = min(layer.end, end) if layer.start < end else end
                    if self._stands:
                        layer.end = now
            self._free_at["voice"] = now
            self._go_on()
            self._loud_until = max([end, *(layer.end for layer in self._layers)])

    def hold(self, on: bool) -> None:
        """Fade speech out within 25 ms and let it wait; off: go on from a moment before."""
        with self._lock:
            if on:
                self._presence.target = 0.0
                return
            if self._stands:
                self._shift(self._back())
            self._go_on()

    def cover(self, on: bool) -> None:
        """Fade the masking sound in or out within a second."""
        kind = self._settings.cover
        if kind is None:
            return
        made = make_cover(kind, self._settings.cover_seed) if on else None  # takes its time
        with self._lock:
            self._masking = made or self._masking
            self._cover.target = 1.0 if on else 0.0

    def volume(self, bus: Bus, gain: float) -> None:
        """Set a bus's gain; it is kept within 0 and 2."""
        with self._lock:
            ramp = self._gains[bus]
            ramp.target = min(2.0, max(0.0, float(gain)))
            if bus == "cover" and self._cover.value == 0:
                ramp.value = ramp.target  # it is silent: it is to begin at its own level

    def position(self) -> int:
        """Return the samples read so far, at SPEAKER_RATE."""
        return self._position

    def idle(self) -> bool:
        """Whether everything has been played, and the silence after it as well."""
        with self._lock:
            tail = round(self._settings.tail * SPEAKER_RATE)
            return not self._layers and self._position >= self._loud_until + tail

    def close(self) -> None:
        """Drop everything; what was queued is reported as cut."""
        with self._lock:
            layers, self._layers = self._layers, []
        self._tell([_ended(layer, complete=False) for layer in layers])

    def read(self, count: int) -> Pcm:
        """Take the next samples, shape (count,), and move the clock on by as many."""
        with self._lock:
            self._stand_still(max(0, count))
            mix = self._mix(max(0, count))
            self._position += max(0, count)
            over = [layer for layer in self._layers if layer.end <= self._position]
            self._layers = [layer for layer in self._layers if layer.end > self._position]
        over.sort(key=lambda layer: (layer.end, layer.start))
        self._tell([_ended(layer, complete=layer.heard >= layer.clip.pcm.size) for layer in over])
        return mix

    def _go_on(self) -> None:
        self._presence.target, self._stands = 1.0, False

    def _back(self) -> int:
        """Return how many samples of the line that was held are to be heard once more."""
        for layer in self._layers:
            if _waits(layer) and layer.start < self._position:
                said = self._position - layer.start
                from_start = said < _FROM_START * SPEAKER_RATE
                return said if from_start else round(_GO_BACK * SPEAKER_RATE)
        return 0

    def _stand_still(self, count: int) -> None:
        """Hold speech for as many samples as are read now, once it has faded out."""
        if self._presence.value == 0 == self._presence.target:
            self._stands = True
            self._shift(count)

    def _shift(self, count: int) -> None:
        speech = [layer for layer in self._layers if _waits(layer)]
        for layer in speech:
            layer.start += count
            layer.end += count
        if speech:
            self._free_at["voice"] = max(layer.end for layer in speech)
            self._loud_until = max(self._loud_until, self._free_at["voice"])

    def _place(self, clip: Clip) -> int:
        now = self._position
        if clip.at is not None:
            return max(clip.at, now)
        start = max(now, self._free_at[clip.bus])
        return start + self._lead_in(start)

    def _lead_in(self, start: int) -> int:
        asleep = start - self._loud_until >= self._settings.idle * SPEAKER_RATE
        covered = self._cover.target > 0 or self._cover.value > 0
        return round(self._settings.lead_in * SPEAKER_RATE) if asleep and not covered else 0

    def _mix(self, count: int) -> Pcm:
        if not count:
            return np.zeros(0, np.int16)
        reach = count + AHEAD
        total = np.zeros(reach, np.float32)
        for bus in _BUSES:
            presence = self._presence.take(count, AHEAD) if bus == "voice" else 1.0
            total += self._bus(bus, count) * self._gains[bus].take(count, AHEAD) * presence
        return self._limiter.limited(total)

    def _bus(self, bus: Bus, count: int) -> _Mix:
        """Return what a bus holds now, and what it will hold if nothing new comes."""
        total = np.zeros(count + AHEAD, np.float32)
        for layer in self._layers:
            if layer.clip.bus == bus and layer.start < self._position + total.size:
                _add(layer, total, self._position)
                heard = min(layer.end, self._position + count) - layer.start
                layer.heard = max(layer.heard, heard)
        if bus == "cover" and self._masking is not None:
            total += self._masked(self._masking, count)
        return total

    def _masked(self, cover: Cover, count: int) -> _Mix:
        gain = self._cover.take(count, AHEAD)
        if isinstance(gain, float) and gain == 0:
            return np.zeros(count + AHEAD, np.float32)
        return (cover.at(self._position, count + AHEAD) * gain).astype(np.float32)

    def _tell(self, ends: list[Played]) -> None:
        for end in ends:
            if end.utterance:
                self._report(end)


class _Limiter:
    """Keeps the sum below the ceiling: it knows what comes, and turns down before it is there."""

    def __init__(self) -> None:
        self._before = np.zeros(AHEAD)
        """What was mixed just before, whose peaks reach into what comes."""

    def limited(self, mix: _Mix) -> Pcm:
        """Return the samples but for the last AHEAD of the mix, which are only looked at."""
        count = mix.size - AHEAD
        known = np.concatenate([self._before, mix / _FULL])
        self._before = known[count : count + AHEAD]
        sound = mix[:count]
        if np.abs(known).max() > _NEAR:
            sound *= gains(wanted_gains(known)).astype(np.float32)
        return np.rint(np.clip(sound, -32767, 32767)).astype(np.int16)


def _waits(layer: _Layer) -> bool:
    """Whether it is speech that stands still while the voice is held."""
    return layer.clip.bus == "voice" and layer.cut is None


def _add(layer: _Layer, total: _Mix, position: int) -> None:
    """Add what of a layer falls into this stretch, faded where it is being cut."""
    begin = max(layer.start, position)
    end = min(layer.end, position + total.size)
    if end <= begin:
        return
    sound = layer.clip.pcm[begin - layer.start : end - layer.start].astype(np.float32)
    if layer.cut is not None:
        length = _FADE * SPEAKER_RATE
        sound *= np.clip(1 - (np.arange(begin, end) - layer.cut) / length, 0, 1).astype(np.float32)
    total[begin - position : end - position] += sound


def _ended(layer: _Layer, complete: bool) -> Played:
    return Played(layer.clip.utterance, layer.heard / SPEAKER_RATE, complete)


def _ignore(_end: Played) -> None:
    """Do nothing: the default until a callback is set."""
