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
from narrator.core.values import ExpressionError
from narrator.ports.audio import Pcm
from narrator.ports.errors import SoundError
from narrator.ports.session import Screen

NOTHING_HEARD = "Nothing is recorded: no microphone is used."


def folder() -> Path:
    """Return where recordings lie."""
    return data_folder() / recorder.FOLDER


class Recording:
    """What the microphone hears in one evening, where the table wants it to be stored.

    Args:
        settings: Say whether, and for how many days it is kept.
        screen: Told where it lies and until when.
    """

    def __init__(self, settings: Settings, screen: Screen) -> None:
        self._settings, self._screen = settings, screen
        self._recorder = recorder.Recorder(screen.line) if settings.record else None
        self._path: Path | None = None
        delete_old(settings, screen)

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
            self._screen.line(NOTHING_HEARD)
            return
        try:
            name = recorder.name_of(loaded.game.id, begun)
            self._path = self._recorder.begin(folder(), name)
        except SoundError as fault:
            self._screen.line(str(fault))
            return
        say(_reminder(loaded, self._settings.record_days))

    def close(self) -> None:
        """Finish it; say where it lies and until when."""
        if self._recorder is not None:
            self._recorder.close()
        if self._path is not None:
            date = recorder.until(self._settings.record_days, local_moment())
            self._screen.line(
                f"The evening was recorded: {self._path}. The first use of Narrator after {date} "
                "deletes it; `narrator forget` does, with the evening, at any time."
            )


def discard_old(settings: Settings) -> int:
    """Delete what is older than it may be; return how many there were."""
    return recorder.delete_old(folder(), settings.record_days, local_moment())


def delete_old(settings: Settings, screen: Screen) -> None:
    """Delete what is older than it may be, and tell of it."""
    count = discard_old(settings)
    if count:
        what = "1 recording was" if count == 1 else f"{count} recordings were"
        screen.line(f"{what} older than {settings.record_days} days and deleted.")
    for path in recorder.old(folder(), settings.record_days, local_moment()):
        screen.line(f"{path} is older than that and cannot be deleted: delete it yourself.")


def of(records: list[Record]) -> list[Path]:
    """Return the recordings that there are of these evenings."""
    names = [recorder.name_of(r.opening.game, r.opening.begun) for r in records]
    return [path for name in names for path in recorder.of_evening(folder(), name)]


def forget(records: list[Record]) -> int:
    """Delete the recordings of these evenings; return how many there were."""
    return recorder.delete(of(records))


def _reminder(loaded: Loaded, days: int) -> str:
    """Tell the table, in its language, that it is recorded."""
    try:
        return " ".join(str(loaded.game.own["recorded"]({"days": days})).split())
    except ExpressionError:  # pragma: no cover - the line is tested with this very name
        return "Recorded."
