"""Set Narrator up where that is due, then play or check it. Standard library only."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = ROOT / "requirements"
PLAY_PACKAGES = ("libportaudio2", "libespeak-ng1")
TEST_PACKAGES = (*PLAY_PACKAGES, "pulseaudio", "pulseaudio-utils", "libasound2-plugins", "chromium")
REHEARSAL = (
    "rehearse",
    "one-night-revolution",
    *("--players", "Ana, Ben, Cy, Dee, Eli"),
    *("--seed", "7"),
    *("--out", "evening"),
)
SLOWEST = "--durations=8"
UNCONNECTED = ("NewConnectionError", "ConnectTimeout", "Failed to establish a new connection",
               "connection broken", "Connection refused", "No route to host")  # fmt: skip
"""What pip writes where it has no network."""
WINDOWS = sys.platform == "win32"


class SetUpError(Exception):
    """Set-up cannot go on; the message is plain and names the remedy."""


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def program(folder: Path, name: str) -> str:
    """Return the path of a program in a virtual environment."""
    return str(folder / ("Scripts" if WINDOWS else "bin") / (f"{name}.exe" if WINDOWS else name))


def run_quietly(*command: str) -> str | None:
    """Run a command; return what it complained of where it failed, None where it worked."""
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    return None if done.returncode == 0 else done.stderr


def run(*command: str, cwd: Path = ROOT, talk: bool = False) -> bool:
    """Run a command and tell whether it worked; with `talk` its output is no result of ours."""
    output = sys.stderr if talk else None
    return subprocess.run(command, cwd=cwd, stdout=output, check=False).returncode == 0


# --- what the system must have


def missing_packages(wanted: Sequence[str]) -> list[str]:
    """Return the Debian packages that are not installed; none on systems that have no dpkg."""
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        return []
    query = ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted]
    shown = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    present = {line.split()[0] for line in shown.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in present]


def as_administrator() -> list[str] | None:
    """Return the words that lend a command the administrator's rights; None: they cannot be had."""
    if WINDOWS or os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if (
        sudo
        and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0
    ):
        return [sudo, "-n"]
    return None


def install_packages(wanted: Sequence[str]) -> None:
    missing = missing_packages(wanted)
    if not missing:
        return
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    prefix = as_administrator()
    if prefix is None:
        tell(f"Missing from this system: {' '.join(missing)}. Going on without; to add them:")
        tell(f"  sudo apt-get update && sudo {' '.join(install)}")
        return
    tell(f"Installing {' '.join(missing)} ...")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
    run(*prefix, "apt-get", "update", "-q", talk=True)
    if not run(*prefix, *quiet, *install, talk=True):
        tell(f"These could not be installed: {' '.join(missing)}. Going on without.")


# --- the Python packages


