"""Scripts with mistakes that were put there: all are told of at once, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from narrator.script.compiler.compile import compile_script
from narrator.script.reading.fields import VERBS, Shape
from narrator.script.steps.kind import KINDS

PLANTED = Path(__file__).parent / "planted"
SCRIPTS = Path(__file__).parents[3] / "scripts"
GAMES = sorted(path.parent for path in SCRIPTS.glob("*/game.yaml"))
KEY = re.compile(r"^\s*(?:- )?([a-z][a-z ]*):(?= |$)", re.MULTILINE)


@pytest.mark.unit
def test_twenty_mistakes_give_exactly_these_twenty_diagnostics() -> None:
    compiled = compile_script(PLANTED / "game.yaml")
    found = [f"{d.place.line}:{d.place.column} {d.code}" for d in compiled.diagnostics]
    expected = (PLANTED / "expected.txt").read_text(encoding="utf-8").split("\n")
    assert found == [line for line in expected if line and not line.startswith("#")]
    assert len(found) == 20
    assert compiled.game is None


@pytest.mark.unit
def test_each_of_the_twenty_has_its_line_a_caret_and_a_cure() -> None:
    lines = (PLANTED / "game.yaml").read_text(encoding="utf-8").split("\n")
    for diagnostic in compile_script(PLANTED / "game.yaml").diagnostics:
        shown, caret = diagnostic.excerpt.split("\n")
        assert shown.strip() == lines[diagnostic.place.line - 1].strip()
        assert caret.index("^") == shown.index(shown.strip()) + diagnostic.place.column - 1 - (
            len(shown.strip()) and lines[diagnostic.place.line - 1].index(shown.strip())
        )
        assert "{{{{" not in str(diagnostic)


def shapes(kind: type[Shape]) -> set[str]:
    return set(kind.keys()).union(*(shapes(inner) for inner in kind.__subclasses__()))


def keys_of(text: str) -> list[str]:
    """Give keys of the language that a script has, a few of them; not names of its own."""
    known = shapes(Shape) - {"if", "in", "to", "id"}  # too short to be guessed
    known -= {"end", "final"}  # games call something of their own so
    return sorted(set(KEY.findall(text)) & known)[::2]


def misspelt(key: str) -> str:
    middle = len(key) // 2
    return key[:middle] + key[middle] + key[middle:]


@pytest.mark.slow
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_misspelt_key_of_a_published_game_is_told_of_with_the_right_guess(folder: Path) -> None:
    text = (folder / "game.yaml").read_text(encoding="utf-8")
    keys = keys_of(text)
    assert len(keys) >= 8
    for key in keys:
        at = next(m for m in KEY.finditer(text) if m[1] == key)
        wrong = text[: at.start(1)] + misspelt(key) + text[at.end(1) :]
        line = wrong.count("\n", 0, at.start(1)) + 1
        column = at.start(1) - wrong.rfind("\n", 0, at.start(1))
        told = compile_script(wrong).diagnostics
        assert [(d.code, d.place.line, d.place.column) for d in told] in (
            [("NS020", line, column)],
            [("NS023", line, column)],
        ), key
        assert told[0].cure.startswith(f"Did you mean `{key}`?")


@pytest.mark.unit
def test_every_step_can_be_misspelt_and_the_rest_is_read_on() -> None:
    assert {shape.verb for shape in KINDS} == set(VERBS)
    text = (
        "narrator: 1\ntitle: x\nplayers: {min: 2, max: 4}\nphases:\n  play:\n    steps:\n"
        "      - akk: Who?\n        answer: seat\n        into: who\n"
        '      - say: [1]\n      - foo: bar\n      - say: "{{ who }} and {{ whom }}."\n'
    )
    found = [(d.code, d.place.line) for d in compile_script(text).diagnostics]
    assert found == [("NS023", 7), ("NS022", 10), ("NS023", 11), ("NS041", 12)]
