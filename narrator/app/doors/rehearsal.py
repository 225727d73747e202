"""A rehearsal and the files that it leaves."""

from __future__ import annotations

from narrator.adapters.sound import files
from narrator.core.steps.preview import listening_steps
from narrator.simulation import output
from narrator.simulation.output import webvtt
from narrator.simulation.report import Report
from narrator.simulation.room import NoiseKind
from narrator.simulation.simulated_players import Line

__all__ = [
    "Line",
    "NoiseKind",
    "Report",
    "files",
    "listening_steps",
    "output",
    "webvtt",
]
