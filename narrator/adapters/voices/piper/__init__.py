"""Piper, for a person's own voice file."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from narrator.ports.engines import VoiceEngine

SUFFIX = ".onnx"
"""How the name of a voice ends that is a file of Piper's."""


def _problem() -> str:
    if find_spec("piper") is None:
        return "The voice Piper is not installed. Install it with: pip install 'narrator[piper]'."
    return ""


def _version() -> str:
    try:
        return version("piper-tts")
    except PackageNotFoundError:
        return ""


ENGINE = VoiceEngine(
    name="piper",
    languages=(),
    licence="of the voice's file",
    changes=frozenset({"rate"}),
    rank=0,  # it speaks only where a voice's file is named
    target="narrator.adapters.voices.piper.synthesiser:PiperSynthesiser",
    problem=_problem,
    version=_version,
    claims=lambda voice: voice.endswith(SUFFIX),
    patience=15.0,
    start=30.0,
    sentence_by_sentence=True,
)
