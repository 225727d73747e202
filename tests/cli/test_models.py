"""`narrator models` from end to end, against a real server on loopback that misbehaves."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from narrator.adapters.model_store.store import put, remember
from narrator.adapters.recognisers.vosk.models import check_vosk_model
from narrator.app import models
from narrator.cli import main as cli
from tests.adapters.model_store.model_server import (
    FILES,
    STATIC,
    Behaviour,
    model_folder,
    serving,
    zipped,
)
from tests.patience import limit

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
NAME = "vosk-model-small-de-9.9"


@pytest.fixture
def shelf():
    """The folder that models are installed into."""
    folder = models.own_folder()
    folder.mkdir(parents=True)
    return folder


def run(capsys, *words):
    """Run a command; return its exit code and what it wrote."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["models", *map(str, words)])
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return ended.value.code, shown.out, shown.err


def offering(shelf, url, content, *, size=True, sha256=None):
    """Write one's own manifest with one model more."""
    lines = {
        "name": NAME,
        "short": "de-test",
        "language": "German",
        "code": "de",
        "url": url,
        "sha256": hashlib.sha256(content).hexdigest() if sha256 is None else sha256,
        "licence": "MIT",
    }
    text = "\n".join(f'{key} = "{value}"' for key, value in lines.items())
    size_line = f"size = {len(content)}\n" if size else ""
    (shelf / "manifest.toml").write_text(f"[[model]]\n{text}\n{size_line}")


def left(shelf):
    return sorted(p.name for p in shelf.iterdir() if p.name != "manifest.toml")


def put_by_hand(shelf, name=NAME, files=FILES):
    return model_folder(shelf / name, files)


def test_a_wrong_checksum_takes_the_file_away_and_says_so(shelf, capsys):
    content = zipped(FILES)
    with serving(Behaviour(content)) as url:
        offering(shelf, url, content, sha256="0" * 64)
        code, out, err = run(capsys, "install", "de-test")
    assert (code, out) == (3, "")
    assert "is not the expected file: its fingerprint is" in err and "It was removed." in err
    assert "models import FILE" in err
    assert left(shelf) == []


def test_a_zip_that_would_write_elsewhere_writes_nowhere(shelf, capsys, own_folders):
    content = zipped({**FILES, "../../evil": b"x"})
    with serving(Behaviour(content)) as url:
        offering(shelf, url, content)
        code, _, err = run(capsys, "install", "de-test")
    assert code == 3 and "outside the model's folder" in err
    assert list(own_folders.rglob("evil")) == []
    assert left(shelf) == []


def test_a_model_with_a_fixed_graph_is_refused_before_vosk_sees_it(shelf, capsys):
    content = zipped(STATIC)
    with serving(Behaviour(content)) as url:
        offering(shelf, url, content)
        code, _, err = run(capsys, "install", "de-test")
    assert code == 3 and "one fixed graph and cannot take a list of words" in err
    assert left(shelf) == []


def test_a_file_that_is_no_model(shelf, capsys):
    content = zipped({"readme.txt": b"hello"})
    with serving(Behaviour(content)) as url:
        offering(shelf, url, content)
        code, _, err = run(capsys, "install", "de-test")
    assert code == 3 and "am/final.mdl is missing" in err
    assert "unpacking" not in err


@pytest.mark.parametrize("says", [5, 10_000_000])
def test_a_server_that_lies_about_the_length(shelf, capsys, says):
    content = zipped(FILES)
    with serving(Behaviour(content, says=says)) as url:
        offering(shelf, url, content)
        code, _, err = run(capsys, "install", "de-test")
    assert code == 7 and f"{says} bytes instead of {len(content)}" in err
    assert left(shelf) == []


def test_what_broke_off_is_kept_and_taken_up_again(shelf, capsys):
    content = zipped({**FILES, "ivector/final.ie": os.urandom(100_000)})
    behaviour = Behaviour(content, breaks_after=10_000)
    with serving(behaviour) as url:
        offering(shelf, url, content)
        code, _, err = run(capsys, "install", "de-test")
        assert code == 7 and "broke off" in err and "goes on where it stopped" in err
        there = (shelf / f"{NAME}.zip.part").stat().st_size
        assert left(shelf) == [f"{NAME}.zip.part"] and 0 < there < len(content)
        behaviour.breaks_after = None
        _, _, err = run(capsys, "install", "de-test")
    assert behaviour.asked[-1] == f"bytes={there}-"
    assert "The fingerprint is the known one." in err


def test_without_a_network_nothing_is_lost_and_the_way_round_is_told(shelf, capsys):
    with serving(Behaviour(b"")) as url:
        pass
    offering(shelf, url, b"something")
    code, out, err = run(capsys, "install", "de-test")
    assert (code, out) == (7, "")
    assert "There is no network connection" in err
    assert "copy the zip here and run `narrator models import FILE`" in err
    assert left(shelf) == []


