"""The values a game is made of, and the people at the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | None"
"""What a script can hold in a variable: exactly what JSON can hold, so that a state can be saved.
"""


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table. Seats are numbered clockwise from 1."""

    number: int
    """1-based, clockwise."""
    name: str
    """As shown, and as scripts see it."""
    say: str = ""
    """Respelling for the synthesiser; empty: the name itself."""
    hear: tuple[str, ...] = ()
    """Further spoken forms the recogniser may hear for this seat."""


Scope: TypeAlias = Mapping[str, Value]
"""The names an expression can see, each with its value."""


class Expression(Protocol):
    """A compiled expression or text of a script; pure: the same scope gives the same value."""

    def __call__(self, scope: Scope) -> Value:
        """Return the value in this scope. Raises ExpressionError, never anything else."""
        ...


class ExpressionError(Exception):
    """An expression has no value here; the message is one plain sentence for the author."""


@dataclass(frozen=True, slots=True)
class Constant:
    """An expression that needs no scope."""

    value: Value

    def __call__(self, scope: Scope) -> Value:
        """Return the constant."""
        return self.value
