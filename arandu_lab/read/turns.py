"""Stage 2d of reading: the turns that match the question, whether or not any fact does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.text import names_in, normal
from arandu_lab.read.found import Candidates, Floats, Scoped
from arandu_lab.read.table import Table, texts
from arandu_lab.read.terms import matches, query_words
from arandu_lab.records import Event
from arandu_lab.units import Cosine, Count, Share


@stage
def turns(
    found: Candidates,
    lab: Lab,
    *,
    topk_events: Count,
    event_window: Count,
    min_similarity: Cosine,
    keyword_max_words: Count,
    keyword_method: Literal["fraction", "bm25"],
    event_keyword_weight: Share = 0.30,
) -> Candidates:
    """Find turns near in meaning or sharing words: the best ``topk_events``, and ``event_window`` turns around each.

    Their score is ``(1 - w) * semantic + w * keyword``, or ``keyword`` alone where vectors cannot tell.
    """
    plan, column = found.plan, lab.memory.events
    if not topk_events or not plan.turns.any():
        return found
    words = query_words(plan, keyword_max_words)
    keyword = matches(words, column, plan.turns, keyword_method)
    semantic = np.full(len(plan.turns), np.nan)
    if found.vector is not None:
        semantic = scoring.cosines(column.matrix, found.vector, lab.embed.scale)
    known = ~np.isnan(semantic)
    scores = np.where(known, (1.0 - event_keyword_weight) * semantic + event_keyword_weight * keyword, keyword)
    near = np.zeros(len(known), dtype=np.bool_)
    near[known] = semantic[known] >= min_similarity
    hits = np.flatnonzero(plan.turns & (near | (keyword > 0.0)))
    narrow = plan.query.known_at is not None or plan.query.entity_keys is not None
    limit = len(hits) if narrow else topk_events
    ranked = scoring.best(hits, scores, limit, times=column.occurred_at, ids=column.ids)
    chosen: dict[int, bool] = {}
    for place in allowed(ranked.tolist(), plan, lab):
        if sum(chosen.values()) == topk_events:
            break
        chosen[place] = True
    for place in list(chosen):
        around = range(max(0, place - event_window), min(len(scores), place + event_window + 1))
        for other in allowed([other for other in around if other not in chosen], plan, lab):
            if plan.turns[other] and lab.memory.event_at(other).session_id == lab.memory.event_at(place).session_id:
                chosen[other] = False
    lab.log(event_hits=len(hits), events=len(chosen))
    return replace(found, **{**found.parts(), "events": _table(chosen, semantic, keyword, scores, lab)})


def allowed(places: list[int], plan: Scoped, lab: Lab) -> Iterator[int]:
    """The turns that were known at ``known_at`` and speak of an entity asked for, where the question says so."""
    known_at, keys = plan.query.known_at, plan.query.entity_keys
    if known_at is None and keys is None:
        yield from places
        return
    sources: set[str] = set()
    spoken: dict[str, str] = {}
    for key in keys or ():
        sources.update(lab.memory.fact_at(place).source_event_id for place in lab.memory.linked(key).tolist())
        entity = lab.memory.entity(key)
        spoken.update({normal(entity.name): key} if entity else {})
        spoken.update({name: key for name, owners in lab.memory.aliases().items() if key in owners})
    for place in places:
        event: Event = lab.memory.event_at(place)
        if known_at is not None and event.recorded_at > known_at:
            continue
        if keys is None or event.id in sources or names_in(event.text, spoken):
            yield place


def _table(chosen: dict[int, bool], semantic: Floats, keyword: Floats, scores: Floats, lab: Lab) -> Table:
    column = lab.memory.events
    places = np.asarray(list(chosen), dtype=np.int64)
    return Table(
        {
            "event_id": texts([column.ids[place] for place in chosen]),
            "position": places,
            "occurred_at": column.occurred_at[places].view("datetime64[us]"),
            "semantic": semantic[places],
            "keyword": keyword[places],
            "score": scores[places],
            "hit": np.asarray(list(chosen.values()), dtype=np.bool_),
        }
    )
