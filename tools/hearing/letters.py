"""Part `letters`: real people's letters and digits, near, in quiet."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from narrator.adapters.sound.files import read
from narrator.core.effects import Listen
from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.ports.audio import MIC_RATE
from narrator.ports.recognition import Recogniser
from narrator.script.files.locales import load_locale
from tools.hearing.places import Listener, Place, taken_for
from tools.hearing.sounds import CLEAN, air, voices_folder
from tools.hearing.store import Store, per_cent, table

A_TO_H, A_TO_Z = "ABCDEFGH", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Spoken(NamedTuple):
    """A recording of somebody's letter or digit."""

    file: str
    label: str
    kind: str
    speaker: str


class Letters(Place):
    """A question whose answer is one of some letters, or a number from 0 to 10."""

    def __init__(self, recogniser: Recogniser, letters: str) -> None:
        seats = [Seat(1, "Ana"), Seat(2, "Ben")]
        expected = (
            Expectation("letter", "letter", allowed=tuple(letters))
            if letters
            else Expectation("number", "number", low=0, high=10)
        )
        self.listen = Listen(1, (expected,), "letters/ask")
        understanding = Interpreter(seats, load_locale("en"), recogniser.traits)
        self.grammar = understanding.grammar(self.listen)
        self.asked = expected
        Listener.__init__(self, recogniser, self.grammar.automaton, expected.kind)


def spoken() -> list[Spoken]:
    """Return the recordings there are; NARRATOR_VOICES names the folder above theirs."""
    file = voices_folder() / "letters" / "letters.tsv"
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return [Spoken(r["file"], r["label"], r["kind"], r["speaker"]) for r in rows]


def is_for_fitting(speaker: str) -> bool:
    """Whether thresholds may be fitted on this speaker; figures are told of the others."""
    return sum(speaker.encode()) % 2 == 0


def measure(recogniser: Recogniser, store: Store) -> None:
    """Hear them all and print what became of them, for each half of the speakers."""
    people = spoken()
    if not people:
        print("Skipped: there are no recorded letters; NARRATOR_VOICES tells where.\n")
        return
    rows = []
    for name, letters in (("A to H", A_TO_H), ("A to Z", A_TO_Z), ("digits", "")):
        place = Letters(recogniser, letters)
        chosen = [
            s for s in people if (s.label.upper() in letters if letters else s.kind == "digit")
        ]
        for half in (True, False):
            some = [s for s in chosen if is_for_fitting(s.speaker) == half]
            rows.append(
                _row(name, "fitting" if half else "testing", some, place, store, recogniser)
            )
    table(("grammar", "speakers", "clips", "best guess right", "accepted right", "wrong",
           "asked again", "ignored", "not noticed", "taken for others"), rows)  # fmt: skip


def _row(
    name: str, half: str, some: Sequence[Spoken], place: Letters, store: Store, engine: Recogniser
) -> tuple[object, ...]:
    counts: Counter[str] = Counter()
    mixed: Counter[str] = Counter()
    for one in some:
        found = store.get(f"{name} {one.file}", lambda one=one: _hear(one, place))  # type: ignore[misc]
        wanted = place.means(one.label)
        became, heard = taken_for(found, wanted, engine.name)
        counts[became] += 1
        top = heard[0] if heard else None
        counts["top"] += top is not None and (top.intent, top.value) == wanted
        if top is not None and (top.intent, top.value) != wanted:
            mixed[f"{one.label} as {top.text or 'nothing'}"] += 1
    total = len(some)
    return (
        name, half, total, per_cent(counts["top"], total), per_cent(counts["right"], total),
        per_cent(counts["wrong"], total), per_cent(counts["asked"], total),
        per_cent(counts["ignored"], total), counts["unnoticed"],
        ", ".join(f"{what} {n}" for what, n in mixed.most_common(12)),
    )  # fmt: skip


def _hear(one: Spoken, place: Letters) -> list[dict[str, object]]:
    sound = read(voices_folder() / "letters" / one.file, MIC_RATE)
    return place.hear(air(sound, CLEAN, sum(one.file.encode())))
