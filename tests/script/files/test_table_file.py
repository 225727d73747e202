from pathlib import Path

import pytest

from narrator.core.values import Seat
from narrator.script.files.table import TableFileError, read_table

pytestmark = pytest.mark.unit

EXAMPLE = Path(__file__).resolve().parents[3] / "config" / "example-table.yaml"


def table(tmp_path, text):
    path = tmp_path / "table.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_is_read():
    read = read_table(EXAMPLE)
    assert read.seats == (
        Seat(1, "Ana"),
        Seat(2, "Siobhán", "shi vawn", ("shi vawn", "shivawn")),
        Seat(3, "Cy", "sigh", ("sigh", "si")),
    )
    assert read.options == {"discussion": "6m"}
    assert read.settings == {"rate": "155"}
    assert read.words == {"HQ": "headquarters"}


def test_every_name_stays_the_text_it_is(tmp_path):
    read = read_table(table(tmp_path, "players: [Ann, No, Null, 2026-01-02, 010, on]\n"))
    assert [s.name for s in read.seats] == ["Ann", "No", "Null", "2026-01-02", "010", "on"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("player: [Ana]\n", "Did you mean `players`?"),
        ("players: Ana\n", "should be a list of names"),
        ("players:\n  - {nam: Ana}\n", "Did you mean `name`?"),
        ("players:\n  - {say: Ana}\n", "this player has no name"),
        ("players:\n  - ''\n", "this player has no name"),
        ("players: [Ana]\nsettings: loud\n", "lines of `name: value`"),
        ("players: [Ana]\nplayers: [Ben]\n", "table.yaml"),
        ("players: [Ana\n", "table.yaml"),
        ("", "table.yaml"),
    ],
)
def test_what_is_wrong_is_told_in_words_and_with_its_place(tmp_path, text, told):
    with pytest.raises(TableFileError) as error:
        read_table(table(tmp_path, text))
    assert told in str(error.value)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(TableFileError, match="cannot be read: no such file"):
        read_table(tmp_path / "none.yaml")
