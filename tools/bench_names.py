"""Which names are taken for each other, or for words of the game: tools/bench_names.py.

Pairs of names, and names against the words of the game, are spoken by eSpeak's voices and heard by
Whisper as at a table, at the steps of real games. Printed beside each is how far they are apart
by `narrator.language.names.phonetics`, so that its bounds can be fitted. How real people are heard
differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import soxr

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from narrator.adapters.voices.espeak.phonemes import EspeakPronouncer
from narrator.app.games import load_game
from narrator.app.hear import among_noise, find_step
from narrator.app.wiring.engines import make_ear, make_recogniser
from narrator.core.effects import Listen
from narrator.core.steps.preview import expected_at
from narrator.core.values import Seat, Value
from narrator.language.names.phonetics import difference, syllables
from narrator.listening.interpreter import Interpreter
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

VOICES = (
    Voice("en-us+m1", rate=150), Voice("en-us+f3", rate=150), Voice("en+m3", rate=165),
    Voice("en+f2", rate=140), Voice("en-us+m7", rate=170), Voice("en-us+f4", rate=160),
)  # fmt: skip
PAIRS = """
Jon John|Ana Anna|Marc Mark|Sara Sarah|Ben Jen|Ben Len|Ben Ken|Zoe Joey|Mia Nia|Tim Kim|Tim Jim
Ann Dan|Ann Anna|Jo Joe|Jo Zoe|Jo Bo|Dee Bea|Cy Di|Max Jack|Matt Pat|Lou Sue|Ron John|Rob Bob
Kate Nate|Jane Jean|Jan Jen|Eve Steve|Ivy Evie|Ella Emma|Ella Bella|Mila Lila|Hannah Anna
Maria Marie|Maria Mario|Mia Maria|Erin Aaron|Karen Erin|Harry Larry|Mary Harry|Kelly Ellie
Molly Polly|Danny Annie|Benny Jenny|Robin Ruben|Simon Simone|Daniel Danielle|Martin Marvin
Christina Christine|Alan Ellen|Oliver Olivia|Julia Julian|Robert Rupert|Gus Russ|Finn Quinn
Hal Al|Ivy Kim|Robert Julia|Oliver Cy|Xavier Savier|Peter Rita|Tara Zara|Leo Theo|Nora Laura
""".replace("\n", "|").strip("|").split("|")  # fmt: skip
NAMES = """
Bess Jess Noah Joe Flo Stu Scott Ben Ken Don Juan Kate Jack Rex Les Nell Hans Paul Skip Bo Ray Dunn
Nick Hal Hope Helen Robert Julia Oliver Anna Dee Cy Max Seth Ondine Redda
""".split()
QUESTIONS = (
    ("one-night-revolution", "votes-check/right"), ("subtext", "number/ask"),
    ("one-night-revolution", "setup/ready"),
)  # fmt: skip
WORDS = "yes|no|stop|back|next|skip|help|pause|repeat|undo|wait|resume|done|ready|nobody".split("|")
VOTE = ("one-night-revolution", "votes/ask")


ALIASES = (
    ("Siobhan", "Shivawn"), ("Niamh", "Neev"), ("Caoimhe", "Keeva"), ("Aoife", "Eefa"),
    ("Saoirse", "Seersha"), ("Tadhg", "Tige"), ("Joaquin", "Wakeen"), ("Xiomara", "Seeohmara"),
    ("Wojciech", "Voycheck"), ("Nguyen", "Win"),
)  # fmt: skip
"""Names whose spelling does not tell how they sound, with how they do."""


class Outcome(NamedTuple):
    """What one utterance was taken for."""

    meaning: str
    """`intent=value`; empty where it was not accepted."""
    text: str


class Bench:
    """An ear, and voices that say things to it."""

    def __init__(self) -> None:
        self._recogniser = make_recogniser("whisper", "", "en")
        self._voice = EspeakAfresh()
        self._pronouncer = EspeakPronouncer()

    def apart(self, first: str, second: str) -> float:
        return difference(*(self._pronouncer.phonemes(text, "en") for text in (first, second)))

    def phonemes(self, text: str) -> str:
        return self._pronouncer.phonemes(text, "en")

    def hear(
        self, text: str, names: Sequence[str], question: tuple[str, str], voices: Sequence[Voice]
    ) -> Iterator[Outcome]:
        """Say a text in every voice at a step of a game; return what each was taken for."""
        loaded = load_game(question[0])
        filled = [*names, *("Robert", "Oliver", "Gabriella", "Theodore")][: max(3, loaded.game.low)]
        seats = [_seat(number, name) for number, name in enumerate(filled, 1)]
        step = find_step(loaded.game, question[1])
        listen = Listen(1, expected_at(loaded.game, seats, step), step)
        understanding = Interpreter(seats, loaded.locale, self._recogniser.traits)
        ear = make_ear(self._recogniser)
        asked = next(e for e in listen.expectations if e.kind != "command")
        ear.expect(understanding.grammar(listen).automaton, asked.kind)
        for voice in voices:
            for block in _blocks(self._sound(text, voice)):
                for utterance in ear.hear(block):
                    found = understanding.heard(listen, utterance.hypothesis)
                    meaning = found.meaning if found else None
                    told = f"{meaning.intent}={_shown(meaning.value)}" if meaning else ""
                    yield Outcome(told, utterance.hypothesis.text)

    def close(self) -> None:
        self._recogniser.close()

    def _sound(self, text: str, voice: Voice) -> Pcm:
        said = self._voice.render(text, voice)
        heard: Pcm = soxr.resample(said, SPEAKER_RATE, MIC_RATE)
        return among_noise(heard, 0.6)


def _seat(number: int, name: str) -> Seat:
    """Read `Siobhan=Shivawn` as the command line does."""
    name, _, said = name.partition("=")
    return Seat(number, name, said, (said.lower(),) if said else ())


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nobody" if value is None else str(value)


def _blocks(sound: Pcm) -> Iterator[Pcm]:
    return (sound[at : at + BLOCK] for at in range(0, len(sound), BLOCK))


def pairs(bench: Bench, voices: Sequence[Voice]) -> None:
    """Print for each pair how often a name was heard right, accepted, or taken for the other."""
    print(f"{'pair':22} apart", "said", "on top", "accepted", "the other", sep="\t")
    for pair in sorted(PAIRS, key=lambda pair: bench.apart(*pair.split())):
        names = pair.split()
        counts: Counter[str] = Counter()
        for name in names:
            (other,) = set(names) - {name}
            for outcome in bench.hear(name, names, VOTE, voices):
                counts["said"] += 1
                counts["top"] += name.lower() in outcome.text.split()
                counts["right"] += outcome.meaning == f"answer={name}"
                counts["other"] += outcome.meaning == f"answer={other}"
        told = (counts[key] for key in ("said", "top", "right", "other"))
        print(f"{pair:22} {bench.apart(*names):5.2f}", *told, sep="\t", flush=True)


def words(bench: Bench, voices: Sequence[Voice]) -> None:
    """Print which names are taken for an answer or command where no name is asked for."""
    print("\nnames said where they are no answer, and what they were taken for")
    for name in NAMES:
        taken: Counter[str] = Counter()
        for question in QUESTIONS:
            for outcome in bench.hear(name, [name, "Robert", "Oliver"], question, voices):
                if outcome.meaning:
                    taken[outcome.text] += 1
        told = ", ".join(f"{t} {n} ({bench.apart(name, t):.2f})" for t, n in taken.most_common())
        size = syllables(bench.phonemes(name))
        print(f"{name:10} {size} {told or 'nothing'}", flush=True)


def commands(bench: Bench, voices: Sequence[Voice]) -> None:
    """Print which words are taken for a name that is at the table, where a name is asked for."""
    print("\nwords said where a name is asked for, among names that sound like them")
    for name in NAMES:
        near = sorted(WORDS, key=lambda word: bench.apart(name, word))[:1]
        for word in near:
            found = list(bench.hear(word, [name, "Robert", "Oliver"], VOTE, voices))
            taken = sum(outcome.meaning == f"answer={name}" for outcome in found)
            said = list(bench.hear(name, [name, "Robert", "Oliver"], VOTE, voices))
            right = sum(outcome.meaning == f"answer={name}" for outcome in said)
            wrong = sum(bool(o.meaning) for o in said) - right
            print(
                f"{name:10} {word:8} {bench.apart(name, word):.2f} word taken for the name {taken},"
                f" name accepted {right}, name taken for a word {wrong} of {len(said)}",
                flush=True,
            )


def aliases(bench: Bench, voices: Sequence[Voice]) -> None:
    """Print how often a name said as it sounds is heard, without an alias and with it."""
    print("\nnames said as they sound: accepted without an alias, and with it")
    for name, said in ALIASES:
        counts = [
            sum(o.meaning == f"answer={name}" for o in bench.hear(said, [seat], VOTE, voices))
            for seat in (name, f"{name}={said}")
        ]
        print(f"{name:10} {said:10} {counts[0]:2} {counts[1]:2} of {len(voices)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--voices", type=int, default=len(VOICES), help="how many speak")
    parser.add_argument("parts", nargs="*", default=["pairs", "words", "commands", "aliases"])
    chosen = parser.parse_args()
    bench = Bench()
    for part in chosen.parts:
        {"pairs": pairs, "words": words, "commands": commands, "aliases": aliases}[part](
            bench, VOICES[: chosen.voices]
        )
    bench.close()


if __name__ == "__main__":
    main()
