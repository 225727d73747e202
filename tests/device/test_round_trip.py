"""A tone goes out of the loudspeaker and comes in at the microphone, or it is told that not."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.app.doctor.doctor import _round_trip
from narrator.app.doctor.round_trip import find, sweep
from narrator.config.settings import Settings
from tests.device.desk import Desk

pytestmark = pytest.mark.device

VT = Settings(microphone="vt_app", speaker="vt_app")


def test_a_tone_that_leaks_into_the_microphone_is_found_with_its_level(desk: Desk) -> None:
    desk.table.leak(-6.0)
    finding = _round_trip(desk.devices, VT)
    assert finding.state == "good", finding
    assert "A tone came in" in finding.told and "above the room" in finding.told


def test_a_microphone_of_zeros_is_told(desk: Desk) -> None:
    finding = _round_trip(desk.devices, VT)
    assert finding.state == "poor"
    assert "nothing at all" in finding.told and "muted" in finding.remedy


@pytest.mark.parametrize("rate", [16_000, 44_100, 48_000])
def test_the_tone_is_found_at_its_sample_in_noise_and_nowhere_in_noise_alone(rate: int) -> None:
    noise = np.random.default_rng(1).normal(0, 300, 2 * rate)
    assert find(noise.astype(np.int16), rate) is None
    place = round(0.7 * rate)
    noise[place : place + sweep(rate).size] += 0.2 * sweep(rate)
    found = find(noise.astype(np.int16), rate)
    assert found is not None
    assert abs(found[0] - place) <= 2
    assert found[1] == pytest.approx(10, abs=3)
