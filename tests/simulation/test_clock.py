from __future__ import annotations

import math

import pytest

from narrator.ports.session import Clock
from narrator.simulation.clock import VirtualClock
from narrator.simulation.sound_world import SampleClock, SampleInbox

pytestmark = pytest.mark.unit


def test_stands_still_until_moved() -> None:
    clock = VirtualClock()
    port: Clock = clock
    assert port.now() == port.now() == 0.0
    assert clock.advance(2.5) == 2.5
    assert port.now() == 2.5
    assert clock.gap() == 0.0


def test_never_goes_back() -> None:
    clock = VirtualClock(10.0)
    assert clock.advance_to(4.0) == 10.0
    assert clock.advance_to(12.0) == 12.0
    with pytest.raises(ValueError, match="back"):
        clock.advance(-0.1)
    assert clock.now() == 12.0


def test_a_block_that_ends_a_hair_before_a_moment_has_reached_it() -> None:
    """Sums of seconds are rounded: a timer due at 0.30000000000000004 s was never told."""
    clock = SampleClock()
    inbox = SampleInbox(clock, clock.tick)
    for _ in range(3):
        inbox.take(0.1)
    due = math.nextafter(clock.now(), math.inf)
    assert inbox.take(due - clock.now()) is None
    assert clock.now() == due
