"""Names of people who are not at the table yet, in the order in which they are said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from hassil.intents import SlotList, WildcardSlotList

from narrator.core.values import Value
from narrator.language.grammar.network import Network
from narrator.language.text import normalise

_LONGEST = 60
"""Letters of a name; longer ones are no name but a sentence."""
MOST = 30
"""Names in one answer; no table has more seats."""


@dataclass(frozen=True, slots=True)
class NamesSlot:
    """Given names, one after the other: `robert julia and oliver`.

    Args:
        names: Those that are listened for. Typed ones may be any words.
        joiners: Words between two names.
    """

    names: tuple[str, ...]
    joiners: tuple[str, ...]

    def enter(self, network: Network, follow: int) -> int:
        """Insert lists of names before `follow`."""
        return network.shared((self, follow), partial(self._build, network, follow))

    def _build(self, network: Network, follow: int) -> int:
        begin, after = network.state(), network.state()
        network.join(begin, network.texts([normalise(name) for name in self.names], after))
        network.join(after, follow)
        network.join(after, network.before(" ", begin))
        for joiner in self.joiners if network.loose else self.joiners[:1]:
            network.join(after, network.spoken(f" {joiner} ", begin))
        return begin

    def listing(self, name: str) -> SlotList:
        """Return an open list: a list of names has no fixed length."""
        return WildcardSlotList(name=name)

    def read(self, found: object) -> tuple[Value, ...]:
        """Return the names, as they are written."""
        written = {normalise(name): name for name in self.names}
        words = normalise(str(found)).split()
        heard = [written.get(word) for word in words if word not in self.joiners]
        return ([*dict.fromkeys(heard)],) if heard and None not in heard else ()

    def say(self, value: Value) -> Iterator[str]:
        """Yield the names as one says them."""
        names = [normalise(str(name)) for name in value] if isinstance(value, list) else []
        if names:
            yield " ".join(names)


def names_in(text: str, joiners: tuple[str, ...]) -> list[str]:
    """Return the names in a typed answer: apart by commas or "and", else each word is one."""
    between = "|".join(re.escape(word) for word in joiners)
    cut = re.compile(rf"\s*[,;&]\s*(?:(?:{between})\s+)?|\s+(?:{between})\s+")
    parts = [part.strip(" .!") for part in cut.split(text.strip())]
    if not re.search(r"[,;]", text):
        parts = [word for part in parts for word in part.split()]
    found = dict.fromkeys(_capital(part) for part in parts if part)
    return [name for name in found if len(name) <= _LONGEST][:MOST]


def _capital(name: str) -> str:
    """Return a name as it is written, where somebody typed small letters only."""
    return " ".join(w[:1].upper() + w[1:] for w in name.split()) if name.islower() else name
