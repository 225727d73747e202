"""Zips that would write elsewhere, too much, or nonsense; each refused before it can."""

import io
import os
import shutil
import stat
import struct
import zipfile

import pytest

from narrator.adapters.model_store import unpack as vosk_unpack
from narrator.adapters.model_store.download import ModelStoreError
from narrator.adapters.model_store.unpack import copy, model_inside, unpack
from tests.adapters.model_store.model_server import FILES, model_folder, zipped

pytestmark = pytest.mark.unit


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def refused(tmp_path, target, content, match):
    archive = tmp_path / "model.zip"
    archive.write_bytes(content)
    before = sorted(tmp_path.parent.rglob("*"))
    with pytest.raises(ModelStoreError, match=match) as caught:
        unpack(archive, target)
    assert caught.value.hint
    outside = [p for p in tmp_path.parent.rglob("*") if p not in before and target not in p.parents]
    assert outside == []


def test_a_good_one_is_unpacked_as_it_is(tmp_path, target):
    archive = tmp_path / "model.zip"
    archive.write_bytes(zipped(FILES))
    unpack(archive, target)
    model = model_inside(target)
    assert model == target / "vosk-model-small-de-0.15"
    found = {p.relative_to(model).as_posix(): p.read_bytes() for p in model.rglob("*.*")}
    assert found == FILES


@pytest.mark.parametrize("top", ["", "a/", "deep/down/"])
def test_the_model_is_found_wherever_it_lies(tmp_path, target, top):
    archive = tmp_path / "model.zip"
    archive.write_bytes(zipped(FILES, top))
    unpack(archive, target)
    assert model_inside(target) == (target / top if top else target)


@pytest.mark.parametrize(
    "name",
    ["../evil", "am/../../evil", "/evil", "//evil", "..\\evil", "C:\\evil", "C:evil", "a/b\n", "..",
     "am/" * 9 + "deep"],
)  # fmt: skip
def test_a_name_that_leads_elsewhere(tmp_path, target, name):
    refused(tmp_path, target, zipped({**FILES, name: b"x"}, ""), "nothing of it was unpacked")
    assert list(target.iterdir()) == []


def test_a_name_that_goes_on_behind_its_end(tmp_path, target):
    content = zipped({"a_b": b"x"}, "").replace(b"a_b", b"a\0b")
    refused(tmp_path, target, content, "letter that no file")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_a_link_or_a_device(tmp_path, target, kind):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        entry = zipfile.ZipInfo("am")
        entry.external_attr = (kind | 0o777) << 16
        opened.writestr(entry, "/etc")
        opened.writestr("am/passwd", "x")
    refused(tmp_path, target, made.getvalue(), "is a link or a device")
    assert list(target.iterdir()) == []


def test_too_many_files(tmp_path, target):
    many = {str(n): b"" for n in range(vosk_unpack.MOST_FILES + 1)}
    refused(tmp_path, target, zipped(many), "more than 2000 files")


def test_one_that_unpacks_to_gigabytes(tmp_path, target):
    refused(tmp_path, target, declaring(4_000_000_000), "more than 2000 MB")


def test_one_that_unpacks_to_more_than_it_says(tmp_path, target):
    refused(tmp_path, target, declaring(10), "damaged")
    assert sum(p.stat().st_size for p in target.rglob("*") if p.is_file()) <= 10


def test_one_that_does_not_fit_on_the_disk(tmp_path, target, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: type("Usage", (), {"free": 5})())
    refused(tmp_path, target, declaring(1_500_000_000), r"needs 1501 MB, and 0 MB are free")


def declaring(size):
    """A zip of one file of a megabyte that the directory says is of another size."""
    content = bytearray(zipped({"big": bytes(1_000_000)}, ""))
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(content)


def test_one_name_twice(tmp_path, target):
    refused(tmp_path, target, zipped({"am/x": b"1", "AM/x": b"2"}), "twice")


def test_an_encrypted_one(tmp_path, target):
    content = bytearray(zipped({"x": b"1"}))
    for signature, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        content[content.index(signature) + offset] |= 1
    refused(tmp_path, target, bytes(content), "is encrypted")


@pytest.mark.parametrize("cut", [0, 10, 200, -30])
def test_no_zip_or_half_a_zip(tmp_path, target, cut):
    refused(tmp_path, target, zipped(FILES)[:cut], "is no zip file, or it is damaged")


def test_a_byte_that_changed(tmp_path, target):
    content = bytearray(zipped({"x": os.urandom(5_000)}))
    content[2_500] ^= 1
    refused(tmp_path, target, bytes(content), "damaged")


def test_several_models_in_one(tmp_path, target):
    model_folder(target / "one")
    model_folder(target / "two")
    with pytest.raises(ModelStoreError, match="several models in it: one, two"):
        model_inside(target)


def test_a_folder_is_copied_but_not_what_its_links_lead_to(tmp_path, target):
    model = model_folder(tmp_path / "model")
    copy(model, target)
    assert {p.relative_to(target).as_posix() for p in target.rglob("*.*")} == set(FILES)
    (model / "am" / "link").symlink_to(tmp_path)
    with pytest.raises(ModelStoreError, match="link, which is a link or a device"):
        copy(model, target / "second")


def test_a_folder_with_far_too_much_is_not_copied(tmp_path, target):
    big = model_folder(tmp_path / "model") / "big"
    with big.open("wb") as file:
        file.truncate(vosk_unpack.MOST_BYTES + 1)  # a hole: it takes no room
    with pytest.raises(ModelStoreError, match="is too large"):
        copy(big.parent, target)
    assert list(target.iterdir()) == []
