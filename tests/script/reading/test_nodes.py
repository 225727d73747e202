"""Prose, hostile files and the traps of YAML: always a diagnostic with a place, never a fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.script.diagnostics.report import Report
from narrator.script.reading.nodes import Items, Scalar, Table, decode, read
from tests.patience import limit

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.unit


def reading(text: str) -> tuple[Table | None, Report]:
    report = Report(file="game.yaml")
    return read(text, report), report


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "cure"),
    [
        ("say: Seer: wake up", "NS003", 1, 10, 'say: "Seer: wake up"'),
        ("say: {name} wakes up", "NS003", 1, 6, 'say: "{name} wakes up"'),
        ("say: {{ seat }}.", "NS003", 1, 7, "double quotes"),
        ("say: [pause] now", "NS003", 1, 6, 'say: "[pause] now"'),
        ("a: 1\nsay: @ana wakes", "NS003", 2, 6, 'say: "@ana wakes"'),
        ("say: `ana` wakes", "NS003", 1, 6, 'say: "`ana` wakes"'),
        ("say: %20 more", "NS003", 1, 6, 'say: "%20 more"'),
        ("say: *ana* wakes", "NS005", 1, 6, "double quotes"),
        ("say: !ana wakes", "NS006", 1, 6, "double quotes"),
        ("say: > ana wakes", "NS003", 1, 6, 'say: "> ana wakes"'),
        ("say: 'Don't peek'", "NS003", 1, 6, 'say: "Don\'t peek"'),
        ('say: "C:\\qew"', "NS003", 1, 10, "say: 'C:\\qew'"),
        ("steps:\n  - say: [pause] now", "NS003", 2, 10, '"[pause] now"'),
        ("steps:\n\t- say: hello", "NS002", 2, 1, "Indent with spaces"),
        ("say: Player #1 wins", "NS007", 1, 13, "double quotes"),
        ("say: #1 wins", "NS007", 1, 6, "double quotes"),
    ],
)
def test_prose_traps(text: str, code: str, line: int, column: int, cure: str) -> None:
    _, report = reading(text)
    (found,) = report.found
    assert (found.code, found.place.line, found.place.column) == (code, line, column)
    assert cure in found.cure
    caret = found.excerpt.splitlines()[1]
    assert caret.index("^") == 4 + column - 1


@pytest.mark.parametrize(
    "remark", ["wait: 3s # nobody can shorten it", "wait: 3s", "# 1", "a: b#1"]
)
def test_remarks_are_no_lost_text(remark: str) -> None:
    _, report = reading(f"say: hello\n{remark}\n")
    assert report.found == []


def test_words_stay_words() -> None:
    table, report = reading(
        "names: [Ann, No, Null, 2026-01-02, 010, 1:30, yes, ~]\nno: off\non: 1.50\nempty:\n"
    )
    assert report.found == []
    assert table is not None
    names = table["names"]
    assert isinstance(names, Items)
    words = [name.text for name in names if isinstance(name, Scalar)]
    assert words == ["Ann", "No", "Null", "2026-01-02", "010", "1:30", "yes", "~"]
    assert list(table) == ["names", "no", "on", "empty"]
    assert isinstance(table["on"], Scalar)
    assert table["on"].text == "1.50"


def test_every_node_and_key_has_its_place() -> None:
    table, _ = reading("a: 1\nb:\n  - c: two\n    d: 'three'\n")
    assert table is not None
    b = table["b"]
    assert isinstance(b, Items)
    inner = b[0]
    assert isinstance(inner, Table)
    assert (inner.keys_at["d"].line, inner.keys_at["d"].column) == (4, 5)
    assert isinstance(inner["d"], Scalar)
    assert (inner["d"].place.line, inner["d"].place.column, inner["d"].plain) == (4, 8, False)


@pytest.mark.parametrize(
    ("text", "line"), [("a: 1\nb: 2\na: 3\n", 3), ("a:\n  b: 1\n  c: 2\n  b: 3\n", 4)]
)
def test_a_key_given_twice_names_both_lines(text: str, line: int) -> None:
    _, report = reading(text)
    (found,) = report.found
    assert (found.code, found.place.line) == ("NS004", line)
    assert f"line {line - 2}" in found.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: &x 1\nb: *x\n", "NS005"),
        ("a: {b: 1}\nc:\n  <<: {b: 2}\n", "NS005"),
        ("a: !!python/object/apply:os.system ['true']\n", "NS006"),
        ("a: 1\n---\nb: 2\n", "NS010"),
        ("- a\n", "NS010"),
        ("", "NS010"),
        ("# nothing\n", "NS010"),
        ("a: b\x00c\n", "NS009"),
        ("a: \ufffe\n", "NS009"),
        ("a: 1\n b: 2\n", "NS001"),
        ("%YAML 1.1\n---\na: [\n", "NS001"),
        ("? [a, b]\n: c\n", "NS003"),
    ],
)
def test_what_scripts_do_not_have(text: str, code: str) -> None:
    _, report = reading(text)
    assert [d.code for d in report.found] == [code]
    assert report.found[0].place.line >= 1


def test_not_utf8_is_told_with_its_place() -> None:
    report = Report(file="game.yaml")
    assert decode(b"a: 1\nb: \xe4\n", report) is None
    assert (report.found[0].code, report.found[0].place.line) == ("NS009", 2)
    assert report.found[0].place.column == 4


def test_a_byte_order_mark_is_nothing() -> None:
    report = Report()
    text = decode(b"\xef\xbb\xbftitle: x\n", report)
    assert text == "title: x\n"


HOSTILE = {
    "aliases": "a: &a [x, x]\n" + "".join(f"k{i}: &k{i} [*a, *a, *a]\n" for i in range(2000)),
    "deep flow": "a: " + "[" * 60_000,
    "deep maps": "a: " + "{a: " * 15_000,
    "deep block": "\n".join(" " * i + "a:" for i in range(300)),
    "many keys": "\n".join(f"k{i}: 1" for i in range(7000)),
    "same keys": "a: 1\n" * 12_000,
    "one line": "a: " + "x " * 31_000,
    "colons": "a" + ": a" * 20_000,
    "quotes": "a: '" + "''" * 30_000,
    "huge": "a: b\n" * 200_000,
    "braces": "{" * 30_000 + "}" * 30_000,
    "dashes": "- " * 30_000,
}


PROGRAM = """
import pathlib, sys
from narrator.script.compiler.compile import compile_script
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.yaml")):
    compiled = compile_script(path)
    print(path.stem, compiled.game is None, 0 < len(compiled.diagnostics) < 60, flush=True)
