"""Letters as answers: "a" is one like the others, whatever an article is."""

from __future__ import annotations

import pytest

from narrator.adapters.recognisers.whisper.recogniser import WhisperRecogniser
from narrator.adapters.recognisers.whisper.weights import find_weights
from narrator.adapters.sound.files import read
from narrator.ports.audio import MIC_RATE
from narrator.ports.errors import RecogniserError
from tools.hearing.letters import A_TO_H, Letters, is_for_fitting, spoken
from tools.hearing.places import taken_for
from tools.hearing.sounds import CLEAN, air, voices_folder

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def recogniser() -> WhisperRecogniser:
    try:
        return WhisperRecogniser(find_weights(None, []))
    except RecogniserError as error:
        pytest.skip(f"The weights of Whisper tiny.en are not installed: {error}")


def test_real_people_are_heard_spelling_a(recogniser: WhisperRecogniser) -> None:
    people = [s for s in spoken() if s.label.upper() in "AE" and not is_for_fitting(s.speaker)]
    if not people:
        pytest.skip("Recorded letters are not here; NARRATOR_VOICES names their folder.")
    place = Letters(recogniser, A_TO_H)
    became: list[tuple[str, str]] = []
    for one in people:
        sound = read(voices_folder() / "letters" / one.file, MIC_RATE)
        heard = place.hear(air(sound, CLEAN, sum(one.file.encode())))
        became.append((one.label, taken_for(heard, place.means(one.label), "whisper")[0]))
    assert became.count(("a", "right")) >= 3
    assert sum(what == "wrong" for _, what in became) <= 1
