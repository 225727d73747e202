"""Loads what the program itself shows and says in a language from its YAML file."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ruamel.yaml.error import YAMLError

from narrator.language.messages import Messages
from narrator.ports.errors import NarratorError
from narrator.script.reading.quick_yaml import load

if TYPE_CHECKING:
    from babel.plural import PluralRule

FOLDER = "messages"
"""Beside the languages' own files."""


class MessagesError(NarratorError):
    """A language's messages cannot be used: the file has a fault."""

    exit_code = 2


@cache
def load_messages(language: str, folder: Path, otherwise: Path | None = None) -> Messages:
    """Load a language's messages; what it lacks is taken from another file.

    Args:
        language: Such as `ko`.
        folder: Of the languages.
        otherwise: The file that has everything; None: there is none.

    Raises:
        MessagesError: A file has a fault.
    """
    own = _read(folder / FOLDER / f"{language}.yaml")
    spare = _read(otherwise) if otherwise else {}
    parts = {name: {**spare.get(name, {}), **own.get(name, {})} for name in _PARTS}
    faults = {code: _sentences(code, texts) for code, texts in parts["faults"].items()}
    plain = {name: {key: str(text) for key, text in parts[name].items()} for name in _PARTS[1:]}
    return Messages(faults, **plain, plural=_plural(language))


_PARTS = ("faults", "then", "terms", "shown", "commands")


def _plural(language: str) -> Callable[[float], int]:
    """Return what chooses the words for a number; its library is loaded when it is first asked."""

    def place(number: float) -> int:
        rule = _rule(language)
        return _forms(rule).index(rule(number))

    return place


@cache
def _rule(language: str) -> PluralRule:
    from babel import Locale, UnknownLocaleError
    from babel.plural import PluralRule

    try:
        return Locale.parse(language.replace("-", "_")).plural_form
    except (UnknownLocaleError, ValueError):  # a language that CLDR does not know
        return PluralRule({"one": "n is 1"})


def _forms(rule: PluralRule) -> list[str]:
    """Return the kinds of numbers that a language tells apart, in CLDR's order."""
    return [name for name in _KINDS if name in rule.tags or name == "other"]


_KINDS = ("zero", "one", "two", "few", "many", "other")


def fields_of(text: str) -> set[str]:
    """Return the names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def _read(path: Path) -> Mapping[str, Mapping[str, object]]:
    if not path.exists():
        return {}
    try:
        data = load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError) as error:
        problem = " ".join(str(error).split())
        raise MessagesError(f"The file {path} cannot be read: {problem}") from error
    if not isinstance(data, Mapping) or not all(isinstance(p, Mapping) for p in data.values()):
        raise MessagesError(f"The file {path} has a fault: expected sections of `name: text`.")
    for part in data.values():
        for name, text in part.items():
            _must_be_text(path, str(name), text)
    return data


def _must_be_text(path: Path, name: str, value: object) -> None:
    texts = value if isinstance(value, list) else [value]
    for text in texts:
        try:
            if isinstance(text, str) and all(n.isidentifier() for n in fields_of(text)):
                continue
        except ValueError:
            pass
        raise MessagesError(f"The file {path} has a fault at `{name}`: expected text in quotes.")


def _sentences(code: str, texts: object) -> tuple[str, ...]:
    found = tuple(str(t) for t in texts) if isinstance(texts, list) else (str(texts),)
    return found[:2]
