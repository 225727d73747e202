"""What is made from the program is as the program is."""

from __future__ import annotations

import pytest

from narrator.cli.main import COMMANDS
from narrator.script.diagnostics.codes import DESCRIPTORS
from tools import documents

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("path", documents.documents(), ids=lambda path: path.name)
def test_a_document_is_as_the_program_says(path):
    assert path.read_text(encoding="utf-8") == documents.documents()[path], "run tools/docs"


def test_every_command_stands_on_its_page_and_in_the_readme():
    page, readme = (p.read_text(encoding="utf-8") for p in (documents.CLI, documents.README))
    for name in (*COMMANDS, "models install"):
        assert f"### narrator {name}\n" in page
    for name in COMMANDS:
        assert f"\n| `{name}" in readme


def test_a_changed_page_is_noticed_and_written(tmp_path, monkeypatch, capsys):
    copy = tmp_path / "errors"
    copy.mkdir()
    for page in documents.ERRORS.glob("NS00*.md"):
        text = page.read_text(encoding="utf-8")
        (copy / page.name).write_text(text.replace("indented with a tab", "indented oddly"))
    monkeypatch.setattr(documents, "ERRORS", copy)
    monkeypatch.setattr(documents, "ROOT", tmp_path)
    monkeypatch.setattr(documents, "DESCRIPTORS", tmp_path / "descriptors.py")
    monkeypatch.setattr(documents, "documents",
                        lambda: {documents.DESCRIPTORS: documents.descriptors()})  # fmt: skip
    assert documents.main(["--check"]) == 1
    assert "descriptors.py. Run tools/docs." in capsys.readouterr().out
    assert documents.main([]) == 0
    assert documents.main(["--check"]) == 0
    assert "indented oddly" in documents.DESCRIPTORS.read_text(encoding="utf-8")


def test_the_messages_have_no_field_that_is_not_filled_in_braces():
    assert len(DESCRIPTORS) >= 46
    assert all(d.template and d.severity in {"error", "warning"} for d in DESCRIPTORS.values())
