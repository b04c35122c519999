"""A blend: a weight for each column of evidence, kept with all that it was learned from.

A column is seen in up to two ways, its distance from the mean and its place (:mod:`arandu_lab.pure.ranking`); a flag is
taken as it is. The score of a turn is the weighted sum, and nothing else: what a blend thinks can be read from its file.
Weights may bend with the question: one that wants several turns is answered by other columns than one that wants a single
turn (:mod:`arandu_lab.pure.several`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.places import local
from arandu_lab.pure.ranking import Floats, Mask, log_rank, standardised
from arandu_lab.pure.several import MARKS, Several

Kind = Literal["z", "rank", "flag"]
"""How a column is seen: standard deviations above the mean, its place, or as it is."""

DIGITS = 6
"""Digits behind the point that a weight keeps."""

USUAL = 0.25
"""The probability of wanting several turns at which nothing bends: about the share of such questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A column as it is seen, and what that counts. ``sign``: 1 may only raise, -1 may only lower, 0 as it comes out.

    ``bend``: what the weight gains where a question surely wants several turns, measured from ``USUAL``; no sign bounds it.

    Raises:
        ConfigError: an unknown kind, a weight against its sign, or a weight or bend that is no number.
    """

    column: str
    kind: Kind
    sign: int = 0
    weight: float = 0.0
    bend: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ConfigError(f"term {self.column}: kind {self.kind!r}; {nearest(str(self.kind), get_args(Kind))}")
        if self.sign not in (-1, 0, 1) or self.weight * self.sign < 0 or not np.isfinite(self.weight):
            raise ConfigError(f"term {self.column} ({self.kind}): weight {self.weight} under sign {self.sign}")
        if not np.isfinite(self.bend):
            raise ConfigError(f"term {self.column} ({self.kind}): bend {self.bend}")

    def under(self, several: float) -> float:
        """The weight for a question that wants several turns with this probability.

        >>> Term(column="bm", kind="z", weight=0.5, bend=-0.4).under(0.75)
        0.3
        """
        return self.weight + (several - USUAL) * self.bend


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """A set that a blend learned from: its name, the sha256 of its bytes, its questions, and what each counted."""

    set: str
    digest: str
    questions: int
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Blend:
    """Weights, and what they were learned from.

    ``embedder`` names the model behind the dense columns. ``code`` is the sha256 of the code that made the columns.
    ``figures`` are those of held out folds at the time of training, by name. ``several`` says how likely a question wants
    several turns, where weights bend with that.

    Raises:
        ConfigError: terms that bend without ``several``.
    """

    name: str
    terms: tuple[Term, ...]
    embedder: str
    l2: float = 0.0
    trained_on: tuple[Trained, ...] = ()
    code: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    several: Several | None = None

    def __post_init__(self) -> None:
        if self.several is None and any(term.bend for term in self.terms):
            raise ConfigError(f"blend {self.name!r} bends, and nothing says by how much (`several`)")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns it was trained with, in order, each once."""
        return tuple(dict.fromkeys(term.column for term in self.terms))

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The columns that count."""
        return tuple(dict.fromkeys(term.column for term in self.terms if term.weight or term.bend))

    def weights(self, marks: Mapping[str, float] | None = None) -> list[float]:
        """What each term counts for a question with these marks (``several_marks``); they matter where weights bend.

        Raises:
            ConfigError: weights bend, and no marks are given.
        """
        if self.several is None:
            return [term.weight for term in self.terms]
        if marks is None:
            raise ConfigError(f"blend {self.name!r} bends with the question, so it wants the question's marks")
        probability = self.several.probability(marks)
        return [term.under(probability) for term in self.terms]

    def check(self, names: Iterable[str], embedder: str) -> None:
        """Refuse to score what it has not been trained on.

        Raises:
            ConfigError: columns that are missing or unknown, or another embedder.
        """
        given = set(names)
        missing, others = sorted(set(self.columns) - given), sorted(given - set(self.columns))
        wrong = [f"it lacks {', '.join(others)}"] if others else []
        wrong += [f"the pipeline does not make {', '.join(missing)}"] if missing else []
        wrong += [f"it knows the embedder {self.embedder!r}, found {embedder!r}"] if embedder != self.embedder else []
        if wrong:
            raise ConfigError(
                f"blend {self.name!r} was trained on something else: {'; '.join(wrong)}. "
                "`arandu-lab fit-blend configs/blend.toml --out FILE` trains one for this pipeline"
            )

    def score(
        self, columns: Mapping[str, NDArray[Any]], open: Mask, marks: Mapping[str, float] | None = None
    ) -> Floats:
        """The score of each row, shape ``(n,)``: any number, higher is better, comparable within a question only.

        Args:
            columns: Name -> ``(n,)``; those of ``used`` at least.
            open: Which rows may answer, ``(n,)``; the others get ``-inf`` and move nothing.
            marks: Of the question, as :func:`arandu_lab.pure.several.several_marks` gives them; for weights that bend.

        Raises:
            ConfigError: a column that is missing, or marks where weights bend.
        """
        for name in self.used:
            if name not in columns:
                raise ConfigError(f"blend {self.name!r}: no column {name!r}; {nearest(name, columns)}")
        out = np.where(open, 0.0, -np.inf)
        counted = [(term, weight) for term, weight in zip(self.terms, self.weights(marks), strict=True) if weight]
        for kind in get_args(Kind):
            mine = [(term.column, weight) for term, weight in counted if term.kind == kind]
            if mine and open.any():
                table = np.stack([np.asarray(columns[name], dtype=np.float64) for name, _ in mine], axis=1)
                weighted = seen(table, open, kind)[open] * np.array([weight for _, weight in mine])
                out[open] += weighted.sum(axis=1)  # not a product: its last bit may depend on the place of a row
        return out

    def said(self) -> dict[str, Any]:
        """As plain JSON data, every number rounded."""
        said = asdict(replace(self, figures=dict(self.figures), terms=(), several=None))
        said["terms"] = [
            [one.column, one.kind, one.sign, round(one.weight, DIGITS)]
            + ([round(one.bend, DIGITS)] if self.several else [])
            for one in self.terms
        ]
        if self.several is None:
            del said["several"]
        else:
            weights = {name: round(float(weight), DIGITS) for name, weight in self.several.weights.items()}
            said["several"] = {"intercept": round(float(self.several.intercept), DIGITS), "weights": weights}
        said["trained_on"] = [asdict(one) for one in self.trained_on]
        said["figures"] = {name: round(float(value), DIGITS) for name, value in self.figures.items()}
        return said

    def save(self, path: str | Path) -> None:
        """Write as JSON, a term a line: the same blend, the same bytes."""
        said = self.said()
        terms = ",\n".join(f"  {json.dumps(term, ensure_ascii=False)}" for term in said.pop("terms"))
        rest = json.dumps(said, ensure_ascii=False, indent=1, sort_keys=True).removesuffix("\n}")
        Path(path).write_text(f'{rest},\n "terms": [\n{terms}\n ]\n}}\n', encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, name_or_path: str | Path) -> Blend:
        """A blend by the name of one that ships, or from its file.

        Raises:
            ConfigError: no such file, or one that is no blend.
        """
        path = HERE / f"{name_or_path}.json"
        if not path.is_file():
            path = local(name_or_path, "blend")
        if not path.is_file():
            shipped = sorted(one.stem for one in HERE.glob("*.json"))
            raise ConfigError(f"no blend {str(name_or_path)!r}; a file, or {nearest(str(name_or_path), shipped)}")
        stat = path.stat()
        return _read(path, stat.st_mtime_ns, stat.st_size)


def seen(table: Floats, open: Mask, kind: Kind) -> Floats:
    """Columns, shape ``(n, k)``, as a kind sees them; what nobody could tell is 0."""
    if kind == "z":
        return standardised(table, open)
    if kind == "rank":
        return log_rank(table, open)
    return np.nan_to_num(table, nan=0.0)


@lru_cache(maxsize=32)
def _read(path: Path, *_stamp: int) -> Blend:
    try:
        said = json.loads(path.read_text(encoding="utf-8-sig"))
        return Blend(
            name=str(said["name"]),
            terms=tuple(_term(*one) for one in said["terms"]),
            embedder=str(said["embedder"]),
            l2=float(said["l2"]),
            trained_on=tuple(Trained(**one) for one in said["trained_on"]),
            code=str(said["code"]),
            figures={str(name): float(value) for name, value in said["figures"].items()},
            several=_several(said.get("several")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"{path}: no blend: {type(error).__name__}: {error}") from None


def _term(column: str, kind: Kind, sign: int, weight: float, bend: float = 0.0) -> Term:
    return Term(column=column, kind=kind, sign=sign, weight=float(weight), bend=float(bend))


def _several(said: Mapping[str, Any] | None) -> Several | None:
    if said is None:
        return None
    weights = {str(name): float(weight) for name, weight in said["weights"].items()}
    if unknown := sorted(set(weights) - set(MARKS)):
        raise ValueError(f"mark {unknown[0]!r}; {nearest(unknown[0], MARKS)}")
    return Several(intercept=float(said["intercept"]), weights=weights)


HERE = Path(__file__).parent
"""Where the blends that ship lie."""
