"""Scripts as the commands use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from narrator.core.game import Game
from narrator.language.locale import Locale
from narrator.ports.errors import NarratorError
from narrator.script.compiler.checks import Ears
from narrator.script.compiler.compile import compile_script
from narrator.script.compiler.own_lines import locale_to_check_with
from narrator.script.compiler.translations import translated_into
from narrator.script.diagnostics.report import Diagnostic
from narrator.script.files.library import find_script
from narrator.script.files.locales import load_locale


class ScriptFault(NarratorError):
    """A script has errors; the message holds them all."""

    exit_code = 2

    def __init__(self, name: str, diagnostics: Sequence[Diagnostic]) -> None:
        told = "\n".join(str(d) for d in diagnostics)
        super().__init__(f"The script {name} cannot be played as it is.\n{told}")
        self.diagnostics = tuple(diagnostics)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game ready to be played, and the language of the table."""

    game: Game
    locale: Locale
    path: Path
    warnings: tuple[Diagnostic, ...] = ()

    def untranslated(self) -> str:
        """Say in one sentence that words are missing in this language; empty where none are."""
        lacking = [d for d in self.warnings if d.code in ("NS070", "NS071")]
        if not lacking:
            return ""
        name = "partly untranslated" if lacking[0].code == "NS071" else "untranslated"
        return self.locale.messages.line(
            name, title=self.game.title, count=len(lacking), language=self.locale.language
        )

    def some_names(self) -> str:
        """Return names for the smallest table, with commas, where nobody says who plays."""
        given = self.locale.names
        more = (f"{given[0] if given else 'P'}{n}" for n in range(2, self.game.high + 2))
        return ", ".join([*given, *more][: self.game.low])

    def lacking(self) -> list[str]:
        """Say what is to be known before it is played in this language; each in one sentence."""
        return [told for told in (self.untranslated(), self.unread()) if told]

    def unread(self) -> str:
        """Say in one sentence that the voice cannot read some texts; empty where it can."""
        found = [d for d in self.warnings if d.code == "NS075"]
        if not found:
            return ""
        title = self.game.title
        return self.locale.messages.line("texts unread", title=title, count=len(found))


@cache
def ears(language: str) -> Ears:
    """Return how a language is heard here, as far as that is known.

    Args:
        language: Of the table.
    """
    from narrator.app.names import known_words, pronunciation

    return Ears(known_words(language), pronunciation(language))


def check_named(name: str, language: str = "") -> list[Diagnostic]:
    """Return everything that is wrong with a script, once each.

    Args:
        name: Of a game that comes with Narrator, or a path.
        language: Of the table; empty: the script's own, and every one that it is translated into.

    Raises:
        NarratorError: There is no such script, or no such language and no translation into it.
    """
    path = find_script(name)
    languages = translated_into(path)
    if language in languages:
        checked = compile_script(path, locale=locale_to_check_with(language), ears=ears)
        return list(checked.diagnostics)
    locale = load_locale(language) if language else None
    compiled = compile_script(path, locale=locale, ears=ears)
    found = list(compiled.diagnostics)
    for other in [] if language or compiled.game is None else languages:
        compiled = compile_script(path, locale=locale_to_check_with(other), ears=ears)
        found += [d for d in compiled.diagnostics if d not in found]
    return found


def load_game(name: str, language: str = "") -> Loaded:
    """Load a game that can be played.

    Args:
        name: Of a game that comes with Narrator, or a path.
        language: Of the table; empty: the script's own.

    Raises:
        ScriptFault: The script has errors.
        NarratorError: There is no such script or language.
    """
    path = find_script(name)
    compiled = compile_script(path, locale=load_locale(language) if language else None)
    if compiled.game is None:
        raise ScriptFault(name, [d for d in compiled.diagnostics if d.severity == "error"])
    return Loaded(compiled.game, load_locale(compiled.game.language), path, compiled.diagnostics)
