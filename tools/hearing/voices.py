"""Part `voices`: real people's digits and words among 27 words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from narrator.language.grammar.automaton import Arc, Automaton
from narrator.ports.audio import MIC_RATE
from narrator.ports.recognition import Recogniser
from tools.hearing.places import Heard, Listener, taken_for
from tools.hearing.sounds import (
    BEFORE,
    CLEAN,
    NOISES,
    Clip,
    Condition,
    air,
    clips,
    recording,
    talkers,
)
from tools.hearing.store import Result, Store, per_cent, table

DIGITS = "zero one two three four five six seven eight nine".split()
COMMANDS = "yes no stop go up down left right on off repeat help pause undo next back".split()
EVERY = 15
"""Every so many-th recording is heard in noise and across the room; all of them clean and near."""
CONDITIONS = [
    Condition(c.noise, c.snr, far) for far in (False, True) for c in (CLEAN, *NOISES)
]  # fmt: skip
KNOWN = ("digit", "word", "digit, 8 kHz")
_HEARD = 0.5
"""Seconds of a recording in which nothing can have been heard of it to its end."""


def words() -> Automaton:
    """Return the grammar of 27 words, digits in figures too."""
    written = tuple(Arc(str(value), 1, True) for value in range(10))
    spoken = tuple(Arc(word, 1) for word in [*DIGITS, "oh", *COMMANDS])
    return Automaton((spoken + written, ()), frozenset({1}))


def measure(recogniser: Recogniser, store: Store) -> None:
    """Hear them all and print what became of them."""
    everybody = clips()
    if not everybody:
        print("Skipped: there are no recordings of real people; NARRATOR_VOICES tells where.\n")
        return
    listener = Listener(recogniser, words(), "number")
    print(
        f"Real people, each recording through detector, endpoint and rejection; 27 words to choose "
        f"from, kind `number`. In noise and at 2 m every {EVERY}th recording. Babble: six other "
        "people of the same recordings.\n"
    )
    head = ("condition", "recordings", "clips", "right", "wrong", "of them others' talk",
            "asked again or ignored", "not noticed", "best guess right")  # fmt: skip
    rows = []
    for condition in CONDITIONS:
        some = everybody if condition == CLEAN else everybody[::EVERY]
        for name, kinds in _groups(condition):
            chosen = [clip for clip in some if clip.kind in kinds]
            results = [hear(listener, store, clip, condition) for clip in chosen]
            rows.append((condition, name, *_cells(chosen, results, listener, recogniser.name)))
    table(head, rows)


def _groups(condition: Condition) -> list[tuple[str, tuple[str, ...]]]:
    """Return the rows of a condition: where few are heard all answers are one."""
    others = [("other word", ("other word",)), ("noise", ("noise",))]
    if condition == CLEAN:
        return [*((kind, (kind,)) for kind in KNOWN), *others]
    return [("digit or word", KNOWN), *others[:1]]


def hear(listener: Listener, store: Store, clip: Clip, condition: Condition) -> Result:
    """Return what was heard of a recording."""
    seed = sum(clip.file.encode())
    others = () if condition.noise != "babble" else talkers(clip.speaker, seed)
    return store.get(
        f"{clip.file} {condition}",
        lambda: listener.hear(air(recording(clip.file), condition, seed, others)),
    )


def _cells(
    chosen: Sequence[Clip], results: Sequence[Result], listener: Listener, engine: str
) -> tuple[object, ...]:
    counts: Counter[str] = Counter(clips=len(chosen))
    known = all(clip.kind in KNOWN for clip in chosen)
    for clip, found in zip(chosen, results, strict=True):
        wanted = listener.means(clip.text) if known else ("", "")
        became, heard = taken_for(found, wanted, engine)
        counts[became] += 1
        counts["top"] += any(is_right(one, wanted) for one in heard[:1])
        counts["others"] += became == "wrong" and _is_elsewhere(heard[-1], clip)
    total = counts["clips"]
    top = per_cent(counts["top"], total - counts["unnoticed"])
    return (
        total, per_cent(counts["right"], total) if known else "", per_cent(counts["wrong"], total),
        counts["others"], per_cent(counts["asked"] + counts["ignored"], total),
        counts["unnoticed"], top if known else "",
    )  # fmt: skip


def _is_elsewhere(heard: Heard, clip: Clip) -> bool:
    """Whether an utterance was over before the recording began, or began after it."""
    ends = BEFORE + len(recording(clip.file)) / MIC_RATE
    return heard.end < BEFORE + _HEARD or heard.start >= ends


def is_right(heard: Heard, wanted: tuple[str, str]) -> bool:
    """Whether it means what was said, sure enough or not."""
    return (heard.intent, heard.value) == wanted
