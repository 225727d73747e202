"""The house rules that no linter knows: sizes, who may use what, what never to write down."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "narrator").rglob("*.py"))
FILE_LINES, FUNCTION_LINES = 400, 60

CLOCKS = {"time", "datetime"}
CLOCK_FILES = {"narrator/adapters/system/clock.py"}
SHARED_BY_ADAPTERS = {"system"}
"""What several adapters use and none owns: the machine they run on. The contract in pyproject.toml
names all the others."""
BROUGHT_ALONG = {"pydantic_core", "pytest"}
"""A dependency's own other half; and pytest, which alone ever imports our plugin for it."""

# Each is put together here so that this file does not hold what it looks for.
FORBIDDEN_TEXT = [
    re.compile(pattern)
    for pattern in (
        r"(?<![\w.-])/" + r"work/(?:main|shared|\.)",
        r"(?<![\w.-])/" + r"tmp/(?:venv|brief|bash_jobs)",
        r"(?<![\w.-])/" + r"opt/pypi",
        r"(?<![\w.-])/" + r"(?:root|home/\w+)/",
        "files" + r"\.pythonhosted",
        "pypi" + r"\.(?:org|python)",
        r"--(?:extra-)?" + "index-url" + r"[ =]\S",
        r"deb\." + "debian",
        "registry" + r"\.npmjs",
    )
]


# Words nobody writes today, each put together here so that this file does not hold them.
ARCHAIC = re.compile(
    r"(?<![a-z])(?:" + "|".join(("who" + "ever", "ane" + "w", "whil" + "st", "there" + "of"))
    + r")(?![a-z])|gone[ _]on[ _]with|should stand \{",
    re.IGNORECASE,
)  # fmt: skip


AS_IT_WAS = {"CHANGELOG.md", "tests/device/test_interrupting.py"}
"""Told of earlier releases; and a line that is played to microphones, whose sound is measured."""


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports(path: Path) -> Iterator[str]:
    """Yield the full names a file imports, at its top or inside a function."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def users(package: str) -> set[str]:
    return {
        relative(path)
        for path in SOURCES
        if any(name == package or name.startswith(f"{package}.") for name in imports(path))
    }


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """Return every text file that is kept with the sources."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("This is no git checkout, so there are no tracked files to read.")
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_there_are_sources_to_look_at() -> None:
    assert len(SOURCES) > 100
    assert {path.parent.name for path in SOURCES} >= {"core", "language", "session", "sound", "cli"}


def test_sources_are_found() -> None:
    assert ROOT / "narrator" / "ports" / "audio.py" in SOURCES


def test_files_are_short() -> None:
    lines = {relative(p): len(p.read_text(encoding="utf-8").splitlines()) for p in SOURCES}
    assert {name: n for name, n in lines.items() if n > FILE_LINES} == {}


def test_functions_are_short() -> None:
    long = {
        f"{relative(path)}:{node.lineno} {node.name}": length
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    }
    assert long == {}


def test_only_the_machine_knows_transitions() -> None:
    assert users("transitions") <= {"narrator/core/machine.py"}


def test_only_the_clock_file_reads_a_clock() -> None:
    readers = users("time")
    assert readers <= CLOCK_FILES
    assert CLOCK_FILES <= readers


def test_nobody_asks_for_the_present_moment_otherwise() -> None:
    asked = re.compile(r"\bdatetime\.(?:now|utcnow|today)\(|\bdate\.today\(")
    found = {relative(p) for p in SOURCES if asked.search(p.read_text(encoding="utf-8"))}
    assert found <= CLOCK_FILES


def test_only_the_command_line_prints() -> None:
    printing = {
        f"{relative(path)}:{node.lineno}"
        for path in SOURCES
        if not relative(path).startswith("narrator/cli/")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"print", "input"}
    }
    assert printing == set()


def test_one_function_prints() -> None:
    """What comes from outside must not reach a terminal as it is: see narrator/cli/output.py."""
    printing = {
        f"{relative(path)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func)
        in {"click.echo", "click.secho", "echo", "sys.stdout.write", "sys.stderr.write"}
    }
    pipes = {"probe.py", "trial.py"}  # of a child process to the one that started it
    assert {p.split(":")[0].split("/")[-1] for p in printing} <= {"output.py", *pipes}


def test_what_the_page_names_is_there() -> None:
    """The tests of its table, and every file with its folder."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(tests) >= 5
    for file, name in tests:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), name
    files = set(re.findall(r"`([a-z]\w+(?:/\w+)+\.py)`", page))
    assert files
    assert {
        f for f in files if not ((ROOT / f).exists() or (ROOT / "narrator" / f).exists())
    } == set()


def test_the_doors_of_the_command_line_only_hand_on() -> None:
    """What decides or computes belongs to app itself."""
    doors = [path for path in SOURCES if path.parent.name == "doors"]
    assert doors
    more = [
        f"{relative(path)}:{node.lineno}"
        for path in doors
        for node in parsed(path).body
        if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr)
        and not (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    ]
    assert more == []


def test_nothing_evaluates_text() -> None:
    evaluating = {
        f"{relative(path)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"eval", "exec", "compile", "__import__"}
    }
    assert evaluating == set()


def test_adapters_never_import_each_other() -> None:
    """An adapter is a folder; voices and recognisers have one folder for each engine."""
    crossing = [
        f"{relative(path)} imports {name}"
        for path in sorted((ROOT / "narrator" / "adapters").rglob("*.py"))
        for name in imports(path)
        if name.startswith("narrator.adapters.")
        and family(name.replace(".", "/")) not in {family(relative(path)), *SHARED_BY_ADAPTERS}
    ]
    assert crossing == []


def family(path: str) -> str:
    """Return the adapter's folder that a file or module lies in."""
    parts = path.removeprefix("narrator/adapters/").split("/")
    return "/".join(parts[:2]) if parts[0] in {"recognisers", "voices"} else parts[0]


