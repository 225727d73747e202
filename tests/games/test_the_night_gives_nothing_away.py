"""What the night of One Night Revolution sounds like depends on nothing a player could hide.

The narrator is never told who holds which token, so no run can differ by it. What it does hear is
how long each turn took: the night's words and silences must not depend on that either.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narrator.app import games
from narrator.testing.table import Table

pytestmark = pytest.mark.unit

NAMES = "Ana Ben Cy Dee Eli Fay Gus Hal Ida Jon".split()
LONG = 11.0
"""Seconds of a turn beyond which a seat is reminded, no matter who sits there."""

CALL = ", open your eyes."


@pytest.fixture(scope="module")
def loaded():
    return games.load_game("one-night-revolution")


def night(loaded, seats, options, turns, phrases):
    """Play a night whose turns take so long; return its lines, and the silences not of a turn."""
    table = Table(loaded.game, seats, settings={**options, "brief": False}, locale=loaded.locale)
    table.start()
    table.expect_next()
    table.hear("ready")
    table.wait_until(lambda: table.said[-1].text.startswith("Night."))
    told = len(table.said) - 1
    turns, phrases = iter(turns), iter(phrases)
    lines, silences, heard_at = [], [], table.said[-1].at
    while table.at.startswith("night"):
        listen = table.asks()
        if listen is not None and not table.speaking:
            table.wait(listen.opens_after + next(turns))
            if not table.speaking:
                table.hear(next(phrases), at_once=True)
                heard_at = table.now
        elif not table.advance():
            break
        for line in table.said[told:]:
            if table.at.startswith("night"):
                silences.append(round(line.at - heard_at, 3))
                lines.append(line.text)
            heard_at = line.at + line.seconds
        told = len(table.said)
    return lines, silences


DURATIONS = st.lists(st.floats(0.5, LONG - 4), min_size=11, max_size=11)
PHRASES = st.lists(
    st.sampled_from(["task complete", "mission accomplished"]), min_size=11, max_size=11
)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    count=st.integers(3, 10),
    controller=st.integers(0, 9),
    deep_agent=st.booleans(),
    first=st.tuples(DURATIONS, PHRASES),
    second=st.tuples(DURATIONS, PHRASES),
)
def test_words_and_silences_do_not_depend_on_the_turns(
    loaded, count, controller, deep_agent, first, second
):
    seats = NAMES[:count]
    options = {"controller": seats[controller % count], "deep_agent": deep_agent}
    one, other = (night(loaded, seats, options, *turns) for turns in (first, second))
    assert one == other
    lines, _ = one
    called = [line.removesuffix(CALL) for line in lines if line.removesuffix(CALL) in seats]
    start = seats.index(options["controller"])
    assert called == seats[start:] + seats[:start]


def test_a_reminder_is_the_only_thing_that_time_brings(loaded):
    seats = NAMES[:4]
    options = {"controller": "Ben"}
    quick = night(loaded, seats, options, [1.0] * 5, ["task complete"] * 5)[0]
    table = Table(loaded.game, seats, settings={**options, "brief": False}, locale=loaded.locale)
    table.start()
    table.expect_next()
    table.hear("ready")
    while not table.said[-1].text.startswith("Everyone, open"):
        table.expect_next()
        table.wait(44)
        table.hear("task complete")
        table.wait_until(lambda: table.asks() is not None and not table.speaking)
        if table.at.startswith("day"):
            break
    slow = [line.text for line in table.said if "eyes closed when you are done" not in line.text]
    start = next(i for i, text in enumerate(slow) if text.startswith("Night."))
    assert slow[start : start + len(quick)] == quick
    reminders = [line.text for line in table.said if "eyes closed when you are done" in line.text]
    assert len(reminders) == 2 * 5
