import io

import pytest

from narrator.adapters.terminal.plain_screen import PlainScreen, plain

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Siobhán wins.", "Siobhán wins."),
        ("a\x1b[31mred\x1b[0m", r"a\x1b[31mred\x1b[0m"),
        ("tick \u2713 \u2588\u2588 box \u2500 \U0001f600 done", "tick box done"),
        ("wait\u2026 \u2014 now", "wait... - now"),
        ("one\rtwo\nthree\ttabs", "one two three tabs"),
        ("3 \u00d7 2 = 6, 5 \u20ac, 10 %", "3 x 2 = 6, 5 \u20ac, 10 %"),
        ("\u4f60\u597d", "\u4f60\u597d"),
        ("a\u202eb\x9bc", r"a\u202eb\x9bc"),
    ],
)
def test_only_letters_digits_and_punctuation_are_shown(text, shown):
    assert plain(text) == shown


def test_a_line_is_one_line_and_is_there_at_once():
    stream = io.StringIO()
    screen = PlainScreen(stream)
    screen.line("First.\nStill first.")
    screen.line("Second.")
    assert stream.getvalue() == "First. Still first.\nSecond.\n"


def test_a_stream_that_knows_no_such_letters_shows_something_instead():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    PlainScreen(stream).line("Siobhán.")
    assert stream.buffer.getvalue() == rb"Siobh\xe1n." + b"\n"


def test_a_stream_that_is_gone_is_written_to_no_more():
    stream = io.StringIO()
    screen = PlainScreen(stream)
    stream.close()
    screen.line("Nobody reads this.")
    screen.line("Nor this.")
