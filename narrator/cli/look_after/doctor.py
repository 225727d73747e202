"""`narrator doctor`: every part tried, each with one sentence of remedy."""

from __future__ import annotations

from dataclasses import asdict

import click

from narrator.app.doctor.doctor import examine
from narrator.app.wiring.configuration import load_configuration
from narrator.cli.output import say, say_json


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def command(as_json: bool) -> None:
    """Check voice, devices, hearing, disk and settings, and say what to do about each fault.

    Ends with 1 if a part is bad; a missing microphone or loudspeaker alone is not, since the
    keyboard and the screen will do.
    """
    findings = []
    for finding in examine(load_configuration()):
        findings.append(finding)
        if not as_json:
            say(f"{finding.state:5} {finding.part}: {finding.told} {finding.remedy}".rstrip())
    if as_json:
        say_json([asdict(f) for f in findings])
    if any(f.state == "bad" for f in findings):
        raise click.exceptions.Exit(1)
