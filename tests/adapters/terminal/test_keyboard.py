import os
import time

import pytest

from narrator.adapters.terminal.keyboard import Keyboard
from tests.patience import limit

pytestmark = pytest.mark.unit


class Typist:
    def __init__(self, source, write_to):
        self.lines: list[str] = []
        self.ends: list[bool] = []
        self.write_to = write_to
        self.keyboard = Keyboard(self.lines.append, lambda: self.ends.append(True), source)

    def type(self, data, until):
        os.write(self.write_to, data)
        return self.await_lines(until)

    def await_lines(self, count):
        end = time.monotonic() + limit(5)
        while len(self.lines) < count and time.monotonic() < end:
            time.sleep(0.01)
        return self.lines

    def await_end(self):
        end = time.monotonic() + limit(5)
        while not self.ends and time.monotonic() < end:
            time.sleep(0.01)
        return self.ends


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    typist = Typist(reading, writing)
    yield typist
    typist.keyboard.close()
    os.close(reading)


def test_a_program_that_never_ends_waits_and_nothing_is_lost():
    reading, writing = os.pipe()
    lines: list[str] = []
    room = [5]
    keyboard = Keyboard(lines.append, lambda: None, reading, lambda: len(lines) >= room[0])
    sent = "".join(f"{number}\n" for number in range(20_000)).encode()
    os.set_blocking(writing, False)
    os.write(writing, sent[:60_000])
    time.sleep(0.5)
    held = len(lines)
    assert 5 <= held < 2000, "what one look at the pipe gives, and no more"
    room[0] = 10**9
    end = time.monotonic() + limit(5)
    while len(lines) < sent[:60_000].count(b"\n") and time.monotonic() < end:
        time.sleep(0.01)
    keyboard.close()
    os.close(reading)
    os.close(writing)
    assert lines == sent[:60_000].decode().split("\n")[:-1]


def test_a_line_without_an_end_takes_no_more_than_its_room(pipe):
    for _ in range(30):
        os.write(pipe.write_to, b"y" * 4000)
    assert pipe.type(b"\nnext\n", 2) == ["y" * 10_000, "next"]


@pytest.fixture
def terminal():
    pty = pytest.importorskip("pty", reason="There are no pseudo terminals on this system.")
    master, slave = pty.openpty()
    typist = Typist(slave, master)
    time.sleep(0.2)
    yield typist
    typist.keyboard.close()
    os.close(master)
    os.close(slave)


def test_lines_come_from_a_pipe_as_they_are_written(pipe):
    assert pipe.type("ready\nSiobhán\n\n".encode(), 3) == ["ready", "Siobhán", ""]


def test_a_letter_that_arrives_in_two_halves_is_one_letter(pipe):
    whole = "é\n".encode()
    os.write(pipe.write_to, whole[:1])
    time.sleep(0.15)
    assert pipe.type(whole[1:], 1) == ["é"]


def test_the_end_of_a_pipe_is_told_once_behind_its_last_unfinished_line(pipe):
    pipe.type(b"yes\nno", 1)
    os.close(pipe.write_to)
    assert pipe.await_end() == [True]
    assert pipe.lines == ["yes", "no"]
    assert not pipe.keyboard.is_terminal


def test_space_and_escape_act_at_once_on_a_terminal_and_are_not_echoed(terminal):
    assert terminal.keyboard.is_terminal
    assert terminal.type(b" ", 1) == [" "]
    assert terminal.type(b"\x1b", 2) == [" ", "\x1b"]
    terminal.type(b"seat\x7f\x7fven two\r", 3)
    assert terminal.lines[2] == "seven two"
    shown = os.read(terminal.write_to, 100).decode()
    assert shown.startswith("seat") and "\x1b" not in shown


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        (b"\x1b[A", "Up"),
        (b"\x1bOD", "Left"),
        (b"\x1bOP", "F1"),
        (b"\x1b[[B", "F2"),
        (b"\x1b[15~", "F5"),
        (b"\x1b[21~", "F10"),
    ],
)
def test_arrow_and_function_keys_act_at_once_by_their_name(terminal, sent, name):
    assert terminal.type(sent, 1) == [f"\x1b{name}"]
    os.write(terminal.write_to, b"o" + sent + b"k")  # and not within a line
    time.sleep(0.2)
    assert terminal.type(b"\n", 2)[1:] == ["ok"]


def test_a_sequence_that_comes_in_two_parts_is_no_escape(terminal):
    os.write(terminal.write_to, b"\x1b")
    time.sleep(0.01)
    assert terminal.type(b"[B", 1) == ["\x1bDown"]


def test_a_key_that_is_held_acts_as_often_as_it_comes(terminal):
    assert terminal.type(b"\x1b[A\x1b[A \x1b[A", 4) == ["\x1bUp", "\x1bUp", " ", "\x1bUp"]


def test_a_line_that_begins_like_a_key_is_left_alone(terminal):
    for number, line in enumerate([b"yes", b"Robert", b"nobody", b" quit", b"r"], 1):
        terminal.type(line + b"\n", number)
    assert terminal.lines == ["yes", "Robert", "nobody", " quit", "r"]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (b"seat one\x15seat two", "seat two"),
        (b"seat one\x17two", "seat two"),
        (b"seat one  \x17\x17Ben", "Ben"),
        (b"\x17\x15\x7fBen", "Ben"),
        ("영희\x7f수\x15지훈".encode(), "지훈"),
    ],
)
def test_a_line_and_its_last_word_can_be_cleared(terminal, typed, line):
    assert terminal.type(typed + b"\n", 1) == [line]


def test_what_is_cleared_goes_from_the_screen_by_its_width(terminal):
    terminal.type("ab영\x15\n".encode(), 1)
    shown = b""
    while not shown.endswith(b"\n"):
        shown += os.read(terminal.write_to, 100)
    assert shown.decode().count("\b \b") == 4


def test_a_terminal_is_left_as_it_was(terminal):
    import termios

    before = termios.tcgetattr(terminal.write_to)
    terminal.keyboard.close()
    after = termios.tcgetattr(terminal.write_to)
    assert before[3] & termios.ICANON == 0  # keys come at once while it reads
    assert after[3] & termios.ICANON and after[3] & termios.ECHO


def test_a_keyboard_that_is_not_there_is_over_at_once():
    reading, writing = os.pipe()
    os.close(reading)
    os.close(writing)
    typist = Typist(reading, writing)
    assert typist.await_end() == [True]
    typist.keyboard.close()
