"""From nodes to the shapes of models.py; what does not fit becomes a diagnostic with its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from narrator.script.diagnostics.report import Report
from narrator.script.reading.fields import VERBS, VERBS_MEANT
from narrator.script.reading.models import ScriptShape
from narrator.script.reading.nodes import Items, Node, Scalar, Table, first_key
from narrator.script.reading.repair import repair, walk

MOST_REPAIRS = 6
"""How often what cannot be read is left out, so that the rest is checked all the same."""
FORMAT = 1
"""The newest format of scripts that this Narrator reads."""


def shaped(root: Table, report: Report) -> ScriptShape | None:
    """Return the script in shape; None, and diagnostics, where it has none."""
    if _too_new(root, report):
        return None
    for attempt in range(MOST_REPAIRS):
        try:
            return ScriptShape.model_validate(root, context=report)
        except ValidationError as fault:
            errors = fault.errors(include_url=False, include_context=False, include_input=False)
            for error in errors if not attempt else ():
                _tell(root, error["loc"], error["type"], str(error["msg"]), report)
            repaired = [repair(root, error["loc"], report) for error in errors]
            if not all(repaired):
                return None
    return None


def _too_new(root: Table, report: Report) -> bool:
    node = root.get("narrator")
    if not isinstance(node, Scalar) or not node.text.isdecimal() or int(node.text) == FORMAT:
        return False
    report.add("NS025", node.place, found=node.text)
    return True


def _tell(root: Table, loc: Sequence[str | int], kind: str, message: str, report: Report) -> None:
    node, place = walk(root, loc)
    if kind == "missing":
        report.add("NS021", place, key=loc[-1])
    elif kind.startswith("union_tag"):
        _unknown_step(node, report)
    elif kind == "NS028":
        report.add("NS028", place, word=_written(node))
    elif kind == "NS022":
        report.add("NS022", place, wanted=message, found=_found(node), cure=_cure(message, node))
    else:
        wanted = {"list_type": "a list (lines that begin with `- `)", "dict_type": "a mapping"}
        report.add("NS022", place, wanted=wanted.get(kind, "something else"), found=_found(node))


def _unknown_step(node: Node, report: Report) -> None:
    if isinstance(node, Scalar):
        cure = f'Did you mean `- say: "{node.text}"`?'
        report.add("NS023", node.place, what=f"the text `{node.text[:40]}`", cure=cure)
    elif isinstance(node, Table) and node:
        key = first_key(node) or next(iter(node))
        belongs = key in ("else", "then", "steps", "otherwise")
        cure = f"`{key}:` belongs to the step before it: indent it as far as its first key."
        near = None if belongs else (VERBS_MEANT.get(key, key), VERBS)
        report.add("NS023", node.keys_at[key], what=f"`{key}`", near=near,
                   cure=cure if belongs else "")  # fmt: skip
    else:
        report.add(
            "NS023",
            node.place,
            what=_found(node),
            cure="A step begins with `- say:` or a similar key.",
        )


def _written(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else _found(node)


def _found(node: Any) -> str:
    if isinstance(node, Scalar):
        return f"`{node.text[:40]}`" if node.text else "nothing"
    return "a list" if isinstance(node, Items) else "a mapping"


def _cure(message: str, node: Node) -> str:
    if message == "a text" and isinstance(node, (Table, Items)):
        return "If this is text, put it in double quotes."
    return ""
