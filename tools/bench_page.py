"""Measure the page: python tools/bench_page.py [--lines N] [--presses N] [--busy N]

Prints how long a caption takes from the session to twelve pages in another process, and a press
from a page to the journal of a real session, while other processes keep the processor busy.
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from narrator.core.events import Key  # noqa: E402
from narrator.ports.session import LineBegun  # noqa: E402
from tests.adapters.page.conftest import Pages  # noqa: E402
from tests.adapters.page.evening import Evening  # noqa: E402
from tests.adapters.page.hands import Hand  # noqa: E402

PAGES = 12
SPAWN = multiprocessing.get_context("spawn")
MARK = b'"text":"'


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--busy", type=int, default=1, help="Processes that compute all the time.")
    options = parser.parse_args()
    with busy(options.busy):
        show(f"line to caption, {PAGES} pages", captions(options.lines))
        show("press to the journal", presses(options.presses))


def show(what: str, seconds: Sequence[float]) -> None:
    late = quantiles(seconds, n=20)[-1]
    told = f"median {median(seconds) * 1000:6.1f} ms, 95th {late * 1000:6.1f} ms"
    print(f"{what:26} {told}, most {max(seconds) * 1000:6.1f} ms, of {len(seconds)}", flush=True)


def captions(lines: int) -> list[float]:
    """Return the seconds from each line's first sample to each page."""
    pages = Pages(to_the_network=False)
    results: Any = SPAWN.Queue()
    reader = SPAWN.Process(target=read_all, args=(pages.port, lines, results))
    reader.start()
    results.get()
    for number in range(1, lines + 1):
        pages.board.observe(LineBegun(0.0, number, repr(time.monotonic())))
        time.sleep(0.02)
    found: list[float] = results.get(timeout=60)
    reader.join()
    pages.close()
    return found


def read_all(port: int, lines: int, results: Any) -> None:
    """Read all lines on every page; tell when all of them are connected, and then how late."""
    late: list[float] = []
    connected = threading.Barrier(PAGES + 1)

    def read() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/events")
        answer, left = connection.getresponse(), lines
        answer.readline()
        connected.wait()
        while left:
            row = answer.readline()
            if MARK in row:
                begun = float(row.partition(MARK)[2].partition(b'"')[0])
                late.append(time.monotonic() - begun)
                left -= 1

    readers = [threading.Thread(target=read) for _ in range(PAGES)]
    for reader in readers:
        reader.start()
    connected.wait()
    results.put("connected")
    for reader in readers:
        reader.join()
    results.put(late)


def presses(count: int) -> list[float]:
    """Return the seconds from each press to its entry in the journal."""
    seconds = []
    with Evening("subtext") as evening:
        hand = Hand(evening.url, "Ben", lambda listen, ask: [])
        time.sleep(1.0)
        for number in range(count):
            had = len(keys(evening))
            began = time.monotonic()
            hand.press({"command": ("pause", "resume")[number % 2]})
            while len(keys(evening)) == had and time.monotonic() - began < 5:
                time.sleep(0.0005)
            seconds.append(time.monotonic() - began)
            time.sleep(0.05)
    hand.close()
    return seconds


def keys(evening: Evening) -> list[Key]:
    return [event for event in evening.journal.events if isinstance(event, Key)]


@contextmanager
def busy(count: int) -> Any:
    """Keep this many processes computing meanwhile."""
    burning = [SPAWN.Process(target=burn) for _ in range(count)]
    for process in burning:
        process.start()
    try:
        yield
    finally:
        for process in burning:
            process.terminate()
            process.join()


def burn() -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        sum(range(1000))


if __name__ == "__main__":
    main()
