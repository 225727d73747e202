"""The Specialists that One Night Revolution recommends for a first game, by number of players."""

import pytest

from tests.games.at_the_table import NAMES, table_of

pytestmark = pytest.mark.unit

RECOMMENDED = {
    3: "1 Reassigner, 1 Investigator and 1 Thief",
    4: "1 Reassigner, 1 Investigator, 1 Thief and 1 Signaller",
    5: "1 Reassigner, 1 Investigator, 1 Thief, 1 Signaller and 1 Observer",
    6: "1 Reassigner, 2 Investigators, 1 Thief, 1 Signaller and 1 Observer",
    7: "1 Reassigner, 2 Investigators, 1 Thief, 1 Signaller and 2 Observers",
    8: "1 Reassigner, 2 Investigators, 1 Thief, 2 Signallers and 2 Observers",
    9: "1 Reassigner, 2 Investigators, 2 Thieves, 2 Signallers and 2 Observers",
    10: "2 Reassigners, 2 Investigators, 2 Thieves, 2 Signallers and 2 Observers",
}


@pytest.mark.parametrize("count", RECOMMENDED)
def test_a_first_table_is_told_its_specialists(count: int) -> None:
    table = table_of("one-night-revolution", list(NAMES.values())[:count])
    table.expect_next()
    [line] = [line.text for line in table.said if "Choose" in line.text]
    assert line.endswith(f"For a first game take {RECOMMENDED[count]}.")
    told = line.split("take")[1].split()
    assert sum(int(word) for word in told if word.isdigit()) == count


def test_a_table_that_knows_the_game_is_told_none() -> None:
    table = table_of("one-night-revolution", list(NAMES.values())[:5], brief=False)
    table.expect_next()
    assert not any("first game" in line.text for line in table.said)
