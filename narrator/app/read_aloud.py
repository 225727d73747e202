"""Reads lines aloud the way a game is played: with pause, repeat, louder and slower."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from narrator.adapters.journal.memory import MemoryJournal
from narrator.app.games import Loaded
from narrator.app.wiring import play
from narrator.config.settings import Settings
from narrator.core.game import Game, Line, Phase
from narrator.core.steps.spoken.say import Say
from narrator.core.values import Constant, Seat
from narrator.ports.session import Screen
from narrator.script.compiler.own_lines import own_lines
from narrator.script.files.locales import load_locale
from narrator.session.outcome import Outcome


def read_aloud(lines: Sequence[str], settings: Settings, screen: Screen) -> Outcome:
    """Say every line, and show it; a listener may pause, repeat, or end it."""
    locale = load_locale(settings.language)
    steps = tuple(
        Say(f"line-{number}", Line(f"history/{number}", Constant(line)))
        for number, line in enumerate(lines, 1)
    )
    own = {key: Constant(text) for key, text in own_lines(locale).items() if "{" not in text}
    game = Game("history", "History", locale.language, 1, 1, (Phase("history", steps),), own=own)
    evening = play.Evening(
        Loaded(game, locale, Path()), (Seat(1, "Reader"),), replace_keyboard(settings)
    )
    return play.play(evening, MemoryJournal(), screen)


def replace_keyboard(settings: Settings) -> Settings:
    """Take commands from the keyboard: nothing is asked, so nobody need be heard."""
    return settings.model_copy(update={"keyboard": True})
