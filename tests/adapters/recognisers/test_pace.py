"""How many words there is time for, and how few are too few."""

from __future__ import annotations

import pytest

from narrator.adapters.recognisers.whisper.beam_search import Pace

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("words", "seconds", "leaves_out"),
    [
        ("kim nine", 2.3, True),
        ("kim nine", 1.2, False),
        ("kim nine zoe eleven gus eight", 2.3, False),
        ("one", 0.9, False),
        ("", 3.0, False),
    ],
)
def test_what_is_too_little_for_the_time_leaves_something_out(
    words: str, seconds: float, leaves_out: bool
) -> None:
    assert Pace(seconds).leaves_out(words.split()) is leaves_out
