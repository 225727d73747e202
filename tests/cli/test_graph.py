"""Every game's graph is a mermaid state diagram that a strict reader of the syntax accepts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from narrator.app.games import load_game
from narrator.core.steps.program import Program, diagram
from narrator.script.authoring.moderator import moderator_diagram
from narrator.script.files.library import list_scripts

pytestmark = pytest.mark.unit

GAMES = [entry.name for entry in list_scripts()]
ID = "[A-Za-z][A-Za-z0-9_]*"
STATE = re.compile(rf'  state "([^"\\]+)" as ({ID})')
MOVE = re.compile(rf"  (\[\*\]|{ID}) --> (\[\*\]|{ID})")


def read(text: str) -> tuple[dict[str, str], set[tuple[str, str]]]:
    """Read a diagram: labels by id, and moves. Fails for whatever mermaid might refuse."""
    lines = text.split("\n")
    assert (lines[0], lines[2], lines[3]) == ("---", "---", "stateDiagram-v2")
    assert re.fullmatch(r'title: "[^"\\]+"', lines[1])
    labels: dict[str, str] = {}
    moves: set[tuple[str, str]] = set()
    for line in lines[4:]:
        if state := STATE.fullmatch(line):
            assert state[2] not in labels
            labels[state[2]] = state[1]
        else:
            move = MOVE.fullmatch(line)
            assert move, line
            moves.add((move[1], move[2]))
    assert {end for move in moves for end in move} <= {*labels, "[*]"}
    return labels, moves


def test_there_are_games() -> None:
    assert len(GAMES) >= 8


@pytest.mark.parametrize("name", GAMES)
def test_a_game_s_graph_is_valid_and_whole(name: str) -> None:
    program = Program(load_game(name).game)
    labels, moves = read(diagram(program))
    paths = [path.replace("/", " / ") for path in program.resting()]
    assert list(labels.values()) == ["ready", *paths, "ended"]
    ends = [(source or "ready", target or "ended")
            for source, targets in program.successors().items() for target in targets]  # fmt: skip
    shown = {(labels.get(one, ""), labels.get(other, "")) for one, other in moves}
    assert shown == {(a.replace("/", " / "), b.replace("/", " / ")) for a, b in ends} | {
        ("", "ready"), ("ended", "")}  # fmt: skip


def test_names_in_any_script_and_a_title_in_quotes_are_valid(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "narrator: 1\ntitle: 'The \"Fox\" \\ Hunt'\nplayers: {min: 3, max: 4}\nphases:\n"
        "  밤:\n    steps:\n      - say: Hello.\n      - id: a-b\n        say: One.\n"
        "      - id: a_b\n        say: Two.\n",
        encoding="utf-8",
    )
    game = load_game(str(tmp_path)).game
    labels, _ = read(diagram(Program(game)))
    assert "밤 / say-1" in labels.values()
    read(diagram(Program(replace(game, title="two\nlines"))))


def test_the_moderator_is_drawn_from_its_machine() -> None:
    drawn = moderator_diagram()
    assert drawn.startswith("---\ntitle: The moderator\n---\nstateDiagram-v2\n")
    lines = drawn.split("\n")[4:]
    labels = {m[2]: m[1] for line in lines if (m := STATE.fullmatch(line))}
    arrows = [re.fullmatch(rf"  (\[\*\]|{ID}) --> (\[\*\]|{ID})(: [a-z ]+)?", line)
              for line in lines if not STATE.fullmatch(line)]  # fmt: skip
    assert all(arrows)
    assert {end for arrow in arrows if arrow for end in arrow.groups()[:2]} == {*labels, "[*]"}
    shown = {(labels.get(a[1], ""), labels.get(a[2], ""), a[3]) for a in arrows if a}
    assert ("running / asking", "paused", ": command pause") in shown
    assert ("paused", "running / asking", ": command resume") in shown
    assert ("confirming / end", "ended", ": answer yes") in shown
    assert ("lobby / choosing", "running / moving", ": event start") in shown
