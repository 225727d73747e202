"""Runs a test plan against its game, in three ways.

`plain` as it is written; `saved` with the game saved and taken up by a new engine after every
event; `replayed` from the journal that the plain run wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from narrator.config.settings import Settings
from narrator.core.game import Game
from narrator.core.values import Value
from narrator.language.locale import Locale
from narrator.language.names.refusal import refusal
from narrator.simulation.tries import Tries
from narrator.testing.plan import Plan, PlanError, PlanStep, duration, settings_of, truth
from narrator.testing.table import PATIENCE, Table, TableError

Mode: TypeAlias = Literal["plain", "saved", "replayed"]
MODES: tuple[Mode, ...] = ("plain", "saved", "replayed")
WITHIN = 60.0
"""Seconds within which an expected line must be said, where the plan does not say it."""
MOST_ANSWERS = 500
LONGEST_TIMER = 7_200.0
"""Seconds that a timer nobody ends may take."""
EXPECTS = ("at", "seat", "public", "result", "totals", "paused", "ended", "asks")
PLAYS = ("answers", "until")


class Unmet(Exception):
    """A step did not hold; the message is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a plan went in one mode."""

    plan: Plan
    mode: Mode
    failure: str = ""
    """Where and why it failed, with the timeline around it; empty where it held."""
    seconds: float = 0.0
    """Session seconds that it took."""
    events: int = 0


def run_plan(plan: Plan, game: Game, locale: Locale, mode: Mode = "plain") -> Outcome:
    """Run a plan in one mode.

    Raises:
        PlanError: The plan asks for something that cannot be, such as an unknown setting.
    """
    run = PlanRun(plan, game, locale, saving=mode == "saved")
    failure = run.failure()
    if mode == "replayed" and not failure:
        difference = run.table.replay()
        failure = f"{plan.path}: {difference}" if difference else ""
    return Outcome(plan, mode, failure, run.table.now, len(run.table.journal))


class PlanRun:
    """One run of a plan."""

    def __init__(
        self,
        plan: Plan,
        game: Game,
        locale: Locale,
        *,
        saving: bool = False,
        program: Settings | None = None,
    ) -> None:
        if not game.low <= len(plan.players) <= game.high:
            raise PlanError(
                f"{plan.path}: {game.title} is for {game.low} to {game.high} players, "
                f"and the plan has {len(plan.players)}."
            )
        refused = refusal(plan.players, locale)
        if refused:
            raise PlanError(f"{plan.path}: {refused}")
        self.table = Table(
            game,
            plan.players,
            seed=plan.seed,
            settings=settings_of(plan, game),
            locale=locale,
            saving=saving,
            program=program,
        )
        self._plan = plan
        self._seen = 0
        """Lines before this one were matched by a `say` already."""
        self._mark = 0
        """The first line that was said since the last step."""

    def failure(self) -> str:
        """Run all steps; tell of the first that fails."""
        self.table.start()
        for step in self._plan.steps:
            try:
                _STEPS[step.kind](self, step)
            except (Unmet, TableError) as unmet:
                return self._tell(step, str(unmet))
        return ""

    def _tell(self, step: PlanStep, why: str) -> str:
        place = step.place
        return (
            f"{place.file}:{place.line}:{place.column}: {why}\n"
            f"{self.table.now:.2f} seconds into the game, at `{self.table.at}`. What led here:\n"
            f"{self.table.story()}"
        )

    def say(self, step: PlanStep) -> None:
        """Wait until a line is said that was not matched before."""
        wanted, self._mark = str(step.value), self._seen
        within = _seconds(step, step.extras.get("within", WITHIN))
        found = self._find(wanted)
        if found is None:
            self.table.wait_until(lambda: self._find(wanted) is not None, within)
            found = self._find(wanted)
        if found is None:
            raise Unmet(f'"{wanted}" was not said within {within:g} seconds.')
        if truth(step.extras.get("next")) and found != self._seen:
            other = self.table.said[self._seen].text
            raise Unmet(f'"{other}" was said before "{wanted}".')
        self._seen = found + 1

    def _find(self, wanted: str) -> int | None:
        lines = self.table.said
        for index in range(self._seen, len(lines)):
            if lines[index].matches(wanted):
                return index
        return None

    def hear(self, step: PlanStep) -> None:
        """Make a player say something."""
        at_once = truth(step.extras.get("at once")) or False
        if not at_once:
            self.table.wait_for_silence()
        self._mark = len(self.table.said)
        self.table.hear(str(step.value), at_once=at_once)

    def wait(self, step: PlanStep) -> None:
        """Advance the clock."""
        self._mark = len(self.table.said)
        self.table.wait(_seconds(step, step.value))

    def key(self, step: PlanStep) -> None:
        """Make a player press a key."""
        self._mark = len(self.table.said)
        self.table.key(str(step.value))

    def not_say(self, step: PlanStep) -> None:
        """Demand that none of these texts was said."""
        wanted = step.value if isinstance(step.value, list) else [step.value]
        for line in self.table.said[self._since(step) :]:
            for text in wanted:
                if line.matches(str(text)):
                    raise Unmet(f'"{text}" was said at {line.at:.2f} s: "{line.text}"')

    def _since(self, step: PlanStep) -> int:
        if "since" not in step.extras:
            return self._mark
        since = str(step.extras["since"])
        if since == "start":
            return 0
        said = [i for i, line in enumerate(self.table.said) if line.matches(since)]
        if not said:
            raise Unmet(f'"{since}" was never said.')
        return said[-1]

    def silent(self, step: PlanStep) -> None:
        """Demand that something, or nothing, was said since the last step."""
        lines = self.table.said[self._mark :]
        if truth(step.value) is None:
            raise PlanError(_at(step, "`silent:` is yes or no."))
        if truth(step.value) and lines:
            raise Unmet(f'"{lines[0].text}" was said at {lines[0].at:.2f} s.')
        if truth(step.value) is False and not lines:
            raise Unmet("Nothing was said.")

    def expect(self, step: PlanStep) -> None:
        """Demand that the game is where it should be and holds what it should hold."""
        expected = _mapping(step, EXPECTS)
        if "result" in expected or expected.get("ended", "absent") != "absent":
            self.table.wait_until(lambda: self.table.finish is not None, WITHIN)
        for key, wanted in expected.items():
            if key in ("public", "result", "totals"):
                self._held(key, wanted)
            elif key == "asks":
                _same("asks", truth(wanted), self.table.asks() is not None)
            else:
                _same(key, truth(wanted) if key == "paused" else wanted, self._state(key))

    def _state(self, key: str) -> Value:
        table = self.table
        if key == "ended":
            return table.finish.ended if table.finish else "absent"
        if key == "paused":
            return table.engine.is_paused
        return table.at if key == "at" else table.engine.state.seat

    def _held(self, key: str, wanted: Any) -> None:
        held: Mapping[str, Value] = self.table.engine.public()
        if key == "result":
            held = self.table.result or {}
        elif key == "totals":
            held = self.table.engine.state.totals
        for name, value in wanted.items():
            _same(f"{key} {name}", value, held.get(name, "absent"))

    def votes(self, step: PlanStep) -> None:
        """Make each seat answer the question it is asked, and say yes to what is read back."""
        if not isinstance(step.value, Mapping):
            raise PlanError(_at(step, "`votes:` has a seat and its vote on each line."))
        votes = {str(seat): "nobody" if to is None else str(to) for seat, to in step.value.items()}
        self._mark = len(self.table.said)
        for _ in range(len(votes)):
            seat = self.table.expect_next().seat or ""
            if seat not in votes:
                raise Unmet(f"{seat or 'Nobody in particular'} is asked, and the plan has no vote.")
            self.table.hear(votes.pop(seat))
        self.table.expect_next()
        self.table.hear("yes")

    def play(self, step: PlanStep) -> None:
        """Answer every question by its step until the game is at a step, or over."""
        form = _mapping(step, PLAYS)
        answers = {str(k): str(v) for k, v in form.get("answers", {}).items()}
        until = str(form.get("until", "ended"))
        self._mark = len(self.table.said)
        tries = Tries()
        for _ in range(MOST_ANSWERS):
            if not self._on_the_way(until, tries):
                return
            listen = self.table.expect_next()
            if _is_at(listen.step, until):
                return
            if (listen.timed or listen.limited) and not _named(answers, listen.step):
                self._sit_out(listen.step)
                continue
            self.table.wait(listen.opens_after)
            answer = _answer(answers, listen.step)
            tries.add(listen.step, answer)
            self.table.hear(answer)
        raise Unmet(
            f"The game does not come to `{until}` within {MOST_ANSWERS} answers; it is at "
            f"`{self.table.at}`. {tries.told(self.table.at)}"
        )

    def _sit_out(self, step: str) -> None:
        """Run a timer that nobody ends to its end."""
        self.table.wait_until(lambda: self.table.at != step, LONGEST_TIMER)

    def _on_the_way(self, until: str, tries: Tries) -> bool:
        table = self.table

        def comes() -> bool:
            return _is_at(table.at, until) or (table.asks() is not None and not table.speaking)

        if not table.wait_until(lambda: comes() or table.finish is not None, PATIENCE):
            raise Unmet(
                f"The game does not come to `{until}`, and nothing is asked; it is at "
                f"`{table.at}`. {tries.told(table.at)}"
            )
        if table.finish is not None and until != "ended":
            raise Unmet(f"The game is over and was never at `{until}`.")
        return table.finish is None and not _is_at(table.at, until)


def _is_at(path: str, wanted: str) -> bool:
    return path == wanted or path.startswith(f"{wanted}/")


def _named(answers: Mapping[str, str], step: str) -> str | None:
    """Find what is said at a step by its path, or by the last part of it that is named."""
    names = (step, *reversed(step.split("/")))
    return next((answers[name] for name in names if name in answers), None)


def _answer(answers: Mapping[str, str], step: str) -> str:
    found = _named(answers, step)
    if found is None:
        raise Unmet(f"The plan has no answer for `{step}`.")
    return found


def _same(name: str, wanted: Any, found: Value) -> None:
    if wanted != found:
        raise Unmet(f"{name} is {found!r}, not {_plain(wanted)!r}.")


def _plain(value: Any) -> Any:
    """Return a value of the YAML file without its places."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _seconds(step: PlanStep, value: Any) -> float:
    seconds = duration(value)
    if seconds is None:
        raise PlanError(_at(step, f"`{value}` is no length of time."))
    return seconds


def _mapping(step: PlanStep, known: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(step.value, Mapping):
        raise PlanError(_at(step, f"`{step.kind}:` has some of these: {', '.join(known)}."))
    for key in step.value:
        if key not in known:
            only = ", ".join(known)
            raise PlanError(_at(step, f"`{key}` means nothing in `{step.kind}:`; only {only}."))
    return step.value


def _at(step: PlanStep, what: str) -> str:
    return f"{step.place.file}:{step.place.line}:{step.place.column}: {what}"


_STEPS: Mapping[str, Callable[[PlanRun, PlanStep], None]] = {
    "say": PlanRun.say,
    "hear": PlanRun.hear,
    "wait": PlanRun.wait,
    "key": PlanRun.key,
    "not_say": PlanRun.not_say,
    "silent": PlanRun.silent,
    "expect": PlanRun.expect,
    "votes": PlanRun.votes,
    "play": PlanRun.play,
}
