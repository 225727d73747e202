"""The tutorial, followed literally: its files are written and its commands run in a new folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from narrator.cli.main import main

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)(.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r'(\w+)=(?:"([^"]*)"|(\S+))')

pytestmark = pytest.mark.unit


@dataclass(frozen=True)
class Block:
    """One block of the page: what it is, what is said of it, and its text."""

    kind: str
    words: str
    text: str

    @property
    def fields(self) -> dict[str, str]:
        return {name: quoted or plain for name, quoted, plain in FIELD.findall(self.words)}


def blocks() -> Iterator[Block]:
    for kind, words, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        yield Block(kind, words.strip(), text)


def write(block: Block) -> None:
    """Do what the page asks for with the text of a block."""
    fields = block.fields
    if "file" in fields:
        path = Path(fields["file"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        return
    path = Path(fields.get("insert") or fields["replace"])
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    wanted = fields.get("before") or fields["line"]
    (at,) = [n for n, line in enumerate(lines) if wanted in line]
    lines[at : at + ("replace" in fields)] = [block.text]
    path.write_text("".join(lines), encoding="utf-8")


def run(command: str) -> int:
    words = shlex.split(command)
    assert words[0] == "narrator"
    with pytest.raises(SystemExit) as ended:
        main(words[1:])
    return int(ended.value.code or 0)


def test_followed_literally_everything_comes_out_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said, commands = "", []
    for block in blocks():
        if block.kind == "sh":
            for command in block.text.splitlines():
                commands.append(command)
                code = run(command)
                said = "".join(capsys.readouterr())
                assert code == (1 if block.words == "fails" else 0), f"{command}\n{said}"
        elif block.kind == "output":
            for line in block.text.splitlines():
                assert line in said
        else:
            write(block)
    assert {command.split()[1] for command in commands} == {
        "check", "rehearse", "graph", "test", "score",
    }  # fmt: skip
    assert (tmp_path / "evening" / "evening.vtt").is_file()
    assert (tmp_path / "odd-one-out.png").is_file()


def test_every_command_in_the_text_exists() -> None:
    from narrator.cli.main import COMMANDS

    named = re.findall(r"`narrator (\w+)", PAGE.read_text(encoding="utf-8"))
    assert named
    assert set(named) <= set(COMMANDS)
