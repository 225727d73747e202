"""The narrator's voice as the settings have it: at a table, in rehearsals and tests alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from narrator.audio.gate import Gate
from narrator.config.settings import Settings
from narrator.core.values import Seat
from narrator.ports.audio import Player
from narrator.ports.session import Clock, Inbox, LineBegun
from narrator.speaking.cache import Voices
from narrator.speaking.respelling import Speakable
from narrator.speaking.speech_queue import Speech


def make_speech(
    settings: Settings,
    seats: Sequence[Seat],
    voices: Voices | None,
    player: Player,
    gate: Gate,
    inbox: Inbox,
    clock: Clock,
    begun: Callable[[LineBegun], None],
    *,
    words: Mapping[str, str] | None = None,
    slow: Callable[[str], bool] = lambda _voice: False,
    kind: type[Speech] = Speech,
) -> Speech:
    """Make what speaks.

    Args:
        settings: Voices, respellings, loudness, and how much is said beside the script.
        seats: Everybody, with the respellings of their names.
        voices: Gives lines as sound; None: every line is shown only.
        player: Plays; its ends are still to be told to the speech.
        inbox: Gets the end of each line.
        clock: Session seconds.
        gate: Closed while anything sounds.
        begun: Told of every line as it begins.
        words: Further respellings.
        slow: Tells of a voice's name whether it takes its time.
        kind: Of speech.
    """
    speech = kind(
        voices,
        player,
        gate,
        inbox,
        clock,
        begun,
        settings.as_voice(),
        speakable=Speakable(seats, {**settings.pronunciations, **(words or {})}),
        roles=settings.role_voices(),
        slow=slow,
        brief=settings.verbosity == "brief",
        at_once=not settings.speech,
    )
    speech.volumes(settings.volume, settings.cue_volume, settings.cover_volume)
    return speech
