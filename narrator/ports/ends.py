"""How installed packages describe what else watches a session, and where else sound comes from.

A package registers one of these under the entry-point group `narrator.observers` or
`narrator.inputs`. Nothing of it is loaded, and no connection opened, unless a setting names it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from narrator.ports.audio import FaultCallback, Microphone, Pcm
from narrator.ports.session import Observer

OBSERVERS = "narrator.observers"
"""Entry-point group of packages that bring an `ObserverPlugin`."""
INPUTS = "narrator.inputs"
"""Entry-point group of packages that bring an `InputPlugin`."""

TakeSound: TypeAlias = Callable[[Pcm, int], None]
"""Takes mono samples and their rate, from any thread, as they come; returns at once."""


@dataclass(frozen=True, slots=True)
class ObserverPlugin:
    """What watches a played game, such as a web page; enabled by the setting `observers`."""

    name: str
    """As in the setting."""
    make: Callable[[], Observer]
    """Called once for a game, in a thread of its own, in which the observer is told everything; it
    may take its time there. Where the observer has a `close`, that is called at the end."""


@dataclass(frozen=True, slots=True)
class InputPlugin:
    """Where sound comes from that is no device here, such as a telephone in the network; used where
    the setting `microphone` is `name:address`.
    """

    name: str
    """As in the setting, before the colon."""
    open: Callable[[str, TakeSound, FaultCallback], Microphone]
    """Begins to hear at an address; must return at once, and do what may take long in a thread.
    Connecting again after a loss is the package's own; it tells both by the FaultCallback."""
