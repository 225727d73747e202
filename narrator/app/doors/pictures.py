"""The pictures and diagrams that commands write."""

from __future__ import annotations

from narrator.adapters.pictures.flow import draw_flow
from narrator.adapters.pictures.results import draw_results
from narrator.script.authoring.moderator import moderator_diagram

__all__ = [
    "draw_flow",
    "draw_results",
    "moderator_diagram",
]
