"""What Vosk's confidence must reach."""

from __future__ import annotations

from narrator.language.rejection import Thresholds, pair
from narrator.ports.recognition import Traits

# Vosk gives no margin: its confidence in the words decides. Fitted as Whisper's thresholds were, on
# what docs/hearing.md names, so that nothing wrong passes there.
TRAITS = Traits(
    follows_grammar=False, thresholds=Thresholds(pair((0.6, 0.0), (0.8, 0.0), 0.35, 0.7))
)
