"""What is shown for a typed line that brings no line of the game: nobody types into silence."""

from __future__ import annotations

from collections.abc import Sequence

from narrator.core.effects import CountDown, Effect, Finish, Refused, Say, Show

UNDERSTOOD = "Understood."
NOT_NOW = "That is no answer to anything that is asked now."
NOT_POSSIBLE = "That cannot be done now."

REPLIES = {
    "the command makes no sense now": NOT_POSSIBLE,
    "there is nothing to repeat": "There is nothing to repeat.",
    "the game is over": "The game is over.",
    "the game has not begun": "The game has not begun.",
    "a yes or no is awaited": "Type yes or no.",
    "it answers an older question": NOT_NOW,
    "it was not understood": "That is not what is awaited now.",
    "nothing is asked now": NOT_NOW,
    "it is no answer to this question": NOT_NOW,
    "it came before the step can be over": "It is too early for that. Type it again in a moment.",
    "it is not an answer that the rules allow here": "That is not possible here.",
}
"""By the core's reason. The reasons are constant and so are these: none of them tells a secret."""


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
