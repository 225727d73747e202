"""How engines describe themselves: what hears and what speaks, each in one table row.

A folder of `adapters/recognisers` or `adapters/voices` exports one of these as `ENGINE`, and so
does a package that registers it under the entry-point group `narrator.recognisers` or
`narrator.voices`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a voice's process needs none of these, and is to start quickly
    from narrator.language.names.check import Lexicon
    from narrator.language.names.phonetics import Sounds
    from narrator.ports.recognition import Recogniser, Traits

RECOGNISERS = "narrator.recognisers"
"""Entry-point group of packages that bring a `RecogniserEngine`."""
VOICES = "narrator.voices"
"""Entry-point group of packages that bring a `VoiceEngine`."""
RECORD = "narrator-model.json"
"""In a model's folder: what `narrator models` noted when it put it there."""


@dataclass(frozen=True, slots=True)
class Model:
    """A folder that its engine can use."""

    folder: Path
    language: str
    """Two or three letters, such as `en`."""


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model's folder as it lies there; nothing says yet that its engine can use it."""

    folder: Path
    language: str
    """Two or three letters; empty where neither name nor note tells."""
    country: str = ""
    """Two small letters, such as `us`."""
    package: str = ""
    """The installed package that carries it."""
    alias: str = ""
    """What it is called, where neither folder nor package tells."""
    licence: str = ""
    """Empty where nobody noted it."""

    @property
    def name(self) -> str:
        """Return what it is called on the command line."""
        return self.alias or (self.package.replace("_", "-") if self.package else self.folder.name)


@dataclass(frozen=True, slots=True)
class RecogniserEngine:
    """What hears, described."""

    name: str
    """As in the setting `engine`."""
    languages: tuple[str, ...]
    """Two or three letters each; empty: every language that a model is there for."""
    rank: int
    """Of the engines that hear a language the one with the highest rank is taken."""
    traits: Traits
    """Whether it follows a grammar, and what its scores must reach."""
    find: Callable[[Path | None, Sequence[Path], str], Model]
    """Returns the model for a language: the folder a person named, else one in these folders or
    among the installed packages. Raises RecogniserError."""
    takes: Callable[[Path], bool]
    """Whether a folder is a model of this engine's kind, by its files."""
    make: Callable[[Model], Recogniser]
    """Raises RecogniserError."""
    lexicon: Callable[[Model, Sounds], Lexicon]
    """Returns what can be heard, without loading the model; the sounds of words are for spellings
    that sound alike. Raises RecogniserError."""
    models: Callable[[Sequence[Path]], Iterable[FoundModel]]
    """Returns what lies in these folders and among the installed packages."""
    check: Callable[[Path], None]
    """Raises RecogniserError, one plain sentence, for a folder that it cannot use."""
    try_out: Callable[[Path], None]
    """Loads a model to see whether it works; raises RecogniserError. What an engine cannot bear may
    end a process, so this is done in one of its own."""

    def hears(self, language: str) -> bool:
        """Whether it can hear a language such as `en` or `de-AT`, given a model."""
        return not self.languages or language.lower().split("-")[0] in self.languages


@dataclass(frozen=True, slots=True)
class Manner:
    """How an engine speaks in a style, beside what its Synthesiser does by `Voice.style` itself."""

    rate: float = 1.0
    """A factor."""
    pitch: int = 0
    """Added to the voice's."""
    stops: bool = False
    """Whether the parts of a list are said as sentences: a comma has no pause worth the name."""


MANNERS: Mapping[str, Manner] = {
    "night": Manner(rate=0.96, pitch=-4),
    "question": Manner(pitch=3),
    "list": Manner(rate=0.92, stops=True),
    "announce": Manner(rate=0.96, pitch=3),
}
"""By style, for engines that have none of their own: calm at night, a list slow enough to follow
and with pauses, a question a little higher. By ear; words stay as they are."""


@dataclass(frozen=True, slots=True)
class VoiceEngine:
    """What speaks, described; it runs in a child process."""

    name: str
    """The speech store keeps lines by it and the version."""
    languages: tuple[str, ...]
    """Two or three letters each; empty: many, which its own list of voices tells."""
    licence: str
    changes: frozenset[str]
    """What of a `Voice` it follows: `rate`, `pitch`, `volume`, `variant`."""
    rank: int
    """Where no voice is named, the installed engine with the highest rank for the language speaks.
    """
    target: str
    """`module:class` of its Synthesiser, made without arguments in the child."""
    problem: Callable[[], str]
    """Returns why it cannot be used here, with the remedy; empty where it can."""
    version: Callable[[], str]
    """Returns what its sound depends on beside the text and the voice."""
    claims: Callable[[str], bool] = lambda _voice: False
    """Whether a voice of this name is this engine's."""
    can_say: Callable[[str], bool] = lambda _text: True
    """Whether it can read a text at all; the usual engine reads the others."""
    pronounces: bool = False
    """Whether its Synthesiser takes what tells the sounds of a word, where there is something."""
    pronouncer: str = ""
    """`module:function` that gives the sounds of a text in a language, where the engine knows them.
    """
    voices: tuple[str, ...] = ()
    """Names of its voices, where they are few and known."""
    patience: float = 5.0
    """Seconds a line may take."""
    start: float = 15.0
    """Seconds in which it must be ready."""
    styles: Mapping[str, Manner] = field(default_factory=lambda: MANNERS)
    """How it speaks in a style; one that is not here is spoken as usual."""
    sentence_by_sentence: bool = False
    """Whether it takes its time, so that a line's sentences are made and played one by one."""

    def speaks(self, language: str) -> bool:
        """Whether it can speak a language such as `en` or `de-AT`."""
        return not self.languages or language.lower().split("-")[0] in self.languages