"""


def test_hostile_files_are_refused_at_once(tmp_path: Path) -> None:
    for kind, text in HOSTILE.items():
        (tmp_path / f"{kind.replace(' ', '-')}.yaml").write_text(text, encoding="utf-8")
    # In a process of its own, so that one that hangs is a failure like any other.
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=limit(60),
        check=False,
    )
    kinds = sorted(kind.replace(" ", "-") for kind in HOSTILE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"{kind} True True" for kind in kinds]


SHIPPED = sorted(Path(__file__).parents[3].glob("scripts/*/*.yaml"))


def both_ways(text, monkeypatch):
    """Read with libyaml, then without it."""
    found = []
    for parser in (yaml.CLoader, None):
        monkeypatch.setattr("yaml.CLoader", parser)
        report = Report()
        found.append((read(text, report), [(d.code, d.place) for d in report.found]))
    return found


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_quick_parser_reads_the_same(path, monkeypatch):
    quick, slow = both_ways(path.read_text(encoding="utf-8"), monkeypatch)
    assert quick == slow
    assert quick[0] is not None


@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, 900), put=st.sampled_from([*"\t #:{}[]\"'\n-!|>%é?,", ": ", "- "]))
def test_the_quick_parser_finds_the_same_faults(at, put):
    text = SHIPPED[0].read_text(encoding="utf-8")[:1000]
    with pytest.MonkeyPatch.context() as patch:
        quick, slow = both_ways(text[:at] + put + text[at + 1 :], patch)
    assert quick == slow
