"""Speech models: which there are, which can be had, and how they come and go."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from narrator.adapters.model_store import store
from narrator.adapters.model_store.download import (
    ModelStoreError,
    Progress,
    StorageError,
    by_hand,
    download,
    sha256_of,
)
from narrator.adapters.model_store.manifest import Offer, find_offer
from narrator.adapters.model_store.unpack import copy, model_inside, unpack
from narrator.adapters.recognisers.vosk.models import language_of
from narrator.app.telling import told
from narrator.app.wiring.engines import all_models, offers, used_model
from narrator.app.wiring.registry import recognisers
from narrator.config.settings import Settings
from narrator.config.sources import data_folder
from narrator.ports.engines import FoundModel, RecogniserEngine
from narrator.ports.errors import NarratorError, RecogniserError
from narrator.script.diagnostics.report import did_you_mean

PUBLISHED = "vosk"
"""The engine whose models the manifest offers."""

Tell = Callable[[str], None]
"""Receives one plain sentence after another about what is being done."""


class ModelError(NarratorError):
    """No such model, or it is not one that can be removed or imported so."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Listed:
    """A model that is there, or that could be."""

    name: str
    short: str
    """What can be typed instead of the name; empty where there is nothing shorter."""
    language: str
    """In words, else as a code."""
    megabytes: int | None
    """Of the folder where it is installed, else of the zip."""
    licence: str
    """`unknown` where nobody noted it."""
    installed: bool
    in_use: bool
    """Whether `narrator play` would take it, as the settings are."""
    engine: str
    """What it is a model for; of what is not installed: the engine that its publisher made it for.
    """
    problem: str
    """Why it cannot be used; empty where it can."""
    folder: str
    """Empty where it is not installed."""


def own_folder() -> Path:
    """Return the folder that models are installed into, which need not exist."""
    return data_folder() / "models"


def listed(settings: Settings) -> list[Listed]:
    """Return what is installed, then what could be."""
    known = offers()
    there = all_models()
    used = used_model(settings)
    names = {model.name for _, model in there}
    return [
        *(_installed(engine, model, known, used(model)) for engine, model in there),
        *(_offered(offer) for offer in known if offer.name not in names),
    ]


def _offered(offer: Offer) -> Listed:
    size = round(offer.size / 1_000_000) if offer.size else None
    return Listed(
        offer.name, offer.short, offer.language, size, offer.licence, False, False, PUBLISHED, "",
        "",
    )  # fmt: skip


def _installed(
    engine: RecogniserEngine, model: FoundModel, known: Sequence[Offer], used: bool
) -> Listed:
    noted, offer = store.read_record(model.folder), find_offer(known, model.name)
    problem = ""
    try:
        engine.check(model.folder)
    except RecogniserError as error:
        problem = told(error).sentence
    return Listed(
        model.name,
        offer.short if offer else "",
        offer.language if offer else _in_words(model, known),
        round(store.size_of(model.folder) / 1_000_000),
        noted.get("licence") or (offer.licence if offer else model.licence or "unknown"),
        True,
        used and not problem,
        engine.name,
        problem,
        str(model.folder),
    )


def _in_words(model: FoundModel, known: Sequence[Offer]) -> str:
    code = "-".join(filter(None, (model.language, model.country.upper())))
    for offer in known:
        if offer.code in (code, model.language):
            return offer.language
    return code or "language unknown"


def offer_named(wanted: str) -> Offer:
    """Return the offer that is meant. Raises ModelError where there is none."""
    known = offers()
    offer = find_offer(known, wanted)
    if offer is None:
        names = [o.short for o in known]
        guess = did_you_mean(wanted, names) or f"There are: {', '.join(names)}."
        raise ModelError(f"No model {wanted} can be installed.", guess)
    return offer


def usable(name: str) -> Path | None:
    """Return the folder of an installed model that can be used; None where there is none."""
    for engine, model in all_models():
        if model.name == name:
            try:
                engine.check(model.folder)
            except RecogniserError:
                continue
            return model.folder
    return None


def _engine_for(folder: Path) -> RecogniserEngine:
    """Return the engine whose model a folder is by its files, else the published ones'."""
    engines = recognisers()
    fitting = (engine for engine in engines if engine.takes(folder))
    return next(fitting, None) or next(e for e in engines if e.name == PUBLISHED)


def _check(folder: Path) -> None:
    _engine_for(folder).check(folder)


def _try_out(folder: Path) -> None:
    _engine_for(folder).try_out(folder)


