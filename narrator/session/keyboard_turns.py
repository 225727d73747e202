"""What is typed while a game is played: taken when it may count, and always answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Protocol

from narrator.core.effects import Effect, Listen
from narrator.core.engine import Engine
from narrator.core.events import Event, Key, Transcript
from narrator.core.lobby import Lobby
from narrator.listening.interpreter import Interpreter
from narrator.ports.session import Clock, Input
from narrator.session.keyboard_input import LISTEN_NOW, KeyboardInput, prompt
from narrator.session.keys import help_lines
from narrator.session.replies import NOT_NOW, reply


class Table(Protocol):
    """As much of the session as is needed here."""

    @property
    def engine(self) -> Engine | Lobby:
        """The game, or the lobby before it."""
        ...

    def take(self, event: Event) -> list[Effect]:
        """Hand an event to the game and perform what follows; return it."""
        ...

    def show(self, text: str) -> None:
        """Show a line."""
        ...

    def is_over(self) -> bool:
        """Whether the session has ended."""
        ...

    def end(self, how: Literal["declined"]) -> None:
        """End the session at once."""
        ...


class KeyboardTurns:
    """Takes typed lines one by one and answers each.

    Args:
        typed: The lines; None: there is no keyboard.
        ears: What the key for it makes listen; None: nothing does.
    """

    def __init__(
        self,
        typed: KeyboardInput | None,
        understanding: Interpreter,
        ears: Input | None,
        clock: Clock,
        table: Table,
    ) -> None:
        self._typed, self._understanding, self._ears = typed, understanding, ears
        self._clock, self._table = clock, table
        self._messages = understanding.messages
        self._listen: Listen | None = None
        self._prompted = ""

    def expect(self, listen: Listen) -> None:
        """Note what may be said, and say in one line what may be typed, where that is new."""
        self._listen = listen
        if self._typed is None or self._table.engine.is_asking:
            return
        text = prompt(listen, self._understanding)
        if text and text != self._prompted:
            self._table.show(text)
        self._prompted = text

    def take(self) -> None:
        """Take every line that may be taken now."""
        while self._typed is not None and not self._table.is_over():
            if self._typed.piped and self._is_for_the_game(self._typed.following()):
                self._table.end("declined")
                return
            event = self._typed.take(
                self._listen,
                open_now=self._is_asking(),
                timed=self._table.engine.is_timing,
                ahead=self._table.engine.about_to_ask,
            )
            if event is None:
                return
            self._answer(event)

    def _is_for_the_game(self, line: str | None) -> bool:
        """Whether a line of a pipe is no answer to the lobby's question, and so the game's."""
        if line is None or self._listen is None or not self._table.engine.is_offered:
            return False
        meaning = self._understanding.typed(self._listen, line).meaning
        letter = line.strip().lower() in ("y", "n")
        return not letter and (meaning is None or not isinstance(meaning.value, bool))

    def opening(self) -> float | None:
        """Return when a line that waits may be taken, where that is known."""
        if self._typed is None or not self._typed.is_waiting():
            return None
        return self._table.engine.opens_at(self._clock.now())

    def tell_left_over(self) -> None:
        """Name the lines of a person that waited for a question and were never taken."""
        lines = self._typed.left_over() if self._typed and not self._typed.piped else ()
        if lines:
            self._table.show(self._messages.line("never taken", lines=", ".join(lines)))

    def may_answer(self) -> bool:
        """Whether anything may still be typed."""
        return self._typed is not None and not self._typed.is_over()

    def _answer(self, event: Event) -> None:
        """Hand on what was typed; whatever it is, something is shown for it."""
        if isinstance(event, Key):
            self._press(event)
            return
        lost = isinstance(event, Transcript) and event.meaning is None
        if lost and not self._is_asking():
            self._table.show(self._messages.line(NOT_NOW))
            self._table.take(event)
            return
        told = self._reply(self._table.take(event))
        awaited = prompt(self._listen, self._understanding) if lost and self._listen else ""
        self._show(f"{told} {awaited}" if told else "")

    def _press(self, key: Key) -> None:
        if key == LISTEN_NOW:
            self._listen_now()
            return
        if key.command == "pause" and self._table.engine.is_paused:
            key = replace(key, command="resume")
        if key.command == "teach" and self._table.engine.state.moderator.is_teaching:
            key = replace(key, command="to_the_game")
        if key.command == "help":
            for line in help_lines(self._messages):
                self._table.show(line)
        self._show(self._reply(self._table.take(key)))

    def _listen_now(self) -> None:
        able = self._ears is not None and self._ears.is_able()
        if self._ears is not None and able:
            self._ears.talk()
        self._table.show(self._messages.line("listening" if able else "deaf"))

    def _reply(self, effects: list[Effect]) -> str:
        name = reply(effects)
        return self._messages.line(name) if name else ""

    def _show(self, text: str) -> None:
        if text:
            self._table.show(text.strip())

    def _is_asking(self) -> bool:
        """Whether the game waits for an answer that counts by now."""
        return self._table.engine.awaits_answer(self._clock.now())
