"""Part `answers`: every kind of answer by synthetic voices, and talk where an answer is awaited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from narrator.core.expect import AnswerKind
from narrator.ports.recognition import Recogniser
from tools.hearing.places import STEPS, Heard, Place, taken_for
from tools.hearing.sounds import (
    CLEAN,
    SEED,
    SPEAKERS,
    Condition,
    air,
    clips,
    recording,
    spoken,
)
from tools.hearing.store import Result, Store, per_cent, table
from tools.hearing.talk import sentences

CONDITIONS = (CLEAN, Condition("babble", 10))
ANSWERS = 16
TALK = 12
REAL: dict[AnswerKind, tuple[str, ...]] = {
    "yesno": ("yes", "no"),
    "number": tuple("zero one two three four five six seven eight nine".split()),
}
"""Kinds for which there are real people's answers too."""


_SHARE = {("real", True): 3, ("words", True): 12, ("words", False): 2}
"""Every so many-th recording of a source, digits or not, is enough."""


class Said(NamedTuple):
    """Something that was said at a step, and what was heard."""

    kind: AnswerKind
    source: str
    """`synthetic` or `real` for an answer; `talk`, `words` or `noise` for what is none."""
    condition: Condition
    text: str
    wanted: tuple[str, str]
    found: Result
    ends: float
    """Seconds after which the voice is silent."""

    @property
    def first(self) -> Heard | None:
        return Heard(**self.found[0]) if self.found else None


def everything(recogniser: Recogniser, store: Store) -> Iterator[Said]:
    """Yield all that is said at the steps of `STEPS`, heard or remembered."""
    for kind, step in STEPS.items():
        place = Place(recogniser, *step)
        for condition in CONDITIONS:
            yield from _synthetic(place, kind, condition, store)
        yield from _talk(place, kind, store)
        if kind in REAL:
            yield from _real(place, kind, store)


def _synthetic(
    place: Place, kind: AnswerKind, condition: Condition, store: Store
) -> Iterator[Said]:
    texts = place.commands() if kind == "command" else place.answers(ANSWERS, SEED)
    for number in range(ANSWERS):
        text, voice = texts[number % len(texts)], SPEAKERS[number % len(SPEAKERS)]
        scene = air(spoken(text, voice), condition, number)
        key = f"{kind} {condition} {voice} {text}"
        found = store.get(key, lambda scene=scene: place.hear(scene))  # type: ignore[misc]
        yield Said(kind, "synthetic", condition, text, place.means(text), found, scene.ends)


def _talk(place: Place, kind: AnswerKind, store: Store) -> Iterator[Said]:
    for number, text in enumerate(islice(sentences(SEED + 1), TALK)):
        scene = air(spoken(text, SPEAKERS[number % len(SPEAKERS)]), CLEAN, number)
        found = store.get(f"{kind} talk {text}", lambda scene=scene: place.hear(scene))  # type: ignore[misc]
        yield Said(kind, "talk", CLEAN, text, ("", ""), found, scene.ends)


def _real(place: Place, kind: AnswerKind, store: Store) -> Iterator[Said]:
    for number, clip in enumerate(clips()):
        wanted = place.means(clip.text) if clip.text in REAL[kind] else ("", "")
        source = "real" if wanted[0] else "noise" if clip.kind == "noise" else "words"
        if source == "words" and place.means(clip.text)[0]:
            continue  # a command is no foreign word
        if number % _SHARE.get((source, clip.kind.startswith("digit")), 1):
            continue
        scene = air(recording(clip.file), CLEAN, number)
        found = store.get(f"{kind} {clip.file}", lambda scene=scene: place.hear(scene))  # type: ignore[misc]
        yield Said(kind, source, CLEAN, clip.text, wanted, found, scene.ends)


def measure(recogniser: Recogniser, store: Store) -> None:
    """Print what became of every kind of answer."""
    print(
        f"{ANSWERS} answers of each kind by {len(SPEAKERS)} synthetic voices at 150 words a minute "
        f"(seed {SEED}), at a step of a real game with its commands, five players; real people's "
        f"where there are any; {TALK} sentences of talk and real people's other words, none of "
        "which is an answer.\n"
    )
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    wrong = []
    for said in everything(recogniser, store):
        became, heard = taken_for(said.found, said.wanted, recogniser.name)
        row = counts.setdefault((said.kind, said.source, str(said.condition)), Counter())
        row[became] += 1
        if became == "wrong":
            wrong.append(f"{said.kind}, {said.condition}: {said.text!r} as {heard[-1].text!r}")
    head = ("kind", "who", "condition", "said", "right", "wrong", "asked again", "ignored",
            "not noticed")  # fmt: skip
    table(head, [(*key, *_cells(row)) for key, row in counts.items()])
    print("Accepted wrong:", "; ".join(wrong) or "nothing", "\n")


def _cells(row: Counter[str]) -> list[object]:
    total = row.total()
    named = ("right", "wrong", "asked")
    return [
        total,
        *(per_cent(row[name], total) for name in named),
        row["ignored"],
        row["unnoticed"],
    ]
