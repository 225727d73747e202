"""Intents files, as `hear` reads them."""

from __future__ import annotations

from narrator.script.files.intents import load_intents

__all__ = [
    "load_intents",
]
