"""The recording of an evening: only where it is asked for, told of, and deleted in time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from narrator.adapters.sound import recorder
from narrator.adapters.system.clock import local_moment
from narrator.app.games import Loaded
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.core.record import Record
from narrator.language.messages import Messages
from narrator.ports.audio import Pcm
from narrator.ports.errors import PlayError, SoundError
from narrator.ports.session import Screen


def folder() -> Path:
    """Return where recordings lie."""
    return data_folder() / recorder.FOLDER


class Recording:
    """What the microphone hears in one evening, if the table wants it stored.

    Args:
        settings: Say whether, and for how many days it is kept.
        screen: Told where it lies and until when.
        messages: Of the language of the table.
    """

    def __init__(self, settings: Settings, screen: Screen, messages: Messages) -> None:
        self._settings, self._screen, self._messages = settings, screen, messages
        self._recorder = recorder.Recorder(self._show) if settings.record else None
        self._path: Path | None = None
        delete_old(settings, screen, messages)

    def take(self, block: Pcm) -> None:
        """Write a block of the microphone, where the evening is recorded."""
        if self._recorder is not None:
            self._recorder.write(block)

    def begin(self, loaded: Loaded, begun: str, say: Callable[[str], None], *, hears: bool) -> None:
        """Record from now on where that is wanted, and say so; the game goes on in any case.

        Args:
            loaded: The game.
            begun: Local time at which the evening began.
            say: Speaks a line.
            hears: Whether there is a microphone at all.
        """
        if self._recorder is None:
            return
        if not hears:
            self._screen.line(self._messages.line("nothing recorded"))
            return
        try:
            name = recorder.name_of(loaded.game.id, begun)
            self._path = self._recorder.begin(folder(), name)
        except SoundError as fault:
            self._show(fault)
            return
        say(_reminder(loaded, self._settings.record_days))

    def close(self) -> None:
        """Finish it; say where it lies and until when."""
        if self._recorder is not None:
            self._recorder.close()
        if self._path is not None:
            date = recorder.until(self._settings.record_days, local_moment())
            self._screen.line(self._messages.line("recorded", path=self._path, date=date))

    def _show(self, fault: PlayError) -> None:
        self._screen.line(self._messages.event(fault.code, fault.fields))


def discard_old(settings: Settings) -> int:
    """Delete what is older than it may be; return how many there were."""
    return recorder.delete_old(folder(), settings.record_days, local_moment())


def delete_old(settings: Settings, screen: Screen, messages: Messages) -> None:
    """Delete what is older than it may be, and tell of it."""
    count, days = discard_old(settings), settings.record_days
    if count:
        screen.line(messages.line("old recordings deleted", count=count, days=days))
    for path in recorder.old(folder(), days, local_moment()):
        screen.line(messages.line("old recording kept", path=path, days=days))


def of(records: list[Record]) -> list[Path]:
    """Return the recordings that there are of these evenings."""
    names = [recorder.name_of(r.opening.game, r.opening.begun) for r in records]
    return [path for name in names for path in recorder.of_evening(folder(), name)]


def forget(records: list[Record]) -> int:
    """Delete the recordings of these evenings; return how many there were."""
    return recorder.delete(of(records))


def _reminder(loaded: Loaded, days: int) -> str:
    """Tell the table, in its language, that it is recorded."""
    return " ".join(str(loaded.game.own["recorded"]({"days": days})).split())
