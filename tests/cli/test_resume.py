"""An evening that is killed and resumed, in real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from narrator.adapters.journal.archive import Archive
from narrator.app.records.journal_store import open_file
from narrator.config.remembered import FILE_NAME
from narrator.config.sources import data_folder
from tests.patience import limit

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SHORT = """
narrator: 1
title: Short
players: {min: 3, max: 3}
phases:
  only:
    steps:
      - ask: Say ready.
        hear: [ready]
      - ask: How many, Ana?
        answer: number
        at least: 1
        at most: 9
        into: count
      - timer: 60s
        say: Talk.
        end early: {hear: [we are done]}
      - ask: Who, Ben?
        answer: seat
        into: who
result: {count: "{{ count }}", who: "{{ who }}"}
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "short" / "game.yaml"
    path.parent.mkdir()
    path.write_text(SHORT)
    return path


def started(*words):
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "narrator.cli.main", *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def play(script, *more):
    players = ("--players", "Ana, Ben, Cy", "--keyboard", "--no-speech", "--json")
    return started("play", str(script), *players, *more)


def killed(process, lines, last):
    """Type lines, wait until a line is shown, and kill the process."""
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()
    for shown in process.stderr:
        if last in shown:
            break
    time.sleep(0.3)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def ended(process, *lines):
    out, told = process.communicate("".join(f"{line}\n" for line in lines), timeout=limit(60))
    assert "Traceback" not in told
    return process.returncode, out, told.splitlines()


def test_after_a_kill_it_offers_to_go_on_and_asks_nothing_twice(script):
    killed(play(script), ["ready", "5"], "Talk.")
    code, out, told = ended(play(script), "yes", "we are done", "Cy")
    assert code == 0
    assert told[0].startswith("A game of Short with Ana, Ben and Cy, begun on ")
    assert told[0].endswith("was broken off. Shall we go on with it? Yes or no.")
    assert not any("How many" in line or "ready" in line for line in told)
    result = json.loads(out)
    assert result["ended"] == "complete" and result["result"] == {"count": 5, "who": "Cy"}
    file = open_file()
    assert [(r.number, r.ended) for r in Archive(file).records()] == [(1, "complete")]
    file.close()


def test_the_open_question_is_asked_again_by_the_command_of_its_own(script):
    killed(play(script), ["ready"], "How many")
    code, out, told = ended(
        started("resume", "--keyboard", "--no-speech", "--json"), "7", "we are done", "Ana"
    )
    assert code == 0 and told[0].startswith("Going on with evening 1: Short")
    assert told[1] == "How many, Ana?"
    assert json.loads(out)["result"] == {"count": 7, "who": "Ana"}
    code, _, told = ended(started("resume"))
    assert code == 6 and "There is no unfinished evening" in told[-1]
    code, _, told = ended(started("resume", "1"))
    assert code == 6 and "Evening 1 was played to its end" in told[-1]


def remembered():
    return json.loads((data_folder() / FILE_NAME).read_text(encoding="utf-8"))


def test_what_the_table_made_louder_and_slower_is_so_after_a_kill(script):
    killed(play(script), ["ready", "louder", "slower", "5"], "Talk.")
    assert remembered() == {"volume": [1.25, 1.0], "rate": [143, 165]}
    resume = started("resume", "--keyboard", "--no-speech")
    ended(resume, "louder", "we are done", "Cy")
    assert remembered() == {"volume": [1.562, 1.0], "rate": [143, 165]}


def test_who_goes_back_to_what_is_configured_has_nothing_remembered(script):
    ended(play(script), "louder", "quieter", "faster", "ready", "5", "we are done", "Cy")
    assert remembered() == {"rate": [190, 165]}


def test_a_no_begins_a_new_game_and_is_not_asked_again(script):
    killed(play(script), ["ready", "5"], "Talk.")
    killed(play(script), ["no"], "Say ready.")
    file = open_file()
    assert [r.ended for r in Archive(file).records()] == ["declined", ""]
    file.close()
    code, _, told = ended(play(script, "--new"), "ready", "1", "we are done", "Ana")
    assert code == 0 and told[0] == "Say ready."
    code, out, _ = ended(
        started("resume", "1", "--keyboard", "--no-speech", "--json"), "we are done", "Cy"
    )
    assert code == 0 and json.loads(out)["result"] == {"count": 5, "who": "Cy"}


def test_lines_of_a_pipe_that_are_no_answer_are_left_to_a_new_game(script):
    killed(play(script), ["ready", "5"], "Talk.")
    code, out, told = ended(play(script), "ready", "2", "we are done", "Ben")
    assert code == 0 and json.loads(out)["result"] == {"count": 2, "who": "Ben"}
    assert told.count("Say ready.") == 1


