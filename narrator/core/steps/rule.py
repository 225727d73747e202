"""What every kind of step has: its rule, and its entry among the kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from narrator.core.expect import Expectation, Meaning
from narrator.core.game import Step
from narrator.core.steps.context import StepContext


class Rule(Protocol):
    """How one kind of step behaves. A rule that is done sets `moment.over`."""

    def begin(self, context: StepContext) -> None:
        """Start the step."""
        ...

    def speech(self, context: StepContext) -> None:
        """The line that was awaited has been heard."""
        ...

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """A timer of the step is due."""
        ...

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Something expected was said."""
        ...

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return what may be said at the stage the step is at, commands aside."""
        ...

    def anything(self, context: StepContext) -> tuple[Expectation, ...]:
        """Return what may ever be said at the step, at whatever stage; commands aside."""
        ...

    def again(self, context: StepContext) -> None:
        """Say once more what was cut off, after a pause or an undo."""
        ...


class Quiet:
    """A rule that does nothing; the base of those that need only part of it."""

    def begin(self, context: StepContext) -> None:
        """End at once."""
        context.over = True

    def speech(self, context: StepContext) -> None:
        """Continue."""
        context.over = True

    def timer(self, context: StepContext, name: str, kind: str) -> None:
        """Ignore it: the step has no timer."""

    def answer(self, context: StepContext, meaning: Meaning) -> None:
        """Expect nothing."""

    def expected(self, context: StepContext) -> tuple[Expectation, ...]:
        """Expect nothing."""
        return ()

    def anything(self, context: StepContext) -> tuple[Expectation, ...]:
        """Expect nothing."""
        return ()

    def again(self, context: StepContext) -> None:
        """Speak the line that was awaited once more."""
        if context.state.awaited and context.state.last is not None:
            context.state.awaited = context.speak(context.state.last)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of step, as the core knows it."""

    name: str
    """As its files are called, and as scripts write it."""
    data: type[Step]
    rule: Rule


KINDS: dict[str, Kind] = {}
"""Every kind of step by its name; each registers itself."""
_RULES: dict[type[Step], Rule] = {}


def register(name: str, data: type[Step], rule: Rule) -> None:
    """Add a kind of step.

    Raises:
        TypeError: There is another one of this name.
    """
    if name in KINDS:
        raise TypeError(f"There are two kinds of step called {name}.")
    KINDS[name] = Kind(name, data, rule)
    _RULES[data] = rule


def rule_of(step: Step) -> Rule:
    """Return how a step behaves."""
    return _RULES[type(step)]


def listens(step: Step) -> bool:
    """Whether a step listens for something of its own."""
    return type(rule_of(step)).anything is not Quiet.anything
