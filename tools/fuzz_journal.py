"""Damage a journal in many ways, and try every command that reads it on each.

python tools/fuzz_journal.py --count N --seed S [--minutes M]

Each damage is of one byte of the file or of its log, of one row, or of the length. No command may
meet a fault of its own, the file must be as it was after those that only read, an evening can be
resumed or is refused in a sentence, `forget` works, and of one byte or row no other evening
may suffer: as much is told of every other as before.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.adapters.journal.file import NAME  # noqa: E402  # the path must be set first
from narrator.adapters.journal.sqlite import SqliteJournal  # noqa: E402
from narrator.adapters.system.clock import local_moment  # noqa: E402
from narrator.app import rehearse  # noqa: E402
from narrator.app.games import load_game  # noqa: E402
from narrator.app.records.journal_store import (  # noqa: E402
    JournalStore,
    open_file,
    opening_of,
    stored_game,
)
from narrator.cli.main import main as narrator  # noqa: E402
from narrator.config.settings import Settings  # noqa: E402
from narrator.core.engine import Engine  # noqa: E402
from narrator.core.events import Resumed  # noqa: E402
from narrator.core.values import Seat  # noqa: E402
from narrator.ports.errors import NarratorError  # noqa: E402
from narrator.script.files.locales import load_locale  # noqa: E402

EVENINGS = (
    ("scorekeeper", False), ("two-truths-and-a-lie", False), ("scorekeeper", True),
    ("subtext", False), ("two-truths-and-a-lie", True),
)  # fmt: skip
"""Game, and whether it is broken off."""
NAMES = ("Robert", "Julia", "Oliver", "Hannah", "Peter")
REPLAYED = 0.3
"""Share of the damages after which an evening is played again: that takes longest."""
FAULT = "fault of its own"
READING = (
    ("history",), ("history", "--json"), ("results",), ("export",), ("export", "--format", "text"),
    ("export", "--format", "bgstats"),
)  # fmt: skip


@dataclass(slots=True)
class Told:
    """What the commands say of a journal."""

    evenings: dict[int, str] = field(default_factory=dict)
    """What `history ID` tells, by its number; missing where it is refused."""
    listed: set[int] = field(default_factory=set)
    notes: str = ""
    faults: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e6, help="begin nothing after these")
    options = parser.parse_args()
    begun, counts = time.monotonic(), Counter[str]()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        bases = base(Path(folder))
        before = all_told(bases)
        for number in range(options.count):
            if time.monotonic() - begun > options.minutes * 60:
                break
            found = one(number, options.seed, bases, before, Path(folder) / "damaged", counts)
            faults += found
            for fault in found:
                print(fault, flush=True)
    figures = ", ".join(f"{key} {value}" for key, value in sorted(counts.items()))
    print(f"{figures}; faults {len(faults)}; {time.monotonic() - begun:.0f} s")
    sys.exit(1 if faults else 0)


def base(folder: Path) -> tuple[Path, Path]:
    """Store evenings; return a folder with a closed journal, and one as a kill leaves it."""
    whole, log = folder / "whole", folder / "log"
    with data(whole):
        for seed, (game, broken_off) in enumerate(EVENINGS):
            store(game, seed, broken_off=broken_off)
        reader = sqlite3.connect(whole / NAME)  # as long as it is open, the log stays
        reader.execute("SELECT count(*) FROM entries").fetchone()
        store("scorekeeper", 9, broken_off=True)
        shutil.copytree(whole, log)
        reader.close()
        open_file().close()
    return whole, log


def all_told(bases: tuple[Path, Path]) -> dict[Path, Told]:
    """Return what is told of the journals while they are whole."""
    return {path: read(path, random.Random(0)) for path in bases}


def store(game: str, seed: int, *, broken_off: bool) -> None:
    """Play an evening by text and store it, perhaps without its end."""
    loaded = load_game(game)
    seats = tuple(Seat(n, name) for n, name in enumerate(NAMES[: loaded.game.low], 1))
    opening = opening_of(loaded, seats, {}, Settings(), seed, f"2026-11-2{seed}T20:00:00+01:00")
    journal = SqliteJournal(open_file(), local_moment, opening=opening)
    if broken_off:
        journal.finish = lambda *_: None  # type: ignore[method-assign]
    rehearse.rehearse_in_text(loaded, rehearse.Plan(seats, seed, journal=journal))
    journal.close()


@contextlib.contextmanager
def data(folder: Path) -> Iterator[None]:
    """Keep the journal in this folder."""
    before = os.environ.get("NARRATOR_DATA")
    os.environ["NARRATOR_DATA"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["NARRATOR_DATA"]
        else:
            os.environ["NARRATOR_DATA"] = before


def one(
    number: int, seed: int, bases: tuple[Path, Path], before: dict[Path, Told], place: Path,
    counts: Counter[str],
) -> list[str]:  # fmt: skip
    """Do one damage and try everything; return what is wrong."""
    chance = random.Random(f"{seed}/{number}")
    source = bases[chance.random() < 0.3]
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(source, place)
    kind = chance.choices(("byte", "row", "cut"), (60, 35, 5))[0]
    what = {"byte": byte, "row": row, "cut": cut}[kind](place, chance)
    state = contents(place)
    told = read(place, chance)
    counts[f"{kind} damages"] += 1
    faults = told.faults
    if contents(place) != state:
        faults.append("a command that only reads changed the file")
    if kind != "cut":
        faults += suffered(before[source], told, counts)
    elif told.evenings.keys() < before[source].evenings.keys() and not told.notes:
        faults.append("evenings are gone, and nothing is said")
    with data(place):
        faults += resumed(chance, counts)
        faults += forgotten(chance)
    return [f"{number} ({kind}: {what}, {source.name}): {fault}" for fault in faults]


def suffered(before: Told, told: Told, counts: Counter[str]) -> list[str]:
    """Return the evenings that suffered more than one damage can do."""
    changed = [n for n in before.evenings if told.evenings.get(n) != before.evenings[n]]
    missing = [n for n in before.evenings if n not in told.evenings]
    if changed or missing:
        counts["an evening changed"] += 1
        counts["told"] += bool(told.notes)
    faults = []
    if len(changed) > 1:
        faults.append(f"evenings {changed} are told otherwise, {missing} not at all")
    if missing and not told.notes:
        faults.append(f"evening {missing} is gone, and nothing is said")
    return faults


def read(place: Path, chance: random.Random) -> Told:
    """Call every command that reads."""
    told = Told()
    with data(place):
        for words in READING:
            _, notes = call(told, *words)
            told.notes += notes
        for number in range(1, len(EVENINGS) + 2):
            out, notes = call(told, "history", str(number))
            if out:
                told.evenings[number] = out
            told.notes += notes
        some = str(chance.randint(1, len(EVENINGS)))
        call(told, "history", some, "--heard")
        call(told, "export", some, "--format", "vtt")
        if chance.random() < REPLAYED:
            call(told, "replay", some)
    return told


def call(told: Told, *words: str) -> tuple[str, str]:
    """Run a command; return what it printed, and what it said beside."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            narrator(list(words))
    except SystemExit as end:
        if end.code not in (0, 1, 2, 6) or FAULT in err.getvalue():
            last = err.getvalue().strip().splitlines()[-1:]
            told.faults.append(f"{' '.join(words)}: {end.code} {last}")
    except BaseException as fault:
        told.faults.append(f"{' '.join(words)}: {type(fault).__name__} {fault}")
    return out.getvalue(), err.getvalue()


