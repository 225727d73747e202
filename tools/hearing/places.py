"""Steps of games that listen: what is heard there, and what it is taken for."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from narrator.app.games import load_game
from narrator.app.hear import find_step
from narrator.app.wiring.engines import make_ear, recogniser_named
from narrator.core.effects import Listen
from narrator.core.expect import AnswerKind, Expectation
from narrator.core.steps.preview import expected_at
from narrator.core.values import Seat
from narrator.language.grammar.automaton import Automaton
from narrator.language.grammar.equivalence import same_key
from narrator.language.rejection import accept
from narrator.listening.interpreter import Interpreter, weighed
from narrator.listening.utterance_detector import Utterance
from narrator.ports.audio import BLOCK, MIC_RATE, Pcm
from narrator.ports.recognition import Hypothesis, Recogniser
from narrator.simulation.simulated_players import Reply, SimulatedPlayers
from tools.hearing.sounds import Air

PLAYERS = ("Ana", "Ben", "Cy", "Dee", "Eve")
STEPS: dict[AnswerKind, tuple[str, str]] = {
    "phrase": ("one-night-revolution", "night/turns/turn"),
    "yesno": ("one-night-revolution", "votes-check/right"),
    "number": ("detective-club", "tokens/ask"),
    "seat": ("one-night-revolution", "votes/ask"),
    "seats": ("one-night-revolution", "reveal/ask"),
    "letter": ("subtext", "letter/ask"),
    "choice": ("one-missing-briefing", "role/ask"),
    "points": ("scorekeeper", "play/rounds/if-2/then/part-1/entries/entry"),
    "command": ("one-night-revolution", "day/discussion"),
}
"""Where each kind of answer is asked for, its commands beside it."""
PATIENCE = 12.0
"""Seconds that are listened on while an utterance does not end."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One utterance, before anything is refused."""

    text: str
    score: float
    margin: float
    intent: str
    """What it would mean; empty for nothing."""
    value: str
    kind: AnswerKind
    undoable: bool
    start: float
    end: float
    """Seconds of audio at the endpoint."""
    decode: float
    """Seconds of one processor that the decision took."""
    too_long: bool
    stands_out: float
    is_part: bool
    rivals: tuple[tuple[str, float], ...] = ()
    """What else was weighed that means something else, and its distance."""

    def state(self, engine: str) -> str:
        """Return `accepted`, `unclear` or `ignored`, by the thresholds as they are now."""
        thresholds = recogniser_named(engine).traits.thresholds
        verdict = accept(thresholds, self.kind, self.hypothesis, undoable=self.undoable)
        return "unclear" if verdict.state == "accepted" and not self.intent else verdict.state

    @property
    def hypothesis(self) -> Hypothesis:
        """Return it as the thresholds are asked."""
        return Hypothesis(
            self.text, self.score, self.margin, self.end - self.start,
            stands_out=self.stands_out, is_part=self.is_part,
            rivals=tuple((text, below) for text, below in self.rivals),
        )  # fmt: skip


class Listener:
    """An ear that listens for one thing."""

    def __init__(
        self, recogniser: Recogniser, grammar: Automaton, kind: AnswerKind, *, free: bool = False
    ) -> None:
        self._recogniser, self._automaton = recogniser, grammar
        self.kind, self._free = kind, free
        self.again()

    def again(self) -> None:
        """Forget what was heard before."""
        self.ear = make_ear(self._recogniser, time.process_time)
        self.ear.expect(self._automaton, self.kind, free=self._free)

    def hear(self, air: Air) -> list[dict[str, Any]]:
        """Listen to a voice until the utterances it is part of have ended."""
        self.again()
        least, fed, found = air.seconds + 1.4, 0.0, []
        for block in air.blocks():
            found += [asdict(heard) for heard in self.heard(block)]
            fed += BLOCK / MIC_RATE
            over = fed >= least or (found and fed >= air.seconds)
            if fed >= least + PATIENCE or (over and not self.ear.hearing):
                break
        return found

    def heard(self, block: Pcm) -> Iterator[Heard]:
        """Yield the utterances that ended in a block."""
        for utterance in self.ear.hear(block):
            yield self._judged(utterance)

    def _judged(self, utterance: Utterance) -> Heard:
        raw = utterance.hypothesis
        return _heard(
            utterance, raw, ("word", same_key(raw.text, homophones=True)) if raw.text else ("", "")
        )

    def means(self, text: str) -> tuple[str, str]:
        """Return what a text means: intent and value; empty for nothing."""
        return ("word", same_key(text, homophones=True)) if text else ("", "")


