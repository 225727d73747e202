"""Evenings that are kept: opened in the person's data folder, stored, found again and rebuilt."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from narrator import __version__
from narrator.adapters.journal.archive import Archive
from narrator.adapters.journal.file import NAME, JournalFile
from narrator.adapters.journal.memory import MemoryJournal
from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import local_moment
from narrator.app.games import Loaded, ScriptFault, load_game
from narrator.app.records.found import Found
from narrator.app.wiring.adjust import without_changed
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.core.engine import Engine
from narrator.core.record import Opening, Past, Record
from narrator.core.values import Seat, Value
from narrator.files.bounded import read_text
from narrator.language.messages import Messages
from narrator.language.shown import hidden
from narrator.ports.errors import JournalError, NarratorError
from narrator.ports.faults import FaultCode, Then
from narrator.ports.session import Screen
from narrator.ports.storage import Journal
from narrator.script.compiler.translations import KINDS, file_of
from narrator.script.files.library import find_script

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*")
_LONGEST_NAME = 100
"""Characters of a file's name: the shortest limit of a usual file system is 143."""


def open_file(*, reading: bool = False) -> JournalFile:
    """Open the journal, to be read only or to be written to. Raises JournalError."""
    return JournalFile(data_folder() / NAME, __version__, local_moment(), reading=reading)


def is_plain_name(name: str) -> bool:
    """Whether a file of this name lies in its folder and nowhere else, on any system."""
    return (
        len(name) <= _LONGEST_NAME
        and name not in (".", "..")
        and not re.search(r'[/\\:*?"<>|]', name)
        and not hidden(name)
    )


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


def with_script(archive: Archive, record: Record) -> Record:
    """Return an evening with its script. Raises JournalError where that is lost.

    Where the stored one is damaged, that of the game does as well, if it is still the same.
    """
    opening = record.opening
    script = archive.script(record)
    if script is None:
        with suppress(NarratorError, OSError, UnicodeDecodeError):
            _check_names(record, ())
            now = script_files(find_script(opening.game), opening.language)
            script = now if script_hash(now) == opening.script_hash else None
    if script is None:
        raise JournalError(FaultCode.EVENING_SCRIPT_DAMAGED, number=record.number)
    return replace(record, opening=replace(opening, script=script))


def _check_names(record: Record, files: Iterable[str]) -> None:
    """Refuse what no journal of ours holds: such a name could lead out of the folder.

    Raises:
        JournalError: It is not the name of a game, or not of a script's file.
    """
    opening = record.opening
    known = {"game.yaml", *(f"{kind}.{opening.language}.yaml" for kind in KINDS)}
    strange = [name for name in files if name not in known]
    if not is_plain_name(opening.game):
        strange.append(opening.game)
    if not _LANGUAGE.fullmatch(opening.language):
        strange.append(opening.language)
    if strange:
        raise JournalError(
            FaultCode.EVENING_SUSPICIOUS, number=record.number, name=repr(strange[0])
        )


def stored_game(record: Record) -> Loaded:
    """Compile the script as it was stored. Raises NarratorError where this Narrator cannot."""
    opening = record.opening
    _check_names(record, opening.script)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / (opening.game or "game")  # it has no name if played as `.`
        place.mkdir()
        for name, text in opening.script.items():
            (place / name).write_text(text, encoding="utf-8")
        try:
            return load_game(str(place), opening.language)
        except ScriptFault as fault:
            raise JournalError(
                FaultCode.EVENING_TOO_OLD, number=record.number, version=opening.version
            ) from fault


