"""Measures as values, under their exact names, with the level of chance beside each.

::

    R @ 10   ==  parse("R@10")             share of the evidence found among the ten best
    hit@10                                 1 when any of it is there        (ir_measures: Success@10)
    all@10                                 1 when all of it is there
    P@10  nDCG@10  RR  RR@10               as in ir_measures, binary grades
    R@10(session)                          sessions ordered by their best turn, the ten best of them
    R@10(session-of-turns)                 the sessions that the ten best turns lie in

``(session)`` needs a ranking deep enough to reach ``k`` sessions (the column ``found`` says how many it reached).
A question without evidence has no value (null), never 0; so has one whose system failed or does not rank. Means are
over the questions with a value, and the counts of the others stand beside them.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import Any, Literal, TypeAlias, cast, get_args

import polars as pl

from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.systems.base import Ranked

Name: TypeAlias = Literal["R", "hit", "all", "P", "nDCG", "RR"]
Unit: TypeAlias = Literal["turn", "session", "session-of-turns"]
State: TypeAlias = Literal["scored", "no_evidence", "unranked", "failed"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of one ranking against one set of evidence. ``k`` None: the whole ranking (``RR`` only).

    >>> str(R @ 10), str((hit @ 5).by("session")), eval(repr(RR)) == RR
    ('R@10', 'hit@5(session)', True)
    >>> (R @ 2)(["t7", "t1", "t3"], {"t1", "t3"}), (RR)(["t7", "t1"], {"t1"}), (R @ 2)(["t7"], set())
    (0.5, 0.5, None)
    """

    name: Name
    k: int | None = None
    unit: Unit = "turn"

    def __matmul__(self, k: int) -> Measure:
        """This measure cut at ``k``, at least 1."""
        if k < 1:
            raise ConfigError(f"measure {self.name}@{k}; a cut is at least 1")
        return replace(self, k=k)

    def by(self, unit: Unit) -> Measure:
        """This measure over another unit.

        Raises:
            ConfigError: an unknown unit, or ``session-of-turns`` of a measure that needs an order of sessions.
        """
        if unit not in get_args(Unit):
            raise ConfigError(f"unit {unit!r} of {self}; {nearest(unit, get_args(Unit))}")
        if unit == "session-of-turns" and self.name not in ("R", "hit", "all"):
            raise ConfigError(f"{self} over session-of-turns; only R, hit and all have no need of an order")
        return replace(self, unit=unit)

    def __str__(self) -> str:
        cut = "" if self.k is None else f"@{self.k}"
        return f"{self.name}{cut}" + ("" if self.unit == "turn" else f"({self.unit})")

    def __call__(self, ranked: Sequence[str], evidence: Collection[str]) -> float | None:
        """The value for ids best first (a repeated id counts once, where it first stands); None without evidence.

        Raises:
            ConfigError: a measure that needs a cut and has none.
        """
        if self.k is None and self.name != "RR":
            raise ConfigError(f"measure {self.name} needs a cut, like {self.name}@10")
        wanted = frozenset(evidence)
        if not wanted:
            return None
        found = [item in wanted for item in dict.fromkeys(ranked)][: self.k]
        return _value(self.name, self.k or 0, found, len(wanted))


R, hit, P, RR = Measure("R"), Measure("hit"), Measure("P"), Measure("RR")
nDCG = Measure("nDCG")  # noqa: N816 - its exact name
all_ = Measure("all")
"""``all_ @ 10`` is ``all@10``; the name without the dash is taken."""


def parse(text: str | Measure) -> Measure:
    """A measure by its exact name.

    Raises:
        ConfigError: an unknown measure, unit or cut.

    >>> parse("nDCG@10"), parse("R@5(session)").unit
    (Measure(name='nDCG', k=10, unit='turn'), 'session')
    """
    if isinstance(text, Measure):
        return text
    found = re.fullmatch(r"([A-Za-z]+)(?:@(\d+))?(?:\(([a-z-]+)\))?", text.strip())
    if found is None:
        raise ConfigError(f"measure {text!r}; expected one like 'R@10' or 'R@10(session)'")
    name, cut, unit = found.groups()
    if name not in get_args(Name):
        raise ConfigError(f"measure {text!r}; {nearest(name, get_args(Name))}")
    if cut is None and name != "RR":
        raise ConfigError(f"measure {text!r} needs a cut, like {name}@10")
    bare = Measure(cast("Name", name))
    return (bare if cut is None else bare @ int(cut)).by(cast("Unit", unit or "turn"))


@lru_cache(maxsize=65536)
def chance(measure: str | Measure, corpus_size: int, evidence_size: int) -> float | None:
    """What a random order of ``corpus_size`` items scores on average when ``evidence_size`` of them are evidence.

    For ``(session)`` count sessions: the order is then a random order *of sessions* (longer sessions come sooner in an
    order of random turns, so that one scores a little more). None for ``session-of-turns``, which depends on how long
    each session is, and where there is no evidence.

    Raises:
        ConfigError: more evidence than corpus.

    >>> chance("R@10", 500, 2), chance("hit@10(session)", 25, 1), round(chance("RR", 3, 1), 4)
    (0.02, 0.4, 0.6111)
    """
    asked, n, m = parse(measure), corpus_size, evidence_size
    if m > n or m < 0:
        raise ConfigError(f"chance with {m} pieces of evidence among {n}")
    if m == 0 or asked.unit == "session-of-turns":
        return None
    k = n if asked.k is None else min(asked.k, n)
    match asked.name:
        case "R":
            return k / n
        case "hit":
            return 1.0 - _none_before(n, m, k)
        case "all":
            return math.comb(n - m, k - m) / math.comb(n, k) if k >= m else 0.0
        case "P":
            return k * (m / n) / (asked.k or n)
        case "nDCG":
            return (m / n) * _gains(k) / _gains(min(m, asked.k or n))
        case "RR":
            ranks = range(min(k, n - m + 1))
            none_yet = accumulate((1.0 - m / (n - rank) for rank in ranks), mul, initial=1.0)
            return sum(none * m / (n - rank) / (rank + 1) for rank, none in zip(ranks, none_yet, strict=False))


