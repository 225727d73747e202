"""Evenings that are kept: opened in the person's data folder, stored, found again and rebuilt."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from narrator import __version__
from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.file import NAME, JournalFile
from narrator.adapters.journal.memory import MemoryJournal
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import local_moment
from narrator.app.games import Loaded, ScriptFault, load_game
from narrator.app.wiring.adjust import without_changed
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.core.record import Opening, Past, Record
from narrator.core.values import ExpressionError, Seat, Value
from narrator.files.bounded import read_text
from narrator.ports.errors import JournalError, NarratorError
from narrator.ports.session import Screen
from narrator.ports.storage import Journal
from narrator.script.compiler.translations import KINDS, file_of

NOT_KEPT = "The game goes on, and this evening is not stored."


def open_file() -> JournalFile:
    """Open the journal. Raises JournalError."""
    return JournalFile(data_folder() / NAME, __version__, local_moment())


def script_files(path: Path, language: str) -> dict[str, str]:
    """Return the texts of a script and its translation, by the names they are found by."""
    files = {"game.yaml": read_text(path)}
    for kind in KINDS:
        beside = file_of(path, kind, language)
        with suppress(OSError):
            files[beside.name] = read_text(beside)
    return files


def script_hash(files: Mapping[str, str]) -> str:
    """Return what a script is known by: it changes with any of its files."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{files[name]}\0".encode())
    return digest.hexdigest()


def opening_of(
    loaded: Loaded,
    seats: tuple[Seat, ...],
    options: Mapping[str, Value],
    settings: Settings,
    seed: int,
    begun: str = "",
) -> Opening:
    """Return what an evening begins with, by default now."""
    files = script_files(loaded.path, loaded.locale.language)
    game = loaded.game
    return Opening(
        game.id, game.title, loaded.locale.language, seats, options, settings.model_dump(), seed,
        files, script_hash(files), __version__, begun or local_moment(),
    )  # fmt: skip


def stored_game(record: Record) -> Loaded:
    """Compile the script as it was stored. Raises NarratorError where this Narrator cannot."""
    opening = record.opening
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / opening.game
        place.mkdir()
        for name, text in opening.script.items():
            (place / name).write_text(text, encoding="utf-8")
        try:
            return load_game(str(place), opening.language)
        except ScriptFault as fault:
            raise NarratorError(
                f"The script of evening {record.number} was written for Narrator "
                f"{opening.version} and cannot be played by this one.",
                "It can still be read: narrator history.",
            ) from fault


@dataclass(frozen=True, slots=True)
class Found:
    """An evening that was broken off and could be gone on with."""

    record: Record
    changed: bool
    """Whether the script is another by now."""

    def question(self, loaded: Loaded) -> str:
        """Ask whether to go on, in the language of the table."""
        own = loaded.game.own["unfinished_changed" if self.changed else "unfinished"]
        begun = self.record.opening.begun
        scope: dict[str, Value] = {
            "title": self.record.opening.title,
            "seats": list(self.record.names()),
            "date": begun[:10],
            "time": begun[11:16],
        }
        try:
            return " ".join(str(own(scope)).split())
        except ExpressionError:  # pragma: no cover - the lines are tested with these very names
            return f"{self.record.opening.title}?"


class JournalStore:
    """The journal of this evening, wherever it can be kept.

    Args:
        screen: Told once where nothing can be stored; the game goes on all the same.
    """

    def __init__(self, screen: Screen) -> None:
        self._file: JournalFile | None = None
        try:
            self._file = open_file()
            if self._file.note:
                screen.line(self._file.note)
        except JournalError as fault:
            screen.line(f"{fault} {NOT_KEPT}")

    def journal(self, opening: Opening) -> Journal:
        """Return the journal of a new evening."""
        if self._file is None:
            return MemoryJournal()
        return SqliteJournal(self._file, local_moment, opening=opening)

    def resumed(self, record: Record) -> tuple[Journal, Past]:
        """Return the journal of a stored evening, and what happened in it. Raises JournalError."""
        if self._file is None:
            raise JournalError("No evening can be gone on with: the journal cannot be opened.")
        archive = Archive(self._file)
        with suppress(JournalError):  # on a full disk it goes on; its first event tells of it
            archive.reopen(record.number)
        journal = SqliteJournal(self._file, local_moment, evening=record.number)
        return journal, archive.past(record.number)

    def record(self, number: int | None) -> Record:
        """Return an evening to go on with: this one, or the last that was broken off.

        Raises:
            JournalError: There is none, or it is over.
        """
        if self._file is None:
            raise JournalError("No evening can be gone on with: the journal cannot be opened.")
        archive = Archive(self._file)
        found = archive.record(number) if number is not None else archive.unfinished()
        if found is None:
            raise JournalError(
                "No evening was broken off.", "`narrator history` lists those there are."
            )
        if found.is_over():
            raise JournalError(
                f"Evening {found.number} was played to its end.", "Begin a new one with play."
            )
        return found

    def found(self, loaded: Loaded, seats: tuple[Seat, ...] | None) -> Found | None:
        """Find the evening that is worth asking about; None where there is none.

        Args:
            loaded: The game that is to be played, as it is now.
            seats: The table; None where nobody named it.
        """
        if self._file is None:
            return None
        record = Archive(self._file).unfinished(loaded.game.id)
        if record is None or record.opening.language != loaded.locale.language:
            return None
        if seats is not None and _names(seats) != _names(record.opening.seats):
            return None
        now = script_hash(script_files(loaded.path, loaded.locale.language))
        return Found(record, now != record.opening.script_hash)

    def decline(self, record: Record) -> None:
        """Offer an evening no more; where that cannot be stored it is offered again."""
        if self._file is not None:
            with suppress(JournalError):  # the new game's first event tells of it
                Archive(self._file).decline(record.number)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def settings_of(record: Record, wanted: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of an evening, and over them what was said on the command line.

    What its table changed by voice is no part of them: that is remembered by itself. Nor is whether
    it was recorded: that has to be asked for each time.
    """
    known = Settings.model_fields.keys() - {"record", "record_days"}
    kept = {k: v for k, v in record.opening.settings.items() if k in known}
    return {**without_changed(kept), **{k: v for k, v in wanted.items() if v is not None}}


def without_script(record: Record) -> Record:
    """Return a record that can be shown: its script is long."""
    return replace(record, opening=replace(record.opening, script={}))


def _names(seats: tuple[Seat, ...]) -> list[str]:
    return [seat.name.casefold() for seat in seats]
