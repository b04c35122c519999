"""Every fault of the field has a test that carries its code, and ``docs/faults.md`` says which.

A test carries the codes with which its docstring begins: ``A2, W7: …``. A code elsewhere in a docstring is only a mention.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "faults.md"
KNOWN = {
    "A": 22,
    "B": 15,
    "C": 12,
    "D": 4,
    "E": 17,
    "F": 7,
    "G": 4,
    "H": 7,
    "I": 7,
    "J": 11,
    "K": 4,
    "L": 3,
    "M": 6,
    "N": 5,
    "O": 2,
    "P": 4,
    "Q": 1,
    "R": 5,
    "S": 1,
}
"""Letter -> how many faults of it the field reported."""

ELSEWHERE = "RSW"
"""Letters that decisions have too, with numbers beyond those of the faults."""

DECIDED = {"J": ("tests/jobs/", 10), "S": ("tests/workspace/", 5)}
"""Letter -> where its codes are decisions (about jobs, about the workspace), from 1 to which number. Everywhere else they are
faults, and in ``tests/jobs/test_safety.py`` too: those are faults of forgetting."""

_LEAD = re.compile(r"\s*((?:[A-Z]\d{1,2})(?:, [A-Z]\d{1,2})*): ")
_ROW = re.compile(r"^\| ([A-Z]\d+) \| ([^|]+) \| `([^`|]+)` \|$", re.MULTILINE)


def led(docstring: str | None) -> tuple[str, ...]:
    """The codes with which a docstring begins.

    >>> led("A2, W7: told."), led("Told (A2)."), led("See A2: told."), led(None)
    (('A2', 'W7'), (), (), ())
    """
    found = _LEAD.match(docstring or "")
    return tuple(found[1].split(", ")) if found else ()


@cache
def carriers() -> dict[str, frozenset[str]]:
    """Code -> the tests that carry it, as ``tests/…/file.py::name``; read, not imported.

    A test that is skipped, or that checks nothing, carries nothing.
    """
    out: dict[str, set[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        functions = [
            node
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        helpers = frozenset(node.name for node in functions if checks(node))
        for node in functions:
            marks = {ast.unparse(one).split("(")[0] for one in node.decorator_list}
            skipped = marks & {"pytest.mark.skip", "pytest.mark.xfail"}
            if not node.name.startswith("test_") or skipped or not checks(node, helpers):
                continue
            where = f"tests/{file.relative_to(TESTS).as_posix()}::{node.name}"
            for code in led(ast.get_docstring(node)):
                out.setdefault(f"decision {code}" if decided(code, where) else code, set()).add(where)
    return {code: frozenset(tests) for code, tests in out.items()}


def decided(code: str, where: str) -> bool:
    """Whether a code means a decision in a test file, and no fault.

    >>> decided("S3", "tests/workspace/test_x.py::test_y"), decided("S3", "tests/llm/test_x.py::test_y")
    (True, False)
    >>> decided("J2", "tests/jobs/test_safety.py::test_y"), decided("J11", "tests/jobs/test_x.py::test_y")
    (False, False)
    """
    folder, last = DECIDED.get(code[0], ("", 0))
    return bool(folder) and where.startswith(folder) and "/test_safety.py" not in where and int(code[1:]) <= last


def checks(function: ast.AST, helpers: frozenset[str] = frozenset()) -> bool:
    """Whether a function asserts, expects an error, raises one itself, or calls one of ``helpers``."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert | ast.Raise):
            return True
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).split(".")[-1]
            if called in ("raises", "warns", *helpers):
                return True
    return False


def rows() -> dict[str, tuple[str, str]]:
    """Code -> what holds, and the test, as the page has them."""
    return {code: (holds, test) for code, holds, test in _ROW.findall(PAGE.read_text(encoding="utf-8"))}


def decisions() -> list[str]:
    """The codes of decisions that share a letter with faults."""
    return [f"{letter}{number}" for letter, (_, last) in DECIDED.items() for number in range(1, last + 1)]


def expected() -> list[str]:
    """All codes, in order."""
    return [f"{letter}{number}" for letter, last in KNOWN.items() for number in range(1, last + 1)]


@pytest.mark.parametrize("code", expected())
def test_each_fault_has_a_test(code: str) -> None:
    """A fault has a test that carries its code and is named in the table."""
    _, named = rows()[code]
    carried = carriers().get(code, frozenset())
    assert carried, f"no test's docstring begins with {code}"
    names = {where.split("::")[1] for where in carried}
    assert named in names, f"docs/faults.md names {named} for {code}, which is carried by {sorted(carried)}"


@pytest.mark.parametrize("code", decisions())
def test_each_decision_has_a_test(code: str) -> None:
    """What was decided about background jobs (J1 to J10) and about the workspace (S1 to S5) is claimed by a test beside its code."""
    assert claimed(code), f"no test in {DECIDED[code[0]][0]} has a docstring that begins with {code}"


def claimed(code: str) -> frozenset[str]:
    """The tests that carry a decision."""
    return carriers().get(f"decision {code}", frozenset())


def test_a_decision_without_a_test_would_be_missed() -> None:
    """A number beyond the last is claimed by nobody, so the check above can fail; and a fault's test elsewhere claims none."""
    assert not claimed("S6")
    assert not claimed("J11")
    assert all(where.startswith(DECIDED[code[0]][0]) for code in decisions() for where in claimed(code))
    assert "tests/llm/" in "".join(carriers()["S1"])


def test_the_table_is_complete_and_in_order() -> None:
    """The page has a row for each fault, each once, and no other line that looks like one."""
    page = PAGE.read_text(encoding="utf-8")
    assert list(rows()) == expected()
    assert len(re.findall(r"^\| [A-Z]\d+ ", page, re.MULTILINE)) == len(expected())


def test_no_docstring_begins_with_a_code_that_is_none() -> None:
    """A code that no table knows is a slip of the pen: "A23:" guards nothing."""
    stray = {
        code: sorted(tests)
        for code, tests in carriers().items()
        if code.removeprefix("decision ") not in (*expected(), *decisions()) and code[0] not in ELSEWHERE
    }
    assert stray == {}


def test_a_mention_does_not_count() -> None:
    """A test that checks nothing carries nothing, and only what a docstring begins with is carried: a code in the middle, in brackets or behind another word is not."""
    assert led("B14, A6: A into B.") == ("B14", "A6")
    assert not checks(ast.parse("def test_it():\n    print(1)"))
    assert checks(ast.parse("def test_it():\n    must(1)"), frozenset({"must"}))
    for said in ("Told (B14).", "Decision B14: told.", "B14 is told.", "b14: told.", "", None):
        assert led(said) == ()
