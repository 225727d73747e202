"""The pages of docs/errors are documentation and test data at once: their examples are run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

import pytest

from narrator.script.compiler.checks import Ears
from narrator.script.compiler.compile import compile_script
from narrator.script.compiler.own_lines import locale_to_check_with
from narrator.script.diagnostics.codes import DESCRIPTORS

PAGES = Path(__file__).parents[2] / "docs" / "errors"
EXAMPLE = re.compile(r"^```yaml (bad|good)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"^```yaml (bad|good) ([\w.]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"^(\w+): (.+)$", re.MULTILINE)

Found: TypeAlias = tuple[str, str, int]
"""A code, a file and a line."""

pytestmark = pytest.mark.unit


def page(code: str) -> str:
    return (PAGES / f"{code}.md").read_text(encoding="utf-8")


def examples(code: str, kind: str) -> list[str]:
    return [text for found, text in EXAMPLE.findall(page(code)) if found == kind]


def found_in(text: str) -> list[tuple[str, int]]:
    ears = Ears(lambda word: word != "xyzzy", lambda phrase: phrase)
    compiled = compile_script(text, ears=lambda language: ears)
    return [(d.code, d.place.line) for d in compiled.diagnostics]


def language(code: str) -> str | None:
    """Return the language of the table that a page is about; None where it is the script's own."""
    return dict(FIELD.findall(page(code).split("---")[1])).get("language")


ALONE = sorted(code for code in DESCRIPTORS if language(code) is None)
TRANSLATED = sorted(set(DESCRIPTORS) - set(ALONE))


def translated(code: str, kind: str, folder: Path) -> tuple[list[Found], list[Found]]:
    """Compile a page's example with its translation: what was found, and what is marked in it."""
    (script,) = examples(code, kind)
    files = {"game.yaml": script}
    beside = {name: text for found, name, text in FILE.findall(page(code)) if found == kind}
    spoken = next((name.split(".")[1] for name in beside), str(language(code)))
    files |= beside
    marked = []
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        lines = enumerate(text.split("\n"), 1)
        marked += [(code, name, n) for n, line in lines if line.endswith("# here")]
    compiled = compile_script(folder, locale=locale_to_check_with(spoken))
    found = [(d.code, Path(d.place.file).name, d.place.line) for d in compiled.diagnostics]
    return found, marked


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_s_bad_example_gives_the_code_at_the_line_marked(
    code: str, tmp_path: Path
) -> None:
    found, marked = translated(code, "bad", tmp_path)
    assert len(marked) == 1
    assert found == marked


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_s_good_example_is_clean(code: str, tmp_path: Path) -> None:
    assert translated(code, "good", tmp_path) == ([], [])


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


@pytest.mark.parametrize("code", ALONE)
def test_bad_examples_give_the_code_at_the_line_marked(code: str) -> None:
    assert examples(code, "bad")
    for text in examples(code, "bad"):
        marked = [n for n, line in enumerate(text.split("\n"), 1) if line.endswith("# here")]
        assert len(marked) == 1
        assert found_in(text) == [(code, marked[0])]


@pytest.mark.parametrize("code", ALONE)
def test_good_examples_are_clean(code: str) -> None:
    assert examples(code, "good")
    for text in examples(code, "good"):
        assert found_in(text) == []
