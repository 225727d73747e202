"""Rounds that are called off, scores that are agreed on, hidden totals, limited time, and pace."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.core.game import Game
from narrator.script.compiler.compile import compile_script
from narrator.script.files.lists import ListError, read_list
from narrator.testing.table import Table

pytestmark = pytest.mark.unit

HEAD = "narrator: 1\ntitle: Rounds\nplayers: {min: 3, max: 8}\n"
ROUNDS = (
    HEAD
    + """
options: {strict: {kind: yes/no, default: yes}}
secrets: [totals]
phases:
  play:
    steps:
      - repeat: 2
        count: round
        id: rounds
        spoiled: {if: strict, say: That counts for nobody., before: who}
        steps:
          - say: "Round {{ round }}."
          - ask: Deal, and say done.
            id: deal
            hear: [done]
          - repeat: 1
            id: who
            steps:
              - ask: Who was it?
                id: name
                answer: seat
                into: winner
              - score: round
                read back: "{{ points }}."
  end:
    steps:
      - say: "{{ totals }}."
scoring:
  round:
    needs: {winner: seat}
    give:
      points: "{{ [winner] | each(2) }}"
result: {totals: "{{ totals }}"}
"""
)


def game(text: str) -> Game:
    compiled = compile_script(text)
    assert compiled.game is not None, "\n".join(map(str, compiled.diagnostics))
    return compiled.game


def table(text: str, **settings: bool | float) -> Table:
    made = Table(game(text), ["Ana", "Ben", "Cy"], settings=settings)
    made.start()
    return made


def say(at: Table, *answers: str) -> None:
    for answer in answers:
        at.expect_next()
        at.hear(answer)


def codes(text: str) -> list[str]:
    return [d.code for d in compile_script(text).diagnostics]


def test_a_spoiled_round_begins_again_with_the_same_number() -> None:
    at = table(ROUNDS)
    say(at, "done", "ben", "yes")
    at.expect_next()
    at.hear("spoiled round")
    assert at.said[-1].text == "Is this round spoiled? Yes or no."
    say_from = len(at.said)
    at.hear("yes")
    at.expect_next()
    assert [line.text for line in at.said[say_from:]][:2] == ["That counts for nobody.", "Round 2."]
    assert at.engine.state.totals == {"Ben": 2}
    assert at.shown == [], "every move was a legal one"


def test_a_no_lets_the_round_go_on_where_it_was() -> None:
    at = table(ROUNDS)
    say(at, "spoiled round", "no")
    assert at.expect_next().step == "play/rounds/deal"


def test_time_stands_still_while_a_spoiled_round_is_confirmed_even_in_a_saved_game() -> None:
    steps = "{repeat: 1, spoiled: {say: Again.}, steps: [{timer: 60s}]}"
    timed = game(HEAD + "phases: {p: {steps: [" + steps + ", {say: Over.}]}}")
    at = Table(timed, ["Ana", "Ben", "Cy"], saving=True)
    at.start()
    at.wait(20)
    at.hear("spoiled round")
    at.wait(300)
    at.hear("no")
    left = at.engine.state.timers["step"].left(at.now)
    assert left == pytest.approx(40, abs=2)


def test_after_the_step_that_is_named_it_is_too_late() -> None:
    at = table(ROUNDS)
    say(at, "done")
    at.expect_next()
    at.key("spoiled_round")
    at.wait_for_silence()
    told = "No round can be called off now. Say undo to take back the last answer."
    assert at.said[-1].text == told


@pytest.mark.parametrize(
    ("answer", "text"), [("no", "Going on."), ("yes", "That counts for nobody.")]
)
def test_a_table_that_does_not_play_by_it_is_asked_whether_to_play_again(answer, text) -> None:
    at = table(ROUNDS, strict=False)
    at.expect_next()
    at.key("spoiled_round")
    at.wait_for_silence()
    asked = "No rule calls a round off here. Play this round again all the same? Yes or no."
    assert at.said[-1].text == asked
    at.hear(answer)
    assert any(line.text == text for line in at.said)


def test_a_spoiled_round_can_be_taken_back() -> None:
    at = table(ROUNDS)
    say(at, "done", "ben", "yes", "spoiled round", "yes", "undo")
    assert at.said[-1].text != "That counts for nobody."
    assert at.expect_next().step == "play/rounds/deal"
    assert at.engine.state.variables["round"] == 2


def test_points_count_only_when_the_table_agrees() -> None:
    at = table(ROUNDS)
    say(at, "done", "ben")
    assert at.expect_next().reads_back == {"points": {"Ben": 2}}
    at.hear("no")
    assert at.expect_next().step == "play/rounds/who/name"
    assert at.engine.state.totals == {}
    say(at, "cy", "yes")
    assert at.engine.state.totals == {"Cy": 2}


def test_hidden_totals_are_told_and_shown_at_the_end_only() -> None:
    at = table(ROUNDS)
    say(at, "done", "ben", "yes", "scores")
    at.wait_for_silence()
    assert at.said[-1].text == "The totals of this game are told at its end."
    assert "totals" not in at.engine.public()
    say(at, "done", "ben", "yes")
    at.wait_until(lambda: at.finish is not None, 30)
    assert at.said[-1].text == "Ben 4."
    assert at.result == {"totals": {"Ben": 4}}


def test_a_line_before_the_last_phase_cannot_tell_hidden_totals() -> None:
    assert codes(ROUNDS) == []
    assert codes(ROUNDS.replace('"Round {{ round }}."', '"{{ totals }}."')) == ["NS064"]


def test_the_step_that_ends_it_must_be_one_of_the_loop() -> None:
    found = compile_script(ROUNDS.replace("before: who", "before: hwo")).diagnostics
    assert [d.code for d in found] == ["NS041"]
    assert "who" in str(found[0])


LIMITED = (
    HEAD
    + """
