"""Which engines there are, the built-in ones and those of installed packages; and what else those
packages bring: observers and sound inputs.

A package brings one by an entry point of a group such as `narrator.recognisers`. Its name is known
without loading it; an engine is loaded when one has to be chosen, an observer or an input when a
setting names it. One that cannot be loaded is left out and told in a sentence: no plug-in ends a
game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from narrator.adapters.recognisers.vosk import ENGINE as VOSK
from narrator.adapters.recognisers.whisper import ENGINE as WHISPER
from narrator.adapters.voices.espeak import ENGINE as ESPEAK
from narrator.adapters.voices.hibari import ENGINE as HIBARI
from narrator.adapters.voices.piper import ENGINE as PIPER
from narrator.adapters.voices.pyttsx3 import ENGINE as SYSTEM
from narrator.ports.ends import INPUTS, OBSERVERS, InputPlugin, ObserverPlugin
from narrator.ports.engines import RECOGNISERS, VOICES, RecogniserEngine, VoiceEngine
from narrator.ports.errors import PlayError, SoundError
from narrator.ports.faults import FaultCode

AUTO = "auto"
"""The setting `engine` where the best one is to be taken."""
_RECOGNISERS = (WHISPER, VOSK)
_VOICES = (HIBARI, ESPEAK, SYSTEM, PIPER)
_Engine = TypeVar("_Engine", RecogniserEngine, VoiceEngine)
_Brought = TypeVar("_Brought", RecogniserEngine, VoiceEngine, ObserverPlugin, InputPlugin)


def recogniser_names() -> list[str]:
    """Return the names of all engines that hear, without loading any."""
    built_in = [engine.name for engine in _RECOGNISERS]
    return [*built_in, *(p.name for p in _plugins(RECOGNISERS) if p.name not in built_in)]


def recognisers() -> list[RecogniserEngine]:
    """Return the engines that hear, the one to be preferred first."""
    found, _ = _all(RECOGNISERS, RecogniserEngine, _RECOGNISERS)
    return sorted(found, key=lambda engine: -engine.rank)


def voices() -> list[VoiceEngine]:
    """Return the engines that speak, the one to be preferred first."""
    found, _ = _all(VOICES, VoiceEngine, _VOICES)
    return sorted(found, key=lambda engine: -engine.rank)


def problems() -> list[str]:
    """Return a plain sentence for each plug-in that cannot be used."""
    return [
        *_all(RECOGNISERS, RecogniserEngine, _RECOGNISERS)[1],
        *_all(VOICES, VoiceEngine, _VOICES)[1],
    ]


def observer_names() -> list[str]:
    """Return the names of all observers that are installed, without loading any."""
    return [plugin.name for plugin in _plugins(OBSERVERS)]


def input_names() -> list[str]:
    """Return the names of all sound inputs that are installed, without loading any."""
    return [plugin.name for plugin in _plugins(INPUTS)]


def observer_plugin(name: str) -> ObserverPlugin:
    """Load an observer. Raises PlayError where it cannot be."""
    found = _named(OBSERVERS, name, ObserverPlugin)
    if found is None:
        raise PlayError(FaultCode.OBSERVER_BROKEN, observer=name)
    return found


def input_plugin(name: str) -> InputPlugin:
    """Load a sound input. Raises SoundError where it cannot be."""
    found = _named(INPUTS, name, InputPlugin)
    if found is None:
        raise SoundError(FaultCode.INPUT_BROKEN, name=name)
    return found


def _named(group: str, name: str, kind: type[_Brought]) -> _Brought | None:
    for plugin in _plugins(group):
        if plugin.name == name:
            found = _loaded(plugin, kind, set())
            return None if isinstance(found, str) else found
    return None


def forget() -> None:
    """Look for plug-ins again: what is installed has changed while the program runs."""
    _found.cache_clear()
    _load.cache_clear()


def _all(
    group: str, kind: type[_Engine], built_in: Sequence[_Engine]
) -> tuple[list[_Engine], list[str]]:
    names = {engine.name for engine in built_in}
    engines: list[_Engine] = list(built_in)
    problems: list[str] = []
    for plugin in _plugins(group):
        found = _loaded(plugin, kind, names)
        if isinstance(found, str):
            problems.append(found)
        else:
            engines.append(found)
    return engines, problems


def _plugins(group: str) -> list[EntryPoint]:
    return list(_found(group, tuple(sys.path)))


@lru_cache(maxsize=8)
def _found(group: str, _path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    return tuple(_once_each(entry_points(group=group)))


def _once_each(points: Sequence[EntryPoint] | tuple[EntryPoint, ...]) -> Iterator[EntryPoint]:
    """Yield each name once: a package may be found at two places."""
    seen: set[str] = set()
    for point in points:
        if point.name not in seen:
            seen.add(point.name)
            yield point


@lru_cache(maxsize=32)
def _load(plugin: EntryPoint) -> object:
    """Load a plug-in once; return what it is, or the reason why it cannot be."""
    try:
        return plugin.load()
    except (
        Exception,
        SystemExit,
    ) as error:  # a plug-in is somebody else's program: it may fail in any way
        return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _loaded(plugin: EntryPoint, kind: type[_Brought], taken: set[str]) -> _Brought | str:
    found = _load(plugin)
    package = plugin.dist.name if plugin.dist else plugin.module
    if isinstance(found, kind) and found.name == plugin.name and found.name not in taken:
        return found
    if isinstance(found, str):
        why = f"it cannot be loaded ({found})"
    elif not isinstance(found, kind):
        why = f"it is no {kind.__name__}"
    elif found.name in taken:
        why = f"the name {found.name} is taken"
    else:
        why = f"it calls itself {found.name}"
    return f"The engine {plugin.name} of the package {package} is left out: {why}."
