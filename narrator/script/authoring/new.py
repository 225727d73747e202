"""Writes a first script with a first test, both of which run, from a few answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from narrator.ports.errors import NarratorError
from narrator.script.compiler.declarations import MOST_PLAYERS

NAMES = ("Ana", "Ben", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal", "Ivy", "Jo", "Kim", "Lou")


LONGEST_TITLE = 100


class NewError(NarratorError):
    """A new script cannot be written."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an author's new script starts with."""

    title: str
    low: int = 3
    high: int = 8
    night: bool = False
    """A night with eyes closed, in which everybody has a turn."""
    talk: bool = False
    """A discussion with a timer."""
    vote: bool = True
    """A vote at the end, which decides who wins; otherwise points are given in rounds."""


def write_new(folder: Path, wishes: Wishes) -> list[Path]:
    """Write a script and its first test; return the files.

    Args:
        folder: is made; nothing in it is ever overwritten.
        wishes: what to begin with.

    Raises:
        NewError: the wishes are impossible, there is a game already, or nothing can be written.
    """
    if not any(map(str.isalnum, wishes.title)):
        raise NewError("A game needs a title with at least one letter.", "Give one with --title.")
    if len(wishes.title) > LONGEST_TITLE or not wishes.title.isprintable():
        raise NewError(
            f"A title has at most {LONGEST_TITLE} letters, on one line.", "Give one with --title."
        )
    if not 2 <= wishes.low <= wishes.high <= MOST_PLAYERS:
        raise NewError(
            f"{wishes.low} to {wishes.high} players cannot be.",
            f"Give two numbers from 2 to {MOST_PLAYERS}, the smaller one first.",
        )
    files = {folder / "game.yaml": script(wishes), folder / "tests" / "first.yaml": plan(wishes)}
    there = next((path for path in files if path.exists()), None)
    if there:
        raise NewError(f"{there} is there already.", "Name another folder, or move it away.")
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as fault:
        why = (fault.strerror or "it fails").lower()
        raise NewError(f"{folder} cannot be written: {why}.", "Name another folder.") from fault
    return list(files)


def script(wishes: Wishes) -> str:
    """Return the text of a script."""
    title = wishes.title.replace("\\", "\\\\").replace('"', '\\"')
    parts = [
        _HEAD.format(title=title, low=wishes.low, high=wishes.high),
        _OPTIONS_TALK if wishes.talk else "",
        "" if wishes.vote else _OPTIONS_ROUNDS if not wishes.talk else _MORE_ROUNDS,
        _SETUP,
        _NIGHT if wishes.night else "",
        _DAY if wishes.talk else "",
        _VOTE if wishes.vote else _ROUNDS,
    ]
    return "".join(parts)


def plan(wishes: Wishes) -> str:
    """Return the text of a test that plays the script once."""
    names = [NAMES[n] if n < len(NAMES) else f"Player {n + 1}" for n in range(wishes.low)]
    lines = [f"about: The smallest table plays once.\nplayers: [{', '.join(names)}]\n"]
    lines.append("settings: {dealer: Ana" + ("}" if wishes.vote else ", rounds: 1}") + "\nsteps:\n")
    lines.append("  - say: Ana deals.\n  - hear: ready\n")
    turns = [*names[1:], names[0]]
    if wishes.night:
        lines.append("  - say: All eyes closed.\n")
        lines += [_turn(name) for name in turns]
        lines.append("  - say: Everyone, open your eyes.\n")
    if wishes.talk:
        lines.append("  - hear: we are done\n")
    lines += _votes(names) if wishes.vote else _points(turns)
    return "".join(lines)


def _turn(name: str) -> str:
    return f"  - say: {name}, open your eyes.\n  - wait: 8s\n  - hear: done\n"


