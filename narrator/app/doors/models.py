"""The models that can be fetched."""

from __future__ import annotations

from narrator.adapters.model_store.manifest import Offer

__all__ = [
    "Offer",
]
