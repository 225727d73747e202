"""An output or an input is one folder and one line: a package, and a setting that names it."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from narrator.adapters.journal.memory import MemoryJournal
from narrator.adapters.sound.files import read, write
from narrator.app.games import load_game
from narrator.app.wiring import play, registry
from narrator.app.wiring.configuration import load_configuration
from narrator.app.wiring.engines import make_recogniser, make_synthesiser
from narrator.app.wiring.table_devices import PluginStream, TableDevices
from narrator.config.settings import Settings
from narrator.core.events import PortFailed, Transcript
from narrator.core.values import Seat
from narrator.ports.audio import BLOCK, MIC_RATE, SPEAKER_RATE
from narrator.ports.errors import RecogniserError, SoundError
from narrator.ports.faults import FaultCode
from narrator.ports.session import Asked, Fault, Heard, LineBegun
from narrator.session.outcome import Outcome
from narrator.simulation.room import SPEECH, at_level, pink
from narrator.testing.fakes import ListScreen
from tests.app.test_engines_of_packages import GAME, package
from tests.told import ENGLISH

PAGE = '''
"""A page: every update as a line of JSON in a file, as a web server would send it."""
import json
import os
from narrator.ports.ends import ObserverPlugin

class Page:
    def __init__(self):
        self.file = open(os.environ["PAGE_FILE"], "w")
    def observe(self, update):
        told = {"kind": type(update).__name__, "at": update.at}
        for name in ("text", "buttons", "seat", "view", "how", "code", "verdict"):
            if hasattr(update, name):
                told[name] = getattr(update, name)
        self.file.write(json.dumps(told) + "\\n")
    def close(self):
        self.file.close()

PLUGIN = ObserverPlugin("page", Page)
'''
BROKEN = """
from narrator.ports.ends import ObserverPlugin
class Page:
    def observe(self, update):
        {}
