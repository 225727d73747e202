"""`narrator models`: which speech models there are, and how they come and go."""

from __future__ import annotations

import sys
from dataclasses import asdict
from os.path import expanduser
from pathlib import Path

import click

from narrator.app import models
from narrator.app.doors.models import Offer
from narrator.app.models import Listed
from narrator.app.wiring.configuration import load_configuration
from narrator.cli.output import asked, say, say_json

_STEP = 10
"""Percent between two lines of progress: few enough to be read out."""


@click.group("models")
def command() -> None:
    """List, install, import and remove speech models.

    Only `install` uses the network; playing never does.
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def list_(as_json: bool) -> None:
    """List the models that are installed, in use, and available."""
    found = models.listed(load_configuration().settings)
    if as_json:
        say_json([asdict(model) for model in found])
        return
    for model in found:
        say(_line(model))
    _tell(f"Models are installed into {models.own_folder()}.")


@command.command("install")
@click.argument("name")
def install(name: str) -> None:
    """Fetch the model NAME, such as de or vosk-model-small-de-0.15, check it and try it out.

    A download that broke off goes on where it stopped.
    """
    offer = models.offer_named(name)
    if place := models.usable(offer.name):
        say(f"{offer.name} is installed already, in {place}.")
        return
    _tell(f"{offer.name}: {offer.language}, {offer.megabytes}, licence {offer.licence}.")
    _tell(f"It comes from {offer.url}")
    _done(models.install(offer, _tell, _Progress(offer)))


@command.command("import")
@click.argument("source", metavar="FOLDER-OR-ZIP", type=click.Path(path_type=Path))
@click.option("--language", default="", help="Code such as de, where the name does not tell.")
def import_(source: Path, language: str) -> None:
    """Take over a model that is here already, as a folder or a zip; that one stays as it is."""
    _done(models.bring_in(Path(expanduser(source)), language, _tell))


@command.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def remove(name: str, yes: bool) -> None:
    """Remove the installed model NAME; asks first."""
    model = models.removable(name)
    if not yes:
        if not sys.stdin or not sys.stdin.isatty():
            raise click.UsageError(f"To remove {model.folder} without being asked, add --yes.")
        click.confirm(asked(f"Remove {model.folder}?"), abort=True, err=True)
    models.remove(model)
    say(f"Removed: {model.folder}")


class _Progress:
    """Says how far it is in plain lines, each once: nothing is drawn over."""

    def __init__(self, offer: Offer) -> None:
        self._told = -1
        self._begun = False
        self._name = offer.name

    def __call__(self, done: int, whole: int | None) -> None:
        megabytes = done // 1_000_000
        step = done * 100 // whole // _STEP if whole else megabytes // _STEP
        if step <= self._told:
            return
        self._told = step
        if whole:
            _tell(f"{step * _STEP} percent, {megabytes} of {max(1, round(whole / 1e6))} MB.")
        else:
            _tell(f"{megabytes} MB.")


def _done(place: Path) -> None:
    say(f"Installed: {place}")
    used = [m for m in models.listed(load_configuration().settings) if m.folder == str(place)]
    if used and used[0].in_use:
        _tell(f"It is used for {used[0].language} from now on.")
    else:
        _tell(f"To play with it: narrator play GAME --model {place.name}")


def _tell(sentence: str) -> None:
    say(sentence, err=True)


def _line(model: Listed) -> str:
    size = f"{model.megabytes} MB" if model.megabytes is not None else "size unknown"
    parts = [model.language, size, f"licence {model.licence}"]
    if model.problem:
        return f"{model.name}: {', '.join(parts)}, cannot be used. {model.problem}"
    parts.append(f"for {model.engine}")
    parts.append("installed" if model.installed else "not installed")
    if model.in_use:
        parts.append("in use")
    told = f"{model.name}: {', '.join(parts)}."
    return told if model.installed else f"{told} To install: narrator models install {model.short}"