def test_what_only_looks_like_a_model_is_tried_out_elsewhere_and_refused(shelf, capsys, tmp_path):
    pytest.importorskip("vosk")
    archive = tmp_path / f"{NAME}.zip"
    archive.write_bytes(zipped(FILES))
    code, out, err = run(capsys, "import", archive)
    assert (code, out) == (3, "")
    assert "Vosk" in err
    assert left(shelf) == []


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda tmp: tmp / "none.zip", "no file or folder"),
        (lambda tmp: tmp, "does not say the model's language"),
        (lambda tmp: model_folder(tmp / "vosk-model-de", STATIC), "one fixed graph"),
        (lambda tmp: model_folder(tmp / "vosk-model-de", {"x": b""}), "am/final.mdl is missing"),
        (lambda tmp: model_folder(tmp / "mine"), "Add --language"),
    ],
)
def test_what_cannot_be_imported(shelf, capsys, tmp_path, make, told):
    code, out, err = run(capsys, "import", make(tmp_path))
    assert code in (2, 3) and out == "" and told in err
    assert left(shelf) == []


def test_the_sum_of_an_unknown_file_is_shown_remembered_and_held_against_the_next(shelf, capsys):
    content, other = zipped(FILES), zipped(FILES, "other/")
    digest = hashlib.sha256(content).hexdigest()
    told: list[str] = []
    with serving(Behaviour(content)) as url:
        offering(shelf, url, content, size=False, sha256="")
        part = shelf / "x.part"
        part.write_bytes(content)
        assert models._checked(models.offer_named("de-test"), part, shelf, told.append) == digest
    assert digest in told[0]
    remember(shelf, NAME, digest)
    with serving(Behaviour(other)) as url:
        offering(shelf, url, other, size=False, sha256="")
        code, _, err = run(capsys, "install", "de-test")
    assert code == 3 and f"instead of {digest}" in err and "fingerprints.json first" in err


def test_the_list_reads_well_and_tells_what_is_in_use(shelf, capsys):
    put_by_hand(shelf)
    put_by_hand(shelf, "vosk-model-fr-0.22", STATIC)
    code, out, _ = run(capsys, "list")
    lines = {line.split(":")[0]: line for line in out.splitlines()}
    assert code == 0
    assert lines[NAME].endswith("for vosk, installed, in use.")
    assert "cannot be used. The model in" in lines["vosk-model-fr-0.22"]
    offered = lines["vosk-model-small-pl-0.22"]
    assert "Polish, 53 MB, licence Apache-2.0" in offered
    assert offered.endswith("not installed. To install: narrator models install pl")
    assert "\x1b" not in out and "\r" not in out


def test_the_list_for_programs(shelf, capsys):
    put_by_hand(shelf)
    code, out, _ = run(capsys, "list", "--json")
    found = {model["name"]: model for model in json.loads(out)}
    assert code == 0 and found[NAME]["in_use"] and found[NAME]["folder"] == str(shelf / NAME)
    assert not found["vosk-model-small-de-0.15"]["installed"]


def test_the_setting_decides_what_is_in_use(shelf, capsys, monkeypatch):
    put_by_hand(shelf)
    second = put_by_hand(shelf, "vosk-model-small-de-0.15")
    monkeypatch.setenv("NARRATOR_MODEL", second.name)
    found = {m["name"]: m["in_use"] for m in json.loads(run(capsys, "list", "--json")[1])}
    assert found[second.name] and not found[NAME]
    monkeypatch.setenv("NARRATOR_ENGINE", "whisper")
    found = json.loads(run(capsys, "list", "--json")[1])
    assert not any(m["in_use"] for m in found if m["name"].startswith("vosk"))


def test_what_is_installed_is_not_fetched_again(shelf, capsys):
    put_by_hand(shelf)
    behaviour = Behaviour(b"")
    with serving(behaviour) as url:
        offering(shelf, url, b"x")
        code, out, _ = run(capsys, "install", "de-test")
    assert code == 0 and "is installed already" in out and behaviour.asked == []


def test_removing_asks_and_takes_nothing_else(shelf, capsys):
    put_by_hand(shelf)
    other = put_by_hand(shelf, "vosk-model-small-fr-0.22")
    code, _, err = run(capsys, "remove", NAME)
    assert code == 2 and "add --yes" in err and (shelf / NAME).is_dir()
    code, out, _ = run(capsys, "remove", NAME, "--yes")
    assert code == 0 and f"Removed: {shelf / NAME}" in out
    assert left(shelf) == [other.name]


@pytest.mark.parametrize("name", ["..", ".", "../models", "/", "", "tlh"])
def test_only_a_model_can_be_removed(shelf, capsys, name):
    put_by_hand(shelf)
    code, _, err = run(capsys, "remove", name, "--yes")
    assert code == 2 and "is installed" in err
    assert left(shelf) == [NAME]


