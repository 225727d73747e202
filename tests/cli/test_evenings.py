"""What becomes of stored evenings: history, results, export, replay, forget."""

import csv
import io
import json
import shutil

import pytest
from click.testing import CliRunner
from PIL import Image

from narrator.adapters.journal.lock import EveningLock
from narrator.adapters.pictures.card import WIDTH
from narrator.adapters.sound.recorder import FOLDER, name_of
from narrator.app.records import archive
from narrator.app.records import export as export_records
from narrator.app.records.pictures import card_of
from narrator.app.records.results import page, standings
from narrator.cli.look_back import export, forget, history, replay, results
from narrator.cli.play import resume
from narrator.config.sources import data_folder
from narrator.core.record import Opening, Record
from narrator.core.values import Seat
from narrator.ports.errors import NarratorError
from narrator.testing.plan import read_plan
from tests.app.stored import store
from tests.told import refused

pytestmark = pytest.mark.unit

GAME = "one-night-revolution"


def call(module, *words, code=0):
    done = CliRunner().invoke(module.command, list(words))
    if done.exit_code and not isinstance(done.exception, SystemExit):
        raise done.exception or AssertionError(done.output)
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One evening that is over, and one that was broken off, played once."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NARRATOR_DATA", str(folder))
        report = store(GAME, 3)
        store("subtext", 4, broken_off=True)
    return folder, report


@pytest.fixture
def evening(played):
    shutil.copytree(played[0], data_folder(), dirs_exist_ok=True)
    return played[1]


def test_history_lists_every_evening_in_one_sentence(evening):
    first, second = call(history).splitlines()
    assert first.startswith("1: One Night Revolution, ")
    assert "with Robert, Julia and Oliver" in first and "played to its end" in first
    assert second.startswith("2: Subtext, ") and second.endswith("broken off.")
    told = json.loads(call(history, "--json", "--players", "oliver, JULIA, Robert"))
    assert [row["evening"] for row in told] == [1]
    assert told[0]["winners"] == (evening.result["winners"] or [])
    assert call(history, "--players", "Zoe") == "No evening is stored.\n"


def test_one_evening_is_told_answer_by_answer(evening):
    lines = call(history, "1").splitlines()
    answers = [line for line in lines if line.startswith("After ")]
    assert len(answers) == len(evening.answers)
    assert any("do you vote" in line or "whom" in line.lower() for line in answers)
    assert lines[-1].startswith("winners: ")


def test_the_history_can_be_read_aloud(evening, monkeypatch):
    monkeypatch.setenv("NARRATOR_SPEECH", "false")
    aloud = call(history, "--aloud").splitlines()
    assert aloud == call(history).splitlines()


def test_of_an_evening_that_is_not_over_nothing_is_told(evening):
    lines = call(history, "2").splitlines()
    assert len(lines) == 2 and "Resume it with narrator resume 2." in lines[1]
    row = json.loads(call(history, "2", "--json"))[0]
    assert (row["seed"], row["result"], row["totals"], row["winners"]) == (None, {}, {}, [])
    for kind in ("text", "vtt"):
        with pytest.raises(NarratorError, match="Evening 2 is not over, so its secrets"):
            call(export, "2", "--format", kind)
    assert "Subtext" not in call(export, "--format", "text")
    with pytest.raises(NarratorError, match="is not over"):
        call(replay, "2", "--to-test", "x.yaml")
    plays = json.loads(call(export, "--format", "bgstats"))["plays"]
    assert len(plays) == 1
    rows = list(csv.DictReader(io.StringIO(call(export))))
    assert {(r["points"], r["winner"]) for r in rows if r["evening"] == "2"} == {("", "")}


def test_the_table_has_a_row_for_each_player(evening):
    rows = list(csv.DictReader(io.StringIO(call(export, "1"))))
    assert [row["player"] for row in rows] == evening.seats
    won = [row["player"] for row in rows if row["winner"] == "yes"]
    assert won == [n for n in evening.seats if n in (evening.result["winners"] or [])]


