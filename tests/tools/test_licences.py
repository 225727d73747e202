"""The page of licences names everything that the locks install, and who wants it."""

from __future__ import annotations

import re

import pytest

from tools.licences import LEFT_OUT, LOCKS, ODD, licence, locked, page, wanted_by

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("name", ["play", "test"])
def test_every_package_of_a_lock_stands_on_the_page_with_its_version(name: str) -> None:
    told = page()
    packages = locked(name)
    pinned = re.findall(r"^[\w.-]+==", (LOCKS / f"{name}.lock").read_text(), re.MULTILINE)
    assert sum(version.count(",") + 1 for version in packages.values()) == len(pinned) > 30
    for package, version in packages.items():
        assert f"| {package} | {version} | {licence(package)} | " in told


def test_what_is_no_package_is_named_with_its_licence() -> None:
    told = page()
    for part in ("eSpeak NG | GPL-3.0-or-later", "libsndfile | LGPL", "Whisper tiny.en | MIT"):
        assert f"| {part}" in told


def test_nothing_is_locked_that_nobody_wants() -> None:
    packages = locked("test")
    assert sorted(set(packages) - set(wanted_by(packages)) - {"pyobjc-core"}) == []


def test_what_is_left_out_is_in_no_lock_and_the_odd_ones_say_who_wants_them() -> None:
    play, test = locked("play"), locked("test")
    for name, asker, _ in LEFT_OUT:
        assert name not in (play | test)
        assert asker in play
    assert [name for name in play if name.startswith("pyobjc-framework")] == [
        "pyobjc-framework-cocoa"
    ]
    assert {name: wanted_by(play)[name] for name in ODD} == {name: ["vosk"] for name in ODD}


def test_a_licence_that_nobody_tells_is_an_error() -> None:
    with pytest.raises(LookupError, match="ELSEWHERE"):
        licence("no-such-package")
