"""Runs tests in forked children of one small process: recorded once over the code as it is, then over each mutant.

The parent imports what starts no thread (numpy, pytest, hypothesis, pydantic) and never the package, so that a fork is safe
and a child need not import it again. A child works in a copy of the tree that is its own; it is held by a limit on its
processor time, not by the clock, because the machine may be busy.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import json
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import hypothesis
import hypothesis.strategies
import numpy as np  # noqa: F401
import pydantic  # noqa: F401
import pytest

POOL = (
    "tests/pure/test_*.py",
    "tests/write/test_[!f]*.py",  # test_field_faults reads thousands of turns a case: minutes under a tracer
    "tests/write/test_fa[!_]*.py",
    "tests/laws/test_*.py",
    "tests/llm/test_rules*.py",
    "tests/memory/test_[fmu]*.py",
    "tests/bench/test_bm25*.py",
    "tests/read/test_*.py",
    "arandu_lab/pure/**/*.py",
    "arandu_lab/write/*.py",
)
"""Files of tests that may kill; those of the package are its doctests."""

OPTIONS = ("-o", "addopts=", "--doctest-modules", "--import-mode=importlib", "-q", "-x", "--tb=line", "-p", "no:cacheprovider",
           "-p", "no:xdist", "-W", "ignore")  # fmt: skip
NOT_OURS, BROKEN = 98, 99
"""How a child ends that imports the package from elsewhere, or breaks before pytest does."""

EXAMPLES = 10
"""Examples of a law while lines are recorded."""

SECONDS = 30.0
"""Tests of a mutant: the quickest first, up to so much recorded processor time in all."""


@dataclass(slots=True)
class Recording:
    """``seconds`` of processor time by test; ``lines``: by file and line the tests that run it; ``failed`` tests."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def tests(self, root: Path, file: str, line: int) -> list[str]:
        """Tests that run the statement of a line; of what runs at import or in none, those of the file or its importers.

        Tests named after the file come first, then the quickest. Then the others of their files: where an answer is
        remembered, a test that needs the line does not run it again.
        """
        first, last, inside = _statement(ast.parse((root / file).read_text(encoding="utf-8")), line)
        by_line = self.lines.get(file, {})
        found = set().union(*(by_line.get(one, set()) for one in range(first, last + 1)))
        if not inside or not found:
            files = {file}
            for _ in range(2):
                files |= {one for one in self.lines if any(_imports(root / one, name) for name in files)}
            found |= set().union(*(tests for one in files for tests in self.lines.get(one, {}).values()))
        beside = {one.split("::")[0] for one in found}
        near = {test for test in self.seconds if test.split("::")[0] in beside} - found
        return [*self._quickest(found, file, SECONDS), *self._quickest(near, file, SECONDS / 3)]

    def _quickest(self, tests: set[str], file: str, limit: float) -> list[str]:
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(
            tests - set(self.failed), key=lambda test: (not _named_after(file, test), self.seconds[test], test)
        ):
            spent += self.seconds[test]
            if chosen and spent > limit:
                break
            chosen.append(test)
        return chosen


