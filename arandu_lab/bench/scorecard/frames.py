"""A scorecard as polars frames: a row for everything that was judged, and nothing that the tables need beside them.

===============  ==================================================================================================
read             a row a fact, name or relation that was read or should have been
turns            a row a turn: what dedup kept
mentions         a row a name of the gold: its key
decisions        a row a gold fact: what was decided about it
rows             a row a version in the store at the end
instants         a row an instant: what was held to be true
evidence         a row a piece of what a question needs: what became of it, where each signal ranks it
questions        a row a question: its outcome, the stage that lost it, what happened in words
costs            a row a stage: what it asked for
errors           a row an error
times            milliseconds a stage; kept apart from the others
===============  ==================================================================================================

Every row begins with ``system dataset language mode part``. ``part`` is ``all``, or the stage that ran alone on gold
input (mode ``given``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Question
from arandu_lab.bench.scorecard import blame
from arandu_lab.bench.scorecard.columns import SCHEMAS
from arandu_lab.bench.scorecard.dossier import Asked, Dossier
from arandu_lab.bench.scorecard.extraction_score import read_rows, turn_rows
from arandu_lab.bench.scorecard.linking import Gold, Links, linked, mentions, owners
from arandu_lab.bench.scorecard.reading_score import current_first, needs, ranks, rows_of
from arandu_lab.bench.scorecard.reconciliation_score import decision_rows, row_rows
from arandu_lab.bench.scorecard.state_score import instant_rows

Frames = Mapping[str, pl.DataFrame]
Rows = dict[str, list[dict[str, Any]]]

PARTS: Mapping[str, tuple[str, ...]] = {
    "all": tuple(name for name in SCHEMAS if name not in ("times",)),
    "extraction": ("read",),
    "dedup": ("turns",),
    "resolution": ("mentions",),
    "reconciliation": ("decisions",),
    "state": ("instants",),
    "retrieval": ("evidence", "questions"),
    "ranking": ("evidence", "questions"),
    "context": ("evidence", "questions"),
}
"""Which frames a dossier fills: all of them, or those of the stage that ran alone."""


def rows(dossier: Dossier, gold: Gold, *, language: str, part: str = "all") -> Rows:
    """The rows of one dossier, by frame."""
    links = linked(dossier, gold)
    found = mentions(dossier, gold) if part in ("all", "resolution") else []
    head = {
        "system": dossier.system,
        "dataset": dossier.dataset,
        "language": language,
        "mode": dossier.mode,
        "part": part,
    }
    makers: dict[str, Iterable[dict[str, Any]]] = {
        "read": read_rows(dossier, gold, links),
        "turns": turn_rows(dossier, gold, links),
        "mentions": (asdict(one) for one in found),
        "decisions": decision_rows(dossier, gold, links),
        "rows": row_rows(dossier, gold, links),
        "instants": instant_rows(dossier, gold, links),
        "costs": (asdict(one) for one in dossier.costs),
        "errors": ({"message": one} for one in dossier.errors),
    }
    out: Rows = {name: [{**head, **one} for one in makers.get(name, ())] for name in PARTS[part] if name in makers}
    if "questions" in PARTS[part]:
        case = blame.Case.of(dossier, gold, links, owners(found))
        pieces, answers = _read(case, links)
        out["evidence"] = [{**head, **one} for one in pieces]
        out["questions"] = [{**head, **one} for one in answers]
    out["times"] = [{**head, "stage": stage, "ms": ms} for stage, ms in dossier.times.items()]
    return out


def frames(parts: Iterable[Rows]) -> dict[str, pl.DataFrame]:
    """All rows as frames, in the order given."""
    joined: Rows = {name: [] for name in SCHEMAS}
    for some in parts:
        for name, lines in some.items():
            joined[name] += lines
    return {name: pl.DataFrame(lines, schema=SCHEMAS[name]) for name, lines in joined.items()}


def _read(case: blame.Case, links: Links) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    asked = {one.question: one for one in case.dossier.asked}
    pieces: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for question in case.gold.conversation.questions:
        if question.id not in asked:
            continue
        some = list(_pieces(case, links, question, asked[question.id]))
        pieces += [row for row, _, _ in some]
        answer = _answer(case, links, question, asked[question.id], [fate for _, fate, _ in some])
        if case.remembers and some and answer["kind"] == "answerable":
            alone = blame.worst([by_rows for _, _, by_rows in some])
            answer |= {"fact_outcome": alone.fate, "fact_stage": alone.stage}
        answers.append(answer)
    return pieces, answers


def _pieces(
    case: blame.Case, links: Links, question: Question, asked: Asked
) -> Iterator[tuple[dict[str, Any], blame.Fate, blame.Fate]]:
    if asked.error is not None:
        return
    for place, need in enumerate(needs(question, case.gold)):
        rows_here = rows_of(need, case.gold, links)
        if case.remembers:
            by_rows = blame.row_fate(case, need, asked, question.asked_at)
            end = blame.fate(case, need, asked, by_rows)
        else:
            by_rows = end = blame.turn_fate(case, need, asked)
        returned = [asked.turns.index(one) + 1 for one in need.turns if one in asked.turns]
        yield (
            {
                "question": question.id,
                "category": question.category,
                "need": place,
                "facts": list(need.facts),
                "turns": list(need.turns),
                "rows": list(rows_here),
                "fate": end.fate,
                "stage": end.stage,
                "detail": end.detail,
                "row_fate": by_rows.fate if case.remembers else None,
                "turn_rank": min(returned, default=None),
                **ranks(asked, rows_here),
            },
            end,
            by_rows,
        )


def _answer(
    case: blame.Case, links: Links, question: Question, asked: Asked, fates: list[blame.Fate]
) -> dict[str, Any]:
    kind = "deletion" if question.category == "deletion" else "absent" if not question.evidence else "answerable"
    if asked.error is not None:
        end = blame.Fate("failed", None, asked.error)
    elif kind == "deletion":
        end = blame.forgotten(case, question, asked)
    elif kind == "absent" or not fates:
        end = blame.Fate("nothing to find", None)
    else:
        end = blame.worst(fates)
    worst = fates.index(end) if end in fates else None
    pieces = needs(question, case.gold)
    current = [one for need in pieces for one in rows_of(need, case.gold, links)]
    stale = {case.gold.roots[one] for one in question.stale if one in case.gold.roots}
    earlier = [row for row, told in links.rows.items() if case.gold.roots[told] in stale and row not in current]
    need = pieces[worst] if worst is not None else None
    said = [f"{case.gold.speakers[one]}: {case.gold.texts[one]}" for one in (need.turns if need else ())]
    return {
        "question": question.id,
        "category": question.category,
        "kind": kind,
        "asked_at": question.asked_at.isoformat(),
        "text": question.text,
        "answer": question.answer,
        "wrong_answer": question.wrong_answer,
        "outcome": end.fate,
        "stage": end.stage,
        "happened": end.detail,
        "turn": need.turns[0] if need and need.turns else None,
        "said": said[0] if said else None,
        "needs": len(pieces),
        "delivered": sum(one.fate == "delivered" for one in fates),
        "candidates": len(asked.candidates) if case.remembers else None,
        "current_first": current_first(asked, current, earlier) if stale and case.remembers else None,
        "context_tokens": asked.context_tokens,
        "error": asked.error,
    }
