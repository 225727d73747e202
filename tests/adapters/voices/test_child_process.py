"""Whatever a voice's process does, it costs one line; the next is spoken."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from narrator.adapters.voices.child.process import ChildSynthesiser
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice
from tests.patience import limit
from tests.told import refused

pytestmark = pytest.mark.unit

BROKEN = "tests.adapters.voices.broken_voices"


@pytest.fixture
def moody() -> Iterator[ChildSynthesiser]:
    synthesiser = ChildSynthesiser(f"{BROKEN}:Moody", "moody", patience=0.5)
    yield synthesiser
    synthesiser.close()


@pytest.mark.parametrize(
    ("mood", "sentence"),
    [
        ("hang", "did not answer in time"),
        ("die", "stopped working"),
        ("garbage", "stopped working"),
        ("nothing", "gave no sound"),
        ("silence", "gave no sound"),
        ("endless", "did not stop after a line"),
        ("refuse", "refused a line. Try another voice."),
        ("fail", r"The voice failed \(RuntimeError\)"),
    ],
)
def test_a_bad_line_is_told_in_a_sentence_and_the_next_one_is_spoken(
    moody: ChildSynthesiser, mood: str, sentence: str
) -> None:
    for _ in range(2):
        with refused(SynthesiserError, match=sentence):
            moody.render(mood, Voice())
        assert moody.render("fine", Voice()).tolist() == [1234] * 2205


def test_what_an_engine_prints_does_not_disturb_the_sound(moody: ChildSynthesiser) -> None:
    assert moody.render("talk", Voice()).size == 2205


@pytest.mark.parametrize(
    ("engine", "sentence"),
    [
        ("NotInstalled", "eSpeak NG is not installed. Install it with"),
        ("Missing", "The voice failed"),
    ],
)
def test_an_engine_that_cannot_start_is_told_each_time(engine: str, sentence: str) -> None:
    synthesiser = ChildSynthesiser(f"{BROKEN}:{engine}", "broken", patience=0.5)
    try:
        for _ in range(2):
            with refused(SynthesiserError, match=sentence):
                synthesiser.render("fine", Voice())
    finally:
        synthesiser.close()


def test_an_engine_that_never_is_ready_is_given_up() -> None:
    synthesiser = ChildSynthesiser(f"{BROKEN}:NeverReady", "broken", start=0.5)
    try:
        with refused(SynthesiserError, match="did not start"):
            synthesiser.render("fine", Voice())
    finally:
        synthesiser.close()


def test_closing_ends_a_line_that_hangs_and_refuses_the_next() -> None:
    synthesiser = ChildSynthesiser(f"{BROKEN}:Moody", "broken", patience=60.0)
    synthesiser.render("fine", Voice())
    told: list[str] = []

    def hang() -> None:
        with pytest.raises(SynthesiserError) as caught:
            synthesiser.render("hang", Voice())
        told.append(str(caught.value))

    thread = threading.Thread(target=hang)
    thread.start()
    time.sleep(0.3)
    synthesiser.close()
    thread.join(limit(5))
    assert len(told) == 1
    with refused(SynthesiserError, match="closed"):
        synthesiser.render("fine", Voice())


def test_threads_take_turns(moody: ChildSynthesiser) -> None:
    moody.render("fine", Voice())
    sizes: list[int] = []
    threads = [
        threading.Thread(target=lambda: sizes.append(moody.render("fine", Voice()).size))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(limit(10))
    assert sizes == [2205] * 8