def contract(name: str) -> dict[str, Any]:
    """Return a contract of import-linter's by its name."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = told["tool"]["importlinter"]["contracts"]
    return next(one for one in found if one["name"] == name)


def test_every_library_stands_in_the_contract_that_names_its_users() -> None:
    kept = set(
        contract("Each library is known to the modules named here only")["forbidden_modules"]
    )
    everywhere = {"numpy", "transitions"}  # a kind of value; and a contract of its own
    used = {name.split(".")[0] for path in SOURCES for name in imports(path)}
    libraries = used - sys.stdlib_module_names - {"narrator"} - BROUGHT_ALONG
    assert libraries - kept - everywhere == set()
    assert kept - used == set()


def test_every_adapter_stands_in_the_contract_of_independence() -> None:
    named = contract("Adapters are strangers to each other")["modules"]
    folders = {
        f"narrator.adapters.{path.name}" for path in (ROOT / "narrator/adapters").glob("[a-z]*")
    }
    told = {name.removesuffix(".*") for name in named}
    assert folders - told == {f"narrator.adapters.{name}" for name in SHARED_BY_ADAPTERS}


def test_nobody_hides_an_import() -> None:
    hidden = re.compile(r"import_module\(|__import__\(")
    found = {relative(p) for p in SOURCES if hidden.search(p.read_text(encoding="utf-8"))}
    # A command's own module, by its name; and kinds of step, by the files of their own packages.
    assert found <= {"narrator/cli/main.py", "narrator/script/steps/all_kinds.py"}


def test_everything_imported_is_a_declared_dependency() -> None:
    """What only the developers have would start here and fail at everybody else's."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    declared = {canonicalize_name(Requirement(text).name) for text in wanted}
    packages = packages_distributions()
    used = {name.split(".")[0] for path in SOURCES for name in imports(path)}
    strangers = used - sys.stdlib_module_names - {"narrator"} - BROUGHT_ALONG
    assert {
        name
        for name in strangers
        if declared.isdisjoint(canonicalize_name(d) for d in packages.get(name, [name]))
    } == set()


def test_public_names_say_what_they_are() -> None:
    silent = [
        f"{relative(path)}:{node.lineno} {node.name}"
        for path in SOURCES
        for node in public(parsed(path))
        if ast.get_docstring(node) is None
    ]
    assert silent == []


def public(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Yield the public functions, classes and methods; those inside functions are nobody's."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name.startswith("_") or is_overload(node):
                continue
            yield node
            if isinstance(node, ast.ClassDef):
                methods = (m for m in node.body if isinstance(m, ast.FunctionDef))
                yield from (m for m in methods if not m.name.startswith("_") and not is_overload(m))


def is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    named = [ast.unparse(d) for d in node.decorator_list]
    return any(name == "overload" or name.endswith((".setter", ".overload")) for name in named)


def test_no_file_names_a_machine_or_a_registry(tracked: list[Path]) -> None:
    found = []
    for path in tracked:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # sound and pictures
        found += [
            f"{relative(path)}: {match.group()}"
            for pattern in FORBIDDEN_TEXT
            for match in pattern.finditer(text)
        ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "see /" + "work/main/narrator",
        "cd '/" + "tmp/venv/bin'",
        "https://files" + ".pythonhosted.org/x",
        "--extra-" + "index-url file:///x",
        "from /" + "root/.cache",
    ],
)
def test_the_patterns_catch_what_they_are_for(text: str) -> None:
    assert any(pattern.search(text) for pattern in FORBIDDEN_TEXT)


def test_the_wording_is_of_today(tracked: list[Path]) -> None:
    """Names, comments, messages and pages; the stored lines of games are their authors' own."""
    texts = [path for path in tracked if path.suffix in (".py", ".md")]
    found = [
        f"{relative(path)}: {match.group()}"
        for path in texts
        if relative(path) not in AS_IT_WAS
        for match in ARCHAIC.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_no_recorded_voice_is_kept_here(tracked: list[Path], voices_folder: Path) -> None:
    """Their people gave them to others than us."""
    voices = {digest(path) for path in voices_folder.rglob("*") if path.is_file()}
    assert [relative(path) for path in tracked if digest(path) in voices] == []


def digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def test_scripts_hold_data_only() -> None:
    assert [relative(p) for p in (ROOT / "scripts").rglob("*.py")] == []


def test_every_program_of_the_tools_can_be_started(tracked: list[Path]) -> None:
    programs = [p for p in tracked if p.parent.name in {"tools", ".ci"} and not p.suffix]
    listed = subprocess.run(
        ["git", "ls-files", "-s", *(relative(p) for p in programs)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert programs
    assert [line for line in listed.splitlines() if not line.startswith("100755")] == []