class Screen:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def line(self, text: str) -> None:
        """Take a line."""
        self.lines.append(text)


def resumed(chance: random.Random, counts: Counter[str]) -> list[str]:
    """Take up an evening that was broken off, as `resume` does it."""
    keeping = JournalStore(Screen(), load_locale("en").messages)
    try:
        record = keeping.record(chance.choice((None, 3, 5)))
        journal, past = keeping.resumed(record)
        loaded, opening = stored_game(record), record.opening
        engine = Engine(loaded.game, opening.seats, seed=opening.seed, settings=opening.options)
        engine.take_over(past)
        journal.append(past.now, Resumed(), engine.step(Resumed(), past.now))
        journal.close()
        counts["resumed"] += 1
    except NarratorError as refused:
        counts["refused"] += 1
        if "\n" in str(refused).strip():
            return [f"resume: {refused}"]
    except BaseException as fault:
        return [f"resume: {type(fault).__name__} {fault}"]
    finally:
        keeping.close()
    return []


def forgotten(chance: random.Random) -> list[str]:
    """Forget an evening, or say in a sentence that it is not there."""
    told = Told()
    number = str(chance.randint(1, len(EVENINGS)))
    _, err = call(told, "forget", number, "--yes")
    if "Error" in err and "There is no evening" not in err:
        told.faults.append(f"forget: {err.strip()}")
    out, _ = call(told, "history", number)
    if out:
        told.faults.append("it is forgotten and still there")
    return told.faults


