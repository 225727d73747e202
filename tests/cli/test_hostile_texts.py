"""No text from outside steers a terminal or breaks an output, whatever command shows it."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from pathlib import Path

import pytest

from narrator.adapters.journal.sqlite import SqliteJournal
from narrator.adapters.system.clock import local_moment
from narrator.app import rehearse
from narrator.app.games import load_game
from narrator.app.records.journal_store import open_file, opening_of
from narrator.cli.main import COMMANDS, main
from narrator.config.settings import Settings
from narrator.core.values import Seat

pytestmark = pytest.mark.unit

EVIL = "T\x1b[31m\x1b]0;pwn\x07\x9b1m\u202e\u2066\u200b\ufeff\u3164 狼 🐺 é"
"""What a terminal obeys, what turns the reading round, what hides, and what Latin-1 lacks."""
QUOTED = json.dumps(EVIL).replace(r"\ud83d\udc3a", "🐺")  # YAML knows no halves of a sign
SCRIPT = f"""\
narrator: 1
title: {QUOTED}
players: {{min: 1, max: 6}}
phases:
  a:
    steps:
      - say: {QUOTED}
      - ask: {QUOTED}
        answer: yes/no
        into: r
      - say: Fin été.
result:
  "r": "{{{{ r }}}}"
"""
STEERING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def calls(folder: Path) -> dict[str, list[tuple[str, ...]]]:
    game, evil = str(folder / "game"), EVIL.replace("\x00", "")
    table, toml = folder / "table.yaml", folder / "bad.toml"
    table.write_text(f"players: [Ana, {QUOTED}]\n{QUOTED}: 1\n", encoding="utf-8")
    toml.write_text(f"{QUOTED} = {QUOTED}\n", encoding="utf-8")
    cases, hassil = folder / "cases.json", folder / "intents.yaml"
    cases.write_text(json.dumps([{evil: evil}]), encoding="utf-8")
    hassil.write_text(
        f"language: en\nintents:\n  {QUOTED}:\n    data:\n      - sentences: [{QUOTED}, '(']\n",
        encoding="utf-8",
    )
    botc, answers = folder / "botc.json", folder / "answers.yaml"
    botc.write_text(
        json.dumps([{"id": "_meta", "name": evil}, {"id": evil, "name": evil}]), encoding="utf-8"
    )
    answers.write_text(f"- {{at: {QUOTED}, say: {QUOTED}}}\n", encoding="utf-8")
    broken = folder / f"{evil}.yaml"
    broken.write_text(f"narrator: 1\ntitle: {evil}\nphases: {{{QUOTED}: 7}}\n", encoding="utf-8")
    return {
        "play": [
            ("play", evil), ("play", game, "--players", evil),
            ("play", game, "--table", str(table)),
            ("play", game, "--players", "Ana", "--set", f"{evil}=1"), ("play", f"--{evil}"),
        ],
        "resume": [("resume", evil), ("resume", "9")],
        "list": [("list",), ("list", "--json")],
        "history": [("history",), ("history", "--json"), ("history", "1"), ("history", evil),
                    ("history", "1", "--heard")],
        "results": [("results",), ("results", "--game", evil), ("results", "--players", evil)],
        "export": [("export",), ("export", "--format", "bgstats"), ("export", "--format", "text"),
                   ("export", "1", "--format", "vtt"), ("export", "--format", evil)],
        "replay": [("replay", "1"), ("replay", "1", "--json"),
                   ("replay", "1", "--to-test", str(folder / f"{evil}.test"))],
        "forget": [("forget", "--player", evil, "--yes"), ("forget", evil)],
        "rehearse": [
            ("rehearse", game, "--text", "--json", "--out", str(folder / "out")),
            ("rehearse", game, "--text", "--out", str(folder / f"out{evil}")),
            ("rehearse", game, "--text", "--answers", str(answers)),
        ],
        "new": [("new", str(folder / evil), "--yes", "--title", evil)],
        "check": [("check", game), ("check", game, "--json"), ("check", str(broken)),
                  ("check", evil)],
        "test": [("test", game, "--monkey", "2"), ("test", game, "--monkey", "2", "--json")],
        "graph": [("graph", game), ("graph", evil)],
        "translate": [("translate", game, "ko", "--check"), ("translate", game, evil, "--check"),
                      ("translate", game, "ko", "--out", str(folder / "ko"), "--json")],
        "import": [("import", "botc", str(botc), "--out", str(folder / "sheet")),
                   ("import", "botc", str(folder / evil))],
        "schema": [("schema",)],
        "score": [("score", game, str(cases)), ("score", game, str(folder / evil))],
        "hear": [("hear", "--intents", str(hassil), str(folder / f"{evil}.wav")),
                 ("hear", game, str(folder / f"{evil}.wav"), "--at", evil)],
        "mic": [("mic", "--game", evil), ("mic", "--model", evil)],
        "names": [("names", evil), ("names", "Ana", f"Ben={evil}"),
                  ("names", "Ana", "--game", evil)],
        "groups": [("groups", "list"), ("groups", "keep", evil, "--players", "Ana, Ben"),
                   ("groups", "keep", "Friday", "--players", evil),
                   ("groups", "forget", evil, "--yes")],
        "models": [("models", "install", evil), ("models", "remove", evil),
                   ("models", "import", str(folder / evil))],
        "devices": [("devices", f"--{evil}")],
        "voices": [("voices", "--language", evil)],
        "doctor": [("doctor", evil)],
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "game.yaml").write_text(SCRIPT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    loaded = load_game(str(tmp_path / "game"))
    seats = (Seat(1, "Ana"),)
    opening = opening_of(loaded, seats, {}, Settings(), 1)
    journal = SqliteJournal(open_file(), local_moment, opening=opening)
    rehearse.rehearse_in_text(loaded, rehearse.Plan(seats, 1, journal=journal))
    journal.close()
    return tmp_path


def run(monkeypatch, encoding: str, words: tuple[str, ...]) -> tuple[int, str]:
    """Run a command with outputs of this encoding; return its code and all that it printed."""
    out, err = io.BytesIO(), io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding=encoding))
        patch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding=encoding))
        patch.setattr(sys, "stdin", io.StringIO(""))
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        sys.stdout.flush()
        sys.stderr.flush()
        printed = (out.getvalue() + err.getvalue()).decode(encoding)
    return int(ended.value.code or 0), printed


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_steers_the_terminal_and_no_encoding_ends_a_command(
    folder, monkeypatch, name, encoding
):
    for words in calls(folder)[name]:
        code, printed = run(monkeypatch, encoding, words)
        assert "fault of its own" not in printed, words
        assert "Traceback" not in printed, words
        steering = {c for c in printed if unicodedata.category(c) in STEERING} - set("\n\t")
        assert not steering, (words, steering)
        assert max(map(len, printed.split("\n"))) < 120_000, words
        assert code in (0, 1, 2, 3, 4, 5, 6), words
        if "--json" in words and code == 0:
            for line in filter(None, printed.splitlines()):
                if line.startswith(("{", "[")):
                    json.loads(line)


@pytest.mark.parametrize("words", [("history",), ("history", "1"), ("check", EVIL), ("export",)])
def test_what_cannot_be_seen_stands_as_an_escape(folder, monkeypatch, words):
    _, printed = run(monkeypatch, "cp1252", words)
    assert (
        r"T\x1b[31m\x1b]0;pwn\x07\x9b1m\u202e\u2066\u200b\ufeff\u3164 \u72fc \U0001f43a é"
        in printed
    )


def test_settings_and_variables_are_no_way_round_it(folder, monkeypatch):
    monkeypatch.setenv("NARRATOR_RATE", EVIL)
    monkeypatch.setenv(f"NARRATOR_{EVIL.replace(chr(0), '')}", EVIL)
    for words in (("doctor",), ("play", str(folder / "game"), "--players", "Ana")):
        _, printed = run(monkeypatch, "cp1252", words)
        assert "fault of its own" not in printed
        assert not {c for c in printed if unicodedata.category(c) in STEERING} - set("\n\t")


def test_a_line_of_thousands_of_letters_is_cut(folder, monkeypatch):
    for words in (("play", "x" * 60_000), ("check", "x" * 60_000), ("names", "x" * 60_000)):
        _, printed = run(monkeypatch, "utf-8", words)
        assert len(printed) < 5_000
