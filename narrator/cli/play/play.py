"""`narrator play`: an evening at a real table, by microphone and loudspeaker or by keyboard."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import click

from narrator.app import games, hosting
from narrator.app.doors.journals import JournalPair, MemoryJournal
from narrator.app.doors.library import TableFile, load_locale, read_table
from narrator.app.doors.screen import Outcome, help_page, screen_on
from narrator.app.doors.settings import Settings
from narrator.app.records import groups
from narrator.app.records import resume as resuming
from narrator.app.records.found import Found
from narrator.app.records.in_words import in_words
from narrator.app.records.journal_store import JournalStore
from narrator.app.telling import Messages, ToldError, in_language, told
from narrator.app.wiring import play as playing
from narrator.app.wiring.configuration import load_configuration
from narrator.cli import options
from narrator.cli.output import say, say_json
from narrator.core.game import Game
from narrator.core.values import Seat
from narrator.ports.errors import JournalError, NarratorError, PlayError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Screen

EXIT_CODES = """\b
Exit codes:
  0    the game was played to its end, or ended by the table
  1    nobody could answer any more: no microphone, and the keyboard was closed
  2    the game, the players or the settings are wrong, also where a fault of the script ended it
  3    the recogniser or the model that was asked for cannot be used
  6    the record cannot be written
  130  stopped by Ctrl-C"""
KEYS = help_page(load_locale("en").messages)
EPILOG = f"\b\nKeys:\n{KEYS}\n\n{EXIT_CODES}".replace("\n\n  ", "\n\n\b\n  ")


@click.command("play", epilog=EPILOG)
@click.argument("game", required=False)
@click.option("--players", help='Names clockwise, with commas: "Ana, Ben, Cy".')
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="Table file: players with respellings, options and settings.",
)
@click.option("--group", help="People who play together, see `narrator groups`.")
@click.option(
    "--seed",
    type=options.STORABLE,
    help="Decides all that is drawn; drawn itself if not given.",
)
@options.settings
@click.option("--language", help="Of the table.")
@options.at_a_table
@click.option(
    "--barge-in",
    type=click.Choice(["auto", "off", "headset", "echo"]),
    help="Hear stop, pause, repeat and skip while speaking.  [default: auto]",
)
@click.option(
    "--push-to-talk", is_flag=True, default=None, help="Hear only what is said after Tab."
)
@click.option(
    "--page",
    type=click.Choice(["off", "local", "lan"]),
    is_flag=False,
    flag_value="local",
    help="Show captions and buttons as a web page, on this machine or to phones in the network.",
)
@click.option("--prefix-word", help="To be said before every command; answers need none.")
@click.option("--new", is_flag=True, help="Begin a new game; ask about no unfinished one.")
@click.option("--resume", is_flag=True, help="Go on with the unfinished game without asking.")
def command(
    game: str | None,
    players: str | None,
    table: Path | None,
    group: str | None,
    seed: int | None,
    settings: tuple[str, ...],
    no_speech: bool,
    as_json: bool,
    record_log: Path | None,
    new: bool,
    resume: bool,
    **wanted: Any,
) -> None:
    """Moderate GAME: speak, listen, and show every line as text.

    Without GAME the narrator asks which, and who plays, and after each game what comes next.

    Microphone and loudspeaker are used where they exist; the keyboard always works.
    What is said is shown on standard error, the result on standard output. Lines from a pipe are
    taken in their order, each as soon as it fits.

    Every event is stored at once: after anything that ends the program, the same command offers to
    go on where it was.
    """
    table_file = _table(table, group)
    in_force = load_configuration(
        {**table_file.settings, **_given(wanted), **({"speech": False} if no_speech else {})}
    ).settings
    if game is None:
        _refuse_for_a_night(players, settings, seed, new=new, resume=resume)
        _host(in_force, table_file.words, as_json=as_json)
        return
    loaded = games.load_game(game, in_force.language)
    for lacking in loaded.lacking():
        say(lacking, err=True)
    screen = screen_on(sys.stderr, os.environ, plain=in_force.plain)
    log = MemoryJournal(record_log)
    messages = loaded.locale.messages
    keeping = JournalStore(screen, messages)
    named = _named(players, table_file.seats, loaded.game)
    pairs = [*(f"{k}={v}" for k, v in table_file.options.items()), *settings]
    if named:
        options.chosen(pairs, loaded.game, named)  # before an unfinished game is given up for it
    found = _unfinished(keeping, loaded, named, new=new, resume=resume)
    if found is not None and (pairs or seed is not None):
        screen.line(messages.line("options kept"))

    def fresh() -> playing.Evening:
        seats = named or _asked_for(loaded)
        chosen = options.chosen(pairs, loaded.game, seats)
        drawn = _drawn() if seed is None else seed
        return playing.Evening(loaded, seats, in_force, chosen, drawn, table_file.words)

    signal.signal(signal.SIGTERM, interrupt)
    plays = resuming.Plays(
        keeping, loaded, in_force, table_file.words, fresh, named is not None,
        logged(log, record_log),
    )  # fmt: skip
    run(lambda: _start(plays, found, screen, at_once=resume), plays, messages, as_json=as_json)


def _table(path: Path | None, group: str | None) -> TableFile:
    """Return what a table file or a group says; nothing where none is named."""
    if path and group:
        raise click.UsageError("--table and --group both say who plays: use one of them.")
    if group:
        return groups.named(group).table
    return read_table(path) if path else TableFile(())


def _host(in_force: Settings, words: Mapping[str, str], *, as_json: bool) -> None:
    """Play a night of games: what, and who plays, is asked by voice."""
    like = hosting.any_game(in_force.language)
    screen, messages = screen_on(sys.stderr, os.environ, plain=in_force.plain), like.locale.messages
    night = hosting.Hosting(like, in_force, JournalStore(screen, messages), screen, words)
    signal.signal(signal.SIGTERM, interrupt)

    def played() -> tuple[playing.Evening, Outcome]:
        first = night.begin()
        outcome = playing.play(
            first.evening, first.journal, screen, follow=night.follow, lobby=first.lobby
        )
        return night.evening or first.evening, night.outcome or outcome

    run(played, night, messages, as_json=as_json)


def _refuse_for_a_night(
    players: str | None, settings: Sequence[str], seed: int | None, *, new: bool, resume: bool
) -> None:
    """Refuse what belongs to one game where none was named. Raises click.UsageError."""
    given = {
        "--players": players is not None, "--set": bool(settings), "--seed": seed is not None,
        "--new": new, "--resume": resume,
    }  # fmt: skip
    for option, is_given in given.items():
        if is_given:
            raise click.UsageError(f"{option} needs a game: `narrator list` shows their names.")


def _unfinished(
    keeping: JournalStore,
    loaded: games.Loaded,
    named: tuple[Seat, ...] | None,
    *,
    new: bool,
    resume: bool,
) -> Found | None:
    """Return the game that could be resumed. Raises where one is demanded and there is none."""
    if new and resume:
        raise click.UsageError("--new begins a game and --resume resumes one: leave one out.")
    messages = loaded.locale.messages
    with in_language(messages):
        found = None if new else keeping.found(loaded, named)
    if resume and found is None:
        fault = JournalError(FaultCode.NO_UNFINISHED_GAME, title=loaded.game.title)
        raise click.UsageError(str(told(fault, messages)))
    return found


def _start(
    plays: resuming.Plays, found: Found | None, screen: Screen, *, at_once: bool
) -> tuple[playing.Evening, Outcome]:
    """Resume, ask whether to, or begin."""
    try:
        if found is None:
            return plays.begin(screen)
        return plays.go_on(found.record, screen) if at_once else plays.ask(found, screen)
    except resuming.Unnamed:
        return plays.begin(screen)  # nobody had been named, so they are asked for first


def logged(log: MemoryJournal, file: Path | None) -> resuming.Wrap:
    """Write a log beside the journal, if one is wanted."""
    return lambda journal: journal if file is None else JournalPair(log, journal)


class Left(Protocol):
    """What is being left, and may be resumed."""

    def to_go_on(self) -> str:
        """Return how to resume it; empty where nothing of it is stored."""
        ...


def run(play: resuming.Play, plays: Left, messages: Messages, *, as_json: bool) -> None:
    """Play, print the outcome, and end with its code.

    Args:
        play: Plays a game.
        plays: Says how one that was left is resumed.
        messages: Of the language of the table.
        as_json: Print the outcome as JSON.
    """
    try:
        with in_language(messages):
            evening, outcome = play()
    except KeyboardInterrupt:  # before the game began, or while it was being closed
        _tell(plays.to_go_on())
        _leave(Outcome("quit"), messages)
        return
    except (NarratorError, click.exceptions.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as fault:
        own = PlayError(FaultCode.OWN_FAULT, kind=type(fault).__name__)
        raise ToldError(own, messages) from fault
    _print(evening.loaded.game, evening, outcome, as_json=as_json)
    if outcome.ended in ("quit", "unanswered"):
        _tell(plays.to_go_on())
    _leave(outcome, messages)


def _tell(sentence: str) -> None:
    if sentence:
        say(sentence, err=True)


def _given(wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wanted.items() if value is not None}


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """End the session as Ctrl-C does."""
    raise KeyboardInterrupt


def _drawn() -> int:
    return int.from_bytes(os.urandom(4), "big")


def _named(players: str | None, from_file: Sequence[Seat], game: Game) -> tuple[Seat, ...] | None:
    """Return the table as it was named; None where nobody named it."""
    if players is not None:
        known = {seat.name.casefold(): seat for seat in from_file}
        seats = options.seats_of(players, game)
        return tuple(_known(s, known) for s in seats)
    if from_file:
        options.check_seats(from_file, game)
        return tuple(from_file)
    return None


def _asked_for(loaded: games.Loaded) -> tuple[Seat, ...]:
    """Ask for the table where somebody can be asked."""
    if not sys.stdin or not sys.stdin.isatty():
        raise click.UsageError('Name the players, clockwise: --players "Ana, Ben, Cy".')
    return tuple(_asked(loaded))


def _known(seat: Seat, known: Mapping[str, Seat]) -> Seat:
    """Return the seat as the table file has it, unless it was just said how its name sounds."""
    return seat if seat.say else replace(known.get(seat.name.casefold(), seat), number=seat.number)


def _asked(loaded: games.Loaded) -> list[Seat]:
    while True:
        say(loaded.locale.messages.line("who plays"), err=True, nl=False)
        line = sys.stdin.readline()
        if not line:
            raise click.Abort
        try:
            return options.seats_of(line.strip(), loaded.game)
        except click.UsageError as error:
            say(error.format_message(), err=True)


def _print(game: Game, evening: playing.Evening, outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        told = {
            "game": game.id,
            "seats": [seat.name for seat in evening.seats],
            "seed": evening.seed,
            "ended": outcome.ended,
            "result": dict(outcome.result),
            "totals": dict(outcome.totals),
            "winners": outcome.result.get("winners"),
            "seconds": round(outcome.seconds, 1),
        }
        say_json(told)
        return
    for name, value in outcome.result.items():
        say(f"{name}: {in_words(value)}")


def _leave(outcome: Outcome, messages: Messages) -> None:
    """End with the documented code, and at once even where a library is still at work.

    A thread within a library (a model that is being loaded) cannot be stopped, and the usual end of
    the interpreter would end it in a way that C++ answers by aborting the process.
    """
    code = {"quit": 130, "unanswered": 1, "faulty": 2}.get(outcome.ended, 0)
    if any(t.is_alive() for t in threading.enumerate() if t is not threading.main_thread()):
        if code == 130:
            say(messages.line("stopped"), err=True)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    if code == 130:
        raise click.Abort
    if code:
        raise click.exceptions.Exit(code)
