"""What is shown for a typed line that brings no line of the game: nobody types into silence."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.core.effects import CountDown, Effect, Finish, Refusal, Refused, Say, Show

UNDERSTOOD = "Understood."
NOT_NOW = "That is no answer to anything that is asked now."
NOT_POSSIBLE = "That cannot be done now."

REPLIES: dict[Refusal, str] = {
    Refusal.NOT_NOW: NOT_POSSIBLE,
    Refusal.NOTHING_TO_REPEAT: "There is nothing to repeat.",
    Refusal.GAME_OVER: "The game is over.",
    Refusal.NOT_BEGUN: "The game has not begun.",
    Refusal.YES_OR_NO_AWAITED: "Type yes or no.",
    Refusal.OLDER_QUESTION: NOT_NOW,
    Refusal.NOT_UNDERSTOOD: "That is not what is awaited now.",
    Refusal.NOTHING_ASKED: NOT_NOW,
    Refusal.NO_ANSWER_TO_THIS: NOT_NOW,
    Refusal.TOO_EARLY: "It is too early for that. Type it again in a moment.",
    Refusal.NOT_ALLOWED_HERE: "That is not possible here.",
}
"""By reason. These are constant: none of them tells a secret."""


def reply(effects: Sequence[Effect]) -> str:
    """Return what to show for a typed line, by what it caused; "" where that shows something
    itself.

    A line that was taken is answered alike whatever it was.
    """
    if any(isinstance(effect, (Say, Show, CountDown, Finish)) for effect in effects):
        return ""
    for effect in effects:
        if isinstance(effect, Refused):
            return REPLIES.get(effect.reason, NOT_NOW)
    return UNDERSTOOD
