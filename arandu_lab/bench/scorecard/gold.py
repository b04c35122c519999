"""Write stages that do what the gold says, as ordinary stages with one plain parameter: the path of the set.

``ground() >> read_truly(book=...) >> resolve_truly(book=...) >> decide_truly(book=...) >> upsert()`` leaves a memory that
holds the truth, entities under ``type:slug`` of their canonical names. Read stages: ``nominate_truly`` lets every live
fact and all evidence be a candidate, ``rank_truly`` puts the evidence first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl

from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.scorecard.oracle import reading
from arandu_lab.errors import DatasetError
from arandu_lab.llm.tasks import ExtractAnswer
from arandu_lab.pipeline import Lab, Pipeline, stage, together
from arandu_lab.pure.text import ident, normal
from arandu_lab.read.found import Candidates, Voice
from arandu_lab.read.stages import expand_query, graph, keyword, merge, plan, scope, semantic, silent, turns
from arandu_lab.records import (
    MIRROR,
    Decision,
    Extraction,
    Grounded,
    Reconciliation,
    Resolution,
    Resolved,
)
from arandu_lab.units import Positive, Share
from arandu_lab.write import answers
from arandu_lab.write.ground import speaker_key
from arandu_lab.write.groups import ground
from arandu_lab.write.upsert import upsert
from arandu_lab.write.vectors import embed_facts, leave_unembedded


def gold_write(book: str) -> Pipeline:
    """The write pipeline of a memory that ends in the truth.

    >>> gold_write("harbor_en").names()[-2:]
    ['decide_truly', 'upsert']
    """
    return (
        ground()
        >> read_truly(book=book)
        >> embed_facts().otherwise(leave_unembedded())
        >> resolve_truly(book=book)
        >> decide_truly(book=book)
        >> upsert()
    )


def gold_retrieval(book: str) -> Pipeline:
    """The reference retrieval: every live fact and all evidence, scored by the documented signals."""
    signals = together(semantic().otherwise(silent()), keyword(), graph())
    return plan() >> expand_query() >> scope() >> signals >> nominate_truly(book=book) >> merge() >> turns()


@stage
def read_truly(
    grounded: Grounded,
    lab: Lab,
    *,
    book: str = "",
    importance_values: Mapping[str, Share],
    confidence_values: Mapping[str, Share],
    timezone: str,
) -> Extraction:
    """Read what the gold says that the turn states, as a model without a fault would answer it."""
    known = open_book(book)
    turn = known.turn_of(grounded.turn.agent_id, grounded.turn.event_id)
    answer = ExtractAnswer.model_validate(reading(known, turn))
    entities, _ = answers.read_entities(answer.entities)
    names = answers.canonical_names(entities)
    facts, skipped = answers.read_facts(
        answer.facts,
        grounded,
        names,
        importance_values=importance_values,
        confidence_values=confidence_values,
        timezone=timezone,
    )
    if skipped:
        raise DatasetError(f"{known.name} {turn.id}: {skipped[0].what!r}: {skipped[0].why}")
    hinted = answers.hinted_relations([(item, turn.speaker) for item in answer.entities], names)
    relations, _ = answers.read_relations(answer.relations, names, hinted)
    return replace(answers.unread(grounded), entities=entities, facts=facts, relations=relations, mode="informed")


@stage
async def resolve_truly(extraction: Extraction, lab: Lab, *, book: str = "") -> Resolution:
    """Give every name the entity that the gold means, under its canonical name; what the turn calls it is an alias."""
    known = open_book(book)
    turn = known.turn_of(extraction.turn.agent_id, extraction.turn.event_id)
    gold, meant = known.gold(turn.id), known.meant(turn)
    subjects = {normal(fact.text): fact.subject for fact in gold.facts}

    def name(said: str) -> str:
        return meant.get(ident(said), said)

    facts = tuple(
        replace(fact, subject=subjects.get(normal(fact.text), name(fact.subject))) for fact in extraction.facts
    )
    relations = tuple(
        replace(edge, source=name(edge.source), target=name(edge.target)) for edge in extraction.relations
    )
    called: dict[str, list[str]] = {}
    for one in gold.entities:
        called.setdefault(one.name, []).append(one.mention)
    if turn.speaker in known.cast:
        called.setdefault(known.cast[turn.speaker], []).insert(0, turn.speaker)
    for canonical in [*(f.subject for f in facts), *(end for e in relations for end in (e.source, e.target))]:
        called.setdefault(canonical, [])
    resolved = [_resolved(known, lab, canonical, aliases) for canonical, aliases in called.items()]
    new = [place for place, one in enumerate(resolved) if one.how == "new"]
    for place, vector in zip(new, await lab.embed([resolved[one].name for one in new]) if new else (), strict=True):
        resolved[place] = replace(resolved[place], vector=vector)
    if turn.speaker not in known.cast:
        home = speaker_key(turn.speaker)
        resolved.append(Resolved(name=turn.speaker, type="person", key=home, how="speaker"))
    read = {part: getattr(extraction, part) for part in Extraction.__dataclass_fields__}
    return Resolution(**{**read, "facts": facts, "relations": relations}, resolved=tuple(resolved))


@stage
def decide_truly(resolution: Resolution, lab: Lab, *, book: str = "") -> Reconciliation:
    """Decide about every fact as the gold does; what the gold does not know (a mirror) is added."""
    known = open_book(book)
    agent = resolution.turn.agent_id
    turn = known.turn_of(agent, resolution.turn.event_id)
    gold = {normal(fact.text): fact for fact in known.gold(turn.id).facts}
    decisions: list[Decision | None] = []
    for new in resolution.facts:
        fact = None if new.source_context == MIRROR else gold.get(normal(new.text))
        if fact is None:
            decisions.append(Decision(action="ADD", why="gold"))
        elif fact.of is not None:
            decisions.append(Decision(action=fact.decision, target_id=known.row(agent, fact.of), why="gold"))  # type: ignore[arg-type]
        elif fact.valid_to is not None:
            decisions.append(Decision(action="ADD", target_id=_successor(known, lab, agent, fact.id), why="late"))
        else:
            decisions.append(Decision(action="ADD", why="gold"))
    parts = {part: getattr(resolution, part) for part in Resolution.__dataclass_fields__}
    return Reconciliation(**parts, decisions=tuple(decisions))


@stage
def nominate_truly(voices: tuple[Voice, ...], lab: Lab, *, book: str = "") -> tuple[Voice, ...]:
    """Let every live fact be a candidate, and whatever answers the question, live or not."""
    plan = voices[0].plan
    chosen = plan.live.copy()
    evidence = _evidence(open_book(book), lab, plan.query.text, plan.query.agent_id)
    for place, fact_id in enumerate(lab.memory.facts.ids):
        chosen[place] |= fact_id in evidence
    return tuple(replace(voice, positions=np.flatnonzero(chosen)) for voice in voices)


@stage
def rank_truly(found: Candidates, lab: Lab, *, book: str = "", kept_truly: Positive = 20) -> Candidates:
    """Put what answers the question first, then the others as they stand; keep ``kept_truly``, and all that answers."""
    query = found.plan.query
    evidence = _evidence(open_book(book), lab, query.text, query.agent_id)
    frame = found.frame.with_columns(answers=pl.col("fact_id").is_in(list(evidence)))
    frame = frame.sort("answers", descending=True, maintain_order=True).drop("answers")
    place = pl.int_range(pl.len())
    kept = place < max(kept_truly, len(evidence))
    frame = frame.with_columns(
        pooled=pl.lit(True),
        reranker=pl.lit(None, dtype=pl.Float64),
        score=1.0 / (1.0 + place),
        kept=kept,
        lost=pl.when(~kept).then(pl.lit("topk")),
        margin=pl.lit(None, dtype=pl.Float64),
    )
    return replace(found, frame=frame)


def _evidence(book: Book, lab: Lab, text: str, agent: str) -> frozenset[str]:
    question = book.asked(text, lab.now)
    return frozenset(book.row(agent, root) for root in book.evidence(question)) if question else frozenset()


def _resolved(book: Book, lab: Lab, name: str, called: list[str]) -> Resolved:
    key = book.key(name)
    aliases = tuple(one for one in dict.fromkeys(called) if ident(one) != ident(name))
    known = lab.memory.entity(key) is not None
    return Resolved(
        name=name,
        type=book.types.get(name, "concept"),
        key=key,
        how="exact" if known else "new",
        aliases=aliases,
    )


def _successor(book: Book, lab: Lab, agent: str, late: str) -> str | None:
    """The stored fact that stands where a fact ended that is told late: of its subject and slot, from the day it ended."""
    _, _, fact = book.facts[late]
    stored = [
        (one.valid_from != fact.valid_to, one.valid_from, row)
        for _, _, one in book.facts.values()
        if (one.subject, one.slot) == (fact.subject, fact.slot) and one.decision in ("ADD", "UPDATE") and one.id != late
        for row in [book.row(agent, one.id)]
        if fact.valid_to is not None and one.valid_from >= fact.valid_to and lab.memory.fact(row) is not None
    ]
    return min(stored)[2] if stored else None
