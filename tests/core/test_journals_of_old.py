"""What the journals of earlier releases say is still understood."""

import pytest

from narrator.core.codec import decode, encode
from narrator.core.effects import Refusal, Refused

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("the game is over", Refusal.GAME_OVER),
        ("it was not understood", Refusal.NOT_UNDERSTOOD),
        ("the command makes no sense now", Refusal.NOT_NOW),
        ("The microphone is gone.", Refusal.PORT_FAILED),
        ("too early", Refusal.TOO_EARLY),
    ],
)
def test_a_reason_that_was_a_sentence_is_read(written: str, reason: Refusal) -> None:
    refused = decode({"is": "Refused", "event": "Key", "reason": written})
    assert refused == Refused("Key", reason)


@pytest.mark.parametrize("reason", Refusal)
def test_every_reason_is_written_as_its_value_and_read_again(reason: Refusal) -> None:
    stored = encode(Refused("Key", reason))
    assert stored == {"is": "Refused", "event": "Key", "reason": reason.value}
    assert type(stored["reason"]) is str
    assert decode(stored) == Refused("Key", reason)
