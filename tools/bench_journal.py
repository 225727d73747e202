"""Measure the journal: python tools/bench_journal.py [--evenings N] [--replays N]

Prints the cost of a commit, the size of a three-hour evening, what a thousand stored evenings add
to the start, and how many of a hundred stored evenings today's code plays with the same effects.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.adapters.journal.archive import Archive  # noqa: E402
from narrator.adapters.journal.file import JournalFile  # noqa: E402
from narrator.adapters.journal.sqlite import SqliteJournal  # noqa: E402
from narrator.adapters.system.clock import local_moment  # noqa: E402  # the path must be set first
from narrator.app import rehearse  # noqa: E402
from narrator.app.games import Loaded, load_game  # noqa: E402
from narrator.app.records import replay  # noqa: E402
from narrator.app.records.journal_store import opening_of, with_script  # noqa: E402
from narrator.config.settings import Settings  # noqa: E402
from narrator.core.values import Seat  # noqa: E402
from narrator.session.journal_writer import SAVED_EVERY  # noqa: E402
from narrator.simulation.report import Report  # noqa: E402

NAMES = ("Robert", "Julia", "Oliver", "Hannah", "Peter")
GAMES = (
    "one-night-revolution", "subtext", "detective-club", "one-missing-briefing", "mafia",
    "two-truths-and-a-lie", "fictionary", "scorekeeper",
)  # fmt: skip
HOURS = 3.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--evenings", type=int, default=1000)
    parser.add_argument("--replays", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        commits(Path(folder) / "commits.sqlite3")
    with tempfile.TemporaryDirectory() as folder:
        starts(Path(folder), options.evenings)
    with tempfile.TemporaryDirectory() as folder:
        replays(Path(folder) / "replays.sqlite3", options.replays)


def show(what: str, value: float, unit: str) -> None:
    print(f"{what:50} {value:9.3f} {unit}", flush=True)


def opened(path: Path, *, quick: bool = False) -> JournalFile:
    file = JournalFile(path, "0.1.0", local_moment())
    if quick:  # what is only filled in need not wait for the disk
        file.db.execute("PRAGMA synchronous = OFF")
    return file


def played(name: str, seed: int) -> tuple[Loaded, tuple[Seat, ...], Report]:
    loaded = load_game(name)
    seats = tuple(Seat(n, who) for n, who in enumerate(NAMES[: loaded.game.low], 1))
    report, _ = rehearse.rehearse_in_text(loaded, rehearse.Plan(seats, seed))
    return loaded, seats, report


def writer(file: JournalFile, loaded: Loaded, seats: tuple[Seat, ...], seed: int) -> SqliteJournal:
    opening = opening_of(loaded, seats, {}, Settings(), seed)
    return SqliteJournal(file, local_moment, opening=opening)


def commits(path: Path) -> None:
    """Store evenings as they are played until three hours of play are full."""
    file = opened(path)
    loaded, seats, report = played("subtext", 1)
    journal = writer(file, loaded, seats, 1)
    times, seconds, count = [], 0.0, 0
    while seconds < HOURS * 3600:
        for now, event, effects in report.journal:
            begin = time.perf_counter()
            journal.append(seconds + now, event, effects)
            times.append(time.perf_counter() - begin)
            count += 1
            if count % SAVED_EVERY == 0:
                journal.keep(seconds + now, {"filler": "x" * 20_000})
        seconds += report.seconds
    times.sort()
    show("commit of an event, median", median(times) * 1e3, "ms")
    show("commit of an event, 99th percentile", times[int(len(times) * 0.99)] * 1e3, "ms")
    file.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    show(f"journal of {HOURS:g} hours, {len(times)} events", path.stat().st_size / 1e6, "MB")
    journal.close()


def starts(folder: Path, count: int) -> None:
    """Compare opening and looking for an unfinished evening in an empty file and in a full one."""
    empty, full = folder / "empty.sqlite3", folder / "full.sqlite3"
    opened(empty).close()
    loaded, seats, report = played("one-night-revolution", 1)
    file, rows = opened(full, quick=True), packed_rows(report)
    for seed in range(count):
        journal = writer(file, loaded, seats, seed)
        journal._pending = [(number, *row) for number, row in enumerate(rows)]
        journal._flush()
        journal.finish(report.seconds, "complete", report.result, report.totals)
        if journal._lock is not None:
            journal._lock.release(remove=True)
    file.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
    for name, path in (("none", empty), (f"{count} evenings", full)):
        times = [start(path) for _ in range(9)]
        show(f"opening and looking for one broken off, {name}", median(times) * 1e3, "ms")
    show(f"journal of {count} evenings", full.stat().st_size / 1e6, "MB")


def packed_rows(report: Report) -> list[tuple[float, str, bytes]]:
    from narrator.adapters.journal.rows import written
    from narrator.adapters.journal.sqlite import packed
    from narrator.core.codec import encode

    return [(now, written(encode(e)), packed(encode(list(f)))) for now, e, f in report.journal]


def start(path: Path) -> float:
    begin = time.perf_counter()
    file = opened(path)
    Archive(file).unfinished("one-night-revolution")
    file.close()
    return time.perf_counter() - begin


def replays(path: Path, count: int) -> None:
    """Store evenings of every game and play what is stored again."""
    file = opened(path, quick=True)
    different = events = 0
    for number in range(count):
        loaded, seats, report = played(GAMES[number % len(GAMES)], number)
        journal = writer(file, loaded, seats, number)
        for now, event, effects in report.journal:
            journal.append(now, event, effects)
        assert journal.evening is not None
        archive = Archive(file)
        record = with_script(archive, archive.record(journal.evening))
        raw = archive.raw(journal.evening)
        events += len(raw)
        different += bool(replay.replay(record, raw))
        if journal._lock is not None:
            journal._lock.release(remove=True)
    print(f"{count} stored evenings of {len(GAMES)} games, {events} events: "
          f"{count - different} replayed with identical effects")  # fmt: skip
    file.close()


if __name__ == "__main__":
    os.environ.setdefault("NARRATOR_DATA", tempfile.gettempdir())
    main()
