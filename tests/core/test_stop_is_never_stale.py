"""A line may end while somebody says stop: it counts all the same."""

from __future__ import annotations

import pytest

from narrator.core.events import Transcript
from narrator.core.expect import Meaning
from tests.core.small_game import Driver

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(("command", "paused"), [("stop", True), ("pause", True), ("skip", False)])
def test_what_was_said_into_the_line_before(command: str, paused: bool) -> None:
    driver = Driver().to_the_votes()
    old = driver.listen.listen
    driver.hear("Ben")
    assert driver.listen.listen != old
    at = driver.engine.at()
    driver.tell(Transcript(command, Meaning(f"command:{command}"), old))
    assert driver.engine.is_paused is paused
    assert driver.engine.at() == at
