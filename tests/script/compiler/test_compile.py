"""From a script to a game: what is unfolded into what, under which names, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.core.game import Game, Line, Step
from narrator.core.steps.asked.ask import Ask
from narrator.core.steps.asked.hear import Hear
from narrator.core.steps.asked.timer import Timer
from narrator.core.steps.blocks.again import Again
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.program import Program
from narrator.core.steps.spoken.countdown import Countdown
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait
from narrator.core.steps.values.set import Set
from narrator.core.values import Value
from narrator.script.compiler.checks import Ears
from narrator.script.compiler.compile import Compiled, ScriptError, compile_script

PATH = Path(__file__).parents[3] / "scripts" / "one-night-revolution" / "game.yaml"
SOURCE = PATH.read_text(encoding="utf-8")
HEAD = "narrator: 1\ntitle: Test\nplayers: {min: 3, max: 8}\n"
SECRET = "secrets: [spies]\n"
REVEAL = "- ask: Who?\n  answer: seats\n  into: spies\n"
NIGHT = "  night:\n    eyes: closed\n    steps:\n      - {}\n"
SCOPE: dict[str, Any] = {"seats": ["Ana", "Ben", "Cy"], "n": 3}

pytestmark = pytest.mark.unit


def script(steps: str, before: str = "", after: str = "") -> str:
    body = "".join(f"      {line}\n" for line in steps.strip("\n").splitlines())
    return f"{HEAD}{before}phases:\n  play:\n    steps:\n{body}{after}"


def game(text: str | Path) -> Game:
    compiled = compile_script(text)
    assert [str(d) for d in compiled.diagnostics] == []
    assert compiled.game is not None
    return compiled.game


def steps(text: str, before: str = "") -> tuple[Step, ...]:
    return game(script(text, before)).phases[0].steps


def codes(compiled: Compiled) -> list[str]:
    return [d.code for d in compiled.diagnostics]


def lines_of(thing: object) -> Iterator[Line]:
    if isinstance(thing, Line):
        yield thing
    elif isinstance(thing, tuple):
        for item in thing:
            yield from lines_of(item)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from lines_of(getattr(thing, field.name))


@pytest.fixture(scope="module")
def revolution() -> Game:
    return game(PATH)


def test_the_first_game_compiles_into_its_phases(revolution: Game) -> None:
    assert revolution.id == "one-night-revolution"
    assert (revolution.low, revolution.high, revolution.language) == (3, 10, "en")
    names = [phase.name for phase in revolution.phases]
    assert names == [
        "table", "setup", "briefing", "rules-of-the-night", "night", "day", "termination",
    ]  # fmt: skip
    night = revolution.phases[4]
    assert (night.eyes_closed, night.cover, night.rate) == (True, True, 0.9)
    assert revolution.secrets == {"informants"}
    assert [option.name for option in revolution.options] == [
        "look", "discussion", "brief", "deep_agent", "pace", "last_ten",
    ]  # fmt: skip
    assert [o.default({"n": 7}) for o in revolution.options] == [7, 420, True, False, 1, False]


def test_paths_are_unique_and_every_place_is_in_the_file(revolution: Game) -> None:
    program = Program(revolution)
    assert {"night/turns/turn", "briefing/if-briefing", "termination/votes/ask"} <= set(
        program.steps
    )
    lines = list(lines_of(revolution.phases))
    texts: dict[str, object] = {}
    for line in lines:
        assert texts.setdefault(line.id, line.text) == line.text
        assert line.id.startswith("own/") or 0 < line.place.line <= len(SOURCE.splitlines())
    assert {"setup/say-1", "night/turns/turn/nudge", "day/discussion/ended"} <= set(texts)


def test_the_same_script_gives_the_same_game(revolution: Game) -> None:
    assert game(PATH) == revolution


def test_a_phase_with_a_condition_is_a_branch(revolution: Game) -> None:
    (branch,) = revolution.phases[2].steps
    assert isinstance(branch, If)
    assert branch.condition({"brief": False}) is False
    assert [line.id for line in lines_of(branch.then)] == ["briefing/aims"]


def test_steps_take_the_name_of_their_verb_or_their_id() -> None:
    made = steps("- say: One.\n- wait: 1s\n- say: Two.\n- say: Three.\n  id: Third Line\n")
    assert [step.name for step in made] == ["say-1", "wait-1", "say-2", "third-line"]


def test_a_question_answered_by_phrase_is_a_line_and_a_hear() -> None:
    question, answer = steps("- ask: Ready?\n  id: ready\n  hear: [yes, ready]\n  not before: 2s")
    assert isinstance(question, Say)
    assert (question.line.role, question.line.id) == ("question", "play/ready")
    assert isinstance(answer, Hear)
    assert (answer.name, answer.phrases) == ("ready", ("yes", "ready"))
    assert answer.not_before(SCOPE) == 2


def test_a_question_that_is_read_back_is_asked_until_it_is_right() -> None:
    (loop,) = steps(
        "- ask: Who?\n  id: who\n  answer: seat\n  into: chosen\n  nobody: yes\n"
        '  read back: "{{ chosen }}."'
    )
    assert isinstance(loop, Repeat)
    assert loop.times is None
    ask, back, right = loop.steps
    assert isinstance(ask, Ask)
    assert (ask.into, ask.kind, ask.nobody) == ("chosen", "seat", True)
    assert isinstance(back, Say)
    assert back.line.text({"chosen": None}) == "nobody."
    assert isinstance(right, Ask)
    assert (right.kind, right.confirms) == ("yesno", ("chosen",))
    assert loop.until is not None
    assert [loop.until({right.into: answer}) for answer in (True, False)] == [True, False]


def test_answers_go_into_one_entry_of_a_map() -> None:
    put, loop = steps(
        "- set: {hands: {}}\n- for each: seat\n  steps:\n    - ask: How many?\n"
        "      answer: number\n      at most: 3\n      into: hands[seat]"
    )
    assert isinstance(put, Set)
    assert put.values[0][1](SCOPE) == {}
    assert isinstance(loop, ForEach)
    (ask,) = loop.steps
    assert isinstance(ask, Ask)
    assert ask.key is not None
    assert (ask.into, ask.key({"seat": "Ben"}), ask.high(SCOPE)) == ("hands", "Ben", 3)


VOTE = """
- vote: votes
  say: Point.
  countdown: [three, two, one, vote]
  beat: 0.8s
  from: controller
  ask: "{{ seat }}, whom?"
  among: "{{ others(seat) }}"
  refuse: Somebody else.
  read back: "{{ seat }}: {{ votes[seat] }}."
