"""What becomes of a command whose output cannot be written, or whose input is out of all sense."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from narrator.cli.main import COMMANDS, main
from tests.patience import limit

GAME = "scorekeeper"
CASE = '{"votes": {"Ana": "Ben"}}'
CALLS: dict[str, tuple[str, ...]] = {
    "list": ("list", "--json"),
    "check": ("check", GAME),
    "schema": ("schema",),
    "graph": ("graph", GAME),
    "test": ("test", GAME, "--json"),
    "score": ("score", GAME, "-"),
    "translate": ("translate", GAME, "ko", "--check", "--json"),
    "rehearse": ("rehearse", GAME, "--text", "--json"),
    "doctor": ("doctor", "--help"),
    "play": ("play", "--help"),
    "resume": ("resume", "--help"),
    "history": ("history",),
    "results": ("results",),
    "export": ("export",),
    "replay": ("replay", "--help"),
    "forget": ("forget", "--help"),
    "new": ("new", "fox", "--yes"),
    "import": ("import", "botc", "fog.json"),
    "hear": ("hear", "--help"),
    "groups": ("groups", "list"),
    "models": ("models", "--help"),
    "names": ("names", "--help"),
    "mic": ("mic", "--help"),
    "devices": ("devices", "--help"),
    "voices": ("voices", "--json"),
}
FULL = Path("/dev/full")


def call(arguments: tuple[str, ...], folder: Path, out: int) -> subprocess.CompletedProcess[str]:
    (folder / "fog.json").write_text('["miller"]', encoding="utf-8")
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-m", "narrator.cli.main", *arguments],
        stdout=out,
        stderr=subprocess.PIPE,
        input=CASE,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(root)},
        timeout=limit(200),
        check=False,
    )


@pytest.mark.unit
def test_every_command_is_tried() -> None:
    assert set(COMMANDS) <= set(CALLS)


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="There is no /dev/full on this system.")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_sentence(name: str, tmp_path: Path) -> None:
    with FULL.open("w") as full:
        done = call(CALLS[name], tmp_path, full.fileno())
    lines = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert done.returncode == 6
    assert len(lines) == 1 and "cannot be written: no space left on device" in lines[0]
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Pipes are closed in another way there.")
@pytest.mark.parametrize("name", ["list", "schema", "play"])
def test_a_reader_that_is_gone_ends_it_in_silence(name: str, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = call(CALLS[name], tmp_path, writing)
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert "Error" not in done.stderr and "Traceback" not in done.stderr


@pytest.mark.unit
@pytest.mark.skipif(sys.platform == "win32", reason="A shell of Unix closes it.")
def test_a_closed_output_is_one_sentence() -> None:
    words = [sys.executable, "-m", "narrator.cli.main", "list"]
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *words],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=limit(60),
        check=False,
    )
    assert done.returncode == 6
    assert done.stderr.startswith("Error: The output is closed") and done.stderr.count("\n") == 1


DEEP = "[" * 50_000 + "]" * 50_000


@pytest.mark.unit
@pytest.mark.parametrize(
    ("file", "text", "arguments"),
    [
        ("case.json", DEEP, ("score", GAME, "case.json")),
        ("case.json", "9" * 5000, ("score", GAME, "case.json")),
        ("case.json", '{"seats": NaN}', ("score", GAME, "case.json")),
        ("answers.yaml", DEEP, ("rehearse", GAME, "--text", "--answers", "answers.yaml")),
        ("table.yaml", f"players: {DEEP}", ("play", GAME, "--table", "table.yaml")),
        ("narrator.toml", f"rate = {DEEP}", ("doctor",)),
        ("fog.json", DEEP, ("import", "botc", "fog.json")),
        ("intents.yaml", DEEP, ("hear", "--intents", "intents.yaml", "a.wav")),
        ("game.yaml", DEEP, ("rehearse", "game.yaml", "--text")),
    ],
)
def test_input_out_of_all_sense_is_refused_in_plain_words(
    file: str,
    text: str,
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.startswith("Error: ") and "fault of its own" not in told


@pytest.mark.unit
def test_a_plan_out_of_all_sense_is_refused_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["new", str(tmp_path / "fox"), "--yes"])
    (tmp_path / "fox" / "tests" / "deep.yaml").write_text(DEEP, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["test", str(tmp_path / "fox")])
    assert ended.value.code != 0
    assert "deeper than any plan" in capsys.readouterr().err


@pytest.mark.unit
def test_what_nobody_foresaw_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty() -> object:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("narrator.cli.play.list.list_scripts", faulty)
    with pytest.raises(SystemExit) as ended:
        main(["list"])
    told = capsys.readouterr().err
    assert ended.value.code == 1
    assert told.startswith("Error: Narrator met a fault of its own (")
    assert told.count("\n") == 1
