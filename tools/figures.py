"""Figures of the sources, to be compared between two commits: python -m tools.figures [ROOT]."""

from __future__ import annotations

import ast
import statistics
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
HERE = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    """Print one figure a line."""
    root = Path(arguments[0]) if arguments else HERE
    paths = sorted((root / "narrator").rglob("*.py"))
    trees = {p: ast.parse(p.read_text(encoding="utf-8")) for p in paths}
    folders = Counter(path.parent for path in trees if path.name != "__init__.py")
    largest, files = folders.most_common(1)[0]
    lengths = sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    names = _homes(trees, root)
    several = {name for name, homes in names.items() if len(homes) > 1}
    public = [node for tree in trees.values() for node in _public(tree)]
    documented = sum(ast.get_docstring(node) is not None for node in public)
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    ninetieth = lengths[int(len(lengths) * 0.9)]
    print(f"files: {len(trees)}, lines: {sum(len(p.read_text().splitlines()) for p in trees)}")
    print(f"files in the largest folder: {files} ({largest.relative_to(root)})")
    print(f"lines of a function: median {statistics.median(lengths):g}, p90 {ninetieth}, "
          f"most {lengths[-1]}")  # fmt: skip
    print(f"public classes named in more than one module: {len(several)}")
    print("  " + ", ".join(sorted(several)))
    print(f"public names with a docstring: {documented} of {len(public)}")
    print(f"import contracts: {len(contracts)}")
    return 0


def _homes(trees: dict[Path, ast.Module], root: Path) -> dict[str, set[str]]:
    """Return for each public class the modules that define one of that name."""
    homes: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(path.relative_to(root).as_posix())
    return homes


def _public(tree: ast.Module) -> Iterator[Definition]:
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from (
                    inner
                    for inner in node.body
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_")
                )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
