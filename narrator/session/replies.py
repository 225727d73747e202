"""What is shown for a typed line that brings no line of the game: nobody types into silence.

Everything here is the name of a text of the language.
"""

from __future__ import annotations

from collections.abc import Sequence

from narrator.core.effects import CountDown, Effect, Finish, Refusal, Refused, Say, Show

UNDERSTOOD = "understood"
NOT_NOW = "no answer now"
NOT_POSSIBLE = "not possible now"

REPLIES: dict[Refusal, str] = {
    Refusal.NOT_NOW: NOT_POSSIBLE,
    Refusal.NOTHING_TO_REPEAT: "nothing to repeat",
    Refusal.GAME_OVER: "game over",
    Refusal.NOT_BEGUN: "not begun",
    Refusal.YES_OR_NO_AWAITED: "yes or no awaited",
    Refusal.OLDER_QUESTION: NOT_NOW,
    Refusal.NOT_UNDERSTOOD: "not understood",
    Refusal.NOTHING_ASKED: NOT_NOW,
    Refusal.NO_ANSWER_TO_THIS: NOT_NOW,
    Refusal.NOT_ALLOWED_HERE: "not allowed here",
}
"""By reason. These are constant: none of them tells a secret."""


def reply(effects: Sequence[Effect]) -> str:
    """Return the name of what to show for a typed line, by what it caused.

    It is empty where what it caused shows something itself. A line that was taken is answered alike
    whatever it was.
    """
    if any(isinstance(effect, (Say, Show, CountDown, Finish)) for effect in effects):
        return ""
    for effect in effects:
        if isinstance(effect, Refused):
            return REPLIES.get(effect.reason, NOT_NOW)
    return UNDERSTOOD
