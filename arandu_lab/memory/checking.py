"""The checks one fact went through in one read, in the order of the stages, up to the first that lost it.

Pure over what the stages left: masks, signals, the table of candidates and the context. ``explanations.py`` lists the reasons.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from arandu_lab.llm.tokens import counter
from arandu_lab.memory.explanations import Check
from arandu_lab.memory.rereading import Passage, Seen, place_of
from arandu_lab.pure import scoring, versions
from arandu_lab.read.found import Plan, Scoped, Voice
from arandu_lab.read.interval import dated
from arandu_lab.read.render import FACTS, PATTERNS, TURNS, one_line
from arandu_lab.records import Fact

_DAY = timedelta(days=1)


def checks(seen: Seen, position: int) -> tuple[Check, ...]:
    """What the fact at a row of the view met: all passed when it is in the context, else the last one lost it."""
    out: list[Check] = []
    for check in _all(seen, position, seen.lab.memory.fact_at(position)):
        out.append(check)
        if not check.passed:
            break
    return tuple(out)


def _all(seen: Seen, position: int, fact: Fact) -> Iterator[Check]:
    plan = seen.plan
    asked = plan.strategy != "skip"
    said = f"strategy {plan.strategy}, {plan.reason}"
    yield Check(stage=seen.stage_of(Plan), reason="skipped", passed=asked, said=said)
    yield from _in_time(seen, position, fact)
    yield from _in_scope(seen, position, fact)
    yield _nominated(seen, position, fact)
    yield from _dropped(seen, fact)
    row = seen.row(fact.id)
    assert row is not None
    yield from _graded(seen, row)
    yield from _kept(seen, row)
    if "tier" in row:
        yield _in_budget(seen, row, fact)


# ---------------------------------------------------------------- may it answer at all


def _in_time(seen: Seen, position: int, fact: Fact) -> Iterator[Check]:
    plan, stage = seen.plan, seen.stage_of(Scoped)
    known_at, live = plan.query.known_at, bool(plan.live[position])
    if known_at is not None:
        yield _moments(stage, "unknown", known_at, fact.recorded_at, known_at >= fact.recorded_at, "recorded")
    as_of, told = plan.as_of, versions.as_known(fact, known_at)
    if live and not told.valid_from <= as_of < (told.valid_to or datetime.max.replace(tzinfo=as_of.tzinfo)):
        named = getattr(plan, "period", None) is not None
        told_of = (
            "held at a time that the question names" if named else "a statement about the past, true as on its day"
        )
        yield Check(stage=stage, reason="closed", passed=True, said=told_of)
        return
    yield _moments(stage, "not_begun", as_of, told.valid_from, as_of >= told.valid_from, "holds from")
    if fact.stale_since is not None and not plan.historical:
        yield _moments(stage, "stale", as_of, fact.stale_since, live, f"marked ({fact.stale_why}) since")
    if told.valid_to is None:
        yield Check(
            stage=stage, reason="closed", passed=live, said="has no end" if live else f"{stage} does not open it"
        )
        return
    after = [one for one in seen.lab.memory.history(fact.id) if one.supersedes_fact_id == fact.id]
    by = f" ({told.closed_by})" if told.closed_by else ""
    by += "".join(f"; {one.id} came after it: {one.text!r}" for one in after)
    left = (told.valid_to - as_of) / _DAY
    yield Check(
        stage=stage,
        reason="closed",
        passed=live,
        value=as_of,
        threshold=told.valid_to,
        margin=left,
        unit="days",
        said=f"ended {told.valid_to.isoformat()}{by}" if left <= 0 else f"ends {told.valid_to.isoformat()}{by}",
    )


def _moments(stage: str, reason: str, value: datetime, threshold: datetime, passed: bool, word: str) -> Check:
    margin = (value - threshold) / _DAY
    said = f"{word} {threshold.isoformat()}, asked for {value.isoformat()}"
    return Check(
        stage=stage,
        reason=reason,
        passed=passed,
        value=value,
        threshold=threshold,
        margin=margin,
        unit="days",
        said=said,
    )


def _in_scope(seen: Seen, position: int, fact: Fact) -> Iterator[Check]:
    plan, stage = seen.plan, seen.stage_of(Scoped)
    asked = plan.query.entity_keys
    if asked is not None:
        mentioned = seen.lab.memory.keys_of(fact.id)
        yield Check(
            stage=stage,
            reason="scope",
            passed=bool(plan.within[position]),
            value=tuple(mentioned),
            threshold=asked,
            said=f"mentions {', '.join(mentioned) or 'nobody'}; asked about {', '.join(asked) or 'nobody'}",
        )
    value, (_, least) = float(plan.confidence[position]), seen.read_by("min_confidence")
    passed = bool(plan.confident[position])
    said = f"{value:.6g} ({fact.confidence:.6g} as stated), min_confidence {_g(least)}"
    yield _measured(stage, "confidence", passed, value, least, said)


# ---------------------------------------------------------------- did anybody nominate it


def _nominated(seen: Seen, position: int, fact: Fact) -> Check:
    """Nominated by a signal or by spreading; else cut by a signal's cap, or found by none."""
    heard = [(passage, voice, _says(voice, position)) for passage, voice in seen.voices]
    by = [voice.name for _, voice, _ in heard if position in voice.positions]
    spread = next((one.stage for one, found in seen.candidates if place_of(found, fact.id) is not None), None)
    semantic = next(((passage, voice) for passage, voice, _ in heard if voice.name == "semantic" and voice.heard), None)
    value = _says(semantic[1], position) if semantic else None
    stage = semantic[0].stage if semantic else "semantic"
    least = semantic[0].settings.get("min_similarity") if semantic else None
    if by or spread is not None:
        said = f"nominated by {', '.join(by) or spread}"
        said += "" if value is None else f"; cosine {value:.6g}, min_similarity {_g(least)}"
        first = next((passage.stage for passage, voice, _ in heard if voice.name in by), str(spread))
        return _measured(first, "similarity", True, value, least, said, given=by)
    capped = [one for passage, voice, _ in heard if (one := _capped(seen, passage, voice, position)) is not None]
    if capped:
        return min(capped, key=lambda check: (check.rank or 0) - (check.limit or 0))
    others = "; ".join(f"{voice.name} {_g(says)}" for _, voice, says in heard if voice.name != "semantic")
    others = f"; {others}" if others else ""
    if value is None:
        why = "no semantic signal" if semantic is None else "no vector"
        return Check(stage=stage, reason="unembedded", passed=False, said=f"{why} to compare{others}")
    said = f"cosine {value:.6g}, min_similarity {_g(least)}{others}; spreading did not reach it"
    return _measured(stage, "similarity", False, value, least, said)


