"""What the table changes about the sound by voice, kept for the next start at once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from narrator.config.remembered import recall, remember
from narrator.config.sources import ADJUSTABLE, data_folder, load_configuration
from narrator.core.effects import Adjust
from narrator.ports.errors import NarratorError
from narrator.speaking.speech_queue import Speech

SETTINGS = {"rate": "rate", "volume": "volume", "cues": "cue_volume", "cover": "cover_volume"}
"""By what is adjusted."""


class KeptSpeech(Speech):
    """A Speech whose changes are kept as they are made: nobody knows how an evening will end."""

    changed: frozenset[str] = frozenset()
    """Settings that the table changed this evening."""

    def adjust(self, effect: Adjust) -> None:
        """Change loudness or rate, and keep it."""
        super().adjust(effect)
        self.changed |= {SETTINGS[effect.setting]}
        now = self.adjusted()
        with suppress(NarratorError):  # the file was spoiled meanwhile: the next start tells of it
            configured = load_configuration().configured
            remember(data_folder(), {name: now[name] for name in self.changed}, configured)


def without_changed(settings: Mapping[str, object]) -> dict[str, object]:
    """Return an evening's settings without those that the table changed since it began."""
    changed = [name for name in recall(data_folder()) if name in ADJUSTABLE]
    return {name: value for name, value in settings.items() if name not in changed}
