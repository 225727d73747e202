"""What the keyboard gives: lines and keys become the same events as what is said."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from narrator.core.commands import table
from narrator.core.effects import Listen
from narrator.core.events import Event, Key, Transcript
from narrator.core.expect import Expectation, Meaning
from narrator.language.messages import Messages
from narrator.listening.interpreter import Interpreter
from narrator.ports.page import Press
from narrator.session import choices
from narrator.session.keys import KEYS, PRESSED, TALK, TALK_LETTER

WAKE = Key("typed")
"""Posted when there is something to be taken; means nothing else."""
LISTEN_NOW = Key("talk")
"""Listen to the next utterance, also while the narrator speaks."""
WAITING = 1000
"""Lines that wait for their questions."""
_YES_OR_NO = ("yes", "no")
_COMMANDS = table.expected(tuple(table.TABLE))


@dataclass(slots=True)
class _Typed:
    """A line that was typed, and the question that it waits for, if it does."""

    line: str
    question: Listen | None = None
    is_early: bool = False
    """Whether it waits for a question that was not asked yet."""


class KeyboardInput:
    """Lines that were typed and not yet taken. Any thread may put; the thread that thinks takes.

    Args:
        understanding: What the lines mean.
        piped: Whether the lines come from a file or a program: then each answer waits for its
            question. A person's line waits where it answers the question before, for that one to be
            asked again: points are often typed faster than they are read back.
    """

    def __init__(self, understanding: Interpreter, *, piped: bool) -> None:
        self._understanding = understanding
        self.piped = piped
        self.has_pages = False
        """Whether answers may come from pages as well, after the keyboard was closed."""
        self._lines: deque[_Typed] = deque()
        self._presses: deque[Press] = deque()
        self._closed = False
        self._asked: Listen | None = None
        """What the last question listened for."""

    def is_full(self) -> bool:
        """Whether enough lines wait: a program may write faster than a game can be played."""
        return len(self._lines) >= WAITING

    def put(self, line: str, wake: Callable[[Event], None]) -> None:
        """Keep a line, without its end, or a key's character."""
        self._lines.append(_Typed(line))
        wake(WAKE)

    def press(self, press: Press, wake: Callable[[Event], None]) -> bool:
        """Keep what was pressed on a page; False where too much waits already."""
        if len(self._presses) >= WAITING:
            return False
        self._presses.append(press)
        wake(WAKE)
        return True

    def close(self, wake: Callable[[Event], None]) -> None:
        """Note that nothing more will be typed."""
        self._closed = True
        wake(WAKE)

    def is_over(self) -> bool:
        """Whether everything was taken and nothing more will come."""
        return self._closed and not (self._lines or self._presses or self.has_pages)

    def is_waiting(self) -> bool:
        """Whether a line is waiting for its question."""
        return bool(self._lines)

    def following(self) -> str | None:
        """Return the next line without taking it; None where there is none."""
        return self._lines[0].line if self._lines else None

    def take(
        self,
        listen: Listen | None,
        *,
        open_now: bool,
        timed: bool,
        ahead: Callable[[], tuple[Expectation, ...]] = tuple,
    ) -> Event | None:
        """Return the next line as an event; None where there is none, or it has to wait.

        Args:
            listen: what may be said now.
            open_now: whether a question is waiting for its answer.
            timed: whether a timer runs that an answer may end early.
            ahead: returns what the question listens for that is about to be asked.
        """
        if listen is not None and listen.answers:
            self._asked = listen
        if self._presses:
            return self._pressed(listen, self._presses.popleft())
        for place, typed in enumerate(self._lines):
            event = self.event(listen, typed.line)
            if not open_now and self._is_answer_to(ahead, event, typed, listen):
                if self.piped:
                    return None
                continue
            if self.piped:
                if not _counts_in_turn(event, open_now, timed):
                    return None
            elif self._waits(event, typed, listen, open_now):
                continue
            elif _came_to_nothing(event, typed, listen):
                event = Transcript(typed.line, None, 0, source="keyboard", unclear=True)
            del self._lines[place]
            return event
        return None

    def _is_answer_to(
        self,
        ahead: Callable[[], tuple[Expectation, ...]],
        event: Event,
        typed: _Typed,
        listen: Listen | None,
    ) -> bool:
        """Whether a line would be a command, and is an answer to what is about to be asked."""
        if listen is None or not _is_command(event) or typed.line in PRESSED:
            return False
        soon = ahead()
        if not soon:
            return False
        question = replace(listen, expectations=soon)
        meant = self._understanding.typed(question, typed.line).meaning
        if meant is None and choices.named(question, typed.line) is None:
            return False
        typed.is_early = True
        return True

    def _pressed(self, listen: Listen | None, press: Press) -> Event:
        """Understand a press; one that was meant for another question than is asked means nothing.

        A press never waits: its button stands for the question that was shown with it.
        """
        if press.command:
            return Key(press.command, "page", press.by)
        event: Event = Transcript(press.line, None, press.listen)
        if listen is not None and listen.listen == press.listen:
            event = self.event(listen, press.line)
        if isinstance(event, Transcript):
            return replace(event, source="page", by=press.by)
        return replace(event, source="page", by=press.by) if isinstance(event, Key) else event

    def left_over(self) -> tuple[str, ...]:
        """Return the lines that were never taken."""
        return tuple(typed.line for typed in self._lines)

    def _waits(self, event: Event, typed: _Typed, listen: Listen | None, open_now: bool) -> bool:
        """Whether a person's line waits for the question before to be asked again.

        It never answers another question, or another seat's, and nothing waits at night.
        """
        if typed.question is not None:
            return not (open_now or _is_same(typed.question, listen))
        if open_now or not isinstance(event, Transcript) or event.meaning is not None:
            return False
        asked, text = self._asked, typed.line.strip()
        if not text or asked is None or asked.eyes_closed:
            return False
        if self._understanding.typed(asked, text).meaning is None:
            return False
        typed.question = asked
        return True

    def event(self, listen: Listen | None, line: str) -> Event:
        """Understand a line: as something said, else as a key, else as a command."""
        if line == TALK:
            return LISTEN_NOW
        if line in PRESSED:  # its name may be an answer: Right
            return Key(KEYS[line])
        text = line.strip()
        if listen is None:
            return Key(KEYS.get(text, text))
        if not text:
            return self._expected_words(listen)
        said = self._understanding.typed(listen, text) if text.strip() else None
        key = KEYS.get(text.lower())
        if said is not None and said.meaning is not None:
            return said
        chosen = choices.named(listen, text)
        if chosen is not None:
            return Transcript(text, chosen, listen.listen, source="keyboard")
        if text.lower() == TALK_LETTER:
            return LISTEN_NOW
        if key in _YES_OR_NO and not any(e.kind == "yesno" for e in listen.expectations):
            key = None
        return Key(key) if key else self._command(listen, text) or said or Key(text)

    def _command(self, listen: Listen, text: str) -> Key | None:
        """Find a command that may not be said now, but be typed: a key is always heard."""
        meant = self._understanding.typed(replace(listen, expectations=_COMMANDS), text).meaning
        return Key(meant.intent.removeprefix("command:")) if meant else None

    def _expected_words(self, listen: Listen) -> Transcript:
        """Say the expected words for somebody who only presses Enter."""
        chosen = choices.first_of(listen)
        if chosen is not None:
            words = choices.listed(listen, self._understanding)[0][1]
            return Transcript(words, chosen, listen.listen, source="keyboard")
        for expected in listen.expectations:
            if expected.kind == "phrase":
                words = self._understanding.grammar(listen).sample(expected, None)
                meaning = Meaning(expected.intent, words)
                return Transcript(words, meaning, listen.listen, source="keyboard")
        return Transcript("", None, listen.listen, source="keyboard", unclear=True)


