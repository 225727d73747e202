"""Where eSpeak's library comes from, each way tried in a fresh process."""

from __future__ import annotations

import importlib.util

import pytest

from narrator.app.wiring.engines import engine_of
from narrator.ports.speech import Voice
from tests.fresh_process import output_of

pytestmark = pytest.mark.unit

HIDDEN = """
import ctypes
real = ctypes.CDLL
def hidden(name=None, *rest, **more):
    if name == "libespeak-ng.so.1": raise OSError("no such library")
    return real(name, *rest, **more)
ctypes.CDLL = hidden
"""
NOWHERE = """
import sys
sys.modules["espeakng_loader"] = None
def nothing(name): raise OSError("no such library")
ctypes.cdll.LoadLibrary = nothing
"""
SPEAK = """
from narrator.adapters.voices.espeak.synthesiser import EspeakSynthesiser
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice
try:
    print(EspeakSynthesiser().render("Vote now.", Voice()).size > 5000)
except SynthesiserError as error:
    from tests.told import english
    print(english(error))
"""


def test_without_the_library_the_remedy_is_told() -> None:
    assert output_of(HIDDEN + NOWHERE + SPEAK) == (
        "The speech engine eSpeak NG is not installed."
        " Install it with: apt install libespeak-ng1 (or pip install espeakng-loader)."
    )


@pytest.mark.skipif(
    importlib.util.find_spec("espeakng_loader") is None,
    reason="The package espeakng-loader is not installed.",
)
def test_the_package_stands_in_for_the_system_s_library() -> None:
    program = HIDDEN + SPEAK + "import os; print('ESPEAK_DATA_PATH' in os.environ)"
    assert output_of(program).split() == ["True", "True"]


def test_the_system_chooses_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {}
    for system in ("Linux", "Windows", "Darwin"):
        monkeypatch.setattr("platform.system", lambda system=system: system)
        chosen[system] = engine_of(Voice("en-us+f3")).name
    assert chosen == {"Linux": "espeak", "Windows": "system", "Darwin": "system"}
