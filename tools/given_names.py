"""Write the lists of given names that are heard where people say who plays.

They come from Faker (https://github.com/joke2k/faker, MIT), which has the registered names of many
countries, and their short forms from nicknames (https://github.com/carltonnorthern/nicknames,
Apache-2.0). They are needed for this only: `pip install faker==40.63.0 nicknames==1.0.1`.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from narrator.adapters.voices.espeak.phonemes import phonemes
from narrator.script.files.locales import LOCALES, load_locale

COUNTRIES = {"en": ("en_US", "en_GB", "en_NZ", "en_IE", "en_IN"), "ko": ("ko_KR",)}
MOST = 1400
"""Names of a language, without the short forms."""
OFTEN = 250
"""The names whose short forms are added, where another name has them too: Bob, Dan, Liz."""
JOINERS = {"en": frozenset({"ann", "anne", "an", "andee", "andi"})}
"""Names that are taken for "and" between two others."""


def names(language: str) -> list[str]:
    """Return the names of a language's countries, the most frequent first.

    Of names that sound the same the most frequent one is kept: no ear can tell them apart.
    """
    found: Counter[str] = Counter()
    for country in COUNTRIES[language]:
        found.update(_shares(_first_names(country)))
    usual = [name for name, _ in found.most_common(MOST)]
    spare = load_locale(language).names
    short = _short_forms(usual[:OFTEN]) if language == "en" else []
    return _distinct([*usual[:OFTEN], *spare, *short, *usual[OFTEN:]], language)


def _distinct(wanted: Iterable[str], language: str) -> list[str]:
    sounds: set[str] = set()
    kept: list[str] = []
    for name in wanted:
        sound = phonemes(name, language)
        if name.isalpha() and name.lower() not in JOINERS.get(language, ()) and sound not in sounds:
            sounds.add(sound)
            kept.append(name)
    return kept


def _short_forms(full: Iterable[str]) -> list[str]:
    nicknames = importlib.import_module("nicknames").NickNamer.default_lookup()
    links: Counter[str] = Counter(n for forms in nicknames.values() for n in set(forms))
    wanted = (short for name in full for short in sorted(nicknames.get(name.lower(), ())))
    return [short.capitalize() for short in dict.fromkeys(wanted) if links[short] > 1]


def _first_names(country: str) -> Iterable[str] | Mapping[str, float]:
    module = importlib.import_module(f"faker.providers.person.{country}")
    listed: Iterable[str] | Mapping[str, float] = module.Provider.first_names
    return listed


def _shares(listed: Iterable[str] | Mapping[str, float]) -> dict[str, float]:
    """Return each name's share of its country; where none are told, all have the same."""
    weights = dict(listed) if isinstance(listed, Mapping) else dict.fromkeys(listed, 1.0)
    whole = sum(weights.values())
    return {name: weight / whole for name, weight in weights.items()}


def write(folder: Path) -> None:
    """Write a file for each language."""
    for language, countries in COUNTRIES.items():
        head = (
            "# Given names that are heard where people say who plays.\n"
            f"# From Faker 40.63.0 (MIT), {', '.join(countries)},\n"
            "# and short forms from nicknames 1.0.1 (Apache-2.0);\n"
            "# made by tools/given_names.py.\n"
        )
        text = head + "".join(f"{name}\n" for name in names(language))
        (folder / f"{language}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(LOCALES / "given_names")
