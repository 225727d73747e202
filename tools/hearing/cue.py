"""Part `cue`: the words that end a turn at night, and everything else that is said meanwhile."""

from __future__ import annotations

from collections import Counter

from narrator.ports.recognition import Recogniser
from tools.hearing.cost import hour
from tools.hearing.hours import leaking
from tools.hearing.places import STEPS, Place, taken_for
from tools.hearing.sounds import CLEAN, NOISES, SPEAKERS, Condition, air, spoken
from tools.hearing.store import Store, per_cent, table

TEXTS = ("task complete", "mission accomplished")
TALKERS = SPEAKERS[:12]
RATES = (120, 150, 185)


def measure(recogniser: Recogniser, store: Store) -> None:
    """Print misses within two tries."""
    place = Place(recogniser, *STEPS["phrase"])
    print(
        f"{len(TALKERS)} synthetic voices at {RATES} words a minute at a player's turn of One "
        "Night Revolution, its commands live; babble of sixteen eSpeak voices.\n"
    )
    head = ("condition", "phrase", "said", "at the first try", "within two tries", "taken wrong",
            "not noticed")  # fmt: skip
    table(head, [_row(place, store, c, t) for c in (CLEAN, *NOISES) for t in TEXTS[:1]])


def _row(place: Place, store: Store, condition: Condition, text: str) -> tuple[object, ...]:
    counts: Counter[str] = Counter()
    for number, voice in enumerate(TALKERS):
        for rate in RATES:
            outcomes = []
            for attempt in (1, 2):
                seed = 1000 * attempt + 10 * number + rate
                scene = air(spoken(text, voice, rate), condition, seed)
                key = f"{text} {condition} {voice} {rate} {attempt}"
                found = store.get(key, lambda scene=scene: place.hear(scene))  # type: ignore[misc]
                outcomes.append(taken_for(found, place.means(text), "whisper")[0])
                if outcomes[-1] == "right":
                    break
            counts["said"] += 1
            counts["first"] += outcomes[0] == "right"
            counts["second"] += "right" in outcomes
            counts["wrong"] += "wrong" in outcomes
            counts["unnoticed"] += outcomes[0] == "unnoticed"
    total = counts["said"]
    return (condition, text, total, per_cent(counts["first"], total),
            per_cent(counts["second"], total), counts["wrong"], counts["unnoticed"])  # fmt: skip


def false_cues(recogniser: Recogniser, store: Store, hours: Store) -> None:
    """Print how often something else was taken for an answer or command."""
    place = Place(recogniser, *STEPS["phrase"])
    talk = hour(hours)
    rows = [("talk of sixteen voices", f"{talk['seconds'] / 60:.0f} min", talk["heard"])]
    for decibels in (-6, -20):
        seconds, heard = store.get(f"leak {decibels}", lambda d=decibels: leaking(place, d))  # type: ignore[misc]
        rows.append((f"the narrator's own lines, leaking at {decibels} dB, gate open",
                     f"{seconds / 60:.0f} min", heard))  # fmt: skip
    told = []
    for name, length, heard in rows:
        states = [taken_for([one], ("", ""), recogniser.name)[0] for one in heard]
        wrong = [one["text"] for one, state in zip(heard, states, strict=True) if state == "wrong"]
        cues = [text for text in wrong if text in TEXTS]
        told.append((name, length, len(heard), len(cues), len(wrong), states.count("asked"),
                     ", ".join(sorted(set(wrong)))))  # fmt: skip
    head = ("sound", "length", "utterances", "false cues", "with commands", "asked again", "what")
    table(head, told)
