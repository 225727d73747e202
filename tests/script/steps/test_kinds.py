"""A kind of step is two small files, one of the core and one for authors, and its page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from narrator.core.game import Step
from narrator.core.steps.rule import KINDS as OF_THE_CORE
from narrator.core.steps.rule import Kind, Quiet
from narrator.script.reading.fields import VERBS
from narrator.script.steps.all_kinds import ALL, check
from narrator.script.steps.kind import AuthorKind, StepShape
from tests.fresh_process import output_of, run_fresh

pytestmark = pytest.mark.unit

CORE_HALF = """
from dataclasses import dataclass

from narrator.core.effects import Show
from narrator.core.game import Line, Step
from narrator.core.steps.rule import Quiet, register


@dataclass(frozen=True, slots=True)
class Note(Step):
    line: Line


class NoteRule(Quiet):
    def begin(self, context):
        context.effects.append(Show(context.text(context.step.line.text)))
        context.over = True


register("note", Note, NoteRule())
"""
SCRIPT_HALF = '''
from typing import ClassVar

from narrator.core.steps.extra.note import Note
from narrator.script.reading.fields import Text
from narrator.script.steps.kind import StepShape, kind


class NoteShape(StepShape):
    """Show a line without speaking it."""

    verb: ClassVar[str] = "note"
    note: Text


def note(b, shape):
    name = b.name(shape)
    return [Note(name, b.line(name, shape.note))]


kind(NoteShape, note, makes=(Note,))
'''
WHERE = """
import narrator.core.steps
import narrator.script.steps

narrator.core.steps.__path__.append({core!r})
narrator.script.steps.__path__.append({script!r})
"""
PLAYS = '''
from narrator.core.effects import Finish, Show
from narrator.core.engine import Engine
from narrator.core.events import Start
from narrator.core.values import Seat
from narrator.script.compiler.compile import compile_script
from narrator.script.reading.models import schema

text = """
narrator: 1
title: Notes
players: {min: 3, max: 8}
phases:
  play:
    steps:
      - for each: seat
        steps:
          - note: "{{ seat }} has milk."
      - note: That is all.
"""
compiled = compile_script(text)
assert compiled.game is not None, compiled.diagnostics
seats = [Seat(n, name) for n, name in enumerate(("Ana", "Ben", "Cy"), 1)]
effects = Engine(compiled.game, seats).step(Start(), 0.0)
shown = [effect.text for effect in effects if isinstance(effect, Show)]
assert shown == ["Ana has milk.", "Ben has milk.", "Cy has milk.", "That is all."], shown
assert isinstance(effects[-1], Finish)
wrong = compile_script(text.replace("note: That", "notes: That"))
assert [d.code for d in wrong.diagnostics] == ["NS023"], wrong.diagnostics
assert "NoteShape" in schema()["$defs"]
print("two files")
'''


def halves(folder: Path, core: str, script: str) -> str:
    """Write the two halves beside the real ones; return what makes a fresh process find them."""
    for name, text in (("core", core), ("script", script)):
        group = folder / name / "extra"
        group.mkdir(parents=True)
        (group / "__init__.py").write_text('"""More kinds."""\n', encoding="utf-8")
        if text:
            (group / "note.py").write_text(text, encoding="utf-8")
    return WHERE.format(core=str(folder / "core"), script=str(folder / "script"))


def test_a_kind_is_added_by_two_files_and_is_played(tmp_path: Path) -> None:
    assert output_of(halves(tmp_path, CORE_HALF, SCRIPT_HALF) + PLAYS) == "two files"


def test_a_kind_without_an_author_s_half_fails_at_import_with_its_name(tmp_path: Path) -> None:
    done = run_fresh(halves(tmp_path, CORE_HALF, "") + PLAYS)
    assert done.returncode != 0
    assert "The step `note` has no half in narrator/script/steps." in done.stderr


def test_a_kind_without_a_core_s_half_fails_at_import_with_its_name(tmp_path: Path) -> None:
    unregistered = CORE_HALF.replace('register("note", Note, NoteRule())', "")
    done = run_fresh(halves(tmp_path, unregistered, SCRIPT_HALF) + PLAYS)
    assert done.returncode != 0
    assert "The step `note` has no half in narrator/core/steps." in done.stderr


@dataclass(frozen=True, slots=True)
class Odd(Step):
    """A step that nothing knows."""


class OddShape(StepShape):
    """Its shape."""

    verb: ClassVar[str] = "odd"


def test_every_kind_there_is_has_both_halves() -> None:
    check(OF_THE_CORE.values(), ALL)
    odd = Kind("odd", Odd, Quiet())
    with pytest.raises(TypeError, match="`odd` has no half in narrator/script/steps"):
        check([*OF_THE_CORE.values(), odd], ALL)
    author = AuthorKind(OddShape, lambda b, shape: [], (Odd,))
    with pytest.raises(TypeError, match="`odd` has no half in narrator/core/steps"):
        check(OF_THE_CORE.values(), [*ALL, author])
    check([*OF_THE_CORE.values(), odd], [*ALL, author])


def test_every_verb_is_a_kind_and_no_kind_has_two() -> None:
    verbs = [known.shape.verb for known in ALL]
    assert len(verbs) == len(set(verbs)) == 21
    assert set(verbs) == set(VERBS)
