"""Which model is taken, what is said where only the default is there, and what is refused."""

import pytest

from narrator.app.doctor.doctor import _model
from narrator.app.models import own_folder
from narrator.app.wiring.engines import advice, make_recogniser, model_place
from narrator.config.settings import Settings
from narrator.config.sources import load_configuration
from narrator.ports.errors import RecogniserError
from tests.adapters.model_store.model_server import STATIC, model_folder
from tests.told import ENGLISH, refused

pytestmark = pytest.mark.unit

EN = "vosk-model-small-en-us-0.15"


@pytest.fixture(autouse=True)
def _no_models_beside_the_source(monkeypatch, tmp_path):
    monkeypatch.setattr("narrator.app.wiring.engines.MODELS", tmp_path / "none")


def test_where_only_the_default_is_there_the_vosk_model_is_recommended():
    told = advice(Settings(), "en", ENGLISH)
    assert "The built-in model hears English." in told
    assert "`narrator models install en-us` (41 MB, once)" in told
    assert "install en-in" in advice(Settings(), "en-IN", ENGLISH)
    found = _model(Settings())
    assert (found.state, found.told) == ("good", told)


def test_who_has_one_or_chose_an_engine_is_told_nothing():
    assert advice(Settings(engine="whisper"), "en", ENGLISH) == ""
    assert advice(Settings(model="x"), "en", ENGLISH) == ""
    assert advice(Settings(), "ko", ENGLISH) == ""
    model_folder(own_folder() / EN)
    assert advice(Settings(), "en", ENGLISH) == ""
    assert EN in _model(Settings()).told


def test_a_model_that_cannot_be_used_is_told_rather_than_passed_over():
    model_folder(own_folder() / "vosk-model-en-us-0.22", STATIC)
    told = advice(Settings(), "en", ENGLISH)
    assert "one fixed graph" in told and "built-in model hears English instead" in told


def test_a_broken_manifest_of_ones_own_does_not_stop_an_evening():
    own_folder().mkdir(parents=True)
    (own_folder() / "manifest.toml").write_text("nonsense")
    assert advice(Settings(), "en", ENGLISH) == ""


def test_a_missing_language_gets_its_remedy():
    found = _model(Settings(language="de"))
    assert found.state == "poor" and "No Vosk model for the language de" in found.told
    assert "`narrator models install de`" in found.remedy


def test_a_model_is_named_by_name_short_name_or_path(tmp_path, monkeypatch):
    folder = model_folder(own_folder() / EN)
    elsewhere = model_folder(tmp_path / "mine")
    assert model_place("") is None
    assert model_place(EN) == model_place("en-us") == model_place("EN-US") == folder
    assert model_place(str(elsewhere)) == elsewhere
    with refused(RecogniserError, match=r"not installed\. `narrator models install de`"):
        model_place("de")
    monkeypatch.setenv("NARRATOR_MODEL", "en-us")
    assert model_place(load_configuration().settings.model) == folder


@pytest.mark.parametrize("engine", ["auto", "vosk"])
def test_a_named_model_is_never_exchanged_for_the_default_in_silence(engine):
    model_folder(own_folder() / "vosk-model-en-us-0.22", STATIC)
    with refused(RecogniserError, match="one fixed graph"):
        make_recogniser(engine, "vosk-model-en-us-0.22", "en")
    with refused(RecogniserError, match="no model folder nonsense"):
        make_recogniser(engine, "nonsense", "en")
