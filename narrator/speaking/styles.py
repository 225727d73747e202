"""How the narrator's voice is changed for a line: its rate, its role and its style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.ports.speech import Voice

QUIETER = 0.8
"""Of the voice's loudness at night, 2 dB: nobody is talking, and all listen."""


def voice_for(
    usual: Voice, roles: Mapping[str, str], role: str, factor: float = 1.0, style: str = ""
) -> Voice:
    """Return the voice that a line is spoken with.

    Args:
        usual: The narrator's.
        roles: Names of voices by role of text, where it has one of its own.
        role: The line's.
        factor: On the usual rate.
        style: The line's, see `core.effects.STYLES`; a question without one has its own.
    """
    style = style or ("question" if role == "question" else "")
    return replace(
        usual,
        name=roles.get(role, usual.name),
        rate=min(450, max(80, round(usual.rate * factor))),
        volume=usual.volume * (QUIETER if style == "night" else 1.0),
        style=style,
    )
