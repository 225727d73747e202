"""`narrator names`: whether the names of a table can be heard, before anybody sits down to it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace

import click

from narrator.app import games
from narrator.app.doors.library import Finding, Locale, load_locale, refusal
from narrator.app.doors.screen import PlainScreen
from narrator.app.doors.settings import Settings
from narrator.app.names import examine_names, lexicon_of
from narrator.app.telling import report
from narrator.app.wiring.configuration import load_configuration
from narrator.cli import options
from narrator.cli.output import say, say_json
from narrator.core.game import Game
from narrator.core.values import Seat

EXIT_CODES = """\b
Exit codes:
  0    every name can be heard and told apart, or only short ones were found
  1    something was found, or with --try somebody was not understood
  130  stopped by Ctrl-C"""


@click.command("names", epilog=EXIT_CODES)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--game", "game_name", default="", help="Check against the words of this game, too.")
@click.option("--language", help="Of the table.  [default: of the game, else en]")
@options.engine
@options.model
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each finding.")
@click.option(
    "--try", "trying", is_flag=True, help="Let everybody say their name, and tell what was heard."
)
@click.option(
    "--spoken",
    is_flag=True,
    help="Let the voice say every name; tell which are not understood.",
)
@click.option("--mic", "microphone", help="Microphone by name or number, for --try.")
@click.option("--speaker", help="Loudspeaker by name or number, for --try.")
@click.option("--no-speech", is_flag=True, help="With --try: ask by text only.")
def command(
    names: tuple[str, ...], game_name: str, language: str | None, engine: str, model: str,
    as_json: bool, trying: bool, spoken: bool, microphone: str | None, speaker: str | None,
    no_speech: bool,
) -> None:  # fmt: skip
    """Check the names of a table: can each be heard, and told from the others and from answers?

    NAMEs stand clockwise, each alone or between commas; "Siobhan=Shivawn" tells how one sounds.
    Each line is one finding with what to do about it. Where the recogniser lacks a name, spellings
    of its own that sound alike are told, and the lines to put into a table file.
    """
    wanted = {"microphone": microphone, "speaker": speaker, "language": language}
    given = {name: value for name, value in wanted.items() if value is not None}
    settings = load_configuration({**given, **({"speech": False} if no_speech else {})}).settings
    game, locale = _table(game_name, language or "")
    seats = options.named(",".join(names))
    if not seats:
        raise click.UsageError("No name was given.")
    refused = refusal(seats, locale)
    if refused:
        raise click.UsageError(refused)
    if game is not None:
        options.check_seats(seats, game)
    lexicon = lexicon_of(engine, model, locale.language)
    found = examine_names(seats, locale, game=game, lexicon=lexicon)
    chosen = settings.model_copy(update={"engine": engine, "model": model})
    if spoken:
        from narrator.app.doctor.spoken_names import misread_names

        found += misread_names(seats, locale, chosen)
    _print(found, seats, as_json=as_json)
    failed = any(finding.trouble != "short" for finding in found)
    if trying:
        failed = not _tried(respelled(seats, found), locale, chosen, as_json=as_json)
    if failed:
        raise click.exceptions.Exit(1)


def _tried(seats: Sequence[Seat], locale: Locale, settings: Settings, *, as_json: bool) -> bool:
    """Ask everybody to say their name; return whether all were understood."""
    from narrator.app.doctor.name_trial import try_names

    understood = True
    for tried in try_names(seats, locale, settings, PlainScreen(sys.stderr)):
        understood = understood and tried.understood
        if as_json:
            say_json(asdict(tried))
    return understood


def respelled(seats: Sequence[Seat], found: Sequence[Finding]) -> list[Seat]:
    """Return the seats, heard by the first spelling that was proposed for each, if any."""
    proposed = {f.names[0]: f.spellings[0] for f in found if f.spellings}
    return [
        replace(seat, hear=(*seat.hear, proposed[seat.name])) if seat.name in proposed else seat
        for seat in seats
    ]


def _table(game_name: str, language: str) -> tuple[Game | None, Locale]:
    if not game_name:
        return None, load_locale(language or "en")
    loaded = games.load_game(game_name, language)
    return loaded.game, loaded.locale


def _print(found: Sequence[Finding], seats: Sequence[Seat], *, as_json: bool) -> None:
    if as_json:
        for finding in found:
            say_json(_told(finding))
        return
    for finding in found:
        say(str(finding))
    if not found:
        say(report("names heard", count=len(seats), many=f"{len(seats)} " if seats[1:] else ""))
    lines = [line for seat in respelled(seats, found) if (line := _table_line(seat))]
    if any(finding.spellings for finding in found):
        say("\n".join(["In a table file, under players:", *lines]))


def _table_line(seat: Seat) -> str:
    heard = [form for form in seat.hear if form != seat.say.lower()]
    parts = {"say": _quoted(seat.say), "hear": f"[{', '.join(map(_quoted, heard))}]"}
    given = [f"{key}: {text}" for key, text in parts.items() if text not in ("", "[]")]
    name = _quoted(seat.name)
    return f"  - {{name: {', '.join([name, *given])}}}" if given else f"  - {name}"


def _quoted(text: str) -> str:
    return (
        text
        if not text or text.replace(" ", "").isalpha()
        else json.dumps(text, ensure_ascii=False)
    )


def _told(finding: Finding) -> dict[str, object]:
    return {
        "trouble": finding.trouble,
        "names": list(finding.names),
        "word": finding.word or None,
        "difference": finding.difference,
        "spellings": list(finding.spellings),
        "told": finding.told,
        "remedy": finding.remedy,
    }
