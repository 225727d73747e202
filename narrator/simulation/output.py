"""What a rehearsal leaves behind: recording, captions, result, a picture of who spoke when."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from narrator.simulation.report import NARRATOR, Report, Uttered
from narrator.simulation.timeline import draw

CAPTION_GAP = 0.01
"""Seconds between captions of one voice, so that players of the format do not merge them."""


@dataclass(frozen=True, slots=True)
class Written:
    """Where the evening was put; None where there was nothing of the kind."""

    recording: Path | None
    captions: Path
    result: Path
    picture: Path


def write(
    folder: Path,
    report: Report,
    *,
    recorded: bool,
    title: str,
) -> Written:
    """Write captions, result and picture beside the recording. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    captions, result = folder / "evening.vtt", folder / "result.json"
    captions.write_text(webvtt(report.spoken), encoding="utf-8")
    result.write_text(
        json.dumps(report.to_dict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    picture = folder / "timeline.png"
    draw(picture, report, title=title)
    return Written(folder / "evening.wav" if recorded else None, captions, result, picture)


def webvtt(spoken: Sequence[Uttered]) -> str:
    """Return the evening as WebVTT captions, each with its voice."""
    lines = ["WEBVTT", ""]
    for said in sorted(spoken, key=lambda s: (s.begin, s.end)):
        end = max(said.end - CAPTION_GAP, said.begin + CAPTION_GAP)
        who = "Narrator" if said.who == NARRATOR else said.who
        lines += [
            f"{_stamp(said.begin)} --> {_stamp(end)}",
            f"<v {_escaped(who)}>{_escaped(said.text)}",
            "",
        ]
    return "\n".join(lines)


def _stamp(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{rest // 1000:02d}.{rest % 1000:03d}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