def stamp_of(folder: Path, locks: Sequence[str]) -> str:
    """Return a text that changes whenever the environment must be rebuilt."""
    digest = hashlib.sha256(f"{folder} {sys.version_info[:2]}".encode())
    for file in (ROOT / "pyproject.toml", *(LOCKS / f"{name}.lock" for name in locks)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def make_environment(folder: Path, locks: Sequence[str], *extra: Sequence[str]) -> None:
    """Bring an environment to exactly what the locks say; does nothing where it is there."""
    stamp, due = folder / f"{locks[-1]}.stamp", stamp_of(folder, locks)
    if stamp.is_file() and stamp.read_text() == due and is_usable(folder):
        return
    refuse_a_place_that_cannot_be_used(folder)
    steps = 2 + len(locks) + len(extra)
    tell(f"Setting up; this needs the network, once. Step 1 of {steps}: making {folder.name} ...")
    try:
        venv.create(folder, with_pip=True, symlinks=not WINDOWS, clear=not is_usable(folder))
    except (OSError, subprocess.CalledProcessError) as fault:
        raise SetUpError(
            "Python's venv module does not work here. On Debian and Ubuntu: "
            "sudo apt-get install python3-venv"
        ) from fault
    tell(f"Step 2 of {steps}: looking whether packages can be fetched ...")
    # The smallest lock first and with one try more: without a network this takes a second, not
    # the minute that pip goes on trying for.
    install(folder, "--retries", "1", *of_lock(locks[0]))
    for number, name in enumerate(locks, 3):
        tell(f"Step {number} of {steps}: fetching and installing the packages for {name} ...")
        install(folder, *of_lock(name))
    for words in extra:
        tell(f"Step {steps} of {steps}: installing Narrator itself ...")
        install(folder, *words)
    stamp.write_text(due)


def refuse_a_place_that_cannot_be_used(folder: Path) -> None:
    """Say what is in the way of an environment. Raises SetUpError."""
    if folder.exists() and not folder.is_dir():
        raise SetUpError(
            f"Set-up needs the folder {folder}, and there is a file of that name. "
            "Move it away, then start this again."
        )
    place = folder if folder.exists() else folder.parent
    if not os.access(place, os.W_OK):
        raise SetUpError(
            f"Set-up needs to write to {place}, and you may not. "
            "Copy the whole folder to a place of your own, then start it there."
        )


def of_lock(name: str) -> list[str]:
    """Return what pip is told about a lock: all of it and nothing else.

    A lock holds whatever is needed; what a package wants besides (see `[tool.uv]`) is left out.
    """
    return ["--no-deps", "--require-hashes", "-r", str(LOCKS / f"{name}.lock")]


def install(folder: Path, *words: str) -> None:
    """Install something with pip. Raises SetUpError with pip's reason where it has one."""
    complaint = run_quietly(*pip(folder), "install", "-q", *words)
    if complaint is None:
        return
    if any(sign in complaint for sign in UNCONNECTED):
        raise SetUpError(
            "The packages could not be fetched: there is no connection to the package index. "
            "Connect to the network, then start this again."
        )
    reasons = [line for line in complaint.splitlines() if line.startswith("ERROR: ")]
    reason = reasons[-1].removeprefix("ERROR: ") if reasons else complaint.strip()[-200:]
    raise SetUpError(f"The packages could not be installed: {reason}")


def is_usable(folder: Path) -> bool:
    """Whether an environment still starts, and with the Python that runs this."""
    ask = [program(folder, "python"), "-c", "import sys; print(*sys.version_info[:2])"]
    try:
        said = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return False
    return said == [str(number) for number in sys.version_info[:2]]


def pip(folder: Path) -> list[str]:
    return [program(folder, "python"), "-m", "pip", "--disable-pip-version-check"]


def prepare(kind: str) -> None:
    """Set up for `play` or `test`; an environment for tests is good for playing too."""
    install_packages(TEST_PACKAGES if kind == "test" else PLAY_PACKAGES)
    ourselves = ["--no-deps", "--no-build-isolation", "-e", "."]
    if kind == "play" and (VENV / "test.stamp").is_file():
        kind = "test"
    make_environment(VENV, ["build", kind], ourselves)


# --- what can be started


def play(arguments: list[str]) -> int:
    prepare("play")
    command = [program(VENV, "narrator"), *(arguments or REHEARSAL)]
    if WINDOWS:
        return subprocess.run(command, check=False).returncode
    # Keys and signals shall reach the game itself.
    os.execv(command[0], command)


def test(arguments: list[str]) -> int:
    prepare("test")
    # Compiled modules are kept: collecting and every child process take a quarter of the time.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments[:1] == ["--quick"]:
        return quick(arguments[1:])
    if arguments:
        pytest = [program(VENV, "pytest"), *arguments]
        return subprocess.run(pytest, cwd=ROOT, check=False).returncode
    failed = [name for name, check in CHECKS.items() if not announced(name, check)]
    tell(f"Failed: {', '.join(failed)}." if failed else "Every check passed.")
    return 1 if failed else 0


def quick(arguments: Sequence[str]) -> int:
    """Run what one runs while working: linters and types beside the tests that start no engine."""
    outputs = {name: tempfile.TemporaryFile() for name in BESIDE}
    started = {
        name: subprocess.Popen(
            [program(VENV, command[0]), *command[1:]], cwd=ROOT, stdout=output, stderr=output
        )
        for (name, command), output in zip(BESIDE.items(), outputs.values(), strict=True)
    }
    failed = []
    if not run(program(VENV, "pytest"), "-q", "-n", "auto", "--quick", *arguments):
        failed.append("tests")
    for name, process in started.items():
        if process.wait():
            failed.append(name)
            outputs[name].seek(0)
            print(f"\n== {name}\n{outputs[name].read().decode(errors='replace')}", flush=True)
    tell(f"Failed: {', '.join(failed)}." if failed else "Every quick check passed.")
    return 1 if failed else 0


def announced(name: str, check: Callable[[], bool]) -> bool:
    print(f"\n== {name}", flush=True)
    return check()


def tool(name: str, *arguments: str) -> Callable[[], bool]:
    return lambda: run(program(VENV, name), *arguments)


def check_scripts() -> bool:
    scripts = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "scripts").glob("*/game.yaml"))
    return bool(scripts) and run(program(VENV, "narrator"), "check", "--strict", *scripts)


