"""Piper, a neural voice from a local file; an extra: `pip install narrator[piper]`.

It is meant to run in a child process. Nothing is ever downloaded: a voice is
an `.onnx` file with its `.onnx.json` beside it, named by its path.
"""

from __future__ import annotations

from os.path import expanduser
from pathlib import Path
from typing import Any

import numpy as np

from narrator.adapters.voices.piper import SUFFIX
from narrator.audio.resampling import resampled
from narrator.files.bounded import parse_json, read_text
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice, VoiceInfo

NORMAL_RATE = 165
"""Words a minute at which a voice speaks as it was made."""
_KEPT = 3
_ONSET_LEVEL = 200
_KEEP_BEFORE_ONSET = round(0.004 * SPEAKER_RATE)
_BETWEEN = round(0.25 * SPEAKER_RATE)
"""Samples of silence between two sentences."""


class PiperSynthesiser:
    """Speaks with Piper; one thread only. Pitch is the voice's own."""

    name = "piper"

    def __init__(self) -> None:
        """Load the library. Raises SynthesiserError where it is missing."""
        try:
            import piper
        except (ImportError, OSError) as error:
            raise SynthesiserError(FaultCode.PIPER_MISSING) from error
        self._piper: Any = piper
        self._loaded: dict[str, Any] = {}

    def render(self, text: str, voice: Voice) -> Pcm:
        """Return the line at SPEAKER_RATE; its onset is within 4 ms of sample 0.

        Raises SynthesiserError where the voice's file is missing or no voice.
        """
        if not text.strip():
            return np.zeros(0, np.int16)
        engine = self._engine(voice.name)
        scale = NORMAL_RATE / min(450, max(80, voice.rate))
        settings = self._piper.SynthesisConfig(length_scale=scale * _own_scale(engine))
        parts: list[Pcm] = []
        for chunk in engine.synthesize(text.replace("\0", " "), syn_config=settings):
            pcm = np.asarray(chunk.audio_int16_array, np.int16).reshape(-1)
            sound = resampled(pcm, int(chunk.sample_rate), SPEAKER_RATE)
            parts += [np.zeros(_BETWEEN, np.int16), sound] if parts else [sound]
        return _without_leading_silence(np.concatenate(parts) if parts else np.zeros(0, np.int16))

    def voices(self) -> list[VoiceInfo]:
        """List nothing: a voice is a file that only the person knows."""
        return []

    def close(self) -> None:
        """Forget the voices."""
        self._loaded.clear()

    def _engine(self, name: str) -> Any:
        if name not in self._loaded:
            while len(self._loaded) >= _KEPT:
                self._loaded.pop(next(iter(self._loaded)))
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Any:
        """Load a voice on one thread: with several it is slower where the computer is busy."""
        model = Path(expanduser(name))
        described = model.with_name(f"{model.name}.json")
        for path in (model, described):
            if model.suffix != SUFFIX or not path.is_file():
                raise SynthesiserError(FaultCode.PIPER_VOICE_MISSING, path=str(path))
        try:
            import onnxruntime as runtime
            from piper.config import PiperConfig

            options = runtime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            # Improving the graph takes three times as long as loading it, and speeds up nothing.
            options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
            session = runtime.InferenceSession(
                str(model), sess_options=options, providers=["CPUExecutionProvider"]
            )
            told = parse_json(read_text(described))
            return self._piper.PiperVoice(session=session, config=PiperConfig.from_dict(told))
        except Exception as error:  # a file that is no voice fails in as many ways as there are
            raise SynthesiserError(
                FaultCode.PIPER_VOICE_UNUSABLE, path=str(model), kind=type(error).__name__
            ) from error


def _own_scale(engine: Any) -> float:
    """Return how slowly the voice was made to speak."""
    return float(getattr(engine.config, "length_scale", 1.0) or 1.0)


def _without_leading_silence(sound: Pcm) -> Pcm:
    loud = np.flatnonzero(np.abs(sound.astype(np.int32)) > _ONSET_LEVEL)
    return sound[max(0, int(loud[0]) - _KEEP_BEFORE_ONSET) :] if loud.size else sound
