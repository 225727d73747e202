"""The manifest: which models can be had, from where, and how their files are told from others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from narrator.files.bounded import parse_toml, read_text, reason, why
from narrator.ports.errors import NarratorError

FILE_NAME = "manifest.toml"
NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$"
"""What a model's name may be: it names a folder on every system, and never leads out of one."""
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class ManifestError(NarratorError):
    """A manifest is not written as it should be."""

    exit_code = 2


class Offer(BaseModel):
    """A model that can be installed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=NAME_PATTERN)
    """Of the model and of its folder."""
    short: str = Field(pattern=NAME_PATTERN)
    """What one types instead, such as `de`."""
    language: str = Field(min_length=1)
    """In words."""
    code: str = Field(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")
    """Such as `en-US`."""
    url: str
    size: int | None = Field(default=None, gt=0)
    """Of the zip, in bytes."""
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    """Of the zip; empty where nobody knows it."""
    licence: str = Field(min_length=1)

    @model_validator(mode="after")
    def _must_be_sure(self) -> Offer:
        """Refuse an address whose file could be exchanged on the way without anybody noticing."""
        parts = urlsplit(self.url)
        if parts.scheme not in ("https", "http") or not parts.hostname:
            raise ValueError("url must begin with https://")
        if parts.scheme == "http" and not self.sha256 and parts.hostname not in _LOOPBACK:
            raise ValueError("url must begin with https:// where no sha256 is given")
        return self

    @property
    def megabytes(self) -> str:
        """Return the zip's size in words."""
        return f"{max(1, round(self.size / 1_000_000))} MB" if self.size else "size unknown"


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: list[Offer] = Field(default_factory=list)


def read_manifests(paths: Iterable[Path]) -> tuple[Offer, ...]:
    """Merge manifests; of two models with one name the later file's counts.

    Args:
        paths: Files, of which any may be missing.

    Raises:
        ManifestError: One cannot be read or is wrong, and where.
    """
    found: dict[str, Offer] = {}
    for path in paths:
        found |= {offer.name: offer for offer in _read(path)}
    return tuple(found.values())


def find_offer(offers: Iterable[Offer], wanted: str) -> Offer | None:
    """Return the offer of this name, short name or language code; None where there is none."""
    key = wanted.casefold().replace("_", "-").removesuffix(".zip")
    for offer in offers:
        if key in (offer.name.casefold(), offer.short.casefold(), offer.code.casefold()):
            return offer
    return None


def offer_for(offers: Iterable[Offer], language: str) -> Offer | None:
    """Return the offer for a language such as `en` or `de-AT`, of that country if there is one."""
    wanted = language.casefold().replace("_", "-")
    fitting = [o for o in offers if o.code.split("-")[0] == wanted.split("-")[0]]
    same = [o for o in fitting if o.code.casefold() == wanted]
    return next(iter(same or fitting), None)


def _read(path: Path) -> list[Offer]:
    try:
        return _File.model_validate(parse_toml(read_text(path))).model
    except FileNotFoundError:
        return []
    except OSError as fault:
        raise ManifestError(
            f"{path} cannot be read: {reason(fault)}.", "Mend or remove it."
        ) from fault
    except ValidationError as fault:
        first = fault.errors()[0]
        place = " ".join(str(part) for part in first["loc"])
        told = f"{path} is wrong at {place}: {first['msg'].removeprefix('Value error, ')}."
        raise ManifestError(told, "models/manifest.toml of Narrator shows the form.") from fault
    except ValueError as fault:
        raise ManifestError(f"{path} is not written as TOML: {why(fault)}.", "Mend it.") from fault
