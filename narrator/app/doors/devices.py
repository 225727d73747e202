"""Microphones and loudspeakers, as the commands list and measure them."""

from __future__ import annotations

from narrator.adapters.sound.device import Device
from narrator.adapters.sound.portaudio import Devices
from narrator.listening.level_report import LevelReport, Second

__all__ = [
    "Device",
    "Devices",
    "LevelReport",
    "Second",
]
