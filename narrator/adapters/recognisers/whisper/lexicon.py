"""Which words Whisper can hear."""

from __future__ import annotations

import re

_HEARABLE = re.compile(r"[0-9a-zA-ZÀ-ɏ]+(['.-][0-9a-zA-ZÀ-ɏ]+)*['.]?")


def knows_word(word: str) -> bool:
    """Whether this can be heard: anything written in Latin letters or digits."""
    return bool(_HEARABLE.fullmatch(word.replace("\u2019", "'")))
