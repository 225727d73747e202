"""Text as it may be shown: what could steer a terminal, turn the reading round or hide is escaped.

Titles, names, file names and settings come from outside; none of them may write more than signs.
"""

from __future__ import annotations

import unicodedata
from functools import cache

LONGEST_LINE = 2_000
"""Characters of one line that are shown; what is longer was no sentence, and nobody reads it."""
_LINE_SIGNS = "\n\t"
_JOINERS = "\u200c\u200d"
_FILLERS = frozenset(
    [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810),
     *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
)  # fmt: skip
"""Letters and marks that are drawn as nothing (Unicode's Default_Ignorable_Code_Point)."""
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control and format characters (the bidirectional ones, too), halves of one, private and unknown
ones, and the two separators that end a line."""


def shown(text: str) -> str:
    r"""Return a text whose every sign can be seen: others stand as `\x1b` or `\u202e`.

    Line ends and tabs stay, and so do the joiners where a script needs them.
    """
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        _escaped(sign) if _is_hidden(text, at) and sign not in _LINE_SIGNS else sign
        for at, sign in enumerate(text)
    )


def shown_in(text: str, encoding: str) -> str:
    """Return a text as `shown` does, with escapes for what an encoding cannot hold."""
    seen = shown(text)
    try:
        return seen.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return seen.encode("ascii", "backslashreplace").decode("ascii")


def shortened(text: str, longest: int = LONGEST_LINE) -> str:
    """Return a text whose lines are cut where they are too long to be read."""
    if len(text) <= longest:
        return text
    return "\n".join(
        line if len(line) <= longest else f"{line[: longest // 2]} ... {line[-(longest // 4) :]}"
        for line in text.split("\n")
    )


def hidden(text: str) -> str:
    """Return the first sign that cannot be seen, as it is shown; "" where there is none."""
    return next((_escaped(s) for at, s in enumerate(text) if _is_hidden(text, at)), "")


def json_safe(text: str, encoding: str = "utf-8") -> str:
    """Return JSON that says the same and can be printed anywhere."""
    plain = text.isascii() and text.replace("\n", "").isprintable()
    return text if plain else "".join(_json_sign(text, at, encoding) for at in range(len(text)))


def _json_sign(text: str, at: int, encoding: str) -> str:
    sign = text[at]
    if sign == "\n" or not (_is_hidden(text, at) or not _fits(sign, encoding)):
        return sign
    # JSON knows UTF-16 only: what lies beyond it is two escapes.
    data = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{data[i : i + 4]}" for i in range(0, len(data), 4))


def _fits(sign: str, encoding: str) -> bool:
    try:
        sign.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _is_hidden(text: str, at: int) -> bool:
    sign = text[at]
    if sign in _JOINERS:
        return not _joins(text, at)
    if sign in "\ufe0e\ufe0f":  # how the sign before is drawn: of a picture it may tell
        return at == 0 or unicodedata.category(text[at - 1])[0] != "S"
    return _is_unseen(sign)


@cache
def _is_unseen(sign: str) -> bool:
    return unicodedata.category(sign) in _UNSEEN or ord(sign) in _FILLERS


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands where Arabic letters, Indic conjuncts or pictures are written."""
    if at == 0 or at + 1 == len(text):
        return False
    before, after = text[at - 1], text[at + 1]
    if unicodedata.combining(before) == 9:  # a virama
        return True
    if "AL" == unicodedata.bidirectional(before) == unicodedata.bidirectional(after):
        return True
    picture = before == "\ufe0f" or unicodedata.category(before) in ("So", "Sk")
    return text[at] == "\u200d" and picture and unicodedata.category(after) == "So"


def _escaped(sign: str) -> str:
    number = ord(sign)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