def _votes(names: list[str]) -> list[str]:
    votes = [f"{name}: {names[1] if name != names[1] else names[0]}" for name in names]
    most = names[1:2] if len(names) > 2 else names  # two players can only point at each other
    return [
        f"  - votes: {{{', '.join(votes)}}}\n",
        f"  - say: The most fingers point at {' and '.join(most)}.\n",
        f"  - expect: {{at: ended, result: {{winners: [{', '.join(most)}]}}}}\n",
    ]


def _points(names: list[str]) -> list[str]:
    asked = [f"  - say: {name}, how many points\n  - hear: {n}\n" for n, name in _numbered(names)]
    return [
        *asked,
        '  - say: "The points so far"\n',
        f"  - expect: {{at: ended, result: {{winners: [{names[-1]}]}}}}\n",
    ]


def _numbered(names: list[str]) -> list[tuple[str, str]]:
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return [(words[n] if n < len(words) else str(n + 1), name) for n, name in enumerate(names)]


_HEAD = """\
# A game for `narrator play`. Change it as you like; `narrator check` tells what is wrong with it,
# `narrator test` plays what stands in the folder tests.
narrator: 1
title: "{title}"
players: {{min: {low}, max: {high}}}

# A role that goes round the table from game to game.
posts:
  dealer: {{first: random, next game: left}}
"""
_OPTIONS_TALK = """
options:
  talk: {kind: duration, default: 3m, from: 30s, to: 30m, about: How long everybody may talk.}
"""
_ROUND = (
    "  rounds: {kind: number, default: 3, from: 1, to: 20, about: How many rounds are played.}\n"
)
_OPTIONS_ROUNDS = "\noptions:\n" + _ROUND
_MORE_ROUNDS = _ROUND
_SETUP = """
phases:
  setup:
    steps:
      - say: "{{ title }}, for {{ n }} players. {{ dealer }} deals."
      - ask: Say ready when we can begin.
        hear: ["[we are|i am|all] ready"]
"""
_NIGHT = """
  night:
    eyes: closed                # only what is asked for is heard, and repeat, pause and stop
    cover: on                   # a sound that masks what hands do
    steps:
      - say: Night. All eyes closed.
      - wait: 3s                # nobody can shorten a wait
      - for each: seat
        id: turns
        from: left_of(dealer)
        steps:
          - say: "{{ seat }}, open your eyes. Say done, and close them."
          - hear: [done]
            from: "{{ seat }}"
            not before: 3s
            nudge: {after: 30s, every: 30s, say: "{{ seat }}, eyes closed, then say done."}
          - wait: 2s
      - say: Everyone, open your eyes.
"""
_DAY = """
  day:
    steps:
      - timer: "{{ talk }}s"
        say: "You have {{ talk | minutes }} to talk. To stop early, say we are done."
        end early:
          hear: ["we are done"]
        ended: Time.
"""
_VOTE = """
  vote:
    steps:
      - vote: votes
        say: Point at one other player, and hold.
        countdown: [three, two, one, point]
        ask: "{{ seat }}, whom do you point at?"
        among: "{{ others(seat) }}"
        refuse: "{{ seat }}, one other player, please."
        read back: "{{ seat }} points at {{ votes[seat] }}."
      - set: {most: "{{ votes | tally | leaders }}"}
      - say: "The most fingers point at {{ most | names }}."

result:
  winners: "{{ most }}"
"""
_ROUNDS = """
  rounds:
    steps:
      - repeat: "{{ rounds }}"
        count: round
        steps:
          - say: "Round {{ round }}."
          - set: {gained: {}}
          - for each: seat
            from: left_of(dealer, round)
            steps:
              - ask: "{{ seat }}, how many points?"
                answer: number
                at most: 99
                into: gained[seat]
          - score: round
          - say: "The points so far: {{ totals | scores }}."

scoring:
  round:
    needs: {gained: numbers}
    give:
      points: "{{ gained }}"

result:
  winners: "{{ totals | leaders(at_least=0) }}"
"""
