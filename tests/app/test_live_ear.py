"""What waits for a slow listener is bounded, and the newest is kept."""

from __future__ import annotations

import queue

import numpy as np
import pytest

from narrator.app.doctor.live_ear import WAITING, Sound, drop, put
from narrator.ports.audio import BLOCK

pytestmark = pytest.mark.unit


def test_the_oldest_is_left_out_where_no_more_fit_in() -> None:
    blocks: Sound = queue.Queue(WAITING)
    for number in range(WAITING + 30):
        put(blocks, np.full(BLOCK, number, np.int16))
    assert blocks.qsize() == WAITING
    assert blocks.get_nowait()[0] == 30
    drop(blocks)
    assert blocks.empty()
