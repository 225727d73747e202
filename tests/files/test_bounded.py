"""The door for files: nothing that may never end, nothing too long, too deep or without a value."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from narrator.config.sources import ConfigurationError, load_configuration
from narrator.files.bounded import parse_json, parse_toml, read_bytes, read_text, reason, why
from narrator.ports.errors import NarratorError
from narrator.script.authoring.botc import read_sheet
from narrator.script.compiler.compile import compile_script
from narrator.script.files.lists import read_list
from narrator.script.files.table import read_table
from tests.memory import forget_peak, peak

pytestmark = pytest.mark.unit


def refusal(path: Path, most: int = 1000) -> str:
    with pytest.raises(OSError) as caught:
        read_bytes(path, most)
    return reason(caught.value)


def test_a_file_comes_in_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfna\xc3\xafve")
    assert read_text(tmp_path / "a") == "naïve"
    assert read_bytes(tmp_path / "a", 9) == (tmp_path / "a").read_bytes()


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "it is a device or a pipe, not a file"
    assert refusal(Path("/dev/zero")) == "it is a device or a pipe, not a file"
    assert refusal(tmp_path) == "it is a folder"
    assert refusal(tmp_path / "none") == "no such file or directory"


def test_what_is_too_long_is_refused_before_it_is_read(tmp_path: Path) -> None:
    sparse = tmp_path / "sparse"
    with sparse.open("wb") as file:
        file.truncate(20_000_000_000)
    forget_peak()
    before = peak()
    assert refusal(sparse) == "it is longer than 1,000 bytes"
    assert peak() - before < 20
    # A file of the system says that it has no bytes, and has some.
    assert refusal(Path("/proc/self/maps"), 10) == "it is longer than 10 bytes"


def test_other_encodings_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"Caf\xe9")
    with pytest.raises(OSError) as caught:
        read_text(tmp_path / "a")
    assert reason(caught.value) == "it is not UTF-8 text"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 65 + "]" * 65, "more than 64 levels deep"),
        ("[" * 100_000, "more than 64 levels deep"),
        ("[1" + "0" * 6000 + "]", "a number of 6,001 digits"),
        ("[1e999]", "too large or none"),
        ("[NaN]", "NaN, which is no number"),
        ("[1,\n x]", "line 2, column 2: expecting value"),
    ],
)
def test_json_out_of_bounds_is_told(text: str, told: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_json(text)
    assert told in why(caught.value)


def test_sound_json_is_read() -> None:
    data = {"a": [1, 2.5, "[" * 99, {"b": None}], "c": '\\"{{'}
    assert parse_json(json.dumps(data)) == data
    assert parse_json("[" * 64 + "]" * 64)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = " + "[" * 100, "more than 64 levels deep"),
        ("a = 1" + "0" * 6000, "a number that is too long"),
        ("a = inf", "too large or none"),
        ("a = nan", "too large or none"),
    ],
)
def test_toml_out_of_bounds_is_told(text: str, told: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_toml(text)
    assert told in why(caught.value)


def test_toml_says_where_it_is_wrong() -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match="line 1"):
        parse_toml("a = [x]")


@pytest.mark.parametrize("reader", [read_table, read_list, compile_script])
def test_every_reader_refuses_what_never_ends(reader: object, tmp_path: Path) -> None:
    assert callable(reader)
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(NarratorError, match="device or a pipe"):
            reader(path)


@pytest.mark.parametrize("value", ["-5", "inf", "-inf", "nan", "1" * 4000, "1" * 5000, "-1e9"])
@pytest.mark.parametrize("name", ["rate", "volume", "lead_in", "pitch", "record_days"])
def test_a_setting_that_nobody_can_mean_is_refused(tmp_path: Path, name: str, value: str) -> None:
    file = tmp_path / "narrator.toml"
    file.write_text(f"{name} = {value}\n")
    with pytest.raises(ConfigurationError) as caught:
        load_configuration({}, file, {})
    assert len(str(caught.value)) < 500
    file.write_text("")
    with pytest.raises(ConfigurationError):
        load_configuration({}, file, {f"NARRATOR_{name.upper()}": value})


def test_a_script_file_of_the_other_game_is_judged_before_it_is_walked() -> None:
    with pytest.raises(NarratorError, match="levels deep"):
        read_sheet("[" * 70)
