"""Lines are rendered once, kept, and never waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from narrator.ports.audio import Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice
from narrator.speaking.cache import SpeechCache
from narrator.speaking.store import SpeechStore
from tests.patience import limit, until
from tests.told import english

pytestmark = pytest.mark.unit


class Recording:
    """A synthesiser that notes what it renders, and can be held back."""

    name = "recording"

    def __init__(self) -> None:
        self.rendered: list[str] = []
        self.may_go = threading.Event()
        self.may_go.set()
        self.starting = False

    def render(self, text: str, voice: Voice) -> Pcm:
        self.may_go.wait(limit(5))
        self.rendered.append(text)
        if text == "bad":
            raise SynthesiserError(FaultCode.ESPEAK_REFUSED)
        if text == "worse":
            raise RuntimeError("oh")
        return np.full(1000, len(text), np.int16)

    def key(self, text: str, voice: Voice) -> str:
        return self.name

    def spoken_by(self, text: str, voice: Voice) -> str:
        return "usual" if self.starting else self.name

    def is_ready(self, text: str, voice: Voice) -> bool:
        return not self.starting

    def close(self) -> None:
        self.may_go.set()


@pytest.fixture
def engine() -> Recording:
    return Recording()


@pytest.fixture
def make(engine: Recording) -> Iterator[Callable[..., SpeechCache]]:
    made: list[SpeechCache] = []

    def build(store: SpeechStore | None = None, memory: int = 10_000_000) -> SpeechCache:
        made.append(SpeechCache(engine, store, memory))
        return made[-1]

    yield build
    for cache in made:
        cache.close()


def fetched(cache: SpeechCache, text: str, voice: Voice | None = None) -> tuple[Pcm | None, str]:
    told = threading.Event()
    results: list[tuple[Pcm | None, str]] = []

    def done(result: Pcm | SynthesiserError) -> None:
        if isinstance(result, SynthesiserError):
            results.append((None, english(result)))
        else:
            results.append((result, ""))
        told.set()

    cache.fetch(text, voice or Voice(), done)
    assert told.wait(limit(5))
    assert len(results) == 1
    return results[0]


def test_a_line_is_rendered_once(make: Callable[..., SpeechCache], engine: Recording) -> None:
    cache = make()
    first, problem = fetched(cache, "hello")
    again, _ = fetched(cache, "hello")
    assert problem == "" and first is not None and again is first
    assert cache.get("hello", Voice()) is first
    assert engine.rendered == ["hello"]


def test_every_part_of_the_voice_makes_it_another_line(
    make: Callable[..., SpeechCache], engine: Recording
) -> None:
    cache = make()
    voices = [Voice(), Voice(rate=200), Voice(pitch=1), Voice(volume=0.5), Voice(name="x")]
    for voice in voices:
        fetched(cache, "hello", voice)
    assert len(engine.rendered) == len(voices)


def test_a_line_that_is_needed_goes_before_lines_that_may_be(
    make: Callable[..., SpeechCache], engine: Recording
) -> None:
    cache = make()
    engine.may_go.clear()
    cache.prepare([(name, Voice()) for name in ("a", "b", "c", "a")])
    told = threading.Event()
    cache.fetch("now", Voice(), lambda _result: told.set())
    engine.may_go.set()
    assert told.wait(limit(5))
    assert fetched(cache, "c")[0] is not None
    assert engine.rendered.index("now") <= 1
    assert sorted(engine.rendered) in (["a", "b", "c", "now"], ["a", "c", "now"])


def test_until_its_engine_has_started_nothing_is_made_ahead_and_no_substitute_is_kept(
    make: Callable[..., SpeechCache], engine: Recording
) -> None:
    engine.starting = True
    cache = make()
    cache.prepare([("ahead", Voice())])
    assert fetched(cache, "now")[0] is not None
    assert engine.rendered == ["now"] and cache.get("now", Voice()) is None
    engine.starting = False
    until(lambda: cache.get("ahead", Voice()) is not None)
    assert fetched(cache, "now")[0] is not None
    assert engine.rendered.count("now") == 2 and cache.get("now", Voice()) is not None


def test_an_engine_that_cannot_tell_whether_it_has_started_costs_no_line(
    make: Callable[..., SpeechCache], engine: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(text: str, voice: Voice) -> bool:
        raise SynthesiserError(FaultCode.VOICE_CLOSED)

    monkeypatch.setattr(engine, "is_ready", closed)
    cache = make()
    cache.prepare([("ahead", Voice())])
    until(lambda: cache.get("ahead", Voice()) is not None)
    assert fetched(cache, "now")[0] is not None


def test_a_newer_outlook_replaces_the_older(
    make: Callable[..., SpeechCache], engine: Recording
) -> None:
    cache = make()
    engine.may_go.clear()
    cache.prepare([(str(number), Voice()) for number in range(100)])
    cache.prepare([("new", Voice())])
    engine.may_go.set()
    assert fetched(cache, "last")[0] is not None
    fetched(cache, "new")
    assert len(engine.rendered) <= 3


@pytest.mark.parametrize(
    ("text", "sentence"), [("bad", "refused a line"), ("worse", "failed (RuntimeError)")]
)
def test_a_line_that_fails_is_told_and_the_next_is_rendered(
    make: Callable[..., SpeechCache], text: str, sentence: str
) -> None:
    cache = make()
    cache.prepare([(text, Voice())])
    sound, problem = fetched(cache, text)
    assert sound is None and sentence in problem
    assert fetched(cache, "fine")[0] is not None


def test_a_listener_that_fails_does_not_end_the_worker(make: Callable[..., SpeechCache]) -> None:
    def fail(_result: Pcm | SynthesiserError) -> None:
        raise ZeroDivisionError

    cache = make()
    cache.fetch("hello", Voice(), fail)
    assert fetched(cache, "again")[0] is not None


def test_memory_is_bounded_and_what_was_used_lately_stays(
    make: Callable[..., SpeechCache],
) -> None:
    cache = make(memory=6_000)
    for text in ("a", "b", "c"):
        fetched(cache, text)
    cache.get("a", Voice())
    fetched(cache, "d")
    kept = [text for text in "abcd" if cache.get(text, Voice()) is not None]
    assert kept == ["a", "c", "d"]


def test_closing_tells_those_who_wait(make: Callable[..., SpeechCache], engine: Recording) -> None:
    cache = make()
    engine.may_go.clear()
    told: list[Pcm | SynthesiserError] = []
    cache.fetch("first", Voice(), told.append)
    cache.fetch("second", Voice(), told.append)
    cache.close()
    texts = [english(one) for one in told if isinstance(one, SynthesiserError)]
    assert len(told) == 2 and "The voice has been closed." in texts
    assert fetched(cache, "late")[1] == "The voice has been closed."


def test_the_disk_keeps_lines_for_another_evening(
    make: Callable[..., SpeechCache], engine: Recording, tmp_path: Path
) -> None:
    first, _ = fetched(make(SpeechStore(tmp_path)), "hello")
    again, _ = fetched(make(SpeechStore(tmp_path)), "hello")
    assert first is not None and again is not None and np.array_equal(first, again)
    assert engine.rendered == ["hello"]


@pytest.mark.parametrize("damage", ["cut", "empty", "rubbish", "folder"])
def test_a_damaged_file_is_rendered_again(
    make: Callable[..., SpeechCache], engine: Recording, tmp_path: Path, damage: str
) -> None:
    fetched(make(SpeechStore(tmp_path)), "hello")
    (path,) = tmp_path.glob("*.wav")
    whole = path.read_bytes()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    else:
        path.write_bytes({"cut": whole[:-7], "empty": b"", "rubbish": b"RIFFrubbish"}[damage])
    sound, problem = fetched(make(SpeechStore(tmp_path)), "hello")
    assert problem == "" and sound is not None and sound.size == 1000
    assert engine.rendered == ["hello", "hello"]
    assert damage == "folder" or path.read_bytes() == whole


def test_a_disk_that_takes_nothing_is_no_trouble(
    make: Callable[..., SpeechCache], tmp_path: Path
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    assert fetched(make(SpeechStore(blocked / "cache")), "hello")[0] is not None


def test_the_folder_is_bounded(tmp_path: Path) -> None:
    store = SpeechStore(tmp_path)
    for number in range(5):
        store.save("e", str(number), Voice(), np.ones(1000, np.int16))
    SpeechStore(tmp_path, limit=5_000)
    assert len(list(tmp_path.glob("*.wav"))) == 2


def test_what_cannot_be_kept_is_told_once_and_spoken_all_the_same(
    make: Callable[..., SpeechCache], tmp_path: Path
) -> None:
    (tmp_path / "speech").write_text("no folder")
    told: list[SynthesiserError] = []
    cache = make(SpeechStore(tmp_path / "speech", fault=told.append))
    assert fetched(cache, "one")[0] is not None and fetched(cache, "two")[0] is not None
    assert [english(fault) for fault in told] == [
        "Spoken lines cannot be kept for later: it exists already. They are made again each time."
    ]
