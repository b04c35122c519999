"""Figures of benchmarks in the document: in their place, byte for byte the same for equal figures, nothing else touched."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "measured.py"
BULLETS = (
    "extraction",
    "timex",
    "resolution",
    "reconciliation",
    "upsert",
    "cost",
    "concurrency",
    "deletion",
    "mutation",
)
DOC = "# Here\nkept\n\n<!-- figures: one -->\nold\n<!-- end -->\n\nbetween  \n<!-- figures: two -->\n<!-- end -->\ntail"
PROGRAM = """
import sys
from measured import measured
from arandu_lab.errors import ConfigError

def main():
    if "--wrong" in sys.argv:
        raise ConfigError("nowhere.toml: not TOML\\nand more")
    print("café  1.5 ")
    print(*sys.argv[1:])
    return 3 if "--fail" in sys.argv else None

if __name__ == "__main__":
    sys.exit(measured(main))
"""


@pytest.fixture(scope="module")
def measured() -> ModuleType:
    """The module, which lies beside the scripts and in no package."""
    spec = importlib.util.spec_from_file_location("measured_here", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script called ``one`` beside a document."""
    (tmp_path / "one.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "doc.md").write_text(DOC, encoding="utf-8", newline="\n")
    return tmp_path


def run(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """The script, as a user runs it."""
    beside = {"PYTHONPATH": str(SCRIPT.parent), "PYTHONIOENCODING": "utf-8", "PATH": ""}
    return subprocess.run(
        [sys.executable, "one.py", *given], cwd=folder, env=beside, capture_output=True, text=True, encoding="utf-8"
    )


def test_figures_take_their_place_and_nothing_else_moves(script: Path) -> None:
    """What is printed is shown and stands between its markers with the command; every other byte is as it was."""
    done = run(script, "--only", "a b", "--into", "doc.md")
    assert (done.returncode, done.stdout) == (0, "café  1.5 \n--only a b\n")
    command = "    python benchmarks/one.py --only 'a b'"
    figures = f"\n{command}\n\n```\ncafé  1.5\n--only a b\n```\n\n"
    assert (script / "doc.md").read_bytes().decode() == DOC.replace("old\n", figures)


def test_a_second_run_leaves_the_bytes(script: Path) -> None:
    """Equal figures, equal bytes; ``--into=FILE`` is the same."""
    run(script, "--into", "doc.md")
    once = (script / "doc.md").read_bytes()
    assert once != DOC.encode()
    run(script, "--into=doc.md")
    assert (script / "doc.md").read_bytes() == once


def test_a_run_that_fails_leaves_the_file_alone(script: Path) -> None:
    """An exit code is passed on, and figures of a failed run are not written down."""
    done = run(script, "--fail", "--into", "doc.md")
    assert done.returncode == 3
    assert (script / "doc.md").read_text(encoding="utf-8") == DOC


@pytest.mark.parametrize("into", [(), ("--into", "doc.md")])
def test_an_error_of_ours_is_a_line(script: Path, into: tuple[str, ...]) -> None:
    """Wrong input is one line on stderr and the exit code of the command line, the file left alone; --debug raises it."""
    done = run(script, "--wrong", *into)
    assert (done.returncode, done.stderr) == (2, "one.py: nowhere.toml: not TOML; and more\n")
    assert "ConfigError" in run(script, "--debug", "--wrong", *into).stderr
    assert (script / "doc.md").read_text(encoding="utf-8") == DOC


@pytest.mark.parametrize(
    ("doc", "given"),
    [
        ("no place\n", ["--into", "doc.md"]),
        (DOC + "\n<!-- figures: one -->\n<!-- end -->\n", ["--into", "doc.md"]),
        ("<!-- figures: one -->\n<!-- figures: two -->\n<!-- end -->\n", ["--into", "doc.md"]),
        (DOC, ["--into", "other.md"]),
        (DOC, ["--into"]),
    ],
    ids=["no place", "two places", "not closed", "no file", "no name"],
)
def test_without_one_place_it_is_told_before_the_work(script: Path, doc: str, given: list[str]) -> None:
    """No place for the figures, two, one that nobody closed, no such file: said at once, nothing run, nothing written."""
    (script / "doc.md").write_text(doc, encoding="utf-8", newline="\n")
    done = run(script, *given)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "--into" in done.stderr
    assert "Traceback" not in done.stderr
    assert (script / "doc.md").read_text(encoding="utf-8") == doc


def test_no_place_of_this_machine_is_written_down(measured: ModuleType) -> None:
    """An absolute path in the command is told as seen from the repository."""
    data = str(ROOT.parent / "shared" / "datasets")
    text = measured.written("<!-- figures: one -->\n<!-- end -->\n", "one", "1", ["--data", data])
    assert "    python benchmarks/one.py --data ../shared/datasets\n" in text


def test_every_place_is_a_scripts_and_every_bullet_has_one() -> None:
    """Each marker in docs/measured.md names a script that hands its main to ``measured``; markers are closed in pairs."""
    text = (ROOT / "docs" / "measured.md").read_text(encoding="utf-8")
    places = re.findall(r"^<!-- figures: (\S+) -->$", text, re.MULTILINE)
    assert len(places) == len(set(places)) == text.count("<!-- figures:") == text.count("<!-- end -->")
    assert set(BULLETS) <= set(places)
    for name in places:
        assert "sys.exit(measured(main))" in (ROOT / "benchmarks" / f"{name}.py").read_text(encoding="utf-8"), name