def _says(voice: Voice, position: int) -> float | None:
    score = float(voice.scores[position])
    return None if np.isnan(score) else score


def _capped(seen: Seen, passage: Passage, voice: Voice, position: int) -> Check | None:
    """The check of a signal that found the fact and nominated others only."""
    limit, scores = passage.settings.get("signal_limit"), voice.scores
    least = passage.settings.get("min_similarity")
    with np.errstate(invalid="ignore"):
        hits = np.flatnonzero(seen.plan.open & (scores > 0.0 if least is None else scores >= least))
    if limit is None or position not in hits or not len(voice.positions):
        return None
    facts = seen.lab.memory.facts
    order = scoring.in_order(hits, scores, times=facts.valid_from, ids=facts.ids).tolist()
    rank, value, last = order.index(position) + 1, float(scores[position]), float(scores[voice.positions[-1]])
    said = f"rank {rank} of {len(hits)} that {voice.name} found, signal_limit {limit}"
    return _measured(passage.stage, "cap", False, value, last, said, rank=rank, limit=limit)


def _dropped(seen: Seen, fact: Fact) -> Iterator[Check]:
    """A stage that no longer has the fact among its candidates, though the one before had."""
    had = False
    for passage, found in seen.candidates:
        has = place_of(found, fact.id) is not None
        if had and not has:
            said = f"{passage.stage} left it out of the candidates"
            yield Check(stage=passage.stage, reason="dropped", passed=False, said=said)
        had = has


# ---------------------------------------------------------------- was it good enough


def _graded(seen: Seen, row: dict[str, Any]) -> Iterator[Check]:
    table = seen.found.table
    if "pooled" in table and (row.get("lost") == "pool" or (table["reranker"] == table["reranker"]).any()):
        shown = table.mask("pooled")
        formula = table["formula"]
        last = float(formula[shown].min()) if shown.any() else None
        rank = int((formula > row["formula"]).sum()) + 1 if row["pooled"] else _place(seen, "pooled", row)
        size = int(shown.sum())
        said = f"formula score {row['formula']:.6g}, rank {rank}; {size} were shown to the judge"
        stage = writer(seen, "pooled")
        yield _measured(stage, "pool", bool(row["pooled"]), row["formula"], last, said, rank=rank, limit=size)
    stage, veto = seen.read_by("min_reranker_score")
    grade = row.get("reranker")
    if grade is not None and stage:
        said = f"grade {grade:.6g}, min_reranker_score {_g(veto)}"
        yield _measured(stage, "vetoed", row.get("lost") != "vetoed", grade, veto, said)


