"""Rows of the journal as things, each looked at before it is believed: a journal may be damaged, or
somebody else's.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, TypeVar, get_args

from narrator.core import effects as core_effects
from narrator.core import events as core_events
from narrator.core.codec import KIND, decode
from narrator.core.effects import Effect
from narrator.core.events import Event
from narrator.core.record import Opening, Record
from narrator.core.values import Seat
from narrator.ports.session import Heard, Verdict

COLUMNS = (
    "id, game, title, language, script, seats, options, settings, seed, version, begun, "
    "ended, finished, seconds, result, totals"
)
LARGEST = 16_000_000
"""Bytes that one row may unpack to: the effects of an event take some ten thousand."""
_NAMES = COLUMNS.split(", ")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_EVENTS = get_args(core_events.Event)
_EFFECTS = get_args(core_effects.Effect)
_FAULTS = (ValueError, TypeError, KeyError, AttributeError, RecursionError, zlib.error)
"""What reading a bad row ends in; a letter that is no UTF-8 and JSON cut short are ValueErrors."""


Container = TypeVar("Container", list[Any], dict[str, Any])
"""What a packed row holds."""


class UnreadableError(Exception):
    """A row is damaged; the message says what of it."""


def record_of(row: Sequence[Any]) -> Record:
    """Return an evening. Raises UnreadableError."""
    got = dict(zip(_NAMES, row, strict=True))
    for name in ("game", "title", "language", "script", "version", "begun", "ended", "finished"):
        _check_text(got[name], name)
    if not _MOMENT.match(got["begun"]):
        raise UnreadableError("begun")
    for name in ("id", "seed"):
        if not isinstance(got[name], int):
            raise UnreadableError(name)
    _check_finite(got["seconds"], "seconds")
    options, settings, result, totals = (
        _mapping(got[name], name) for name in ("options", "settings", "result", "totals")
    )
    opening = Opening(
        got["game"], got["title"], got["language"], _seats(got["seats"]), options, settings,
        got["seed"], {}, got["script"], got["version"], got["begun"],
    )  # fmt: skip
    return Record(got["id"], opening, got["ended"], got["finished"], got["seconds"], result, totals)


def event_of(text: Any) -> Event:
    """Return an event. Raises UnreadableError."""
    try:
        event = decode(loaded(text))
    except _FAULTS as fault:
        raise UnreadableError("event") from fault
    if not isinstance(event, _EVENTS):
        raise UnreadableError("event")
    return event  # type: ignore[no-any-return]


def effects_of(data: Any, kinds: Collection[str] = ()) -> tuple[Effect, ...]:
    """Return what an event caused. Raises UnreadableError.

    Args:
        data: As it is stored.
        kinds: Names of the effects that are wanted; none: all.
    """
    told = _only(data, kinds) if kinds else raw_effects(data)
    try:
        found = tuple(decode(one) for one in told)
    except _FAULTS as fault:
        raise UnreadableError("effects") from fault
    if not all(isinstance(effect, _EFFECTS) for effect in found):
        raise UnreadableError("effects")
    return found


def _only(data: Any, kinds: Collection[str]) -> list[Any]:
    """Return the effects of some kinds as they were written down, without reading the others.

    Nine tenths of a row are the words that might have been said. Inside a text each quotation mark
    is escaped, so what looks like the beginning of an effect is one.
    """
    try:
        text = _plain(data).decode("utf-8")
        if not (text.startswith("[") and text.endswith("]")):
            raise UnreadableError("effects")
        begun = _beginning(tuple(kinds)).finditer(text)
        return [_DECODER.raw_decode(text, at.start())[0] for at in begun]
    except _FAULTS as fault:
        raise UnreadableError("effects") from fault


def raw_effects(data: Any) -> list[Any]:
    """Return what an event caused, as it was written down. Raises UnreadableError."""
    return _unpacked_as(list, data, "effects")


def state_of(data: Any) -> dict[str, Any]:
    """Return a saved state. Raises UnreadableError."""
    return _unpacked_as(dict, data, "saved state")


def script_of(data: Any) -> dict[str, str]:
    """Return the texts of a script's files by their names. Raises UnreadableError."""
    files = _unpacked_as(dict, data, "script")
    if not all(isinstance(text, str) for text in files.values()):
        raise UnreadableError("script")
    return files


