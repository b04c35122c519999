"""Floors: imports point down only, and heavy libraries sleep until they are needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "arandu_lab"
FLOORS = {
    "records": 0, "rows": 0, "knowledge": 0, "errors": 0, "units": 0, "places": 0,
    "pure": 1,
    "pipeline": 2, "config": 2, "trace": 2,
    "store": 3, "llm": 3, "embed": 3, "blends": 3, "lexica": 3,
    "write": 4, "read": 4,
    "memory": 5, "presets": 5, "results": 5, "frames": 5, "jobs": 5, "workspace": 5, "systems": 5,
    "cli": 6, "bench": 6, "browse": 6, "viz": 6, "testing": 6, "__main__": 6,
}  # fmt: skip
HEAVY = ("litellm", "lancedb", "torch", "sentence_transformers", "sklearn", "altair", "pandas", "hypothesis", "pytest")
BENEATH_PURE = {
    "arandu_lab.pure",
    "arandu_lab.records",
    "arandu_lab.knowledge",
    "arandu_lab.units",
    "arandu_lab.errors",
}
FORBIDDEN_IN_PURE = {
    "time",
    "random",
    "os",
    "pathlib",
    "socket",
    "subprocess",
    "requests",
    "litellm",
    "lancedb",
    "asyncio",
}
FILES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> list[tuple[str, int]]:
    """Modules a file imports, wherever in it; type-checking blocks included."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [(node.module, node.lineno)]
    return found


def room(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "arandu_lab" and len(parts) > 1 else None


def test_every_room_has_a_floor() -> None:
    """A new folder or file says on which floor it stands."""
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in FILES} - {"__init__"}
    assert rooms <= set(FLOORS), rooms - set(FLOORS)


def test_imports_point_down() -> None:
    """No file imports from a floor above its own (a late import of defaults inside a function is a use from above too)."""
    allowed = {("pipeline/registry.py", "write"), ("pipeline/registry.py", "read")}
    bad = []
    for path in FILES:
        mine = path.relative_to(PACKAGE)
        floor = FLOORS.get(mine.parts[0].removesuffix(".py"))
        if floor is None:
            continue
        for module, line in imports(path):
            other = room(module)
            if other in FLOORS and FLOORS[other] > floor and (mine.as_posix(), other) not in allowed:
                bad.append(f"{mine}:{line} imports {module}")
    assert not bad, "\n".join(bad)


def test_pure_is_pure() -> None:
    """``pure`` knows no clock, no chance, no files, no model, and of this package only the nouns."""
    bad = []
    for path in (PACKAGE / "pure").rglob("*.py"):
        for module, line in imports(path):
            top = module.split(".")[0]
            outside = top == "arandu_lab" and not any(module == b or module.startswith(b + ".") for b in BENEATH_PURE)
            if top in FORBIDDEN_IN_PURE or outside:
                bad.append(f"{path.name}:{line} imports {module}")
        text = path.read_text(encoding="utf-8")
        bad += [f"{path.name} reads a clock" for word in ("datetime.now(", "date.today(", "utcnow(") if word in text]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("module", ["arandu_lab", "arandu_lab.cli", "arandu_lab.memory", "arandu_lab.presets"])
def test_light_imports(module: str) -> None:
    """Importing the package, its face or its command line wakes no heavy library."""
    code = f"import {module}, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_files_are_short() -> None:
    """No file is over 400 lines; no file is named after nothing."""
    long = [f"{path.relative_to(PACKAGE)}: {n}" for path in FILES if (n := len(path.read_text().splitlines())) > 400]
    nothing = {"utils", "helpers", "manager", "handler", "engine", "processor", "misc"}
    assert not long
    assert not [path for path in FILES if path.stem in nothing]
