"""Where the game goes next: blocks, loops, branches and phases."""

from __future__ import annotations

from narrator.core.effects import Finish
from narrator.core.game import Spoiled, Step
from narrator.core.state import Frame
from narrator.core.steps.blocks.branch import If
from narrator.core.steps.blocks.for_each import ForEach
from narrator.core.steps.blocks.repeat import Repeat
from narrator.core.steps.context import StepContext
from narrator.core.steps.spoken.say import Say
from narrator.core.steps.spoken.wait import Wait
from narrator.core.values import Value

MOST_STEPS = 10_000
"""Steps without a rest after which a script is held to run in circles."""


def enter_phase(context: StepContext, name: str) -> None:
    """Open a phase before its first step; a night that is over cannot be undone into."""
    stack = context.state.stack
    left = context.program.phases.get(stack[0].block if stack else context.path.split("/", 1)[0])
    if left is not None and left.eyes_closed:
        context.state.history.clear()
    context.state.stack[:] = [Frame(name, -1)]
    context.cover(context.program.phases[name].cover)


def following(context: StepContext) -> str | None:
    """Advance to the next step that is not a container; return its path, or None at the end."""
    for _ in range(MOST_STEPS):
        step = _next(context)
        if step is None:
            return None
        path = f"{context.state.stack[-1].block}/{step.name}"
        if isinstance(step, If):
            _branch(context, step, path)
        elif isinstance(step, (ForEach, Repeat)):
            _loop(context, step, path)
        else:
            return path
    give_up(context)
    return None


def finish(context: StepContext) -> None:
    """End the game with the result the script asks for."""
    result: dict[str, Value] = {
        key: context.value(expression) for key, expression in context.program.game.result
    }
    context.finish(Finish(result))


def give_up(context: StepContext) -> None:
    """End a game whose steps run in circles: it is over, and was not played to its end."""
    context.show_fault("its steps run in circles, so that the game cannot go on")
    context.tell("ended")
    context.finish(Finish({}, "faulty"))


def again(context: StepContext, target: str) -> None:
    """Go back to before the first step of an enclosing block, keeping the run of its loop; or to
    the beginning of an earlier phase.
    """
    stack = context.state.stack
    if target in context.program.phases and target != stack[0].block:
        enter_phase(context, target)
        return
    while len(stack) > 1 and stack[-1].block != target:
        stack.pop()
    stack[-1].index = -1


def spoilable(context: StepContext, *, anyway: bool = False) -> Spoiled | None:
    """Return how the present run may be called off; None where none may be, or not any more.

    Args:
        context: This moment.
        anyway: Also where the table has not chosen the house rule for it.
    """
    found = _called_off(context, anyway=anyway)
    return found[1] if found else None


def call_off(context: StepContext) -> None:
    """Begin the run that is spoiled from its beginning; what it came to does not count."""
    found = _called_off(context, anyway=True)
    if found is None:
        return
    depth, spoiled = found
    context.say(spoiled.line, remember=False)
    if spoiled.phase:
        again(context, spoiled.phase)
    else:
        del context.state.stack[depth + 1 :]
        context.state.stack[depth].index = -1
    context.over = True


def seat_in_turn(context: StepContext) -> str | None:
    """Return whom the loop is at while a line is said or a window runs; None outside such loops."""
    if not isinstance(context.step, (Say, Wait)):
        return None
    for frame in reversed(context.state.stack):
        item = frame.items[frame.turn] if frame.items and frame.turn < len(frame.items) else None
        if item in context.state.names():
            return str(item)
    return None


def _called_off(context: StepContext, *, anyway: bool) -> tuple[int, Spoiled] | None:
    for depth in reversed(range(len(context.state.stack))):
        frame = context.state.stack[depth]
        step = context.program.steps.get(frame.block)
        spoiled = step.spoiled if isinstance(step, (Repeat, ForEach)) else None
        if depth == 0:
            spoiled, frame = context.phase.spoiled, _of_phase(context)
        if spoiled and frame.index < spoiled.before:
            chosen = spoiled.condition is None or context.value(spoiled.condition, False)
            return (depth, spoiled) if chosen or anyway else None
    return None


def _of_phase(context: StepContext) -> Frame:
    """Return the frame of the phase's own steps: a phase with a condition is within an `if`."""
    stack, phase = context.state.stack, context.phase
    own = phase.steps[0] if len(phase.steps) == 1 else None
    is_inside = isinstance(own, If) and own.name == f"if-{phase.name}"
    return stack[1] if is_inside and len(stack) > 1 else stack[0]


def _next(context: StepContext) -> Step | None:
    stack = context.state.stack
    while stack:
        frame = stack[-1]
        frame.index += 1
        steps = context.program.blocks[frame.block]
        if frame.index < len(steps):
            return steps[frame.index]
        if not _run_again(context, frame):
            _leave(context)
    return None


def _leave(context: StepContext) -> None:
    """Close the innermost block; after a phase's own block comes the next phase."""
    stack = context.state.stack
    frame = stack.pop()
    if stack:
        return
    after = context.program.phase_after(frame.block)
    if after is not None:
        enter_phase(context, after.name)


def _run_again(context: StepContext, frame: Frame) -> bool:
    """Begin the next run of a loop whose run is over; False where it has no further one."""
    step = context.program.steps.get(frame.block)
    if isinstance(step, ForEach) and frame.items is not None:
        more = frame.turn + 1 < len(frame.items)
    elif isinstance(step, Repeat):
        more = _repeats(context, step, frame)
    else:
        return False
    if more:
        frame.turn += 1
        frame.index = -1
        _bind(context, step, frame)
    return more


def _repeats(context: StepContext, step: Repeat, frame: Frame) -> bool:
    if step.until is not None and context.value(step.until, True):
        return False
    return step.times is None or frame.turn + 1 < context.number(step.times)


def _bind(context: StepContext, step: ForEach | Repeat, frame: Frame) -> None:
    variables = context.state.variables
    if isinstance(step, ForEach) or frame.turn:  # what was said of the one before is over
        context.state.instruction = []
    if isinstance(step, ForEach):
        variables[step.variable] = (frame.items or [])[frame.turn]
    elif step.counter:
        variables[step.counter] = frame.turn + 1


def _branch(context: StepContext, step: If, path: str) -> None:
    chosen = "then" if context.value(step.condition, False) else "else"
    context.state.stack.append(Frame(f"{path}/{chosen}", -1))


def _loop(context: StepContext, step: ForEach | Repeat, path: str) -> None:
    frame = Frame(path, -1)
    if isinstance(step, ForEach):
        frame.items = list(context.items(step.items))
        if not frame.items:
            return
    elif step.times is not None and context.number(step.times) < 1:
        return
    context.state.stack.append(frame)
    _bind(context, step, frame)
