"""What set-up stands on: the locks, the launcher, the licence."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import launch

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)

RUN = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["english"]]
BUILD = PROJECT["dependency-groups"]["build"]
TEST = PROJECT["dependency-groups"]["test"]


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    return {canonicalize_name(package): version for package, version in PIN.findall(text)}


@pytest.mark.parametrize(
    ("name", "wanted"), [("play", RUN), ("build", BUILD), ("test", [*RUN, *BUILD, *TEST])]
)
def test_locks_are_in_step_with_the_project(name: str, wanted: list[str]) -> None:
    pinned = pins(name)
    for requirement in map(Requirement, wanted):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version, f"{requirement} is not in {name}.lock; run tools/lock"
        assert version in requirement.specifier, f"{requirement} is not {version}; run tools/lock"


@pytest.mark.parametrize("name", ["play", "build"])
def test_smaller_locks_follow_the_largest(name: str) -> None:
    assert pins(name).items() <= pins("test").items()


@pytest.mark.parametrize("name", ["play", "build", "test"])
def test_every_pin_has_a_hash_and_no_lock_names_a_host(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert entries
    assert [e.splitlines()[0] for e in entries if "--hash=sha256:" not in e] == []
    assert "://" not in text


def test_no_python_is_told_plainly(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    if shell is None:
        pytest.skip("There is no shell here; tools/play.cmd does this on Windows.")
    for name in ("dirname", "env"):
        if found := shutil.which(name):
            (tmp_path / name).symlink_to(found)
    done = subprocess.run(
        [shell, str(ROOT / "tools" / "with-python"), "play"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("Narrator needs Python 3.11 or newer")
    assert done.stdout == ""


def test_stamp_changes_with_a_lock_and_not_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("a")
    (tmp_path / "play.lock").write_text("a")
    monkeypatch.setattr(launch, "ROOT", tmp_path)
    monkeypatch.setattr(launch, "LOCKS", tmp_path)
    before = launch.stamp_of(tmp_path, ["play"])
    assert launch.stamp_of(tmp_path, ["play"]) == before
    (tmp_path / "play.lock").write_text("b")
    assert launch.stamp_of(tmp_path, ["play"]) != before


def test_missing_system_packages_are_found() -> None:
    if shutil.which("dpkg-query") is None:
        assert launch.missing_packages(["libc6"]) == []
        return
    wanted = ["dpkg", "narrator-surely-not-a-package"]
    assert launch.missing_packages(wanted) == ["narrator-surely-not-a-package"]


def test_without_rights_the_exact_command_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "missing_packages", lambda wanted: ["libportaudio2"])
    monkeypatch.setattr(launch, "as_administrator", lambda: None)
    launch.install_packages(launch.PLAY_PACKAGES)
    told = capsys.readouterr()
    assert "Missing from this system: libportaudio2. Going on without" in told.err
    assert "sudo apt-get update && sudo apt-get install -y" in told.err
    assert told.out == ""


def test_an_environment_of_another_python_is_not_usable(tmp_path: Path) -> None:
    assert launch.is_usable(Path(sys.prefix))
    assert not launch.is_usable(tmp_path)


def test_environment_that_is_there_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "is_usable", lambda folder: True)
    (tmp_path / "play.stamp").write_text(launch.stamp_of(tmp_path, ["play"]))
    launch.make_environment(tmp_path, ["play"])
    assert [p.name for p in tmp_path.iterdir()] == ["play.stamp"]


def test_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_this_python_is_new_enough_for_the_project() -> None:
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert sys.version_info[:2] >= tuple(map(int, lowest.split(".")))