@dataclass(slots=True, eq=False)  # pytest wants it to hash
class Chosen:
    """A pytest plugin: only these tests, in this order; writes down which one failed."""

    tests: Sequence[str]
    into: Path

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep what was chosen, in its order."""
        place = {test: rank for rank, test in enumerate(self.tests)}
        items[:] = sorted((one for one in items if one.nodeid in place), key=lambda one: place[one.nodeid])

    def pytest_runtest_logreport(self, report: Any) -> None:
        """The name of a test that failed."""
        if report.failed:
            self.into.write_text(report.nodeid, encoding="utf-8")


@dataclass(slots=True, eq=False)  # pytest wants it to hash
class Recorder:
    """A pytest plugin: tells coverage which test is running, and takes its time."""

    measure: coverage.Coverage
    seconds: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Few examples of each law are enough to see which lines it runs; its time is told for all of them."""
        for item in items:
            law = getattr(item, "obj", None)
            own = getattr(law, "_hypothesis_internal_use_settings", None)
            if getattr(law, "is_hypothesis_test", False):
                full = own or hypothesis.settings.default
                law._hypothesis_internal_use_settings = hypothesis.settings(
                    full, max_examples=min(EXAMPLES, full.max_examples)
                )
                self.times[item.nodeid] = max(1.0, full.max_examples / EXAMPLES)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        """From setup to teardown of one test."""
        self.measure.switch_context(item.nodeid)
        began = time.process_time()
        outcome = yield
        self.seconds[item.nodeid] = (time.process_time() - began) * self.times.get(item.nodeid, 1.0)
        self.measure.switch_context("")
        return outcome

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tests that fail on the code as it is cannot kill."""
        if report.failed:
            self.failed.append(report.nodeid)


def copied(root: Path, into: Path) -> Path:
    """A copy of the tree with all that tests read."""
    skip = shutil.ignore_patterns(
        ".git", ".venv", "results", "notebooks", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info"
    )
    shutil.copytree(root, into, ignore=skip)
    return into


def digest(root: Path, *folders: str) -> str:
    """Names and bytes of all Python and data files of some folders."""
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(f"{path.relative_to(root)}\0".encode())
                total.update(path.read_bytes())
    return total.hexdigest()[:16]


def forked(tree: Path, log: Path, seconds: float, body: Callable[[], int]) -> int:
    """Start a child in a tree; its process id. It ends itself with what ``body`` returns, or dies at its limit."""
    child = os.fork()
    if child:
        return child
    code = BROKEN
    try:
        os.setpgid(0, 0)
        os.chdir(tree)
        sys.path.insert(0, str(tree))
        sys.dont_write_bytecode = True
        os.environ.update(PYTHONPATH=str(tree), PYTHONDONTWRITEBYTECODE="1")
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(out, 1)
        os.dup2(out, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        code = int(body())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def mutant_body(tree: Path, tests: Sequence[str], into: Path, file: str = "") -> Callable[[], int]:
    """Run these tests until one fails: first those named after the changed file, for what kills lies mostly there."""
    first = [test for test in tests if _named_after(file, test)]
    batches = [first or tests[: len(tests) // 3], tests] if file else [tests]

    def body() -> int:
        import arandu_lab

        if Path(arandu_lab.__file__).parent.parent != tree:
            return NOT_OURS
        done: set[str] = set()
        for batch in batches:
            some = [test for test in batch if test not in done]
            done.update(some)
            files = sorted({test.partition("::")[0] for test in some})
            code = int(pytest.main([*OPTIONS, *files], plugins=[Chosen(some, into)])) if some else 0
            if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                return code
        return 0

    return body


def recording_body(tree: Path, targets: Sequence[str], into: Path) -> Callable[[], int]:
    """Run all tests of some files under coverage and write the recording as JSON."""

    def body() -> int:
        measure = coverage.Coverage(
            data_file=None, config_file=False, include=[f"{tree}/arandu_lab/pure/*", f"{tree}/arandu_lab/write/*"]
        )
        recorder = Recorder(measure)
        measure.start()
        options = [one for one in OPTIONS if one != "-x"]
        code = int(pytest.main([*options, *targets], plugins=[recorder]))
        measure.stop()
        data = measure.get_data()
        lines = {
            str(Path(file).relative_to(tree)): {
                str(line): [test for test in tests if test] for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        into.write_text(
            json.dumps({"seconds": recorder.seconds, "failed": recorder.failed, "lines": lines}), encoding="utf-8"
        )
        return 0 if code in (0, 1, 5) else code

    return body


def read_recordings(paths: Sequence[Path], root: Path) -> Recording:
    """One recording of several files, with the lines of a file that has changed since followed to where they are now."""
    whole = Recording()
    places: dict[str, dict[int, int]] = {}
    for path in paths:
        one = json.loads(path.read_text(encoding="utf-8"))
        whole.seconds.update(one["seconds"])
        whole.failed += one["failed"]
        for file, lines in one["lines"].items():
            if not (root / file).exists():
                continue
            source = one["sources"][file]
            if source not in places:
                before = (path.parent / source).read_text(encoding="utf-8").splitlines()
                after = (root / file).read_text(encoding="utf-8").splitlines()
                blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
                places[source] = {block.a + n + 1: block.b + n + 1 for block in blocks for n in range(block.size)}
            into = whole.lines.setdefault(file, {})
            for line, tests in lines.items():
                if (now := places[source].get(int(line))) is not None:
                    into.setdefault(now, set()).update(tests)
    return whole


def _statement(tree: ast.Module, line: int) -> tuple[int, int, bool]:
    """First and last line of the innermost statement (of a compound one, its head), and whether it is in a function."""
    best = (line, line)
    inside = False
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            continue
        first = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
        body = getattr(node, "body", None)
        last = body[-1].end_lineno if isinstance(node, ast.match_case) else node.end_lineno
        if not first <= line <= last:
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body and line >= body[0].lineno:
            inside = True
        head = max(first, body[0].lineno - 1) if body else last
        if line <= head:
            best = (first, head)
    return *best, inside


def _named_after(file: str, test: str) -> bool:
    """Whether a test is of the file's doctests, or its file is named after the file or its package."""
    words = set(file.removesuffix(".py").split("/")[2:])
    return test.startswith(file) or not words.isdisjoint(Path(test.partition("::")[0]).stem.split("_"))


def _imports(path: Path, file: str) -> bool:
    """Whether a file imports another of the package."""
    module = file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    text = path.read_text(encoding="utf-8")
    parent, _, name = module.rpartition(".")
    return f"from {module} import" in text or any(
        line.startswith(f"from {parent} import") and name in line for line in text.splitlines()
    )
