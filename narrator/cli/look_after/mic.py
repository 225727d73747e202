"""`narrator mic`: what the microphone gives and what is heard through it, in plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from narrator.app import games
from narrator.app.doctor.mic import Words, check_microphone
from narrator.app.doors.devices import LevelReport, Second
from narrator.app.hear import NAMES, StepTarget
from narrator.app.telling import told
from narrator.app.wiring.configuration import load_configuration
from narrator.app.wiring.engines import make_recogniser
from narrator.cli import options
from narrator.cli.output import say, say_json
from narrator.core.values import Seat
from narrator.ports.errors import PlayError

EXIT_CODES = """\b
Exit codes:
  0    the seconds asked for are over
  3    the recogniser or the model cannot be used
  5    there is no such microphone
  130  stopped by Ctrl-C"""


@click.command("mic", epilog=EXIT_CODES)
@click.option("--mic", "microphone", help="Microphone by name or number.")
@click.option(
    "--seconds", type=options.Finite(0, 86_400), default=0.0, help="Stop after this many."
)
@click.option("--game", "game_name", default="", help="Hear what this game listens for.")
@click.option("--at", "step", default="", metavar="STEP", help="Only at this step of the game.")
@click.option("--players", default="", help='Names clockwise, with commas: "Ana, Ben, Cy".')
@click.option("--language", help="Of the table.")
@click.option("--engine", type=options.EngineName(), help="What hears.")
@click.option("--model", help="The speech model, by name or folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines, one for every second.")
def command(
    microphone: str | None, seconds: float, game_name: str, step: str, players: str,
    language: str | None, engine: str | None, model: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Show level, noise and speech at the microphone, and what is heard.

    A line comes when something changes, and every five seconds. Levels are dB of full scale: 0 is
    the loudest, speech is well at -35 to -10. Without --game any words are written down; with it,
    only what the game listens for, and what that means. Ctrl-C ends it.
    """
    wanted = {"microphone": microphone, "language": language, "engine": engine, "model": model}
    given = {name: value for name, value in wanted.items() if value is not None}
    settings = load_configuration(given).settings
    if (step or players) and not game_name:
        raise click.UsageError("--at and --players belong to a game: name it with --game.")
    target, spoken = _target(game_name, step, players, language or ""), settings.language
    if game_name:
        spoken = games.load_game(game_name, language or "").locale.language
    recogniser = make_recogniser(settings.engine, settings.model, spoken)
    report = LevelReport()
    say(f"Listening with {recogniser.name}. Say something; Ctrl-C ends it.", err=True)
    try:
        for found in check_microphone(
            recogniser, settings.microphone, _told, report, target=target, seconds=seconds
        ):
            _print(found, report, as_json=as_json)
        say(report.summary(), err=True)
    except KeyboardInterrupt:
        say(f"Stopped. {report.summary()}", err=True)
        raise click.exceptions.Exit(130) from None
    finally:
        recogniser.close()


def _target(game_name: str, step: str, players: str, language: str) -> StepTarget | None:
    if not game_name:
        return None
    loaded = games.load_game(game_name, language)
    seats: Sequence[Seat] = [
        Seat(n, name) for n, name in enumerate(NAMES[: max(loaded.game.low, 3)], 1)
    ]
    if players:
        seats = options.seats_of(players, loaded.game)
    return StepTarget(loaded, seats, step)


def _told(fault: PlayError) -> None:
    say(str(told(fault)), err=True)


def _print(found: Second | Words, report: LevelReport, *, as_json: bool) -> None:
    if as_json:
        say_json(_as_json(found))
    elif isinstance(found, Words) or report.news(found):
        say(str(found))


def _as_json(found: Second | Words) -> dict[str, object]:
    if isinstance(found, Words):
        accepted = found.free or bool(found.intent)
        return {
            "heard": found.text,
            "intent": found.intent or None,
            "slots": dict(found.slots),
            "accepted": accepted and bool(found.text),
            "reason": found.reason,
        }
    told = {name: round(v, 1) if isinstance(v, float) else v for name, v in asdict(found).items()}
    del told["tail"]
    return told | {"advice": found.advice}
