from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.language.grammar.templates import check_template, expand

pytestmark = pytest.mark.unit

_SLOTS = {"seat", "number"}


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("task (complete", "`(` at character 6 is never closed"),
        ("task [complete", "`[` at character 6 is never closed"),
        ("accuse {seat", "`{` at character 8 is never closed"),
        ("task complete)", "`)` at character 14 has no opening bracket"),
        ("(a|b]", "`]` at character 5 has no opening bracket"),
        ("accuse {saet}", "{saet} at character 8. Did you mean {seat}?"),
        ("accuse {}", "{} at character 8"),
        ("accuse {letter}", "{letter} at character 8. It may be {number} or {seat}."),
        ("{5..1:number}", "ends before it begins"),
        ("hello <name>", "no rule <name> (character 7)"),
        ("[done]", "without a word"),
        ("[a|b] [c]", "without a word"),
        ("(a;b;c;d;e)", "too many"),
    ],
)
def test_a_fault_is_told_with_its_place(template: str, said: str) -> None:
    complaint = check_template(template, _SLOTS)
    assert complaint is not None
    assert said in complaint


@pytest.mark.parametrize(
    "template",
    [
        "task complete",
        "[I] (accuse|vote for) {seat}",
        "{1..60:number} minute[s]",
        "(a;b) c",
        "yes|yeah",
        "{seat}'s turn",
        "a \\( b",
    ],
)
def test_a_good_template_has_no_fault(template: str) -> None:
    assert check_template(template, _SLOTS) is None


@given(st.text(alphabet="ab ()[]{}<>|;\\:.1-'", max_size=24))
def test_whatever_is_written_is_told_in_words(template: str) -> None:
    complaint = check_template(template, _SLOTS)
    assert complaint is None or complaint.endswith((".", "?"))
    if complaint is None:
        assert list(expand(template, {"seat": ["ana"], "number": ["one"]})) is not None


def test_expanding_gives_the_plain_sentence_first_and_each_once() -> None:
    assert list(expand("[I am] (done|ready)")) == ["done", "ready", "i am done", "i am ready"]
    assert list(expand("minute[s]")) == ["minute", "minutes"]
    assert list(expand("(a;b)")) == ["a b", "b a"]
    assert list(expand("vote {seat}", {"seat": ["ana", "bo"]})) == ["vote ana", "vote bo"]
    assert list(expand("vote {seat}")) == []