def test_bg_stats_finds_players_and_games_by_their_numbers(evening):
    store("scorekeeper", lines=["robert 5 julia 7", "next round", "the game is over", "yes"])
    told = json.loads(call(export, "--format", "bgstats"))
    games = {game["id"]: game["name"] for game in told["games"]}
    players = {player["id"]: player["name"] for player in told["players"]}
    play = told["plays"][-1]
    assert games[play["gameRefId"]] == "Scorekeeper"
    scores = {players[s["playerRefId"]]: (s["score"], s["winner"]) for s in play["playerScores"]}
    assert scores == {"Robert": ("5", False), "Julia": ("7", True)}
    assert call(export, "--format", "bgstats") == call(export, "--format", "bgstats")


def test_captions_of_an_evening_have_every_line_and_who_said_it(evening, tmp_path):
    path = tmp_path / "evening.vtt"
    call(export, "1", "--format", "vtt", "--out", str(path))
    text = path.read_text()
    assert text.startswith("WEBVTT\n\n00:00:00.000 --> ")
    assert "<v Narrator>Night. All eyes closed." in text
    assert "<v Robert>task complete" in text
    with refused(NarratorError, match="no evening 9"):
        call(export, "9", "--format", "vtt")


def test_a_spreadsheet_takes_no_name_for_a_formula(evening):
    record = Record(
        7,
        Opening("g", "=G()", "en", (Seat(1, "=1+1"),), {}, {}, 1, {}, "", "0", "2026-01-01T20:00"),
        "complete",
    )
    from narrator.app.records.export import as_csv

    assert "'=G(),'=1+1" in as_csv([record])


def test_todays_code_does_the_same_with_what_is_stored(evening):
    assert "events, none with other effects today." in call(replay, "1")
    assert json.loads(call(replay, "1", "--json"))["differences"] == 0


def test_what_is_different_is_shown_line_by_line(evening):
    with archive.opened(reading=False) as kept:
        db = kept._file.db
        record = kept.record(1)
        files = kept.script(record)
        assert files is not None
        files["game.yaml"] = files["game.yaml"].replace("Night. All eyes", "It is night. All eyes")
        from narrator.adapters.journal.sqlite import packed

        db.execute("UPDATE scripts SET files = ? WHERE hash = ?",
                   (packed(files), record.opening.script_hash))  # fmt: skip
    shown = call(replay, "1", code=1)
    assert "  - says: Night. All eyes closed." in shown
    assert "  + says: It is night. All eyes closed." in shown
    assert "1 with other effects today" in shown


@pytest.mark.parametrize(("game", "seed"), [(GAME, 3), ("subtext", 5), ("two-truths-and-a-lie", 1)])
def test_an_evening_becomes_a_game_test_that_holds(game, seed, tmp_path):
    report = store(game, seed)
    path = tmp_path / "real-evening.yaml"
    assert call(replay, "1", "--to-test", str(path)) == f"{path} is written, and holds.\n"
    plan = read_plan(path)
    assert [seat.name for seat in plan.players] == report.seats
    assert sum(step.kind == "hear" for step in plan.steps) >= len(report.answers)


def test_an_evening_is_forgotten_in_every_byte(evening):
    folder = data_folder()
    (folder / "speech").mkdir()
    (folder / "speech" / "line.wav").write_bytes(b"Hannah, your turn")
    assert b"Hannah" in b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())
    with refused(NarratorError, match="no evening 7"):
        call(forget, "7", "--yes")
    call(forget, "2", "--yes")
    assert b"Hannah" not in b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())
    assert len(call(history).splitlines()) == 1


def test_a_player_is_forgotten_and_the_others_keep_the_outcome(evening):
    told = call(forget, "--player", "robert", "--yes")
    assert told == "robert is forgotten: 1 evening changed, 1 deleted.\n"
    line = call(history).splitlines()
    assert len(line) == 1 and "Somebody 1, Julia and Oliver" in line[0]
    whole = b"".join(p.read_bytes() for p in data_folder().iterdir() if p.is_file())
    assert b"robert" not in whole.lower()
    told = call(forget, "--player", "robert", code=2)
    assert "No evening has a player called robert." in told


