"""Every small change of the code that a test ought to notice, found by cosmic-ray's operators; and a fair sample of them.

A mutant is one operator at one place of one file. Left out by rule, and counted, are those that cannot change behaviour by
construction: annotations and type aliases (never evaluated), code for type checkers, decorators and their arguments
(registration, caches, slots), the ``*`` of a signature, ``strict=`` of ``zip`` (an assertion), ``is`` for ``==`` and back,
and changes that do not parse or leave the syntax tree as it was.
"""

from __future__ import annotations

import ast
import random
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

NEEDS_ARGUMENTS = ("VariableReplacer", "VariableInserter")
IDENTITY = ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq")
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mutant:
    """``occurrence`` counts the operator's places in the file; ``start`` is (line, column), lines from 1."""

    file: str
    operator: str
    occurrence: int
    start: Place

    @property
    def id(self) -> str:
        """A name that is the same in every run over the same code."""
        return f"{self.file}:{self.start[0]}:{self.start[1]} {self.operator}#{self.occurrence}"

    def applied(self, source: str) -> str | None:
        """The changed source; None if it does not parse or means the same."""
        changed: str | None = mutate_code(source, get_operator(f"core/{self.operator}")(), self.occurrence)
        if changed is None:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                same = ast.dump(ast.parse(changed)) == _dumped(source)
                compile(changed, self.file, "exec")
        except SyntaxError:
            return None
        return None if same else changed


def enumerated(root: Path, files: Sequence[str]) -> tuple[list[Mutant], Counter[str]]:
    """All mutants of the files, and how many were left out by which rule."""
    found: list[Mutant] = []
    out: Counter[str] = Counter()
    names = sorted(name.split("/")[1] for name in operator_names())
    operators = {name: get_operator(f"core/{name}")() for name in names if name not in NEEDS_ARGUMENTS}
    for file in files:
        source = (root / file).read_text(encoding="utf-8")
        tree = ast.parse(source)
        ranges = list(_inert(tree))
        binary = [(_range(one.left)[1], _range(one.right)[0]) for one in ast.walk(tree) if isinstance(one, ast.BinOp)]
        nodes = list(ast_nodes(get_ast(source)))
        known: dict[str, list[tuple[Place, Place]]] = {}
        for name, operator in operators.items():
            family = name.rpartition("_")[0] if "BinaryOperator_" in name else name  # whatever a + becomes, it is there
            if family not in known:
                known[family] = [place for node in nodes for place in operator.mutation_positions(node)]
            places = known[family]
            for occurrence, (start, _) in enumerate(places):
                rule = next((rule for first, last, rule in ranges if first <= start < last), None)
                if (
                    rule is None
                    and "BinaryOperator" in name
                    and not any(first <= start < last for first, last in binary)
                ):
                    rule = "mark of keyword arguments"
                if name == "RemoveDecorator":
                    rule = "decorator"
                if rule is None and any(name.endswith(pair) for pair in IDENTITY):
                    rule = "identity for equality"
                if rule is None:
                    found.append(Mutant(file, name, occurrence, start))
                else:
                    out[rule] += 1
    return found, out


def sampled(mutants: Sequence[Mutant], root: Path, out: Counter[str], *, count: int, seed: int) -> dict[Mutant, str]:
    """``count`` mutants that parse, each with its changed source: shared out over files by their lines, one a place.

    Places are drawn before operators, so that a ``+`` with eleven possible changes weighs no more than a ``not``. What was
    drawn and is no change is counted in ``out``.
    """
    places: dict[str, dict[Place, list[Mutant]]] = {}
    for one in mutants:
        places.setdefault(one.file, {}).setdefault(one.start, []).append(one)
    sources = {file: (root / file).read_text(encoding="utf-8") for file in places}
    lines = {file: len(source.splitlines()) for file, source in sources.items()}
    exact = {file: count * size / sum(lines.values()) for file, size in lines.items()}
    quota = {file: int(share) for file, share in exact.items()}
    for file in sorted(exact, key=lambda file: (quota[file] - exact[file], file))[: count - sum(quota.values())]:
        quota[file] += 1
    chosen: dict[Mutant, str] = {}
    missing = 0
    for file in sorted(
        places, key=lambda file: (len(places[file]), file)
    ):  # what a small file lacks goes to larger ones
        chance = random.Random(f"{seed}:{file}")
        order = sorted(places[file])
        chance.shuffle(order)
        left = quota[file] + missing
        for place in order:
            options = sorted(places[file][place], key=lambda one: one.id)
            chance.shuffle(options)
            for one in options if left else ():
                changed = one.applied(sources[file])
                if changed is not None:
                    chosen[one] = changed
                    left -= 1
                    break
                out["drawn, but it does not parse or means the same"] += 1
        missing = min(left, 3)
    return chosen


def _inert(tree: ast.Module) -> Iterator[tuple[Place, Place, str]]:
    """Ranges of a file where no change can change behaviour, each with its rule."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield *_range(node.annotation), "annotation"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield *_range(node.returns), "annotation"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for one in node.decorator_list:
                yield *_range(one), "decorator"
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            yield *_range(node), "for type checkers"
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            for keyword in node.keywords:
                yield *_range(keyword), "strict= of zip"
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("cast", "typing.cast"):
            yield *_range(node.args[0]), "annotation"
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and _type(statement.value):
            yield *_range(statement.value), "type alias"


def _type(node: ast.expr) -> bool:
    """Whether an expression can only be a type: ``A | None``, ``Literal[...]``, ``Callable[..., X]``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return all(
            _type(side) or (isinstance(side, ast.Constant) and side.value is None) for side in (node.left, node.right)
        )
    if isinstance(node, ast.Subscript):
        return _type(node.value)
    return isinstance(node, ast.Name) and (
        node.id in ("int", "str", "float", "tuple", "dict", "list") or _title(node.id)
    )


@lru_cache(maxsize=4)
def _dumped(source: str) -> str:
    return ast.dump(ast.parse(source))


def _title(name: str) -> bool:
    return name[:1].isupper() and any(letter.islower() for letter in name)


def _range(node: ast.expr | ast.stmt | ast.keyword) -> tuple[Place, Place]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
