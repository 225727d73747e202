"""Stored evenings as people and programs read them: sentences, tables, captions."""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from narrator.app.records.in_words import in_words
from narrator.core.effects import CountDown, Cover, Effect, Finish, Listen, Refused, Say, Show
from narrator.core.events import Event, SpeechCut, SpeechFinished, Transcript
from narrator.core.library import minutes, names
from narrator.core.record import Record
from narrator.core.values import Value
from narrator.ports.errors import NarratorError
from narrator.ports.session import Heard
from narrator.ports.storage import Entry
from narrator.script.files.locales import load_locale
from narrator.simulation.report import Uttered
from narrator.speaking.line import PER_CHARACTER

ENDS = {
    "complete": "played to its end",
    "stopped": "ended by the table",
    "faulty": "ended by a fault of its script",
    "declined": "broken off and not resumed",
    "": "broken off",
}
COLUMNS = ("evening", "date", "game", "player", "seat", "points", "winner", "ended", "minutes")


class SecretError(NarratorError):
    """The evening is not over, so what was said in it stays in it."""

    exit_code = 2


def must_be_over(record: Record) -> None:
    """Refuse to tell of a game that somebody may still go on with. Raises SecretError."""
    if not record.is_over():
        raise SecretError(
            f"Evening {record.number} is not over, so its secrets are not shown.",
            f"Resume it with narrator resume {record.number}.",
        )


def winners(record: Record) -> list[str]:
    """Return who won; empty for nobody, and for a game that is not over."""
    told = record.result.get("winners")
    if told is None or not record.is_over():
        return []
    return [str(name) for name in told] if isinstance(told, list) else [str(told)]


def points(record: Record, name: str) -> Value:
    """Return a player's points: 0 for who scored nothing in a game with points.

    None where the game has none, or is not over.
    """
    return record.totals.get(name, 0) if record.is_over() and record.totals else None


def headline(record: Record, *, played: bool = False) -> str:
    """Return an evening in one sentence.

    Args:
        record: The evening.
        played: Whether somebody is playing it now.
    """
    begun = record.opening.begun
    how = "being played now" if played else ENDS.get(record.ended, record.ended)
    told = (
        f"{record.number}: {record.opening.title}, {begun[:10]} at {begun[11:16]}, "
        f"with {names(record.names())}, {minutes(record.seconds)}, {how}."
    )
    won = winners(record)
    return f"{told} {'Winner' if len(won) == 1 else 'Winners'}: {names(won)}." if won else told


STORY = ("Say", "Refused")
"""Kinds of effects that a story is made of: to read only these is many times quicker."""
CAPTIONS = ("Say", "CountDown", "Listen")
"""The same for captions."""


def story(record: Record, entries: Iterable[Entry]) -> list[str]:
    """Return an evening as it can be read aloud: every answer that counted, and the outcome.

    Raises:
        SecretError: It is not over.
    """
    must_be_over(record)
    lines = [headline(record)]
    asked = ""
    for entry in entries:
        event = entry.event
        if isinstance(event, Transcript) and event.meaning and not _refused(entry.effects):
            lines.append(f"{_at(entry.now)}: {asked} {_answer(event)}".replace("  ", " "))
        said = [e.text for e in entry.effects if isinstance(e, Say) and e.role != "chatter"]
        asked = said[-1] if said else asked
    lines += [f"{key}: {in_words(value, sentence=True)}." for key, value in record.result.items()]
    return lines


def heard(record: Record, utterances: Sequence[Heard]) -> list[str]:
    """Return what became of every utterance, one a line, in the language of the table.

    Raises:
        SecretError: The evening is not over.
    """
    must_be_over(record)
    words = load_locale(record.opening.language).heard
    return [_heard_line(one, words) for one in utterances] or [words["none"]]


def _heard_line(one: Heard, words: Mapping[str, str]) -> str:
    why = words.get(one.reason, one.reason)
    return words["row"].format(
        time=f"{int(one.begin) // 60}:{one.begin % 60:04.1f}",
        text=f'"{one.text}"' if one.text else words["nothing"],
        score=f"{one.score:.2f}",
        margin=f"{one.margin:.2f}",
        decibels=f"{one.stands_out:.0f}",
        verdict=words[one.verdict],
        reason=words["because"].format(reason=why) if why else "",
    )


def heard_as_json(one: Heard) -> dict[str, Any]:
    """Return an utterance as a program may read it; seconds are the session's."""
    return {
        "at": round(one.at, 3),
        "begin": round(one.begin, 3),
        "end": round(one.end, 3),
        "step": one.step,
        "text": one.text,
        "score": round(one.score, 4),
        "margin": round(one.margin, 4),
        "stands_out": round(one.stands_out, 1),
        "verdict": one.verdict,
        "reason": one.reason,
    }


