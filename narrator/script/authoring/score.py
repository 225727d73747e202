"""Working out one case of a game's scoring, without playing: what `narrator score` does."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.core.game import Game, Need, Scoring
from narrator.core.steps.values import scoring as rules
from narrator.core.values import ExpressionError, Seat, Value
from narrator.language.names.refusal import refusal
from narrator.script.compiler.own_lines import locale_to_check_with

MAPS = ("votes", "numbers", "letters")


class _Refused(Exception):
    """Why the input is refused, in one plain sentence."""


def score_case(game: Game, inputs: Mapping[str, Value]) -> dict[str, Value]:
    """Return what the game's scoring makes of one input.

    Of the scorings whose needs are all given, the one that needs most is taken, and of those the
    first whose `if:` holds.

    Args:
        game: a compiled script.
        inputs: by the names of `needs`; and `seats`, the names clockwise. Without `seats` they are
            those that the maps of the input name, in their order.

    Returns:
        The keys of `give`; or `refused` alone, with the reason in plain words.
    """
    try:
        return dict(_scored(game, inputs))
    except _Refused as refused:
        return {"refused": str(refused)}
    except ExpressionError as fault:
        return {"refused": f"This cannot be scored: {fault}."}


def _scored(game: Game, inputs: Mapping[str, Value]) -> Mapping[str, Value]:
    seats = _seats(game, inputs)
    known = {need.name for scoring in game.scorings for need in scoring.needs}
    unknown = [key for key in inputs if key not in known | {"seats", "n", "totals"}]
    if unknown:
        raise _Refused(f"Nothing in this game is called {unknown[0]}.")
    fault: _Refused | None = None
    for scoring in _candidates(game, inputs):
        scope = _scope(game, scoring, inputs, seats)
        try:
            _valid(scoring, inputs, seats)
        except _Refused as refused:
            fault = fault or refused
            continue
        if not rules.applies(scoring, scope):
            continue
        outcome = rules.apply(scoring, scope)
        if outcome.refused:
            raise _Refused(outcome.refused)
        return outcome.values
    raise fault or _Refused(_lacking(game, inputs))


def _seats(game: Game, inputs: Mapping[str, Value]) -> list[str]:
    given = inputs.get("seats")
    if given is None:
        return _named(game, inputs)
    if not isinstance(given, list) or not all(isinstance(seat, str) for seat in given):
        raise _Refused("The seats should be a list of names.")
    seats = [str(seat) for seat in given]
    if not game.low <= len(seats) <= game.high:
        raise _Refused(f"{len(seats)} players are not {game.low} to {game.high}.")
    table = [Seat(number, name) for number, name in enumerate(seats, 1)]
    refused = refusal(table, locale_to_check_with(game.language))
    if refused:
        raise _Refused(refused)
    return seats


def _named(game: Game, inputs: Mapping[str, Value]) -> list[str]:
    found: dict[str, None] = {}
    for value in inputs.values():
        if isinstance(value, Mapping):
            found |= dict.fromkeys(value)
    for scoring in game.scorings:
        for need in scoring.needs:
            value = inputs.get(need.name)
            if need.kind == "seat" and isinstance(value, str):
                found.setdefault(value)
    return list(found)


def _candidates(game: Game, inputs: Mapping[str, Value]) -> list[Scoring]:
    """Return the scorings that could be meant: those with the most needs first."""
    fitting = [
        scoring
        for scoring in game.scorings
        if all(need.optional or need.name in inputs for need in scoring.needs)
    ]
    return sorted(fitting, key=lambda s: -sum(need.name in inputs for need in s.needs))


def _lacking(game: Game, inputs: Mapping[str, Value]) -> str:
    if not game.scorings:
        return "This game has no scoring."
    best = max(game.scorings, key=lambda s: sum(need.name in inputs for need in s.needs))
    lacking = [n.name for n in best.needs if not n.optional and n.name not in inputs]
    return f"The input lacks {', '.join(lacking)}." if lacking else "No scoring fits this input."


def _scope(
    game: Game, scoring: Scoring, inputs: Mapping[str, Value], seats: list[str]
) -> dict[str, Value]:
    names: list[Value] = list(seats)
    zero: dict[str, Value] = dict.fromkeys(seats, 0)
    scope: dict[str, Value] = {"seats": names, "n": len(seats), "title": game.title, "totals": zero}
    for option in game.options:
        scope[option.name] = option.default(scope)
    return scope | {k: v for k, v in inputs.items() if k != "seats"}


def _valid(scoring: Scoring, inputs: Mapping[str, Value], seats: list[str]) -> None:
    for need in scoring.needs:
        value = inputs.get(need.name)
        if value is None:
            continue
        wrong = _wrong(need, value, seats)
        if wrong:
            raise _Refused(f"{need.name}: {wrong}.")


def _wrong(need: Need, value: Value, seats: list[str]) -> str:
    """Say what is wrong with a value of the input; empty where nothing is."""
    if need.kind in MAPS:
        return _wrong_map(need, value, seats)
    if need.kind == "seats":
        if not isinstance(value, list):
            return "a list of seats is wanted"
        if len({str(seat) for seat in value}) < len(value):
            return "a seat is named twice"
        return next((w for w in (_no_seat(seat, seats) for seat in value) if w), "")
    if need.kind == "seat":
        return _no_seat(value, seats)
    return _wrong_single(need, value)


def _wrong_single(need: Need, value: Value) -> str:
    if need.kind == "yesno":
        return "" if isinstance(value, bool) else "yes or no is wanted"
    if need.kind == "number":
        return "" if _is_number(value) else "a number is wanted"
    if need.kind == "letter":
        return "" if isinstance(value, str) and len(value) == 1 else "a letter is wanted"
    return "" if value in need.choices else f"{value} is not one of {', '.join(need.choices)}"


def _wrong_map(need: Need, value: Value, seats: list[str]) -> str:
    if not isinstance(value, Mapping):
        return "something for each seat is wanted"
    for seat, entry in value.items():
        wrong = _no_seat(seat, seats)
        if need.kind == "votes" and entry is not None:
            wrong = wrong or _no_seat(entry, seats)
        if need.kind == "numbers" and not _is_number(entry):
            wrong = wrong or f"{entry} is not a number"
        if wrong:
            return wrong
    return ""


def _no_seat(value: Value, seats: list[str]) -> str:
    return "" if value in seats else f"there is no seat called {value}"


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
