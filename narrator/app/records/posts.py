"""Posts that go round from game to game: who is Controller next was announced at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from narrator.core.engine import Engine
from narrator.core.events import Start
from narrator.core.game import Game, Post
from narrator.core.record import Record
from narrator.core.values import Seat, Value

_STEPS = {"left": 1, "right": -1, "stays": 0}
_SHARED = 0.5
"""How much of today's table must have sat at the earlier one for the two to be one group."""


def carried_on(game: Game, seats: Sequence[Seat], earlier: Iterable[Record]) -> dict[str, Value]:
    """Return who holds each post now, as the last finished game of this group left it.

    Where the next holder has left, the post goes on past the empty seat; who came since takes
    part from where they sit.

    Args:
        game: What is to be played.
        seats: Today's table, clockwise.
        earlier: Evenings of the same game, the newest first.
    """
    names = [seat.name for seat in seats]
    last = next((r for r in earlier if _is_group(r, names)), None)
    if last is None or not game.posts:
        return {}
    held = _held(game, last)
    found = {
        post.name: _next(post, held.get(post.name), last.names(), names) for post in game.posts
    }
    return {name: holder for name, holder in found.items() if holder is not None}


def _is_group(record: Record, names: Sequence[str]) -> bool:
    shared = set(record.names()) & set(names)
    return record.ended == "complete" and len(shared) > _SHARED * len(names)


def _held(game: Game, record: Record) -> Mapping[str, Value]:
    """Return who held the posts of an evening: they are drawn from its seed, or were chosen."""
    opening = record.opening
    engine = Engine(game, opening.seats, seed=opening.seed, settings=opening.options)
    engine.step(Start(), 0.0)
    return engine.state.posts


def _next(post: Post, holder: Value, then: Sequence[str], now: Sequence[str]) -> str | None:
    """Return the first of today's table on the post's way round the table of then."""
    if holder not in then:
        return None
    step = _STEPS[post.next]
    place = then.index(str(holder)) + step
    way = range(len(then))
    around = (then[(place + (step or 1) * number) % len(then)] for number in way)
    return next((name for name in around if name in now), None)