class Place(Listener):
    """A step of a game, and a table of five that waits there."""

    def __init__(self, recogniser: Recogniser, game: str, step: str, language: str = "en") -> None:
        loaded = load_game(game, language)
        self.seats = [Seat(number, name) for number, name in enumerate(PLAYERS, 1)]
        path = find_step(loaded.game, step)
        self.listen = Listen(1, expected_at(loaded.game, self.seats, path), path)
        understanding = Interpreter(self.seats, loaded.locale, recogniser.traits)
        self.grammar = understanding.grammar(self.listen)
        self.asked = next(e for e in self.listen.expectations if e.kind != "command")
        super().__init__(
            recogniser, self.grammar.automaton, self.asked.kind, free=self.grammar.is_free
        )

    def _judged(self, utterance: Utterance) -> Heard:
        raw = utterance.hypothesis
        meaning = self.grammar.interpret(raw.text).meaning
        sure = weighed(raw, lambda text: self.grammar.interpret(text).meanings)
        expected = next(
            (e for e in self.listen.expectations if meaning and e.intent == meaning.intent),
            None if meaning else self.listen.expectations[0],
        )
        told = (meaning.intent, repr(meaning.value)) if meaning else ("", "")
        return _heard(utterance, sure, told, expected)

    def means(self, text: str) -> tuple[str, str]:
        """Return what a text means: intent and value; empty for nothing."""
        meaning = self.grammar.interpret(text).meaning
        return (meaning.intent, repr(meaning.value)) if meaning else ("", "")

    def answers(self, count: int, seed: int) -> list[str]:
        """Return different things that players may answer, in the ways people say them."""
        people = SimulatedPlayers(self.seats, seed)
        found: dict[str, None] = {}
        for number in range(40 * count):
            asked = replace(self.listen, key=str(number), into="answer")
            reply = people.reply(asked, self.grammar, 1)
            if reply is not None:
                found.update(dict.fromkeys(self._ways(reply, number)))
            if len(found) >= count:
                break
        return list(found)[:count]

    def _ways(self, reply: Reply, number: int) -> list[str]:
        """Return the usual way, and every third time another one."""
        if reply.means is None or number % 3:
            return [reply.text]
        same = next(e for e in self.listen.expectations if e.intent == reply.means.intent)
        ways = self.grammar.samples(same, reply.means.value, 8)
        return [ways[number % len(ways)]] if ways else [reply.text]

    def commands(self) -> list[str]:
        """Return one way to say each command that is live."""
        live = [e for e in self.listen.expectations if e.kind == "command"]
        return [text for e in live if (text := self._sample(e))]

    def _sample(self, expectation: Expectation) -> str:
        for value in (None, 2):
            if text := self.grammar.sample(expectation, value):
                return text
        return ""


def _heard(
    utterance: Utterance,
    sure: Hypothesis,
    told: tuple[str, str],
    expected: Expectation | None = None,
) -> Heard:
    kind = expected.kind if expected else utterance.expected.kind
    return Heard(
        sure.text, sure.score, sure.margin, *told, kind, expected.undoable if expected else True,
        utterance.start, utterance.end, utterance.decode, utterance.too_long,
        sure.stands_out, sure.is_part, sure.rivals,
    )  # fmt: skip


def taken_for(
    found: Iterable[dict[str, Any]], wanted: tuple[str, str], engine: str
) -> tuple[str, Sequence[Heard]]:
    """Return what became of something that was said.

    Returns:
        `right`, `wrong`, `asked` (once more), `ignored` or `unnoticed`, and what was heard up to
        what decided.
    """
    heard = [Heard(**fields) for fields in found]
    for number, one in enumerate(heard, 1):
        state = one.state(engine)
        if state == "accepted":
            return ("right" if (one.intent, one.value) == wanted else "wrong"), heard[:number]
        if state == "unclear":
            return "asked", heard[:number]
    return ("ignored" if heard else "unnoticed"), heard
