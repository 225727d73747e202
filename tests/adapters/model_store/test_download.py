"""Fetching from a real server that breaks off, lies, or has another file."""

import socket
from pathlib import Path

import pytest

from narrator.adapters.model_store import download as vosk_download
from narrator.adapters.model_store.download import DownloadError, ModelStoreError, download
from tests.adapters.model_store.model_server import Behaviour, serving

pytestmark = pytest.mark.unit

DATA = bytes(range(256)) * 2_000  # 512,000 bytes, none like its neighbours


def fetch(
    behaviour: Behaviour, part: Path, size: int | None = len(DATA)
) -> list[tuple[int, int | None]]:
    told: list[tuple[int, int | None]] = []
    with serving(behaviour) as url:
        download(url, part, size, lambda *progress: told.append(progress))
    return told


@pytest.fixture
def part(tmp_path):
    return tmp_path / "model.zip.part"


@pytest.mark.parametrize("size", [len(DATA), None])
@pytest.mark.parametrize("says", [None, -1])
def test_a_file_comes_as_it_is(part, size, says):
    told = fetch(Behaviour(DATA, says=says), part, size)
    assert part.read_bytes() == DATA
    assert told[-1][0] == len(DATA)
    assert told == sorted(told)


def test_what_breaks_off_is_taken_up_where_it_stopped(part):
    behaviour = Behaviour(DATA, breaks_after=200_000)
    fetch(behaviour, part)
    assert part.read_bytes() == DATA
    assert behaviour.asked == ["", "bytes=200000-", "bytes=400000-"]


def test_what_keeps_breaking_off_ends_and_goes_on_the_next_time(part):
    with pytest.raises(DownloadError, match=r"broke off after 0\.1 of 0\.5 MB.*goes on where"):
        fetch(Behaviour(DATA, breaks_after=10_000), part)
    there = part.stat().st_size
    assert there == 10_000 * vosk_download.ATTEMPTS
    behaviour = Behaviour(DATA)
    fetch(behaviour, part)
    assert behaviour.asked == [f"bytes={there}-"]
    assert part.read_bytes() == DATA


def test_a_server_that_says_nothing_more_is_not_asked_for_ever(part):
    behaviour = Behaviour(DATA, breaks_after=0)
    with pytest.raises(DownloadError, match="broke off"):
        fetch(behaviour, part)
    assert behaviour.asked == [""]


def test_a_server_that_cannot_resume_starts_over(part):
    part.write_bytes(b"x" * 1_000)
    behaviour = Behaviour(DATA, ranges=False)
    fetch(behaviour, part)
    assert behaviour.asked == ["bytes=1000-"]
    assert part.read_bytes() == DATA


def test_a_piece_from_elsewhere_is_not_glued_on(part):
    part.write_bytes(DATA[:1_000])
    behaviour = Behaviour(DATA, wrong_start=77)
    with pytest.raises(DownloadError):
        fetch(behaviour, part)
    fetch(behaviour, part)
    assert behaviour.asked == ["bytes=1000-", ""]
    assert part.read_bytes() == DATA


@pytest.mark.parametrize("says", [len(DATA) - 1_000, len(DATA) + 1_000])
def test_a_lie_about_the_length_is_noticed_before_anything_is_stored(part, says):
    with pytest.raises(DownloadError, match=f"it has {says} bytes instead of {len(DATA)}"):
        fetch(Behaviour(DATA, says=says), part)
    assert not part.exists()


def test_a_lie_about_the_length_of_an_unknown_file_is_noticed_too(part):
    longer = len(DATA) + 1_000
    with pytest.raises(DownloadError, match="broke off"):
        fetch(Behaviour(DATA, says=longer, ranges=False), part, None)
    behaviour = Behaviour(DATA, says=longer)
    fetch(behaviour, part, None)  # asked for what is behind the end, it tells the truth
    assert part.read_bytes() == DATA


def test_more_than_the_file_has_is_not_stored(part):
    with pytest.raises(DownloadError, match="more than the file"):
        fetch(Behaviour(DATA, says=-1), part, 100_000)
    assert not part.exists()


def test_a_whole_part_is_not_fetched_again(part):
    part.write_bytes(DATA)
    behaviour = Behaviour(DATA)
    fetch(behaviour, part)
    assert behaviour.asked == []
    fetch(behaviour, part, None)  # only the server knows that there is no more
    assert behaviour.asked == [f"bytes={len(DATA)}-"]
    assert part.read_bytes() == DATA


def test_a_part_that_is_too_long_starts_over(part):
    part.write_bytes(DATA + b"more")
    fetch(Behaviour(DATA), part)
    assert part.read_bytes() == DATA


@pytest.mark.parametrize(("status", "told"), [(404, "404"), (503, "503"), (403, "403")])
def test_a_refusal_is_told(part, status, told):
    with pytest.raises(DownloadError, match=f"answered {told}.*import FILE"):
        fetch(Behaviour(DATA, status=status), part)


def test_a_redirection_is_followed(part):
    with serving(Behaviour(DATA)) as there:
        fetch(Behaviour(status=302, location=there), part)
    assert part.read_bytes() == DATA


def test_without_a_network_it_is_told_how_the_file_comes_here_by_hand(part):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = f"http://127.0.0.1:{port}/model.zip"
    with pytest.raises(DownloadError) as caught:
        download(url, part, None, lambda *_: None)
    assert "There is no network connection to 127.0.0.1" in caught.value.message
    assert f"Fetch {url} on another machine, copy the zip here" in caught.value.hint
    assert caught.value.exit_code == 7


def test_a_full_disk_is_one_sentence(part):
    if not Path("/dev/full").exists():
        pytest.skip("This system has no device that is always full.")
    part.symlink_to("/dev/full")
    with pytest.raises(ModelStoreError, match=r"cannot be stored.*no space left.*Make room"):
        fetch(Behaviour(DATA), part)


def test_a_server_that_hangs_is_left(part, monkeypatch):
    monkeypatch.setattr(vosk_download, "TIMEOUT", 0.3)
    behaviour = Behaviour(DATA, breaks_after=1_000)
    behaviour.goes_on.clear()
    with pytest.raises(DownloadError, match="broke off after"):
        fetch(behaviour, part)
    assert part.read_bytes() == DATA[: part.stat().st_size]
