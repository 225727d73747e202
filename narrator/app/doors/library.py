"""Games, tables and other files, as the commands read them."""

from __future__ import annotations

from narrator.files.bounded import LONGEST, parse_json, read_text, reason, why
from narrator.language.locale import Locale
from narrator.language.names.check import Finding
from narrator.language.names.refusal import refusal
from narrator.script.diagnostics.report import Diagnostic, did_you_mean
from narrator.script.expressions.duration import parse_duration
from narrator.script.files.library import find_script, list_scripts
from narrator.script.files.lists import read_list
from narrator.script.files.locales import load_locale
from narrator.script.files.table import TableFile, read_table
from narrator.script.reading.quick_yaml import load_bounded

__all__ = [
    "LONGEST",
    "Diagnostic",
    "Finding",
    "Locale",
    "TableFile",
    "did_you_mean",
    "find_script",
    "list_scripts",
    "load_bounded",
    "load_locale",
    "parse_duration",
    "parse_json",
    "read_list",
    "read_table",
    "read_text",
    "reason",
    "refusal",
    "why",
]
