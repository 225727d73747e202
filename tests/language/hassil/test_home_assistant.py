"""Every language of a checkout of Home Assistant's intents loads soon and in little memory."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from narrator.script.files.intents import load_intents
from tests.fresh_process import output_of
from tests.language.hassil.home_assistant import LANGUAGES, LARGE, write

SECONDS = 5.0
"""Processor time that a language may take."""
MEGABYTES = 500
"""Memory of a process that has loaded several of them."""
SOME = """
import json, pathlib, tempfile
from tests.memory import peak
from tests.language.hassil.test_home_assistant import loaded
with tempfile.TemporaryDirectory() as folder:
    found = [loaded(language, pathlib.Path(folder)) for language in {languages!r}]
print(json.dumps([found, peak()]))
"""


def loaded(language: str, folder: Path) -> dict[str, float | str | list[str]]:
    """Write a language's folder and load it as `hear --intents` does."""
    count = write(folder, language)
    begun = time.process_time()
    grammar = load_intents(folder, language)
    took = time.process_time() - begun
    return {
        "language": language,
        "took": took,
        "sentences": count,
        "intents": len(grammar.intents),
        "notes": list(grammar.notes),
    }


def judged(languages: list[str]) -> None:
    found, peak = json.loads(output_of(SOME.format(languages=languages)).splitlines()[-1])
    assert [one["language"] for one in found] == languages
    for one in found:
        assert one["took"] < SECONDS, one
        assert one["intents"] == 5, one
        # Lists of any words cannot be listened for, and say so with their place.
        assert any("wildcard" in note for note in one["notes"]), one
        assert not [note for note in one["notes"] if "left out: with the sentences" in note], one
    assert peak < MEGABYTES


@pytest.mark.unit
def test_there_are_62_languages_and_the_largest_have_as_much_as_the_real_ones() -> None:
    assert len(set(LANGUAGES)) == 62
    assert set(LANGUAGES) >= LARGE


@pytest.mark.unit
def test_a_large_language_loads() -> None:
    judged(["de"])


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 62, 8))
def test_all_languages_load(first: int) -> None:
    judged(LANGUAGES[first : first + 8])
