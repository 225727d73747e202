"""Events and effects as JSON can hold them, and back: one rule for every type."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from narrator.core import effects, events, expect

_TYPES: dict[str, type[Any]] = {
    kind.__name__: kind
    for module in (events, effects, expect)
    for kind in vars(module).values()
    if isinstance(kind, type) and dataclasses.is_dataclass(kind)
}
EARLIER = "told by an earlier release"
"""The code of a fault whose sentence alone is known."""
KIND = "is"
"""Key under which the type's name is kept."""

_FIELDS = {kind: tuple(f.name for f in dataclasses.fields(kind)) for kind in _TYPES.values()}
_PLAIN = frozenset({str, int, float, bool, type(None)})


def encode(thing: Any) -> Any:
    """Return an event, an effect or a value as dicts, lists and plain values."""
    kind = type(thing)
    if kind in _PLAIN:  # nearly everything is, and a journal keeps every word that may be said
        return thing
    names = _FIELDS.get(kind)
    if names is not None:
        return {KIND: kind.__name__, **{name: encode(getattr(thing, name)) for name in names}}
    if kind is effects.Refusal:
        return thing.value
    if isinstance(thing, Mapping):
        return {"map": [[key, encode(value)] for key, value in thing.items()]}
    if isinstance(thing, tuple):
        return {"tuple": [encode(item) for item in thing]}
    if isinstance(thing, list):
        return [encode(item) for item in thing]
    return thing


def decode(data: Any) -> Any:
    """Rebuild what `encode` gave. Raises KeyError for a type that this version does not know."""
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if KIND in data:
        kind = _TYPES[data[KIND]]
        if kind is events.PortFailed and "message" in data:
            return _told_earlier(data)
        fields = {key: decode(value) for key, value in data.items() if key != KIND}
        if kind is effects.Refused:
            fields["reason"] = effects.Refusal.written(str(fields["reason"]))
        return kind(**fields)
    if "map" in data:
        return {key: decode(value) for key, value in data["map"]}
    return tuple(decode(item) for item in data["tuple"])


def _told_earlier(data: Mapping[str, Any]) -> events.PortFailed:
    """Return a fault from a journal of a release up to 0.1, which holds a sentence and no code."""
    fields = {"message": str(data["message"])}
    return events.PortFailed(data["port"], EARLIER, fields, bool(data.get("recovered", False)))
