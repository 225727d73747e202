"""Part `cost`: processor and memory for an hour of talk, by engine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from narrator.app.telling import told
from narrator.ports.errors import NarratorError
from narrator.ports.recognition import Recogniser
from tools.hearing.hours import listen_for
from tools.hearing.store import ROOT, Store, table

MINUTES = {"whisper": 60, "vosk": 15}
_CODE = "from tools.hearing.cost import alone; alone({engine!r}, {minutes})"


def measure(_: Recogniser, store: Store) -> None:
    """Print it; each engine in a process of its own."""
    print(
        "Sixteen eSpeak voices talk one after the other; the step listens at a turn of One Night "
        "Revolution at night. Memory of the hearing process; another one makes the voices.\n"
    )
    rows = []
    for engine, minutes in MINUTES.items():
        found = store.get(f"{engine} {minutes}", _apart(engine, minutes))
        if "skipped" in found:
            rows.append((engine, found["skipped"], "", "", ""))
            continue
        memory = ", ".join(f"{mb:.0f} MB at {mark} min" for mark, mb in found["memory"].items())
        rows.append(
            (engine, f"{found['seconds'] / 60:.0f} min, {len(found['heard'])} utterances",
             f"{found['cpu'] / found['seconds']:.3f} s", memory, f"{found['peak']:.0f} MB")
        )  # fmt: skip
    table(("engine", "audio", "CPU for a second of audio", "memory", "peak"), rows)


def hour(store: Store) -> Any:
    """Return what an hour of talk cost and was taken for by Whisper at night, measured or known."""
    minutes = MINUTES["whisper"]
    return store.get(f"whisper {minutes}", _apart("whisper", minutes))


def _apart(engine: str, minutes: int) -> Callable[[], Any]:
    def run() -> Any:
        code = _CODE.format(engine=engine, minutes=minutes)
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout.splitlines()[-1])

    return run


def alone(engine: str, minutes: int) -> None:
    """Print what an engine costs, as JSON."""
    from narrator.adapters.system import heap
    from narrator.app.wiring.engines import make_recogniser

    heap.share()
    try:
        # No English model of Vosk can be had without the network; the Korean one costs the same
        # for the sound, and hears none of these words.
        recogniser = make_recogniser(engine, "", "en" if engine == "whisper" else "ko")
    except NarratorError as error:
        print(json.dumps({"skipped": f"Skipped: {told(error)}"}))
        return
    marks = (5, minutes / 2, minutes)
    language = "en" if engine == "whisper" else "ko"
    print(json.dumps(listen_for(recogniser, 60.0 * minutes, marks, language)))
    recogniser.close()
