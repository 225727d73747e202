"""Measures the voices: what a recogniser makes of them, what they cost, when they begin.

    python -m tools.bench_voices [VOICE...]

A voice is named as in the setting `voice`. Whisper tiny.en writes down freely what it hears; of the
lines its word errors are counted, of names and letters how many are right.
"""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Sequence

import jiwer
import numpy as np

from narrator.adapters.voices.child.choice import ChosenSynthesiser
from narrator.app.games import load_game
from narrator.app.rehearse import Plan, rehearse_in_text
from narrator.app.wiring.engines import make_recogniser, make_synthesiser
from narrator.audio.resampling import resample
from narrator.core.values import Seat
from narrator.language.grammar.automaton import Automaton
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice

GAMES = ("one-night-revolution", "subtext", "detective-club", "one-missing-briefing")
PER_GAME = 15
SEATS = [Seat(n, name) for n, name in enumerate(("Robert", "Julia", "Benjamin", "Diana"), 1)]
NAMES = (
    "Chloe", "Siobhan", "Zoe", "Aoife", "Sean", "Anna", "Robert", "Julia", "Benjamin", "Diana",
    "Oliver", "Felix", "Sophie", "Lucas", "Emma", "Noah", "Mia", "Xavier", "Naomi", "Isaac",
)  # fmt: skip
SOUND_ALIKE = {
    "sean": {"shawn", "shaun"}, "zoe": {"zoey", "zooey"}, "chloe": {"khloe", "cloey"},
    "siobhan": {"shavon", "chevonne", "shevonne", "shivon"}, "aoife": {"eefa", "ifa", "efa"},
    "anna": {"ana"}, "lucas": {"lukas"}, "sophie": {"sophy"}, "isaac": {"isaak"}, "mia": {"maya"},
}  # fmt: skip
FREE = Automaton(((),), frozenset())
QUIET = 20
"""Of a sample: the noise around a sound."""


def lines() -> list[str]:
    """Return lines of the published games without digits, names or what is not in words."""
    found: list[str] = []
    for name in GAMES:
        loaded = load_game(name)
        seats = SEATS[: max(loaded.game.low, min(4, loaded.game.high))]
        report, _ = rehearse_in_text(loaded, Plan(seats, seed=1, patient=True))
        said = dict.fromkeys(spoken.text for spoken in report.spoken if spoken.who == "narrator")
        fitting = [
            text
            for text in said
            if 4 <= len(text.split()) <= 30
            and text[0].isupper()  # else it is a countdown
            and not re.search(r"\d", text)
            and not any(seat.name in text for seat in SEATS)
        ]
        found += fitting[:PER_GAME]
    return found


def plain(text: str) -> str:
    """Return a text's words in small letters."""
    return " ".join(re.sub(r"[^a-z' ]", " ", text.lower().replace("\u2019", "'")).split())


def written(recogniser: Recogniser, sound: Pcm) -> str:
    """Return what the recogniser writes down; once, where it falls into saying it again."""
    recogniser.expect(FREE, free=True)
    noise = np.random.default_rng(1).normal(0, QUIET, MIC_RATE // 2)
    whole = np.concatenate([noise, resample(sound, SPEAKER_RATE, MIC_RATE), noise])
    recogniser.accept(whole.astype(np.int16))
    words = plain(recogniser.finish().text).replace("color", "colour").split()
    for size in range(3, len(words) // 2 + 1):
        loop = words[:size] * (len(words) // size + 1)
        # The last word may be cut off where the recogniser's room ended.
        if words[:-1] == loop[: len(words) - 1]:
            return " ".join(words[:size])
    return " ".join(words)


def word_errors(
    recogniser: Recogniser, engine: ChosenSynthesiser, voice: Voice, texts: Sequence[str]
) -> float:
    """Return the part of the words that are written down wrong."""
    heard = [written(recogniser, engine.render(text, voice)) for text in texts]
    return float(jiwer.wer([plain(text) for text in texts], heard))


def names_right(recogniser: Recogniser, engine: ChosenSynthesiser, voice: Voice) -> list[str]:
    """Return the names that are written as they are said in a line."""
    right = []
    for name in NAMES:
        heard = set(written(recogniser, engine.render(f"It is {name}.", voice)).split())
        if heard & ({name.lower()} | SOUND_ALIKE.get(name.lower(), set())):
            right.append(name)
    return right


def children_seconds() -> float:
    """Return the processor seconds of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost(voice: Voice, texts: Sequence[str]) -> tuple[float, float, float, float]:
    """Return start to first sound, processor seconds a second, megabytes, and a line's wait."""
    before, begun = children_seconds(), time.perf_counter()
    engine = make_synthesiser(voice)
    engine.render("Ready.", voice)
    start = time.perf_counter() - begun
    engine.close()
    starting = children_seconds() - before
    engine = make_synthesiser(voice)
    engine.render("Ready.", voice)
    waits, seconds = [], 0.0
    before = children_seconds()
    for text in texts:
        begun = time.perf_counter()
        seconds += engine.render(text, voice).size / SPEAKER_RATE
        waits.append(time.perf_counter() - begun)
    engine.close()
    spent = children_seconds() - before - starting
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return start, spent / seconds, most, float(np.median(waits))


def main(names: Sequence[str]) -> None:
    """Print a row for each voice."""
    recogniser, texts = make_recogniser("whisper", "", "en"), lines()
    print(f"{len(texts)} lines, {sum(len(plain(t).split()) for t in texts)} words")
    for name in names or ("en-us", "heart"):
        voice = Voice(name)
        start, spent, most, wait = cost(voice, texts)
        engine = make_synthesiser(voice)
        slow = Voice(name, rate=132)
        usual, slower = (word_errors(recogniser, engine, v, texts) for v in (voice, slow))
        right = names_right(recogniser, engine, voice)
        engine.close()
        print(f"{name}: word errors {usual:.1%}, at 0.8 {slower:.1%}; names {len(right)} of 20,")
        print(f"  not: {', '.join(n for n in NAMES if n not in right)}")
        print(f"  {spent:.3f} CPU-s a second, {most:.0f} MB at most of any child,", end=" ")
        print(f"first sound {start:.2f} s after start, a line {1000 * wait:.0f} ms (median)")
    recogniser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
