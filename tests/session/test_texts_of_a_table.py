"""No text reaches a table but from its language: shown by a language that the tests make up."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from narrator.adapters.journal.memory import MemoryJournal
from narrator.core.codec import decode, encode
from narrator.core.effects import CountDown, Effect, Listen, Say, Show
from narrator.core.events import PortFailed
from narrator.language.messages import Messages
from narrator.ports.errors import JournalError, PlayError
from narrator.ports.faults import REASONS, FaultCode, Then
from narrator.script.files.locales import languages, load_locale
from narrator.script.files.messages import fields_of
from narrator.session.keys import CONTROLS, TALK, help_lines, help_page, pressed
from narrator.session.replies import REPLIES, UNDERSTOOD
from narrator.session.session import QUIT
from tests.session import test_session
from tests.session.test_session import DAY, NIGHT, VOTES, Ears, House

pytestmark = pytest.mark.unit

PARTS = ("faults", "then", "terms", "shown")
VALUES = {"device": "microphone", "reason": "disk full", "meaning": "number"}
"""Of the fields that are words of the language."""


def pseudo(text: str) -> str:
    """Return a text in letters that nothing else here is written in; its fields stay."""
    return "".join(
        part if part.startswith("{") else re.sub("[A-Za-z]", _letter, part)
        for part in re.split(r"(\{\w+(?=[:}]))", text)
    )


def _letter(found: re.Match[str]) -> str:
    return chr(0x10D0 + ord(found[0].lower()) - ord("a"))  # Georgian


def _pseudo(value: object) -> Any:
    return tuple(map(pseudo, value)) if isinstance(value, tuple) else pseudo(str(value))


ENGLISH = load_locale("en")
_TEXTS: dict[str, Any] = {
    p: {k: _pseudo(v) for k, v in getattr(ENGLISH.messages, p).items()} for p in PARTS
}
MADE_UP = Messages(**_TEXTS)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch):
    made_up = dataclasses.replace(ENGLISH, messages=MADE_UP)
    monkeypatch.setattr(test_session, "load_locale", lambda _language: made_up)
    return House


def of_the_game(effects: list[Effect]) -> str:
    """Return everything that the script itself says, and what it waits for."""
    found = [e.text for e in effects if isinstance(e, Say | Show)]
    found += [f"{', '.join(e.words).capitalize()}." for e in effects if isinstance(e, CountDown)]
    for listen in (e for e in effects if isinstance(e, Listen)):
        for expected in listen.expectations:
            found += [*expected.allowed, *expected.templates, *(c for c, _ in expected.choices)]
    return " ".join(found)


def foreign(made: House) -> list[str]:
    """Return the lines that were shown and have letters of neither the language nor the game."""
    entries = made.journal.entries()
    known = set(re.findall("[A-Za-z]+", of_the_game([e for n in entries for e in n.effects])))
    known |= {"F", *(c.letter for c in CONTROLS)}  # as they stand on the keys
    return [t for t in made.screen.lines if not set(re.findall("[A-Za-z]+", t)) <= known]


def fields(code: FaultCode) -> dict[str, str | int | float]:
    return {name: VALUES.get(name, 7) for name in code.fields}


def test_the_made_up_language_keeps_fields_and_no_letter_of_ours():
    assert pseudo("ab {device}.") == f"{chr(0x10D0)}{chr(0x10D1)} {{device}}."
    shown = " ".join(MADE_UP.shown.values())
    assert not re.search("[A-Za-z]", re.sub(r"\{\w+", "", shown))


@pytest.mark.parametrize("code", [c for c in FaultCode if c != FaultCode.EARLIER])
def test_every_fault_is_told_in_the_language_of_the_table(house, code):
    made = house(ears=Ears())
    for moment, then in enumerate((None, *Then), 1):
        event = PlayError(code, **fields(code)).event("microphone", then=then)
        made.at(moment / 10, lambda event=event: made.inbox.post(event))
    made.at(8.0, lambda: made.inbox.post(QUIT))
    made.run()
    assert foreign(made) == []
    told = MADE_UP.event(code, fields(code))
    assert told in made.screen.lines and re.search("[ა-ჺ]", told)


def test_every_key_and_every_typed_line_is_answered_in_the_language_of_the_table(house):
    made = house(piped=False, ears=Ears())
    keys = [TALK, *(pressed(c.at_once) for c in CONTROLS if c.at_once)]
    keys += [c.letter for c in CONTROLS if c.letter] + ["", "xylophone", "l"]
    for moment in range(40):
        made.at(1.0 + moment, lambda at=moment: made.type(keys[at % len(keys)], "no"))
    for moment, line in enumerate((*NIGHT, *DAY, *VOTES)):
        made.at(60.0 + 9 * moment, lambda line=line: made.type(line))
    made.at(400.0, lambda: made.inbox.post(QUIT))
    made.run()
    assert foreign(made) == []
    assert set(help_lines(MADE_UP)) <= set(made.screen.lines)
    assert MADE_UP.line("listening") in made.screen.lines


def test_a_journal_that_fails_and_a_table_without_answers_are_told_in_it(house):
    class Full(MemoryJournal):
        def append(self, now, event, effects):
            super().append(now, event, effects)
            if 3 <= len(self.entries()) < 6:
                raise JournalError(FaultCode.JOURNAL_FULL, path="7")

    made = house(journal=Full())
    made.type(*NIGHT, close=True)
    assert made.run().ended == "unanswered"
    assert foreign(made) == []
    assert MADE_UP.line("unanswered") in made.screen.lines
    assert MADE_UP.line("stored again") in made.screen.lines


def test_every_refusal_has_its_text():
    for name in {*REPLIES.values(), UNDERSTOOD}:
        assert re.search("[ა-ჺ]", MADE_UP.line(name))


@pytest.mark.parametrize("language", languages())
def test_a_language_has_every_text_with_the_same_fields(language):
    own = load_locale(language).messages
    for part in PARTS:
        texts, english = getattr(own, part), getattr(ENGLISH.messages, part)
        assert set(texts) == set(english)
        assert {k: _fields(v) for k, v in texts.items()} == {
            k: _fields(v) for k, v in english.items()
        }
    assert set(own.faults) == set(FaultCode)
    assert {code: _fields(own.faults[code]) for code in FaultCode} == {
        code: set(code.fields) for code in FaultCode
    }
    assert set(own.then) == set(Then) and set(own.terms) >= REASONS
    assert len(help_page(own).splitlines()) > len(CONTROLS)


def test_korean_texts_are_korean():
    korean = load_locale("ko").messages
    kept = {
        "Insert",
        "PageUp",
        "PageDown",
        "Home",
        "End",
        "Escape",
        "key",
        "told by an earlier release",
    }
    for part in PARTS:
        for name, text in getattr(korean, part).items():
            assert name in kept or re.search("[가-힣]", str(text)), f"{part}: {name}"


def _fields(text: str | tuple[str, ...]) -> set[str]:
    return set().union(*(fields_of(t) for t in ((text,) if isinstance(text, str) else text)))


def test_a_fault_takes_exactly_its_fields():
    with pytest.raises(TypeError, match="NO_DEVICE takes"):
        PlayError(FaultCode.NO_DEVICE)
    with pytest.raises(TypeError):
        PlayError(FaultCode.DEVICES_UNLISTED, device="microphone")


def test_a_fault_of_a_journal_of_the_first_release_is_read():
    stored = {"is": "PortFailed", "port": "echo", "message": "It failed.", "recovered": True}
    event = decode(stored)
    assert event == PortFailed("echo", FaultCode.EARLIER, {"message": "It failed."}, recovered=True)
    assert ENGLISH.messages.event(event.code, event.fields) == "It failed."
    assert decode(encode(event)) == event


def test_no_sentence_for_a_table_is_written_below_its_language():
    """Ports, devices, listening and speaking raise codes."""
    root = Path(test_session.__file__).parents[2] / "narrator"
    rooms = ("adapters/sound", "adapters/recognisers", "adapters/voices", "listening", "speaking")
    raised = r"(SoundError|RecogniserError|SynthesiserError|JournalError)\(\s*f?[\"']"
    for room in (*rooms, "adapters/journal", "session", "app/wiring"):
        for path in (root / room).rglob("*.py"):
            assert not re.search(raised, path.read_text(encoding="utf-8")), path
