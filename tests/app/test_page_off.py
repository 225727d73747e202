"""Without the setting nothing of the page is loaded."""

from __future__ import annotations

import pytest

from tests.fresh_process import output_of

pytestmark = pytest.mark.unit


def test_nothing_of_the_page_is_loaded_before_a_table_wants_it() -> None:
    loaded = output_of(
        "import sys, narrator.cli.main, narrator.app.wiring.play\n"
        "names = 'uvicorn', 'starlette', 'segno', 'narrator.adapters.page.server'\n"
        "print([name for name in names if name in sys.modules])"
    )
    assert loaded == "[]"
