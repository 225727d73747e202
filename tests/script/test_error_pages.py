"""The pages of docs/errors are documentation and test data at once: their examples are run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from narrator.script.codes import DESCRIPTORS
from narrator.script.compile import compile_script

PAGES = Path(__file__).parents[2] / "docs" / "errors"
EXAMPLE = re.compile(r"^```yaml (bad|good)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"^(\w+): (.+)$", re.MULTILINE)

pytestmark = pytest.mark.unit


def page(code: str) -> str:
    return (PAGES / f"{code}.md").read_text(encoding="utf-8")


def examples(code: str, kind: str) -> list[str]:
    return [text for found, text in EXAMPLE.findall(page(code)) if found == kind]


def found_in(text: str) -> list[tuple[str, int]]:
    compiled = compile_script(
        text, knows_word=lambda word: word != "xyzzy", sounds=lambda phrase: phrase
    )
    return [(d.code, d.place.line) for d in compiled.diagnostics]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == set(DESCRIPTORS)


@pytest.mark.parametrize("code", sorted(DESCRIPTORS))
def test_front_matter_says_what_the_descriptor_says(code: str) -> None:
    fields = dict(FIELD.findall(page(code).split("---")[1]))
    descriptor = DESCRIPTORS[code]
    assert fields["code"] == code
    assert fields["title"] == descriptor.title
    assert fields["severity"] == descriptor.severity
    assert re.fullmatch(r"\d+\.\d+\.\d+", fields["since"])


@pytest.mark.parametrize("code", sorted(DESCRIPTORS))
def test_bad_examples_give_the_code_at_the_line_marked(code: str) -> None:
    assert examples(code, "bad")
    for text in examples(code, "bad"):
        marked = [n for n, line in enumerate(text.split("\n"), 1) if line.endswith("# here")]
        assert len(marked) == 1
        assert found_in(text) == [(code, marked[0])]


@pytest.mark.parametrize("code", sorted(DESCRIPTORS))
def test_good_examples_are_clean(code: str) -> None:
    assert examples(code, "good")
    for text in examples(code, "good"):
        assert found_in(text) == []
