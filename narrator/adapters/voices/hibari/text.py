"""What hibari is given to read: sentences, with the sounds of what it would mispronounce inline."""

from __future__ import annotations

import re

LONGEST = 300
"""Phonemes rendered at once: memory grows with their square, 5,000 take 2.3 GB."""
NAMES = {
    "Anna": "ˈænə", "Aoife": "ˈifə", "Chloe": "klˈOi", "Chloë": "klˈOi", "Joaquin": "wɑkˈin",
    "Joaquín": "wɑkˈin", "Niamh": "nˈiv", "Saoirse": "sˈɪɹʃə", "Sean": "ʃˈɔn", "Seán": "ʃˈɔn",
    "Siobhan": "ʃɪvˈɔn", "Siobhán": "ʃɪvˈɔn", "Zoe": "zˈOˌi", "Zoë": "zˈOˌi",
}  # fmt: skip
"""Names that its own lexicon or eSpeak's rules get wrong, by how their bearers say them."""
LETTERS = {"A": "[A](/ˈA/)", "Z": "[Z](/zzˈi/)"}
"""Letters with their sounds: "A" would be the article; "letter Z" is heard as "letters E" or
"letter C" without a pause and a longer buzz."""
_TITLES = {"dr", "mr", "mrs", "ms", "st", "vs", "no"}
_END = re.compile(r"(?<=[.!?…])[\"'\u201d\u2019)\]]*\s+(?=\S)|\n+")
_INITIAL = re.compile(r"\b(\w+)\.[\"'\u201d\u2019)\]]*$")
_LETTER = re.compile(r"(?<![\w'\u2019\[(/.-])[A-Z](?![\w'\u2019\]/-])")
_RUNS_ON = re.compile(r"[\w'\u2019)] $")
_LETTERS = re.compile(r"\b(letters?|team|group|row|plan|to|or|and|from) $", re.IGNORECASE)
"""Words after which a letter is expected and is understood without a pause."""
_WORD = re.compile(r"(?<![\w'\u2019\[/])[A-ZÀ-ÖØ-Þ][\w'\u2019]*(?![\w\]])")
_COMMA = "\ue000"
"""Stands for a comma that goes before the space that is there already."""
_NOT_TEXT = re.compile(r"[\[\]()<>{}\x00-\x1f\u200d\ud800-\udfff]+")


def sentences(text: str) -> list[str]:
    """Divide a text after each sentence; `A. Ana` is two, for a letter is no initial here."""
    found: list[str] = []
    begin = 0
    for end in _END.finditer(text):
        part = text[begin : end.start()].strip()
        word = _INITIAL.search(part)
        if word and word[1].lower() in _TITLES:
            continue
        found.append(part)
        begin = end.end()
    return [part for part in (*found, text[begin:].strip()) if part]


def readable(sentence: str) -> str:
    """Return a sentence without signs that would be read as markup or not at all."""
    return " ".join(_NOT_TEXT.sub(" ", sentence).split())


def with_sounds(sentence: str) -> str:
    """Return a sentence in which the names in NAMES and the LETTERS carry their sounds, and in
    which a letter has a pause before it: "guessed C" would be heard as "guessie".

    Args:
        sentence: As it is written, see `readable`.
    """

    def name(found: re.Match[str]) -> str:
        word = found[0]
        bare = re.sub(r"['\u2019]s$", "", word)
        ending = "" if bare == word else "z"
        return f"[{word}](/{NAMES[bare]}{ending}/)" if bare in NAMES else word

    def letter(found: re.Match[str]) -> str:
        before = found.string[: found.start()]
        # "I" is mostly no letter; at the beginning "A" is the article where a word follows.
        if found[0] == "I" or (not before and re.match(r"A\s+[a-z]", sentence)):
            return found[0]
        expected = _LETTERS.search(before) and found[0] != "Z"
        pause = before and _RUNS_ON.search(before) and not expected
        read = LETTERS.get(found[0], found[0])
        return f"{_COMMA}{read}" if pause else read

    read = _LETTER.sub(letter, _WORD.sub(name, sentence))
    return read.replace(f" {_COMMA}", ", ")


def pieces(phonemes: str) -> list[str]:
    """Cut phonemes into pieces of at most LONGEST, at a clause or a word where there is one."""
    found: list[str] = []
    while len(phonemes) > LONGEST:
        head = phonemes[: LONGEST + 1]
        at = max((head.rfind(sign) for sign in (", ", "; ", ": ", "— ")), default=-1) + 1
        at = at if at > LONGEST // 3 else head.rfind(" ")
        at = at if at > 0 else LONGEST
        found.append(phonemes[:at].strip())
        phonemes = phonemes[at:].strip()
    return [piece for piece in (*found, phonemes) if piece]
