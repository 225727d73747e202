"""Whatever the screen says may be typed is an answer: words, name, number and Enter."""

from __future__ import annotations

import pytest

from narrator.app.games import load_game
from narrator.core.effects import Listen
from narrator.core.events import Key, Transcript
from narrator.core.expect import Expectation, Meaning
from narrator.core.steps.preview import expected_at, listening_steps
from narrator.core.values import Seat
from narrator.listening.interpreter import Interpreter
from narrator.script.files.library import SHIPPED
from narrator.script.files.locales import load_locale
from narrator.session import choices
from narrator.session.keyboard_input import KeyboardInput, prompt

pytestmark = pytest.mark.unit

NAMES = {
    "en": "Ana Ben Cy Dee Eve Finn Gus Hal".split(),
    "ko": "지민 서준 하은 도윤 예린 민재".split(),
}
GAMES = sorted(folder.name for folder in SHIPPED[0].iterdir() if folder.is_dir())
LANGUAGES = ("en", "ko")


def questions(name: str, language: str) -> list[tuple[Listen, Interpreter]]:
    """Return every moment of a game at which it listens for something of its own."""
    loaded = load_game(name, language)
    count = min(loaded.game.high, len(NAMES[language]))
    seats = [Seat(n, who) for n, who in enumerate(NAMES[language][:count], 1)]
    understanding = Interpreter(seats, loaded.locale)
    return [
        (Listen(1, expected_at(loaded.game, seats, path), path), understanding)
        for path in listening_steps(loaded.game)
    ]


def meant(listen: Listen, understanding: Interpreter, line: str) -> Meaning | None:
    event = KeyboardInput(understanding, piped=False).event(listen, line)
    assert isinstance(event, Transcript), (listen.step, line, event)
    return event.meaning


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_listed_answer_is_typed_by_its_words_its_name_its_number_and_the_first_by_enter(
    name: str, language: str
) -> None:
    for listen, understanding in questions(name, language):
        shown = choices.listed(listen, understanding)
        for number, (value, words) in enumerate(shown, 1):
            assert words in prompt(listen, understanding)
            for line in (words, value, value.upper(), value.replace(" ", "_"), str(number)):
                found = meant(listen, understanding, line)
                assert found == Meaning("answer", value), (listen.step, line)
        if shown:
            assert meant(listen, understanding, "") == Meaning("answer", shown[0][0])
            assert meant(listen, understanding, str(len(shown) + 1)) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_phrase_that_the_screen_shows_is_an_answer(name: str, language: str) -> None:
    for listen, understanding in questions(name, language):
        first = next(iter(listen.answers), None)
        if first is not None and first.kind in ("phrase", "yesno"):
            value = True if first.kind == "yesno" else None
            words = understanding.grammar(listen).sample(first, value)
            assert first.kind == "yesno" or words in prompt(listen, understanding)
            found = meant(listen, understanding, words)
            assert found is not None and found.intent == first.intent, (listen.step, words)


def test_a_sentence_that_may_be_said_instead_is_typed_by_its_name_too() -> None:
    expected = (
        Expectation("answer", "seat", allowed=("Ana", "Ben")),
        Expectation("or:give_up", "sentence", ("i do not want to", "leave me {seat}")),
    )
    understanding = Interpreter([Seat(1, "Ana"), Seat(2, "Ben")], load_locale("en"))
    assert meant(Listen(1, expected, "x"), understanding, "give up") == Meaning("or:give_up", {})


def test_a_listed_answer_wins_over_a_letter_that_is_a_command() -> None:
    expected = (Expectation("answer", "choice", choices=(("p", ("the first",)), ("q", ("it",)))),)
    understanding = Interpreter([Seat(1, "Ana")], load_locale("en"))
    assert meant(Listen(1, expected, "x"), understanding, "p") == Meaning("answer", "p")
    assert KeyboardInput(understanding, piped=False).event(Listen(1, expected, "x"), "k") == Key(
        "skip"
    )
