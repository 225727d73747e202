"""Threads of sound go first where the system lets them, and nothing else does."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from narrator.adapters.sound.priority import urgent

pytestmark = pytest.mark.unit


def policy_of_a_new_thread() -> int:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(os.sched_getscheduler(0)))
    thread.start()
    thread.join()
    return found[0]


def may_be_urgent() -> bool:
    """Whether this process may have real-time threads, without becoming one."""
    if not hasattr(os, "sched_setscheduler"):
        return False
    program = "import os; os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(5))"
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    return asked.returncode == 0


def test_only_threads_that_are_begun_meanwhile_go_first() -> None:
    if not may_be_urgent():
        pytest.skip("This system gives us no real-time priority.")
    before = os.sched_getscheduler(0)
    with urgent():
        assert policy_of_a_new_thread() == os.SCHED_RR
    assert os.sched_getscheduler(0) == before
    assert policy_of_a_new_thread() == before


@pytest.mark.parametrize("refusal", ["refused", "unknown"])
def test_where_it_is_not_given_everything_is_as_before(
    monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    if refusal == "unknown":
        monkeypatch.delattr(os, "sched_setscheduler", raising=False)
    else:
        monkeypatch.setattr(os, "sched_setscheduler", refused, raising=False)
    with urgent():
        begun = True
    assert begun


def test_a_fault_meanwhile_leaves_this_thread_as_it_was() -> None:
    before = os.sched_getscheduler(0) if hasattr(os, "sched_getscheduler") else None
    with pytest.raises(ZeroDivisionError), urgent():
        raise ZeroDivisionError
    after = os.sched_getscheduler(0) if hasattr(os, "sched_getscheduler") else None
    assert after == before
