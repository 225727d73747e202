"""Every kind of step, found by its file being there, in the core and here."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module

from narrator.core import steps as core
from narrator.core.steps.rule import KINDS as OF_THE_CORE
from narrator.core.steps.rule import Kind
from narrator.script import steps
from narrator.script.steps.kind import KINDS, AuthorKind


def check(of_the_core: Iterable[Kind], of_authors: Iterable[AuthorKind]) -> None:
    """Check that every kind has both its halves.

    Raises:
        TypeError: One lacks a half; it is named.
    """
    known = {kind.data: kind.name for kind in of_the_core}
    made = {data for author in of_authors for data in author.makes}
    for data, name in known.items():
        if data not in made:
            raise TypeError(f"The step `{name}` has no half in narrator/script/steps.")
    for author in of_authors:
        if any(data not in known for data in author.makes):
            verb = author.shape.verb
            raise TypeError(f"The step `{verb}` has no half in narrator/core/steps.")


def load() -> tuple[AuthorKind, ...]:
    """Import the modules of all groups; return the kinds.

    Raises:
        TypeError: A kind has only one of its two halves.
    """
    for package in (core, steps):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if "." in found.name.removeprefix(f"{package.__name__}."):
                import_module(found.name)
    check(OF_THE_CORE.values(), KINDS.values())
    return tuple(KINDS.values())


ALL = load()