def test_nothing_is_forgotten_without_being_asked(evening):
    done = CliRunner().invoke(forget.command, ["1"])
    assert done.exit_code == 2 and "say --yes" in done.output
    assert CliRunner().invoke(forget.command, ["1", "--player", "Ana", "--yes"]).exit_code == 2
    assert len(call(history).splitlines()) == 2


def test_an_evening_that_is_being_played_is_not_forgotten(evening):
    lock = EveningLock(data_folder(), 2)
    assert lock.take()
    for words in (("2",), ("--player", "Hannah")):
        with pytest.raises(NarratorError, match="Evening 2 is being played"):
            call(forget, *words, "--yes")
    lock.release()
    assert len(call(history).splitlines()) == 2
    assert call(forget, "2", "2", "--yes") == "Forgotten: 2.\n"


def test_a_recording_that_cannot_be_deleted_is_named(evening, monkeypatch):
    with archive.opened() as kept:
        opening = kept.record(1).opening
    path = data_folder() / FOLDER / f"{name_of(opening.game, opening.begun)}.wav"
    path.mkdir(parents=True)
    assert f"{path} cannot be deleted" in call(forget, "1", "--yes", code=6)


@pytest.mark.parametrize("module", [export, forget, history, replay, resume])
def test_an_evening_of_a_number_beyond_all_measure_is_refused(module):
    assert "far too large" in call(module, "9" * 23, code=2)


def test_nobody_is_forgotten_without_a_name():
    assert "needs a name" in call(forget, "--player", " ", "--yes", code=2)


def record(number, won, totals):
    seats = (Seat(1, "Ana"), Seat(2, "Ben"))
    date = f"2026-01-{number:02d}T20:00:00+00:00"
    opening = Opening("g", "Game", "en", seats, {}, {}, 1, {}, "", "0", date)
    return Record(number, opening, "complete", date, 60.0, {"winners": won}, totals)


def test_wins_streaks_and_points_over_time():
    evenings = [
        record(1, ["Ana"], {"Ana": 10, "Ben": 4}),
        record(2, ["Ana"], {"Ana": 8, "Ben": 5}),
        record(3, ["Ana", "Ben"], {"Ana": 6, "Ben": 6}),
        record(4, ["Ben"], {"Ana": 1, "Ben": 20}),
    ]
    ana, ben = standings(evenings)
    assert (ana.wins, ana.streak, ana.longest) == (3, 0, 3)
    assert (ben.wins, ben.streak, ben.longest) == (2, 2, 2)
    lines = page(evenings)
    assert lines[1:3] == [
        "Ana: 3 of 4 won, once 3 in a row.",
        "Ben: 2 of 4 won, the last 2 in a row.",
    ]
    assert lines[-1] == f"Ben  2026-01-04  20 {'#' * 40}"


def test_the_results_of_several_evenings_are_charts(evening, tmp_path):
    pytest.importorskip("matplotlib", reason="The extra narrator[pictures] is not installed.")
    for seed in range(2):
        store("scorekeeper", seed, ["robert 5 julia 7", "next round", "game over", "yes"])
    path = tmp_path / "points.png"
    shown = call(results, "--game", "scorekeeper", "--picture", str(path))
    assert "Julia: 2 of 2 won, the last 2 in a row." in shown
    with Image.open(path) as image:
        assert image.width > 1000 and len(image.getcolors(1 << 20) or ()) > 10
    nothing = tmp_path / "nothing.png"
    told = call(results, "--players", "Zoe", "--picture", str(nothing))
    assert "There is nothing to draw yet." in told and not nothing.exists()


def test_one_evening_without_points_is_a_card(evening, tmp_path):
    path = tmp_path / "card.png"
    call(results, "--evening", "1", "--picture", str(path))
    with Image.open(path) as image:
        assert image.width == WIDTH and len(image.getcolors(1 << 20) or ()) > 3


