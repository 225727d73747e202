"""Scripts as the commands use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from narrator.core.game import Game
from narrator.language.locale import Locale
from narrator.ports import NarratorError
from narrator.script.compile import Compiled, compile_script
from narrator.script.diagnostics import Diagnostic
from narrator.script.library import find_script
from narrator.script.locales import load_locale


class ScriptFault(NarratorError):
    """A script has errors; the message holds them all."""

    code = "script"
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


def compile_named(name: str, language: str = "en") -> tuple[Path, Compiled]:
    """Compile a script by name or path. Raises NarratorError where there is none."""
    path = find_script(name)
    return path, compile_script(path, locale=load_locale(language))


def load_game(name: str, language: str = "en") -> Loaded:
    """Load a game that can be played.

    Raises:
        ScriptFault: The script has errors.
        NarratorError: There is no such script or language.
    """
    path, compiled = compile_named(name, language)
    if compiled.game is None:
        raise ScriptFault(name, [d for d in compiled.diagnostics if d.severity == "error"])
    return Loaded(compiled.game, load_locale(language), path, compiled.diagnostics)
