"""Lets simulated players answer what the narrator asks, and keeps how each answer went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from narrator.core.effects import Listen
from narrator.core.events import Event
from narrator.core.values import Value
from narrator.language.grammar.grammar import Grammar
from narrator.listening.interpreter import Interpreter
from narrator.ports.session import Asked, Clock, Heard, LineBegun, Update
from narrator.simulation.simulated_players import Reply, SimulatedPlayers
from narrator.simulation.tries import Tries

PATIENCE = 2.5
"""Seconds after an utterance without any reaction after which a player says it again."""
MOST_TRIES = 8
"""Tries by voice after which a player types the answer."""
LONGEST = 6 * 3600.0
"""Session seconds after which a rehearsal is given up: the script does not end."""


@dataclass(slots=True)
class Answer:
    """One answer of the evening, from the question to its acceptance."""

    step: str
    seat: str
    """Who spoke."""
    asked: str
    said: str
    heard: str = ""
    """What was accepted, in words."""
    value: Value = None
    meant: Value = None
    """What the speaker meant to say; differs from `value` where it was misheard."""
    of_what_was_read_back: bool = False
    """Whether it was to say if something had been heard right, or what had not."""
    tries: int = 0
    """Times it was said by voice."""
    typed: bool = False
    at: float = 0.0
    """Session seconds of its acceptance."""


class Place(Protocol):
    """Where players speak."""

    def speak(self, seat: str, text: str) -> float:
        """Say something as a player now; return its length in seconds."""
        ...

    def quiet_since(self) -> float | None:
        """Return from when on a player may speak, in session seconds, the past included; None
        while somebody speaks.
        """
        ...


class Conversation:
    """Watches the session as people at the table do, and speaks up when it is quiet.

    Args:
        people: Decide what is said.
        understanding: Gives the grammar of each moment.
        place: Where they speak.
        post: Takes what is typed in the end, where nobody was understood.
        give_up: Ends the session.
    """

    def __init__(
        self,
        people: SimulatedPlayers,
        understanding: Interpreter,
        clock: Clock,
        place: Place,
        post: Callable[[Event], None],
        give_up: Callable[[], None],
    ) -> None:
        self._people, self._understanding, self._clock = people, understanding, clock
        self._place, self._post, self._give_up = place, post, give_up
        self.answers: list[Answer] = []
        self.tries = Tries()
        self.stuck = ""
        """Why it could not be gone on, in one sentence; empty where it could."""
        self._listen: Listen | None = None
        self._grammar: Grammar | None = None
        self._asked = ""
        self._reply: Reply | None = None
        self._silent = False
        """Whether nobody has anything to say to what is asked."""
        self._due: float | None = None
        self._answer: Answer | None = None
        self._answering: Listen | None = None
        """What that is an answer to: the next question is open before it is known as accepted."""
        self._spoken = 0.0
        """When the last player's utterance ends."""

    def observe(self, update: Update) -> None:
        """Hear what is said and asked, and what was understood."""
        if isinstance(update, LineBegun):
            self._asked = update.text if update.line else self._asked
        elif isinstance(update, Asked):
            listen = update.listen
            self._listen = listen
            self._grammar = self._understanding.grammar(listen) if listen.expectations else None
            self._reply, self._due, self._silent = None, None, False
        elif isinstance(update, Heard) and update.verdict == "accepted":
            self._note(update)

    def next_moment(self) -> float | None:
        """Return when somebody is going to say something, or to think about it."""
        if self._grammar is None or self._silent:
            return LONGEST
        quiet = self._place.quiet_since()
        if quiet is None:
            return None
        due = self._due
        if due is None:
            due = quiet if self._reply is None else self._spoken + PATIENCE
        return max(due, quiet, self._clock.now())

    def tick(self) -> None:
        """Make a player speak, or think about what to say."""
        now, quiet = self._clock.now(), self._place.quiet_since()
        if now >= LONGEST:
            self._give_up()
        if quiet is None or now < quiet or self._grammar is None or self._silent:
            return
        if self._reply is None or (self._due is None and now >= self._spoken + PATIENCE):
            self._plan(now)
        elif self._due is not None and now >= self._due:
            self._due = None
            self._say(self._reply)

    def _plan(self, now: float) -> None:
        listen, grammar = self._listen, self._grammar
        if listen is None or grammar is None:
            return
        again = self._answer if self._is_same() else None
        reply = self._people.reply(listen, grammar, again.tries + 1 if again else 1)
        if reply is None:
            self._silent = True
            return
        if again is None:
            self._answer = Answer(listen.step, reply.seat, self._asked, reply.text)
            self._answer.of_what_was_read_back = bool(listen.reads_back)
            self._answering = listen
        if self._answer is not None and reply.means is not None:
            self._answer.meant = reply.means.value
        self._reply, self._due = reply, now + reply.delay

    def _is_same(self) -> bool:
        """Whether what is asked now is what was asked before and never accepted."""
        answer, listen = self._answer, self._listen
        if answer is None or listen is None:
            return False
        return answer.step == listen.step and answer.heard == ""

    def _say(self, reply: Reply) -> None:
        answer, now = self._answer, self._clock.now()
        if answer is None or self._listen is None:
            return
        self.tries.add(answer.step, reply.text)
        if answer.tries < MOST_TRIES:
            answer.tries += 1
            answer.said = reply.text
            self._spoken = now + self._place.speak(reply.seat, reply.text)
        elif answer.typed:
            tried = self.tries.told(answer.step)
            self.stuck = f"Nobody could answer `{answer.step}`, also by typing. {tried}"
            self._give_up()
        else:
            answer.typed = True
            self._spoken = now
            self._post(self._understanding.typed(self._listen, reply.text))

    def _note(self, heard: Heard) -> None:
        """Close the answer's record once the game has accepted it."""
        meaning = heard.transcript.meaning if heard.transcript else None
        answer = self._answer
        if answer is None or meaning is None or meaning.intent.startswith("command:"):
            return
        answer.heard, answer.value = heard.text, meaning.value
        if isinstance(meaning.value, dict) and meaning.value != answer.meant:
            self._people.take_back()
        if self._answering is not None:
            self._people.agreed(self._answering, meaning)
        answer.at = heard.at
        self.answers.append(answer)
        self._answer = None
