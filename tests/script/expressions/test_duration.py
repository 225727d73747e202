from __future__ import annotations

import pytest

from narrator.core.values import Constant, ExpressionError
from narrator.script.expressions.duration import Duration, parse_duration

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90), ("90s", 90), ("1:30", 90), ("2m30s", 150), ("10m", 600), ("1h", 3600),
        ("10:00", 600), ("0:45", 45), ("010", 10), ("1:05:00", 3900), ("2 min", 120), ("0.5s", 0.5),
        ("300.0s", 300), ("1h 30m", 5400), ("5 minutes", 300), (" 7s ", 7), ("24h", 86400),
    ],
)  # fmt: skip
def test_lengths_of_time(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "soon", "1:75", "-5s", "5x", "s", "25h", "1:2:3:4", "1e9", "nan", "5s5m", "9" * 400],
)
def test_nonsense(text: str) -> None:
    assert parse_duration(text) is None


def test_what_a_template_gives_is_read_the_same_way() -> None:
    assert Duration(Constant("1:30"))({}) == 90
    with pytest.raises(ExpressionError, match="'soon' is not a length of time"):
        Duration(Constant("soon"))({})
