"""End rehearsed evenings with kill -9 at random moments, and go on with each to its end.

python tools/crash.py --kills N --seed S [--text] [--stops] [--full-disk] [--games GAME,...]
    [--results FILE] [--minutes M]

Every evening is played once undisturbed, by text; then by real processes that are killed. It fails
unless that one is complete, the result is the same, every event that took effect is in the journal,
at most the one in flight is not, and after each start the very question that was open is asked, and
no other.

With --results each evening is noted in a file, and the same call goes on where the last one ended.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator import __version__  # noqa: E402  # the path must be set first
from narrator.adapters.journal.archive import Archive  # noqa: E402
from narrator.adapters.journal.file import NAME, JournalFile  # noqa: E402
from narrator.adapters.system.clock import local_moment  # noqa: E402
from narrator.app import rehearse  # noqa: E402
from narrator.app.games import load_game  # noqa: E402
from narrator.core.effects import Listen  # noqa: E402
from narrator.core.events import Resumed  # noqa: E402
from narrator.core.values import Seat  # noqa: E402
from narrator.ports.errors import JournalError  # noqa: E402
from narrator.ports.storage import Entry  # noqa: E402
from tools.crash_child import accepted, play  # noqa: E402

GAMES = ("one-night-revolution", "subtext", "detective-club", "one-missing-briefing")
NAMES = ("Robert", "Julia", "Oliver", "Hannah", "Peter")
EACH = {"text": 10, "sound": 20}
"""Kills of one evening, at most."""
SPAN = {"text": 0.4, "sound": 8.0}
"""Seconds in which it is killed: in sound from its first event on, by text from its start."""
LONGEST = 600.0
"""Seconds after which a process is given up."""
FORK = multiprocessing.get_context("fork")
ROOM = (8, 400)
"""Kilobytes that a full disk leaves the journal, least and most: from too few to begin one."""
NESTED = "NARRATOR_CRASH_NESTED"
"""Set where this process may mount disks of its own."""


@dataclass(slots=True)
class Evening:
    """One game that is killed and resumed."""

    game: str
    seed: int
    sound: bool
    kills: int = 0
    stored: int = 0
    """Events that processes have said to be stored."""
    lost: int = 0
    """Events that were stored and had not been said to be: those in flight."""
    faults: list[str] = field(default_factory=list)
    outcome: dict[str, Any] = field(default_factory=dict)


def main() -> None:
    options = parsed()
    if options.full_disk:
        nest()
    done = noted(options)
    begun = time.monotonic()
    while sum(line["kills"] for line in done) < options.kills:
        if time.monotonic() - begun > options.minutes * 60:
            break
        line = one_evening(len(done), options, options.kills - sum(line["kills"] for line in done))
        done.append(line)
        note(line, options.results)
        state = "; ".join(line["faults"]) or "right"
        print(f"{line['game']} seed {line['seed']}: {line['kills']} kills, {state}", flush=True)
    totals = Counter(evenings=len(done), right=sum(not line["faults"] for line in done))
    for line in done:
        totals += Counter({key: line[key] for key in ("kills", "events", "in_flight")})
        totals["faults"] += len(line["faults"])
    seconds = sum(line["seconds"] for line in done)
    print(", ".join(f"{key} {value}" for key, value in totals.items()), f"in {seconds:.0f} s")
    sys.exit(1 if totals["faults"] else 0)


def one_evening(number: int, options: argparse.Namespace, left: int) -> dict[str, Any]:
    """Play an evening that its number and the seed decide; return how it went."""
    chance = random.Random(f"{options.seed}/{number}")
    game = options.games[number % len(options.games)]
    evening = Evening(game, chance.randrange(10_000), not options.text)
    begun = time.monotonic()
    run(evening, chance, options, min(EACH["text" if options.text else "sound"], left))
    return {
        "call": call(options), "game": game, "seed": evening.seed, "kills": evening.kills,
        "events": evening.stored, "in_flight": evening.lost, "faults": evening.faults,
        "seconds": round(time.monotonic() - begun, 1),
    }  # fmt: skip


def call(options: argparse.Namespace) -> str:
    """Return what decides the evenings, for those of another call not to be taken for these."""
    how = [name for name in ("text", "stops", "full_disk") if getattr(options, name)]
    return " ".join([str(options.seed), *how, *options.games])


def noted(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the evenings that are noted of this very call."""
    if options.results is None or not options.results.exists():
        return []
    lines = map(json.loads, options.results.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line["call"] == call(options)]


