"""What every voice detector and echo canceller promises, asked of each real one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from narrator.adapters.sound.echo_canceller import WebRtcCanceller
from narrator.adapters.sound.vad import SileroDetector
from narrator.audio.resampling import resample
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, EchoCanceller, Pcm, VoiceDetector
from narrator.ports.errors import NarratorError
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

pytestmark = pytest.mark.unit

DETECTORS: dict[str, Callable[[], VoiceDetector]] = {"silero": SileroDetector}
CANCELLERS: dict[str, Callable[[], EchoCanceller]] = {"webrtc": WebRtcCanceller}


@pytest.fixture(scope="module")
def speech() -> Pcm:
    try:
        said = EspeakAfresh().render("The informants open their eyes and look.", Voice("en"))
    except NarratorError as fault:
        pytest.skip(str(fault))
    return resample(said, SPEAKER_RATE, MIC_RATE)


@pytest.fixture(params=DETECTORS)
def detector(request: pytest.FixtureRequest) -> VoiceDetector:
    try:
        return DETECTORS[request.param]()
    except NarratorError as fault:
        pytest.skip(str(fault))


@pytest.fixture(params=CANCELLERS)
def canceller(request: pytest.FixtureRequest) -> EchoCanceller:
    try:
        return CANCELLERS[request.param]()
    except NarratorError as fault:
        pytest.skip(str(fault))


def probabilities(detector: VoiceDetector, sound: Pcm) -> list[float]:
    whole = len(sound) // detector.frame * detector.frame
    return [detector.probability(frame) for frame in sound[:whole].reshape(-1, detector.frame)]


def test_speech_is_told_from_silence_and_noise(detector: VoiceDetector, speech: Pcm) -> None:
    noise = np.random.default_rng(1).normal(0, 300, 2 * MIC_RATE).astype(np.int16)
    for quiet in (np.zeros(2 * MIC_RATE, np.int16), noise):
        assert max(probabilities(detector, quiet)) < 0.5
        detector.reset()
    found = probabilities(detector, speech)
    assert all(0.0 <= one <= 1.0 for one in found)
    assert np.mean(np.array(found) > 0.5) > 0.5


def test_what_was_forgotten_does_not_count(detector: VoiceDetector, speech: Pcm) -> None:
    first = probabilities(detector, speech)
    detector.reset()
    assert probabilities(detector, speech) == pytest.approx(first, abs=1e-5)


def test_the_echo_becomes_faint_and_a_voice_alone_stays(
    canceller: EchoCanceller, speech: Pcm
) -> None:
    far = np.tile(speech, 6)
    echo = np.concatenate([np.zeros(MIC_RATE // 25, np.int16), (0.3 * far).astype(np.int16)])
    silence = np.zeros_like(far)

    def level(near: Pcm, played: Pcm) -> float:
        frame = canceller.frame
        count = min(len(near), len(played)) // frame
        out = [
            canceller.cancel(near[n * frame : (n + 1) * frame], played[n * frame : (n + 1) * frame])
            for n in range(count)
        ]
        assert all(part.dtype == np.int16 and part.size == frame for part in out)
        last = np.concatenate(out[-count // 3 :]).astype(float)
        return float(np.sqrt(np.mean(last**2)))

    heard = float(np.sqrt(np.mean(echo[-len(far) // 3 :].astype(float) ** 2)))
    assert level(echo, far) < 0.25 * heard
    assert level(far, silence) > 0.3 * float(np.sqrt(np.mean(far.astype(float) ** 2)))
