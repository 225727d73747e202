"""Where the game goes next: blocks, loops, branches and phases."""

from __future__ import annotations

from narrator.core.effects import Finish
from narrator.core.game import Again, ForEach, If, Repeat, Spoiled, Step
from narrator.core.moment import Moment
from narrator.core.state import Frame
from narrator.core.values import Value

MOST_STEPS = 10_000
"""Steps without a rest after which a script is held to run in circles."""


def enter_phase(moment: Moment, name: str) -> None:
    """Open a phase before its first step; a night that is over cannot be undone into."""
    stack = moment.state.stack
    left = moment.program.phases.get(stack[0].block if stack else moment.path.split("/", 1)[0])
    if left is not None and left.eyes_closed:
        moment.state.history.clear()
    moment.state.stack[:] = [Frame(name, -1)]
    moment.cover(moment.program.phases[name].cover)


def following(moment: Moment) -> str | None:
    """Advance to the next step that is not a container; give its path, or None at the end."""
    for _ in range(MOST_STEPS):
        step = _next(moment)
        if step is None:
            return None
        path = f"{moment.state.stack[-1].block}/{step.name}"
        if isinstance(step, If):
            _branch(moment, step, path)
        elif isinstance(step, (ForEach, Repeat)):
            _loop(moment, step, path)
        else:
            return path
    moment.show_fault("its steps run in circles")
    return None


def finish(moment: Moment) -> None:
    """End the game with the result the script asks for."""
    result: dict[str, Value] = {
        key: moment.value(expression) for key, expression in moment.program.game.result
    }
    moment.finish(Finish(result))


def again(moment: Moment, step: Again) -> None:
    """Go back to before the first step of an enclosing block, keeping the run of its loop; or to
    the beginning of an earlier phase.
    """
    stack = moment.state.stack
    if step.target in moment.program.phases and step.target != stack[0].block:
        enter_phase(moment, step.target)
        return
    while len(stack) > 1 and stack[-1].block != step.target:
        stack.pop()
    stack[-1].index = -1


def spoilable(moment: Moment) -> Spoiled | None:
    """Give how the present run may be called off; None where none may be, or not any more."""
    found = _called_off(moment)
    return found[1] if found else None


def call_off(moment: Moment) -> None:
    """Begin the run that is spoiled from its beginning; what it came to does not count."""
    found = _called_off(moment)
    if found is None:
        return
    depth, spoiled = found
    moment.say(spoiled.line, remember=False)
    del moment.state.stack[depth + 1 :]
    moment.state.stack[depth].index = -1
    moment.over = True


def _called_off(moment: Moment) -> tuple[int, Spoiled] | None:
    for depth in reversed(range(len(moment.state.stack))):
        frame = moment.state.stack[depth]
        step = moment.program.steps.get(frame.block)
        if isinstance(step, Repeat) and step.spoiled and _in_time(moment, step.spoiled, frame):
            return depth, step.spoiled
    return None


def _in_time(moment: Moment, spoiled: Spoiled, frame: Frame) -> bool:
    if frame.index >= spoiled.before:
        return False
    return spoiled.condition is None or bool(moment.value(spoiled.condition, False))


def _next(moment: Moment) -> Step | None:
    stack = moment.state.stack
    while stack:
        frame = stack[-1]
        frame.index += 1
        steps = moment.program.blocks[frame.block]
        if frame.index < len(steps):
            return steps[frame.index]
        if not _run_again(moment, frame):
            _leave(moment)
    return None


def _leave(moment: Moment) -> None:
    """Close the innermost block; after a phase's own block comes the next phase."""
    stack = moment.state.stack
    frame = stack.pop()
    if stack:
        return
    after = moment.program.phase_after(frame.block)
    if after is not None:
        enter_phase(moment, after.name)


def _run_again(moment: Moment, frame: Frame) -> bool:
    """Begin the next run of a loop whose run is over; False where it has no further one."""
    step = moment.program.steps.get(frame.block)
    if isinstance(step, ForEach) and frame.items is not None:
        more = frame.turn + 1 < len(frame.items)
    elif isinstance(step, Repeat):
        more = _repeats(moment, step, frame)
    else:
        return False
    if more:
        frame.turn += 1
        frame.index = -1
        _bind(moment, step, frame)
    return more


def _repeats(moment: Moment, step: Repeat, frame: Frame) -> bool:
    if step.until is not None and moment.value(step.until, True):
        return False
    return step.times is None or frame.turn + 1 < moment.number(step.times)


def _bind(moment: Moment, step: ForEach | Repeat, frame: Frame) -> None:
    variables = moment.state.variables
    if isinstance(step, ForEach):
        variables[step.variable] = (frame.items or [])[frame.turn]
    elif step.counter:
        variables[step.counter] = frame.turn + 1


def _branch(moment: Moment, step: If, path: str) -> None:
    chosen = "then" if moment.value(step.condition, False) else "else"
    moment.state.stack.append(Frame(f"{path}/{chosen}", -1))


def _loop(moment: Moment, step: ForEach | Repeat, path: str) -> None:
    frame = Frame(path, -1)
    if isinstance(step, ForEach):
        frame.items = list(moment.items(step.items))
        if not frame.items:
            return
    elif step.times is not None and moment.number(step.times) < 1:
        return
    moment.state.stack.append(frame)
    _bind(moment, step, frame)
