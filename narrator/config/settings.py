"""What can be set, each with its meaning and its default."""

from __future__ import annotations

import math
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from narrator.ports.speech import Voice


def _clamped(low: float, high: float, *, whole: bool = False) -> BeforeValidator:
    """Pull a number into its range: "too loud" has an obvious meaning, so it is no error.

    What nobody can mean, below nothing or without end, is one.
    """

    def clamp(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError("not a number")
        number = _finite(value)
        if number < 0:
            raise ValueError("less than nothing")
        inside = min(max(number, low), high)
        return round(inside) if whole else inside

    return BeforeValidator(clamp)


def _finite(value: float | str) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("no number that anything has")
    return number


def _no_switch(value: object) -> object:
    """Refuse yes and no where a number is wanted: `record_days = true` would be a single day."""
    if isinstance(value, bool):
        raise ValueError("not a number")
    return value


def _as_barge_in(value: object) -> object:
    """Take yes and no as well: it was a switch once."""
    known = {"true": "headset", "yes": "headset", "on": "headset", "false": "off", "no": "off"}
    return known.get(str(value).strip().lower(), value)


BargeIn: TypeAlias = Annotated[
    Literal["auto", "off", "headset", "echo"], BeforeValidator(_as_barge_in)
]


def _as_page(value: object) -> object:
    """Take yes and no as well: TOML's `page = true` means this machine."""
    known = {"true": "local", "yes": "local", "on": "local", "false": "off", "no": "off"}
    return known.get(str(value).strip().lower(), value)


def _as_words(value: object) -> object:
    """Take pairs from the environment too: `Siobhan=Shivawn, TTRPG=T T R P G`."""
    if not isinstance(value, str):
        return value
    pairs = [pair.partition("=") for pair in value.split(",") if pair.strip()]
    if not all(sign and left.strip() for left, sign, _ in pairs):
        raise ValueError("not pairs such as en=en-us+f3, ko=ko")
    return {left.strip(): right.strip() for left, _, right in pairs}


def _known_engine(value: str, told: ValidationInfo) -> str:
    """Refuse an engine that is not there, where it is told which there are."""
    known = told.context.get("engines") if told.context else None
    if known is not None and value not in known:
        raise ValueError(f"not one of {', '.join(known)}")
    return value


def _as_names(value: object) -> object:
    """Take names from the environment too: `page, log`."""
    if not isinstance(value, str):
        return value
    return [name.strip() for name in value.split(",") if name.strip()]


Names: TypeAlias = Annotated[list[str], BeforeValidator(_as_names), Field(max_length=20)]
Words: TypeAlias = Annotated[dict[str, str], BeforeValidator(_as_words)]
Volume: TypeAlias = Annotated[float, _clamped(0.0, 2.0)]
Rate: TypeAlias = Annotated[int, _clamped(80, 450, whole=True)]
Seconds: TypeAlias = Annotated[float, BeforeValidator(_no_switch)]
Days: TypeAlias = Annotated[int, BeforeValidator(_no_switch)]
Pitch: TypeAlias = Annotated[int, _clamped(0, 99, whole=True)]


class Settings(BaseModel):
    """Every setting of the program; those of a game are the game's own options."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", coerce_numbers_to_str=True, allow_inf_nan=False
    )

    language: str = Field("en", description="Language that is spoken and heard, such as en or de.")

    speech: bool = Field(True, description="Speak at all; false shows every line as text only.")
    verbosity: Literal["brief", "normal", "full"] = Field(
        "normal",
        description="How much is said beside the script itself: brief, normal or full.",
    )
    voice: str = Field(
        "",
        description="Name of the voice, such as heart, en-us+f3, or a Piper voice's .onnx file;"
        " empty: the best that is installed for the language.",
    )
    language_voices: Words = Field(
        {},
        description='Voice by language, before `voice`, such as {ko = "ko", de = "de+f2"}.',
    )
    question_voice: str = Field("", description="Voice that asks; empty: the same.")
    chatter_voice: str = Field(
        "", description="Voice of what is said beside the script; empty: the same."
    )
    pronunciations: Words = Field(
        {}, description='How words are read, such as {Siobhan = "Shivawn", TTRPG = "T T R P G"}.'
    )
    rate: Rate = Field(165, description="Words a minute, 80 to 450.")
    pitch: Pitch = Field(50, description="Pitch of the voice, 0 to 99.")
    volume: Volume = Field(
        1.0, description="Loudness of the voice, 0 to 2; 1 is the same for every voice."
    )
    cue_volume: Volume = Field(
        0.6, description="Loudness of the short signals, 0 to 2; 0 is none of them."
    )
    cover: Literal["brown", "rain", "waves", "drone", "off"] = Field(
        "brown",
        description="Sound that masks movement at night: brown (noise), rain, waves, drone or off.",
    )
    cover_volume: Volume = Field(
        0.35, description="Loudness of the sound that masks movement at night, 0 to 2."
    )

    speaker: str = Field(
        "", description="Loudspeaker by name or number, see `narrator devices`; empty: default."
    )
    lead_in: Seconds = Field(
        0.15,
        ge=0.0,
        le=3.0,
        description="Seconds of silence before the first line after a pause, for sleepy speakers.",
    )

    microphone: str = Field(
        "",
        description="Microphone by name or number, see `narrator devices`; empty: default; or"
        " name:address of a sound input that an installed package brings.",
    )
    keyboard: bool = Field(False, description="Take answers from the keyboard only.")
    engine: Annotated[str, AfterValidator(_known_engine)] = Field(
        "auto",
        description="What hears: auto, whisper (English, grammar decoder), vosk, or an engine that"
        " an installed package brings.",
    )
    model: str = Field(
        "",
        description="Speech model by name, see `narrator models list`, or folder; empty: the best.",
    )
    guard_time: Seconds = Field(
        0.5,
        ge=0.0,
        le=3.0,
        description="Seconds after a line's last sound before listening begins; more for echo.",
    )
    barge_in: BargeIn = Field(
        "auto",
        description="Hear stop, pause, repeat and skip while speaking: off, headset (its voice does"
        " not reach the microphone), echo (cancels it, see docs/speaking-up.md), or auto: headset"
        " where the loudspeaker is called one.",
    )
    push_to_talk: bool = Field(
        False, description="Hear only what is said after Tab was pressed, once for each answer."
    )
    prefix_word: str = Field(
        "",
        description="Word to be said before every command, such as narrator; answers need none.",
    )

    record: bool = Field(
        False, description="Store what the microphone hears; the table is told of it."
    )
    record_days: Days = Field(
        30, ge=1, le=3650, description="Days after which a recording is deleted, 1 to 3650."
    )

    plain: bool = Field(
        False, description="Plain lines only, for screen readers: no colour, no redrawing."
    )
    page: Annotated[Literal["off", "local", "lan"], BeforeValidator(_as_page)] = Field(
        "off",
        description="Show captions and buttons as a web page: off, local (this machine only) or lan"
        " (phones in the same network, let in by a QR code or six digits).",
    )
    page_port: Annotated[int, BeforeValidator(_no_switch)] = Field(
        8642, ge=1024, le=65535, description="Port of the page; a free one where it is taken."
    )
    observers: Names = Field(
        [],
        description='What else is told of a played game, such as ["page"]: observers that installed'
        " packages bring.",
    )

    def role_voices(self) -> dict[str, str]:
        """Return the names of voices by role of text, where it has one of its own."""
        named = {"question": self.question_voice, "chatter": self.chatter_voice}
        return {role: name for role, name in named.items() if name}

    def as_voice(self) -> Voice:
        """Return how a line is to sound, at full volume: loudness is the mixer's."""
        name = self.language_voices.get(self.language) or self.voice
        return Voice(name, self.language, self.rate, pitch=self.pitch)


SECTIONS: tuple[tuple[str, str], ...] = (
    ("language", "Language"),
    ("speech", "Speaking"),
    ("speaker", "Loudspeaker"),
    ("microphone", "Hearing"),
    ("record", "Recording"),
    ("plain", "Screen"),
)
"""The first setting of each section of the documented file, with the section's heading."""


def documented_defaults() -> str:
    """Return the text of a configuration file with every default and its comment."""
    headings = dict(SECTIONS)
    lines = [
        "# Every setting of Narrator with its default. Copy this file into your configuration",
        "# folder (`narrator doctor` names it) and change what you like.",
        "# The environment (NARRATOR_RATE=140) and the command line win over this file.",
    ]
    for name, field in Settings.model_fields.items():
        if name in headings:
            lines += ["", f"# --- {headings[name]}"]
        lines += ["", f"# {field.description}", f"{name} = {_toml(field.default)}"]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(value)
