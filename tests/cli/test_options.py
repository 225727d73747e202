"""Names and games as people write them."""

from __future__ import annotations

import click
import pytest

from narrator.cli.options import named
from narrator.core.values import Seat
from narrator.language.names.refusal import refusal
from narrator.script.files.library import NoScriptError, find_script
from narrator.script.files.locales import load_locale

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "names",
    ["Ana, Ben, Cy", "Ana, Ben and Cy", "Ana, Ben, and Cy", "Ana Ben Cy", "Ana; Ben; Cy",
     "Ana,Ben,Cy,", "Ana and Ben and Cy", "Ana; Ben & Cy"],
)  # fmt: skip
def test_names_may_be_put_apart_as_people_do(names: str) -> None:
    assert [seat.name for seat in named(names)] == ["Ana", "Ben", "Cy"]


def test_signs_of_their_own_stay_in_names() -> None:
    assert [s.name for s in named("Mary Jane, Andy, Sandy Anders")] == [
        "Mary Jane", "Andy", "Sandy Anders"]  # fmt: skip
    assert [(s.name, s.say) for s in named("Siobhan=Shi vawn")] == [("Siobhan", "Shi vawn")]
    for names in ("Ana,,Ben", ","):
        with pytest.raises(click.UsageError, match="has no name"):
            named(names)


@pytest.mark.parametrize("title", ["One Night Revolution", "one night  revolution", "SUBTEXT"])
def test_a_game_is_found_by_its_title(title: str) -> None:
    assert find_script(title).parent.name in ("one-night-revolution", "subtext")


def test_no_other_title_is_taken_for_it() -> None:
    with pytest.raises(NoScriptError):
        find_script("One Night")


@pytest.mark.parametrize(
    ("name", "language", "is_said"),
    [("王", "en", False), ("Иван", "en", False), ("علي", "en", False), ("여우", "en", False),
     ("여우", "ko", True), ("Zoë", "en", True), ("Straße", "en", True), ("Łukasz", "ko", True),
     ("王", "ko", False)],
)  # fmt: skip
def test_a_name_in_letters_that_the_voice_does_not_read_is_told(
    name: str, language: str, is_said: bool
) -> None:
    told = refusal([Seat(1, name)], load_locale(language))
    assert (told == "") is is_said
    assert refusal([Seat(1, name, "Wang", ("wang",))], load_locale(language)) == ""
