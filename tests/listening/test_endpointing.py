"""Where an utterance begins and ends, by plain numbers."""

import pytest

from narrator.listening.endpointing import LIMITS, Endpointer, Limits

pytestmark = pytest.mark.unit

CHUNK = 0.1


def edges(chunks, limits):
    """Return each edge with the second it comes at; `#` is a chunk of speech, `.` one without."""
    endpointer = Endpointer(limits)
    found = [
        (endpointer.process(CHUNK, c == "#"), round((n + 1) * CHUNK, 1))
        for n, c in enumerate(chunks)
    ]
    return [pair for pair in found if pair[0]]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ("..........", []),
        ("..##......", [("begin", 0.4), ("end", 0.9)]),
        ("..#.......", []),  # a click
        ("#.#.#.#...", []),  # knocking: as much silence as sound
        ("..####.##.....", [("begin", 0.4), ("end", 1.4)]),  # a stop inside a word
        ("###....#......", [("begin", 0.2), ("end", 1.3)]),  # a pause shorter than the limit
        ("###.....##.....", [("begin", 0.2), ("end", 0.8), ("begin", 1.0), ("end", 1.5)]),
        ("##########.....", [("begin", 0.2), ("end", 1.5)]),
        ("#############.....", [("begin", 0.2), ("too long", 1.2), ("end", 1.8)]),
    ],
)
def test_edges(chunks, expected):
    assert edges(chunks, Limits(silence=0.5, speech=0.2, longest=1.0)) == expected


def test_the_size_of_chunks_does_not_matter():
    def end(chunk):
        endpointer = Endpointer(Limits(silence=0.48, speech=0.12, longest=8))
        now = 0.0
        found: dict[str, float] = {}
        while now < 3:
            now += chunk
            edge = endpointer.process(chunk, now <= 0.96)
            found |= {edge: now} if edge else {}
        return found["end"]

    assert end(0.032) == pytest.approx(1.44, abs=0.04)
    assert end(0.012) == pytest.approx(1.44, abs=0.04)


def test_silence_asked_for_grows_with_what_people_pause_in():
    assert LIMITS["yesno"].silence == LIMITS["phrase"].silence <= 0.45
    assert LIMITS["yesno"].silence < LIMITS["seats"].silence < LIMITS["free"].silence
    assert LIMITS["seats"].longest < LIMITS["free"].longest < 30


def test_new_limits_begin_with_a_reset():
    endpointer = Endpointer(Limits(silence=0.2, speech=0.1))
    assert endpointer.process(0.1, True) == "begin"
    endpointer.reset(Limits(silence=0.2, speech=0.3))
    assert not endpointer.inside
    assert [endpointer.process(0.1, True) for _ in range(3)] == ["", "", "begin"]
