"""The journals that commands open: the stored one, and one in memory."""

from __future__ import annotations

from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.memory import JournalPair, MemoryJournal

__all__ = [
    "Archive",
    "JournalPair",
    "MemoryJournal",
]
