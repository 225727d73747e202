"""Rehearse games in real sound at their smallest and largest tables: tools/bench rehearsals.

For each: how long it played, what had to be said again or typed, what was misheard and put right,
and whether the result is the one that the same answers give by text. Recordings, captions and
results stay in the folder that is named (build/rehearsals).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NAMES = (
    "Robert Julia Benjamin Olivia Thomas Emma Daniel Sophie Victor Laura Martin Helen Oscar Nina "
    "George Alice Simon Clara Walter Irene"
).split()
TABLES = (
    "one-night-revolution:3 one-night-revolution:10 subtext:4 subtext:8 detective-club:4 "
    "detective-club:8 one-missing-briefing:4 one-missing-briefing:12 two-truths-and-a-lie:3 "
    "two-truths-and-a-lie:12 fictionary:4 fictionary:10 mafia:5 mafia:18 scorekeeper:2 "
    "scorekeeper:20"
).split()
COLUMNS = "{:22} {:>7} {:>9} {:>7} {:>7} {:>5} {:>5} {:>8}  {}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="*", default=TABLES, help="GAME:PLAYERS")
    parser.add_argument("--seed", default="5")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "rehearsals")
    given = parser.parse_args()
    print(
        COLUMNS.format(
            "game", "players", "play", "took", "answers", "again", "typed", "misheard", "result"
        )
    )
    for table in given.tables:
        game, _, players = table.partition(":")
        tell(game, int(players), given.seed, given.folder / f"{game}-{players}")


def tell(game: str, players: int, seed: str, folder: Path) -> None:
    """Rehearse one table and print its line."""
    began = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    common = ["--players", ", ".join(NAMES[:players]), "--seed", seed]
    sound = rehearse(game, *common, "--out", str(folder))
    took = time.monotonic() - began
    answers = sound.get("answers", [])
    lines = folder / "answers.json"
    lines.write_text(json.dumps(agreed(answers)), encoding="utf-8")
    text = rehearse(
        game, *common, "--text", "--answers", str(lines), "--out", str(folder / "by-text")
    )
    same = "the same by text" if sound["result"] == text["result"] else "ANOTHER by text"
    ended = same if sound["ended"] == "complete" else f"{sound['ended']}: {sound['faults'][:1]}"
    print(
        COLUMNS.format(
            game,
            players,
            f"{sound['seconds'] / 60:.1f} min",
            f"{took:.0f} s",
            len(answers),
            sum(a["tries"] > 1 for a in answers),
            sum(a["typed"] for a in answers),
            sum(a["value"] != a["meant"] for a in answers),
            ended,
        ),
        flush=True,
    )


def agreed(answers: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return what was said in the end, without what was misheard and its corrections."""
    return [
        {"at": answer["step"], "say": answer["said"]}
        for answer in answers
        if answer["value"] == answer["meant"]
        and not (answer["of_what_was_read_back"] and answer["value"] is not True)
    ]


def rehearse(game: str, *arguments: str) -> dict[str, Any]:
    """Run `narrator rehearse` and give its report."""
    command = [sys.executable, "-m", "narrator.cli.main", "rehearse", game, *arguments, "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        report: dict[str, Any] = json.loads(ran.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{game}: {ran.stderr.strip()[-300:]}")
    return report


if __name__ == "__main__":
    main()
