from __future__ import annotations

import pytest

from narrator.ports.session import Clock
from narrator.simulation.clock import VirtualClock

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
