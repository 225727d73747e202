"""Going back to an earlier phase, and votes that are no names."""

from __future__ import annotations

import pytest

from narrator.language.locale import Locale
from narrator.script.compiler.compile import compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.table import Table

HEAD = "narrator: 1\ntitle: Nights\nplayers: {min: 3, max: 8}\n"
NIGHTS = (
    HEAD
    + """
phases:
  setup:
    steps:
      - set: {count: 0}
  night:
    eyes: closed
    cover: on
    steps:
      - set: {count: "{{ count + 1 }}"}
      - say: "Night {{ count }}."
      - wait: 3s
  day:
    steps:
      - ask: Another night?
        answer: yes/no
        into: more
      - if: more
        then:
          - again: night
      - say: It is over.
"""
)

pytestmark = pytest.mark.unit


@pytest.fixture
def english() -> Locale:
    return load_locale("en")


def table(text: str, locale: Locale) -> Table:
    compiled = compile_script(text)
    assert compiled.game is not None, "\n".join(map(str, compiled.diagnostics))
    made = Table(compiled.game, ["Ana", "Ben", "Cy"], locale=locale)
    made.start()
    return made


def test_an_earlier_phase_begins_again_with_eyes_closed_and_cover(english: Locale) -> None:
    played = table(NIGHTS, english)
    for night in (1, 2, 3):
        listen = played.expect_next()
        assert played.said[-2].text == f"Night {night}."
        assert not listen.eyes_closed
        played.hear("yes" if night < 3 else "no")
        assert played.engine.state.covered == (night < 3)
    assert played.wait_until(lambda: played.finish is not None, 60)
    assert [line.text for line in played.said if line.text.startswith("Night")] == [
        "Night 1.", "Night 2.", "Night 3.",
    ]  # fmt: skip


def test_an_answer_of_the_day_is_not_undone_into_from_the_next(english: Locale) -> None:
    played = table(NIGHTS, english)
    played.expect_next()
    played.hear("yes")
    played.expect_next()
    played.hear("undo")
    assert "There is nothing to take back." in [line.text for line in played.said]
    assert played.engine.state.variables["count"] == 2


def test_a_later_phase_is_no_place_to_go_back_to() -> None:
    text = NIGHTS.replace('      - say: "Night', '      - if: count > 3\n        then:\n'
                          '          - again: day\n      - say: "Night')  # fmt: skip
    compiled = compile_script(text)
    assert [d.code for d in compiled.diagnostics] == ["NS053"]
    assert compiled.game is None


def test_the_result_sees_what_was_asked_just_before_an_end() -> None:
    steps = """
      - if: n > 3
        then:
          - ask: Who was it?
            answer: seat
            into: spy
          - end
      - say: Nobody was it.
"""
    phases = f"phases:\n  play:\n    steps:{steps}"
    text = f"{HEAD}secrets: [spy]\n{phases}result:\n  spy: '{{{{ spy }}}}'\n"
    assert compile_script(text).diagnostics == ()


FINGERS = (
    HEAD
    + """
phases:
  play:
    steps:
      - vote: fingers
        countdown: [three, two, one, show]
        in: others(seats[0])
        ask: "{{ seat }}, how many?"
        answer: number
        at least: 1
        at most: 3
        read back: "{{ seat }} {{ fingers[seat] }}."
result:
  fingers: "{{ fingers }}"
"""
)


def test_a_vote_of_numbers_is_refused_read_back_and_corrected(english: Locale) -> None:
    played = table(FINGERS, english)
    assert played.expect_next().seat == "Ben"
    played.hear("five")
    assert played.said[-1].text == "Again: Ben, how many?"
    played.hear("three")
    assert played.expect_next().seat == "Cy"
    played.hear("one")
    assert played.expect_next().reads_back == {"fingers": {"Ben": 3, "Cy": 1}}
    played.hear("no")
    played.expect_next()
    played.hear("Cy")
    assert played.expect_next().seat == "Cy"
    played.hear("two")
    played.expect_next()
    played.hear("yes")
    played.wait_until(lambda: played.result is not None, 60)
    assert played.result == {"fingers": {"Ben": 3, "Cy": 2}}


def test_a_vote_without_a_way_out_is_told() -> None:
    text = FINGERS.replace("at least: 1", "at least: 4")
    assert "NS027" in [d.code for d in compile_script(text).diagnostics]
