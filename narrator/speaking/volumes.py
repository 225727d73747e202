"""How loud each kind of sound is, and what makes it louder or quieter."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.ports.audio import Bus, Player

STEP = 1.25
LOUDEST = 2.0
SOFTEST = 0.1
"""Of the voice, which never falls silent; the other sounds are off below it."""
DUCKED = 0.5
"""What is left of the masking sound while an answer is listened for: 6 dB less."""


class Volumes:
    """The gains of the three buses; may be used from any thread that holds the owner's lock.

    The masking sound is softer while an answer is awaited in silence. It gives nothing away: it is
    the same for every seat, and where nobody is asked.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._gains: dict[Bus, float] = {"voice": 1.0, "cues": 1.0, "cover": 1.0}
        self._ducked = False

    def __getitem__(self, bus: Bus) -> float:
        """Return a bus's gain, 0 to 2."""
        return self._gains[bus]

    def set(self, gains: Mapping[Bus, float]) -> None:
        """Set some gains at once."""
        for bus, gain in gains.items():
            self._gains[bus] = min(LOUDEST, max(0.0, gain))
            self._tell(bus)

    def step(self, bus: Bus, *, up: bool) -> None:
        """Make a bus louder or quieter by 2 dB; cues and masking sound can be turned off so."""
        before = self._gains[bus]
        gain = max(SOFTEST, before * STEP) if up else before / STEP
        if gain < SOFTEST:
            gain = SOFTEST if bus == "voice" else 0.0
        self.set({bus: gain})

    def duck(self, on: bool) -> None:
        """Make the masking sound softer for as long as it is listened."""
        if on != self._ducked:
            self._ducked = on
            self._tell("cover")

    def _tell(self, bus: Bus) -> None:
        ducked = DUCKED if bus == "cover" and self._ducked else 1.0
        self._player.volume(bus, self._gains[bus] * ducked)
