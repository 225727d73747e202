from __future__ import annotations

from datetime import datetime

import pytest

from narrator.adapters.system.clock import SessionClock, local_moment
from narrator.ports.session import Clock

pytestmark = pytest.mark.unit


class Machine:
    """A machine that can be put to sleep."""

    def __init__(self) -> None:
        self.awake = 1_000.0
        self.asleep = 500.0

    def clock(self) -> SessionClock:
        return SessionClock(lambda: self.awake, lambda: self.awake + self.asleep)


def test_session_starts_at_zero_and_counts_awake_seconds() -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock.now() == 0.0
    machine.awake += 12.5
    assert clock.now() == 12.5


def test_sleep_does_not_count_and_is_told_once() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.awake += 60
    machine.asleep += 480
    assert clock.now() == 60
    assert clock.gap() == 480
    assert clock.gap() == 0.0
    machine.asleep += 30
    assert clock.gap() == 30


def test_drift_is_no_gap_and_does_not_get_lost() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.asleep += 1.5
    assert clock.gap() == 0.0
    machine.asleep += 1.5
    assert clock.gap() == 3.0


def test_system_clock_never_runs_backwards() -> None:
    clock: Clock = SessionClock()
    readings = [clock.now() for _ in range(1_000)]
    assert readings[0] >= 0.0
    assert readings == sorted(readings)
    assert readings[-1] > readings[0]
    assert SessionClock().gap() == 0.0


def test_a_session_goes_on_at_the_second_where_it_was_broken_off_and_never_goes_back() -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock.go_on_at(1_800.0) == 0.0
    assert clock.now() == 1_800.0
    assert clock.go_on_at(1_790.0) == 10.0
    assert clock.now() == 1_800.0


def test_the_date_has_its_offset() -> None:
    moment = datetime.fromisoformat(local_moment())
    assert moment.utcoffset() is not None
