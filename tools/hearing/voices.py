"""Part `voices`: real people's digits and words among 27 words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from narrator.language.automaton import Arc, Automaton
from narrator.ports import Recogniser
from tools.hearing.places import Heard, Listener, taken_for
from tools.hearing.sounds import CLEAN, NOISES, Clip, Condition, air, clips, recording, talkers
from tools.hearing.store import Result, Store, per_cent, table

DIGITS = "zero one two three four five six seven eight nine".split()
COMMANDS = "yes no stop go up down left right on off repeat help pause undo next back".split()
EVERY = 15
"""Every so many-th recording is heard in noise and across the room; all of them clean and near."""
CONDITIONS = [
    Condition(c.noise, c.snr, far) for far in (False, True) for c in (CLEAN, *NOISES)
]  # fmt: skip
KNOWN = ("digit", "word", "digit, 8 kHz")


def words() -> Automaton:
    """Give the grammar of 27 words, digits in figures too."""
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
    head = ("condition", "recordings", "clips", "right", "wrong", "asked again or ignored",
            "not noticed", "best guess right")  # fmt: skip
    rows = []
    for condition in CONDITIONS:
        some = everybody if condition == CLEAN else everybody[::EVERY]
        for kind in dict.fromkeys(clip.kind for clip in some):
            chosen = [clip for clip in some if clip.kind == kind]
            results = [hear(listener, store, clip, condition) for clip in chosen]
            rows.append(_row(condition, kind, chosen, results, listener, recogniser.name))
    table(head, rows)


def hear(listener: Listener, store: Store, clip: Clip, condition: Condition) -> Result:
    """Give what was heard of a recording."""
    seed = sum(clip.file.encode())
    others = () if condition.noise != "babble" else talkers(clip.speaker, seed)
    return store.get(
        f"{clip.file} {condition}",
        lambda: listener.hear(air(recording(clip.file), condition, seed, others)),
    )


def _row(
    condition: Condition,
    kind: str,
    chosen: Iterable[Clip],
    results: Iterable[Result],
    listener: Listener,
    engine: str,
) -> tuple[object, ...]:
    counts: Counter[str] = Counter()
    for clip, found in zip(chosen, results, strict=True):
        wanted = listener.means(clip.text) if kind in KNOWN else ("", "")
        became, heard = taken_for(found, wanted, engine)
        counts[became] += 1
        counts["clips"] += 1
        counts["top"] += any(is_right(one, wanted) for one in heard[:1])
    total = counts["clips"]
    refused = counts["asked"] + counts["ignored"]
    top = per_cent(counts["top"], total - counts["unnoticed"]) if kind in KNOWN else ""
    right = per_cent(counts["right"], total) if kind in KNOWN else ""
    return (condition, kind, total, right, per_cent(counts["wrong"], total),
            per_cent(refused, total), counts["unnoticed"], top)  # fmt: skip


def is_right(heard: Heard, wanted: tuple[str, str]) -> bool:
    """Tell whether it means what was said, sure enough or not."""
    return (heard.intent, heard.value) == wanted
