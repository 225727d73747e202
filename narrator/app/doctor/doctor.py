"""What `narrator doctor` looks at: every part of an evening, tried for real."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from narrator.adapters.sound.portaudio import Devices
from narrator.adapters.system.clock import SessionClock
from narrator.app import telling
from narrator.app.doctor.round_trip import round_trip
from narrator.app.wiring.engines import (
    advice,
    choose,
    engine_of,
    make_ear,
    make_recogniser,
    make_synthesiser,
    model_folders,
)
from narrator.app.wiring.registry import problems, recognisers, voices
from narrator.app.wiring.table_devices import TableDevices
from narrator.audio.resampling import resample
from narrator.config.settings import Settings
from narrator.config.sources import FILE_NAME, Configuration, config_folder, data_folder
from narrator.core.expect import Expectation
from narrator.language.grammar.grammar import compile_grammar
from narrator.ports.audio import MIC_RATE, SPEAKER_RATE, Pcm
from narrator.ports.engines import VoiceEngine
from narrator.ports.errors import NarratorError
from narrator.ports.recognition import Recogniser
from narrator.ports.speech import Voice
from narrator.script.files.locales import load_locale
from narrator.simulation.room import Room

State: TypeAlias = Literal["good", "poor", "bad"]
"""`poor`: an evening is possible, but with less than one would like."""

_FAINT = 6.0
"""Decibels above the room below which a tone is hardly heard."""
_ENOUGH = 200
"""Megabytes that should be free for an evening."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One part and how it is."""

    part: str
    state: State
    told: str
    """One plain sentence."""
    remedy: str = ""


def examine(configuration: Configuration) -> Iterator[Finding]:
    """Try every part, the quick ones first; never raises for a part that fails."""
    settings = configuration.settings
    yield from _origins(configuration)
    yield _disk()
    yield from (Finding("engines", "poor", told, "Update or remove it.") for told in problems())
    voice = settings.as_voice()
    yield _tried("voice", lambda: _voice(voice))
    yield from _other_voices(voice)
    devices = TableDevices()
    speaker = _tried("loudspeaker", lambda: _device(devices, settings.speaker, "output"), "poor")
    yield speaker
    mic = _tried("microphone", lambda: _device(devices, settings.microphone, "input"), "poor")
    yield mic
    if speaker.state == mic.state == "good":
        yield _tried("round trip", lambda: _round_trip(devices, settings), "poor")
    yield _model(settings)
    yield from _other_recognisers(settings)
    yield _tried("hearing", lambda: _hearing(settings.engine, settings.model, voice))


def _tried(part: str, attempt: Callable[[], Finding], otherwise: State = "bad") -> Finding:
    try:
        return attempt()
    except NarratorError as error:
        found = telling.told(error)
        return Finding(part, otherwise, found.sentence, found.remedy)


def _origins(configuration: Configuration) -> Iterator[Finding]:
    """Report where settings are read from, and where each value comes from."""
    file = config_folder() / FILE_NAME
    if file.is_file():
        yield Finding("settings", "good", f"They are read from {file}.")
    else:
        yield Finding("settings", "good", f"There is no {file}: write it to have others.")
    for name, origin in sorted(configuration.origins.items()):
        value = getattr(configuration.settings, name)
        yield Finding("setting", "good", f"{name} is {value!r}, from {origin}.")
    usual = [n for n in type(configuration.settings).model_fields if n not in configuration.origins]
    told = ", ".join(f"{name} {getattr(configuration.settings, name)!r}" for name in usual)
    yield Finding("settings", "good", f"At their defaults: {told}.")
    for note in configuration.notes:
        yield Finding("setting", "poor", note)


def _disk() -> Finding:
    folder = data_folder()
    there = next(p for p in (folder, *folder.parents) if p.exists())
    free = shutil.disk_usage(there).free // 1_000_000
    if free < _ENOUGH:
        return Finding("disk", "poor", f"Only {free} MB are free at {there}.", "Make some room.")
    return Finding("disk", "good", f"{free} MB are free at {there}.")


def _voice(voice: Voice) -> Finding:
    synthesiser = make_synthesiser(voice)
    try:
        clock = SessionClock()
        sound = synthesiser.render("This is the voice of the narrator.", voice)
        length = sound.size / SPEAKER_RATE
        told = f"{synthesiser.name} spoke a line of {length:.1f} s in {clock.now():.1f} s."
    finally:
        synthesiser.close()
    return Finding("voice", "good", told)


def _device(devices: Devices, wanted: str, kind: Literal["input", "output"]) -> Finding:
    device = devices.pick(wanted or None, kind)
    rate = devices.check(wanted or None, kind, MIC_RATE if kind == "input" else SPEAKER_RATE)
    part = "microphone" if kind == "input" else "loudspeaker"
    return Finding(part, "good", f"{device.name} works at {rate} samples a second.")


