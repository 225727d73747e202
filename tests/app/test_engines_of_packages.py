"""An engine is added by one folder: an installed package that brings what hears, or what speaks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from narrator.app.games import load_game
from narrator.app.names import known_words, lexicon_of
from narrator.app.rehearse import Plan, rehearse_in_sound
from narrator.app.wiring import registry
from narrator.app.wiring.configuration import load_configuration
from narrator.app.wiring.engines import engine_of, make_recogniser, make_synthesiser
from narrator.cli.main import main
from narrator.config.settings import Settings
from narrator.config.sources import ConfigurationError
from narrator.core.values import Seat
from narrator.language.rejection import accept
from narrator.ports.errors import RecogniserError
from narrator.ports.recognition import Hypothesis
from narrator.ports.speech import Voice
from narrator.simulation.simulated_players import Line
from tests.told import refused

HEARS = '''
"""Whisper under another name, believed only where it is surer, and for English alone."""
from dataclasses import replace
from narrator.adapters.recognisers.whisper import ENGINE as WHISPER
from narrator.language.names.check import Lexicon
from narrator.language.rejection import Thresholds, pair
from narrator.ports.recognition import Traits

TRAITS = Traits(True, Thresholds(pair((0.0, 0.5), (0.4, 0.8), -0.8, 0.5)))

def make(model):
    recogniser = WHISPER.make(model)
    recogniser.name, recogniser.traits = "parrot", TRAITS
    return recogniser

ENGINE = replace(
    WHISPER, name="parrot", rank=1, traits=TRAITS, make=make, models=lambda folders: (),
    lexicon=lambda model, sounds: Lexicon(lambda word: word != "zebra", lambda name: ("zeebra",)),
)
'''
SPEAKS = '''
"""eSpeak with a small voice of its own."""
from dataclasses import replace
from narrator.adapters.voices.espeak.synthesiser import EspeakSynthesiser
from narrator.ports.engines import VoiceEngine
from narrator.ports.speech import VoiceInfo

class Squeak:
    name = "squeak"
    def __init__(self):
        self.engine = EspeakSynthesiser()
    def render(self, text, voice):
        return self.engine.render(text, replace(voice, name="en-us+f5", pitch=80))
    def voices(self):
        return [VoiceInfo("mouse", "en-us", "Mouse")]
    def close(self):
        pass

ENGINE = VoiceEngine(
    name="squeak", languages=("en",), licence="MIT", changes=frozenset({"rate", "volume"}),
    rank=1, target="squeak_voice:Squeak", problem=lambda: "", version=lambda: "3.1",
    claims=lambda voice: voice == "mouse", voices=("mouse",),
)
'''
GAME = """
narrator: 1
title: Two Questions
players: {min: 2, max: 4}
phases:
  talk:
    steps:
      - say: Good evening.
      - ask: Are you ready?
        answer: yes/no
        into: sure
"""


def package(folder: Path, name: str, source: str, group: str, point: str) -> None:
    """Write an importable package with its metadata, as an installer would."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(source, encoding="utf-8")
    told = folder / f"{name}-1.0.dist-info"
    told.mkdir()
    told.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    told.joinpath("entry_points.txt").write_text(f"[{group}]\n{point}\n")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr("narrator.app.wiring.engines.MODELS", tmp_path / "none")
    yield folder
    registry.forget()
    for name in ("parrot_ear", "squeak_voice"):
        sys.modules.pop(name, None)


@pytest.fixture
def parrot(shelf: Path) -> Path:
    package(shelf, "parrot_ear", HEARS, "narrator.recognisers", "parrot = parrot_ear:ENGINE")
    return shelf


@pytest.fixture
def squeak(shelf: Path) -> Path:
    package(shelf, "squeak_voice", SPEAKS, "narrator.voices", "squeak = squeak_voice:ENGINE")
    return shelf


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str, int]:
    with pytest.raises(SystemExit) as ended:
        main([*words])
    out, err = capsys.readouterr()
    return out, err, int(ended.value.code or 0)


