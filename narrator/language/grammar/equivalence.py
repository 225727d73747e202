"""Which transcripts are one and the same answer, so that the runner-up is really another."""

from __future__ import annotations

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_UNITS)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_HOMOPHONES = {"oh": 0, "o": 0, "to": 2, "too": 2, "for": 4, "ate": 8, "won": 1}


def same_key(text: str, *, homophones: bool = False) -> str:
    """Return the form that equal answers share: `twenty one`, `Twenty-one` and `21` all give `21`.

    Args:
        text: Words.
        homophones: Whether words that sound like a number are taken for it, as where nothing but
            numbers is heard: no sound can tell `two` from `to`. In a sentence they may differ in
            meaning, and only its grammar can tell.
    """
    values = _VALUES | _HOMOPHONES if homophones else _VALUES
    keys: list[str] = []
    total = -1
    for word in text.lower().replace("-", " ").split():
        value = values.get(word, int(word) if word.isascii() and word.isdigit() else -1)
        joined = _join(total, word, value)
        if joined < 0 <= total:
            keys.append(str(total))
        if joined >= 0:
            total = joined
        else:
            total = value
            if value < 0 and word != "and":
                keys.append(word)
    return " ".join([*keys, str(total)] if total >= 0 else keys)


def _join(total: int, word: str, value: int) -> int:
    """Return the number that goes on with this word, or -1 where the word begins something new."""
    if total < 0:
        return -1
    if word == "hundred":
        return total * 100 if total < 100 else -1
    if word == "thousand":
        return total * 1000 if total < 1000 else -1
    if word == "and" and total >= 100:
        return total
    tens_then_unit = total % 100 >= 20 and total % 10 == 0 and 0 < value < 10
    hundreds_then_rest = total >= 100 and total % 100 == 0 and 0 < value < 100
    return total + value if tens_then_unit or hundreds_then_rest else -1
