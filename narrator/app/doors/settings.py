"""The settings, as the commands read them."""

from __future__ import annotations

from narrator.config.settings import Settings

__all__ = [
    "Settings",
]
