"""One step of the engine while it happens: the state, the time, and the effects so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from narrator.core.effects import (
    Cover,
    Cue,
    Effect,
    Finish,
    Hush,
    Listen,
    Refusal,
    Refused,
    Say,
    Show,
    SpeechRole,
)
from narrator.core.events import TimerFired
from narrator.core.expect import Expectation
from narrator.core.game import Line, Phase, Step
from narrator.core.machine import Moderator, Trigger
from narrator.core.state import Spoken, State, TimerState
from narrator.core.steps.program import Program
from narrator.core.values import Constant, Expression, ExpressionError, Value

EARLY = 0.01
"""Seconds by which a timer may be told before it is due: clocks and rounding."""


@dataclass(slots=True)
class StepContext:
    """What every rule of the engine is handed.

    Rules change the state and add effects, nothing else.
    """

    program: Program
    state: State
    now: float
    path: str = ""
    """Of the step the game is at."""
    commands: Callable[[StepContext], tuple[Expectation, ...]] | None = None
    """Returns the commands that may be said at this moment."""
    over: bool = False
    """The step the game is at has nothing more to do."""
    effects: list[Effect] = field(default_factory=list)

    @property
    def step(self) -> Step:
        """The step the game is at."""
        return self.program.steps[self.path]

    @property
    def phase(self) -> Phase:
        """The phase the game is in."""
        return self.program.phases[self.path.split("/", 1)[0]]

    def scope(self) -> dict[str, Value]:
        """Return every name an expression can see now."""
        state = self.state
        names: list[Value] = list(state.names())
        builtin: dict[str, Value] = {
            "title": self.program.game.title,
            "n": len(names),
            "seats": names,
            "totals": dict(state.totals),
        }
        return builtin | state.settings | state.posts | state.variables

    def value(self, expression: Expression, default: Value = None) -> Value:
        """Evaluate; a fault of the script is shown and the default used: the game goes on."""
        if type(expression) is Constant:  # most are, and gathering the names is what takes time
            return expression.value
        try:
            return expression(self.scope())
        except ExpressionError as fault:
            self.show_fault(str(fault))
            return default

    def number(self, expression: Expression, default: float = 0.0) -> float:
        """Evaluate to a number that is not negative."""
        value = self.value(expression, default)
        if isinstance(value, (int, float)):
            return max(0.0, float(value))
        self.show_fault(f"{value!r} should be a number")
        return default

    def whole(self, expression: Expression, default: int) -> int:
        """Evaluate to a whole number of either sign."""
        value = self.value(expression, default)
        return int(value) if isinstance(value, (int, float)) else default

    def items(self, expression: Expression) -> list[Value]:
        """Evaluate to a list."""
        value = self.value(expression, [])
        return value if isinstance(value, list) else []

    def text(self, expression: Expression) -> str:
        """Evaluate to one line of text."""
        value = self.value(expression, "")
        return " ".join(str("" if value is None else value).split())

    def show_fault(self, why: str) -> None:
        """Report that the script is at fault here, once a moment."""
        shown = Show(f"The script has a fault at {self.path or 'its start'}: {why}.")
        if shown not in self.effects:
            self.effects.append(shown)

    def put_off(self, command: str) -> None:
        """Carry a command out behind the window that is open; a sound tells that it was heard."""
        if command not in self.state.asked:
            self.state.asked = [*self.state.asked, command]
        self.cue("understood")

    def refuse(self, event: object, reason: Refusal) -> None:
        """Note in the journal that an event was not allowed now."""
        name = event if isinstance(event, str) else type(event).__name__
        self.effects.append(Refused(name, reason))

    def say(self, line: Line, *, remember: bool = True) -> int:
        """Speak a line of the script, which `repeat` repeats from now on; return its utterance
        number.
        """
        style = line.style or self.phase.style
        spoken = Spoken(self.text(line.text), line.id, line.role, self.phase.rate, style)
        if remember:
            self.state.instruct(spoken)
        return self.speak(spoken)

    def speak(self, spoken: Spoken) -> int:
        """Speak a line as it was said before."""
        self.state.utterance += 1
        number = self.state.utterance
        said = (spoken.text, spoken.line, spoken.role, spoken.rate, spoken.style)
        self.effects.append(Say(number, *said))
        return number

    def say_again(self, *, whole: bool = True) -> int:
        """Speak the last line again, or with it all that belongs to what is asked; return the
        number of its last utterance, 0 where nothing was said.

        With eyes closed it is the line alone: what was called before is over.
        """
        state = self.state
        lines = [state.last] if state.last else []
        if whole and state.instruction and not self.phase.eyes_closed:
            lines = state.instruction
        number = 0
        for line in lines:
            number = self.speak(line)
        return number

    def tell(self, own: str, role: SpeechRole = "chatter", **values: Value) -> int:
        """Speak one of the narrator's own lines; return its utterance number."""
        return self.speak(Spoken(self.own(own, **values), f"own/{own}", role))

    def own(self, own: str, **values: Value) -> str:
        """Return the text of one of the narrator's own lines."""
        text = own.replace("_", " ")
        expression = self.program.game.own.get(own) or self.program.game.own.get(text)
        if expression is not None:
            try:
                text = " ".join(str(expression(self.scope() | values)).split())
            except ExpressionError as fault:
                self.show_fault(str(fault))
        return text

    def fire(self, event: object, trigger: Trigger) -> bool:
        """Fire a trigger of the moderator; what is not legal now is refused, with its reason."""
        if self.state.moderator.fire(trigger):
            return True
        self.refuse(event, _why_not(self.state.moderator, trigger))
        return False

    def take_timer(self, event: TimerFired) -> TimerState | None:
        """Take a timer that is due out of the state; None where it is not, which is refused."""
        timer = self.state.timers.get(event.name)
        if timer is None or timer.generation != event.generation or timer.due is None:
            self.refuse(event, Refusal.STALE_TIMER)
            return None
        if timer.due > self.now + EARLY:
            self.refuse(event, Refusal.TIMER_NOT_DUE)
            return None
        if not self.fire(event, Trigger.TIMER):
            return None
        return self.state.timers.pop(event.name)

    def enter(self, trigger: Trigger) -> None:
        """Go to another stage of the step."""
        self.fire(trigger.value, trigger)

    def cue(self, name: str) -> None:
        """Play a short sound."""
        self.effects.append(Cue(name))

    def cover(self, on: bool) -> None:
        """Start or stop the masking sound where that is a change."""
        if on != self.state.covered:
            self.state.covered = on
            self.effects.append(Cover(on))

    def hush(self) -> None:
        """Stop speaking at once."""
        self.effects.append(Hush())

    def listen(
        self,
        expected: Sequence[Expectation] = (),
        *,
        reads_back: dict[str, Value] | None = None,
        keeps: tuple[str, str] = ("", ""),
        opens_after: float = 0.0,
    ) -> None:
        """Replace what may be said by this and the commands of the moment.

        `keeps` is the variable that the answer goes into, and the key within it.
        """
        commands = self.commands(self) if self.commands else ()
        self.state.listen += 1
        self.effects.append(
            Listen(
                self.state.listen,
                (*expected, *commands),
                self.path,
                self.state.seat,
                bool(self.path) and self.phase.eyes_closed,
                reads_back or {},
                *keeps,
                self.state.moderator.is_timing,
                opens_after,
                "limit" in self.state.timers,
            )
        )

    def finish(self, effect: Finish) -> None:
        """End the game."""
        self.cover(False)
        if not self.state.moderator.is_over:  # a yes to the end of the game has ended it
            self.enter(Trigger.FINISH)
        self.state.ended = effect.ended
        self.state.awaited = 0
        self.state.timers.clear()
        self.path = ""
        self.effects.append(effect)


def _why_not(moderator: Moderator, trigger: Trigger) -> Refusal:
    """Return why a trigger is not legal where the moderator is."""
    if moderator.is_over:
        return Refusal.GAME_OVER
    if trigger is Trigger.START:
        return Refusal.BEGUN_ALREADY
    if not moderator.is_playing:
        return Refusal.NOT_BEGUN
    if moderator.is_confirming and trigger in (Trigger.COMMAND, Trigger.RESUME, Trigger.ANSWER):
        return Refusal.YES_OR_NO_AWAITED
    return _WHY_NOT.get(trigger, Refusal.NOT_NOW)


_WHY_NOT = {
    Trigger.SPEECH: Refusal.STANDING_STILL,
    Trigger.TIMER: Refusal.STALE_TIMER,
    Trigger.ANSWER: Refusal.NOTHING_ASKED,
    Trigger.YES: Refusal.NOTHING_ASKED,
    Trigger.NO: Refusal.NOTHING_ASKED,
}