def _round_trip(devices: Devices, settings: Settings) -> Finding:
    """Play a tone and listen for it: the whole way through both devices."""
    heard = round_trip(devices, settings.microphone, settings.speaker)
    if heard.silent:
        return Finding(
            "round trip",
            "poor",
            "The microphone delivers nothing at all, not even noise.",
            "It is muted or switched off, or this program is not allowed to use it.",
        )
    if heard.seconds is None:
        return Finding(
            "round trip",
            "poor",
            "The microphone did not hear the tone that was played.",
            "With a headset this is expected; otherwise turn the loudspeaker up.",
        )
    told = (
        f"A tone came in {1000 * heard.seconds:.0f} ms after it was played, at {heard.level:.0f} dB"
        f", {heard.above:.0f} dB above the room."
    )
    if heard.above < _FAINT:
        return Finding("round trip", "poor", told, "Turn the loudspeaker up, or go nearer.")
    return Finding("round trip", "good", told)


def _model(settings: Settings) -> Finding:
    """Report which model hears; the next part tests whether it really does."""
    better = advice(settings, settings.language, load_locale("en").messages)
    if better:
        return Finding("model", "good", better)
    try:
        engine, model = choose(settings.engine, settings.model, settings.language)
    except NarratorError as error:
        found = telling.told(error)
        return Finding("model", "poor", found.sentence, found.remedy)
    told = f"{engine.name} hears {model.language} with {model.folder}."
    return Finding("model", "good", told)


def _other_recognisers(settings: Settings) -> Iterator[Finding]:
    """Report why each engine that cannot hear cannot."""
    try:
        used = choose(settings.engine, settings.model, settings.language)[0].name
    except NarratorError:
        used = ""
    for engine in recognisers():
        if engine.name == used:
            continue
        if not engine.hears(settings.language):
            why = f"it does not hear {settings.language}"
        else:
            try:
                engine.find(None, model_folders(), settings.language)
            except NarratorError as error:
                why = telling.told(error).sentence.rstrip(".")
            else:
                why = f'another was chosen; to take it: engine = "{engine.name}"'
        yield Finding("engine", "good", f"{engine.name} does not hear: {why}.")


def _other_voices(voice: Voice) -> Iterator[Finding]:
    """Report why each engine that cannot speak cannot."""
    with suppress(NarratorError):
        used = engine_of(voice).name
        for engine in voices():
            if engine.name != used:
                yield Finding(
                    "engine", "good", f"{engine.name} does not speak: {_why_not(engine, voice)}"
                )


def _why_not(engine: VoiceEngine, voice: Voice) -> str:
    if problem := engine.problem():
        return problem
    if not engine.speaks(voice.language):
        return f"it does not speak {voice.language}."
    if not engine.rank:
        return "it speaks where a voice of its own is named."
    return "another was named, or speaks better."


def _hearing(engine: str, model: str, voice: Voice) -> Finding:
    recogniser = make_recogniser(engine, model, voice.language)
    synthesiser = make_synthesiser(voice)
    try:
        told, seconds = _said_and_heard(recogniser, synthesiser.render(_word(voice), voice), voice)
    finally:
        synthesiser.close()
        recogniser.close()
    if set(told.split()) != set(_word(voice).split()):
        return Finding(
            "hearing",
            "bad",
            f"{recogniser.name} heard {told or 'nothing'!r} where the voice said {_word(voice)!r}.",
            "Choose another voice or model.",
        )
    sentence = f"{recogniser.name} heard {told!r} right, {seconds:.2f} s after it was said."
    return Finding("hearing", "good", sentence)


def _word(voice: Voice) -> str:
    return load_locale(voice.language).yes[0]


def _said_and_heard(recogniser: Recogniser, pcm: Pcm, voice: Voice) -> tuple[str, float]:
    """Play a sound to the ear in a quiet room; return the text and the seconds of deciding."""
    clock = SessionClock()
    ear = make_ear(recogniser, clock.now)
    grammar = compile_grammar([Expectation("answer", "yesno")], (), load_locale(voice.language))
    ear.expect(grammar.automaton, "yesno")
    room = Room(resample)
    silence = np.zeros(0, np.int16)
    for _ in range(5):
        ear.hear(room.hear(MIC_RATE // 10, silence))
    room.speak(pcm)
    for _ in range(40):
        for utterance in ear.hear(room.hear(MIC_RATE // 10, silence)):
            return utterance.hypothesis.text, utterance.decode
    return "", 0.0
