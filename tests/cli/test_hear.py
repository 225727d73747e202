from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.adapters.sound.files import write
from narrator.cli.main import main
from narrator.ports.audio import SPEAKER_RATE
from narrator.ports.errors import RecogniserError, SynthesiserError
from narrator.ports.speech import Voice
from tools.hearing.afresh import EspeakAfresh

Run = Callable[..., tuple[list[dict[str, Any]], int, str]]

GAME = "one-night-revolution"
ORDER = """\
language: en
intents:
  Order:
    data:
      - sentences:
          - "[(can|could) i (have|get)|i want|i would like] ([[a] {size}];[[a] {roast} roast];\\
            [a] {drink};[[with|and] {milk} milk];[[with|and] {sugars} sugar[s]];\\
            [[with|and] {shots} shot[s]];[[an] {heat}];[[for] {place}])"
  Cancel:
    data:
      - sentences: ["cancel [(my|the)] order"]
lists:
  size: {values: ["8 ounce", "12-ounce", {in: "(sixteen ounce|large)", out: large}, small]}
  roast: {values: [dark, light, medium]}
  drink: {values: [americano, latte, cappuccino, double espresso, mocha]}
  milk: {values: ["2%", skimmed, soy, oat]}
  sugars: {range: {from: 0, to: 10}}
  shots: {range: {from: 1, to: 4}}
  heat: {values: [extra hot, iced, lukewarm]}
  place: {values: [to go, here]}
skip_words: [please]
"""
DIGITS = 'language: en\nintents: {Digit: {data: [{sentences: ["{0..9:digit}"]}]}}\n'
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs the command line: its JSON lines, its exit code, and its talk."""

    def call(*arguments: object) -> tuple[list[dict[str, Any]], int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["hear", *map(str, arguments)])
        out, err = capsys.readouterr()
        return [json.loads(line) for line in out.splitlines()], int(ended.value.code or 0), err

    return call


@pytest.fixture
def say(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return what writes a sentence, spoken by eSpeak, into a WAV."""
    try:
        synthesiser = EspeakAfresh()
        find_weights(None, [])
    except (SynthesiserError, RecogniserError) as error:
        pytest.skip(f"Speech cannot be made and heard here: {error}")

    def speak(name: str, text: str) -> Path:
        sound = synthesiser.render(text, Voice("en-us+m1", "en", 145))
        write(tmp_path / f"{name}.wav", sound, SPEAKER_RATE)
        return tmp_path / f"{name}.wav"

    return speak


@pytest.fixture
def intents(tmp_path: Path) -> Callable[[str], Path]:
    def store(text: str) -> Path:
        path = tmp_path / "intents.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return store


@pytest.mark.model
def test_long_orders_are_heard_with_every_slot(
    run: Run, say: Callable[[str, str], Path], intents: Callable[[str], Path]
) -> None:
    say(
        "long",
        "Could I get a 12-ounce light roast americano with two percent milk, three sugars, "
        "2 shots, extra hot, to go, please?",
    )
    say("turned", "I want oat milk, one shot, a dark roast double espresso, large, for here.")
    say("cancel", "Cancel my order.")
    say("foreign", "The weather was terrible yesterday, so nobody went out.")
    path = intents(ORDER)
    lines, code, _ = run("--intents", path, path.parent)
    heard = {Path(line["file"]).stem: line for line in lines}
    assert code == 0
    assert list(heard) == ["cancel", "foreign", "long", "turned"]
    assert heard["long"]["slots"] == {
        "size": "12-ounce",
        "roast": "light",
        "drink": "americano",
        "milk": "2%",
        "sugars": 3,
        "shots": 2,
        "heat": "extra hot",
        "place": "to go",
    }
    assert heard["turned"]["slots"] == {
        "milk": "oat",
        "shots": 1,
        "roast": "dark",
        "drink": "double espresso",
        "size": "large",
        "place": "here",
    }
    assert (heard["cancel"]["intent"], heard["cancel"]["slots"]) == ("Cancel", {})
    assert [heard[n]["accepted"] for n in ("long", "turned", "cancel")] == [True] * 3
    assert heard["long"]["expected"] == ["Order", "Cancel"]
    assert 6 < heard["long"]["seconds"] < 12
    assert 0 < heard["long"]["decode_seconds"]
    assert all(0 <= line["confidence"] <= 1 for line in lines)
    foreign = heard["foreign"]
    assert (foreign["intent"], foreign["slots"], foreign["accepted"]) == (None, {}, False)


