"""Every fault that can be met while playing: a code, and the fields that its sentence needs.

The sentences are the language's: see `narrator/locales/messages`. Nothing below the session knows a
word of them, so that a table hears and reads its own language only.
"""

from __future__ import annotations

import errno
from enum import StrEnum

FieldValue = str | int | float
"""What a fault may tell besides its code: a name, a path, a number, or a term of the language."""


class FaultCode(StrEnum):
    """What can go wrong. The values stand in journals and never change their meaning."""

    fields: tuple[str, ...]

    def __new__(cls, value: str, *fields: str) -> FaultCode:
        """Make a code whose sentence may use these fields."""
        code = str.__new__(cls, value)
        code._value_ = value
        code.fields = fields
        return code

    EARLIER = "told by an earlier release", "message"
    """A journal of a release up to 0.1 holds the sentence itself."""

    # Sound devices. `device` is a term: microphone or loudspeaker.
    PORTAUDIO_MISSING = "portaudio missing"
    SOUND_SYSTEM_DEAD = "sound system dead"
    DEVICES_UNLISTED = "devices unlisted"
    NO_DEVICE = "no device", "device"
    DEVICE_AMBIGUOUS = "device ambiguous", "device", "wanted", "names"
    DEVICE_OF_OTHER_KIND = "device of other kind", "device", "wanted", "names"
    DEVICE_UNKNOWN = "device unknown", "device", "wanted", "names"
    DEVICE_BUSY = "device busy", "name"
    DEVICE_UNUSABLE = "device unusable", "name"
    DEVICE_FAILED = "device failed", "device", "kind"
    DEVICE_STOPPED = "device stopped", "device"
    DEVICE_BACK = "device back", "device"
    MICROPHONE_SILENT = "microphone silent"
    MICROPHONE_HEARD_AGAIN = "microphone heard again"
    MICROPHONE_LATE = "microphone late"
    MICROPHONE_IN_TIME = "microphone in time"
    SOUND_NOT_TAKEN = "sound not taken", "kind"
    LINE_END_NOT_TAKEN = "line end not taken", "kind"
    LOUDSPEAKER_SILENT = "loudspeaker silent"
    NO_SOUND_IN_TIME = "no sound in time"
    SOUND_FILE_MISSING = "sound file missing", "path"
    SOUND_FILE_FOLDER = "sound file is a folder", "path"
    SOUND_FILE_UNREADABLE = "sound file unreadable", "path"
    SOUND_FILE_DEVICE = "sound file is a device", "path"
    SOUND_FILE_RATE = "sound file rate", "path", "rate"
    SOUND_FILE_CHANNELS = "sound file channels", "path", "channels"
    SOUND_FILE_LONG = "sound file long", "path", "minutes"
    SOUND_FILE_UNWRITABLE = "sound file unwritable", "path"
    ECHO_CANCELLER_MISSING = "echo canceller missing"
    ECHO_CANCELLER_FAILED = "echo canceller failed"
    RECORDING_IMPOSSIBLE = "recording impossible", "path", "reason"
    RECORDING_ENDED = "recording ended"
    INPUT_BROKEN = "input broken", "name"
    INPUT_FAILED = "input failed", "name", "kind"

    # What watches.
    PAGE_MISSING = "page missing"
    PAGE_NO_PORT = "page no port", "port"
    OBSERVER_UNKNOWN = "observer unknown", "observer", "names"
    OBSERVER_BROKEN = "observer broken", "observer"
    OBSERVER_FAILED = "observer failed", "observer", "kind"
    OBSERVER_SLOW = "observer slow", "observer"

    # What hears.
    VOICE_DETECTOR_MISSING = "voice detector missing"
    RECOGNISER_CRASHED = "recogniser crashed", "kind"
    RECOGNISER_CLOSED = "recogniser closed"
    HEARING_LATE = "hearing late", "seconds"
    PREFIX_UNHEARD = "prefix unheard", "prefix"
    NAME_UNKNOWN = "name unknown", "name", "seat"
    NAME_UNKNOWN_BUT_NEAR = "name unknown but near", "name", "near", "first"
    NAMES_ALIKE = "names alike", "one", "two", "seat", "other"
    NAME_LIKE_A_WORD = "name like a word", "name", "word", "meaning", "seat"
    NAMES_SHORT = "names short", "names", "seat", "name"
    NAME_MISREAD = "name misread", "name"
    NOTHING_HEARS = "nothing hears", "language"
    ENGINE_BROKEN = "engine broken", "engine"
    ENGINE_UNKNOWN = "engine unknown", "engine", "names"
    MODEL_NOT_INSTALLED = "model not installed", "model", "short", "size"
    NO_MODEL = "no model", "language", "short"
    MODEL_MISSING = "model missing", "path"
    MODEL_IS_ZIP = "model is a zip", "path"
    MODEL_NOT_FOLDER = "model is no folder", "path"
    MODEL_PATH_NOT_ASCII = "model path not ascii", "path"
    MODEL_EMPTY = "model empty", "path"
    MODEL_DEEPER = "model deeper", "path", "inner"
    MODEL_IS_VOICE = "model is a voice", "path"
    MODEL_NOT_VOSK = "model not vosk", "path"
    MODEL_FIXED_GRAPH = "model fixed graph", "path"
    MODEL_WITHOUT_GRAPH = "model without graph", "path"
    MODEL_DAMAGED = "model damaged", "path"
    MODEL_TOO_SLOW = "model too slow"
    MODEL_CRASHES = "model crashes"
    MODEL_NOT_LOADED = "model not loaded", "path"
    MODEL_WORDS_UNREADABLE = "model words unreadable", "path"
    VOSK_MISSING = "vosk missing"
    NOT_SOUND = "not sound"
    TWO_THREADS = "two threads"
    ENGLISH_MODEL_MISSING = "english model missing"
    ENGLISH_MODEL_NOT_LOADED = "english model not loaded"
    ENGLISH_LIBRARY_MISSING = "english library missing"
    NOT_ENGLISH_MODEL = "not english model", "path"
    MODEL_FILE_UNREADABLE = "model file unreadable", "path", "reason"
    MODEL_FILE_CHANGED = "model file changed", "path"

    # What speaks.
    NOTHING_SPEAKS = "nothing speaks"
    VOICE_UNKNOWN = "voice unknown", "voice"
    VOICE_UNKNOWN_BUT_NEAR = "voice unknown but near", "voice", "near"
    VOICE_CRASHED = "voice crashed", "kind"
    VOICE_CLOSED = "voice closed"
    VOICE_WITHOUT_SOUND = "voice without sound"
    VOICE_ENDLESS = "voice endless"
    VOICE_NOT_STARTED = "voice not started"
    VOICE_LATE = "voice late"
    VOICE_STOPPED = "voice stopped"
    VOICE_BACK = "voice back"
    NO_VOICE_FOR_LANGUAGE = "no voice for language", "language"
    ESPEAK_MISSING = "espeak missing"
    ESPEAK_WITHOUT_VOICES = "espeak without voices"
    ESPEAK_REFUSED = "espeak refused"
    ESPEAK_TOO_OLD = "espeak too old"
    SYSTEM_VOICE_MISSING = "system voice missing"
    SYSTEM_VOICE_SILENT = "system voice silent"
    SYSTEM_VOICE_NO_SOUND_FILE = "system voice no sound file"
    HIBARI_MISSING = "hibari missing"
    HIBARI_UNUSABLE = "hibari unusable", "kind"
    PIPER_MISSING = "piper missing"
    PIPER_VOICE_MISSING = "piper voice missing", "path"
    PIPER_VOICE_UNUSABLE = "piper voice unusable", "path", "kind"
    LINES_NOT_KEPT = "lines not kept", "reason"

    # The journal.
    JOURNAL_FULL = "journal full", "path"
    JOURNAL_READ_ONLY = "journal read only", "path"
    JOURNAL_BUSY = "journal busy", "path"
    JOURNAL_DAMAGED = "journal damaged", "path"
    JOURNAL_UNUSABLE = "journal unusable", "path", "reason"
    JOURNAL_FAILED = "journal failed", "path", "number"
    JOURNAL_NOT_SET_ASIDE = "journal not set aside", "path", "reason"
    JOURNAL_OF_ANOTHER = "journal of another", "path"
    JOURNAL_NEWER = "journal newer", "path", "needed", "version"
    JOURNAL_MUCH_NEWER = "journal much newer", "path", "version"
    JOURNAL_BEING_SAVED = "journal being saved", "path"
    JOURNAL_DAMAGED_IN_USE = "journal damaged in use", "path"
    JOURNAL_MISSING = "journal missing"
    EVENING_BUSY = "evening busy", "number"
    EVENING_UNREADABLE = "evening unreadable", "number"
    EVENING_DAMAGED = "evening damaged", "number"
    EVENING_SCRIPT_DAMAGED = "evening script damaged", "number"
    EVENING_SUSPICIOUS = "evening suspicious", "number", "name"
    EVENT_DAMAGED = "event damaged", "number", "kind"
    EVENING_UNKNOWN = "evening unknown", "number"
    EVENING_OVER = "evening over", "number"
    EVENING_TOO_OLD = "evening too old", "number", "version"
    NO_UNFINISHED_EVENING = "no unfinished evening"
    NO_UNFINISHED_GAME = "no unfinished game", "title"
    RECORD_UNWRITABLE = "record unwritable", "path", "reason"

    OWN_FAULT = "own fault", "kind"
    """A fault of the program itself."""


