"""From a script to a game, or to what is wrong with it. Never raises for an author's mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from narrator.core.game import Game, Phase, Place, Spoiled, Step
from narrator.core.steps.blocks.branch import If
from narrator.core.values import Expression
from narrator.files.bounded import read_bytes, reason
from narrator.language.locale import Locale
from narrator.ports.errors import NarratorError
from narrator.script.compiler import declarations
from narrator.script.compiler.builder import GLOBALS, Builder, ends, slug
from narrator.script.compiler.checks import Ears, check_spots, check_texts
from narrator.script.compiler.own_lines import WORDS, Lines, locale_of, own_lines
from narrator.script.compiler.rulings import lesson, rulings
from narrator.script.compiler.scorings import given, scorings
from narrator.script.compiler.styles import style_of
from narrator.script.compiler.translations import check_translation, read_translation
from narrator.script.compiler.wording import TITLE, Wording
from narrator.script.diagnostics.codes import DESCRIPTORS
from narrator.script.diagnostics.report import Diagnostic, Report
from narrator.script.expressions.compiled import Expressions, Problem
from narrator.script.expressions.sandbox import environment
from narrator.script.files.locales import languages
from narrator.script.reading.models import PhaseShape, ScriptShape
from narrator.script.reading.nodes import decode, read
from narrator.script.reading.shape import shaped
from narrator.script.steps.blocks.branch import merge
from narrator.script.steps.blocks.spoiled import SpoiledPhaseShape, called_off


class ScriptError(NarratorError):
    """A script's file cannot be read."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a script becomes."""

    game: Game | None
    """None where there is any error."""
    diagnostics: tuple[Diagnostic, ...]
    """Errors and warnings, in the order of the file."""
    wording: Wording | None = None
    """Everything it says and listens for, by id; None where the file is no script at all."""


def compile_script(
    source: Path | str,
    *,
    locale: Locale | Lines | None = None,
    ears: Callable[[str], Ears] | None = None,
) -> Compiled:
    """Compile a script.

    Args:
        source: the file, or the folder whose `game.yaml` it is; or the script's text itself.
        locale: the language; the one that the script names where left out. Where it is another
            than the script's, the translation beside the file is used. A plain mapping of own lines
            by id does too, and then what players say is not checked.
        ears: gives, for a language, how it is heard: words that can never be, and answers that
            sound alike, are warned of.

    Raises:
        ScriptError: there is no such file, or it cannot be read.
    """
    report = Report()
    name = "game"
    if isinstance(source, Path):
        path = source / "game.yaml" if source.is_dir() else source
        name = path.parent.name if path.name == "game.yaml" else path.stem
        report.file = str(path)
        text = decode(_bytes(path), report)
    else:
        report.file, text = "script", source
    root = read(text, report) if text is not None else None
    script = shaped(root, report) if root is not None else None
    if script is None:
        return Compiled(None, report.sorted())
    if locale is None:
        locale = _locale(script, report)
    b = _builder(script, report, own_lines(locale))
    own = script.language.text if script.language else "en"
    foreign = isinstance(source, Path) and isinstance(locale, Locale) and locale.language
    language = foreign or own
    if language != own:
        b.wording.translation = read_translation(path, language, report)
    game = _game(b, slug(name), language)
    check_texts(report, b.wording, language)
    # In a language that is not there, phrases would be compared with another language's commands.
    if isinstance(locale, Locale) and locale_of(language) is not None:
        check_spots(report, b.spots, locale, ears(locale.language) if ears else Ears())
    if language != own:
        check_translation(report, b.wording, path, language)
    return Compiled(None if report.failed else game, report.sorted(), b.wording)


def _locale(script: ScriptShape, report: Report) -> Locale | None:
    language = script.language
    if language is None:
        return locale_of("en")
    found = locale_of(language.text)
    if found is None:
        word = language.text
        report.add("NS026", language.place, word=word, key="language", near=(word, languages()))
    return found


