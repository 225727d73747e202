"""How a table may speak up while the narrator speaks, as the settings and the devices have it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from narrator.adapters.sound.portaudio import Devices
from narrator.config.settings import Settings
from narrator.listening.barge_in_policy import BargeInPolicy, Voice
from narrator.listening.echo import EchoFilter, FarEnd
from narrator.ports.audio import EchoCanceller
from narrator.ports.errors import SoundError

HEADSET = re.compile(r"head\s?-?(set|phone)|ear\s?-?(phone|bud|pod)|air\s?pods", re.IGNORECASE)
"""What a loudspeaker is called that only one person hears."""


def barge_in(settings: Settings, devices: Devices) -> str:
    """Return `off`, `headset` or `echo`; `auto` goes by what the loudspeaker is called."""
    if settings.barge_in != "auto":
        return settings.barge_in
    with suppress(SoundError):
        device = devices.pick(settings.speaker or None, "output")
        return "headset" if HEADSET.search(device.name) else "off"
    return "off"


class Interrupting:
    """What the loudspeaker and the ear need, so that players are heard while the narrator speaks.

    Args:
        settings: of the evening.
        devices: where sound comes from and goes to.
        tell: told where it cannot be as wanted: nothing is heard then while the narrator speaks.
    """

    def __init__(
        self, settings: Settings, devices: Devices, tell: Callable[[SoundError], None]
    ) -> None:
        self._how = barge_in(settings, devices) if settings.speech else "off"
        self._push_to_talk = settings.push_to_talk
        canceller = self._canceller(tell) if self._how == "echo" else None
        self.far = FarEnd() if canceller else None
        """What is to be told of all that is played; None: nothing."""
        self.echo = EchoFilter(self.far, canceller) if self.far and canceller else None

    def floor(self, voice: Voice | None) -> BargeInPolicy:
        """Say who may speak at this table."""
        return BargeInPolicy(voice, barge_in=self._how != "off", push_to_talk=self._push_to_talk)

    def _canceller(self, tell: Callable[[SoundError], None]) -> EchoCanceller | None:
        from narrator.adapters.sound.echo_canceller import WebRtcCanceller

        try:
            return WebRtcCanceller()
        except SoundError as fault:
            tell(fault)
            self._how = "off"
            return None
