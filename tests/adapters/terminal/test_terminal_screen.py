import io
import os
import time

import pytest

from narrator.adapters.page.code import qr_lines
from narrator.adapters.terminal.keyboard import Keyboard
from narrator.adapters.terminal.plain_screen import PlainScreen
from narrator.adapters.terminal.terminal_screen import TerminalScreen, screen_on
from narrator.adapters.terminal.wrapping import columns, wrapped
from tests.patience import limit

pytestmark = pytest.mark.unit


class Terminal(io.StringIO):
    def isatty(self):
        return True


def drawn(text, width=80):
    """Return the rows that a terminal shows after a text."""
    rows, row, column = [""], 0, 0
    at = 0
    while at < len(text):
        if text.startswith("\x1b[A", at):
            row, at = row - 1, at + 3
            continue
        if text.startswith("\x1b[J", at):
            rows[row] = rows[row][:column]
            rows, at = rows[: row + 1], at + 3
            continue
        sign, at = text[at], at + 1
        assert sign in "\r\n\b" or sign.isprintable(), repr(sign)
        if sign == "\r":
            column = 0
        elif sign == "\b":
            column -= 1
        elif sign == "\n":
            row, column = row + 1, 0
            rows += [""] * (row - len(rows) + 1)
        else:
            if column == width:
                row, column = row + 1, 0
                rows += [""] * (row - len(rows) + 1)
            rows[row] = rows[row][:column] + sign + rows[row][column + 1 :]
            column += 1
    return [row.rstrip() for row in rows]


@pytest.mark.parametrize("width", [20, 33, 79])
@pytest.mark.parametrize(
    "text",
    [
        "Informants only. Open your eyes and find each other, and keep your hands by your token.",
        "여러분 모두 눈을 감아 주세요. 밤이 되었습니다. 손은 자기 토큰 옆에 두세요.",
        "x" * 100,
        "short " + "y" * 90 + " end",
        "",
    ],
)
def test_a_line_is_broken_between_words_and_nothing_is_lost(text, width):
    rows = wrapped(text, width)
    assert all(columns(row) <= width for row in rows)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")
    for row in rows:
        assert row == row.strip()
    if max(map(columns, text.split() or [""])) <= width:
        assert " ".join(rows) == text


@pytest.mark.parametrize("typed", ["rea", "x" * 79, "x" * 80, "x" * 81, "word " * 40])
def test_what_is_typed_stays_whole_below_the_lines(typed):
    stream = Terminal()
    screen = TerminalScreen(stream)
    for end in range(len(typed)):
        screen.echo(typed[end], typed[: end + 1])
    screen.line("Say ready when everybody has looked.")
    screen.line("One more.")
    shown = [typed[at : at + 80].rstrip() for at in range(0, len(typed), 80)]
    expected = ["Say ready when everybody has looked.", "One more.", *shown]
    assert drawn(stream.getvalue()) == expected
    screen.echo("\n", "")
    screen.line("After it.")
    assert drawn(stream.getvalue())[len(expected) :] == ["After it.", ""]


def test_in_plain_mode_lines_wait_for_the_end_of_the_typed_one():
    stream = Terminal()
    screen = TerminalScreen(stream, redraws=False, hold=limit(60))
    screen.echo("A", "A")
    screen.line("Held.")
    assert stream.getvalue() == "A"
    screen.echo("na", "Ana")
    screen.echo("\n", "")
    assert stream.getvalue() == "Ana\nHeld.\n"


def test_in_plain_mode_nobody_waits_longer_for_who_types_slowly():
    stream = Terminal()
    screen = TerminalScreen(stream, redraws=False, hold=0.05)
    screen.echo("An", "An")
    screen.line("Time.")
    screen.line("Eyes closed.")
    end = time.monotonic() + limit(5)
    while "closed" not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    assert stream.getvalue() == "An\nTime.\nEyes closed.\nAn"
    screen.echo("a", "Ana")
    screen.close()
    assert stream.getvalue() == "An\nTime.\nEyes closed.\nAna\n"


@pytest.mark.parametrize(
    ("environment", "plain", "escapes"),
    [({}, False, True), ({"TERM": "dumb"}, False, False), ({"NO_COLOR": ""}, False, False),
     ({}, True, False)],
)  # fmt: skip
def test_plain_lines_have_no_escape(environment, plain, escapes):
    stream = Terminal()
    screen = screen_on(stream, environment, plain=plain)
    assert isinstance(screen, TerminalScreen)
    screen.echo("a", "a")
    screen.line("Line.")
    screen.close()
    assert ("\x1b" in stream.getvalue()) is escapes
    assert isinstance(screen_on(io.StringIO(), {}), PlainScreen)


def test_a_keyboard_writes_what_is_typed_through_the_screen():
    pty = pytest.importorskip("pty", reason="There are no pseudo terminals on this system.")
    master, slave = pty.openpty()
    stream = Terminal()
    lines: list[str] = []
    screen = TerminalScreen(stream)
    keyboard = Keyboard(lines.append, lambda: None, slave, screen=screen)
    time.sleep(0.2)

    def typed(data, until):
        os.write(master, data)
        end = time.monotonic() + limit(5)
        while not stream.getvalue().endswith(until) and time.monotonic() < end:
            time.sleep(0.01)

    typed(b"reb\x7f", "reb\b \b")
    screen.line("Say ready when you are.")
    typed(b"ady\n", "ady\n")
    keyboard.close()
    os.close(master)
    os.close(slave)
    assert drawn(stream.getvalue()) == ["Say ready when you are.", "ready", ""]
    assert lines == ["ready"]


QR = qr_lines("http://192.0.2.2:8642/join?key=" + "a" * 32)


def test_a_picture_in_characters_is_shown_as_it_is():
    out = Terminal()
    assert TerminalScreen(out).drawn(QR)
    assert out.getvalue().splitlines() == QR
    assert len({len(row) for row in QR}) == 1 and {*"".join(QR)} == {*" ▀▄█"}


def test_a_picture_that_would_not_be_one_is_left_out_and_lines_go_on(tmp_path):
    typed = Terminal()
    screen = TerminalScreen(typed)
    screen.echo("d", "d")
    assert not screen.drawn(QR)
    assert not TerminalScreen(Terminal()).drawn([row * 3 for row in QR])
    with (tmp_path / "ascii").open("w", encoding="ascii") as plain:
        screen = TerminalScreen(plain)
        assert not screen.drawn(QR)
        screen.line("Still here.")
    assert (tmp_path / "ascii").read_text() == "Still here.\n"
