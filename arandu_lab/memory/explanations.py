"""What an explanation says: the checks a fact went through, and what would have changed the outcome.

A check that is passed shows by how much; the first one that is not is where the fact was lost. Margins are value minus
threshold in the unit of the check, below 0 where it was lost.

============== ============ ================================================= ====================================
reason         stage        value                                             threshold
============== ============ ================================================= ====================================
``skipped``    plan         (a greeting, or no words)
``unknown``    scope        ``known_at``                                      ``recorded_at``, days
``not_begun``  scope        ``as_of``                                         ``valid_from``, days
``closed``     scope        ``as_of``                                         ``valid_to``, days (at the end: 0)
``stale``      scope        ``as_of``                                         ``stale_since``, days
``scope``      scope        entities it mentions                              ``entity_keys``
``confidence`` scope        confidence after decay                            ``min_confidence``
``similarity`` semantic     cosine on the documented scale                    ``min_similarity``
``unembedded`` semantic     (no vector to compare)
``cap``        the signal   its score; ``rank`` of all it found               score of the last it nominated, ``limit``
``pool``       judge        formula score; ``rank`` among the candidates      score of the last shown, ``limit``
``vetoed``     blend        grade                                             ``min_reranker_score``
``min_score``  cut          score                                             ``min_score``
``topk``       cut          score; ``rank`` among those that pass             score of the last kept, ``limit``
``budget``     render       tokens left for it                                tokens of its line
============== ============ ================================================= ====================================

``similarity``, ``unembedded`` and ``cap`` are one check: no signal nominated the fact. What another stage drops has that
stage's name and its own word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

from arandu_lab.records import Fact
from arandu_lab.results import table
from arandu_lab.trace import Usage

if TYPE_CHECKING:
    import polars as pl

Value = float | datetime | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One way to be lost, and how a fact fared. ``rank`` counts from 1 and ``limit`` is the last rank let through."""

    stage: str
    reason: str
    passed: bool
    value: Value = None
    threshold: Value = None
    margin: float | None = None
    unit: str = ""
    rank: int | None = None
    limit: int | None = None
    said: str = ""

    def __str__(self) -> str:
        mark = "ok  " if self.passed else "LOST"
        margin = "" if self.margin is None else f"{self.margin:+.6g} {self.unit}".rstrip()
        return f"{mark}  {self.stage:<9} {self.reason:<11} {margin:>14}  {self.said}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One parameter moved alone, which was run and recalled the fact.

    ``size`` is the relative change, ``|new - old| / max(|old|, |new|)``, 1 for what is no number. ``rank`` and ``score`` are
    the fact's then.
    """

    name: str
    old: Any
    new: Any
    size: float
    rank: int
    score: float | None

    @property
    def arguments(self) -> dict[str, Any]:
        """What to give ``retrieve``: ``await memory.retrieve(agent, query, **change.arguments)``."""
        return {self.name: self.new} if self.name in QUESTION else {"config_overrides": {self.name: self.new}}

    def __str__(self) -> str:
        return f"{self.name} {_shown(self.old)} -> {_shown(self.new)} (rank {self.rank})"


QUESTION = ("as_of", "known_at", "entity_keys")
"""Parameters of a question; all others are settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """The same question with one signal left out: the fact's rank and score then, and where it is lost if it is.

    ``value`` is what the signal said of the fact. ``rank`` and ``score`` are None where nothing nominates it.
    """

    signal: str
    value: float | None
    recalled: bool
    rank: int | None
    score: float | None
    lost: str | None


