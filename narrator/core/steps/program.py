"""A game laid out by path: every block and step, and which step may follow which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from narrator.core.game import Game, Phase, Step


@dataclass(slots=True)
class Program:
    """A game, indexed. Paths are as in `core.game.Game`."""

    game: Game
    blocks: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    steps: dict[str, Step] = field(default_factory=dict)
    phases: dict[str, Phase] = field(default_factory=dict)
    following: dict[str, frozenset[str]] = field(default_factory=dict)
    """Which steps may come directly after a step that can rest; both keys and values may be `""`,
    for the start and for the end."""
    directly: dict[str, list[str]] = field(default_factory=dict)
    """The same, without what follows where a round is called off or the game is ended."""

    def __post_init__(self) -> None:
        """Index every phase, block and step."""
        for phase in self.game.phases:
            self.phases[phase.name] = phase
            self._index(phase.name, phase.steps)
        again = self.restarts()
        self.directly = self.successors()
        self.following = {
            path: frozenset((*after, *again.get(path, ()), ""))
            for path, after in self.directly.items()
        }

    def may_follow(self, path: str, after: str) -> bool:
        """Whether a step (`""`: the end) may come directly after another (`""`: the start)."""
        return path in self.following.get(after, ())

    def resting(self) -> list[str]:
        """Return the paths of all steps in which a game can be, in order."""
        return [path for path, step in self.steps.items() if not step.is_container]

    def _index(self, path: str, steps: tuple[Step, ...]) -> None:
        self.blocks[path] = steps
        for step in steps:
            place = f"{path}/{step.name}"
            self.steps[place] = step
            for inner, inside in step.blocks(place):
                self._index(inner, inside)

    def phase_after(self, name: str) -> Phase | None:
        """Return the phase that follows, or None after the last."""
        phases = self.game.phases
        index = [p.name for p in phases].index(name) + 1
        return phases[index] if index < len(phases) else None

    def successors(self) -> dict[str, list[str]]:
        """Return, for every step that can rest, each resting step that may come directly after it.

        The key `""` stands for the start of the game, the value `""` for its end.
        """
        following: dict[str, list[str]] = {"": list(self._first_of_phase(0))}
        for index, phase in enumerate(self.game.phases):
            end = tuple(self._first_of_phase(index + 1))
            self._follow(phase.name, phase.steps, end, following)
        return following

    def restarts(self) -> dict[str, list[str]]:
        """Return, for every resting step of a run that may be called off, where it begins again."""
        found: dict[str, list[str]] = {}
        for path, step in self.steps.items():
            if step.may_begin_again():
                first = list(self._entries(path, self.blocks[path], 0, ()))
                inside = [p for p in self.steps if p.startswith(f"{path}/")]
                for place in inside:
                    if not self.steps[place].is_container:
                        found.setdefault(place, []).extend(first)
        for phase in self.game.phases:
            if phase.spoiled is not None:
                first = list(self.first_of_phase(phase.spoiled.phase))
                for place in self.resting():
                    if place.startswith(f"{phase.name}/"):
                        found.setdefault(place, []).extend(first)
        return found

    def _first_of_phase(self, index: int) -> Iterator[str]:
        if index >= len(self.game.phases):
            yield ""
            return
        phase = self.game.phases[index]
        yield from self._entries(phase.name, phase.steps, 0, tuple(self._first_of_phase(index + 1)))

    def _entries(
        self, block: str, steps: tuple[Step, ...], start: int, end: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Resting steps that may come first when a block is entered at a step."""
        if start >= len(steps):
            return end
        step = steps[start]
        path = f"{block}/{step.name}"
        if not step.is_container:
            return (path,)
        rest = self._entries(block, steps, start + 1, end)
        inside: tuple[str, ...] = ()
        for inner, within in step.blocks(path):
            inside += self._entries(inner, within, 0, rest)
        return tuple(dict.fromkeys(inside + (rest if step.may_be_empty() else ())))

    def first_of_phase(self, name: str) -> tuple[str, ...]:
        """Return the steps that may come first in a phase (an empty path: the end of the game)."""
        return tuple(self._first_of_phase(list(self.phases).index(name)))

    def first_of_block(self, path: str, following: tuple[str, ...]) -> tuple[str, ...]:
        """Return the steps that may come first in a block, before those that follow it."""
        return self._entries(path, self.blocks[path], 0, following)

    def _follow(
        self, block: str, steps: tuple[Step, ...], end: tuple[str, ...], into: dict[str, list[str]]
    ) -> None:
        for index, step in enumerate(steps):
            path = f"{block}/{step.name}"
            after = self._entries(block, steps, index + 1, end)
            if not step.is_container:
                into[path] = list(step.after(self, after))
                continue
            for inner, within in step.blocks(path):
                looped = after
                if step.loops:
                    looped = (*self._entries(inner, within, 0, after), *after)
                self._follow(inner, within, tuple(dict.fromkeys(looped)), into)


def diagram(program: Program) -> str:
    """Return which step may follow which as a mermaid state diagram.

    Mermaid takes letters, digits and underscores in an id, and no two ids may be alike once a
    path is written so: each has a number of its own, and its path as the label.
    """
    paths = ["ready", *program.resting(), "ended"]
    ids = {path: f"s{n}_{_NO_ID.sub('_', path)}" for n, path in enumerate(paths)}
    lines = ["---", f"title: {_quoted(program.game.title)}", "---", "stateDiagram-v2"]
    lines += [f"  state {_quoted(path.replace('/', ' / '))} as {ids[path]}" for path in paths]
    lines.append(f"  [*] --> {ids['ready']}")
    for source, targets in program.successors().items():
        lines += [f"  {ids[source or 'ready']} --> {ids[target or 'ended']}" for target in targets]
    lines.append(f"  {ids['ended']} --> [*]")
    return "\n".join(lines)


_NO_ID = re.compile("[^A-Za-z0-9_]")


def _quoted(text: str) -> str:
    plain = " ".join(text.replace("\\", "/").replace('"', "'").split())
    return f'"{plain}"'