def note(line: dict[str, Any], results: Path | None) -> None:
    """Add an evening to the file."""
    if results is not None:
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--text", action="store_true", help="without sound: quicker")
    parser.add_argument("--stops", action="store_true", help="also stop and continue the process")
    parser.add_argument("--full-disk", action="store_true", help="with hardly any room to write")
    parser.add_argument("--games", type=lambda t: t.split(","), default=list(GAMES))
    parser.add_argument("--results", type=Path, help="note each evening here, and go on from it")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin no evening after these")
    return parser.parse_args()


def run(evening: Evening, chance: random.Random, options: argparse.Namespace, kills: int) -> None:
    """Play one evening undisturbed, then with so many kills, and compare."""
    game = load_game(evening.game)
    players = NAMES[: game.game.low]
    seats = [Seat(n, name) for n, name in enumerate(players, 1)]
    report, _ = rehearse.rehearse_in_text(game, rehearse.Plan(seats, evening.seed, patient=True))
    if report.ended != "complete":
        evening.faults.append(f"undisturbed it ended: {report.ended}")
    said = [{"at": a.step, "say": a.heard, "means": a.value} for a in report.answers]
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "lines.json"
        lines.write_text(json.dumps(said), encoding="utf-8")
        data = Path(folder) / "data"
        with small_disk(data, chance) if options.full_disk else nullcontext(0) as room:
            child = Child(evening, ",".join(players), lines, data, options, room)
            for _ in range(kills):
                if not child.kill(chance):
                    break
                check(evening, data, options.full_disk)
            if not evening.outcome:
                child.finish()
            compare(evening, report.to_dict(), said, data, options.full_disk)


@contextmanager
def small_disk(folder: Path, chance: random.Random) -> Iterator[int]:
    """Mount a disk with hardly any room; return the bytes a file may have where none can be."""
    room = chance.randint(*ROOM)
    folder.mkdir()
    if NESTED not in os.environ:
        yield room * 1000
        return
    mount = ["mount", "-t", "tmpfs", "-o", f"size={room}k,mode=700", "none", str(folder)]
    subprocess.run(mount, check=True)
    try:
        yield 0
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def nest() -> None:
    """Become a process that may mount, where the system lets it: no other sees its disks."""
    nested = ["unshare", "--user", "--map-root-user", "--mount"]
    if NESTED in os.environ or not shutil.which("unshare"):
        return
    if subprocess.run([*nested, "true"], capture_output=True).returncode == 0:
        command = [*nested, sys.executable, *sys.argv]
        os.execvpe(command[0], command, {**os.environ, NESTED: "1"})


class Child:
    """The processes of one evening, one after the other."""

    def __init__(
        self,
        evening: Evening,
        players: str,
        lines: Path,
        data: Path,
        options: argparse.Namespace,
        room: int = 0,
    ) -> None:
        self.evening, self._data, self._options, self._room = evening, data, options, room
        kind = "sound" if evening.sound else "text"
        self._arguments = [evening.game, players, str(evening.seed), str(lines), kind]
        self._span = SPAN[kind]

    def kill(self, chance: random.Random) -> bool:
        """Start it and kill it at a random moment; False where the game was over before."""
        process, reader = self._started()
        # Nothing can be lost before the first event, and a recogniser takes seconds to load.
        reader.begun.wait(LONGEST)
        self._wait(process, chance)
        process.kill()
        self._take(process, reader)
        if self.evening.outcome:
            return False
        self.evening.kills += 1
        return True

    def finish(self) -> None:
        """Start it and let it play to the end."""
        process, reader = self._started()
        process.join(LONGEST)
        if process.is_alive():
            process.kill()
            self.evening.faults.append("it did not end")
        self._take(process, reader)

    def _wait(self, process: ForkProcess, chance: random.Random) -> None:
        moment = chance.random() * self._span
        if self._options.stops and process.pid:
            time.sleep(moment / 2)
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(chance.random() * 0.5)
            os.kill(process.pid, signal.SIGCONT)
            moment /= 2
        process.join(moment)

    def _started(self) -> tuple[ForkProcess, Reader]:
        out, told = os.pipe(), os.pipe()
        # A fork has everything imported already: so many starts would take an hour else.
        process = FORK.Process(target=self._become, args=(out, told))
        process.start()
        os.close(out[1])
        os.close(told[1])
        reader = Reader(out[0], told[0], not self.evening.sound)
        reader.start()
        return process, reader

    def _become(self, out: tuple[int, int], told: tuple[int, int]) -> None:
        """Run as the program, in the new process."""
        os.dup2(out[1], 1)
        os.dup2(told[1], 2)
        for end in (*out, *told):
            os.close(end)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        os.environ["NARRATOR_DATA"] = str(self._data)
        if self._room:
            _no_room(self._room)
        play(self._arguments)

    def _take(self, process: ForkProcess, reader: Reader) -> None:
        process.join()
        reader.join()
        self.evening.stored += reader.stored
        if reader.result:
            self.evening.outcome = json.loads(reader.result)
        if reader.told:
            self.evening.faults.append(reader.told.strip().splitlines()[-1])