def _answer(event: Transcript) -> str:
    words = event.text or (str(event.meaning.value) if event.meaning else "")
    return f"{words[:1].upper()}{words[1:]}."


def _at(seconds: float) -> str:
    return f"After {minutes(seconds)}"


def _refused(effects: Sequence[Effect]) -> bool:
    return any(isinstance(effect, Refused) for effect in effects)


def as_csv(records: Sequence[Record]) -> str:
    """Return a row for each player of each evening; points and winners only of what is over."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for record in records:
        for seat in record.opening.seats:
            scored = points(record, seat.name)
            won = "" if not record.is_over() else "yes" if seat.name in winners(record) else "no"
            rows.writerow(
                [
                    *(record.number, record.opening.begun, _safe(record.opening.title)),
                    *(_safe(seat.name), seat.number, "" if scored is None else scored, won),
                    *(record.ended or "unfinished", round(record.seconds / 60)),
                ]
            )
    return out.getvalue()


def _safe(text: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{text}" if text[:1] in "=+-@" else text


def as_bg_stats(records: Sequence[Record]) -> str:
    """Return the evenings that are over as BG Stats imports them."""
    over = [record for record in records if record.is_over()]
    games = _numbered(record.opening.title for record in over)
    players = _numbered(name for record in over for name in record.names())
    told: dict[str, Any] = {
        "about": "Evenings moderated by Narrator",
        "games": [_thing(name, number, "game") for name, number in games.items()],
        "players": [
            {**_thing(name, number, "player"), "isAnonymous": False}
            for name, number in players.items()
        ],
        "locations": [],
        "plays": [_play(record, games, players) for record in over],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _numbered(some: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(some), 1)}


def _thing(name: str, number: int, kind: str) -> dict[str, Any]:
    # The same name has the same id in every export, so that nothing is imported twice.
    return {
        "id": number,
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{kind} {name}")),
        "name": name,
    }


def _play(record: Record, games: dict[str, int], players: dict[str, int]) -> dict[str, Any]:
    begun, won = record.opening.begun, winners(record)
    return {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"evening {record.number} {begun}")),
        "playDate": f"{begun[:10]} {begun[11:19]}",
        "durationMin": round(record.seconds / 60),
        "gameRefId": games[record.opening.title],
        "usesTeams": False,
        "ignored": False,
        "playerScores": [
            {
                "playerRefId": players[seat.name],
                "score": _scored(record, seat.name),
                "winner": seat.name in won,
                "newPlayer": False,
                "startPlayer": False,
                "seatOrder": seat.number,
                "rank": 0,
            }
            for seat in record.opening.seats
        ],
    }


def _scored(record: Record, name: str) -> str:
    scored = points(record, name)
    return "" if scored is None else in_words(scored)


def captions(record: Record, entries: Iterable[Entry]) -> list[Uttered]:
    """Return who said what and when, for captions. Raises SecretError where it is not over."""
    must_be_over(record)
    spoken: list[Uttered] = []
    open_lines: dict[int, tuple[float, str]] = {}
    listen: Listen | None = None
    silent_since = 0.0
    for entry in entries:
        ended = _ended(entry.event, open_lines)
        if ended is not None:
            begun, text = ended
            spoken.append(Uttered("narrator", max(begun, silent_since), entry.now, text))
            silent_since = entry.now
        elif isinstance(entry.event, Transcript) and entry.event.text:
            spoken.append(_heard(entry.event, entry.now, listen))
        for effect in entry.effects:
            if isinstance(effect, Say):
                open_lines[effect.utterance] = (entry.now, effect.text)
            elif isinstance(effect, CountDown):
                open_lines[effect.utterance] = (entry.now, ", ".join(effect.words))
            elif isinstance(effect, Listen):
                listen = effect
    return spoken


def _ended(event: Event, lines: dict[int, tuple[float, str]]) -> tuple[float, str] | None:
    if isinstance(event, (SpeechFinished, SpeechCut)):
        return lines.pop(event.utterance, None)
    return None


def _heard(event: Transcript, now: float, listen: Listen | None) -> Uttered:
    who = (listen.seat if listen else None) or "Somebody"
    return Uttered(who, max(0.0, now - len(event.text) * PER_CHARACTER), now, event.text)


def told(effect: Effect) -> str:
    """Return an effect in one line, for people who compare."""
    if isinstance(effect, (Say, Show)):
        return f"says: {effect.text}" if isinstance(effect, Say) else f"shows: {effect.text}"
    if isinstance(effect, Listen):
        kinds = ", ".join(e.kind for e in effect.answers)
        return f"listens at {effect.step} ({kinds or 'commands only'})"
    if isinstance(effect, Finish):
        return f"ends {effect.ended}: {dict(effect.result)}"
    if isinstance(effect, Cover):
        return f"cover {'on' if effect.on else 'off'}"
    return str(effect)
