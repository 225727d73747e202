"""`narrator test`: a game's own test plans, and random play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from narrator.app import games, random_play, telling
from narrator.app.doors.plans import (
    MODES,
    MonkeyReport,
    Outcome,
    Plan,
    plans_of,
    read_plan,
    run_plan,
)
from narrator.cli import options
from narrator.cli.output import say, say_json

SHOWN = 5
"""Faulty random games that are told in full."""
PROGRESS = 100
"""Random games after which it is told how far they are, where they are many."""


@click.command("test")
@click.argument("game")
@click.option("--monkey", default=0, metavar="N", help="Play this many random games as well.")
@click.option("--seed", default=0, show_default=True, help="Of the first random game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options.language
def command(game: str, monkey: int, seed: int, as_json: bool, language: str) -> None:
    """Run a game's test plans, each in three ways: plain, saved after every event, replayed."""
    if monkey < 0:
        raise click.UsageError(
            f"{monkey} random games cannot be played; give a number from 1 up, as in --monkey 100."
        )
    loaded = games.load_game(game, language)
    paths = plans_of(loaded.path.parent)
    if not paths and not monkey:
        folder = loaded.path.parent / "tests"
        raise click.ClickException(
            f"There is nothing to test: {folder} has no plan. "
            f"Write one, or play random games with --monkey 100."
        )
    outcomes: list[Outcome] = []
    for path in paths:
        done = list(_run(read_plan(path), loaded, language))
        outcomes += done
        if not as_json:
            _tell(done)
    reports = _random(loaded, language, range(seed, seed + monkey), quiet=as_json)
    if as_json:
        say_json(_written(outcomes, reports))
    else:
        _sum_up(outcomes, reports)
    if any(o.failure for o in outcomes) or any(r.faults for r in reports):
        raise click.exceptions.Exit(1)


def _run(plan: Plan, loaded: games.Loaded, language: str) -> Iterator[Outcome]:
    """Run a plan in every way, or as far as the first that fails."""
    if plan.game and plan.game != loaded.game.id:
        loaded = games.load_game(plan.game, language)
    for mode in MODES:
        outcome = run_plan(plan, loaded.game, loaded.locale, mode)
        yield outcome
        if outcome.failure:
            return


def _tell(outcomes: list[Outcome]) -> None:
    last = outcomes[-1]
    if last.failure:
        say(f"{last.plan.path.stem}: failed ({last.mode}).\n{last.failure}\n")
    else:
        say(f"{last.plan.path.stem}: passed.")


def _random(
    loaded: games.Loaded, language: str, seeds: range, *, quiet: bool
) -> list[MonkeyReport]:
    reports: list[MonkeyReport] = []
    for share in random_play.play(loaded, language, seeds):
        reports += share
        if not quiet and len(seeds) >= random_play.MANY and len(reports) % PROGRESS == 0:
            say(telling.report("games so far", count=len(reports), all=len(seeds)), err=True)
    faulty = [report for report in reports if report.faults]
    for report in [] if quiet else faulty[:SHOWN]:
        say(telling.report("one random game", seed=report.seed, count=report.players))
        say("\n".join([*report.faults, "What led there:", *report.story, ""]))
    return reports


def _sum_up(outcomes: list[Outcome], reports: list[MonkeyReport]) -> None:
    if outcomes:
        plans = {outcome.plan.path for outcome in outcomes}
        failed = {outcome.plan.path for outcome in outcomes if outcome.failure}
        say(telling.report("plans run", count=len(plans), failed=len(failed) or "none"))
    if reports:
        faulty = sum(bool(report.faults) for report in reports)
        say(telling.report("games run", count=len(reports), faulty=faulty or "none"))


def _written(outcomes: list[Outcome], reports: list[MonkeyReport]) -> dict[str, Any]:
    return {
        "plans": [
            {
                "plan": outcome.plan.path.stem,
                "mode": outcome.mode,
                "passed": not outcome.failure,
                "failure": outcome.failure,
                "seconds": round(outcome.seconds, 2),
                "events": outcome.events,
            }
            for outcome in outcomes
        ],
        "random": [
            {
                "seed": report.seed,
                "players": report.players,
                "events": report.events,
                "ended": report.ended,
                "faults": report.faults,
                "story": report.story if report.faults else [],
            }
            for report in reports
        ],
    }