def test_of_a_linked_model_only_the_link_goes(shelf, capsys, tmp_path):
    there = model_folder(tmp_path / "elsewhere")
    (shelf / NAME).symlink_to(there, target_is_directory=True)
    assert run(capsys, "remove", NAME, "--yes")[0] == 0
    assert left(shelf) == [] and (there / "am/final.mdl").is_file()


def test_an_unknown_name_gets_the_nearest(shelf, capsys):
    code, _, err = run(capsys, "install", "en-uk")
    assert code == 2 and "en-us" in err


def test_nothing_half_done_is_ever_there(shelf):
    def broken(work: Path) -> None:
        model_folder(work)
        raise OSError(28, "No space left on device")

    old = put_by_hand(shelf)
    with pytest.raises(Exception, match=r"no space left on device\. Make room"):
        put(shelf, NAME, broken, {}, check_vosk_model, lambda _: None)
    assert left(shelf) == [NAME] and (old / "am/final.mdl").is_file()

    def stopped(work: Path) -> None:
        model_folder(work)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        put(shelf, "vosk-model-small-fr-1", stopped, {}, check_vosk_model, lambda _: None)
    assert left(shelf) == [NAME]


def filled(work: Path) -> None:
    model_folder(work)


def test_a_new_one_takes_the_place_of_a_damaged_one(shelf):
    damaged = put_by_hand(shelf)
    (damaged / "graph/Gr.fst").write_bytes(b"")
    put(shelf, NAME, filled, {"language": "de"}, check_vosk_model, lambda _: None)
    assert models.usable(NAME) == damaged and left(shelf) == [NAME]


def started(shelf, *words, stdin=subprocess.DEVNULL):
    environment = {**os.environ, "NARRATOR_DATA": str(shelf.parent), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "narrator.cli.main", *words],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=shelf,
    )


def test_ctrl_c_leaves_what_has_come_and_nothing_else(shelf, capsys):
    content = zipped({**FILES, "ivector/final.ie": os.urandom(300_000)})
    behaviour = Behaviour(content, breaks_after=150_000)
    behaviour.goes_on.clear()
    part = shelf / f"{NAME}.zip.part"
    with serving(behaviour) as url:
        offering(shelf, url, content)
        process = started(shelf, "models", "install", "de-test")
        until = time.monotonic() + limit(20)
        while not (part.exists() and part.stat().st_size) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=limit(20))
        assert process.returncode == 130 and "Traceback" not in err
        assert left(shelf) == [part.name]
        there = part.stat().st_size
        assert 0 < there <= 150_000 and part.read_bytes() == content[:there]
        behaviour.goes_on.set()
        behaviour.breaks_after = None
        _, _, err = run(capsys, "install", "de-test")
    assert behaviour.asked[-1] == f"bytes={there}-"
    assert "The fingerprint is the known one." in err


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("vosk-model-en-us-0.22", "one fixed graph and cannot take a list of words"),
        ("de", "`narrator models install de` fetches it"),
        ("nowhere", "There is no model folder nowhere."),
    ],
)
def test_play_tells_of_a_model_that_it_cannot_use_and_takes_the_usual_one(shelf, model, why):
    put_by_hand(shelf, "vosk-model-en-us-0.22", STATIC)
    play = ("play", "one-night-revolution", "--players", "Ana, Ben, Cy", "--no-speech", "--model")
    with started(shelf, *play, model, stdin=subprocess.PIPE) as process:
        told = next(line for line in process.stderr if "The usual model listens instead." in line)
        assert why in told
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=limit(60))
    assert process.returncode == 130 and "The usual model" not in err


def test_what_does_not_fit_is_not_fetched_again_once_there_is_room(shelf, capsys, monkeypatch):
    content = zipped({**FILES, "ivector/final.ie": os.urandom(100_000)})
    behaviour = Behaviour(content)
    with serving(behaviour) as url, monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
        offering(shelf, url, content)
        code, _, err = run(capsys, "install", "de-test")
    assert code == 3 and "The model needs 1 MB, and 0 MB are free" in err and "Make room" in err
    assert left(shelf) == [f"{NAME}.zip.part"]
    _, _, err = run(capsys, "install", "de-test")
    assert "The fingerprint is the known one." in err and len(behaviour.asked) == 1


def test_playing_never_loads_what_could_open_a_connection():
    code = (
        "import sys\n"
        "import narrator.cli.play.play, narrator.app.wiring.play, narrator.app.rehearse\n"
        "import narrator.adapters.recognisers.vosk.recogniser\n"
        "import narrator.adapters.recognisers.whisper.recogniser\n"
        "assert 'narrator.adapters.model_store.download' not in sys.modules\n"
        "assert 'narrator.app.models' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=limit(60), cwd=ROOT)