@pytest.mark.unit
def test_a_recogniser_is_one_folder(parrot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load_configuration({"engine": "parrot"}, environment={}).settings.engine == "parrot"
    assert "parrot" in run(capsys, "names", "--help")[0]
    out, _, code = run(capsys, "names", "Robert", "Zebra", "--engine", "parrot")
    assert code == 1 and "zeebra" in out
    assert not lexicon_of("parrot", "", "en").knows("zebra")
    out, _, _ = run(capsys, "doctor", "--json")
    told = [finding["told"] for finding in json.loads(out)]
    assert any(line.startswith("parrot does not hear: another was chosen") for line in told)
    engine = next(e for e in registry.recognisers() if e.name == "parrot")
    sure = Hypothesis("ben", score=-0.3, margin=3.0)  # Whisper's own thresholds let a name pass so
    assert accept(engine.traits.thresholds, "seat", sure).state == "unclear"


@pytest.mark.model
def test_what_a_package_brings_hears_and_speaks_a_game(
    parrot: Path, squeak: Path, tmp_path: Path
) -> None:
    script = tmp_path / "game.yaml"
    script.write_text(GAME, encoding="utf-8")
    seats = [Seat(1, "Robert"), Seat(2, "Julia")]
    try:
        make_recogniser("parrot", "", "en").close()
    except RecogniserError as fault:
        pytest.skip(f"The English speech model is not installed: {fault.message}")
    plan = Plan(seats, lines=[Line("yes")], engine="parrot", program=Settings(voice="mouse"))
    report, stage = rehearse_in_sound(load_game(str(script)), plan)
    assert report.ended == "complete" and not report.faults
    (answer,) = report.answers
    assert set(answer.heard.split()) == {"yes"}  # engine "parrot", which is Whisper underneath
    spoken = np.concatenate(stage.record)
    usual, _ = rehearse_in_sound(
        load_game(str(script)), Plan(seats, lines=[Line("yes")], program=Settings(voice="en"))
    )
    assert usual.ended == "complete" and np.abs(spoken).max() > 1000


@pytest.mark.unit
def test_a_voice_is_one_folder(squeak: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert engine_of(Voice("mouse")).name == "squeak"
    out, _, _ = run(capsys, "voices", "--language", "en", "--json")
    assert "mouse" in [voice["id"] for voice in json.loads(out)]
    out, _, _ = run(capsys, "doctor", "--json")
    told = [finding["told"] for finding in json.loads(out)]
    assert any(line.startswith("squeak does not speak: another") for line in told)
    synthesiser = make_synthesiser(Voice("mouse"))
    try:
        assert synthesiser.name == "squeak"
        assert synthesiser.key("Hello.", Voice("mouse")) == "squeak 3.1"
        own = synthesiser.render("Hello.", Voice("mouse"))
        assert not np.array_equal(own, synthesiser.render("Hello.", Voice("en-us")))
    finally:
        synthesiser.close()


@pytest.mark.unit
@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import nothing_of_this_name", "it cannot be loaded (ModuleNotFoundError"),
        ("raise SystemError('two\\nlines')", "it cannot be loaded (SystemError: two lines)"),
        ("ENGINE = 5", "it is no RecogniserEngine"),
        ("other = 5", "it cannot be loaded (AttributeError"),
        (HEARS.replace('"parrot", rank', '"whisper", rank'), "the name whisper is taken"),
        (HEARS.replace('"parrot", rank', '"crow", rank'), "it calls itself crow"),
    ],
)
def test_a_broken_package_is_told_in_one_sentence_and_stops_nothing(
    shelf: Path, capsys: pytest.CaptureFixture[str], source: str, why: str
) -> None:
    package(shelf, "parrot_ear", source, "narrator.recognisers", "parrot = parrot_ear:ENGINE")
    (told,) = registry.problems()
    assert told.startswith("The engine parrot of the package parrot_ear is left out: ")
    assert why in told and "\n" not in told
    assert "whisper" in [engine.name for engine in registry.recognisers()]
    assert known_words("en") is not None
    out, _, _ = run(capsys, "doctor")
    assert told in out
    with refused(RecogniserError, match="The engine parrot cannot be loaded. See: narrator doctor"):
        make_recogniser("parrot", "", "en")


@pytest.mark.unit
def test_names_are_known_without_loading_anything(shelf: Path) -> None:
    package(
        shelf, "parrot_ear", "raise SystemExit(3)", "narrator.recognisers", "parrot = parrot_ear:E"
    )
    assert "parrot" in registry.recogniser_names()
    with pytest.raises(ConfigurationError, match="sphinx"):
        load_configuration({"engine": "sphinx"}, environment={})
    assert "SystemExit" in registry.problems()[0]
