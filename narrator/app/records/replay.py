"""A stored evening through today's code; and a game test made of a real evening."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from narrator.app.games import Loaded
from narrator.app.records.export import must_be_over, told
from narrator.app.records.journal_store import stored_game
from narrator.config import private
from narrator.core.codec import decode, encode
from narrator.core.effects import Effect, Say
from narrator.core.engine import Engine
from narrator.core.events import Key, SpeechCut, SpeechFinished, Transcript
from narrator.core.game import Game, Option
from narrator.core.record import Record
from narrator.core.steps.asked.timer import Timer
from narrator.core.steps.program import Program
from narrator.core.values import Value
from narrator.ports.errors import JournalError
from narrator.ports.faults import FaultCode
from narrator.ports.storage import Entry
from narrator.speaking.line import PER_CHARACTER
from narrator.testing.plan import read_plan
from narrator.testing.plan_run import run_plan

Raw = Sequence[tuple[float, Any, list[Any]]]
"""Session seconds, event and effects of each entry, as they are stored."""
SLACK = 90
"""Seconds that a line may be later in the test than it was: voices differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An event that causes something else today."""

    number: int
    now: float
    event: str
    before: tuple[str, ...]
    today: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return it line by line: `-` as it was, `+` as it is."""
        gone = [f"  - {line}" for line in self.before if line not in self.today]
        come = [f"  + {line}" for line in self.today if line not in self.before]
        head = f"Event {self.number} at {self.now:.2f} s, {self.event}:"
        return [head, *gone, *come] if gone or come else [head, "  in another order or wording"]


def replay(record: Record, raw: Raw, loaded: Loaded | None = None) -> list[Difference]:
    """Play the stored events again.

    Args:
        record: The evening, with its script.
        raw: What happened.
        loaded: Another script than the stored one.

    Returns:
        Every event whose effects differ; empty where today's code does the same.
    """
    engine = _engine(record, loaded or stored_game(record))
    found = []
    for number, (now, event, before) in enumerate(raw):
        effects = _stepped(engine, number, event, now)
        today = json.loads(json.dumps(encode(effects)))
        if today != before and today != _as_of_today(before):
            was = tuple(_told(effect) for effect in before)
            is_ = tuple(told(effect) for effect in effects)
            found.append(Difference(number, now, event["is"], was, is_))
    return found


def _stepped(engine: Engine, number: int, event: Any, now: float) -> list[Effect]:
    try:
        return engine.step(decode(event), now)
    except Exception as fault:  # no event of ours does that: it says what none can
        raise JournalError(
            FaultCode.EVENT_DAMAGED, number=number, kind=type(fault).__name__
        ) from fault


def _as_of_today(before: list[Any]) -> list[Any]:
    """Return stored effects as today's code would store them: an older one may say it otherwise."""
    try:
        return [json.loads(json.dumps(encode(decode(effect)))) for effect in before]
    except (KeyError, TypeError):
        return before


def _told(data: Any) -> str:
    try:
        effect: Effect = decode(data)
        return told(effect)
    except (KeyError, TypeError):  # of a version that had other effects
        return json.dumps(data, ensure_ascii=False)


def _engine(record: Record, loaded: Loaded) -> Engine:
    opening = record.opening
    return Engine(loaded.game, opening.seats, seed=opening.seed, settings=opening.options)


def write_test(record: Record, entries: Sequence[Entry], path: Path) -> str:
    """Write a plan that plays the evening, and run it.

    Args:
        record: The evening, which is over.
        entries: What happened.
        path: Of the plan's file.

    Returns:
        Why it does not hold; empty where it does.

    Raises:
        SecretError: The evening is not over.
        OSError: The file cannot be written.
    """
    must_be_over(record)
    loaded = stored_game(record)
    options = {option.name: option for option in loaded.game.options}
    plan = {
        "about": f"Evening {record.number}, as it was played on {record.opening.begun[:10]}.",
        "game": record.opening.game,
        "players": [_player(seat) for seat in record.opening.seats],
        "seed": record.opening.seed,
        "settings": {
            name: _setting(options.get(name), value)
            for name, value in record.opening.options.items()
        },
        "steps": [*_steps(entries, loaded.game), {"expect": _expected(record)}],
    }
    yaml = YAML()
    yaml.width = 110
    with private.opened(path) as file:
        yaml.dump(plan, file)
    return run_plan(read_plan(path), loaded.game, loaded.locale).failure


def _expected(record: Record) -> dict[str, Any]:
    expected: dict[str, Any] = {"ended": record.ended}
    if record.result:
        expected["result"] = dict(record.result)
    return expected


def _player(seat: Any) -> Any:
    if not seat.say and not seat.hear:
        return seat.name
    return {"name": seat.name, "say": seat.say, "hear": list(seat.hear)}


def _setting(option: Option | None, value: Value) -> Any:
    if option is not None and option.kind == "duration" and isinstance(value, (int, float)):
        return f"{value:g}s"
    return value


def _steps(entries: Sequence[Entry], game: Game) -> list[dict[str, Any]]:
    """Return what was said, and before it the line that it answered and the time that went by."""
    steps: list[dict[str, Any]] = []
    line: tuple[Say, float] | None = None
    silent, last, by_id = 0.0, 0.0, _tells_time(game)
    speaking: set[int] = set()
    for entry in entries:
        event = entry.event
        if isinstance(event, (SpeechFinished, SpeechCut)):
            silent = entry.now
            speaking.discard(event.utterance)
        if isinstance(event, Key) or (isinstance(event, Transcript) and event.meaning):
            if line is not None:
                steps.append(_line(*line, last, by_id=by_id))
            steps.append({"wait": f"{_pause(entry.now, line, silent, during=bool(speaking)):.2f}s"})
            steps.append(_said(event, during=bool(speaking)))
            line, last = None, entry.now
        said = [e for e in entry.effects if isinstance(e, Say)]
        speaking |= {effect.utterance for effect in said}
        line = (said[-1], entry.now) if said else line
    return steps


def _line(said: Say, at: float, last: float, *, by_id: bool) -> dict[str, Any]:
    """Return the step that waits for a line.

    A line of the narrator's own may tell how much time is left, and that depends on how long a
    voice takes for what came before; so does a game's line that tells a timer's time. Such lines
    are known by their id, all others by their words.
    """
    own = said.line.startswith("own/")
    return {
        "say": said.line if said.line and (own or by_id) else said.text,
        "within": f"{round(at - last) + SLACK}s",
    }


def _pause(now: float, line: tuple[Say, float] | None, silent: float, *, during: bool) -> float:
    """Return how long nobody said anything before an answer, as a test plan waits for it."""
    if line is None:
        return max(0.0, now - silent)
    said, at = line
    if during:  # somebody spoke into the line
        return max(0.0, now - at)
    return max(0.0, now - silent) + len(said.text) * PER_CHARACTER  # it is found when it begins


def _said(event: Key | Transcript, *, during: bool) -> dict[str, Any]:
    if isinstance(event, Key):
        return {"key": event.command}
    return {"hear": event.text, "at once": True} if during else {"hear": event.text}


def _tells_time(game: Game) -> bool:
    """Whether the game has a timer whose time it can tell."""
    steps = Program(game).steps.values()
    return any(isinstance(step, Timer) and (step.elapsed or step.remaining) for step in steps)
