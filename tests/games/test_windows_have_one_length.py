"""Every silent window of every game lasts as long as it should, whatever a table does meanwhile.

The tables here press and say everything there is at random moments, and get the answers right. Time
is kept as a host keeps it: a timer fires when it is due, a line takes a second, a line that is
stopped is over at once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from narrator.core.commands.table import TABLE
from narrator.core.effects import CountDown, Effect, Hush, Listen, Say
from narrator.core.engine import Engine
from narrator.core.events import Key, SpeechCut, SpeechFinished, Start, TimerFired, Transcript
from narrator.core.expect import Meaning
from narrator.core.game import Game
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Seat, Value
from narrator.testing.monkey_moves import NAMES, asked, fitting
from tests.games.at_the_table import load_game

pytestmark = pytest.mark.unit

GAMES = (
    "detective-club",
    "fictionary",
    "mafia",
    "one-missing-briefing",
    "one-night-revolution",
    "scorekeeper",
    "subtext",
    "two-truths-and-a-lie",
)
WITH_WINDOWS = {
    "detective-club": {"wait-1"},
    "mafia": {"wait-1", "mafia-agrees", "wait-2", "wait-3", "doctor-acts", "detective-acts"},
    "one-missing-briefing": {"wait-1", "wait-2", "peek"},
    "one-night-revolution": {"wait-1", "wait-2", "wait-3", "wait-4"},
    "subtext": {"wait-1"},
}
"""Names of windows that must have been met in a game, or the test proves nothing."""
LEAST = {
    "mafia-agrees": 5.0,
    "doctor-acts": 6.0,
    "detective-acts": 6.0,
    "peek": 10.0,
    "one-night-revolution/night/wait-2": 4.0,
}
"""Seconds that no pace makes them shorter than: the shortest that the table could have chosen."""
LINE = 1.0
"""Seconds that every line takes."""
EVENTS = 900
RUDE = tuple(name for name in TABLE if name not in ("stop", "cover_louder", "cues_louder"))
KINDS = ("shortest", "usual", "longest")


def settings_of(game: Game, players: int, kind: str) -> dict[str, Value]:
    """Return all options that are lengths of time at one of their ends."""
    chosen: dict[str, Value] = {}
    for option in game.options:
        end = {"shortest": option.low_for, "longest": option.high_for}.get(kind)
        value = end(players) if end and option.kind == "duration" else None
        if value is not None:
            chosen[option.name] = value
    return chosen


@dataclass
class Window:
    """A window that was open."""

    path: str
    opened: float
    seconds: float
    """How long it should last."""
    closed: float | None = None


@dataclass
class Rude:
    """A table that gets on with the game and interrupts it all the time."""

    game: Game
    seed: int
    settings: Mapping[str, Value]
    rude: float = 0.5
    """How often somebody interrupts."""
    players: int = 0
    windows: list[Window] = field(default_factory=list)
    unheard: list[tuple[float, int]] = field(default_factory=list)
    """Lines that are being said: when each is over."""
    cut: list[int] = field(default_factory=list)
    listen: Listen | None = None
    opens: float = 0.0
    now: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)
    cut_at_windows: list[str] = field(default_factory=list)
    """Steps at which a line right before or after a private window was stopped."""

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.game.id} {self.seed}")
        self.players = self.chance.randint(self.game.low, min(self.game.high, 6))
        seats = [Seat(i + 1, name) for i, name in enumerate(NAMES[: self.players])]
        self.engine = Engine(self.game, seats, seed=self.seed, settings=self.settings)

    def play(self) -> Rude:
        self.tell(Start())
        for _ in range(EVENTS):
            if self.engine.is_over:
                break
            self.move()
        return self

    def move(self) -> None:
        due, line = self.engine.deadline(), min(self.unheard, default=None)
        following = min(
            (t for t in (due and due.due, line and line[0]) if t is not None), default=None
        )
        if self.cut:
            self.tell(SpeechCut(self.cut.pop(), 0.1))
        if self.chance.random() < self.rude:
            after = self.chance.uniform(0.0, 4.0)
            if following is None or self.now + after < following:
                self.now += after
                self.interrupt()
                return
        if self.engine.is_confirming:
            self.tell(
                Key(self.chance.choice(("yes", "no", "no"))) if not self.ends() else Key("no")
            )
        elif self.engine.is_paused:
            self.tell(Key("resume"))
        elif self.engine.is_stuck and line is None and self.answer():
            return
        elif following is not None:
            self.now = following
            if line is not None and line[0] <= following:
                self.unheard.remove(line)
                self.tell(SpeechFinished(line[1]))
            elif due is not None:
                self.tell(TimerFired(due.name, due.generation))

    def ends(self) -> bool:
        return self.engine.state.moderator.confirms_end

    def answer(self) -> bool:
        expected = asked(self.chance, self.listen)
        if expected is None or self.listen is None:
            return False
        self.now = max(self.now, self.opens) + 0.5
        due = self.engine.deadline()
        self.asked[self.listen.step] += 1
        agree = 0.9 if self.asked[self.listen.step] < 12 else 0.5
        if due is not None and due.due <= self.now:
            self.now = due.due
            self.tell(TimerFired(due.name, due.generation))
        else:
            value = fitting(self.chance, expected, agree)
            self.tell(Transcript("x", Meaning(expected.intent, value), self.listen.listen))
        return True

    def interrupt(self) -> None:
        name = self.chance.choice(RUDE)
        if self.chance.random() < 0.5 or self.listen is None:
            self.tell(Key(name))
        else:
            value = self.chance.choice((None, 3, 60))
            meaning = Meaning(TABLE[name].intent, value)
            self.tell(Transcript("x", meaning, self.listen.listen))

    def tell(self, event: object) -> None:
        before, still = self.engine.at(), self.engine.state.moderator.is_standing_still
        effects = self.engine.step(event, self.now)  # type: ignore[arg-type]
        self.take(effects)
        path = self.engine.at()
        step = self.engine._program.steps.get(path)
        is_open = bool(self.windows) and self.windows[-1].closed is None
        # A window that is followed by itself, in a loop, is opened again by its own end.
        fired = isinstance(event, TimerFired)
        over = isinstance(event, TimerFired) and event.name == "step"
        if self.engine.is_over:
            self.windows = [window for window in self.windows if window.closed is not None]
        elif is_open and (path != self.windows[-1].path or over):
            self.windows[-1].closed = self.now
            is_open = False
        if isinstance(step, Wait) and not is_open and not self.engine.is_over:
            self.windows.append(Window(path, self.now, self.length(path, step)))
        heard = fired or still or isinstance(event, SpeechFinished)
        if any(isinstance(effect, Hush) for effect in effects) and not heard:
            self.cut_at_windows += [before] * self.is_beside_a_window(before)

    def is_beside_a_window(self, path: str) -> bool:
        """Whether a line is said between a window of over five seconds and its neighbour."""
        program = self.engine._program
        block, _, name = path.rpartition("/")
        steps = program.blocks.get(block, ())
        place = next((i for i, step in enumerate(steps) if step.name == name), None)
        if place is None or type(steps[place]).__name__ != "Say":
            return False
        beside = [*steps[max(0, place - 1) : place], *steps[place + 1 : place + 2]]
        return any(isinstance(s, Wait) and self.written(s) > 5 for s in beside)

    def length(self, path: str, step: Wait) -> float:
        pace = float(str(self.engine.state.settings["pace"]))
        known = [least for name, least in LEAST.items() if f"{self.game.id}/{path}".endswith(name)]
        is_chosen = path.partition("/")[0] == "night" or path.endswith("peek")
        return max(self.written(step) * pace, *(known if is_chosen else ()), 0.0)

    def written(self, step: Wait) -> float:
        scope: dict[str, Value] = {
            "n": self.players,
            "seats": [*self.engine.state.names()],
            **self.engine.state.settings,
            **self.engine.state.variables,
        }
        return float(str(step.seconds(scope)))

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Listen):
                self.listen, self.opens = effect, self.now + effect.opens_after
            elif isinstance(effect, Hush):
                self.cut += [number for _, number in self.unheard]
                self.unheard.clear()
            elif isinstance(effect, (Say, CountDown)):
                start = max([self.now, *(over for over, _ in self.unheard)])
                self.unheard.append((start + LINE, effect.utterance))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pace", [0.5, 1, 4])
@pytest.mark.parametrize("name", GAMES)
def test_every_window_has_one_length_whatever_is_said(name: str, pace: float, kind: str) -> None:
    game = load_game(name).game
    met: set[str] = set()
    for seed in range(6):
        settings = {**settings_of(game, game.low, kind), "pace": pace}
        table = Rude(game, seed, settings).play()
        for window in table.windows:
            if window.closed is not None:
                met.add(window.path.rpartition("/")[2])
                assert window.closed - window.opened == pytest.approx(window.seconds), window
        assert table.cut_at_windows == []
    assert met >= WITH_WINDOWS.get(name, set())