class Reader(threading.Thread):
    """Reads what a process prints until it ends."""

    def __init__(self, out: int, told: int, at_once: bool) -> None:
        super().__init__()
        self._out, self._told, self._at_once = out, told, at_once
        self.begun = threading.Event()
        self.stored = 0
        self.result = ""
        self.told = ""

    def run(self) -> None:
        with open(self._out) as printed:
            for line in printed:
                if line == ".\n":
                    self.stored += 1
                elif line.startswith("{") and line.endswith("}\n"):
                    self.result = line
                if line != "begun\n" or self._at_once:
                    self.begun.set()
        self.begun.set()
        with open(self._told) as told:
            self.told = told.read()


def _no_room(room: int) -> None:
    """Limit the size of files, as a full disk does to one that grows."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))


def check(evening: Evening, data: Path, full: bool) -> None:
    """Compare what is stored with what was said to be, right after a kill."""
    try:
        entries = read(data, lambda archive, number: archive.entries(number))
    except JournalError:
        if not full:
            raise
        return  # it cannot even be opened
    in_flight = len(entries or ()) - evening.stored
    if entries is None:
        return  # it was killed before its first event was stored
    # On a full disk, what could not be stored is stored with what comes later.
    if in_flight < 0 or (in_flight > evening.kills and not full):
        evening.faults.append(f"{-in_flight} events that took effect are not stored")
    evening.lost = in_flight


def compare(
    evening: Evening, whole: dict[str, Any], said: list[dict[str, Any]], data: Path, full: bool
) -> None:
    """Compare the outcome with that of the undisturbed evening."""
    outcome = evening.outcome
    for key in ("ended", "result", "totals"):
        if outcome.get(key) != json.loads(json.dumps(whole[key])):
            evening.faults.append(f"{key}: {outcome.get(key)} instead of {whole[key]}")
    if full and outcome.get("notes"):
        return  # it was told that not all could be stored
    entries = read(data, lambda archive, number: archive.entries(number)) or []
    evening.faults += asked_again(entries)
    answers = [(asked.step, e.meaning and e.meaning.value) for asked, e in accepted(entries)]
    if not evening.sound and answers != [(line["at"], line["means"]) for line in said]:
        evening.faults.append("the answers that were accepted are others")


def asked_again(entries: list[Entry]) -> list[str]:
    """Report every start after which another question was open than before it."""
    faults = []
    before: Listen | None = None
    for entry in entries:
        listens = [e for e in entry.effects if isinstance(e, Listen)]
        if isinstance(entry.event, Resumed) and before is not None and listens:
            first = listens[0]
            if (first.step, first.seat, first.key) != (before.step, before.seat, before.key):
                faults.append(f"{first.step} was asked after {before.step}")
        before = listens[-1] if listens else before
    return faults


def read(data: Path, what: Callable[[Archive, int], list[Entry]]) -> list[Entry] | None:
    """Read from the one evening there is; None where there is none."""
    if not (data / NAME).exists():
        return None
    file = JournalFile(data / NAME, __version__, local_moment())
    try:
        if file.note:
            raise SystemExit(f"The journal was damaged: {file.note}")
        archive = Archive(file)
        records = archive.records()
        return what(archive, records[-1].number) if records else None
    finally:
        file.close()


if __name__ == "__main__":
    main()