def check_wheel() -> bool:
    """Start the built wheel's command where no tool of ours is installed, far from the sources."""
    clean = VENV / "wheel-check"
    shutil.rmtree(clean / "dist", ignore_errors=True)
    make_environment(clean, ["play"])
    dist = clean / "dist"
    build = ("wheel", "-qq", "--no-deps", "--no-build-isolation", "-w", str(dist), ".")
    if not run(*pip(VENV), *build):
        return False
    wheel = next(dist.glob("narrator-*.whl"))
    if not run(*pip(clean), "install", "-qq", "--no-deps", "--force-reinstall", str(wheel)):
        return False
    narrator = program(clean, "narrator")
    return all([run(narrator, "--version", cwd=dist), run(narrator, "list", cwd=dist)])


GAMES = "tests/games/test_ten_thousand_games.py"
ANYTHING_ELSE_FIRST = 19
"""The niceness at which a program only gets what no other wants."""


def devices_and_games() -> bool:
    """Run the tests that mostly wait for sound, and the random games in the time they leave.

    Two tables stand side by side, each with a sound server of its own. The games have no time
    limits, keep to one core and give way, so that the sound does not run dry.
    """
    pytest = program(VENV, "pytest")
    games = [pytest, "-q", "-p", "no:cacheprovider", GAMES]
    marked = ("-m", "not (unit or slow or model)")
    devices = [pytest, "-n", "2", "--dist", "loadgroup", SLOWEST, *marked]
    if WINDOWS or not shutil.which("nice"):
        return all([run(*devices), run(*games)])
    with tempfile.TemporaryFile() as output:
        giving_way = ["nice", "-n", str(ANYTHING_ELSE_FIRST), *games]
        with subprocess.Popen(giving_way, cwd=ROOT, stdout=output, stderr=output) as playing:
            try:
                passed = run(*devices)
                passed = not playing.wait() and passed
            except BaseException:
                playing.terminate()
                raise
        output.seek(0)
        print(output.read().decode(errors="replace"), flush=True)
    return passed


BESIDE = {
    "lint": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "imports": ("lint-imports", "--no-logo"),
    "types": ("mypy",),
}
"""The checks that only read the sources."""
CHECKS: dict[str, Callable[[], bool]] = {
    **{name: tool(*command) for name, command in BESIDE.items()},
    "documents": tool("python", "-m", "tools.documents", "--check"),
    "scripts": check_scripts,
    "tests": tool("pytest", "-n", "auto", SLOWEST, "-m", "unit or slow", f"--ignore={GAMES}"),
    # A file's recogniser and its evenings are made once, by one of the processes.
    "tests with real engines": tool(
        "pytest", "-n", "auto", "--dist", "loadfile", SLOWEST, "-m", "model"
    ),
    "tests with sound devices, and random games": devices_and_games,
    "wheel": check_wheel,
}
"""Every check, the quick ones first."""


def documents(arguments: list[str]) -> int:
    """Write the documents that are made from the program; `--check` only tells."""
    prepare("test")
    command = [program(VENV, "python"), "-m", "tools.documents", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def lock(arguments: list[str]) -> int:
    """Write the locks; the smaller ones follow the versions of the largest."""
    uv = shutil.which("uv")
    if uv is None:
        raise SetUpError("The locks are written by uv. Install it with: pip install uv")
    english = ("pyproject.toml", "--extra", "english", "--extra", "voice", "--extra", "page")
    optional = ("--extra", "echo", "--extra", "espeak", "--extra", "piper", "--extra", "pictures")
    sources = {
        "test": (*english, *optional, "--group", "build", "--group", "test"),
        "play": english,
        "build": ("--group", "build"),
    }
    quiet = ("-q", "--universal", "--generate-hashes", "--no-annotate")
    for name, source in sources.items():
        target = LOCKS / f"{name}.lock"
        follow = () if name == "test" else ("-c", str(LOCKS / "test.lock"))
        fresh = (
            "--custom-compile-command",
            "tools/lock",
            "--no-emit-index-url",
            "--python-version",
            "3.11",
            "-o",
            str(target),
            *arguments,
        )
        if not run(uv, "pip", "compile", *source, *quiet, *follow, *fresh):
            return 1
    return 0


def main(arguments: list[str]) -> int:
    try:
        return {"play": play, "test": test, "lock": lock, "docs": documents}[arguments[0]](
            arguments[1:]
        )
    except SetUpError as fault:
        tell(str(fault))
        return 2
    except KeyboardInterrupt:
        tell("Stopped. The same command takes up the set-up where it was.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
