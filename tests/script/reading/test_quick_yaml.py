"""The quick way to read YAML gives what the slow one does."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from narrator.script.reading.quick_yaml import load

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
FILES = sorted([*ROOT.glob("narrator/locales/*.yaml"), *ROOT.glob("scripts/*/*.yaml")])
SCALARS = (
    "yes", "no", "on", "off", "Yes", "y", "true", "False", "TRUE", "null", "~", "", "1:30", "90",
    "-3", "+4", "0o17", "0x1F", "1.5", "-.5", "1e3", "1.", "1.5e-3", ".", "-",
    "'5'", "nullable", "12.ounce", "a: b", "[1, no, two]",
)  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_of_every_file_we_ship(path):
    text = path.read_text(encoding="utf-8")
    assert load(text) == YAML(typ="safe", pure=True).load(text)


@pytest.mark.parametrize("scalar", SCALARS)
def test_of_words_that_mean_something_else_to_older_yaml(scalar):
    slow = found(YAML(typ="safe", pure=True).load, scalar)
    assert (found(load, scalar), type(found(load, scalar))) == (slow, type(slow))


def test_a_key_that_stands_there_twice_is_refused():
    with pytest.raises(YAMLError):
        load("a: 1\na: 2\n")


def found(read, scalar):
    try:
        return read(f"k: {scalar}\n")["k"]
    except YAMLError:
        return YAMLError
