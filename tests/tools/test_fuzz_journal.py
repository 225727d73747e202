"""A slice of the damages that tools/fuzz_journal.py does by the thousand."""

from collections import Counter

import pytest

from tools import fuzz_journal

pytestmark = pytest.mark.slow


def test_damages_cause_no_fault_of_our_own_and_cost_no_other_evening(tmp_path):
    bases = fuzz_journal.base(tmp_path)
    before = fuzz_journal.all_told(bases)
    assert all(told.evenings and not told.faults for told in before.values())
    counts: Counter[str] = Counter()
    faults = []
    for number in range(30):
        faults += fuzz_journal.one(number, 3, bases, before, tmp_path / "damaged", counts)
    assert faults == []
    assert counts["byte damages"] and counts["row damages"] and counts["resumed"]
