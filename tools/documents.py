"""Write the documents that are made from the program, or tell which are no longer true.

    python -m tools.documents [--check]

docs/cli.md comes from `--help`, the tables of commands and keys in README.md from the command line
and narrator/session/keys.py, and narrator/script/diagnostics/descriptors.py from the pages in
docs/errors/, which are the source of every message (a wheel has no docs folder). docs/licences.md
comes from the locks and from what the packages tell of themselves.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import click

from narrator.cli.main import ENTRIES, EXIT_CODES, GROUPS
from narrator.script.files.locales import load_locale
from narrator.session.keys import CONTROLS, TALK_LETTER, words
from tools import licences

ROOT = Path(__file__).resolve().parent.parent
CLI = ROOT / "docs" / "cli.md"
README = ROOT / "README.md"
LICENCES = ROOT / "docs" / "licences.md"
ERRORS = ROOT / "docs" / "errors"
DESCRIPTORS = ROOT / "narrator" / "script" / "diagnostics" / "descriptors.py"
FIELDS = ("code", "title", "severity", "message", "cure")
FIELD = re.compile(r"^(\w+): (.+)$", re.MULTILINE)
WIDTH = 100


def documents() -> dict[Path, str]:
    """Return every generated file with what belongs into it."""
    return {
        CLI: command_page(),
        README: readme(),
        DESCRIPTORS: descriptors(),
        LICENCES: licences.page(),
    }


# --- the command line


def command_page() -> str:
    """Return docs/cli.md."""
    exits = EXIT_CODES.replace("\b\n", "")
    parts = [
        "# The command line\n",
        "Made from `--help` by `tools/docs`; edit the commands, not this page.\n",
        f"```text\n{exits}\n```\n",
    ]
    for group in GROUPS:
        parts.append(f"## {group.title}\n")
        for name, entry in group.commands.items():
            parts += _sections(name, entry.load(), None)
    return "\n".join(parts)


def _sections(name: str, command: click.Command, parent: click.Context | None) -> list[str]:
    above = parent or click.Context(click.Command("narrator"), info_name="narrator")
    context = click.Context(
        command, info_name=name, parent=above, terminal_width=WIDTH, max_content_width=WIDTH
    )
    sections = [f"### {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"]
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                sections += _sections(inner, found, context)
    return sections


# --- the tables of the README


def readme() -> str:
    """Return README.md with its two tables as the program has them."""
    text = README.read_text(encoding="utf-8")
    for name, rows in (("commands", _command_rows()), ("keys", _key_rows())):
        begin, end = f"<!-- {name}, by tools/docs -->\n", f"<!-- end of {name} -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise SystemExit(f"README.md has no place for the table of {name}.")
        text = before + begin + "\n".join(rows) + "\n" + end + after
    return text


def _command_rows() -> list[str]:
    rows = ["| command | what it does |", "|---|---|"]
    for name, entry in ENTRIES.items():
        command = entry.load()
        pieces = command.collect_usage_pieces(click.Context(command))
        usage = " ".join([name, *(piece for piece in pieces if piece != "[OPTIONS]")])
        usage = usage.replace("|", "\\|")
        rows.append(f"| `{usage}` | {entry.help.rstrip('.')} |")
    return rows


def _key_rows() -> list[str]:
    rows = ["| say or type | key | letter and Enter |", "|---|---|---|"]
    messages = load_locale("en").messages
    rows.append(f"| {messages.line('key talk')} | Tab | {TALK_LETTER} |")
    for control in CONTROLS:
        row = f"| {words(control, messages)} | {control.at_once} | {control.letter} |"
        rows.append(row.replace("|  |", "| |"))
    return rows


# --- the messages about scripts


def descriptors() -> str:
    """Return narrator/script/diagnostics/descriptors.py."""
    lines = [
        "# ruff: noqa: E501 - a table of messages, one a line",
        '"""Every message about scripts. Made from docs/errors/ by `tools/docs`: edit those."""',
        "",
        "# fmt: off",
        "ROWS: tuple[tuple[str, str, str, str, str], ...] = (",
    ]
    for page in sorted(ERRORS.glob("NS*.md")):
        head = page.read_text(encoding="utf-8").split("---")[1]
        found = dict(FIELD.findall(head))
        if found.get("code") != page.stem:
            raise SystemExit(f"{page.name} is about another code.")
        words = [_text(found.get(name, '""')) for name in FIELDS]
        lines.append(f"    ({', '.join(json.dumps(word, ensure_ascii=False) for word in words)}),")
    lines += [")", "# fmt: on", '"""Code, title, severity, message with its fields, cure."""']
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    return str(json.loads(value)) if value.startswith('"') else value


def main(arguments: list[str]) -> int:
    """Write what has changed, or only tell it."""
    stale = [
        path
        for path, text in documents().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
    if "--check" in arguments:
        print(f"No longer true: {names}. Run tools/docs." if stale else "Every document is true.")
        return 1 if stale else 0
    for path, text in documents().items():
        if path in stale:
            path.write_text(text, encoding="utf-8")
    print(f"Written: {names}." if stale else "Nothing has changed.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
