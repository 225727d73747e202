"""Seeded chance whose whole state is one integer, so that it can live in the game's state."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def draw(state: int, count: int) -> tuple[int, int]:
    """Draw evenly from 0 to count - 1 (SplitMix64).

    Args:
        state: Any integer; a seed, or what the last draw returned.
        count: How many outcomes there are, at least 1.

    Returns:
        The number drawn and the state for the next draw.
    """
    state = (state + _GOLDEN) & _MASK
    mixed = state
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    mixed ^= mixed >> 31
    return (mixed * count) >> 64, state
