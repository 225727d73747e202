"""Reads the translations beside a script, and tells what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from narrator.core.game import Place
from narrator.files.bounded import read_bytes, reason
from narrator.script.compiler.own_lines import locale_of
from narrator.script.compiler.wording import Entry, Translation, Wording, own_text, phrases_of
from narrator.script.diagnostics.report import Report
from narrator.script.files.locales import languages
from narrator.script.reading.nodes import Items, Node, Scalar, Table, decode, read

KINDS = ("lines", "phrases")
"""The files of a translation: `lines.de.yaml` and `phrases.de.yaml`."""
_COMMENT = re.compile(r"^\s*#\s?(.*)$")


def file_of(script: Path, kind: str, language: str) -> Path:
    """Return the path of a translation's file, whether there is one or not."""
    return script.parent / f"{kind}.{language}.yaml"


def translated_into(script: Path) -> list[str]:
    """Return the languages that a script is translated into, wholly or in part."""
    found = {
        path.name.split(".")[1] for kind in KINDS for path in script.parent.glob(f"{kind}.*.yaml")
    }
    return sorted(found)


def read_translation(script: Path, language: str, report: Report) -> Translation | None:
    """Read the translation of a script; None where it has no file. Faults go into the report."""
    found: dict[str, dict[str, Entry]] = {}
    for kind in KINDS:
        path = file_of(script, kind, language)
        if path.is_file():
            found[kind] = _entries(path, kind, report)
    return Translation(language, **found) if found else None


def _entries(path: Path, kind: str, report: Report) -> dict[str, Entry]:
    own = Report(file=str(path))
    try:
        text = decode(read_bytes(path), own)
    except OSError as fault:
        text = None
        own.add("NS009", Place(own.file, 1, 1), what=reason(fault))
    if text is not None and not _is_blank(text):
        table = read(text, own)
    else:
        table = None
    report.include(own)
    return dict(_checked(table, kind, report)) if table is not None else {}


def _is_blank(text: str) -> bool:
    return all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines())


def _checked(table: Table, kind: str, report: Report) -> Iterator[tuple[str, Entry]]:
    for key, node in table.items():
        place = table.keys_at[key]
        wanted = "a text" if kind == "lines" else "a phrase, or a list of phrases"
        if isinstance(node, Scalar) or (kind == "phrases" and _is_list(node)):
            yield key, Entry(node, place, _original(place, report))
        else:
            found = "a list" if isinstance(node, Items) else "a mapping"
            report.add("NS022", place, wanted=wanted, found=found)


def _is_list(node: Node) -> bool:
    return isinstance(node, Items) and all(isinstance(item, Scalar) for item in node)


def _original(place: Place, report: Report) -> str:
    """Return the comment directly above a line, in one line."""
    lines = report.lines_of(place.file)
    words: list[str] = []
    for line in reversed(lines[: place.line - 1]):
        comment = _COMMENT.match(line)
        if not comment:
            break
        words.insert(0, comment[1])
    return " ".join(" ".join(words).split())


def check_translation(report: Report, wording: Wording, script: Path, language: str) -> None:
    """Report what a translation lacks, what is superfluous, and what is out of date."""
    translation = wording.translation
    if translation is None:
        first = next(iter(wording.lines.values()), None)
        place = first.place if first else Place(report.file, 1, 1)
        name = file_of(script, "lines", language).name
        cure = f"Write one with `narrator translate {script.parent.name} {language}`."
        report.add("NS070", place, cure=cure, language=language, file=name)
        return
    if locale_of(language) is None:
        paths = (file_of(script, kind, language) for kind in KINDS)
        place = next(Place(str(path), 1, 1) for path in paths if path.is_file())
        report.add("NS074", place, language=language, known=", ".join(languages()))
    _compare(report, "lines", wording.lines, translation.lines, language)
    _compare(report, "phrases", wording.phrases, translation.phrases, language)


def _compare(
    report: Report,
    kind: str,
    own: Mapping[str, Scalar | tuple[Scalar, ...]],
    entries: Mapping[str, Entry],
    language: str,
) -> None:
    for name, entry in entries.items():
        if name not in own:
            report.add("NS072", entry.place, name=name, near=(name, set(own) - set(entries)))
        elif is_changed(entry, own[name]):
            report.add("NS073", entry.place, name=name, own=_short(own_text(own[name])))
    for name in missing(own, entries):
        words = own[name]
        place = words.place if isinstance(words, Scalar) else words[0].place
        report.add("NS071", place, name=name, file=f"{kind}.{language}.yaml")


def is_changed(entry: Entry, words: Scalar | Sequence[Scalar]) -> bool:
    """Whether the game says something else than what was translated."""
    is_done = bool(phrases_of(entry.node))
    return is_done and entry.original not in ("", own_text(words))


def missing(own: Mapping[str, object], entries: Mapping[str, Entry]) -> list[str]:
    """Return the ids that have no translation, or an empty one."""
    return [name for name in own if name not in entries or not phrases_of(entries[name].node)]


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def template(
    own: Mapping[str, Scalar | Sequence[Scalar]], entries: Mapping[str, Entry], head: Sequence[str]
) -> str:
    """Write a translation's file: every id, the game's own words above it, and what there is.

    Args:
        own: the game's own words, by id.
        entries: what is translated so far; an entry of what the game has no more is left out.
        head: comment lines for the top.
    """
    blocks = ["\n".join(f"# {line}" for line in head)]
    for name, words in own.items():
        done = phrases_of(entries[name].node) if name in entries else []
        comment = "\n".join(f"# {line}" for line in _wrapped(own_text(words)))
        if name in entries and is_changed(entries[name], words):
            # The old comment stays, so that it is told of until somebody has looked at it.
            comment = "\n".join(f"# {line}" for line in _wrapped(entries[name].original))
        blocks.append(f"{comment}\n{_key(name)}: {_value(done, isinstance(words, Scalar))}")
    return "\n\n".join(blocks) + "\n"


def _wrapped(text: str, width: int = 96) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w./-]+", name) and not name[0].isdigit() else _quoted(name)


def _value(done: Sequence[Scalar], is_line: bool) -> str:
    if is_line:
        return _quoted(done[0].text) if done else '""'
    return f"[{', '.join(_quoted(word.text) for word in done)}]"


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'