PLUGIN = ObserverPlugin("page", Page)
"""
LAN = '''
"""A microphone in the network: samples at 16 kHz, 16 bits, from a server."""
import socket
import threading
import numpy as np
from narrator.ports.ends import InputPlugin
from tests.patience import limit

class Lan:
    def __init__(self, address, take, fault):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=limit(5))
        self.thread = threading.Thread(target=self.read, args=(take,))
        self.thread.start()
    def read(self, take):
        try:
            while data := self.socket.recv(3200, socket.MSG_WAITALL):
                take(np.frombuffer(data[: len(data) // 2 * 2], "<i2"), 16000)
        except OSError:
            pass
    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.socket.close()

PLUGIN = InputPlugin("lan", Lan)
'''
SEATS = [Seat(1, "Robert"), Seat(2, "Julia")]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PAGE_FILE", str(tmp_path / "page.jsonl"))
    yield folder
    registry.forget()
    for name in ("page_of_house", "lan_ear"):
        sys.modules.pop(name, None)


def observing(shelf: Path, source: str) -> None:
    package(shelf, "page_of_house", source, "narrator.observers", "page = page_of_house:PLUGIN")


class Watching:
    """Notes every update; at the first fault it may do something."""

    def __init__(self) -> None:
        self.updates: list[object] = []
        self.at_a_fault: Callable[[], object] = lambda: None
        self.asked = threading.Event()

    def observe(self, update: object) -> None:
        self.updates.append(update)
        if isinstance(update, Fault):
            self.at_a_fault()
        if isinstance(update, Asked) and update.kind == "yesno":
            self.asked.set()

    def of(self, kind: type) -> list[object]:
        return [update for update in self.updates if isinstance(update, kind)]


def played(
    tmp_path: Path, settings: Settings, typed: str = "", watching: Watching | None = None
) -> tuple[Outcome, Watching, ListScreen, MemoryJournal]:
    """Play the game at a real table without loudspeaker; the keyboard is a pipe that stays open.

    Where nothing is typed at first, "yes" is typed once a fault was told.
    """
    script = tmp_path / "game.yaml"
    script.write_text(GAME, encoding="utf-8")
    source, into = os.pipe()
    os.write(into, typed.encode())
    watching, screen, journal = watching or Watching(), ListScreen(), MemoryJournal()
    if not typed:
        watching.at_a_fault = lambda: os.write(into, b"yes\n")
    evening = play.Evening(load_game(str(script)), SEATS, settings)
    try:
        outcome = play.play(evening, journal, screen, keyboard=source, observers=[watching])
    finally:
        os.close(into)
        os.close(source)
    return outcome, watching, screen, journal


def typing(**settings: object) -> Settings:
    return Settings.model_validate({"speech": False, "keyboard": True, **settings})


@pytest.mark.unit
def test_an_output_is_one_folder_and_one_line(shelf: Path, tmp_path: Path) -> None:
    observing(shelf, PAGE)
    outcome, watching, _, _ = played(tmp_path, typing(observers=["page"]), "yes\n")
    assert outcome.ended == "complete"
    told = [json.loads(line) for line in (tmp_path / "page.jsonl").read_text().splitlines()]
    assert [one["kind"] for one in told] == [type(one).__name__ for one in watching.updates]
    lines = [one["text"] for one in told if one["kind"] == "LineBegun"]
    assert lines == ["Good evening.", "Are you ready?"]
    assert any("repeat" in one["buttons"] for one in told if one["kind"] == "Asked")
    (heard,) = (one for one in told if one["kind"] == "Heard")
    assert heard["text"] == "yes" and heard["verdict"] == "accepted"
    assert [one["how"] for one in told if one["kind"] == "Ended"] == ["complete"]


@pytest.mark.unit
def test_an_observer_is_named_in_the_file_and_in_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "narrator.toml"
    file.write_text('observers = ["page"]\n', encoding="utf-8")
    assert load_configuration({}, file, environment={}).settings.observers == ["page"]
    environment = {"NARRATOR_OBSERVERS": "page, log"}
    assert load_configuration({}, environment=environment).settings.observers == ["page", "log"]


@pytest.mark.unit
@pytest.mark.parametrize(
    ("source", "code"),
    [
        (BROKEN.format("raise KeyError('page')"), FaultCode.OBSERVER_FAILED),
        (BROKEN.format("raise SystemExit(3)"), FaultCode.OBSERVER_FAILED),
        ("import nothing_of_this_name", FaultCode.OBSERVER_BROKEN),
        ("raise SystemExit(3)", FaultCode.OBSERVER_BROKEN),
        ("PLUGIN = 5", FaultCode.OBSERVER_BROKEN),
        ("", FaultCode.OBSERVER_BROKEN),
    ],
)
def test_a_broken_observer_is_told_once_and_stops_nothing(
    shelf: Path, tmp_path: Path, source: str, code: FaultCode
) -> None:
    observing(shelf, source)
    outcome, watching, screen, journal = played(tmp_path, typing(observers=["page"]))
    assert outcome.ended == "complete"
    (fault,) = watching.of(Fault)
    assert isinstance(fault, Fault) and (fault.port, fault.code) == ("observer", code)
    assert set(fault.fields) == set(code.fields) and fault.fields["observer"] == "page"
    assert screen.lines.count(fault.message) == 1
    assert fault.message == ENGLISH.event(fault.code, fault.fields, "")
    written = [e.event for e in journal.entries() if isinstance(e.event, PortFailed)]
    assert [event.code for event in written] == [code]


@pytest.mark.unit
def test_an_observer_that_hangs_stops_nothing(shelf: Path, tmp_path: Path) -> None:
    observing(shelf, BROKEN.format("__import__('time').sleep(2.5)"))
    outcome, watching, _, _ = played(tmp_path, typing(observers=["page"]), "yes\n")
    assert outcome.ended == "complete" and not watching.of(Fault)
    assert outcome.seconds < 2.0


@pytest.mark.unit
def test_an_observer_that_is_not_installed_is_told(tmp_path: Path) -> None:
    outcome, watching, _, _ = played(tmp_path, typing(observers=["no_such"]), "yes\n")
    (fault,) = watching.of(Fault)
    assert isinstance(fault, Fault) and fault.code == FaultCode.OBSERVER_UNKNOWN
    assert outcome.ended == "complete" and "no_such" in fault.message


@pytest.mark.unit
def test_nothing_is_loaded_that_no_setting_names(shelf: Path, tmp_path: Path) -> None:
    observing(shelf, PAGE)
    package(shelf, "lan_ear", LAN, "narrator.inputs", "lan = lan_ear:PLUGIN")
    played(tmp_path, typing(), "yes\n")
    assert not {"page_of_house", "lan_ear"} & set(sys.modules)
    assert not (tmp_path / "page.jsonl").exists()


@pytest.mark.unit
@pytest.mark.engine
def test_a_microphone_that_is_not_there_is_a_fault_that_observers_get(
    shelf: Path, tmp_path: Path
) -> None:
    package(shelf, "lan_ear", "raise SystemExit(3)", "narrator.inputs", "lan = lan_ear:PLUGIN")
    settings = Settings(speech=False, microphone="lan:nowhere", engine="whisper")
    outcome, watching, screen, _ = played(tmp_path, settings, "yes\n")
    assert outcome.ended == "complete"
    fault = watching.of(Fault)[0]
    assert isinstance(fault, Fault)
    assert (fault.port, fault.code) == ("microphone", FaultCode.INPUT_BROKEN)
    assert dict(fault.fields) == {"name": "lan"}
    assert screen.lines.count(fault.message) == 1
    assert fault.message.endswith(ENGLISH.then["type meanwhile"])


class Player:
    """Somebody in the network: sends a quiet room in real time, and says a line when asked."""

    def __init__(self, said: np.ndarray, asked: threading.Event) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._said, self._asked, self._over = said, asked, threading.Event()
        self.address = f"127.0.0.1:{self._server.getsockname()[1]}"
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> Player:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.close()
        self._thread.join()

    def _send(self) -> None:
        self._server.settimeout(60.0)  # a model is loaded first
        room = (pink(10, MIC_RATE, 1) * 0.0004 * 32767).astype(np.int16)
        waits, place, said = 10, 0, self._said
        with self._server.accept()[0] as connection:
            while not self._over.wait(BLOCK / MIC_RATE):
                block = room[place : place + BLOCK].copy()
                place = (place + BLOCK) % room.size
                waits -= self._asked.is_set()
                if waits <= 0 and said.size:
                    block[: said[:BLOCK].size] += said[:BLOCK]
                    said = said[BLOCK:]
                try:
                    connection.sendall(block.tobytes())
                except OSError:
                    return


def wav(folder: Path) -> np.ndarray:
    """Return a player's word as it is read from a WAV file."""
    settings = Settings(voice="en-us+m3")
    synthesiser = make_synthesiser(settings.as_voice())
    try:
        pcm = synthesiser.render("yes", settings.as_voice())
    finally:
        synthesiser.close()
    write(folder / "yes.wav", at_level(pcm, SPEECH), SPEAKER_RATE)
    return read(folder / "yes.wav")


