"""Which sound devices there are, asked in a process of its own.

A sound library may end the process that asks it for devices, or never answer. So nothing of
PortAudio is loaded into the game before a child has asked the same question and lived. It imports
little: the game's start waits for it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

_PATIENCE = 10.0
"""Seconds after which a child that asks for devices is given up: a healthy one takes under one."""
MISSING = 3
"""Exit code of a child that has no PortAudio."""


class Probe:
    """One question to a child process; it is asked at once and its answer awaited when needed."""

    def __init__(self) -> None:
        """Start the child."""
        self._names: list[str] | None = None
        self.missing = False
        """Whether PortAudio is not installed; known once the answer has come."""
        self._thread = threading.Thread(target=self._ask, name="sound-probe", daemon=True)
        self._thread.start()

    def names(self) -> list[str] | None:
        """Return the names of the devices, sorted; None where the child did not live to tell."""
        self._thread.join()
        return self._names

    def _ask(self) -> None:
        command = [sys.executable, "-m", "narrator.adapters.sound.probe"]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=env,
                timeout=_PATIENCE,
                check=False,
            )
            self.missing = done.returncode == MISSING
            if done.returncode == 0:
                self._names = sorted(str(name) for name in json.loads(done.stdout))
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self._names = None


def main() -> int:
    """Print the names of the devices as JSON; return the exit code."""
    try:
        import sounddevice
    except (ImportError, OSError):
        return MISSING
    names = [str(info["name"]) for info in sounddevice.query_devices()]
    sys.stdout.write(json.dumps(names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
