"""Whole evenings at the virtual table in which something breaks, and what is left of them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from narrator.core.codec import decode
from tests.patience import limit
from tests.told import english
from tests.virtual_table import VirtualTable

ROOT = Path(__file__).resolve().parent.parent.parent
GAME = ["one-night-revolution", "--players", "Robert, Julia, Oliver", "--seed", "7", "--new"]
QUICK = ["controller=Robert", "look=4s", "brief=no", "discussion=60s"]
ANSWERS = [
    "ready", "", "", "", "", "all is well", "done", "done", "done", "we are done", "3",
    "Julia", "oliver", "2", "yes", "julia", "yes",
]  # fmt: skip
RIGHT = {"terminated": ["Julia"], "side": "rebels", "winners": ["Robert", "Oliver"]}
AT_NIGHT = 3
"""Answers that were given when everybody waits for the next one, with closed eyes."""
FASTEST = "450"
LONGEST = 280.0

LATER_LINE = 3
"""Lines after which one is broken into."""

Moment = Literal["saying", "listening", "counting"]


@dataclass(frozen=True)
class Fault:
    """Something that breaks at a moment of the game, and is whole again later."""

    name: str
    at: Moment
    strike: Callable[[VirtualTable], object]
    mend: Callable[[VirtualTable], object]
    told: tuple[str, ...] = ()
    """Patterns of what the log must say, in plain words."""
    lasts: float = 4.0
    """Seconds."""


@dataclass
class Told:
    """What is left of an evening."""

    code: int | None
    result: object
    log: list[str] = field(default_factory=list)
    """What was told of faults and recoveries, in its order."""
    screen: str = ""
    seconds: float = 0.0
    struck: list[str] = field(default_factory=list)

    def problems(self, told: Sequence[str], faults: Sequence[Fault] = ()) -> list[str]:
        """Say what is not as it must be."""
        wanted = [*told, *(pattern for fault in faults for pattern in fault.told)]
        found = [f"it ended with {self.code}"] if self.code else []
        found += [] if self.result == RIGHT else [f"the result was {self.result}"]
        found += [f"{f.name} never came" for f in faults if f.name not in self.struck]
        found += [f"not told: {p}" for p in wanted if not any(re.search(p, t) for t in self.log)]
        return found + [word for word in ("Traceback", "Error") if word in self.screen]


def evening(
    folder: Path,
    table: VirtualTable,
    faults: Sequence[Fault] = (),
    env: dict[str, str] | None = None,
) -> Told:
    """Play One Night Revolution to its end while the faults come one by one.

    Args:
        folder: is empty; gets the log and the user's data.
        env: further variables of the game's process.
    """
    log = folder / "log.jsonl"
    command = [sys.executable, "-m", "narrator.cli.main", "play", *GAME, "--json"]
    command += [word for pair in QUICK for word in ("--set", pair)]
    command += ["--mic", "vt_app", "--speaker", "vt_app", "--record-log", str(log)]
    own = {"NARRATOR_RATE": FASTEST, "NARRATOR_DATA": str(folder / "data")}
    begun = time.monotonic()
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **table.env(), **own, **(env or {})}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as game:  # fmt: skip
        struck: list[str] = []
        hand = threading.Thread(target=_hand, args=(game, log, table, faults, struck), daemon=True)
        hand.start()
        told, screen = _end(game)
        hand.join(limit(5))
    result = json.loads(told)["result"] if told.strip() else None
    seconds = time.monotonic() - begun
    return Told(game.returncode, result, _faults_told(log), screen, seconds, struck)


def _end(game: subprocess.Popen[str]) -> tuple[str, str]:
    """Read both streams to their ends; the hand writes meanwhile."""
    parts = ["", ""]

    def read(index: int, stream: Any) -> None:
        parts[index] = stream.read()

    readers = [
        threading.Thread(target=read, args=(i, s)) for i, s in enumerate((game.stdout, game.stderr))
    ]
    for reader in readers:
        reader.start()
    try:
        game.wait(LONGEST)
    except subprocess.TimeoutExpired:
        game.kill()
    for reader in readers:
        reader.join(limit(5))
    return parts[0], parts[1]


def _hand(
    game: subprocess.Popen[str],
    log: Path,
    table: VirtualTable,
    faults: Sequence[Fault],
    struck: list[str],
) -> None:
    """Type the answers, and break things at their moments."""
    assert game.stdin
    due = {fault.at: fault for fault in faults}

    def strike(moment: Moment, after: float = 0.3) -> None:
        if fault := due.pop(moment, None):
            time.sleep(after)
            fault.strike(table)
            time.sleep(fault.lasts)
            fault.mend(table)
            struck.append(fault.name)

    said = answered = 0
    left = ANSWERS[AT_NIGHT:]
    with contextlib.suppress(OSError):  # the game may be over before everything was typed
        _type(game, ANSWERS[:AT_NIGHT])
        for entry in _entries(game, log):
            said += _holds(entry, "Say")
            answered += _is_answer(entry)
            if said >= LATER_LINE:
                strike("saying")
            if answered == AT_NIGHT and left:
                strike("listening", 1.5)  # by then it is silent, and the microphone counts
                _type(game, left)
                left = []
            if _holds(entry, "CountDown"):
                strike("counting", 1.0)


def _type(game: subprocess.Popen[str], answers: Sequence[str]) -> None:
    assert game.stdin
    game.stdin.write("".join(f"{answer}\n" for answer in answers))
    game.stdin.flush()


def _entries(game: subprocess.Popen[str], log: Path) -> Iterator[dict[str, Any]]:
    """Yield what is logged, as it happens, until the game is over."""
    while not log.exists() and game.poll() is None:
        time.sleep(0.05)
    with log.open(encoding="utf-8") as lines:
        part = ""
        while game.poll() is None:
            part += lines.readline()
            if part.endswith("\n"):
                yield json.loads(part)
                part = ""
            else:
                time.sleep(0.05)


def _holds(entry: dict[str, Any], effect: str) -> bool:
    return any(one["is"] == effect for one in entry["effects"])


def _is_answer(entry: dict[str, Any]) -> bool:
    return entry["event"]["is"] == "Transcript" and entry["event"]["meaning"] is not None


def _faults_told(log: Path) -> list[str]:
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    return [english(decode(event)) for event in events if event["is"] == "PortFailed"]