def test_a_script_that_was_changed_is_told_of_and_played_as_it_was(script):
    killed(play(script), ["ready", "5"], "Talk.")
    script.write_text(SHORT.replace("Who, Ben?", "Whom, Ben, then?"))
    code, out, told = ended(play(script), "yes", "we are done", "Cy")
    assert "Its script was changed since" in told[0]
    assert "Who, Ben?" in told and json.loads(out)["result"] == {"count": 5, "who": "Cy"}
    assert code == 0


def test_another_table_is_not_asked(script):
    killed(play(script), ["ready"], "How many")
    other = started(
        "play", str(script), "--players", "Dee, Eli, Fay", "--keyboard", "--no-speech", "--json"
    )
    _, _, told = ended(other)
    assert told[0] == "Say ready."


def test_two_tables_at_once_and_an_evening_has_one_writer(script):
    first, second = play(script), play(script)
    for process in (first, second):
        process.stdin.write("ready\n5\n")
        process.stdin.flush()
        for line in process.stderr:
            if "Talk." in line:
                break
    code, _, told = ended(started("resume", "1", "--keyboard", "--no-speech"))
    assert code == 6 and "Evening 1 is being played by another Narrator" in told[-1]
    assert ended(first, "we are done", "Cy")[0] == 0
    assert ended(second, "we are done", "Ana")[0] == 0


def test_ctrl_c_keeps_the_evening_and_leaves_it_to_be_resumed(script):
    process = play(script)
    process.stdin.write("ready\n")
    process.stdin.flush()
    for line in process.stderr:
        if "How many" in line:
            break
    process.send_signal(signal.SIGINT)
    assert process.wait(limit(20)) == 130
    process.communicate()
    code, out, told = ended(play(script, "--resume", "--seed", "4"), "3", "we are done", "Ben")
    assert "keeps its original options" in told[0]
    assert code == 0 and json.loads(out)["result"] == {"count": 3, "who": "Ben"}


def test_where_nothing_can_be_stored_the_game_goes_on_and_says_so_once(script, tmp_path):
    (tmp_path / "file").write_text("no folder")
    os.environ["NARRATOR_DATA"] = str(tmp_path / "file")
    code, _, told = ended(play(script), "ready", "5", "we are done", "Cy")
    assert code == 0
    assert [line for line in told if "not stored" in line] == [told[0]]


def test_nothing_is_heard_of_the_network_while_a_game_is_played(script):
    """No socket is so much as made, from the first import to the end."""
    watch = (
        "import sys\n"
        "made = []\n"
        "sys.addaudithook(lambda e, a: made.append(e) if e.startswith('socket.') else None)\n"
        "from narrator.cli.main import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "finally:\n"
        "    print('SOCKETS', made, file=sys.stderr)\n"
    )
    words = ["play", str(script), "--players", "Ana, Ben, Cy", "--keyboard", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", watch, *words],
        input="ready\n5\nwe are done\nCy\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=limit(120),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert json.loads(done.stdout)["ended"] == "complete"
    # The screen has a thread of its own, whose last lines may come later on a busy machine.
    assert [line for line in done.stderr.splitlines() if "SOCKETS" in line] == ["SOCKETS []"]


def without_its_end():
    """Leave the one evening as a kill does between its last event and the storing of its end."""
    file = open_file()
    with file.transaction() as db:
        db.execute("UPDATE evenings SET ended = '', finished = '', result = '{}', totals = '{}'")
    file.close()


def test_a_game_that_was_over_when_it_was_killed_is_not_offered(script):
    ended(play(script), "ready", "5", "we are done", "Cy")
    without_its_end()
    code, out, told = ended(play(script), "ready", "2", "we are done", "Ana")
    assert code == 0 and told[0] == "Say ready."
    assert json.loads(out)["result"] == {"count": 2, "who": "Ana"}
    file = open_file()
    first, second = Archive(file).records()
    file.close()
    assert (first.ended, first.result) == ("complete", {"count": 5, "who": "Cy"})
    assert first.finished and second.ended == "complete"


def test_a_game_that_was_over_when_it_was_killed_is_told_and_stored(script):
    ended(play(script), "ready", "5", "we are done", "Cy")
    without_its_end()
    code, out, told = ended(started("resume", "--keyboard", "--no-speech", "--json"))
    assert code == 0, told
    result = json.loads(out)
    assert result["ended"] == "complete" and result["result"] == {"count": 5, "who": "Cy"}
    file = open_file()
    (record,) = Archive(file).records()
    file.close()
    assert (record.ended, record.result) == ("complete", {"count": 5, "who": "Cy"})
    assert record.finished
