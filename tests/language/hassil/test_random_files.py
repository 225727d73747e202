"""Whatever the format allows is loaded or told, soon and in little memory, and then understood."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
import yaml

from narrator.script.files.intents import IntentsFileError, load_intents
from tests.fresh_process import output_of
from tests.language.hassil.random_files import CONSTRUCTS, WRONG, RandomFile, random_file

FILES = 500
SECONDS = 5.0
"""Processor time that one file may take."""
MEGABYTES = 500
"""Memory of a process that has read them all."""
PLACE = re.compile(r"\.yaml:\d+:\d+: ")
SOME = """
import json, pathlib, tempfile
from tests.memory import peak
from tests.language.hassil.test_random_files import tried
with tempfile.TemporaryDirectory() as folder:
    found = [tried(seed, pathlib.Path(folder)) for seed in range({first}, {last})]
print(json.dumps([found, peak()]))
"""


def tried(seed: int, folder: Path) -> dict[str, object]:
    """Load the file of a seed; return how long it took and what did not hold."""
    made = random_file(seed)
    path = folder / f"random{seed}.yaml"
    path.write_text(yaml.safe_dump(made.data, allow_unicode=True, sort_keys=False), "utf-8")
    begun = time.process_time()
    told, wrong, understood = "", [], 0
    try:
        grammar = load_intents(path)
    except IntentsFileError as fault:
        told = str(fault)
        if not PLACE.search(told):
            wrong.append(f"seed {seed}: no place in {told!r}")
    else:
        understood, wrong = _understood(made, grammar, seed)
    took = time.process_time() - begun
    return {
        "took": took,
        "told": bool(told),
        "wrong": wrong,
        "broken": made.wrong,
        "understood": understood,
        "uses": sorted(made.constructs),
    }


def _understood(made: RandomFile, grammar, seed: int) -> tuple[int, list[str]]:
    left_out = {m[1] for note in grammar.notes for m in re.finditer(r"sentence of (\w+)", note)}
    wrong, right = [], 0
    for intent, samples in made.samples.items():
        if intent not in grammar.intents or intent in left_out:
            continue
        for said in samples:
            found = grammar.interpret(said.text)
            if found is None or found.intent != intent or dict(found.slots) != dict(said.slots):
                sentence = made.data["intents"][intent]["data"][0]["sentences"][0]
                wrong.append(f"seed {seed}: {said} of {sentence!r} is {found}")
            else:
                right += 1
    return right, wrong


def judged(first: int, last: int) -> list[dict[str, object]]:
    found, peak = json.loads(output_of(SOME.format(first=first, last=last)).splitlines()[-1])
    assert [w for one in found for w in one["wrong"]] == []
    assert max(one["took"] for one in found) < SECONDS
    assert peak < MEGABYTES
    return found


@pytest.mark.unit
def test_forty_random_files_are_loaded_or_told() -> None:
    assert len(judged(0, 40)) == 40


@pytest.mark.slow
def test_five_hundred_random_files_use_every_construct_and_are_loaded_or_told() -> None:
    found = [one for at in range(0, FILES, 50) for one in judged(at, at + 50)]
    assert len(found) == FILES
    assert {use for one in found for use in one["uses"]} == CONSTRUCTS  # type: ignore[attr-defined]
    assert {one["broken"] for one in found} == {"", *WRONG}
    loaded = [one for one in found if not one["told"]]
    assert len(loaded) > FILES // 4
    assert sum(one["understood"] for one in found) > 3 * len(loaded)  # type: ignore[misc]


@pytest.mark.unit
def test_one_seed_is_one_file() -> None:
    assert random_file(7).data == random_file(7).data
    assert random_file(7).data != random_file(8).data
