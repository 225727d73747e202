"""Several intents files as one, as hassil merges them; each value still knows where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from narrator.script.files.placed_yaml import Keys, Placed

_NAMED = ("lists", "expansion_rules")


class Merged:
    """The content of a set; a later file's lists and rules replace those of the same name."""

    def __init__(self, files: Sequence[Placed]) -> None:
        self._files = files
        self._origins: dict[Keys, tuple[Placed, Keys]] = {}
        self.data: object = files[0].data if len(files) == 1 else self._together()
        data = self.data if isinstance(self.data, dict) else {}
        self.language = str(data.get("language") or "en")

    def place(self, keys: Keys) -> str:
        """Return the place of a value in the file that it came from."""
        for length in range(len(keys), -1, -1):
            if keys[:length] in self._origins:
                file, own = self._origins[keys[:length]]
                return file.place((*own, *keys[length:]))
        return self._files[0].place(keys)

    def _together(self) -> dict[str, object]:
        named: dict[str, dict[str, object]] = {key: {} for key in _NAMED}
        intents: dict[str, dict[str, list[object]]] = {}
        words: list[object] = []
        data: dict[str, object] = {}
        for file in self._files:
            own: dict[str, Any] = file.data if isinstance(file.data, dict) else {}
            data |= {k: own[k] for k in ("settings", "language") if own.get(k) and k not in data}
            for key in _NAMED:
                part = _mapping(own.get(key))
                named[key].update(part)
                self._origins |= {(key, name): (file, (key, name)) for name in part}
            self._add(intents, file, _mapping(own.get("intents")))
            listed = own.get("skip_words")
            words += listed if isinstance(listed, list) else []
        return {**data, **named, "intents": intents, "skip_words": words}

    def _add(
        self, intents: dict[str, dict[str, list[object]]], file: Placed, part: dict[str, object]
    ) -> None:
        for name, intent in part.items():
            blocks = _mapping(intent).get("data")
            self._origins.setdefault(("intents", name), (file, ("intents", name)))
            found = intents.setdefault(name, {"data": []})["data"]
            for at, block in enumerate(blocks if isinstance(blocks, list) else []):
                here = ("intents", name, "data", len(found))
                self._origins[here] = (file, ("intents", name, "data", at))
                found.append(block)


def _mapping(part: object) -> dict[str, object]:
    return part if isinstance(part, dict) else {}
