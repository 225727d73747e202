"""`narrator voices`: the voices there are, to be listened to."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from narrator.app.doctor.name_trial import Voice
from narrator.app.doors.devices import TableDevices
from narrator.app.doors.library import load_locale
from narrator.app.doors.screen import PlainScreen
from narrator.app.doors.settings import Settings
from narrator.app.wiring.configuration import load_configuration
from narrator.app.wiring.engines import make_synthesiser
from narrator.cli.output import say, say_json
from narrator.ports.errors import NarratorError, SynthesiserError
from narrator.ports.faults import FaultCode
from narrator.ports.speech import VoiceInfo


@click.command("voices")
@click.argument("names", nargs=-1)
@click.option("--language", default="", help="Only voices of this language, such as en or ko.")
@click.option("--text", default="", help="What is said.  [default: a line of the narrator's]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list, and play nothing.")
def command(names: tuple[str, ...], language: str, text: str, as_json: bool) -> None:
    """List the voices, or play a sample of each of NAMES.

    A name is what the setting `voice` and --voice take, with eSpeak also with a variant, such as
    en-us+f3. All voices are equally loud.
    """
    settings = load_configuration().settings
    if names and not as_json:
        _play(names, settings, text)
        return
    infos = _listed(language)
    if names:
        infos = [info for info in infos if info.id in names]
    if as_json:
        say_json([asdict(info) for info in infos])
        return
    width = max((len(info.id) for info in infos), default=0)
    for info in infos:
        say(f"{info.id:{width}}  {info.language:8}  {info.name}")
    if not infos:
        raise SynthesiserError(FaultCode.NO_VOICE_FOR_LANGUAGE, language=language)


def _listed(language: str) -> list[VoiceInfo]:
    synthesiser = make_synthesiser()
    try:
        infos = synthesiser.voices()
    finally:
        synthesiser.close()
    wanted = language.lower().replace("_", "-")
    return [i for i in infos if not wanted or f"{i.language}-".startswith(f"{wanted}-")]


def _play(names: tuple[str, ...], settings: Settings, text: str) -> None:
    said = text or load_locale(settings.language).lines["help"]
    devices = TableDevices()
    devices.pick(settings.speaker or None, "output")  # to be told at once where there is none
    screen = PlainScreen(sys.stderr)
    for name in names:
        one = settings.model_copy(update={"voice": name, "language_voices": {}, "speech": True})
        voice = Voice(one, (), devices, load_locale("en").messages)
        try:
            say(name)
            if not voice.say(said, screen):
                raise NarratorError(f"The voice {name} was not heard.", "See: narrator voices.")
        finally:
            voice.close()
