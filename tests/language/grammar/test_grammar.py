from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.core.expect import Expectation, Meaning
from narrator.core.values import Seat, Value
from narrator.language.grammar.automaton import Automaton
from narrator.language.grammar.grammar import GrammarError, compile_grammar
from tests.language.tables import COMMANDS, ENGLISH, LIVE, NAMES, SEATS, grammar
from tests.patience import limit

pytestmark = pytest.mark.unit

_BOUND = {live for live in LIVE if live not in ("free", "answer and commands")}
LONGEST = 14
"""Words after which a walk heads for the nearest end."""


@st.composite
def _walks(draw: st.DrawFn, automaton: Automaton, left: list[int]) -> str:
    """Draw a sentence by walking along the arcs; towards its end by the shortest way."""
    state, words = 0, list[str]()
    while not (words and state in automaton.finals and draw(st.booleans())):
        arcs = automaton.arcs[state]
        if len(words) >= LONGEST:
            if words and state in automaton.finals:
                break
            arcs = tuple(a for a in arcs if left[a.target] < left[state])
        if not arcs:
            break
        arc = draw(st.sampled_from(arcs))
        words.append(arc.word)
        state = arc.target
    return " ".join(words)


def _steps_to_an_end(automaton: Automaton) -> list[int]:
    left = [0 if s in automaton.finals else 10**6 for s in range(len(automaton.arcs))]
    for _ in automaton.arcs:
        for state, arcs in enumerate(automaton.arcs):
            left[state] = min([left[state], *(left[a.target] + 1 for a in arcs)])
    return left


@pytest.mark.parametrize("live", sorted(_BOUND))
def test_every_walk_through_the_automaton_is_understood(live: str) -> None:
    made = grammar(live)
    left = _steps_to_an_end(made.automaton)

    @settings(max_examples=60, deadline=None)
    @given(_walks(made.automaton, left))
    def check(sentence: str) -> None:
        assert made.automaton.accepts(sentence)
        assert made.interpret(sentence).meanings

    check()


@pytest.mark.parametrize("said", ["ana no no one", "seat one no no 1"])
def test_a_correction_may_begin_with_the_word_that_the_last_one_ended_with(said: str) -> None:
    assert [m.value for m in grammar("seat or nobody").interpret(said).meanings] == [None]


def _values(live: str) -> Iterator[Value]:
    match live:
        case "yesno":
            yield from (True, False)
        case "number":
            yield from (0, 1, 2, 17, 40, 99, 100, 120, 555, 999)
        case "deep number":
            yield from (-50, -1, 0, 3450, 9999)
        case "seat" | "seat or nobody":
            yield from NAMES
        case "seats":
            yield from ([*names] for names in ((), ("Ana",), ("Ben", "Jean-Luc"), NAMES))
        case "letter":
            yield from "ABCDEFGH"
        case "choice":
            yield from ("heads", "tails", "plan 2")
    if live == "seat or nobody":
        yield None


@pytest.mark.parametrize(
    ("live", "value"), [(live, value) for live in sorted(_BOUND) for value in _values(live)]
)
def test_samples_mean_their_value_in_several_ways(live: str, value: Value) -> None:
    made = grammar(live)
    (expectation,) = LIVE[live]
    samples = made.samples(expectation, value, 12)
    assert len(samples) == len(set(samples)) >= 2 or live in ("choice", "seats")
    assert samples[0] == made.sample(expectation, value)
    for sample in samples:
        assert made.interpret(sample).meanings == (Meaning("answer", value),)
        assert made.automaton.accepts(sample)


def test_samples_are_what_people_say() -> None:
    seat, yesno, letter = LIVE["seat"][0], LIVE["yesno"][0], LIVE["letter"][0]
    assert grammar("seat").sample(seat, "Ben") == "ben"
    assert grammar("seat").samples(seat, "Cy", 3)[0] == "cy"
    assert "seat three" in grammar("seat").samples(seat, "Cy", 40)
    assert grammar("yesno").sample(yesno, True) == "yes"
    assert grammar("letter").sample(letter, "B") == "b"
    assert grammar("phrase").sample(LIVE["phrase"][0], "mission accomplished") == (
        "mission accomplished"
    )
    assert grammar("phrase").sample(LIVE["phrase"][0], None) == "task complete"
    assert grammar("seat").sample(seat, "Nobody Here") == ""