@pytest.mark.model
def test_a_step_of_a_game_is_heard_as_at_the_table(
    run: Run, say: Callable[[str, str], Path], tmp_path: Path
) -> None:
    said = [say("done", "task complete"), say("pause", "pause"), say("vote", "Ben")]
    write(tmp_path / "hiss.wav", np.random.default_rng(1).normal(0, 30, 32_000).astype(np.int16))
    write(tmp_path / "none.wav", np.zeros(0, np.int16))
    (tmp_path / "text.wav").write_text("not a sound")
    more = [tmp_path / f"{name}.wav" for name in ("hiss", "none", "text", "missing")]
    lines, code, _ = run(GAME, "--at", "turns", "--players", "Ana, Ben, Cy", *said, *more)
    done, pause, vote, hiss, none, text, missing = lines
    assert (done["intent"], done["accepted"]) == ("phrase", True)
    assert (pause["intent"], pause["accepted"]) == ("command:pause", True)
    assert (vote["intent"], vote["accepted"]) == (None, False)
    assert "phrase" in done["expected"]
    assert [(h["text"], h["accepted"]) for h in (hiss, none)] == [("", False)] * 2
    assert none["seconds"] == 0
    assert "cannot be read as sound" in text["error"]
    assert "There is no file" in missing["error"]
    assert code == 1


@pytest.mark.model
def test_without_rejection_the_nearest_sentence_is_taken(
    run: Run, say: Callable[[str, str], Path], intents: Callable[[str], Path]
) -> None:
    sound = say("foreign", "The weather was terrible yesterday.")
    path = intents(DIGITS)
    (refused,), _, _ = run("--intents", path, sound)
    (taken,), _, _ = run("--intents", path, "--no-reject", sound)
    assert (refused["intent"], refused["accepted"]) == (None, False)
    assert (taken["intent"], taken["accepted"]) == ("Digit", True)
    assert taken["slots"]["digit"] in range(10)


@pytest.mark.model
def test_of_two_utterances_the_one_that_is_understood_counts(
    run: Run, say: Callable[[str, str], Path], intents: Callable[[str], Path], tmp_path: Path
) -> None:
    import soundfile

    parts = [say("a", "The weather was terrible yesterday."), say("b", "seven")]
    silence = np.random.default_rng(2).normal(0, 10, 2 * SPEAKER_RATE).astype(np.int16)
    first, second = (soundfile.read(part, dtype="int16")[0] for part in parts)
    write(tmp_path / "both.wav", np.concatenate([first, silence, second]), SPEAKER_RATE)
    (line,), _, _ = run("--intents", intents(DIGITS), tmp_path / "both.wav")
    assert (line["accepted"], line["slots"]) == (True, {"digit": 7})


@pytest.mark.model
def test_digits_of_real_people_are_right_or_refused(
    run: Run, voices_folder: Path, intents: Callable[[str], Path]
) -> None:
    with (voices_folder / "voices.tsv").open(encoding="utf-8") as table:
        rows = [r for r in csv.DictReader(table, delimiter="\t") if r["text"] in WORDS]
    chosen = rows[:: max(1, len(rows) // 60)]
    files = [voices_folder / "voices" / row["file"] for row in chosen]
    lines, _, _ = run("--intents", intents(DIGITS), *files)
    wanted = [WORDS.index(row["text"]) for row in chosen]
    given = [line["slots"].get("digit") for line in lines]
    right = sum(w == g for w, g in zip(wanted, given, strict=True))
    wrong = sum(g is not None and w != g for w, g in zip(wanted, given, strict=True))
    assert len(chosen) >= 60
    assert right >= 0.9 * len(chosen)
    assert wrong <= 0.02 * len(chosen)


@pytest.mark.unit
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((GAME, "--at", "nowhere", "a.wav"), "no step nowhere"),
        ((GAME, "--at", "night", "a.wav"), "Several steps fit night"),
        ((GAME,), "No sound file was named"),
        (("no-such-game", "a.wav"), "no-such-game"),
        (("--intents", "none.yaml", "a.wav"), "cannot be read"),
        ((GAME, "--players", "Ana", "a.wav"), "players"),
    ],
)
def test_a_wrong_command_is_told_in_a_sentence(
    run: Run, arguments: tuple[str, ...], said: str
) -> None:
    lines, code, talk = run(*arguments)
    assert (lines, code) == ([], 2)
    assert said in talk
    assert "Traceback" not in talk


@pytest.mark.unit
def test_steps_belong_to_games_only(run: Run, intents: Callable[[str], Path]) -> None:
    _, code, talk = run("--intents", intents(DIGITS), "--at", "x", "a.wav")
    assert code == 2
    assert "belong to a game" in talk


@pytest.mark.unit
def test_notes_go_to_the_talk_and_not_to_the_result(
    run: Run, intents: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    content = DIGITS.replace('"]}]', '"], requires_context: {a: 1}}]')
    lines, code, talk = run("--intents", intents(content), tmp_path / "empty")
    assert (lines, code) == ([], 2)
    assert "intents.yaml:2:26: `requires_context` is left aside" in talk
