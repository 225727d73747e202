"""What is shown of a text from outside: every sign, and nothing that a terminal obeys."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narrator.language.shown import hidden, json_safe, shortened, shown, shown_in

pytestmark = pytest.mark.unit

PERSIAN = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
"""Ali Reza, with the joiner that the name is written with."""
STEERING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("T\x1b[31m\x1b]0;pwn\x07", r"T\x1b[31m\x1b]0;pwn\x07"),
        ("\x9b31m and \x7f", r"\x9b31m and \x7f"),
        ("user\u202egnp.exe", r"user\u202egnp.exe"),
        ("\u2066a\u2069 \u200fb", r"\u2066a\u2069 \u200fb"),
        ("a\u200bb\ufeffc\u00add", r"a\u200bb\ufeffc\xadd"),
        ("\u3164 \u115f \u2800", r"\u3164 \u115f \u2800"),
        ("\U000e0041tag", r"\U000e0041tag"),
        ("one\rtwo", r"one\x0dtwo"),
        ("a\u2028b\x85c", r"a\u2028b\x85c"),
        ("\ud800", r"\ud800"),
        ("two\nlines\tand tabs", "two\nlines\tand tabs"),
        ("Café 狼 🐺 ñ", "Café 狼 🐺 ñ"),
        (PERSIAN, PERSIAN),
        ("as Windows ends\r\nlines", "as Windows ends\nlines"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        ("👨\u200d👩 ❤\ufe0f", "👨\u200d👩 ❤\ufe0f"),
        ("An\u200da", r"An\u200da"),
        ("Ana\ufe0f", r"Ana\ufe0f"),
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_an_escape_and_all_else_as_it_is(text: str, seen: str) -> None:
    assert shown(text) == seen
    assert (hidden(text) == "") == (seen == text and "\n" not in text)


@given(st.text(st.characters()))
def test_no_text_whatever_steers_a_terminal(text: str) -> None:
    kept = [c for c in shown(text) if unicodedata.category(c) in STEERING and c not in "\n\t"]
    assert set(kept) <= set("\u200c\u200d")
    shown_in(text, "utf-8").encode("utf-8")


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["cp1252", "ascii"]))
def test_json_says_the_same_in_every_encoding(text: str, encoding: str) -> None:
    printed = json_safe(json.dumps({"t": text}, ensure_ascii=False), encoding)
    assert json.loads(printed.encode(encoding).decode(encoding)) == {"t": text}
    assert all(unicodedata.category(c) not in STEERING for c in printed)


@pytest.mark.parametrize("encoding", ["iso-8859-1", "cp1252", "ascii", "no-such-encoding"])
def test_an_encoding_that_lacks_a_sign_gets_an_escape(encoding: str) -> None:
    seen = shown_in("Café 狼 🐺", encoding)
    assert seen.endswith(r"\u72fc \U0001f43a")
    assert seen.startswith("Café" if encoding in ("iso-8859-1", "cp1252") else r"Caf\xe9")


def test_a_line_that_nobody_could_read_is_cut_and_says_so() -> None:
    text = shortened(f"short\n{'x' * 60_000}!\nend")
    assert len(text) < 2_100
    assert text.startswith("short\nxxx") and "x ... x" in text and text.endswith("!\nend")
    assert shortened("x" * 1999) == "x" * 1999
