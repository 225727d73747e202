"""A line in a test sounds the same, whatever was said before it: to the sample."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice
from tests.fresh_process import output_of
from tools.hearing import afresh

pytestmark = [pytest.mark.unit, pytest.mark.engine]

LINE = "Everybody, show me your tokens. Hush!"
VOICES = (Voice(), Voice("en-us+f3", "en", 145), Voice("ko", "ko", 150), Voice("en-us+whisper"))
HISTORIES = ((), ("yes",), ("Sssh, silence.", LINE, "task complete"))


@pytest.mark.parametrize("voice", VOICES, ids=lambda voice: voice.name or "usual")
def test_a_line_has_the_same_samples_after_every_history(voice: Voice) -> None:
    sounds = []
    for number, history in enumerate(HISTORIES):
        afresh._rendered.cache_clear()
        engine = afresh.EspeakAfresh()
        for text in history:
            assert engine.render(text, VOICES[number]).size > 2000
        sounds.append(engine.render(LINE, voice))
    assert sounds[0].size > 40_000
    assert all(np.array_equal(sound, sounds[0]) for sound in sounds)


def test_another_process_says_the_same() -> None:
    said = output_of(
        "from narrator.ports.speech import Voice\n"
        "from tools.hearing.afresh import EspeakAfresh\n"
        "engine = EspeakAfresh(); engine.render('no', Voice())\n"
        f"print(engine.render({LINE!r}, Voice()).tolist())"
    )
    assert said == str(afresh.EspeakAfresh().render(LINE, Voice()).tolist())


def test_a_caller_that_changes_the_sound_changes_no_other() -> None:
    engine = afresh.EspeakAfresh()
    engine.render("yes", Voice())[:] = 0
    assert np.abs(engine.render("yes", Voice()).astype(int)).max() > 1000


def test_an_unknown_voice_is_refused_and_the_next_line_is_spoken() -> None:
    engine = afresh.EspeakAfresh()
    with pytest.raises(SynthesiserError) as refused:
        engine.render("yes", Voice("en-uss"))
    assert "en-uss" in str(refused.value)
    assert engine.render("yes", Voice()).size > 2000


def test_no_test_listens_to_a_voice_that_depends_on_what_it_said_before() -> None:
    """Only tests of the voice itself may make it; all others take the one that is always new."""
    root = Path(__file__).resolve().parents[1]
    made = re.compile(r"\bEspeakSynthesiser\(")
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if path != Path(__file__) and made.search(path.read_text(encoding="utf-8"))
    }
    assert found == {
        "adapters/voices/test_espeak.py",
        "adapters/voices/test_espeak_phonemes.py",
        "app/test_engines_of_packages.py",
    }
