"""Everything that can be wrong with a script. Each code has a page of its own in docs/errors/.

The pages are the source; descriptors.py is made from them, as a wheel has no docs folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from narrator.script.diagnostics.descriptors import ROWS


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A kind of diagnostic."""

    code: str
    title: str
    severity: Literal["error", "warning"]
    template: str
    """The message; `{fields}` are filled in where it is reported."""
    cure: str = ""
    """What to do about it, where no better advice is at hand."""


DESCRIPTORS: Mapping[str, Descriptor] = {
    code: Descriptor(code, title, cast(Literal["error", "warning"], severity), message, cure)
    for code, title, severity, message, cure in ROWS
}
