"""A night of games that is set up at the table: what, who, again, another, good night."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from narrator.app import hosting
from narrator.app.records import groups
from narrator.app.records.journal_store import JournalStore
from narrator.app.wiring import play
from narrator.config.settings import Settings
from narrator.core.record import Record
from narrator.core.values import Seat
from narrator.language.grammar.names_slot import names_in
from narrator.session.outcome import Outcome
from narrator.testing.fakes import ListScreen

pytestmark = pytest.mark.unit


class Night:
    """Plays a night by typed lines."""

    def __init__(self, language: str = "") -> None:
        self.screen = ListScreen()
        settings = Settings(speech=False, keyboard=True, language=language)
        like = hosting.any_game(language)
        keeping = JournalStore(self.screen, like.locale.messages)
        self.night = hosting.Hosting(like, settings, keeping, self.screen, {})
        self.endings: list[str] = []

    def play(self, *lines: str) -> Outcome:
        source, into = os.pipe()
        os.write(into, "".join(f"{line}\n" for line in lines).encode())
        os.close(into)
        first = self.night.begin()
        outcome = play.play(
            first.evening, first.journal, self.screen,
            keyboard=source, follow=self.night.follow, lobby=first.lobby,
        )  # fmt: skip
        os.close(source)
        return outcome

    def told(self, words: str) -> bool:
        return any(words in line for line in self.screen.lines)

    def records(self) -> list[Record]:
        """Return what is stored, the newest first; a night closes its journal at its end."""
        return JournalStore(self.screen, self.night.like.locale.messages).records()

    def seats(self) -> list[str]:
        assert self.night.evening is not None
        return [seat.name for seat in self.night.evening.seats]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path))
    return tmp_path


SCORES = ("Ana five", "game is over", "yes")
BEGUN = ("scorekeeper", "Ana, Ben and Cora", "yes", "yes")


def test_a_night_of_three_games_needs_no_word_of_the_command_line(data: Path) -> None:
    night = Night()
    outcome = night.play(
        *BEGUN, *SCORES, "again", *SCORES,
        "another game", "two truths", "as last time", "yes", "end the game", "yes", "good night",
    )  # fmt: skip
    assert outcome.ended == "complete"
    assert night.seats() == ["Ana", "Ben", "Cora"]
    assert night.told("Ana has won 2 times.") and night.told("Good night.")
    assert night.night.evening is not None
    assert night.night.evening.loaded.game.title == "Two Truths and a Lie"
    stored = [(r.opening.game, r.ended) for r in night.records()]
    assert stored == [
        ("two-truths-and-a-lie", "stopped"),
        ("scorekeeper", "complete"),
        ("scorekeeper", "complete"),
    ]


def test_who_played_before_is_known_and_sits_as_it_was_said(data: Path) -> None:
    Night().play(*BEGUN, "end the game", "yes", "good night")
    night = Night()
    night.play(
        "scorekeeper",
        "cora and ana",
        "no",
        "ben cora ana",
        "yes",
        "as usual",
        "end the game",
        "yes",
        "good night",
    )
    assert night.seats() == ["Ben", "Cora", "Ana"]


def test_somebody_new_joins_those_who_are_known(data: Path) -> None:
    Night().play(*BEGUN, "end the game", "yes", "good night")
    night = Night()
    night.play(
        "scorekeeper",
        "somebody new",
        "Ana, Dora, Ben",
        "yes",
        "yes",
        "end the game",
        "yes",
        "good night",
    )
    assert night.seats() == ["Ana", "Dora", "Ben"]


def test_those_who_want_no_names_are_called_by_their_seats(data: Path) -> None:
    night = Night()
    night.play(
        "scorekeeper",
        "we are four",
        "yes",
        "whatever you like",
        "seat two five",
        "game is over",
        "yes",
        "good night",
    )
    assert night.seats() == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]
    assert night.night.outcome is not None and night.night.outcome.result["winners"] == ["Seat 2"]
    assert not any(o.last for o in hosting._offered("en", [])), "nobody played there"
    assert hosting._known(night.records(), "Seat") == {}


def test_too_few_are_told_how_many_can_play_and_are_asked_again(data: Path) -> None:
    night = Night()
    night.play(
        "mafia",
        "Ana and Ben",
        "Ana, Ben, Cora, Dora, Emil",
        "yes",
        "yes",
        "end the game",
        "yes",
        "good night",
    )
    assert night.told("Mafia is for 5 to 18 players; that was 2.")
    assert night.seats() == ["Ana", "Ben", "Cora", "Dora", "Emil"]


def test_what_there_is_is_told(data: Path) -> None:
    night = Night()
    night.play("what is there", "end the game", "yes")
    there = next(line for line in night.screen.lines if line.startswith("There are:"))
    assert all(title in there for title in ("Mafia", "One Night Revolution", "Scorekeeper"))


def test_a_set_up_that_is_ended_plays_nothing(data: Path) -> None:
    night = Night()
    assert night.play("scorekeeper", "end the game", "yes").ended == "stopped"
    assert night.night.evening is None and night.night.to_go_on() == ""
    assert night.records() == []


def test_a_game_that_was_broken_off_is_offered_first(data: Path) -> None:
    broken = Night()
    broken.play(*BEGUN, "Ana five")
    assert re.fullmatch(r".*narrator resume 1", broken.night.to_go_on())
    night = Night()
    night.play("yes", "Ben two", "game is over", "yes", "good night")
    assert night.night.outcome is not None
    assert night.night.outcome.totals == {"Ana": 5, "Ben": 2}
    assert len(night.records()) == 1


def test_one_that_nobody_wants_to_go_on_with_gives_way_to_the_set_up(data: Path) -> None:
    Night().play(*BEGUN, "Ana five")
    night = Night()
    night.play("no", "mafia", "we are six", "yes", "yes", "end the game", "yes", "good night")
    assert night.night.evening is not None and night.night.evening.loaded.game.title == "Mafia"
    assert sorted(r.ended for r in night.records()) == ["declined", "stopped"]


def test_the_post_moves_on_from_game_to_game_of_a_night(data: Path) -> None:
    night = Night()
    night.play(*BEGUN, *SCORES, "again", "end the game", "yes", "good night")
    newest, before = night.records()
    first = str(before.opening.options.get("first_player") or _first(before))
    names = night.seats()
    assert newest.opening.options["first_player"] == names[(names.index(first) + 1) % 3]


def test_game_and_players_are_said_in_one_sentence(data: Path) -> None:
    night = Night()
    night.play("scorekeeper with three", "yes", "yes", *SCORES[1:], "good night")
    assert night.seats() == ["Seat 1", "Seat 2", "Seat 3"]
    assert not night.told("Who plays?")


def test_what_was_read_back_wrong_is_asked_for(data: Path) -> None:
    night = Night()
    night.play("scorekeeper for six", "no", "we are four", "yes", "yes", *SCORES[1:], "good night")
    assert len(night.seats()) == 4


def test_as_last_time_takes_the_people_and_their_options(data: Path) -> None:
    first = Night()
    first.play(
        *BEGUN[:3], "no", "no", "lowest", "Ana five", "game is over", "yes", "good night"
    )  # fmt: skip
    assert first.night.evening is not None
    assert first.night.evening.options["wins"] == "lowest"
    night = Night()
    night.play("scorekeeper as last time", "yes", "Ana five", "game is over", "yes", "good night")
    assert night.told("Earlier today Ben and Cora won Scorekeeper.")
    assert not night.told("Who plays?") and not night.told("the usual way?")
    assert night.night.outcome is not None
    assert night.night.outcome.result["winners"] == ["Ben", "Cora"]


def test_an_option_may_be_left_as_usual_and_minutes_are_kept_as_seconds(data: Path) -> None:
    night = Night()
    night.play(
        "two truths", "Ana, Ben, Cora", "yes", "no", "two", "end the game", "yes", "good night"
    )
    assert night.night.evening is not None and night.night.evening.options["talk"] == 120
    again = Night()
    again.play(
        "mafia", "we are six", "yes", "no", "two", "whatever you like", "no", "as usual",
        "end the game", "yes", "good night",
    )  # fmt: skip
    assert again.night.evening is not None
    assert again.night.evening.options == {"mafiosi": 2, "detective": False}


def test_a_group_plays_without_somebody(data: Path) -> None:
    groups.keep(
        "Friday", [Seat(n, name) for n, name in enumerate(("Ana", "Ben", "Cora", "Dan"), 1)]
    )
    night = Night()
    night.play(
        "scorekeeper", "the Friday group without Ben", "yes", "yes", *SCORES,
        "another game", "scorekeeper", "friday", "yes", "yes", *SCORES, "good night",
    )  # fmt: skip
    newest, before = night.records()
    assert before.names() == ["Ana", "Cora", "Dan"]
    assert newest.names() == ["Ana", "Ben", "Cora", "Dan"]


def test_the_weekday_of_the_last_game_is_told(data: Path) -> None:
    night = Night()
    begun = {0: "today", 3: "day", 30: "earlier"}
    for days, line in begun.items():
        told = night.night.recap_of(("Ana",), "Mafia", "2026-11-20T20:00:00+00:00", days)
        assert (
            told
            == {
                "today": "Earlier today Ana won Mafia.",
                "day": "On Friday Ana won Mafia.",
                "earlier": "Last time Ana won Mafia.",
            }[line]
        )


def _first(record: object) -> str:
    from narrator.app.games import load_game
    from narrator.app.records.posts import _held

    return str(_held(load_game("scorekeeper").game, record)["first_player"])  # type: ignore[arg-type]


def test_a_korean_night(data: Path) -> None:
    night = Night("ko")
    night.play("무엇이 있습니까", "혁명의 하룻밤", "네", "게임 종료", "네")
    assert not [line for line in night.screen.lines if re.search(r"[a-z]{4}", line)]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("ana ben and cora", ["Ana", "Ben", "Cora"]),
        ("Ana, Ben, Cora", ["Ana", "Ben", "Cora"]),
        ("Mary Ann, Bob and McCoy", ["Mary Ann", "Bob", "McCoy"]),
        ("ana ana ben", ["Ana", "Ben"]),
        ("Mary Ann, Bob, and Zoë", ["Mary Ann", "Bob", "Zoë"]),
        ("Anders & Andy", ["Anders", "Andy"]),
        ("", []),
        ("x" * 100, []),
    ],
)
def test_names_in_what_was_said(said: str, names: list[str]) -> None:
    assert names_in(said, ("and", "&")) == names
