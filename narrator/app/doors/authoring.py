"""What the commands for authors make of scripts and sheets."""

from __future__ import annotations

from narrator.script.authoring.botc import ImportFault, read_sheet, script_of
from narrator.script.authoring.new import Wishes, write_new
from narrator.script.authoring.score import score_case
from narrator.script.authoring.translate import Progress, translate
from narrator.script.compiler.builder import slug
from narrator.script.reading.models import schema

__all__ = [
    "ImportFault",
    "Progress",
    "Wishes",
    "read_sheet",
    "schema",
    "score_case",
    "script_of",
    "slug",
    "translate",
    "write_new",
]
