"""Numbers that a step of chance is given: told while the script is checked, where that can be."""

from __future__ import annotations

from narrator.core.values import Constant, Expression
from narrator.script.compiler.builder import Builder
from narrator.script.reading.nodes import Scalar


def whole_within(b: Builder, number: Scalar, bounds: tuple[int, int], what: str) -> Expression:
    """Compile a whole number; one that is written out must lie within the bounds."""
    low, high = bounds
    text = number.text.strip()
    if not text.lstrip("-").isdecimal():
        return b.reference(number)
    if len(text) > len(str(high)) + 1 or not low <= int(text) <= high:
        b.report.add(
            "NS027", number.place, what=f"Between {low} and {high} {what}, not {text[:12]}"
        )
        return Constant(low)
    return Constant(int(text))
