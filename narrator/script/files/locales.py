"""Loads a language's words from its YAML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml.error import YAMLError

from narrator.files.bounded import read_text
from narrator.language.grammar.templates import check_template
from narrator.language.locale import Locale
from narrator.language.messages import Messages
from narrator.language.numbers import NumberWords
from narrator.language.text import normalise
from narrator.ports.errors import NarratorError
from narrator.script.files.messages import FOLDER, load_messages
from narrator.script.reading.quick_yaml import load

LOCALES = Path(__file__).resolve().parent.parent.parent / "locales"
"""The folder of the languages that come with Narrator."""

_SPARE = LOCALES / FOLDER / "en.yaml"
_SENTENCES = ("yes", "no", "nobody", "everyone")
_PLAIN = (
    "excepting",
    "joiners",
    "single",
    "openers",
    "closers",
    "hesitations",
    "corrections",
    "names",
)
_SEAT = frozenset({"seat"})
_NUMBER = frozenset({"number"})
_AMENDING = frozenset({"seat", "seats", "value"})
_POINTS = frozenset({"seats", "number"})
_COUNT = frozenset({"number", "choice", "seat", "name"})
_AMOUNTS = frozenset({"number", "single"})


class LocaleError(NarratorError):
    """A language cannot be used: its file is missing or has a fault."""

    exit_code = 2


def languages(folder: Path = LOCALES) -> list[str]:
    """Return the codes of the languages there are."""
    return sorted(p.stem for p in folder.glob("*.yaml"))


@cache
def load_locale(language: str = "en", folder: Path = LOCALES) -> Locale:
    """Load a language; `en-GB` falls back on `en`. The same arguments give the same object.

    Raises:
        LocaleError: There is no such language, or its file has a fault.
    """
    path = _find(language, folder)
    try:
        data = load(read_text(path))
    except OSError as error:
        raise LocaleError(
            f"The language file {path.name} cannot be read: {error.strerror}."
        ) from error
    except YAMLError as error:
        problem = " ".join(str(error).split())
        raise LocaleError(f"The language file {path.name} is not valid YAML: {problem}") from error
    names = _given_names(folder / "given_names" / f"{path.stem}.txt")
    return _Reading(path.name, data).locale(load_messages(path.stem, folder, _SPARE), names)


def _given_names(path: Path) -> tuple[str, ...]:
    """Return the names in a file, one a line; a language may have none."""
    if not path.is_file():
        return ()
    lines = (line.strip() for line in read_text(path).splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def _find(language: str, folder: Path) -> Path:
    known = languages(folder)
    for code in (language, language.replace("_", "-").split("-")[0].lower()):
        if code in known:
            return folder / f"{code}.yaml"
    there = ", ".join(known) or "none"
    raise LocaleError(f"There is no language `{language}` yet.", f"Choose one of: {there}.")


class _Reading:
    """One language file, read field by field; every complaint names the field."""

    def __init__(self, file: str, data: object) -> None:
        self._file = file
        self._data = self._mapping("the file", data)

    def locale(self, messages: Messages, given_names: tuple[str, ...]) -> Locale:
        sentences = {n: self._templates(n, self._data.get(n), frozenset()) for n in _SENTENCES}
        plain = {n: self._words(n, self._data.get(n, ())) for n in _PLAIN}
        return Locale(
            language=str(self._data.get("language", "")),
            **sentences,
            **plain,
            either=self._templates("either", self._data.get("either", ()), _SEAT),
            seat_numbers=self._templates("seat numbers", self._data.get("seat numbers"), _NUMBER),
            frames={
                kind: self._templates(f"frames: {kind}", templates, frozenset({kind}))
                for kind, templates in self._part("frames").items()
            },
            amendments={
                name: self._templates(f"amendments: {name}", templates, _AMENDING)
                for name, templates in self._part("amendments").items()
            },
            commands={
                name: self._templates(f"commands: {name}", templates, _AMOUNTS)
                for name, templates in self._part("commands").items()
            },
            ordinary=self._ordinary(),
            hosting={
                name: self._templates(f"hosting: {name}", templates, _COUNT)
                for name, templates in self._part("hosting").items()
            },
            address=normalise(str(self._data.get("address", ""))),
            letters=tuple(
                (name, self._words(f"letters: {name}", forms))
                for name, forms in self._part("letters").items()
            ),
            numbers=self._numbers(),
            contractions=tuple(
                (normalise(short), normalise(str(whole)))
                for short, whole in self._part("contractions").items()
            ),
            apostrophed=self._words("apostrophe needed", self._data.get("apostrophe needed", ())),
            everyday=self._everyday(),
            same_names=self._groups("same names"),
            given_names=given_names,
            **self._points(),
            lines={k: str(v) for k, v in self._part("lines").items()},
            trying={k: str(v) for k, v in self._part("trying names").items()},
            heard={k: str(v) for k, v in self._part("heard").items()},
            messages=messages,
        )

    def _ordinary(self) -> Mapping[str, tuple[str, ...]]:
        commands, found = self._part("commands"), {}
        for name, templates in self._part("ordinary").items():
            found[name] = self._templates(f"ordinary: {name}", templates, _AMOUNTS)
            for template in found[name]:
                if template not in commands.get(name, ()):
                    raise self._fault("ordinary", f"`{template}` is no sentence of `{name}`")
        return found

    def _everyday(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        groups = self._data.get("everyday", ())
        if not isinstance(groups, Sequence) or isinstance(groups, str):
            raise self._fault("everyday", "it must be a list")
        found = []
        for group in groups:
            part = self._mapping("everyday", group)
            means = self._words("everyday: means", part.get("means"))
            found.append((means, self._words("everyday: say", part.get("say"))))
        return tuple(found)

    def _groups(self, name: str) -> tuple[tuple[str, ...], ...]:
        groups = self._words(name, self._data.get(name, ()))
        return tuple(tuple(group.split()) for group in groups)

    def _points(self) -> dict[str, tuple[str, ...]]:
        part = self._part("points")
        slots = {"gains": _POINTS, "losses": _POINTS, "nothing": frozenset[str]()}
        read = {k: self._templates(f"points: {k}", part.get(k, ()), s) for k, s in slots.items()}
        return {"gains": read["gains"], "losses": read["losses"], "no_points": read["nothing"]}

    def _numbers(self) -> NumberWords:
        part = self._part("numbers")
        return NumberWords(
            small=self._number_forms("small", part.get("small", {})),
            hundred=str(part.get("hundred", "")),
            thousand=str(part.get("thousand", "")),
            joiners=self._words("numbers: joiners", part.get("joiners", ())),
            one=self._words("numbers: one", part.get("one", ())),
            minus=self._words("numbers: minus", part.get("minus", ())),
            half=self._words("numbers: half", part.get("half", ())),
            half_alone=self._words("numbers: half alone", part.get("half alone", ())),
            alone=part.get("alone", False) is True,
            homophones=self._number_forms("homophones", part.get("homophones", {})),
        )

    def _number_forms(self, name: str, value: object) -> tuple[tuple[int, tuple[str, ...]], ...]:
        where = f"numbers: {name}"
        forms = {k: self._words(where, v) for k, v in self._mapping(where, value).items()}
        if not all(isinstance(k, int) and 0 <= k < 100 for k in forms):
            raise self._fault(where, "its keys must be numbers from 0 to 99")
        return tuple(sorted(forms.items()))

    def _part(self, name: str) -> Mapping[Any, Any]:
        return self._mapping(name, self._data.get(name, {}))

    def _mapping(self, where: str, value: object) -> Mapping[Any, Any]:
        if not isinstance(value, Mapping):
            raise self._fault(where, "it must be a list of `name: value` lines")
        return value

    def _words(self, where: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise self._fault(where, "it must be a list of words")
        wrong = [v for v in value if not isinstance(v, str)]
        if wrong:
            raise self._fault(where, f"`{wrong[0]}` is not text; put it in quotes")
        return tuple(value)

    def _templates(self, where: str, value: object, slots: frozenset[str]) -> tuple[str, ...]:
        templates = self._words(where, value)
        for template in templates:
            complaint = check_template(template, slots)
            if complaint:
                raise self._fault(where, f"in `{template}`: {complaint}")
        if not templates and where in _SENTENCES:
            raise self._fault(where, "it has no sentence")
        return templates

    def _fault(self, where: str, what: str) -> LocaleError:
        return LocaleError(f"The language file {self._file} has a fault at `{where}`: {what}.")
