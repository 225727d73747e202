"""Where a Vosk model is, and whether Vosk can use it: it may end the process over a wrong one."""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from narrator.files.bounded import parse_json, read_text
from narrator.ports.engines import RECORD, FoundModel, Model
from narrator.ports.errors import RecogniserError
from narrator.ports.faults import FaultCode

PACKAGES = "vosk_model_"
"""How packages that carry a model are named: followed by the language."""
_FST_MAGIC = b"\xd6\xfd\xb2\x7e"
_NAME = re.compile(r"vosk-model(?:-small|-big)?-([a-z]{2,3})(?:-([a-z]{2})\b)?(?![a-z])")
_USUAL = {"en": "us"}
"""The country whose accent is meant where a language is named without one."""


def find_vosk_model(explicit: Path | None, folders: Sequence[Path], language: str) -> Model:
    """Find the model for a language: the explicit one, then in each folder, then among packages.

    Args:
        explicit: A folder a person named; nothing else is tried if it is given.
        folders: Folders that may hold model folders, in order of preference.
        language: Such as `en` or `en-US`.

    Raises:
        RecogniserError: There is none, or the first one found cannot be used.
    """
    short, _, country = language.lower().replace("_", "-").partition("-")
    if explicit is not None:
        check_vosk_model(explicit)
        return Model(explicit, language_of(explicit)[0] or short)
    refusal: RecogniserError | None = None
    fitting = [model for model in found_models(folders) if model.language == short]
    for model in sorted(fitting, key=lambda m: _distance(m, short, country)):
        try:
            check_vosk_model(model.folder)
        except RecogniserError as error:  # a better one may lie beside it
            refusal = refusal or error
        else:
            return Model(model.folder, short)
    if refusal is not None:
        raise refusal
    raise RecogniserError(FaultCode.NO_MODEL, language=language, short=short)


def found_models(folders: Sequence[Path]) -> Iterator[FoundModel]:
    """Yield every model folder, the preferred ones first; those of packages come last."""
    for folder in folders:
        inner = sorted(folder.iterdir()) if folder.is_dir() else []
        for path in inner:
            if path.is_dir() and not path.name.startswith("."):
                language, country = language_of(path)
                if language or looks_like_model(path):
                    yield FoundModel(path, language, country)
    for module in pkgutil.iter_modules():
        if not module.name.startswith(PACKAGES):
            continue
        spec = importlib.util.find_spec(module.name)
        if spec is not None and spec.submodule_search_locations:
            path = Path(next(iter(spec.submodule_search_locations))) / "model"
            yield FoundModel(path, *language_of(path), module.name)


def language_of(folder: Path) -> tuple[str, str]:
    """Return language and country by the note or the name, each empty where it is not told."""
    noted = _noted_language(folder).lower().replace("_", "-")
    if noted:
        language, _, country = noted.partition("-")
        return language, country
    name = folder.name if folder.name != "model" else folder.parent.name
    found = _NAME.match(name.replace("_", "-"))
    return (found[1], found[2] or "") if found else ("", "")


def _noted_language(folder: Path) -> str:
    """Return the language that was noted when the model was installed; empty where none was."""
    try:
        read = parse_json(read_text(folder / RECORD))
    except (OSError, ValueError):
        return ""
    noted = read.get("language") if isinstance(read, dict) else None
    return noted if isinstance(noted, str) else ""


def _distance(model: FoundModel, language: str, country: str) -> int:
    wanted = country or _USUAL.get(language, "")
    if model.country == wanted:
        return 0
    return 2 if model.country else 1


def check_vosk_model(folder: Path, *, windows: bool = os.name == "nt") -> None:
    """Refuse a folder that Vosk cannot use, with the reason.

    Args:
        folder: The model's own folder, which holds `am` and `graph`.
        windows: Whether the path must be plain ASCII, as Vosk's file names must be on Windows.

    Raises:
        RecogniserError: What is wrong with it.
    """
    code = _place_problem(folder, windows) or _content_problem(folder) or _file_problem(folder)
    if code is None:
        return
    inner = _inner_model(folder)
    if code is FaultCode.MODEL_DEEPER:
        raise RecogniserError(code, path=str(folder), inner=str(inner))
    raise RecogniserError(code, path=str(folder))


def _place_problem(folder: Path, windows: bool) -> FaultCode | None:
    if folder.suffix.lower() == ".zip":
        return FaultCode.MODEL_IS_ZIP
    if not folder.exists():
        return FaultCode.MODEL_MISSING
    if not folder.is_dir():
        return FaultCode.MODEL_NOT_FOLDER
    if windows and not str(folder.resolve()).isascii():
        return FaultCode.MODEL_PATH_NOT_ASCII
    return None


def _content_problem(folder: Path) -> FaultCode | None:
    if not any(folder.iterdir()):
        return FaultCode.MODEL_EMPTY
    if looks_like_model(folder):
        return None
    if _inner_model(folder) is not None:
        return FaultCode.MODEL_DEEPER
    if any(folder.glob("*.onnx")):
        return FaultCode.MODEL_IS_VOICE
    return FaultCode.MODEL_NOT_VOSK


def _inner_model(folder: Path) -> Path | None:
    inner = sorted(folder.iterdir()) if folder.is_dir() else []
    return next((path for path in inner if path.is_dir() and looks_like_model(path)), None)


def _file_problem(folder: Path) -> FaultCode | None:
    graph = folder / "graph" if (folder / "graph").is_dir() else folder
    if not (graph / "HCLr.fst").is_file() or not (graph / "Gr.fst").is_file():
        fixed = (graph / "HCLG.fst").is_file()
        return FaultCode.MODEL_FIXED_GRAPH if fixed else FaultCode.MODEL_WITHOUT_GRAPH
    acoustic = _acoustic(folder)
    whole = acoustic is not None and _begins(acoustic, b"\0B")
    whole = whole and all(_begins(graph / name, _FST_MAGIC) for name in ("HCLr.fst", "Gr.fst"))
    if not whole or not _settings_exist(folder):
        return FaultCode.MODEL_DAMAGED
    return None


def _acoustic(folder: Path) -> Path | None:
    places = (folder / "am/final.mdl", folder / "final.mdl")
    return next((place for place in places if place.is_file()), None)


def _settings_exist(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("conf/mfcc.conf", "mfcc.conf"))


def looks_like_model(folder: Path) -> bool:
    """Whether a folder holds what Vosk's models hold, be it usable or not."""
    return _acoustic(folder) is not None


def _begins(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic
