"""Observers of installed packages: each in a thread of its own, so that none can stop a game."""

from __future__ import annotations

import copy
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from narrator.app.wiring.registry import observer_names, observer_plugin
from narrator.ports.ends import ObserverPlugin
from narrator.ports.errors import PlayError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Observer, PublicView, Update

PORT = "observer"
"""Where faults of observers come from."""
_WAITING = 2_000
"""Updates that may wait for a slow observer: more than an hour of a talkative game."""
_PATIENCE = 1.0
"""Seconds in which an observer may finish what it was told when the game is over."""
_log = logging.getLogger(__name__)

Tell = Callable[[PlayError], None]


def watchers(names: Sequence[str], tell: Tell) -> list[Watcher]:
    """Return the observers that the settings name; tell of each that there is not."""
    found: list[Watcher] = []
    for name in dict.fromkeys(names):
        if name in observer_names():
            found.append(Watcher(name, partial(observer_plugin, name), tell))
        else:
            known = ", ".join(observer_names()) or "-"
            tell(PlayError(FaultCode.OBSERVER_UNKNOWN, observer=name, names=known))
    return found


class Watcher:
    """Hands updates to an observer without waiting for it; one that fails is told of and left out.

    Args:
        name: As the settings call it.
        load: Loads it. Raises PlayError where it cannot be.
        tell: Told once, when it fails.
    """

    def __init__(self, name: str, load: Callable[[], ObserverPlugin], tell: Tell) -> None:
        self._name, self._load, self._tell = name, load, tell
        self._updates: queue.Queue[Update | None] = queue.Queue(_WAITING)
        self._failed = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"observer {name}", daemon=True)
        self._thread.start()

    def observe(self, update: Update) -> None:
        """Queue an update; returns at once."""
        if self._failed.is_set():
            return
        if isinstance(update, PublicView):  # the game goes on changing what it holds
            update = replace(update, view=copy.deepcopy(dict(update.view)))
        try:
            self._updates.put_nowait(update)
        except queue.Full:
            self._fail(PlayError(FaultCode.OBSERVER_SLOW, observer=self._name))

    def close(self) -> None:
        """Let it finish for a moment."""
        with suppress(queue.Full):
            self._updates.put_nowait(None)
        self._thread.join(_PATIENCE)

    def _work(self) -> None:
        observer: Observer | None = None
        try:
            observer = self._load().make()
            while (update := self._updates.get()) is not None and not self._failed.is_set():
                observer.observe(update)
        except PlayError as fault:
            self._fail(fault)
        except (Exception, SystemExit) as error:  # somebody else's program: it may fail in any way
            _log.warning("The observer %s failed.", self._name, exc_info=error)
            kind = type(error).__name__
            self._fail(PlayError(FaultCode.OBSERVER_FAILED, observer=self._name, kind=kind))
        finally:
            with suppress(Exception):
                getattr(observer, "close", lambda: None)()

    def _fail(self, fault: PlayError) -> None:
        if not self._failed.is_set():
            self._failed.set()
            self._tell(fault)