def test_a_card_tells_winners_first_and_every_player(evening):
    with archive.opened() as kept:
        (record,) = [r for r in kept.records() if r.number == 1]
    card = card_of(record)
    assert card.title == "One Night Revolution"
    assert [name for name, _ in card.rows] == record.names()
    won = record.result["winners"]
    assert isinstance(won, list)
    assert {name for name, value in card.rows if value == "won"} == {*won}
    assert all(name in card.won for name in map(str, won))


def test_an_evening_that_another_window_plays_is_called_so(evening):
    lock = EveningLock(data_folder(), 2)
    assert lock.take()
    try:
        assert call(history).splitlines()[1].endswith("being played now.")
        assert call(history, "2").splitlines()[1] == (
            "It is not over: another window is playing it."
        )
        assert json.loads(call(history, "--json"))[1]["ended"] == "playing"
        with pytest.raises(NarratorError, match="Evening 2 is being played"):
            call(resume, "2")
    finally:
        lock.release(remove=True)
    assert call(history).splitlines()[1].endswith("broken off.")


def test_who_scored_nothing_has_no_points_and_may_win_all_the_same():
    opening = Opening(
        "g", "G", "en", (Seat(1, "Ana"), Seat(2, "Cy")), {}, {}, 1, {}, "", "0", "2026-01-01T20:00"
    )
    record = Record(7, opening, "complete", "", 60.0, {"winners": ["Cy"]}, {"Ana": 5})
    assert "G,Cy,2,0,yes,complete" in export_records.as_csv([record])
    (play,) = json.loads(export_records.as_bg_stats([record]))["plays"]
    assert [(s["score"], s["winner"]) for s in play["playerScores"]] == [("5", False), ("0", True)]
    none = Record(8, opening, "complete", "", 60.0, {"winners": ["Cy"]}, {})
    assert "G,Cy,2,,yes,complete" in export_records.as_csv([none])


def test_what_is_written_is_its_owner_s_only(evening, tmp_path):
    call(export, "--out", str(tmp_path / "all.csv"))
    call(replay, "1", "--to-test", str(tmp_path / "test.yaml"))
    for name in ("all.csv", "test.yaml"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("game", "../../elsewhere"),
        ("game", "/tmp/elsewhere"),
        ("game", ".."),
        ("game", "C:\\elsewhere"),
        ("language", "../en"),
        ("script", "../../../elsewhere/x"),
        ("script", "/etc/x"),
        ("script", "lines.ko.yaml"),
    ],
)
def test_a_stored_name_that_leads_elsewhere_is_refused(evening, column, value, tmp_path):
    from narrator.adapters.journal.sqlite import packed

    with archive.opened(reading=False) as kept:
        db = kept._file.db
        if column == "script":
            files = {"game.yaml": "narrator: 1", value: "here"}
            db.execute("UPDATE scripts SET files = ?", (packed(files),))
        else:
            db.execute(f"UPDATE evenings SET {column} = ?", (value,))
    before = sorted(tmp_path.rglob("*"))
    for module, words in ((resume, ("2",)), (replay, ("1",))):
        with refused(NarratorError, match=r"which cannot be.*not played"):
            call(module, *words)
    assert sorted(tmp_path.rglob("*")) == before
    assert not list(data_folder().parent.rglob("elsewhere*"))


def test_a_script_that_is_lost_is_that_of_the_game_where_it_is_still_the_same(evening):
    with archive.opened(reading=False) as kept:
        kept._file.db.execute("DELETE FROM scripts")
    assert "none with other effects today" in call(replay, "1")
    with archive.opened(reading=False) as kept:
        kept._file.db.execute("UPDATE evenings SET script = 'another'")
    with refused(NarratorError, match=r"script of evening 1 is damaged.*history 1"):
        call(replay, "1")
    assert "Winner" in call(history, "1")
