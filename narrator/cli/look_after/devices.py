"""`narrator devices`: the microphones and loudspeakers there are."""

from __future__ import annotations

from dataclasses import asdict

import click

from narrator.app.doors.devices import Device, TableDevices
from narrator.app.wiring.configuration import load_configuration
from narrator.cli.output import say, say_json
from narrator.ports.errors import SoundError

NONE = "There is no sound device: plug one in, or play with the keyboard and the screen."


@click.command("devices")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def command(as_json: bool) -> None:
    """List microphones and loudspeakers, and which of them are used.

    A device is chosen by its number, its name or a part of it: with --mic and --speaker, or with
    the settings `microphone` and `speaker`.
    """
    devices = TableDevices()
    used = _used(devices)
    rows = [_row(device, used) for device in devices.all()]
    if as_json:
        say_json(rows)
        return
    for device in devices.all():
        say(_told(device, used))
    if not rows:
        say(NONE)


def _used(devices: TableDevices) -> dict[str, int | None]:
    settings = load_configuration().settings
    wanted = {"input": settings.microphone, "output": settings.speaker}
    used: dict[str, int | None] = {}
    for kind in ("input", "output"):
        try:
            used[kind] = devices.pick(wanted[kind] or None, kind).number
        except SoundError:
            used[kind] = None
    return used


def _row(device: Device, used: dict[str, int | None]) -> dict[str, object]:
    return {
        **asdict(device),
        "microphone": used["input"] == device.number,
        "loudspeaker": used["output"] == device.number,
    }


def _told(device: Device, used: dict[str, int | None]) -> str:
    kinds = [w for n, w in ((device.inputs, "records"), (device.outputs, "plays")) if n]
    marks = [w for k, w in (("input", "microphone"), ("output", "loudspeaker"))
             if used[k] == device.number]  # fmt: skip
    used_as = f", used as {' and '.join(marks)}" if marks else ""
    does = " and ".join(kinds) or "does nothing"
    return f"{device.number:3}  {device.name}: {does} at {device.rate} samples a second{used_as}"
