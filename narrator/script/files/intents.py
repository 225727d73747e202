"""Reads hassil intents: files and folders, whose faults are told with file, line and column."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hassil.numbers import get_rbnf_engine

from narrator.files.bounded import read_text, reason
from narrator.language.hassil.faults import IntentsFault
from narrator.language.hassil.intents import IntentGrammar
from narrator.language.hassil.reader import compile_intents
from narrator.language.numbers import NumberWords
from narrator.ports.errors import NarratorError
from narrator.script.files.locales import LocaleError, load_locale
from narrator.script.files.merged_intents import Merged
from narrator.script.files.placed_yaml import Placed, PlacedFault

_LONGEST = 4_000_000
"""Bytes of all files together; the longest of Home Assistant's sets has 370,000."""
_MOST_FILES = 1_000
"""Files of a folder; the set with the most has 110."""
_TOLD = 20


class IntentsFileError(NarratorError):
    """An intents file cannot be used; the message holds every fault with its place."""

    exit_code = 2


def load_intents(paths: Path | Sequence[Path], language: str = "") -> IntentGrammar:
    """Load hassil intents: a file, a folder of files, or several of them as one set.

    What is faulty in a folder, or in one of several files, is left out with a note: Home Assistant
    fills some of its lists itself. A file alone is somebody's own, and its faults are told at once.

    Args:
        paths: YAML files, or folders such as `sentences/en` of Home Assistant's intents.
        language: Of the number words, and of a folder that has several; empty: as the files say,
            else English.

    Raises:
        IntentsFileError: A file cannot be read, or nothing of the set can be used.
    """
    named = [paths] if isinstance(paths, Path) else list(paths)
    label = " and ".join(str(path) for path in named)
    files = [file for path in named for file in _files(path, language)]
    merged = Merged(_read(label, files))
    numbers = number_words(language or merged.language)
    try:
        with _uncollected():
            return compile_intents(merged.data, numbers, merged.place, lenient=len(files) > 1)
    except IntentsFault as fault:
        lines = [f"{merged.place(f.path)}: {f.message}" for f in fault.faults[:_TOLD]]
        if len(fault.faults) > _TOLD:
            lines.append(f"and {len(fault.faults) - _TOLD} more.")
        raise _refusal(label, "\n".join(lines)) from fault
    except RecursionError as error:
        raise _refusal(label, "Its sentences are nested too deeply.") from error


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no circular rubbish meanwhile: there is hardly any, and looking through a million
    small parts again and again takes a third of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def number_words(language: str) -> NumberWords:
    """Return a language's number words: Narrator's own, else the plain numbers below 100."""
    try:
        return load_locale(language).numbers
    except LocaleError:
        pass
    try:
        engine = get_rbnf_engine(language)
        spelt = ((n, str(engine.format_number(n).text).replace("-", " ")) for n in range(100))
        return NumberWords(tuple((n, (words.replace("\u00ad", ""),)) for n, words in spelt))
    except ValueError:
        return NumberWords(())


def _refusal(label: str, why: str) -> IntentsFileError:
    return IntentsFileError(f"The intents file {label} cannot be used.\n{why}")


def _files(path: Path, language: str) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    folder = _of_language(path, language)
    found = sorted(p for p in folder.rglob("*") if p.suffix in (".yaml", ".yml") and p.is_file())
    if not found:
        raise _refusal(str(path), "This folder has no .yaml file.")
    if len(found) > _MOST_FILES:
        told = f"It has {len(found):,} files; {_MOST_FILES:,} is the limit: name one language's."
        raise _refusal(str(path), told)
    # What all share comes first, so that a file's own rules win over it.
    yield from sorted(found, key=lambda file: not file.name.startswith("_"))


def _of_language(path: Path, language: str) -> Path:
    """Return the folder of one language where a folder holds several, as a checkout does."""
    home = path / "sentences" if (path / "sentences").is_dir() else path
    if any(home.glob("*.y*ml")):
        return home
    several = sorted(p.name for p in home.iterdir() if (p / "_common.yaml").is_file())
    if not several:
        return home
    if language not in several:
        listed = ", ".join(several)
        told = f"It holds several languages: name one with --language, of {listed}."
        raise _refusal(str(path), told)
    return home / language


def _read(label: str, files: Sequence[Path]) -> list[Placed]:
    read: list[Placed] = []
    left = _LONGEST
    for file in files:
        try:
            text = read_text(file, left)
            read.append(Placed(file, text))
        except OSError as fault:
            raise _refusal(label, f"{file} cannot be read: {reason(fault)}.") from fault
        except PlacedFault as fault:
            raise _refusal(label, str(fault)) from fault
        left -= len(text.encode())
    return read