def _unpacked_as(kind: type[Container], data: Any, what: str) -> Container:
    """Return what was packed, which has to be of a kind. Raises UnreadableError."""
    try:
        found = unpacked(data)
    except _FAULTS as fault:
        raise UnreadableError(what) from fault
    if not isinstance(found, kind):
        raise UnreadableError(what)
    return found


def heard_of(row: Sequence[Any]) -> Heard:
    """Return an utterance. Raises UnreadableError."""
    at, begin, end, text, verdict, reason, score, margin, stands_out, step = row
    for value in (text, verdict, reason, step):
        _check_text(value, "words")
    if verdict not in get_args(Verdict):
        raise UnreadableError("verdict")
    at, begin, end = map(seconds_of, (at, begin, end))
    for name, value in (("score", score), ("margin", margin), ("loudness", stands_out)):
        _check_finite(value, name)
    return Heard(at, begin, end, text, verdict, reason, score, margin, stands_out, step)


_LONGEST_EVENING = 1e7
"""Seconds, four months: a moment beyond, or one that is no number, is a damaged one."""


def seconds_of(value: Any) -> float:
    """Return session seconds. Raises UnreadableError."""
    if not isinstance(value, (int, float)) or not abs(value) <= _LONGEST_EVENING:
        raise UnreadableError("time")
    return value


def _check_finite(value: Any, name: str) -> None:
    """Refuse what is no number; how large one may be depends on the engine that gave it."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise UnreadableError(name)


def unpacked(data: bytes) -> Any:
    """Return what was packed. Raises ValueError or zlib.error where it is damaged."""
    return loaded(_plain(data))


def _plain(data: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(data, LARGEST)
    if not unpacking.eof:
        raise ValueError("it is cut short, or far too large")
    return text


def written(value: Any) -> str:
    """Return a value as JSON, as short as can be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def loaded(text: str | bytes) -> Any:
    """Return what JSON says. Raises ValueError, also for what no JSON of ours holds."""
    if isinstance(text, str):
        text.encode("utf-8")  # halves of a letter stand for bytes that are no UTF-8
    return json.loads(text, parse_constant=_no_number)


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


@cache
def _beginning(kinds: tuple[str, ...]) -> re.Pattern[str]:
    """Return how effects of some kinds begin in JSON: an effect's kind is written first."""
    return re.compile(f'{{"{KIND}":"(?:{"|".join(kinds)})"')


_DECODER = json.JSONDecoder(parse_constant=_no_number)


def _check_text(value: Any, name: str) -> None:
    # Signs that cannot be seen are no damage: a title may have them, and they are shown as escapes.
    if not isinstance(value, str) or re.search("[\ud800-\udfff]", value):
        raise UnreadableError(name)


def _mapping(text: Any, name: str) -> dict[str, Any]:
    try:
        found = loaded(text)
    except _FAULTS as fault:
        raise UnreadableError(name) from fault
    if not isinstance(found, dict):
        raise UnreadableError(name)
    return found


def _seats(text: Any) -> tuple[Seat, ...]:
    try:
        given = loaded(text)
        seats = tuple(Seat(**{**s, "hear": tuple(s.get("hear", ()))}) for s in given)
    except _FAULTS as fault:
        raise UnreadableError("seats") from fault
    for number, seat in enumerate(seats, 1):
        texts = (seat.name, seat.say, *seat.hear)
        if seat.number != number or not seat.name or not all(isinstance(t, str) for t in texts):
            raise UnreadableError("seats")
    return seats
