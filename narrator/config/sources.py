"""Where settings come from: defaults, then the file, the environment and the command line."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os.path import expanduser
from pathlib import Path

import platformdirs
from pydantic import ValidationError

from narrator.config.remembered import FILE_NAME as REMEMBERED
from narrator.config.remembered import recall
from narrator.config.settings import Settings
from narrator.files.bounded import parse_toml, read_text, reason, why
from narrator.ports.errors import NarratorError

FILE_NAME = "narrator.toml"
_LONGEST_FILE = 200_000
"""Bytes of a configuration; the one that describes every setting has 5,000."""
ADJUSTABLE = ("rate", "volume", "cue_volume", "cover_volume")
"""Settings that can be changed by voice and are remembered."""
PREFIX = "NARRATOR_"
NO_SETTINGS = frozenset({"NARRATOR_DATA", "NARRATOR_CONFIG", "NARRATOR_VOICES", "NARRATOR_PYTHON"})
"""Variables that are not settings: folders of evenings, configuration and recordings for the tests,
and the Python that tools/ starts."""


class ConfigurationError(NarratorError):
    """A setting is unknown or has a value that it cannot have."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings in force, and where each was said."""

    settings: Settings
    origins: Mapping[str, str]
    """By setting: `--rate`, `NARRATOR_RATE` or the file's path; missing for defaults."""
    notes: tuple[str, ...] = ()
    """Plain sentences about what was ignored."""
    configured: Mapping[str, float] = field(default_factory=dict, compare=False)
    """What can be changed by voice, without what an earlier evening changed."""

    def origin(self, name: str) -> str:
        """Return where a setting's value comes from; `default` where nobody set it."""
        return self.origins.get(name, "default")


def config_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of the person's configuration, which need not exist."""
    usual = platformdirs.user_config_path("narrator", appauthor=False)
    return _folder("NARRATOR_CONFIG", usual, environment)


def data_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of evenings and models, which need not exist."""
    usual = platformdirs.user_data_path("narrator", appauthor=False)
    return _folder("NARRATOR_DATA", usual, environment)


def _folder(variable: str, usual: Path, environment: Mapping[str, str] | None) -> Path:
    named = _environment(environment).get(variable)
    return Path(expanduser(named)) if named else usual


def load_configuration(
    command_line: Mapping[str, object] | None = None,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    engines: Sequence[str] | None = None,
) -> Configuration:
    """Combine the settings; the later of file, environment and command line wins.

    Args:
        command_line: Settings given as options; None as value: not given.
        file: A file that must exist; None: the person's own, if there is one.
        environment: Variables; None: those of the process.
        engines: What the setting `engine` may be; None: that is not checked here.

    Raises:
        ConfigurationError: A setting is unknown or cannot have its value.
    """
    variables, notes = _from_environment(_environment(environment))
    given = {k: v for k, v in (command_line or {}).items() if v is not None}
    layers = (
        _from_file(file, config_folder(environment) / FILE_NAME),
        variables,
        {name: (value, f"--{name.replace('_', '-')}") for name, value in given.items()},
    )
    merged: dict[str, tuple[object, str]] = {}
    for layer in layers:
        _refuse_unknown(layer)
        merged |= layer
    settings = _validated(merged, engines)
    configured = {name: getattr(settings, name) for name in ADJUSTABLE}
    merged |= _remembered(configured, given, data_folder(environment))
    origins = {name: origin for name, (_, origin) in merged.items()}
    return Configuration(_validated(merged), origins, notes, configured)


Layer = dict[str, tuple[object, str]]


def _remembered(
    configured: Mapping[str, float], given: Mapping[str, object], folder: Path
) -> Layer:
    """Return what the table changed by voice, where the settings still are what they were then."""
    origin = f"the last evening ({folder / REMEMBERED})"
    return {
        name: (value, origin)
        for name, (value, before) in recall(folder).items()
        if name in ADJUSTABLE and name not in given and configured[name] == before
    }


def _environment(given: Mapping[str, str] | None) -> Mapping[str, str]:
    return os.environ if given is None else given


def _from_file(named: Path | None, usual: Path) -> Layer:
    path = named or usual
    try:
        values = parse_toml(read_text(path, _LONGEST_FILE))
    except FileNotFoundError:
        if named is None:
            return {}
        raise ConfigurationError(f"There is no file {path}.", "Check the name.") from None
    except OSError as fault:
        raise ConfigurationError(
            f"{path} cannot be read ({reason(fault)}).",
            "It must be a UTF-8 text file.",
        ) from fault
    except ValueError as fault:
        raise ConfigurationError(
            f"{path} is not written as TOML: {why(fault)}.",
            'A setting is a line such as rate = 150 or voice = "en".',
        ) from fault
    return {name: (value, str(path)) for name, value in values.items()}


def _from_environment(variables: Mapping[str, str]) -> tuple[Layer, tuple[str, ...]]:
    layer: Layer = {}
    notes = []
    for variable in sorted(v for v in variables if v.startswith(PREFIX) and v not in NO_SETTINGS):
        name = variable.removeprefix(PREFIX).lower()
        if name in Settings.model_fields:
            layer[name] = (variables[variable], variable)
        else:
            # Another program may use the prefix, so this is no error.
            notes.append(f"{variable} is no setting and was ignored. {_suggestion(name)}".strip())
    return layer, tuple(notes)


def _refuse_unknown(layer: Layer) -> None:
    for name, (_, origin) in layer.items():
        if name not in Settings.model_fields:
            hint = _suggestion(name) or "Every setting is described in config/narrator.toml."
            raise ConfigurationError(f'"{name}" in {origin} is no setting.', hint)


def _suggestion(name: str) -> str:
    near = difflib.get_close_matches(name.lower().replace("-", "_"), Settings.model_fields, n=1)
    return f'Did you mean "{near[0]}"?' if near else ""


def _validated(merged: Layer, engines: Sequence[str] | None = None) -> Settings:
    try:
        values = {name: value for name, (value, _) in merged.items()}
        return Settings.model_validate(values, context={"engines": engines})
    except ValidationError as fault:
        name = str(fault.errors()[0]["loc"][0])
    value, origin = merged[name]
    raise ConfigurationError(
        f'"{name}" in {origin} cannot be "{_clipped(value)}".',
        _meaning(name, engines),
    )


def _clipped(value: object) -> str:
    """Return a value for a sentence: one of 4,000 digits fills no screen."""
    text = repr(value) if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _meaning(name: str, engines: Sequence[str] | None) -> str:
    if name == "engine" and engines:
        return f"There are: {', '.join(engines)}."
    return f"It means: {Settings.model_fields[name].description}"