def test_a_command_with_an_amount_has_samples() -> None:
    more = next(e for e in COMMANDS if e.intent == "command:more time")
    made = grammar("commands")
    assert made.interpret(made.sample(more, 120)).meaning == Meaning(more.intent, 120)
    assert made.interpret(made.sample(more, 45)).meaning == Meaning(more.intent, 45)
    assert made.interpret(made.sample(more, None)).meaning == Meaning(more.intent, None)


def test_a_sample_is_never_ambiguous_at_its_table() -> None:
    twins = (Seat(1, "Alex"), Seat(2, "Alex K", hear=("alex",)), Seat(3, "Bo"))
    seat = Expectation("answer", "seat")
    made = compile_grammar([seat], twins, ENGLISH)
    assert made.interpret("alex").is_ambiguous
    assert made.interpret(made.sample(seat, "Alex")).meaning == Meaning("answer", "Alex")


def test_the_automaton_grows_gently() -> None:
    twelve = tuple(Seat(i, f"{name}") for i, name in enumerate(_AWKWARD[:12], 1))
    live = [Expectation("n", "number", low=0, high=999), Expectation("s", "seat"), *COMMANDS]
    automaton = compile_grammar(live, twelve, ENGLISH).automaton
    assert len(automaton.arcs) < 1000
    assert sum(len(arcs) for arcs in automaton.arcs) < 60_000


def test_a_thousand_numbers_take_some_dozens_of_states() -> None:
    sizes = [
        len(compile_grammar([Expectation("n", "number", high=high)], (), ENGLISH).automaton.arcs)
        for high in (9, 99, 999, 9999)
    ]
    assert sizes == sorted(sizes)
    assert sizes[-1] < 80


def test_the_automaton_is_deterministic_and_has_no_dead_end() -> None:
    for live in LIVE:
        automaton = grammar(live).automaton
        for arcs in automaton.arcs:
            assert len({a.word for a in arcs}) == len(arcs)
        assert max(_steps_to_an_end(automaton)) < 10**6


def test_written_forms_are_told_from_spoken_ones() -> None:
    automaton = grammar("number").automaton
    assert automaton.accepts("21")
    assert "21" not in automaton.words()
    assert "21" in automaton.words(written=True)
    assert "to" in automaton.words()


def test_homophones_are_heard_in_number_slots_only() -> None:
    assert not {"to", "too", "ate", "won"} & grammar("choice").automaton.words()
    assert grammar("number").automaton.accepts("to")
    assert not grammar("seat").automaton.accepts("to")


def test_equal_grammars_have_equal_keys() -> None:
    live = LIVE["seat"]
    said = tuple(Seat(s.number, s.name, say="x", hear=s.hear) for s in SEATS)
    assert compile_grammar(live, said, ENGLISH, openers=True).key == grammar("seat").key
    assert hash(grammar("seat").key) != hash(grammar("seats").key)
    assert compile_grammar(list(live), list(SEATS), ENGLISH, openers=True) is grammar("seat")


def test_unknown_words_are_told() -> None:
    made = compile_grammar([Expectation("a", "seat")], (Seat(1, "Xyzzy"), Seat(2, "Bo")), ENGLISH)
    assert made.unknown_words(lambda word: word != "xyzzy") == ["xyzzy"]


_AWKWARD = (
    "Siobhán", "Jean-Luc", "O'Brien", "D\u2019Arcy", "Mary Ann", "Zoë", "José María", "St. John",
    "su.per_k1ller", "Player 9", "X Æ A-12", "Łukasz", "Nguyễn", "Anne-Marie O\u2019Neill", "李明",
    "Владимир", "Björk Guðmundsdóttir", "AJ", "Bo!", "  Kim  ", "Ann", "अनिल", "J.R.R.", "Q-bert",
)  # fmt: skip