"""


def test_a_vote_is_unfolded_into_asking_and_correcting() -> None:
    made = steps(VOTE, before="posts:\n  controller:\n")
    say, count, none, ask_all, check = made
    assert isinstance(say, Say)
    assert isinstance(count, Countdown)
    assert (count.line.text(SCOPE), count.beat(SCOPE)) == ("three, two, one, vote", 0.8)
    assert isinstance(none, Set)
    assert isinstance(ask_all, ForEach)
    assert ask_all.items({**SCOPE, "controller": "Ben"}) == ["Ben", "Cy", "Ana"]
    (ask,) = ask_all.steps
    assert isinstance(ask, Ask)
    assert ask.allowed is not None
    assert ask.allowed({**SCOPE, "seat": "Cy"}) == ["Ana", "Ben"]
    assert isinstance(check, Repeat)
    back, right, wrong = check.steps
    assert isinstance(back, Say)
    votes: Value = {"Ana": "Ben", "Ben": "Ana", "Cy": "Ana"}
    said = back.line.text({**SCOPE, "controller": "Ben", "votes": votes})
    assert said == "Ben: Ana. Cy: Ana. Ana: Ben."
    assert isinstance(right, Ask)
    assert right.confirms == ("votes",)
    assert isinstance(wrong, If)
    whose, again = wrong.then
    assert isinstance(whose, Ask)
    assert isinstance(again, ForEach)
    assert [again.items({**SCOPE, whose.into: name}) for name in ("Cy", None)] == [["Cy"], []]
    assert isinstance(again.steps[0], Ask)
    assert again.steps[0].line == ask.line


def test_turns_go_round_from_a_seat_among_those_listed() -> None:
    (loop,) = steps(
        "- for each: who\n  from: seats[1]\n  in: others(seats[2])\n  steps:\n    - wait: 1s"
    )
    assert isinstance(loop, ForEach)
    assert loop.items(SCOPE) == ["Ben", "Ana"]


def test_a_list_may_be_written_out() -> None:
    (loop,) = steps(
        '- for each: which\n  in: [first, second, "{{ title }}"]\n  steps:\n    - ask: Letter?\n'
        "      answer: letter\n      among: [A, B]\n      into: letter"
    )
    assert isinstance(loop, ForEach)
    assert loop.items({**SCOPE, "title": "x"}) == ["first", "second", "x"]
    (ask,) = loop.steps
    assert isinstance(ask, Ask)
    assert ask.allowed is not None
    assert ask.allowed(SCOPE) == ["A", "B"]


def test_a_part_keeps_its_line_ids_wherever_it_is_put() -> None:
    text = script(
        "- part: hello\n- part: hello\n  with: {who: Ana}",
        before='parts:\n  hello:\n    - say: "Hello."\n    - wait: 1s\n',
    )
    made = game(text).phases[0].steps
    assert [step.name for step in made] == ["part-1", "part-2-with", "part-2"]
    assert {line.id for line in lines_of(made)} == {"parts/hello/say-1"}


def test_timers_end_early_by_phrase_and_hands() -> None:
    (timer,) = steps(
        "- timer: 1:30\n  say: Go.\n  warnings: [1m, 10]\n  ended: Time.\n  end early:\n"
        "    hear: [we are done]\n    ask: How many hands?\n    hands: majority(n)"
    )
    assert isinstance(timer, Timer)
    assert timer.early is not None
    assert timer.early.hands is not None
    assert timer.warnings is not None
    assert (timer.seconds(SCOPE), timer.warnings(SCOPE), timer.early.hands(SCOPE)) == (
        90,
        [60, 10],
        2,
    )


def test_again_names_the_path_of_a_loop_or_the_phase() -> None:
    text = script(
        "- for each: seat\n  id: turns\n  steps:\n    - if: n > 3\n      then:\n        - {}\n"
    )
    for word, path in {
        "again": "play/turns",
        "again: play": "play",
        "again: turns": "play/turns",
    }.items():
        (loop,) = game(text.replace("{}", word)).phases[0].steps
        assert isinstance(loop, ForEach)
        branch = loop.steps[0]
        assert isinstance(branch, If)
        assert isinstance(branch.then[0], Again)
        assert branch.then[0].target == path


def test_scalars_are_what_they_are_wanted_as() -> None:
    made = steps(
        '- set:\n    a: 010\n    b: no\n    c: "no"\n    d: 1.5\n    e: [Ann, No, 3]\n'
        '    f: 2026-01-02\n    g: "{{ n }}"\n    h: "{{ n }} seats"\n    i: {x: "{{ n }}"}'
    )
    assert isinstance(made[0], Set)
    found = [value(SCOPE) for _, value in made[0].values]
    assert found == [10, False, "no", 1.5, ["Ann", "No", 3], "2026-01-02", 3, "3 seats", {"x": 3}]


@pytest.mark.parametrize(
    ("written", "seconds"), [("1:30", 90), ("10:00", 600), ("0:45", 45), ("90s", 90), ("90", 90)]
)
def test_times_are_no_sexagesimal_numbers(written: str, seconds: int) -> None:
    (wait,) = steps(f"- wait: {written}")
    assert isinstance(wait, Wait)
    assert wait.seconds(SCOPE) == seconds


def test_yes_and_no_are_words_among_answers() -> None:
    (ask,) = steps("- ask: Well?\n  answer: {yes: [aye], no: [nay]}\n  into: well")
    assert isinstance(ask, Ask)
    assert [(c.value, c.phrases) for c in ask.choices] == [("yes", ("aye",)), ("no", ("nay",))]


MISSPELT = {
    "title: One": ("titel: One", "title"),
    "    kind: duration": ("    kinds: duration", "kind"),
    "eyes: closed": ("eye: closed", "eyes"),
    "- wait: 3s": ("- wiat: 3s", "wait"),
    "not before: 3s": ("not befor: 3s", "not before"),
    "{after: 60s, every": ("{aftr: 60s, every", "after"),
    "end early:": ("end earli:", "end early"),
    "read back:": ("readback:", "read back"),
    "from: controller": ("from: controler", "controller"),
    "{{ look }}s": ("{{ lok }}s", "look"),
    "others(seat)": ("other(seat)", "others"),
    "| tally |": ("| taly |", "tally"),
    "score: outcome": ("score: outcom", "outcome"),
    "answer: seats": ("answer: seat s", "seats"),
    "next game: left": ("next game: lefd", "left"),
}


@pytest.mark.parametrize("right", MISSPELT)
def test_one_misspelt_word_is_told_once_with_the_right_one(right: str) -> None:
    wrong, meant = MISSPELT[right]
    assert right in SOURCE
    compiled = compile_script(SOURCE.replace(right, wrong, 1))
    assert compiled.game is None
    cures = [d.cure for d in compiled.diagnostics if d.place.line == _line_of(right)]
    assert any(f"Did you mean `{meant}`?" in cure for cure in cures)


def _line_of(words: str) -> int:
    return SOURCE[: SOURCE.index(words)].count("\n") + 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (script("- say: \"{{ later }}\"\n- set: {later: 1}"), "NS041"),
        (script("- wait: 5 moons"), "NS029"),
        (script("- say: ''"), "NS022"),
        (script("- say: x\n  id: '!!'"), "NS030"),
        (script("- set: {if: 1}"), "NS030"),
        (script("- set: {Big: 1}"), "NS030"),
        (script("- ask: Who?\n  answer: seat\n  into: who\n  among: []"), "NS061"),
        (script("- ask: Which?\n  answer: []\n  into: which"), "NS061"),
        (script("- hear: []"), "NS061"),
        (script("- hear: [stop]"), "NS062"),
        (script("- hear: [end the game]"), "NS062"),
        (script("- hear: ['{seat}']"), "NS063"),
        (script("- ask: N?\n  answer: number\n  at least: 5\n  at most: 3\n  into: x"), "NS027"),
        (script("- countdown: [a, b]\n  beat: 60s"), "NS027"),
        (script("- repeat: 0\n  steps:\n    - say: x"), "NS027"),
        (script("- if: n > 3\n  then: [end]\n  else: [end]\n- say: x"), "NS060"),
        (script("- end", after="  more:\n    steps:\n      - say: x\n"), "NS060"),
        (script("- cue: gong"), "NS026"),
        (script("- say: x", "posts: {a b: }\noptions: {a b: {kind: text, default: x}}\n"), "NS031"),
        (script("- say: x", after=NIGHT.format("hear: [pardon]")), "NS062"),
        (script("- say: x", after=NIGHT.format("hear: [pause]")), "NS062"),
        (script("- say: x", before="language: tlh\n"), "NS026"),
        (script("- say: x", "options: {a: {kind: choice, choices: [b], default: c}}\n"), "NS026"),
        (script("- say: x", before="options:\n  a: {kind: number, default: many}\n"), "NS022"),
        (script("- say: x").replace("max: 8", "max: 99"), "NS027"),
        (script("- say: x").replace("min: 3", "min: 0"), "NS027"),
        (script("- say: x").replace("narrator: 1", "narrator: 2"), "NS025"),
        (HEAD, "NS021"),
        (HEAD + "phases: {}\n", "NS021"),
        (HEAD + "phases:\n  play:\n    steps: []\n", "NS021"),
        (HEAD + "phases: []\n", "NS022"),
        (HEAD + "phases:\n  play:\n    steps: hello\n", "NS022"),
        (HEAD + "phases:\n  play:\n    steps:\n      - Hello\n", "NS023"),
        (HEAD + "phases:\n  play:\n    steps:\n      - []\n", "NS023"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, code: str) -> None:
    compiled = compile_script(text)
    assert compiled.game is None
    assert codes(compiled) == [code]
    assert compiled.diagnostics[0].place.line >= 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (script('- say: "{{ spies }}"\n' + REVEAL, SECRET), "NS064"),
        (script("- if: spies\n  then:\n    - say: x\n" + REVEAL, SECRET), "NS064"),
        (script(REVEAL, SECRET, NIGHT.format('say: "{{ spies }}"')), "NS064"),
        (script(REVEAL, SECRET, NIGHT.format('wait: "{{ spies | length }}s"')), "NS065"),
        (script(REVEAL, SECRET, NIGHT.format("{if: spies, then: [{wait: 3s}]}")), "NS065"),
        (script("- say: x", SECRET, NIGHT.format("{ask: Q, answer: seats, into: spies}")), "NS064"),
    ],
)  # fmt: skip
def test_secrets_stay_secret(text: str, code: str) -> None:
    assert codes(compile_script(text)) == [code]


def test_a_secret_may_be_said_once_it_is_shown() -> None:
    assert len(steps(REVEAL + '- say: "{{ spies | names }}"', SECRET)) == 2


def test_words_the_recogniser_lacks_are_warnings() -> None:
    ears = Ears(knows_word=lambda word: word != "mordred")
    compiled = compile_script(script("- hear: [mordred, go]"), ears=lambda language: ears)
    assert compiled.game is not None
    assert codes(compiled) == ["NS066"]
    assert "mordred" in compiled.diagnostics[0].message


def test_a_file_that_is_not_there_has_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(ScriptError) as caught:
        compile_script(tmp_path / "nowhere.yaml")
    assert "narrator list" in str(caught.value)


def test_a_diagnostic_is_shown_with_place_line_caret_and_cure(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(script("- say: '{{ sets }}'"), encoding="utf-8")
    (found,) = compile_script(path).diagnostics
    assert str(found).splitlines() == [
        f"{path}:7:18: error NS041: Nothing is called `sets` here.",
        "          - say: '{{ sets }}'",
        "                     ^",
        "Did you mean `seats`?",
    ]


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_no_damage_to_a_script_makes_the_compiler_raise(data: st.DataObject) -> None:
    lines = SOURCE.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(lines) - 1))
        line = lines[number]
        cut = data.draw(st.integers(0, len(line)))
        lines[number] = line[:cut] + data.draw(
            st.sampled_from(["", ": ", "{", "- ", "'", "[", "#", "}}", "\t"])
        )
        lines[number] += line[cut + data.draw(st.integers(0, 3)) :]
    compiled = compile_script("\n".join(lines))
    assert compiled.game is not None or compiled.diagnostics
    assert all(0 < d.place.line <= len(lines) + 1 for d in compiled.diagnostics)


ASKED = script(
    '- wait: "{{ talk }}s"\n- if: quick\n  then: [{say: Quick.}]',
    "options:\n  talk: {kind: duration, default: 60s, ask: ASK}\n"
    "  quick: {kind: yes/no, default: no}\n",
)


def test_a_script_says_which_options_the_table_is_asked_for():
    found = game(ASKED.replace("ASK", '"{{ n }} of you: how long shall it last?"'))
    assert [option.name for option in found.asked_options] == ["talk"]
    assert found.asked_options[0].question_for(5) == "5 of you: how long shall it last?"
    assert next(o for o in found.options if o.name == "quick").question_for(5) == ""


def test_what_asks_for_an_option_can_use_the_number_of_players_only():
    assert codes(compile_script(ASKED.replace("ASK", '"{{ title }}?"'))) == ["NS041"]


def test_a_text_or_a_list_cannot_be_asked_for_by_voice():
    text = ASKED.replace("ASK", "Which?").replace("duration, default: 60s", "list, default: none")
    assert "NS026" in codes(compile_script(text))