@pytest.mark.model
def test_a_sound_input_over_the_network_is_one_folder_and_one_line(
    shelf: Path, tmp_path: Path
) -> None:
    try:
        make_recogniser("whisper", "", "en").close()
    except RecogniserError as fault:
        pytest.skip(f"The English speech model is not installed: {fault.message}")
    package(shelf, "lan_ear", LAN, "narrator.inputs", "lan = lan_ear:PLUGIN")
    watching = Watching()
    with Player(wav(tmp_path), watching.asked) as player:
        settings = Settings(speech=False, microphone=f"lan:{player.address}", engine="whisper")
        outcome, watching, _, journal = played(tmp_path, settings, watching=watching)
    assert outcome.ended == "complete" and not watching.of(Fault)
    heard = [one for one in watching.of(Heard) if isinstance(one, Heard)]
    assert [(one.text, one.verdict) for one in heard] == [("yes", "accepted")]
    assert heard[0].stands_out > 6.0
    transcripts = [e.event for e in journal.entries() if isinstance(e.event, Transcript)]
    assert [(one.text, one.source) for one in transcripts] == [("yes", "voice")]
    assert len(watching.of(LineBegun)) == 2


@pytest.mark.unit
@pytest.mark.parametrize(
    ("source", "code"),
    [
        (LAN.replace("PLUGIN =", "OTHER ="), FaultCode.INPUT_BROKEN),
        ("raise SystemExit(3)", FaultCode.INPUT_BROKEN),
        (LAN.replace("int(port)", "port.no_such()"), FaultCode.INPUT_FAILED),
        (LAN, FaultCode.INPUT_FAILED),  # nobody listens there
    ],
)
def test_an_input_that_cannot_be_opened_is_a_fault_in_one_sentence(
    shelf: Path, source: str, code: FaultCode
) -> None:
    package(shelf, "lan_ear", source, "narrator.inputs", "lan = lan_ear:PLUGIN")
    with pytest.raises(SoundError) as fault:
        TableDevices().check("lan:127.0.0.1:1", "input", MIC_RATE)
    assert fault.value.code == code and fault.value.fields["name"] == "lan"


@pytest.mark.unit
@pytest.mark.parametrize(
    ("sound", "rate"),
    [
        (np.zeros(1600, np.float32), MIC_RATE),
        (np.zeros((2, 800), np.int16), MIC_RATE),
        (np.zeros(1600, np.int16), 0),
        (np.zeros(11 * MIC_RATE, np.int16), MIC_RATE),
    ],
)
def test_what_is_no_sound_ends_an_input(shelf: Path, sound: np.ndarray, rate: int) -> None:
    source = (
        "from narrator.ports.ends import InputPlugin\n"
        "TAKES = []\n"
        "class Source:\n"
        "    def __init__(self, address, take, fault):\n        TAKES.append(take)\n"
        "    def close(self):\n        pass\n"
        'PLUGIN = InputPlugin("lan", Source)\n'
    )
    package(shelf, "lan_ear", source, "narrator.inputs", "lan = lan_ear:PLUGIN")
    taken: list[int] = []
    faults: list[SoundError] = []
    stream = PluginStream(
        "lan", "", lambda s, _r, _o: taken.append(s.size), lambda f, _back: faults.append(f)
    )
    give = sys.modules["lan_ear"].TAKES[0]
    give(np.ones(1600, np.int16), MIC_RATE)
    assert taken == [1600]
    give(sound, rate)
    give(np.ones(1600, np.int16), MIC_RATE)
    assert not stream.live and taken == [1600]
    assert [fault.code for fault in faults] == [FaultCode.INPUT_FAILED]
    stream.close()
