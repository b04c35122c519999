"""What a question needs, which rows stand for it, and where each signal ranks them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arandu_lab.bench.data.model import Question
from arandu_lab.bench.scorecard.dossier import Asked, Candidate
from arandu_lab.bench.scorecard.linking import Gold, Links
from arandu_lab.pure.matching import stems

SIGNALS = ("semantic", "keyword", "graph", "formula", "score")
"""Scores of a candidate; the first three are the retrievers', the others are made of them."""

CUTS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class Need:
    """One piece of what answers a question: gold facts any of which will do, and the turns that say it."""

    facts: tuple[str, ...]
    turns: tuple[str, ...]


def needs(question: Question, gold: Gold) -> tuple[Need, ...]:
    """What a question needs: a piece a gold fact where the set names them, else a piece an evidence turn.

    A piece that is a turn is served by those of its facts that share most words with the answer.
    """
    if question.facts:
        return tuple(_by_fact(gold.roots.get(fact, fact), question, gold) for fact in question.facts)
    return tuple(_by_turn(turn_id, question, gold) for turn_id in question.evidence)


def rows_of(need: Need, gold: Gold, links: Links) -> tuple[str, ...]:
    """Ids of rows that say what is needed: the fact itself or any time it was said again."""
    wanted = set(need.facts) | {
        one
        for fact in need.facts
        if fact in gold.facts and gold.facts[fact].decision != "DELETE"
        for one in gold.restated.get(gold.roots[fact], ())
    }
    return tuple(row for row, told in links.rows.items() if told in wanted)


def ranks(asked: Asked, rows: Iterable[str]) -> dict[str, int | None]:
    """The best rank of some rows by each signal, null where none of them has it; ``rank`` is the final order.

    ``place`` is the best rank among those that were kept.

    >>> one = Candidate(fact_id="a", rank=1, scores={"semantic": 0.2, "keyword": 0.9})
    >>> two = Candidate(fact_id="b", rank=2, scores={"semantic": 0.8})
    >>> found = ranks(Asked(question="q", candidates=(one, two)), ["b"])
    >>> found["semantic"], found["keyword"], found["rank"]
    (1, None, 2)
    """
    wanted = set(rows)
    out: dict[str, int | None] = {
        "rank": min((one.rank for one in asked.candidates if one.fact_id in wanted), default=None)
    }
    kept = sorted((one.rank, one.fact_id) for one in asked.candidates if one.lost in (None, "budget"))
    out["place"] = next((place for place, (_, fact_id) in enumerate(kept, start=1) if fact_id in wanted), None)
    for signal in SIGNALS:
        places = ordered(asked.candidates, signal)
        out[signal] = min((place for fact_id, place in places.items() if fact_id in wanted), default=None)
    return out


def ordered(candidates: Iterable[Candidate], signal: str) -> dict[str, int]:
    """Fact id -> place by one signal, from 1; without it, no place. Ties as the system ranked them."""
    known = [one for one in candidates if one.scores.get(signal) is not None]
    known.sort(key=lambda one: (-one.scores[signal], one.rank))
    return {one.fact_id: place for place, one in enumerate(known, start=1)}


def current_first(asked: Asked, current: Iterable[str], stale: Iterable[str]) -> bool | None:
    """Whether a current value ranks before every earlier one. No earlier one: yes; neither of them: null."""
    place: Mapping[str, int] = {one.fact_id: one.rank for one in asked.candidates}
    now = min((place[one] for one in current if one in place), default=None)
    before = min((place[one] for one in stale if one in place), default=None)
    if now is None:
        return None if before is None else False
    return before is None or now < before


def _by_fact(root: str, question: Question, gold: Gold) -> Need:
    said = gold.said(root, question.asked_at)
    return Need(tuple(said), tuple(dict.fromkeys(gold.turn_of[one] for one in said)))


def _by_turn(turn_id: str, question: Question, gold: Gold) -> Need:
    wanted = stems(question.answer or "") | stems(question.text)
    facts = gold.turn(turn_id).facts
    shared = {fact.id: len(stems(f"{fact.text} {fact.value}") & wanted) for fact in facts}
    most = max(shared.values(), default=0)
    return Need(tuple(fact.id for fact in facts if shared[fact.id] == most), (turn_id,))
