"""Whole evenings in real sound: one seed gives one evening, and no token is heard at night."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.adapters.voices.hibari import ENGINE as HIBARI
from narrator.app.games import load_game
from narrator.app.rehearse import Plan, player_voices, rehearse_in_sound
from narrator.config.settings import Settings
from narrator.core.values import Seat, Value
from narrator.ports.errors import RecogniserError
from narrator.simulation.report import Report
from narrator.simulation.simulated_players import Line
from narrator.simulation.sound_world import TICK, SoundWorld

pytestmark = pytest.mark.model

SEATS = [Seat(n, name) for n, name in enumerate(("Robert", "Julia", "Benjamin"), 1)]
CHOSEN: dict[str, Value] = {"controller": "Julia", "brief": False, "look": 4.0, "discussion": 60.0}
VOTES = [
    Line(f"vote for {whom}", "termination/votes/ask") for whom in ("robert", "robert", "julia")
]


def evening(voice: str, informants: str) -> tuple[Report, SoundWorld]:
    try:
        find_weights(None, [])
    except RecogniserError as fault:
        pytest.skip(f"The English speech model is not installed: {fault.message}")
    lines = [*VOTES, Line(informants, "termination/reveal/ask")]
    return rehearse_in_sound(
        load_game("one-night-revolution"),
        Plan(SEATS, 3, CHOSEN, lines, engine="whisper", program=Settings(voice=voice)),
    )


@pytest.fixture(scope="module", params=["en", "heart"])
def evenings(request: pytest.FixtureRequest) -> list[tuple[Report, SoundWorld]]:
    if request.param == "heart" and (told := HIBARI.problem()):
        pytest.skip(told)
    return [evening(request.param, held) for held in ("robert", "robert", "nobody")]


def test_the_evening_ends_with_what_the_table_meant(evenings):
    report, _ = evenings[0]
    assert report.ended == "complete"
    assert report.result == {
        "terminated": ["Robert"],
        "side": "rebels",
        "winners": ["Julia", "Benjamin"],
    }
    assert not any(answer.typed for answer in report.answers)


def test_one_seed_gives_one_journal_and_one_recording(evenings):
    (first, heard), (second, again) = evenings[:2]
    assert first.journal_lines() == second.journal_lines()
    assert np.array_equal(np.concatenate(heard.record), np.concatenate(again.record))


def test_a_night_with_other_tokens_is_the_same_to_the_sample(evenings):
    (first, heard), (other, again) = evenings[0], evenings[2]
    assert first.result != other.result
    ticks = round(next(begin for begin, name in first.phases if name == "day") / TICK)
    assert ticks > 300
    assert np.array_equal(
        np.concatenate(heard.record[:ticks]), np.concatenate(again.record[:ticks])
    )


def test_players_speak_with_the_voices_of_two_engines_where_they_are_installed() -> None:
    seats = [Seat(number, f"Player {number}") for number in range(1, 13)]
    english = player_voices(seats, "en")
    named = [voice.name for voice in english.values()]
    assert named.count("heart") == (0 if HIBARI.problem() else 3)
    assert len({(voice.name, voice.pitch) for voice in english.values()}) == 12
    assert all(voice.name.startswith("ko+") for voice in player_voices(seats, "ko").values())


def test_the_recording_is_neither_clipped_nor_empty(evenings):
    report, world = evenings[0]
    record = np.concatenate(world.record)
    assert 3_000 < np.abs(record.astype(np.int32)).max() < 32_767
    assert len(report.heard) >= 10
