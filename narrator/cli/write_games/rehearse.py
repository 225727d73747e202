"""`narrator rehearse`: a whole game without hardware and without waiting."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from narrator.app import games, rehearse, telling
from narrator.app.doors.library import did_you_mean
from narrator.app.doors.process import SessionClock
from narrator.app.doors.rehearsal import Line, NoiseKind, Report, files, listening_steps, output
from narrator.app.records.in_words import in_words
from narrator.cli import options
from narrator.cli.output import say, say_json
from narrator.core.game import Game
from narrator.ports.audio import SPEAKER_RATE


@click.command("rehearse")
@click.argument("game")
@click.option(
    "--players",
    help='Names clockwise, with commas: "Ana, Ben, Cy".  [default: the smallest table]',
)
@click.option("--seed", default=0, show_default=True, help="Decides all that is drawn.")
@options.settings
@click.option("--text", is_flag=True, help="Skip the sound: everything is heard as typed.")
@click.option(
    "--answers",
    type=click.Path(path_type=Path),
    help="YAML list of what the players say, in the order they are asked.",
)
@click.option(
    "--noise",
    type=options.Finite(-40, 100),
    help="Noise in the room: speech is this many dB above it.",
)
@click.option(
    "--noise-kind",
    type=click.Choice(["pink", "babble"]),
    default="pink",
    show_default=True,
    help="Noise like a fan, or other people talking.",
)
@click.option(
    "--leak",
    type=options.Finite(-120, 20),
    help="The loudspeaker at the microphone, in dB (-6: half).",
)
@click.option("--patient", is_flag=True, help="Let every timer run to its end.")
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    default="evening",
    show_default=True,
    help="Folder for recording, captions, result and picture.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--journal", is_flag=True, help="Write journal.jsonl as well.")
@options.language
@options.engine
@options.model
def command(
    game: str,
    players: str | None,
    seed: int,
    settings: tuple[str, ...],
    text: bool,
    answers: Path | None,
    noise: float | None,
    noise_kind: NoiseKind,
    leak: float | None,
    patient: bool,
    out: str,
    as_json: bool,
    journal: bool,
    language: str,
    engine: str,
    model: str,
) -> None:
    """Play a whole game with simulated players who really speak, and leave a recording."""
    loaded = games.load_game(game, language)
    for lacking in loaded.lacking():
        say(lacking, err=True)
    seats = options.seats_of(loaded.some_names() if players is None else players, loaded.game)
    lines = read_answers(answers) if answers else []
    _check_places(lines, loaded.game)
    plan = rehearse.Plan(
        seats,
        seed,
        options.chosen(settings, loaded.game, seats),
        lines,
        patient,
        noise,
        noise_kind,
        leak,
        engine,
        model,
        options.program(loaded.locale.language),
    )
    clock = SessionClock()
    folder = _made(out)
    if text:
        report, _ = rehearse.rehearse_in_text(loaded, plan)
    else:
        report, world = rehearse.rehearse_in_sound(loaded, plan)
        files.write(folder / "evening.wav", np.concatenate(world.record), SPEAKER_RATE)
    written = output.write(folder, report, recorded=not text, title=loaded.game.title)
    if journal:
        told = (json.dumps(line, ensure_ascii=False) for line in report.journal_lines())
        (folder / "journal.jsonl").write_text("\n".join(told) + "\n", encoding="utf-8")
    if as_json:
        say_json(report.to_dict())
    _tell(report, written, clock.now(), as_json)
    if report.unused:
        say(_unused(report.unused, len(lines)), err=True)
    if report.ended != "complete" or report.faults:
        raise click.exceptions.Exit(1)


def _made(out: str) -> Path:
    """Make the folder before anything is played, so that no evening is lost for want of one."""
    if not out.strip():
        raise click.UsageError('--out "" names no folder: give one, or leave it out.')
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "result.json").touch()
    except OSError as error:
        raise click.UsageError(
            f"Nothing can be written to {folder}: {error.strerror}. Choose another with --out."
        ) from error
    return folder


def read_answers(path: Path) -> list[Line]:
    """Read a list of answers: texts, or `{at: step, say: text}`.

    Raises:
        click.UsageError: The file is not such a list.
    """
    items = options.read_yaml(path)
    if not isinstance(items, list):
        raise click.UsageError(f"{path} should be a YAML list of what the players say.")
    lines = []
    for number, item in enumerate(items, 1):
        if isinstance(item, dict) and "say" in item and set(item) <= {"say", "at"}:
            words, at = item["say"], item.get("at", "")
        else:
            words, at = item, ""
        if isinstance(words, (str, int, float)) and isinstance(at, str):
            lines.append(Line(_spoken(words), at))
        else:
            raise click.UsageError(
                f"Answer {number} of {path} should be a text, or have say: and at: only."
            )
    return lines


def _spoken(words: str | float | bool) -> str:
    """Return an answer as it is said; YAML takes yes and no for truth."""
    return "yes" if words is True else "no" if words is False else str(words)


def _check_places(lines: Sequence[Line], game: Game) -> None:
    """Refuse an answer for a step that is not there. Raises click.UsageError."""
    steps = listening_steps(game)
    names = dict.fromkeys(name for step in steps for name in (step.split("/")[-1], step))
    for number, line in enumerate(lines, 1):
        if line.at and not any(line.fits(step) for step in steps):
            some = f"There are, among others: {', '.join(list(names)[:8])}."
            raise click.UsageError(
                f"Answer {number} is for the step {line.at}, but no step of that name is answered. "
                f"{did_you_mean(line.at, names) or some}"
            )


def _unused(unused: Sequence[str], count: int) -> str:
    first = count - len(unused) + 1
    fields = {"all": count, "first": first, "text": repr(unused[0])}
    return telling.report("answers unused", count=len(unused), **fields)


def _tell(report: Report, written: output.Written, seconds: float, quiet: bool) -> None:
    """Say in a few lines how it went and where everything lies; to stderr beside JSON."""
    again = [a for a in report.answers if a.tries > 1]
    typed = [a for a in report.answers if a.typed]

    def tell(line: str) -> None:
        say(line, err=quiet)

    tell(f"{report.game}: {report.ended}, {_length(report.seconds)} of play in {seconds:.0f} s.")
    for key, value in report.result.items():
        tell(f"  {key}: {in_words(value)}")
    tell(f"  answers: {len(report.answers)}, said again: {len(again)}, typed: {len(typed)}")
    for fault in report.faults:
        tell(f"  {fault}")
    if written.recording:
        tell(f"Recording: {written.recording}")
    tell(f"Captions:  {written.captions}")
    tell(f"Picture:   {written.picture}")
    tell(f"Result:    {written.result}")


def _length(seconds: float) -> str:
    return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"