def score(
    dataset: Dataset,
    answers: Mapping[tuple[str, str], Ranked | None],
    measures: Iterable[str | Measure],
    *,
    system: str = "",
) -> pl.DataFrame:
    """One row per question and measure.

    Args:
        dataset: Its questions are the rows; none is left out.
        answers: (conversation id, question id) -> answer. None, or no key: the system failed there.
        measures: Measures or their names.
        system: Written into every row.

    Returns:
        Columns ``system dataset conversation question category measure value chance evidence found state``. ``value``
        is null unless ``state`` is ``scored``; ``chance`` is over what had been said when the question was asked;
        ``evidence`` counts turns or sessions; ``found`` counts the ranked items.

    Raises:
        ConfigError: an answer to a question that the dataset does not have, or an unknown measure.
    """
    asked = [parse(measure) for measure in measures]
    strange = set(answers) - {(one.id, q.id) for one in dataset for q in one.questions}
    if strange:
        raise ConfigError(f"answers to questions that {dataset.name} does not have: {sorted(strange)[:3]}")
    rows: list[dict[str, Any]] = []
    for conversation in dataset:
        heard = _Heard(conversation)
        for question in conversation.questions:
            answer = answers.get((conversation.id, question.id))
            for measure in asked:
                rows.append(
                    {
                        "system": system,
                        "dataset": dataset.name,
                        "conversation": conversation.id,
                        "question": question.id,
                        "category": question.category,
                        "measure": str(measure),
                        **_row(measure, question, answer, heard),
                    }
                )
    return pl.DataFrame(rows, schema=_SCHEMA)


def summarise(scores: pl.DataFrame, by: Sequence[str] = ("system", "measure")) -> pl.DataFrame:
    """Means over the questions that have a value, with the mean level of chance and the counts of all states.

    Returns:
        The columns of ``by``, then ``mean chance n no_evidence unranked failed``. ``mean`` is null when ``n`` is 0.
    """
    scored = pl.col("state") == "scored"
    return scores.group_by(list(by), maintain_order=True).agg(
        pl.col("value").mean().alias("mean"),
        pl.col("chance").filter(scored).mean(),
        scored.sum().cast(pl.Int64).alias("n"),
        *(
            (pl.col("state") == state).sum().cast(pl.Int64).alias(state)
            for state in get_args(State)
            if state != "scored"
        ),
    )


class _Heard:
    """What a conversation had said by the moment of a question."""

    def __init__(self, conversation: Conversation) -> None:
        self.session_of = conversation.session_of()
        self._moments = [turn.occurred_at for turn in conversation.turns]
        self._sessions: list[int] = []
        seen: set[str] = set()
        for turn in conversation.turns:
            seen.add(turn.session_id)
            self._sessions.append(len(seen))

    def size(self, question: Question, unit: Unit) -> int:
        turns = bisect_right(self._moments, question.asked_at)
        return turns if unit != "session" else (self._sessions[turns - 1] if turns else 0)


def _row(measure: Measure, question: Question, answer: Ranked | None, heard: _Heard) -> dict[str, Any]:
    evidence = question.evidence if measure.unit == "turn" else question.evidence_sessions
    size = heard.size(question, measure.unit)
    row: dict[str, Any] = {
        "value": None,
        "chance": chance(measure, size, len(evidence)) if len(evidence) <= size else None,
        "evidence": len(evidence),
        "found": None,
        "state": "no_evidence",
    }
    if answer is None:
        return row | {"state": "failed"}
    if not evidence:
        return row
    if (turns := answer.evidence()) is None:
        return row | {"state": "unranked"}
    ranked = [turn.id for turn in turns]
    if strange := next((one for one in ranked if one not in heard.session_of), None):
        raise ConfigError(f"question {question.id}: ranked {strange!r}; {nearest(strange, heard.session_of)}")
    if measure.unit == "session-of-turns":
        ranked = list(dict.fromkeys(ranked))[: measure.k]
    if measure.unit != "turn":
        ranked = list(dict.fromkeys(heard.session_of[turn_id] for turn_id in ranked))
    return row | {"value": measure(ranked, evidence), "found": len(ranked), "state": "scored"}


def _value(name: Name, k: int, found: Sequence[bool], wanted: int) -> float:
    match name:
        case "R":
            return sum(found) / wanted
        case "hit":
            return float(any(found))
        case "all":
            return float(sum(found) == wanted)
        case "P":
            return sum(found) / k
        case "nDCG":
            gained = sum(1.0 / math.log2(place + 2) for place, good in enumerate(found) if good)
            return gained / _gains(min(wanted, k))
        case "RR":
            return next((1.0 / (place + 1) for place, good in enumerate(found) if good), 0.0)


def _gains(places: int) -> float:
    return sum(1.0 / math.log2(place + 2) for place in range(places))


def _none_before(n: int, m: int, places: int) -> float:
    """The probability that none of ``m`` items stands in the first ``places`` of a random order of ``n``."""
    return math.comb(n - m, places) / math.comb(n, places) if places <= n - m else 0.0


_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("system", "dataset", "conversation", "question", "category", "measure"), pl.String),
    "value": pl.Float64,
    "chance": pl.Float64,
    "evidence": pl.Int64,
    "found": pl.Int64,
    "state": pl.String,
}
