"""What every synthesiser must do, asked of each real engine there is here."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Protocol

import numpy as np
import pytest

from narrator.adapters.voices.child.process import ChildSynthesiser
from narrator.app.wiring.registry import voices
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.engines import VoiceEngine
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Synthesiser, Voice, VoiceInfo
from narrator.speaking.countdown import onset
from tests.patience import limit
from tests.told import refused

pytestmark = [pytest.mark.unit, pytest.mark.engine]

SENTENCE = "Night, all eyes closed; keep your hands by your own token — don't move!"


class Speaking(Synthesiser, Protocol):
    def voices(self) -> list[VoiceInfo]: ...


SPEAKERS = [engine for engine in voices() if engine.rank]
"""Those that speak without a voice of their own being named."""


@pytest.fixture(scope="module", params=SPEAKERS, ids=lambda engine: engine.name)
def described(request: pytest.FixtureRequest) -> VoiceEngine:
    engine: VoiceEngine = request.param
    return engine


@pytest.fixture(scope="module")
def engine(described: VoiceEngine) -> Iterator[Speaking]:
    if problem := described.problem():
        pytest.skip(problem)
    made = ChildSynthesiser(described.target, described.name, described.patience, described.start)
    try:
        made.render("Ready.", Voice())
    except SynthesiserError as error:
        pytest.skip(str(error))
    yield made
    made.close()


def seconds(sound: Pcm) -> float:
    """Return the length without the silence at the end, which differs between engines."""
    loud = np.flatnonzero(np.abs(sound.astype(int)) > 200)
    return float(loud[-1] + 1) / SPEAKER_RATE if loud.size else 0.0


def test_a_line_is_sound_that_begins_at_once(engine: Speaking) -> None:
    sound = engine.render(SENTENCE, Voice())
    assert sound.dtype == np.int16 and sound.ndim == 1
    assert 3 < seconds(sound) < 8
    assert np.abs(sound.astype(int)).max() > 5000
    assert onset(sound) < 0.03 * SPEAKER_RATE


def test_the_rate_is_followed_at_once(engine: Speaking) -> None:
    rates = [80, 450, 120, 165, 300, 80]
    lengths = [seconds(engine.render(SENTENCE, Voice(rate=rate))) for rate in rates]
    assert np.argsort(lengths, kind="stable").tolist()[:4] == [1, 4, 3, 2]
    assert lengths[0] == pytest.approx(lengths[5], rel=0.03)


def test_the_volume_is_followed_and_comes_back_from_nothing(engine: Speaking) -> None:
    def peak(volume: float) -> int:
        return int(np.abs(engine.render("Vote now.", Voice(volume=volume)).astype(int)).max())

    full, half, none, again = (peak(v) for v in (1.0, 0.5, 0.0, 1.0))
    assert none == 0
    assert half < 0.7 * full
    assert again == pytest.approx(full, rel=0.1)


def test_a_rate_beyond_the_scale_is_kept_within_it(engine: Speaking) -> None:
    slowest = seconds(engine.render("Vote now.", Voice(rate=80)))
    assert seconds(engine.render("Vote now.", Voice(rate=1))) == pytest.approx(slowest, rel=0.05)


def test_other_voices_and_languages_sound_different(
    engine: Speaking, described: VoiceEngine
) -> None:
    if described.languages:
        pytest.skip("This engine speaks the languages it names only.")
    english = engine.render("Nacht", Voice())
    german = engine.render("Nacht", Voice(language="de"))
    assert abs(seconds(english) - seconds(german)) > 0.01
    variant = engine.render("Nacht", Voice(name="gmw/en-us+f3"))
    assert not np.array_equal(variant[:2000], english[:2000])


def test_an_unknown_voice_is_refused_with_near_ones_and_the_next_line_is_spoken(
    engine: Speaking, described: VoiceEngine
) -> None:
    if described.languages:
        pytest.skip("This engine has the voices it names only.")
    with refused(SynthesiserError, match=r"no voice `gmw/en-uss`.*gmw/en-us"):
        engine.render("Hello.", Voice(name="gmw/en-uss"))
    assert seconds(engine.render("Hello.", Voice())) > 0.2


def test_the_voices_have_ids_that_can_be_chosen(engine: Speaking, described: VoiceEngine) -> None:
    wanted = described.languages[0] if described.languages else "de"
    fitting = [info for info in engine.voices() if info.language.startswith(wanted)]
    assert fitting
    assert seconds(engine.render("Hallo.", Voice(name=fitting[0].id))) > 0.2


def test_it_describes_itself(described: VoiceEngine) -> None:
    assert described.name.isidentifier() and described.licence
    assert described.changes <= {"rate", "pitch", "volume", "variant"}
    assert described.speaks("en") and described.version() == described.version()


@pytest.mark.parametrize("mark", list(",;!'—.?:"))
def test_nothing_is_cut_off_at_a_mark(engine: Speaking, mark: str) -> None:
    whole = seconds(engine.render(f"Close your eyes{mark} and open your hands", Voice()))
    first = seconds(engine.render("Close your eyes", Voice()))
    second = seconds(engine.render("and open your hands", Voice()))
    assert whole > 0.85 * (first + second)


def test_a_long_text_comes_out_whole(engine: Speaking) -> None:
    part = "The informants open their eyes, look at each other, and remember who is who. "
    one = seconds(engine.render(part, Voice()))
    assert seconds(engine.render(part * 25, Voice())) > 25 * one


def test_fifty_lines_in_a_row_are_all_spoken(engine: Speaking) -> None:
    lengths = [seconds(engine.render(f"Seat {number}.", Voice(rate=400))) for number in range(50)]
    assert min(lengths) > 0.15


def test_nothing_to_say_is_no_sound(engine: Speaking) -> None:
    assert seconds(engine.render("", Voice())) == 0
    assert seconds(engine.render(" \n", Voice())) == 0


def test_odd_characters_are_no_danger(engine: Speaking) -> None:
    sound = engine.render("<b>Ana</b> & [[oops]] \0 \u200d 🎲 Siobhán \ud800 won", Voice())
    assert seconds(sound) > 0.5


def test_lines_from_many_threads_are_each_spoken_whole(engine: Speaking) -> None:
    expected = seconds(engine.render(SENTENCE, Voice()))
    lengths: list[float] = []

    def speak() -> None:
        for _ in range(5):
            lengths.append(seconds(engine.render(SENTENCE, Voice())))

    threads = [threading.Thread(target=speak) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(limit(30))
    assert len(lengths) == 20
    assert min(lengths) == pytest.approx(expected, rel=0.05)
    assert max(lengths) == pytest.approx(expected, rel=0.05)