def _bytes(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as fault:
        raise ScriptError(
            f"The script {path} cannot be read: {reason(fault)}.",
            "Check the name with `narrator list`.",
        ) from fault


def _builder(script: ScriptShape, report: Report, lines: Mapping[str, str]) -> Builder:
    exprs = Expressions(environment({word: lines[word] for word in WORDS}))
    own: dict[str, Expression] = {}
    for key, text in lines.items():
        try:
            own[key] = exprs.text(text).expression
        except Problem as problem:
            why = DESCRIPTORS[problem.code].template.format(**problem.fields)
            raise ScriptError(f"The language's own line `{key}` cannot be used: {why}") from problem
    return Builder(script, report, exprs, own)


def _game(b: Builder, name: str, language: str) -> Game:
    script = b.script
    title = b.wording.line(TITLE, script.title).text
    declarations.begin(b)
    declarations.players(b)
    posts, options = declarations.posts(b), declarations.options(b)
    declarations.settle(b, posts, options)
    declarations.secrets(b)
    ruled, taught = rulings(b), lesson(b)
    scorings(b)
    phases = _phases(b)
    b.maybe |= b.finished
    declarations.unset_secrets(b)
    b.known |= b.maybe
    result = given(b, script.table("result"))
    _unused(b)
    return Game(
        name, title, language,
        script.players.low, script.players.high, phases, posts, options,
        tuple(b.scorings.values()), result, b.secrets, b.own, ruled, taught,
    )  # fmt: skip


def _phases(b: Builder) -> tuple[Phase, ...]:
    table = b.script.table("phases")
    made: list[Phase] = []
    if not b.script.phases and not b.report.dropped:
        b.report.add("NS021", b.script.at("phases"), key="a phase")
    for key, shape in b.script.phases.items():
        place = table.keys_at[key]
        name = slug(key)
        if not name or any(phase.name == name for phase in made):
            b.report.add("NS031", place, name=key, by="another phase")
        if made and ends(made[-1].steps):
            b.report.add("NS060", place, before=made[-1].name)
        if len(made) + 1 == len(b.script.phases):
            b.known |= b.secrets & GLOBALS
        made.append(_phase(b, name, shape, place))
        b.earlier.append(name)
    return tuple(made)


def _phase(b: Builder, name: str, shape: PhaseShape, place: Place) -> Phase:
    b.eyes_closed = _eyes(b, shape)
    known, maybe = set(b.known), set(b.maybe)
    condition = b.condition(shape.condition) if shape.condition else None
    at = f"{name}/if-{name}/then" if condition else name
    b.around = [(name, name)]
    inner = b.steps(shape.steps, at, at=name)
    if not shape.steps:
        b.report.add("NS021", place, key="a step")
    b.around = []
    b.eyes_closed = False
    spoiled = _spoiled_phase(b, shape.spoiled, name, inner) if shape.spoiled else None
    if condition:
        ways = [known] if ends(inner) else [known, set(b.known)]
        merge(b, known, ways)
        b.maybe |= maybe
        inner = (If(f"if-{name}", condition, inner),)
    made: tuple[Step, ...] = inner
    style = style_of(b, shape.style)
    return Phase(name, made, _eyes(b, shape), shape.cover, _rate(b, shape), place, style, spoiled)


def _spoiled_phase(
    b: Builder, shape: SpoiledPhaseShape, name: str, steps: tuple[Step, ...]
) -> Spoiled:
    """Compile how a phase may be called off: it, or an earlier one, begins again."""
    target = slug(shape.again.text) if shape.again else name
    possible = (*b.earlier, name)
    if shape.again and target not in possible:
        word = shape.again.text
        b.report.add("NS041", shape.again.place, name=word, near=(word, possible))
    b.lines_at = name
    made = called_off(b, shape, "", steps, target if target in possible else name)
    b.lines_at = ""
    return made


def _eyes(b: Builder, shape: PhaseShape) -> bool:
    if shape.eyes is None:
        return False
    word = shape.eyes.text
    if word not in ("open", "closed"):
        b.report.add(
            "NS026", shape.eyes.place, word=word, key="eyes", near=(word, ("open", "closed"))
        )
    return bool(word == "closed")


def _rate(b: Builder, shape: PhaseShape) -> float:
    if shape.rate is None:
        return 1.0
    try:
        rate = float(shape.rate.text)
    except ValueError:
        rate = 0.0
    if 0.5 <= rate <= 2.0:
        return rate
    b.report.add("NS027", shape.rate.place, what="The rate of speech is between 0.5 and 2")
    return 1.0


def _unused(b: Builder) -> None:
    table = b.script.table("parts")
    for key in b.script.parts or {}:
        if f"part {key}" not in b.used:
            b.report.add("NS069", table.keys_at[key], kind="part", name=key)