def install(offer: Offer, tell: Tell, progress: Progress) -> Path:
    """Fetch a model, check it, try it out and put it in its place; give that place.

    Raises:
        DownloadError: It could not be fetched; what has come is kept.
        RecogniserError: What came is not the model or cannot be used, or it cannot be stored.
    """
    folder = own_folder()
    store.make_folder(folder)
    part = folder / f"{offer.name}.zip.part"
    download(offer.url, part, offer.size, progress)
    fingerprint = _checked(offer, part, folder, tell)
    tell("Unpacking and trying it out.")
    note = {
        "name": offer.name,
        "language": offer.code,
        "licence": offer.licence,
        "url": offer.url,
        "sha256": fingerprint,
    }
    try:
        place = store.put(folder, offer.name, partial(unpack, part), note, _check, _try_out)
    except StorageError:
        raise  # once there is room, it need not be fetched again
    except (RecogniserError, ModelStoreError):
        part.unlink(missing_ok=True)
        raise
    store.remember(folder, offer.name, fingerprint)
    part.unlink(missing_ok=True)
    return place


def _checked(offer: Offer, part: Path, folder: Path, tell: Tell) -> str:
    """Return the fingerprint of what came, and refuse what is not the known file."""
    found = sha256_of(part)
    before = offer.sha256 or store.remembered(folder, offer.name)
    if before and found != before:
        part.unlink()
        hint = f"Run the same command again, or: {by_hand(offer.url)}"
        if not offer.sha256:
            hint += (
                " If its publisher has renewed it, take its line out of "
                f"{folder / store.FINGERPRINTS} first."
            )
        raise ModelStoreError(
            f"What came from {offer.url} is not the expected file: its fingerprint is {found} "
            f"instead of {before}. It was removed.",
            hint,
        )
    if before:
        tell("The fingerprint is the known one.")
    else:
        tell(f"Nobody has told its fingerprint; from now on it must be this one: {found}.")
    return found


def bring_in(source: Path, language: str, tell: Tell) -> Path:
    """Import a model's folder or zip, which stays as it is; return the new place.

    Args:
        source: What a person named.
        language: Code such as `de`; empty to go by the name.
        tell: Told what is done.

    Raises:
        ModelError: There is no such file, or its language is not known.
        RecogniserError: It is no model that can be used.
    """
    if not source.exists():
        raise ModelError(f"There is no file or folder {source}.", "Check the name.")
    name = _name_of(source, language)
    note = {"name": name, "language": language or "-".join(filter(None, language_of(Path(name))))}
    if source.is_file():
        note |= _compared(source, name, tell)
        tell("Unpacking and trying it out.")
        fill: Callable[[Path], None] = partial(unpack, source)
    else:
        model = model_inside(source)
        _check(model)
        tell("Copying and trying it out.")
        fill = partial(copy, model)
    return store.put(own_folder(), name, fill, note, _check, _try_out)


def _name_of(source: Path, language: str) -> str:
    """Return the name that a model will have here, such that its language can be told by it."""
    told = source.resolve()
    stem = told.stem if told.is_file() and told.suffix.lower() == ".zip" else told.name
    if told.is_dir():
        inner = model_inside(told)
        stem = inner.name if inner.name != "model" else inner.parent.name
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", stem.replace("_", "-")).strip("-.") or "model"
    if language_of(Path(name))[0]:
        return name
    if not language:
        raise ModelError(
            f"The name {stem} does not say the model's language.", "Add --language, such as de."
        )
    return f"vosk-model-{language.lower().replace('_', '-')}-{name.removeprefix('vosk-model-')}"


def _compared(source: Path, name: str, tell: Tell) -> dict[str, str]:
    found = sha256_of(source)
    offer = find_offer(offers(), name)
    note = {"sha256": found}
    if offer is not None and offer.sha256:
        if offer.sha256 == found:
            tell("This is the published file.")
            return note | {"licence": offer.licence, "url": offer.url}
        tell(f"This is not the published file {offer.name}: its fingerprint is {found}.")
    return note


def removable(wanted: str) -> FoundModel:
    """Return the installed model that is meant.

    Raises:
        ModelError: There is none, or it belongs to a package.
    """
    there = [model for _, model in all_models()]
    offer = find_offer(offers(), wanted)
    names = (wanted, offer.name if offer else wanted)
    model = next((m for m in there if m.name in names), None)
    if model is None:
        have = ", ".join(m.name for m in there if not m.package) or "none"
        raise ModelError(f"No model {wanted} is installed.", f"Installed: {have}.")
    if model.package:
        raise ModelError(
            f"{model.name} is an installed package, not one of Narrator's models.",
            f"Remove it with `pip uninstall {model.name}`.",
        )
    return model


def remove(model: FoundModel) -> None:
    """Remove a model's folder. Raises RecogniserError where that fails."""
    store.take_away(model.folder)
