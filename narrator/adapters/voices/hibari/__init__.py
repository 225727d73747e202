"""hibari, a small neural voice for English; an extra: `pip install 'narrator[voice]'`."""

from __future__ import annotations

from narrator.adapters.voices.hibari.weights import HASH, VERSION, problem
from narrator.ports.engines import Manner, VoiceEngine

VOICE = "heart"
"""Its one voice that is within the package; the others would be downloaded, so they are not used.
"""
FORM = 3
"""Of what is done to text and sound here; lines stored in another form are not taken."""


_MANNERS = {
    "night": Manner(rate=0.9, pitch=-4),
    "question": Manner(),
    "list": Manner(rate=0.88, stops=True),
    "announce": Manner(rate=0.9, pitch=3),
}
"""As every engine's, but its length follows the rate in steps: 0.96 changes nothing, 0.9 makes a
line a twentieth longer. Its synthesiser lets the end of a question rise, and that only."""


def _can_say(text: str) -> bool:
    """Whether every letter is a Latin one: others it would leave out without a word."""
    letters = [sign for sign in text if sign.isalpha()]
    return all(sign < "\u0250" for sign in letters) and any(sign.isalnum() for sign in text)


ENGINE = VoiceEngine(
    name="hibari",
    languages=("en",),
    licence="Apache-2.0",
    changes=frozenset({"rate", "pitch", "volume"}),
    rank=30,  # above eSpeak: a recogniser takes 3 % of its words for others, of eSpeak's 28 %
    target="narrator.adapters.voices.hibari.synthesiser:HibariSynthesiser",
    problem=problem,
    version=lambda: f"{VERSION} {HASH[:8]} {FORM}",
    claims=lambda voice: voice == VOICE,
    can_say=_can_say,
    voices=(VOICE,),
    styles=_MANNERS,
    pronounces=True,
    patience=8.0,
    start=30.0,
)
