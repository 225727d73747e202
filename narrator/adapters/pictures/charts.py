"""Results over evenings as charts: wins by player, and points of each game over time.

matplotlib draws them; it is an extra, and loaded only here.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narrator.ports.errors import NarratorError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = "osD^vPX*<>"
LINES = ("-", "--", "-.", ":")
"""Players are told apart by mark and kind of line, and named at the end of theirs: colour alone
tells nothing."""
_FONTS = ["DejaVu Sans", "Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic", "Apple SD Gothic Neo"]
"""The library's own, and behind it those of Linux, Windows and macOS with Korean letters."""
_WIDTH = 9.0
"""Inches: what fits a telephone held upright and an A4 page."""
_DPI = 120
_HEAD, _ROW, _CHART = 0.9, 0.38, 3.6
"""Inches for the title, for each player's bar, and for each game's chart."""
_MOST_GAMES = 6
"""Charts of points in one picture; the games played most often are drawn."""


class ChartError(NarratorError):
    """No chart can be drawn."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class GamePoints:
    """What was scored in one game: by player, the number of the evening and the points."""

    title: str
    dates: Sequence[str]
    """Of the evenings, the oldest first."""
    points: Mapping[str, Sequence[tuple[int, float]]]
    """The place of the evening among the dates, and the points."""


@dataclass(frozen=True, slots=True)
class Wins:
    """One player's games."""

    name: str
    won: int
    played: int


def draw_charts(title: str, wins: Sequence[Wins], games: Sequence[GamePoints], path: Path) -> None:
    """Draw wins by player and the points of each game to a PNG file.

    Args:
        title: Stands above it.
        wins: Of every player, in the order in which they are drawn.
        games: Those that have points.
        path: Of the file.

    Raises:
        ChartError: matplotlib is not installed.
        OSError: The file cannot be written.
    """
    shown = sorted(games, key=lambda game: -len(game.dates))[:_MOST_GAMES]
    heights = [_HEAD + _ROW * len(wins), *(_CHART for _ in shown)]
    figure = _figure(sum(heights) + 0.6)
    figure.suptitle(title, fontsize=16, fontweight="bold")
    axes: Any = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)
    _draw_wins(axes[0, 0], wins)
    for number, game in enumerate(shown, 1):
        _draw_points(axes[number, 0], game)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that no font here has is drawn as a box
        figure.savefig(path, dpi=_DPI, format="png")


def _figure(height: float) -> Figure:
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of caches and fonts
    try:
        from matplotlib import font_manager, rcParams
        from matplotlib.figure import Figure
    except ImportError as fault:
        raise ChartError(
            "The library that draws charts is not installed.",
            "Install it with: pip install 'narrator[pictures]'.",
        ) from fault
    there = set(font_manager.get_font_names())
    rcParams["font.family"] = [name for name in _FONTS if name in there]
    return Figure(figsize=(_WIDTH, height), layout="constrained")


def _draw_wins(axes: Axes, wins: Sequence[Wins]) -> None:
    from matplotlib.ticker import MaxNLocator

    places = range(len(wins))
    axes.barh(places, [w.played for w in wins], color="#dfe5ec", edgecolor="#7b8794", hatch="//")
    axes.barh(places, [w.won for w in wins], color="#1f5fa8", edgecolor="#1b1b1b")
    axes.set_yticks(places, [w.name for w in wins])
    axes.invert_yaxis()
    most = max([1, *(w.played for w in wins)])
    for place, w in zip(places, wins, strict=True):
        axes.text(w.played + most * 0.015, place, f"{w.won} of {w.played} won", va="center")
    axes.set_xlim(0, most * 1.25)
    axes.set_title("Games won, of those played", loc="left")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _plain(axes)


def _draw_points(axes: Axes, game: GamePoints) -> None:
    for number, (name, line) in enumerate(game.points.items()):
        places, values = zip(*line, strict=True)
        axes.plot(
            places, values, marker=MARKS[number % len(MARKS)], label=name,
            linestyle=LINES[number // 2 % len(LINES)],
        )  # fmt: skip
    axes.set_title(f"{game.title}: points", loc="left")
    axes.set_xticks(*_dates(game.dates))
    axes.margins(x=0.05, y=0.12)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    axes.grid(axis="y", color="#dddddd")
    _plain(axes)


def _dates(dates: Sequence[str], most: int = 6) -> tuple[list[int], list[str]]:
    """Return where dates stand, and which: as many as fit beside each other."""
    step = -(-len(dates) // most)
    places = list(range(0, len(dates), step))
    return places, [dates[place] for place in places]


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