def contents(place: Path) -> dict[str, bytes]:
    """Return the files that must not change by being read: SQLite's index of the log may."""
    files = (p for p in place.iterdir() if not p.name.endswith("-shm"))
    return {path.name: path.read_bytes() for path in files if path.stat().st_size}


def byte(place: Path, chance: random.Random) -> str:
    """Change one byte of the file or of its log."""
    files = [place / NAME, place / f"{NAME}-wal"]
    files = [path for path in files if path.exists() and path.stat().st_size]
    path = chance.choice(files)
    raw = bytearray(path.read_bytes())
    # The heads of file and pages are few bytes and matter most: half of the damages meet them.
    at = chance.randrange(len(raw))
    if chance.random() < 0.5:
        at = at // 4096 * 4096 + chance.randrange(120)
    at = min(at, len(raw) - 1)
    raw[at] = chance.choice((raw[at] ^ 1 << chance.randrange(8), 0, 255, chance.randrange(256)))
    path.write_bytes(raw)
    return f"byte {at} of {path.name}"


def row(place: Path, chance: random.Random) -> str:
    """Change one value of a row, or delete it."""
    db = sqlite3.connect(place / NAME)
    table = chance.choice(("evenings", "evenings", "entries", "entries", "snapshots", "scripts"))
    columns = [c[1] for c in db.execute(f"PRAGMA table_info({table})")]
    keys = {"entries": 2}.get(table, 1)
    rows = db.execute(f"SELECT {', '.join(columns[:keys])} FROM {table}").fetchall()
    key = chance.choice(rows)
    column = chance.choice(columns[keys:])
    where = " AND ".join(f"{name} = ?" for name in columns[:keys])
    old = db.execute(f"SELECT {column} FROM {table} WHERE {where}", key).fetchone()[0]
    new = other(old, chance)
    if chance.random() < 0.15:
        db.execute(f"DELETE FROM {table} WHERE {where}", key)
    else:
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (new, *key))
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return f"{table}.{column} of {key}"


def other(old: object, chance: random.Random) -> object:
    """Return another value for a row."""
    if isinstance(old, bytes):
        cut_short, flipped = old[: len(old) // 2], bytes([*old[:-1], old[-1] ^ 1]) if old else b"x"
        return chance.choice((cut_short, flipped, b"", b"[]", "text", 7))
    if isinstance(old, str):
        halves = (old[: len(old) // 2], "[" * 3000, "{}", "[]", "null", "NaN", '{"is":"Key"}')
        return chance.choice((*halves, "\x1b[31m", "../../x", 3, b"\xff\xfe", "1" * 6000))
    return chance.choice((-1, 0, 10**12, 1e308, "nine", b"\xff", float("inf")))


def cut(place: Path, chance: random.Random) -> str:
    """Cut the file short, or empty it."""
    path = place / NAME
    length = chance.choice((0, path.stat().st_size // 2, chance.randrange(path.stat().st_size)))
    os.truncate(path, length)
    return f"{length} bytes left"


if __name__ == "__main__":
    main()
