"""The settings, checked against the engines that there are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from narrator.app.wiring.registry import AUTO, recogniser_names
from narrator.config import sources
from narrator.config.sources import Configuration


def load_configuration(
    command_line: Mapping[str, object] | None = None,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Configuration:
    """Combine the settings; see `narrator.config.sources`. Raises ConfigurationError."""
    engines = [AUTO, *recogniser_names()]
    return sources.load_configuration(command_line, file, environment, engines)
