"""The moderator's machine as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from narrator.core.machine import CHOOSING, ENDED, the_machine


def moderator_diagram() -> str:
    """Return the machine's transitions as a mermaid state diagram, read from the machine itself."""
    machine = the_machine()
    names = [name for name in machine.get_nested_state_names() if "/" in name or _is_leaf(name)]
    ids = {name: f"s{n}" for n, name in enumerate(names)}
    lines = ["---", "title: The moderator", "---", "stateDiagram-v2"]
    lines += [f'  state "{name.replace("/", " / ")}" as {ids[name]}' for name in names]
    lines.append(f"  [*] --> {ids[CHOOSING]}")
    for trigger, event in machine.events.items():
        for source, transitions in event.transitions.items():
            for transition in transitions:
                lines += _arrows(ids, trigger, source, transition.dest)
    lines.append(f"  {ids[ENDED]} --> [*]")
    return "\n".join(lines)


def _is_leaf(name: str) -> bool:
    return not the_machine().get_state(name).states


def _arrows(ids: dict[str, str], trigger: str, source: str, dest: str | None) -> Iterator[str]:
    """Draw a transition from each state that it is legal in."""
    label = trigger.replace(":", " ")
    target = ids.get(dest or "", ids["running/moving"] if dest else "")
    for name, ident in ids.items():
        if name == source or name.startswith(f"{source}/"):
            yield f"  {ident} --> {target or ident}: {label}"