class JournalStore:
    """The journal of this evening, wherever it can be kept.

    Args:
        screen: Told once where nothing can be stored; the game goes on all the same.
        messages: Of the language of the table.
    """

    def __init__(self, screen: Screen, messages: Messages) -> None:
        self._file: JournalFile | None = None
        self._screen, self._messages, self._told = screen, messages, {""}
        try:
            self._file = open_file()
        except JournalError as fault:
            screen.line(messages.event(fault.code, fault.fields, Then.NOT_KEPT))
            with suppress(JournalError):  # what cannot be written may still be read
                self._file = open_file(reading=True)
        if self._file is not None:
            self._tell([self._file.note])

    def journal(self, opening: Opening) -> Journal:
        """Return the journal of a new evening."""
        if self._file is None or self._file.reading:
            return MemoryJournal()
        return SqliteJournal(self._file, local_moment, opening=opening)

    def resumed(self, record: Record) -> tuple[Journal, Past]:
        """Return the journal of a stored evening, and what happened in it, as far as it is whole.

        Raises:
            JournalError: It cannot be read, or is being played.
        """
        file = self._open()
        archive = Archive(file)
        record = with_script(archive, record)
        if not file.reading:
            with suppress(JournalError):  # on a full disk it goes on; its first event tells of it
                archive.reopen(record.number)
        past = _whole(archive, record)
        lost = archive.count(record.number) - past.count()
        self._tell(archive.notes())
        if lost > 0:
            self._tell([_cut(record, lost)])
        if file.reading:
            return MemoryJournal(), past
        number = past.count()
        return SqliteJournal(file, local_moment, evening=record.number, number=number), past

    def record(self, number: int | None) -> Record:
        """Return an evening to go on with: this one, or the last that was broken off.

        Raises:
            JournalError: There is none, or it is over, or its script is lost.
        """
        archive = Archive(self._open())
        found = archive.record(number) if number is not None else archive.unfinished()
        self._tell(archive.notes())
        if found is None:
            raise JournalError(FaultCode.NO_UNFINISHED_EVENING)
        if archive.is_played(found.number):
            raise being_played(found)
        if found.is_over():
            raise JournalError(FaultCode.EVENING_OVER, number=found.number)
        return with_script(archive, found)

    def earlier(self, game: str) -> list[Record]:
        """Return the stored evenings of a game, the newest first; none where none can be read."""
        return [record for record in self.records() if record.opening.game == game]

    def records(self) -> list[Record]:
        """Return all stored evenings, the newest first; none where none can be read."""
        if self._file is None:
            return []
        try:
            records = Archive(self._file).records()
        except JournalError:
            return []
        return sorted(records, key=lambda record: -record.number)

    def found(self, loaded: Loaded, seats: tuple[Seat, ...] | None) -> Found | None:
        """Find the evening that is worth asking about; None where there is none.

        Args:
            loaded: The game that is to be played, as it is now.
            seats: The table; None where nobody named it.
        """
        if self._file is None or self._file.reading:
            return None
        try:
            archive = Archive(self._file)
            record = self._unfinished(archive, loaded.game.id)
            return None if record is None else self._fitting(archive, record, loaded, seats)
        except JournalError as fault:
            self._tell([self._messages.event(fault.code, fault.fields, Then.NOT_KEPT)])
            return None

    def found_any(self, language: str) -> Found | None:
        """Find the last game that was broken off, whichever it is; None where there is none."""
        if self._file is None or self._file.reading:
            return None
        try:
            archive = Archive(self._file)
            record = self._unfinished(archive)
            if record is None or archive.is_played(record.number):
                return None
            return self._fitting(archive, record, load_game(record.opening.game, language), None)
        except NarratorError:  # the command `resume` tells what is wrong with it
            return None

    def _unfinished(self, archive: Archive, game: str = "") -> Record | None:
        """Return the last evening that was broken off, of this game or of any."""
        record = archive.unfinished(game)
        while record is not None and self._was_over(archive, record):
            record = archive.unfinished(game)
        self._tell(archive.notes())
        return record

    def _was_over(self, archive: Archive, record: Record) -> bool:
        """Whether a game had ended when its process was killed; its end is stored now."""
        end = archive.end_of(record.number)
        if end is None:
            return False
        try:
            whole = with_script(archive, record)
            past, opening = _whole(archive, whole), whole.opening
            game = stored_game(whole).game
        except NarratorError:  # the table is asked, and told what is wrong where it says yes
            return False
        engine = Engine(game, opening.seats, seed=opening.seed, settings=opening.options)
        engine.take_over(past)
        if not engine.state.moderator.is_over:
            return False
        archive.finish(
            record.number, end.ended, end.result, engine.state.totals,
            moment=local_moment(), seconds=past.now,
        )  # fmt: skip
        return True

    def _fitting(
        self, archive: Archive, record: Record, loaded: Loaded, seats: tuple[Seat, ...] | None
    ) -> Found | None:
        if record.opening.language != loaded.locale.language:
            return None
        if seats is not None and _names(seats) != _names(record.opening.seats):
            return None
        now = script_hash(script_files(loaded.path, loaded.locale.language))
        return Found(with_script(archive, record), now != record.opening.script_hash)

    def _open(self) -> JournalFile:
        if self._file is None:
            raise JournalError(FaultCode.JOURNAL_MISSING)
        return self._file

    def _tell(self, notes: Iterable[str]) -> None:
        for note in notes:
            if note not in self._told:
                self._told.add(note)
                self._screen.line(note)

    def decline(self, record: Record) -> None:
        """Offer an evening no more; where that cannot be stored it is offered again."""
        if self._file is not None and not self._file.reading:
            with suppress(JournalError):  # the new game's first event tells of it
                Archive(self._file).decline(record.number)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def being_played(record: Record) -> JournalError:
    """Return the refusal of an evening that is being played in another window."""
    return JournalError(FaultCode.EVENING_BUSY, number=record.number)


def _whole(archive: Archive, record: Record) -> Past:
    """Return what the game is rebuilt from, as far as it can be: it is tried here.

    A journal says what it likes; a saved state that is none, or an event out of all sense, must not
    end the program that takes it up.
    """
    opening = record.opening
    try:
        loaded = stored_game(record)
    except OSError:  # there is no room to unpack its script: it cannot be tried
        return archive.past(record.number)
    for saved in (True, False):
        past = archive.past(record.number, saved=saved)
        engine = Engine(loaded.game, opening.seats, seed=opening.seed, settings=opening.options)
        whole = _tried(engine, past)
        if whole is not None:
            return whole
    raise JournalError(FaultCode.EVENING_DAMAGED, number=record.number)


def _tried(engine: Engine, past: Past) -> Past | None:
    """Return the part of a past that an engine takes; None where it takes not even its state."""
    done = 0
    try:
        engine.take_over(replace(past, events=()))
        for now, event in past.events:
            engine.step(event, now)
            done += 1
        engine.to_dict(past.now)
    except Exception:  # whatever a damaged state does to the engine
        if done == 0:
            return None
    if done == len(past.events):
        return past
    events = past.events[:done]
    return replace(past, events=events, now=events[-1][0])


def _cut(record: Record, lost: int) -> str:
    events = "1 event" if lost == 1 else f"{lost} events"
    return (
        f"The last {events} of evening {record.number} cannot be used, since the first of them is "
        "damaged: the game goes on as it was before."
    )


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
