"""Players speak into the narrator's line, at a table where its own voice comes back as an echo."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from narrator.core.events import SpeechFinished, Transcript
from narrator.ports.errors import RecogniserError
from tests.device.interrupted import Scene, has_canceller
from tests.virtual_table import VirtualTable, require

pytestmark = pytest.mark.device

LINE = (
    "Once the night is over, everybody may speak. You may say stop, pause, repeat or skip"
    " while I talk. Whoever says stop will stop the game, and pause stops the timer."
    " Say repeat to hear it once more, and skip to go on. Now the others open their eyes."
)
LONGER = f"{LINE} {LINE}"


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Any]:
    require()
    made: list[Scene] = []

    def build(leak: float, **settings: Any) -> Scene:
        table.leak(leak)
        try:
            made.append(Scene(tmp_path, **settings))
        except RecogniserError as missing:
            pytest.skip(str(missing))
        made[-1].listen()
        made[-1].events(2.0)
        return made[-1]

    with VirtualTable() as table:
        yield build
        for one in made:
            one.close()


def transcripts(events: list[Any]) -> list[str]:
    found = [e.meaning for e in events if isinstance(e, Transcript)]
    return [meaning.intent if meaning else "unclear" for meaning in found]


def test_its_own_words_of_command_do_nothing_and_a_players_do(scene: Any) -> None:
    if not has_canceller():
        pytest.skip("The echo canceller is not installed: pip install 'narrator[echo]'.")
    it = scene(-6.0)
    it.say(1, LINE)
    events = it.events_until(SpeechFinished, 60)
    assert transcripts(events) == []
    assert SpeechFinished(1) in events, f"the line was said to its end: {it.told}"
    for words in ("stop", "pause", "repeat that"):
        heard: list[str] = []
        for _ in range(3):  # a person says it again, until the narrator obeys
            heard = heard or spoken_into_a_line(it, words)
        if not heard and is_too_busy():
            pytest.skip("So many programs run here that the sound system drops pieces of sound.")
        assert heard == [f"command:{words.split()[0]}"], it.told


def is_too_busy() -> bool:
    """Whether the echo moves about because sound is dropped; nothing is heard wrong then."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def spoken_into_a_line(it: Scene, words: str) -> list[str]:
    """Say something in the middle of a line, and return what was understood."""
    it.lines += 1
    it.say(it.lines + 1, LONGER)
    it.events(4)
    it.player(words)
    heard = transcripts(it.events_until(Transcript, 6))
    it.speech.hush()
    it.events(1)
    return heard


def test_without_a_canceller_the_echo_of_its_words_is_never_heard(scene: Any) -> None:
    it = scene(-6.0, barge_in="off")
    it.say(1, LINE)
    events = it.events_until(SpeechFinished, 60)
    assert transcripts(events) == []
    assert SpeechFinished(1) in events
    assert it.floor.times == 0


def test_a_key_press_silences_the_line_and_hears_what_is_said_then(scene: Any) -> None:
    it = scene(-6.0, barge_in="off", push_to_talk=True)
    it.say(1, LONGER)
    it.events(3)
    it.player("pause")
    assert transcripts(it.events(2)) == [], "nothing is heard without the key"
    it.hearing.talk()
    it.events(0.7)
    it.player("undo that")
    assert transcripts(it.events_until(Transcript, 8)) == ["command:undo"]
    it.speech.release()
    assert SpeechFinished(1) in it.events_until(SpeechFinished, 90), (
        "the line goes on and is said to its end"
    )