def _kept(seen: Seen, row: dict[str, Any]) -> Iterator[Check]:
    table, lost = seen.found.table, row.get("lost")
    if "kept" not in table:
        return
    stage, least = seen.read_by("min_score")
    score = row.get("score", row["formula"])
    made = f"formula {row['formula']:.6g}" + ("" if row.get("reranker") is None else f", grade {row['reranker']:.6g}")
    said = f"score {_g(score)} ({made}), min_score {_g(least)}"
    yield _measured(stage or writer(seen, "kept"), "min_score", lost != "min_score", score, least, said)
    _, most = seen.read_by("topk_facts")
    kept, scores = table.mask("kept"), table.get("score", table["formula"])
    if row.get("mmr") is not None:  # then its values are what facts were chosen by
        score, scores = row["mmr"], table["mmr"]
    last = float(np.fmin.reduce(scores[kept])) if kept.any() else None
    passes = kept | np.asarray([one == "topk" for one in table["lost"].tolist()], dtype=np.bool_)
    rank = int(passes[: row["rank"]].sum())
    by = " by mmr" if row.get("mmr") is not None else ""
    said = f"rank {rank}{by} of {int(passes.sum())} that pass, topk_facts {most}"
    yield _measured(writer(seen, "kept"), "topk", lost != "topk", score, last, said, rank=rank, limit=most)
    if not row["kept"] and lost not in ("pool", "vetoed", "min_score", "topk"):
        where = writer(seen, "lost")
        yield Check(stage=where, reason=lost or "lost", passed=False, margin=row.get("margin"), said=f"cut by {where}")


def _place(seen: Seen, column: str, row: dict[str, Any]) -> int:
    """The rank by which a pool was filled: the place in the table that went into the stage that wrote a column."""
    before = [found for _, found in seen.candidates if column not in found.table]
    place = place_of(before[-1], row["fact_id"]) if before else None
    return row["rank"] if place is None else place + 1


# ---------------------------------------------------------------- was there room for it


def _in_budget(seen: Seen, row: dict[str, Any], fact: Fact) -> Check:
    """Tokens left when the fact's turn came, against those of its line."""
    stage, budget = seen.read_by("context_max_tokens")
    wanted = counter(seen.lab.llm)(_line(fact))
    if row["tier"] is not None:
        said = f"{row['tier']}: {wanted} tokens of {_g(budget)}, {seen.found.token_count} used"
        return Check(
            stage=stage, reason="budget", passed=True, value=None, threshold=float(wanted), unit="tokens", said=said
        )
    left = room(seen, budget) - _spent(seen, row["rank"])
    said = f"wants {wanted} tokens, {left} of {budget} are left for it"
    return _measured(stage, "budget", False, float(left), float(wanted), said, unit="tokens")


def room(seen: Seen, budget: int) -> int:
    """Tokens for lines: the budget without the headings of the sections that have something to say."""
    context = seen.found.context.split("\n")
    heads = [FACTS] if seen.found.table.mask("kept").any() else []
    heads += [PATTERNS] if PATTERNS in context else []
    heads += [TURNS] if len(seen.found.turns) else []
    return max(0, budget - sum(map(counter(seen.lab.llm), (head + "\n\n" for head in heads))))


def _spent(seen: Seen, rank: int) -> int:
    """Tokens of the lines that went before a fact without a tier: hot and warm facts, other lines, better cold facts."""
    table = seen.found.table
    memory, tokens_of = seen.lab.memory, counter(seen.lab.llm)
    spent = 0
    for place, (tier, position) in enumerate(zip(table["tier"].tolist(), table["position"].tolist(), strict=True), 1):
        if tier in ("hot", "warm") or (tier == "cold" and place < rank):
            spent += tokens_of(_line(memory.fact_at(position)))
    section = ""
    for line in seen.found.context.split("\n"):
        section = line if line in (FACTS, PATTERNS, TURNS) else section
        if line.startswith("- ") and section != FACTS:
            spent += tokens_of(line + "\n")
    return spent


def _line(fact: Fact) -> str:
    return f"- {one_line(dated(fact))}\n"


# ---------------------------------------------------------------- small words


def writer(seen: Seen, column: str) -> str:
    """The stage that first has a column."""
    return next((passage.stage for passage, found in seen.candidates if column in found.table), "")


def _measured(
    stage: str,
    reason: str,
    passed: bool,
    value: float | None,
    threshold: Any,
    said: str,
    *,
    rank: int | None = None,
    limit: int | None = None,
    unit: str = "",
    given: list[str] | None = None,
) -> Check:
    """A check of numbers; a margin only where both are known (and, of a nomination, where meaning nominated)."""
    least = None if threshold is None else float(threshold)
    known = value is not None and least is not None and (given is None or "semantic" in given)
    return Check(
        stage=stage,
        reason=reason,
        passed=passed,
        value=value,
        threshold=least,
        margin=value - least if known and value is not None and least is not None else None,
        unit=unit,
        rank=rank,
        limit=limit,
        said=said,
    )


def _g(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
