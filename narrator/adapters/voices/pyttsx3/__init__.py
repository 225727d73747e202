"""The system's own voice through pyttsx3."""

from __future__ import annotations

import sys

from narrator.ports.engines import VoiceEngine

ENGINE = VoiceEngine(
    name="system",
    languages=(),
    licence="of the system's voice",
    changes=frozenset({"rate", "volume"}),
    rank=10,
    target="narrator.adapters.voices.pyttsx3.synthesiser:StockSynthesiser",
    problem=lambda: "",  # it is a dependency; what the system lacks is told when it is started
    version=lambda: sys.platform,
)