class Then(StrEnum):
    """What follows from a fault for the table."""

    TYPE = "type"
    TYPE_MEANWHILE = "type meanwhile"
    SAY_AGAIN = "say again"
    READ = "read"
    GO_ON = "go on"
    OTHER_VOICE = "other voice"
    OTHER_EAR = "other ear"
    UNHEARD_WHILE_SPEAKING = "unheard while speaking"
    NOT_KEPT = "not kept"
    ENGLISH_INSTEAD = "english instead"


_REASONS = {
    errno.ENOENT: "missing",
    errno.EACCES: "not allowed",
    errno.EPERM: "not allowed",
    errno.EROFS: "read only",
    errno.ENOSPC: "disk full",
    errno.EDQUOT: "disk full",
    errno.EFBIG: "too large",
    errno.EIO: "device fails",
    errno.EISDIR: "is a folder",
    errno.EINVAL: "no file",
    errno.EILSEQ: "not text",
    errno.ENOTDIR: "no folder",
    errno.EEXIST: "exists",
    errno.EBUSY: "in use",
    errno.ENAMETOOLONG: "name too long",
}
REASONS = frozenset({*_REASONS.values(), "fails"})
"""Terms by which a language tells why a file cannot be used."""


def reason(error: OSError) -> str:
    """Return the term for why the system refused something."""
    return _REASONS.get(error.errno or 0, "fails")
