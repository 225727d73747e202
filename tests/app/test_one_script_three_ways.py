"""One script by `play`, by `rehearse` and by a test plan: the same voice, gate and journal."""

import json
from functools import partial
from pathlib import Path

import pytest

from narrator.adapters.journal.memory import MemoryJournal
from narrator.app.games import load_game
from narrator.app.rehearse import Plan, rehearse_in_text
from narrator.app.wiring import play
from narrator.audio.gate import Gate
from narrator.config.settings import Settings
from narrator.core.codec import encode
from narrator.core.events import Transcript
from narrator.core.values import Seat
from narrator.session.endpoints import Endpoints
from narrator.simulation.text_world import TextWorld
from narrator.testing.fakes import ListScreen
from narrator.testing.plan import read_plan
from narrator.testing.plan_run import PlanRun

pytestmark = pytest.mark.unit

SEATS = (Seat(1, "Ana"), Seat(2, "Ben"), Seat(3, "Cy"))
SCRIPT = """
narrator: 1
title: Who did it
players: {min: 3, max: 3}
phases:
  day:
    steps:
      - say: Somebody did it.
      - for each: seat
        steps:
          - ask: "{{ seat }}, who did it?"
            answer: seat
            into: guess
      - timer: 20s
        say: You have twenty seconds.
      - countdown: [three, two, one, point]
      - say: That was all.
"""


@pytest.fixture
def gates(monkeypatch):
    """Return the moments at which the gate opens, as they come."""
    opened: list[float] = []
    ended = Gate.ended

    def noted(self: Gate, sound: int, now: float) -> None:
        ended(self, sound, now)
        opens = self.opens()
        if opens is not None and (not opened or opened[-1] != round(opens, 6)):
            opened.append(round(opens, 6))

    monkeypatch.setattr(Gate, "ended", noted)
    return opened


def settings(verbosity, guard):
    return Settings(
        question_voice="en-us+f3",
        chatter_voice="en-us+m3",
        pronunciations={"Ana": "Banana"},
        guard_time=guard,
        verbosity=verbosity,
        rate=200,
    )


def rows(entries):
    """Return journal rows as they are written down; a plan's are written already."""
    return [
        (
            round(now, 6),
            encode(event),
            json.loads(effects) if isinstance(effects, str) else encode(list(effects)),
        )
        for now, event, effects in entries
    ]


def said(entries):
    """Return when what was said by whom."""
    return [(now, event.text) for now, event, _ in entries if isinstance(event, Transcript)]


def taken(opened):
    """Return what was noted so far, and start over."""
    noted, opened[:] = [*opened], []
    return noted


def played(loaded, program, lines):
    """Play it as `narrator play` does, in a world without sound."""
    world = TextWorld(SEATS, loaded.locale, program)
    for moment, text in lines:
        world.inbox.later.append((moment, partial(hear, world, text)))
    journal = MemoryJournal()
    ends = Endpoints(world.clock, world.inbox, world.ears, world.speech, None, (world.watch,))
    play.play(play.Evening(loaded, SEATS, program), journal, ListScreen(), ends=ends)
    entries = [(e.now, e.event, e.effects) for e in journal.entries()]
    return world.voices.rendered, entries


def hear(world, text):
    now = world.clock.now()
    world.inbox.post(world.ears.heard(world.ears.listen, text, now, now))


def planned(loaded, program, lines, folder):
    """Run it as a test plan."""
    plan = folder / "plan.yaml"
    steps, before = [], 0.0
    for moment, text in lines:
        steps += [f"  - wait: {moment - before!r}s", f'  - hear: "{text}"', "    at once: yes"]
        before = moment
    steps.append("  - wait: 60s")
    plan.write_text("players: [Ana, Ben, Cy]\nsteps:\n" + "\n".join(steps) + "\n", encoding="utf-8")
    run = PlanRun(read_plan(plan), loaded.game, loaded.locale, program=program)
    assert run.failure() == ""
    table = run.table
    entries = [(r.now, r.event, r.effects) for r in table.journal]
    return table.world.voices.rendered, entries


@pytest.mark.parametrize(("verbosity", "guard"), [("normal", 0.5), ("brief", 0.9)])
def test_play_rehearse_and_a_plan_say_the_same_at_the_same_moments(
    verbosity, guard, gates, tmp_path: Path
):
    script = tmp_path / "game.yaml"
    script.write_text(SCRIPT, encoding="utf-8")
    loaded, program = load_game(str(script)), settings(verbosity, guard)
    report, world = rehearse_in_text(loaded, Plan(SEATS, 0, patient=True, program=program))
    assert report.ended == "complete" and not report.faults
    lines, opened = said(report.journal), taken(gates)
    rendered = world.voices.rendered
    assert ("Banana, who did it?", "en-us+f3") in [(t, v.name) for t, v in rendered]
    assert {v.rate for _, v in rendered} == {200}
    for play_it in (played, partial(planned, folder=tmp_path)):
        voiced, entries = play_it(loaded, program, lines)
        assert voiced == rendered
        assert rows(entries) == rows(report.journal)
        assert taken(gates) == opened
