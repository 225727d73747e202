"""A game in another language: what is said and heard, what is told of, and the files themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.core.expect import Expectation
from narrator.core.values import Seat
from narrator.language.grammar.grammar import compile_grammar
from narrator.script.authoring.translate import TranslateError, translate
from narrator.script.compiler.compile import Compiled, compile_script
from narrator.script.files.locales import load_locale
from narrator.testing.table import Table

pytestmark = pytest.mark.unit

GAME = """\
narrator: 1
title: Roll Call
players: {min: 2, max: 8}
options:
  slow: {kind: yes/no, default: no, about: Whether it is slow.}
parts:
  greeting:
    - say: Welcome.
phases:
  play:
    steps:
      - part: greeting
      - part: greeting
      - say: "{{ title }}: say here, {{ seats | first }}."
      - hear: [here, "[i am] present"]
        nudge: {after: 30s, say: Say here.}
      - ask: Heads or tails?
        answer: {heads: [heads], tails: [tails]}
        into: side
      - vote: votes
        ask: "{{ seat }}, whom?"
        countdown: [three, two, one]
        read back: "{{ seat }} means {{ votes[seat] }}."
      - timer: 60s
        end early: {hear: [we are done]}
        ended: Time.
"""
LINES = """\
title: "출석"
options/slow/about: "느린지."
parts/greeting/say-1: "환영합니다."
play/say-1: "{{ title }}: {{ seats | first }}, 여기라고 말씀하세요."
play/hear-1/nudge: "여기라고 말씀하세요."
play/ask-1: "앞면 또는 뒷면?"
play/votes-countdown: "셋, 둘, 하나"
play/votes/ask: "{{ seat }}, 누구입니까?"
play/votes-check: "{{ seat }}, {{ votes[seat] }}."
play/timer-1/ended: "끝."
"""
PHRASES = """\
play/hear-1: ["여기"]
play/ask-1/heads: ["앞면"]
play/ask-1/tails: 뒷면
play/timer-1/end-early: ["모두 마감"]
"""
KOREAN = load_locale("ko")


def written(folder: Path, lines: str = LINES, phrases: str = PHRASES, game: str = GAME) -> Path:
    texts = {"game.yaml": game, "lines.ko.yaml": lines, "phrases.ko.yaml": phrases}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "game.yaml"


def korean(folder: Path, **texts: str) -> Compiled:
    return compile_script(written(folder, **texts), locale=KOREAN)


def found(compiled: Compiled) -> list[tuple[str, str, int]]:
    return [(d.code, Path(d.place.file).name, d.place.line) for d in compiled.diagnostics]


def test_a_whole_translation_is_clean_and_is_what_is_said_and_heard(tmp_path: Path) -> None:
    compiled = korean(tmp_path)
    assert found(compiled) == []
    assert compiled.game is not None
    table = Table(compiled.game, ["서연", "지훈"], locale=KOREAN)
    table.start()
    for answer in ("여기", "뒷면"):
        table.expect_next()
        table.hear(answer)
    asked = table.expect_next()
    said = [line.text for line in table.said]
    assert said[:5] == [
        "환영합니다.",
        "환영합니다.",
        "출석: 서연, 여기라고 말씀하세요.",
        "앞면 또는 뒷면?",
        "셋 둘 하나",
    ]
    assert said[-1] == "서연, 누구입니까?"
    assert asked.step == "play/votes/ask"


def test_without_a_translation_one_warning_says_so(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "lines.ko.yaml").unlink()
    (tmp_path / "phrases.ko.yaml").unlink()
    compiled = compile_script(path, locale=KOREAN)
    assert found(compiled) == [("NS070", "game.yaml", 2)]
    assert compiled.game is not None


def test_the_game_s_own_language_needs_no_translation(tmp_path: Path) -> None:
    assert found(compile_script(written(tmp_path, lines="x: [", phrases="- 1"))) == []


def test_what_is_missing_superfluous_or_changed_is_told_at_its_place(tmp_path: Path) -> None:
    lines = LINES.replace('play/ask-1: "앞면 또는 뒷면?"\n', "")
    lines = lines.replace("play/timer-1/ended", "# Time is up.\nplay/timer-1/ended")
    lines += 'play/say-9: "무엇."\n'
    phrases = PHRASES.replace('["앞면"]', "[]")
    compiled = korean(tmp_path, lines=lines, phrases=phrases)
    assert found(compiled) == [
        ("NS071", "game.yaml", 17),
        ("NS071", "game.yaml", 18),
        ("NS073", "lines.ko.yaml", 10),
        ("NS072", "lines.ko.yaml", 11),
    ]
    assert all(d.severity == "warning" and d.excerpt for d in compiled.diagnostics)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ({"lines": LINES.replace("seats | first", "seets | first")}, ("NS041", "lines.ko.yaml", 4)),
        ({"lines": LINES.replace("{{ title }}", "{{ title")}, ("NS040", "lines.ko.yaml", 4)),
        ({"lines": "- a\n- b\n"}, ("NS010", "lines.ko.yaml", 1)),
        ({"lines": LINES + "play/x: {a: 1}\n"}, ("NS022", "lines.ko.yaml", 11)),
        ({"phrases": PHRASES.replace('"여기"', '"(여기"')}, ("NS063", "phrases.ko.yaml", 1)),
        ({"phrases": PHRASES.replace("뒷면", '["앞면"]')}, ("NS062", "game.yaml", 18)),
    ],
)
def test_faults_of_a_translation_are_told_in_its_own_file(
    tmp_path: Path, texts: dict[str, str], told: tuple[str, str, int]
) -> None:
    compiled = korean(tmp_path, **texts)
    assert told in found(compiled)
    assert compiled.game is None


def test_a_secret_cannot_be_told_by_a_translation(tmp_path: Path) -> None:
    game = GAME.replace("parts:\n", "secrets: [side]\nparts:\n")
    lines = LINES.replace("환영합니다.", "환영합니다 {{ side }}.")
    assert ("NS064", "lines.ko.yaml", 3) in found(korean(tmp_path, lines=lines, game=game))


def test_templates_are_written_and_brought_up_to_date(tmp_path: Path) -> None:
    path = written(tmp_path)
    fresh = translate(path, "de", out=None, write=True)
    assert [(part.total, part.done) for part in fresh.parts] == [(10, 0), (4, 0)]
    assert not fresh.has_locale and not fresh.is_complete
    text = (tmp_path / "lines.de.yaml").read_text(encoding="utf-8")
    assert '# {{ title }}: say here, {{ seats | first }}.\nplay/say-1: ""\n' in text

    done = text.replace('greeting/say-1: ""', 'greeting/say-1: "Willkommen \\"hier\\"."')
    (tmp_path / "lines.de.yaml").write_text(done + '\ngone: "weg"\n', encoding="utf-8")
    path.write_text(GAME.replace("Welcome.", "Good evening."), encoding="utf-8")
    again = translate(path, "de", out=None, write=True)
    lines = again.parts[0]
    assert (lines.done, lines.removed) == (1, ("gone",))
    assert lines.changed == ("parts/greeting/say-1",)
    text = (tmp_path / "lines.de.yaml").read_text(encoding="utf-8")
    assert '# Welcome.\nparts/greeting/say-1: "Willkommen \\"hier\\"."\n' in text
    assert "gone" not in text


def test_a_template_that_is_filled_in_with_the_game_s_own_words_is_clean(tmp_path: Path) -> None:
    path = written(tmp_path, lines=" \n", phrases="# nothing\n")
    translate(path, "ko", out=None, write=True)
    compiled = compile_script(path, locale=KOREAN)
    assert {code for code, _, _ in found(compiled)} == {"NS071"}
    assert len(found(compiled)) == 14


@pytest.mark.parametrize("language", ["en", "", "Deutsch", "../de", "d"])
def test_what_is_no_language_to_translate_into_is_refused(tmp_path: Path, language: str) -> None:
    with pytest.raises(TranslateError, match="no language to translate this game into"):
        translate(written(tmp_path), language, out=None, write=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "game.yaml",
        "lines.ko.yaml",
        "phrases.ko.yaml",
    ]


def test_a_script_with_faults_and_a_damaged_file_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, lines="a: [\n")
    with pytest.raises(TranslateError, match="NS001"):
        translate(path, "ko", out=None, write=True)
    path.write_text("narrator: 1\n", encoding="utf-8")
    with pytest.raises(TranslateError, match="has faults of its own"):
        translate(path, "ko", out=None, write=True)


def test_the_published_translation_lacks_nothing() -> None:
    script = Path(__file__).parents[3] / "scripts" / "one-night-revolution" / "game.yaml"
    compiled = compile_script(script, locale=KOREAN)
    assert compiled.diagnostics == ()
    assert compiled.game is not None and compiled.game.language == "ko"


def test_korean_says_and_hears_all_that_english_does() -> None:
    english = load_locale("en")
    assert set(KOREAN.commands) == set(english.commands)
    assert set(english.lines) <= set(KOREAN.lines)
    assert [letter for letter, _ in KOREAN.letters] == [letter for letter, _ in english.letters]
    assert set(KOREAN.frames) == set(english.frames)
    assert KOREAN.gains
    assert KOREAN.losses


def test_a_seat_s_korean_name_and_number_are_understood() -> None:
    seats = [Seat(1, "서연"), Seat(2, "지훈"), Seat(3, "이영희")]
    asked = Expectation("answer", "seats", allowed=("서연", "지훈", "이영희"), nobody=True)
    grammar = compile_grammar([asked], seats, KOREAN)
    said = {
        "서연": ["서연"],
        "이 번": ["지훈"],
        "삼 번 자리": ["이영희"],
        "서연 하고 이영희": ["서연", "이영희"],
        "아무 도": [],
        "아무도 없습니다": [],
        "모두 다": ["서연", "지훈", "이영희"],
        "모두 빼고 지훈": ["서연", "이영희"],
    }
    for words, meant in said.items():
        found = grammar.interpret(words).meaning
        assert found is not None, words
        assert found.value == meant
