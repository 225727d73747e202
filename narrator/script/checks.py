"""Checks of a whole game: what may be said at one moment must be told apart, and heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from narrator.core.game import Game
from narrator.script.diagnostics import Report
from narrator.script.models import ScriptShape
from narrator.script.own_lines import HasLines


def check(
    game: Game,
    script: ScriptShape,
    report: Report,
    *,
    locale: HasLines | Mapping[str, str] | None,
    knows_word: Callable[[str], bool] | None,
    sounds: Callable[[str], str] | None,
) -> None:
    """Run every check that needs the whole game; what is found goes into the report."""
