"""What a person reads of a fault: its sentence and remedy in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from narrator.app.telling import told
from narrator.core.events import PortFailed
from narrator.language.messages import Messages
from narrator.ports.errors import NarratorError
from narrator.script.files.locales import load_locale

ENGLISH: Messages = load_locale("en").messages


def english(fault: NarratorError | PortFailed) -> str:
    """Return a fault in one line, as an English table has it."""
    if isinstance(fault, PortFailed):
        return ENGLISH.event(fault.code, fault.fields, fault.then)
    return str(told(fault))


@contextmanager
def refused(kind: type[NarratorError], match: str) -> Iterator[None]:
    """Expect an error whose English sentence or remedy matches."""
    with pytest.raises(kind) as caught:
        yield
    assert re.search(match, english(caught.value)), english(caught.value)
