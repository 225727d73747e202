"""From eSpeak's phonetic alphabet to the symbols that hibari was trained on."""

from __future__ import annotations

_SOUNDS = {
    "aɪ": "I", "aʊ": "W", "eɪ": "A", "oʊ": "O", "əʊ": "O", "ɔɪ": "Y", "dʒ": "ʤ", "tʃ": "ʧ",
    "iː": "i", "uː": "u", "ɔː": "ɔ", "ɑː": "ɑ", "ɜː": "ɜɹ", "oː": "ɔ", "ɒ": "ɑ", "ɚ": "əɹ",
    "r": "ɹ", "ɾ": "T", "ʔ": "t", "x": "k", "ç": "k", "ɬ": "l", "ɐ": "ə", "e": "ɛ", "a": "æ",
    "o": "O", "əl": "ᵊl", "iə": "iə", "ɪə": "iə", "ʊə": "ʊə", "ɛə": "ɛ", "aɪə": "Iə", "aɪɚ": "Iəɹ",
    "ɔːɹ": "ɔɹ", "ɑːɹ": "ɑɹ", "oːɹ": "ɔɹ", "ɪɹ": "ɪɹ", "ɛɹ": "ɛɹ", "ʊɹ": "ʊɹ", "g": "ɡ",
}  # fmt: skip
"""By eSpeak's sound; what is not here has the same sign in both."""
_STRESSES = "ˈˌ"
_KNOWN = frozenset("bdfhijklmnpstuvwzæðŋɑɔəɛɜɡɪɹʃʊʌʒʤʧθᵊɾTAIOWYᵻ")


def from_ipa(ipa: str) -> str:
    """Return eSpeak's sounds, which have `_` between them, in hibari's symbols."""
    return " ".join(filter(None, ("".join(map(_sound, word.split("_"))) for word in ipa.split())))


def _sound(sound: str) -> str:
    stress = "".join(sign for sign in sound if sign in _STRESSES)
    bare = "".join(sign for sign in sound if sign not in _STRESSES)
    mapped = _SOUNDS.get(bare) or _SOUNDS.get(bare.replace("ː", "")) or bare
    return stress + "".join(sign for sign in mapped if sign in _KNOWN)
