"""docs/accessibility.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit
TESTS = Path(__file__).resolve().parent.parent
PAGE = (TESTS.parent / "docs" / "accessibility.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([a-z_/]+\.py)(?:::(test_\w+))?`", PAGE)))


@pytest.mark.parametrize(("file", "test"), NAMED)
def test_what_shows_a_claim_is_there(file: str, test: str) -> None:
    text = (TESTS / file).read_text(encoding="utf-8")
    assert f"def {test or 'test_'}" in text


def test_the_claims_of_both_pages_are_among_them() -> None:
    assert len([test for _, test in NAMED if test]) >= 10
