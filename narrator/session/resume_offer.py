"""The question whether to go on with a game that was broken off: by voice and by key."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.core.effects import Listen
from narrator.core.engine import Engine
from narrator.core.game import Ask, Game, Line, Phase
from narrator.core.values import Constant, Scope, Seat, Value
from narrator.session.session import Session

APART = 1_000_000
"""What its lines and questions are numbered from, so that none is taken for one of the game's."""
ANSWER = "go_on"


def offer_engine(text: str, like: Game, seats: Sequence[Seat]) -> Engine:
    """Make the question, which is asked the way a game asks.

    Args:
        text: What is asked.
        like: The game, for the narrator's own lines in its language.
        seats: The table.
    """
    question = Ask(ANSWER, Line("own/unfinished", Constant(text), "question"), "yesno", ANSWER)
    game = Game(
        id="offer",
        title=like.title,
        language=like.language,
        low=1,
        high=len(seats),
        phases=(Phase("offer", (question,)),),
        result=((ANSWER, _answer),),
        own=like.own,
    )
    engine = Engine(game, seats)
    engine.state.utterance = engine.state.listen = APART
    return engine


def _answer(scope: Scope) -> Value:
    return scope[ANSWER]


class OfferSession(Session):
    """Asks the one question; lines of a pipe that are no answer to it are left to the game."""

    def _take_typed(self) -> None:
        typed = self._typed
        if typed is not None and typed.piped and self._is_other(typed.following()):
            self.end("declined")
        else:
            super()._take_typed()

    def _is_other(self, line: str | None) -> bool:
        listen: Listen | None = self._listen
        if line is None or listen is None:
            return False
        meaning = self._understanding.typed(listen, line).meaning
        letter = line.strip().lower() in ("y", "n")
        return not letter and (meaning is None or not isinstance(meaning.value, bool))
