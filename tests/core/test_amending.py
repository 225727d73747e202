"""What was read back is put right in one sentence, for every kind of answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.core.values import Seat, Value
from narrator.script.compiler.compile import compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.table import Table

pytestmark = pytest.mark.unit

PLAYERS = ["Ana", "Ben", "Cy", "Dee"]
VOTE = """
narrator: 1
title: Votes
players: {{min: 3, max: 8}}
phases:
  play:
    steps:
      - vote: votes
        {answer}
        ask: "{{{{ seat }}}}, your answer?"
        read back: "{{{{ seat }}}}, {{{{ votes[seat] }}}}."
      - say: "That is all for today."
"""
ASK = """
narrator: 1
title: One answer
players: {{min: 3, max: 8}}
phases:
  play:
    steps:
      - ask: What is it?
        {answer}
        into: it
        read back: "{{{{ it }}}}."
      - say: "That is all for today."
"""
MAP = "answer: {heads: [heads], tails: [tails, the tail]}"


def table(tmp_path: Path, script: str, answer: str, language: str = "en") -> Table:
    path = tmp_path / "game.yaml"
    path.write_text(script.format(answer=answer), encoding="utf-8")
    compiled = compile_script(path)
    assert compiled.game is not None, compiled.diagnostics
    players = ["지민", "서준", "하은", "도윤"] if language == "ko" else PLAYERS
    made = Table(compiled.game, [Seat(n, p) for n, p in enumerate(players, 1)], seed=1,
                 locale=load_locale(language))  # fmt: skip
    made.start()
    return made


def held(made: Table) -> dict[str, Value]:
    return dict(made.engine.state.variables)


def votes(made: Table) -> dict[str, Value]:
    found = held(made)["votes"]
    assert isinstance(found, dict)
    return found


def answered(made: Table, *answers: str) -> Table:
    for answer in answers:
        made.expect_next()
        made.hear(answer)
    made.expect_next()
    return made


EACH = [
    ("", "ben cy ben ana", "no, Cy points at Dee", "Cy", "Dee"),
    ("", "ben cy ben ana", "Cy voted for seat four", "Cy", "Dee"),
    ("answer: seats", "ben cy ben ana", "no cy chose ana and dee", "Cy", ["Ana", "Dee"]),
    ("answer: number\n        at most: 9", "1 2 3 4", "no, Cy has seven", "Cy", 7),
    ("answer: letter", "a b c d", "Cy said F", "Cy", "F"),
    (MAP, "heads tails tails heads", "no, Cy has heads", "Cy", "heads"),
]


@pytest.mark.parametrize(("answer", "given", "said", "who", "right"), EACH)
def test_one_answer_of_a_vote_is_put_right_in_one_sentence(
    tmp_path, answer, given, said, who, right
) -> None:
    made = answered(table(tmp_path, VOTE, answer), *given.split(), said)
    assert votes(made)[who] == right
    assert made.listen is not None and made.listen.answers[0].kind == "yesno"
    shown = right if isinstance(right, str) else "Ana and Dee" if isinstance(right, list) else "7"
    assert f"Cy, {shown}." in made.said[-2].text
    made.hear("yes")
    made.wait(1)
    assert made.said[-1].text == "That is all for today."


ONE = [
    ("answer: seat", "ben", "no, Dee", "Dee"),
    ("answer: seat", "ben", "no it is seat four", "Dee"),
    ("answer: seats", "ben", "no, Ana and Dee", ["Ana", "Dee"]),
    ("answer: number\n        at most: 9", "1", "make it seven", 7),
    ("answer: number\n        halves: yes\n        at most: 9", "1", "no, two and a half", 2.5),
    ("answer: letter", "a", "no it was F", "F"),
    (MAP, "heads", "no, tails", "tails"),
    ("answer: points", "ana 5 ben 3", "no, Ben 4", {"Ana": 5, "Ben": 4}),
]


@pytest.mark.parametrize(("answer", "given", "said", "right"), ONE)
def test_an_answer_is_put_right_in_one_sentence(tmp_path, answer, given, said, right) -> None:
    made = answered(table(tmp_path, ASK, answer), given, said)
    assert held(made)["it"] == right
    assert made.said[-1].text == "Is that right?"
    made.hear("yes")
    made.wait(1)
    assert made.said[-1].text == "That is all for today."


@pytest.mark.parametrize(
    ("said", "asked"), [("Cy is wrong", ["Cy"]), ("no, Cy and Dee are wrong", ["Cy", "Dee"])]
)
def test_those_who_are_named_as_wrong_are_asked_again(tmp_path, said, asked) -> None:
    made = answered(table(tmp_path, VOTE, ""), "ben", "cy", "ben", "ana", said)
    for who in asked:
        assert made.listen is not None and made.listen.seat == who
        made.hear("seat one")
        made.expect_next()
    assert votes(made) == {
        "Ana": "Ben",
        "Ben": "Cy",
        "Cy": "Ben",
        "Dee": "Ana",
    } | dict.fromkeys(asked, "Ana")
    assert "Whose vote is wrong?" not in [line.text for line in made.said]
    # A seat that was wrong once is not taken for wrong the next time.
    made.hear("no")
    made.expect_next()
    assert made.said[-1].text == "Whose vote is wrong?"


def test_what_the_rules_forbid_is_no_correction(tmp_path) -> None:
    numbers = "answer: number\n        at most: 9"
    made = answered(table(tmp_path, VOTE, numbers), *"1234", "no, Cy has 40")
    assert votes(made)["Cy"] == 3


def test_a_correction_is_undone_like_an_answer(tmp_path) -> None:
    made = answered(table(tmp_path, VOTE, ""), "ben", "cy", "ben", "ana", "no, cy points at dee")
    made.hear("undo")
    made.expect_next()
    assert votes(made)["Cy"] == "Ben"


@pytest.mark.parametrize(
    ("said", "who"),
    [("아니요 하은 지민", "하은"), ("하은 은 지민 입니다", "하은")],
)
def test_in_korean(tmp_path, said, who) -> None:
    made = answered(table(tmp_path, VOTE, "", "ko"), "서준", "하은", "서준", "지민", said)
    assert votes(made)[who] == "지민"


def test_in_korean_those_who_are_wrong(tmp_path) -> None:
    given = ("서준", "하은", "서준", "지민", "하은 틀렸습니다")
    made = answered(table(tmp_path, VOTE, "", "ko"), *given)
    assert made.listen is not None and made.listen.seat == "하은"
