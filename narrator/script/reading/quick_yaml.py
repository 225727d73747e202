"""YAML 1.2 data by libyaml where it is there: a language file in 5 ms instead of 65."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, ClassVar

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

_WORDS = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
)


def load(text: str) -> Any:
    """Return what a YAML text holds.

    Raises:
        ruamel.yaml.error.YAMLError: It is not valid.
    """
    if _Loader is not None:
        try:
            return yaml.load(text, _Loader)  # noqa: S506 - it is a safe loader
        except yaml.YAMLError:
            pass
    return YAML(typ="safe", pure=True).load(text)


DEEPEST = 32
"""Levels of a small file of data: none here needs more than five."""
_LONGEST_NUMBER = 40
_STARTS = ("MappingStartEvent", "SequenceStartEvent")
_ENDS = ("MappingEndEvent", "SequenceEndEvent")


def load_bounded(text: str) -> Any:
    """Return what somebody's YAML holds; a tower of brackets is refused before it is built.

    Raises:
        ruamel.yaml.error.YAMLError: It is not valid.
        ValueError: It is out of bounds, in plain words.
    """
    refuse_towers(text, aliases=False)
    return load(text)


def composed(text: str) -> Any:
    """Return a YAML text's nodes; None where there are none. Each knows its place.

    Raises:
        ruamel.yaml.error.YAMLError: It is not valid.
    """
    if _Loader is not None:
        try:
            return yaml.compose(text, _Loader)
        except yaml.YAMLError:
            pass
    return YAML(typ="safe", pure=True).compose(text)


def refuse_towers(text: str, *, aliases: bool = True) -> None:
    """Look before building, which recurses: a tower of brackets would take many seconds.

    Args:
        text: The YAML.
        aliases: Whether `*name` may stand in it.

    Raises:
        ValueError: It is out of bounds, in plain words.
    """
    try:
        _walk(yaml.parse(text, _Parser), aliases)
    except yaml.YAMLError:
        # What libyaml refuses may be valid YAML 1.2; what is not is reported when it is built.
        with suppress(YAMLError):
            _walk(YAML(typ="safe", pure=True).parse(text), aliases)


def _walk(events: Iterable[Any], aliases: bool) -> None:
    depth = 0
    for event in events:
        kind = type(event).__name__
        depth += kind in _STARTS
        depth -= kind in _ENDS
        if depth > DEEPEST:
            raise ValueError(f"it is more than {DEEPEST} levels deep")
        if kind == "AliasEvent" and not aliases:
            raise ValueError("it has an alias (`*`), which is not needed here")
        if kind == "ScalarEvent" and _is_long_number(event.value):
            raise ValueError(f"it has a number of {len(event.value):,} digits")


def _is_long_number(word: str) -> bool:
    return len(word) > _LONGEST_NUMBER and word.lstrip("-+").isdecimal()


def _loader() -> Any:
    parent: Any = getattr(yaml, "CSafeLoader", None)
    if parent is None:
        return None

    class Loader(parent):  # type: ignore[misc]  # there may be no libyaml to inherit from
        """Reads words as YAML 1.2 has them: to 1.1 `yes` is true, and 1:30 is ninety."""

        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            """Refuse a key that occurs twice."""
            keys = [key.value for key, _ in node.value]
            if len(set(map(str, keys))) < len(keys):
                raise yaml.YAMLError
            return super().construct_mapping(node, deep)

    for tag, words, first in _WORDS:
        pattern = re.compile(f"^(?:{words})$")
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", pattern, [*first, ""])
    return Loader


_Loader = _loader()
_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
