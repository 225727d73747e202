"""Reads hassil intents files: YAML whose faults are told with file, line and column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hassil.numbers import get_rbnf_engine
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

from narrator.language.hassil.intents import IntentGrammar
from narrator.language.hassil.reader import IntentsFault, compile_intents
from narrator.language.hassil.reader import Path as Keys
from narrator.language.numbers import NumberWords
from narrator.ports.errors import NarratorError
from narrator.script.files.locales import LocaleError, load_locale

_LONGEST = 4_000_000
_NODES = 100_000
_DEEPEST = 32
_TOLD = 20
_YES, _NO = frozenset(("true", "True", "TRUE")), frozenset(("false", "False", "FALSE"))


class IntentsFileError(NarratorError):
    """An intents file cannot be used; the message holds every fault with its place."""

    code = "intents"
    exit_code = 2


def load_intents(path: Path, language: str = "") -> IntentGrammar:
    """Load a hassil intents file.

    Args:
        path: The YAML file.
        language: Of its number words; empty: as the file says, else English.

    Raises:
        IntentsFileError: The file cannot be read or has faults.
    """
    text = _text(path)
    reading = _Reading(path)
    data = reading.content(text)
    spoken = language or _language(data)
    try:
        return compile_intents(data, number_words(spoken))
    except IntentsFault as fault:
        lines = [f"{reading.place(f.path)}: {f.message}" for f in fault.faults[:_TOLD]]
        if len(fault.faults) > _TOLD:
            lines.append(f"and {len(fault.faults) - _TOLD} more.")
        raise _refusal(path, "\n".join(lines)) from fault
    except RecursionError as error:
        raise _refusal(path, "Its sentences are nested too deeply.") from error


def number_words(language: str) -> NumberWords:
    """Return a language's number words: Narrator's own, else the plain numbers below 100."""
    try:
        return load_locale(language).numbers
    except LocaleError:
        pass
    try:
        engine = get_rbnf_engine(language)
        spelt = ((n, str(engine.format_number(n).text).replace("-", " ")) for n in range(100))
        return NumberWords(tuple((n, (words.replace("\u00ad", ""),)) for n, words in spelt))
    except ValueError:
        return NumberWords(())


def _refusal(path: Path, why: str) -> IntentsFileError:
    return IntentsFileError(f"The intents file {path} cannot be used.\n{why}")


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        if len(data) > _LONGEST:
            raise _refusal(path, f"It is {len(data)} bytes long, and {_LONGEST} are the most.")
        return data.decode("utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
        raise _refusal(path, f"It cannot be read: {reason}.") from error
    except UnicodeDecodeError as error:
        raise _refusal(path, "It is not UTF-8 text: save it as that.") from error


def _language(data: object) -> str:
    return str(data.get("language") or "en") if isinstance(data, dict) else "en"


class _Reading:
    """One file's YAML as plain values, with the place of each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[Keys, tuple[int, int]] = {}

    def content(self, text: str) -> object:
        try:
            self._refuse_depth(text)
            node = YAML(typ="safe", pure=True).compose(text)
            return None if node is None else self._value(node, ())
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
            problem = " ".join(str(error.problem or error.context).split())
            why = f"{self._path}{where}: This is not valid YAML: {problem}."
            raise _refusal(self._path, why) from error
        except (YAMLError, RecursionError, ValueError) as error:
            problem = " ".join(str(error).split())
            raise _refusal(self._path, f"It is not valid YAML: {problem}.") from error

    def _refuse_depth(self, text: str) -> None:
        """Look before composing, which recurses: a tower of brackets would take many seconds."""
        depth = 0
        for event in YAML(typ="safe", pure=True).parse(text):
            if isinstance(event, CollectionStartEvent):
                depth += 1
            elif isinstance(event, CollectionEndEvent):
                depth -= 1
            if depth > _DEEPEST:
                raise _refusal(self._path, f"It is more than {_DEEPEST} levels deep.")

    def place(self, keys: Sequence[str | int]) -> str:
        """Return the place of a value, or of the nearest thing around it that is in the file."""
        known = tuple(keys)
        while known and known not in self._places:
            known = known[:-1]
        line, column = self._places.get(known, (1, 1))
        return f"{self._path}:{line}:{column}"

    def _value(self, node: Any, keys: Keys) -> object:
        if len(self._places) > _NODES:
            raise _refusal(self._path, f"It holds more than {_NODES} values.")
        self._places.setdefault(keys, (node.start_mark.line + 1, node.start_mark.column + 1))
        if isinstance(node, MappingNode):
            return self._mapping(node, keys)
        if isinstance(node, SequenceNode):
            return [self._value(item, (*keys, at)) for at, item in enumerate(node.value)]
        return _scalar(node) if isinstance(node, ScalarNode) else None

    def _mapping(self, node: Any, keys: Keys) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, ScalarNode) else ""
            mark = key.start_mark
            if name in found:
                first = self._places[(*keys, name)][0]
                where = f"{self._path}:{mark.line + 1}:{mark.column + 1}"
                raise _refusal(
                    self._path, f"{where}: `{name}` is there already, in line {first}: keep one."
                )
            self._places[(*keys, name)] = (mark.line + 1, mark.column + 1)
            found[name] = self._value(value, (*keys, name))
        return found


def _scalar(node: Any) -> object:
    kind, text = node.tag.rpartition(":")[2], node.value
    try:
        if kind == "int":
            return int(text.replace("_", ""), 0)
        if kind == "float":
            return float(text)
    except ValueError:
        return text
    if kind == "bool" and text in _YES | _NO:
        return text in _YES
    return None if kind == "null" else text