phases:
  play:
    steps:
      - ask: One place.
        answer: free
        within: 10s
        into: place
      - say: "{% if place %}{{ place }}{% else %}nothing{% endif %}."
"""
)


@pytest.mark.parametrize(
    ("waits", "said"), [(3, "the old harbour."), (11, "nothing.")], ids=["in time", "too late"]
)
def test_an_answer_has_its_time(waits: float, said: str) -> None:
    at = table(LIMITED)
    at.expect_next()
    at.wait(waits)
    if at.asks():
        at.hear("The old harbour")
    at.wait_until(lambda: at.finish is not None, 30)
    assert [line.text for line in at.said] == ["One place.", said]


def test_a_timer_that_is_not_cut_short_runs_to_its_end() -> None:
    text = HEAD + "phases: {p: {steps: [{timer: 60s, from: 'seats[1]', %s}, {say: Over.}]}}"
    at = table(text % "cut short: no")
    at.wait(5)
    for command in ("stop the timer", "skip"):
        at.hear(command)
        at.wait_for_silence()
        assert at.said[-1].text == "This time runs to its end."
    at.hear("whose turn is it")
    at.wait_for_silence()
    assert at.said[-1].text == "It is Ben's turn."
    other = table(text % "cut short: yes")
    other.wait(5)
    other.hear("stop the timer")
    assert other.said[-1].text == "Over."


@pytest.mark.parametrize(("pace", "seconds"), [(1, 4), (2.5, 10), (100, 16), (0, 2)])
def test_every_wait_lasts_as_long_as_the_pace_says(pace: float, seconds: float) -> None:
    at = table(HEAD + "phases: {p: {steps: [{wait: 4s}, {say: Over.}]}}", pace=pace)
    at.wait_until(lambda: bool(at.said), 60)
    assert at.now == pytest.approx(seconds)


def test_a_list_is_read_entry_by_entry(tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text("# mine\n1: harbour\n02: [light house, lighthouse]\nno: x\n", encoding="utf-8")
    assert read_list(path) == {"1": ["harbour"], "02": ["light house", "lighthouse"], "no": ["x"]}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("1: {a: b}\n", "deck.yaml:1:4"),
        ("1: [a, [b]]\n", "deck.yaml:1:4"),
        ("1:\n", "deck.yaml:1:"),
        ("- a\n", "deck.yaml:1:1"),
        ("1: a\n1: b\n", "deck.yaml:2:1"),
        ("1: [a\n", "deck.yaml:"),
    ],
)
def test_a_list_that_is_none_is_refused_with_its_place(
    text: str, where: str, tmp_path: Path
) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ListError, match=where):
        read_list(path)


def test_a_list_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ListError, match="cannot be read"):
        read_list(tmp_path / "deck.yaml")