@pytest.mark.parametrize("name", _AWKWARD)
def test_every_name_is_understood_as_written_and_by_its_number(name: str) -> None:
    seats = tuple(Seat(number, n) for number, n in enumerate(_AWKWARD, 1))
    own = _AWKWARD.index(name) + 1
    made = compile_grammar([Expectation("answer", "seat")], seats, ENGLISH)
    for text in (name, name.upper(), f"I vote for {name}", f"seat {own}"):
        assert Meaning("answer", name) in made.interpret(text).meanings, text


def test_a_name_without_letters_has_its_number() -> None:
    made = compile_grammar([Expectation("answer", "seat")], (Seat(1, "★"), Seat(2, "Bo")), ENGLISH)
    assert made.interpret("seat one").meaning == Meaning("answer", "★")
    assert made.interpret("★").meaning is None


@pytest.mark.parametrize(
    "live",
    [
        Expectation("a", "number", low=5, high=3),
        Expectation("a", "number", low=-3, high=-5),
        Expectation("a", "seat"),
        Expectation("a", "free"),
        None,
    ],
)
def test_where_nothing_can_be_said_nothing_is_understood(live: Expectation | None) -> None:
    made = compile_grammar([live] if live else [], (), ENGLISH)
    assert not any(made.automaton.arcs)
    for text in ("four", "ana", "um", "please"):
        assert made.interpret(text).meaning is None or made.is_free


def test_free_speech_is_what_nothing_else_explains() -> None:
    made = grammar("free")
    assert made.is_free
    assert made.interpret("done").meaning == Meaning("done", "done")
    assert made.interpret("a green house").meaning == Meaning("answer", "a green house")


@pytest.mark.parametrize(
    "wrong",
    [
        Expectation("a", "phrase", templates=("task (complete",)),
        Expectation("a", "phrase", templates=("task {complete}",)),
        Expectation("a", "phrase"),
        Expectation("command:dance", "command"),
        Expectation("a", "seat", templates=("I accuse {player}",)),
        Expectation("a", "choice", choices=(("x", ("(x",)),)),
    ],
)
def test_what_cannot_be_a_grammar_is_refused_in_one_sentence(wrong: Expectation) -> None:
    with pytest.raises(GrammarError) as caught:
        compile_grammar([wrong], SEATS, ENGLISH)
    assert str(caught.value).endswith(".")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_no_text_makes_it_stumble(text: str) -> None:
    for live in ("seats", "number", "commands", "free"):
        grammar(live).interpret(text)


def test_a_long_line_is_read_in_no_time() -> None:
    began = time.monotonic()
    for length in (30, 4000):
        grammar("seats").interpret("ana and " * length + "ana")
        grammar("seat").interpret("ben no " * length + "ben")
        grammar("number").interpret("nine no wait no " * length + "nine")
    assert time.monotonic() - began < limit(60), "a hang, not a slow machine"


def test_a_recogniser_is_given_plain_sentences_unless_it_is_asked_for_more() -> None:
    plain = compile_grammar(LIVE["yesno"], SEATS, ENGLISH)
    assert plain.automaton.accepts("yes")
    assert not plain.automaton.accepts("um yes")
    assert not plain.automaton.accepts("yes no")
    assert plain.interpret("um yes").meaning == plain.interpret("yes").meaning


def test_a_command_is_less_likely_than_an_answer_but_may_always_be_said() -> None:
    live = [*LIVE["seat"], Expectation("command:pause", "command")]
    made = compile_grammar(live, SEATS, ENGLISH).automaton
    assert [nats for _, nats in made.starts] == [0.0, pytest.approx(3.0)]
    assert made.accepts("pause")
    assert made.accepts(SEATS[0].name.lower())


def test_a_bare_seat_number_is_understood_when_typed_and_not_listened_for() -> None:
    made = compile_grammar(LIVE["seat"], SEATS, ENGLISH)
    assert made.automaton.accepts("seat two")
    assert not made.automaton.accepts("two")
    assert made.interpret("two").meaning == made.interpret("seat two").meaning


def test_names_of_a_list_are_words_that_nobody_says_twice() -> None:
    once = compile_grammar(LIVE["seats"], SEATS, ENGLISH).automaton.once
    assert SEATS[0].name.lower() in once
    assert "and" not in once
