"""Microphones and loudspeakers, as the commands list and measure them."""

from __future__ import annotations

from narrator.adapters.sound.device import Device
from narrator.app.wiring.table_devices import TableDevices
from narrator.listening.level_report import LevelReport, Second

__all__ = [
    "Device",
    "LevelReport",
    "Second",
    "TableDevices",
]
