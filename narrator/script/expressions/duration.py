"""Lengths of time as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from narrator.core.values import Expression, ExpressionError, Scope, Value

_CLOCK = re.compile(r"^(?:(\d+):)?(\d{1,3}):([0-5]\d)$")
_UNITS = re.compile(
    r"^(?:(?P<h>\d+(?:\.\d+)?)\s*h(?:ours?)?)?\s*"
    r"(?:(?P<m>\d+(?:\.\d+)?)\s*m(?:in(?:utes?)?)?)?\s*"
    r"(?:(?P<s>\d+(?:\.\d+)?)\s*(?:s(?:ec(?:onds?)?)?)?)?$"
)
LONGEST = 24 * 3600.0
"""Seconds; nothing at a table takes longer than a day."""


def parse_duration(text: str) -> float | None:
    """Return the seconds in `90`, `90s`, `1:30`, `2m30s`, `10m`, `1h`; None for anything else."""
    words = text.strip().lower()
    clock = _CLOCK.match(words)
    if clock:
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return _bounded(hours * 3600.0 + minutes * 60.0 + seconds)
    match = _UNITS.match(words)
    if not words or not match:
        return None
    amounts = [float(match[unit] or 0) for unit in "hms"]
    return _bounded(amounts[0] * 3600 + amounts[1] * 60 + amounts[2])


def _bounded(seconds: float) -> float | None:
    return seconds if seconds <= LONGEST else None


@dataclass(frozen=True, slots=True)
class Duration:
    """A text template whose text is a length of time; gives seconds."""

    text: Expression

    def __call__(self, scope: Scope) -> Value:
        """Return the seconds. Raises ExpressionError."""
        written = str(self.text(scope))
        seconds = parse_duration(written)
        if seconds is None:
            raise ExpressionError(f"{written!r} is not a length of time")
        return seconds
