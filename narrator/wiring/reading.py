"""Reads lines aloud the way a game is played: with pause, repeat, louder and slower."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from narrator.adapters.journal_memory import MemoryJournal
from narrator.core.game import Game, Line, Phase, Say
from narrator.core.values import Constant, Seat
from narrator.host.session import Outcome
from narrator.host.settings import Settings
from narrator.ports import Screen
from narrator.script.locales import load_locale
from narrator.script.own_lines import own_lines
from narrator.wiring import playing
from narrator.wiring.games import Loaded


def read_aloud(lines: Sequence[str], settings: Settings, screen: Screen) -> Outcome:
    """Say every line, and show it; whoever listens may pause, repeat, or end it."""
    locale = load_locale(settings.language)
    steps = tuple(
        Say(f"line-{number}", Line(f"history/{number}", Constant(line)))
        for number, line in enumerate(lines, 1)
    )
    own = {key: Constant(text) for key, text in own_lines(locale).items() if "{" not in text}
    game = Game("history", "History", locale.language, 1, 1, (Phase("history", steps),), own=own)
    evening = playing.Evening(
        Loaded(game, locale, Path()), (Seat(1, "Reader"),), replace_keyboard(settings)
    )
    return playing.play(evening, MemoryJournal(), screen)


def replace_keyboard(settings: Settings) -> Settings:
    """Take commands from the keyboard: nothing is asked, so nobody need be heard."""
    return settings.model_copy(update={"keyboard": True})
