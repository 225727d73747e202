"""The pictures and diagrams that commands write."""

from __future__ import annotations

from narrator.adapters.pictures.flow import draw_flow
from narrator.script.authoring.moderator import moderator_diagram

__all__ = [
    "draw_flow",
    "moderator_diagram",
]