def _came_to_nothing(event: Event, typed: _Typed, listen: Listen | None) -> bool:
    """Whether a line waited for a question that is not asked any more: it is no command either."""
    if typed.is_early:
        return _is_command(event)
    return typed.question is not None and not _is_same(typed.question, listen)


def _is_same(question: Listen, listen: Listen | None) -> bool:
    """Whether a question is asked again, of the same seat."""
    return listen is not None and (listen.step, listen.seat) == (question.step, question.seat)


def _counts_in_turn(event: Event, open_now: bool, timed: bool) -> bool:
    """Whether a line of a pipe is taken now: an answer waits for its question."""
    if open_now or not isinstance(event, Transcript) or _is_command(event):
        return True
    return timed and event.meaning is not None


def _is_command(event: Event) -> bool:
    if isinstance(event, Key):
        return event.command in table.TABLE
    if not isinstance(event, Transcript) or event.meaning is None:
        return False
    return event.meaning.intent.startswith("command:")


def prompt(listen: Listen, understanding: Interpreter) -> str:
    """Return one line that ends with what may be typed now; "" where nothing is asked."""
    expected = next(iter(listen.answers), None)
    messages = understanding.messages
    if expected is None:
        return ""
    if expected.kind == "phrase":
        words = understanding.grammar(listen).sample(expected, None)
        return messages.line("prompt phrase", words=words) if words else ""
    shown = tuple(words for _, words in choices.listed(listen, understanding))
    choice = messages.listed(shown or _choice(expected, messages))
    kind = "letter of" if expected.kind == "letter" and choice else expected.kind
    return messages.line(f"prompt {kind}", words=choice, low=expected.low, high=expected.high)


def _choice(expected: Expectation, messages: Messages) -> tuple[str, ...]:
    """Return what may be typed, where it can be listed."""
    nobody = (messages.line("nobody"),) if expected.nobody else ()
    if expected.kind == "points":
        shown = " ".join(f"{name} {n}" for n, name in enumerate(expected.allowed[:2], 2))
        return (shown, *nobody)
    return (*expected.allowed, *nobody)
