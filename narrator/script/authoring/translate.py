"""Writes the files of a translation, and tells how far it has come."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from narrator.ports.errors import NarratorError
from narrator.script.compiler.compile import compile_script
from narrator.script.compiler.translations import (
    file_of,
    is_changed,
    missing,
    read_translation,
    template,
)
from narrator.script.compiler.wording import Entry, Translation, Wording
from narrator.script.diagnostics.report import Report
from narrator.script.files.locales import LOCALES, languages
from narrator.script.reading.nodes import Scalar

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_HEADS: Mapping[str, Sequence[str]] = {
    "lines": (
        "What {title} says, in another language. Write between the quotes.",
        "Names in {{ }} stay as they are.",
        "The comment above each entry is what the game itself says.",
    ),
    "phrases": (
        "What players may say in {title}, in another language: each entry is a list.",
        "[words] may be left out, (one|two) is a choice.",
    ),
}


class TranslateError(NarratorError):
    """A translation cannot be written."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Part:
    """How far one file has come. The names are ids."""

    path: str
    total: int
    done: int
    missing: tuple[str, ...]
    removed: tuple[str, ...]
    """What the game has no more; they were left out."""
    changed: tuple[str, ...]
    """What the game says differently now."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a translation has come."""

    game: str
    language: str
    parts: tuple[Part, ...]
    has_locale: bool
    """Whether narrator's own text and commands are there in this language."""
    pattern: str
    """The file to translate those from."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing and nothing is out of date."""
        return not any(part.missing or part.changed for part in self.parts)

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON has it."""
        return {**asdict(self), "complete": self.is_complete}


def translate(script: Path, language: str, *, out: Path | None, write: bool) -> Progress:
    """Write or update the files of a translation.

    Args:
        script: the game's file.
        language: such as `de` or `pt-BR`.
        out: folder for the files; the game's own where left out.
        write: whether to write them; otherwise they are only compared.

    Raises:
        TranslateError: the script, the language or a file cannot be used.
    """
    compiled = compile_script(script)
    if compiled.game is None or compiled.wording is None:
        raise TranslateError(
            f"{script} has faults of its own.", "See `narrator check`, and repair them first."
        )
    if not _LANGUAGE.fullmatch(language) or language == compiled.game.language:
        raise TranslateError(
            f"`{language}` is no language to translate this game into.",
            "Give a language code such as de, fr or pt-BR.",
        )
    target = (out or script.parent) / script.name
    there = _read(target, language)
    own = _own(compiled.wording)
    heads = {k: [h.replace("{title}", compiled.game.title) for h in v] for k, v in _HEADS.items()}
    parts = []
    for kind, words in own.items():
        entries = there.lines if kind == "lines" else there.phrases
        path = file_of(target, kind, language)
        parts.append(_part(path, words, entries))
        if write and words:
            _write(path, template(words, entries, heads[kind]))
    pattern = str(LOCALES / "en.yaml")
    has_locale = language in languages() or language.split("-")[0] in languages()
    return Progress(compiled.game.id, language, tuple(parts), has_locale, pattern)


def _own(wording: Wording) -> dict[str, Mapping[str, Scalar | Sequence[Scalar]]]:
    return {"lines": wording.lines, "phrases": wording.phrases}


def _read(script: Path, language: str) -> Translation:
    report = Report(file=str(script))
    found = read_translation(script, language, report)
    if report.failed:
        raise TranslateError("\n".join(map(str, report.sorted())), "Repair the file first.")
    return found or Translation(language)


def _part(
    path: Path, own: Mapping[str, Scalar | Sequence[Scalar]], entries: Mapping[str, Entry]
) -> Part:
    lacking = missing(own, entries)
    return Part(
        str(path), len(own), len(own) - len(lacking), tuple(lacking),
        tuple(name for name in entries if name not in own),
        tuple(n for n, e in entries.items() if n in own and is_changed(e, own[n])),
    )  # fmt: skip


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as fault:
        why = (fault.strerror or "it fails").lower()
        raise TranslateError(
            f"{path} cannot be written: {why}.", "Name another folder with --out."
        ) from fault