@dataclass(frozen=True, kw_only=True)
class Explained:
    """What happened to one fact when one question was asked. ``runs`` counts the reads, ``usage`` what they cost.

    Every question to a model is put once, however many reads ask it again. ``rank`` is the place among all candidates by
    score, from 1.
    """

    query: str
    fact: Fact
    checks: tuple[Check, ...]
    rank: int | None = None
    score: float | None = None
    tier: str | None = None
    runs: int = 1
    usage: Usage = field(default_factory=Usage)
    degraded: tuple[str, ...] = ()

    @property
    def recalled(self) -> bool:
        """Whether the fact is in the context."""
        return all(check.passed for check in self.checks)

    @property
    def lost(self) -> Check | None:
        """The first check it did not pass."""
        return next((check for check in self.checks if not check.passed), None)

    @property
    def stage(self) -> str | None:
        """The stage that lost it."""
        return self.lost.stage if self.lost else None

    @property
    def reason(self) -> str | None:
        """The way it was lost."""
        return self.lost.reason if self.lost else None

    @property
    def value(self) -> Value:
        """What it had where it was lost."""
        return self.lost.value if self.lost else None

    @property
    def threshold(self) -> Value:
        """What was wanted there."""
        return self.lost.threshold if self.lost else None

    @property
    def margin(self) -> float | None:
        """By how much it missed, below 0 (None where nothing was measured)."""
        return self.lost.margin if self.lost else None

    @property
    def frame(self) -> pl.DataFrame:
        """One row per check: ``stage reason passed value threshold margin unit rank limit said``; only numbers as values."""
        import polars as pl

        kinds = {
            "stage": pl.String(),
            "reason": pl.String(),
            "passed": pl.Boolean(),
            "value": pl.Float64(),
            "threshold": pl.Float64(),
            "margin": pl.Float64(),
            "unit": pl.String(),
            "rank": pl.Int64(),
            "limit": pl.Int64(),
            "said": pl.String(),
        }
        rows = [
            {
                name: _number(getattr(check, name)) if name in ("value", "threshold") else getattr(check, name)
                for name in kinds
            }
            for check in self.checks
        ]
        return pl.DataFrame(rows, schema=kinds)

    def _outcome(self) -> str:
        if self.lost:
            return f"lost at {self.lost.stage} ({self.lost.reason})"
        place = "" if self.rank is None else f", rank {self.rank}"
        return f"in the context{place}" + ("" if self.score is None else f", score {self.score:.3f}")

    def _head(self) -> list[str]:
        lines = [f"{self.fact.id} {self.fact.text!r}", f"asked {self.query!r}: {self._outcome()}"]
        if self.degraded:
            lines.append(f"degraded: {', '.join(self.degraded)}")
        return [*lines, *(f"  {check}" for check in self.checks)]

    def _cost(self) -> str:
        reads = f"{self.runs} read{'' if self.runs == 1 else 's'}"
        return f"{reads}, {self.usage.calls} calls, {self.usage.total_tokens} tokens"

    def _html(self, *more: str) -> str:
        head = f"<p><b>{escape(self.fact.text)}</b><br>{escape(self.query)}: {escape(self._outcome())}</p>"
        cells = [
            (
                "ok" if check.passed else "lost",
                check.stage,
                check.reason,
                "" if check.margin is None else f"{check.margin:+.6g} {check.unit}",
                check.said,
            )
            for check in self.checks
        ]
        return head + table(("", "stage", "check", "margin", ""), cells) + "".join(more) + f"<p>{self._cost()}</p>"


@dataclass(frozen=True, kw_only=True)
class Why(Explained):
    """Why a fact is in the context: every check with its margin, and what each signal was worth to it.

    ``left_out`` has one entry per signal that takes part; empty where the fact is lost (``why_not`` says more).
    """

    left_out: tuple[LeftOut, ...] = ()

    @property
    def attribution(self) -> pl.DataFrame:
        """``left_out`` as a frame: ``signal value recalled rank score lost rank_before score_before``."""
        import polars as pl

        kinds: dict[str, Any] = {
            "signal": pl.String(),
            "value": pl.Float64(),
            "recalled": pl.Boolean(),
            "rank": pl.Int64(),
            "score": pl.Float64(),
            "lost": pl.String(),
        }
        rows = [{name: getattr(one, name) for name in kinds} for one in self.left_out]
        frame = pl.DataFrame(rows, schema=kinds)
        return frame.with_columns(
            rank_before=pl.lit(self.rank, dtype=pl.Int64()), score_before=pl.lit(self.score, dtype=pl.Float64())
        )

    def __str__(self) -> str:
        lines = self._head()
        if self.left_out:
            lines += ["without     value  rank  score"]
            lines += ["  {:<10} {:>5}  {:>4}  {:>5}  {}".format(*cells) for cells in self._cells()]
        return "\n".join([*lines, self._cost()])

    def _repr_html_(self) -> str:
        shown = table(("without", "value", "rank", "score", ""), self._cells()) if self.left_out else ""
        return self._html(shown)

    def _cells(self) -> list[Sequence[str]]:
        return [
            (
                one.signal,
                "" if one.value is None else f"{one.value:.3f}",
                "" if one.rank is None else str(one.rank),
                "" if one.score is None else f"{one.score:.3f}",
                "still in the context" if one.recalled else f"lost: {one.lost}",
            )
            for one in self.left_out
        ]


@dataclass(frozen=True, kw_only=True)
class WhyNot(Explained):
    """Why a fact is not in the context, and which parameter, moved alone, would have brought it there.

    ``changes`` have each been run and recalled it, the smallest first. Where none did, ``then`` is the check that loses it
    next once ``beyond`` (a parameter and its value) has let it past the first. ``complete`` False: the bound on reads or
    calls was met before every parameter had been tried.
    """

    changes: tuple[Change, ...] = ()
    then: Check | None = None
    beyond: tuple[str, Any] | None = None
    complete: bool = True

    @property
    def change(self) -> Change | None:
        """The smallest change that recalls it."""
        return self.changes[0] if self.changes else None

    def __str__(self) -> str:
        return "\n".join([*self._head(), *self._remedy(), self._cost()])

    def _repr_html_(self) -> str:
        return self._html(*(f"<p>{escape(line.strip())}</p>" for line in self._remedy()))

    def _remedy(self) -> list[str]:
        if self.recalled:
            return []
        found = [f"{'recalled by' if not place else '  or by'} {one}" for place, one in enumerate(self.changes)]
        if not found:
            found = ["no single parameter that was tried recalls it"]
            if self.then is not None and self.beyond is not None:
                name, value = self.beyond
                found.append(f"  with {name} {_shown(value)} it is lost next at: {self.then}")
        return found if self.complete else [*found, "  not every parameter was tried"]


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
