"""Stage 9: the hits as an agent sees them: repository first, with what contradicts them and where they come from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.disagreement import elsewhere
from arandu_lab.pure.fusion import top
from arandu_lab.pure.intents import VOICES
from arandu_lab.pure.steering import set_apart
from arandu_lab.pure.text import normal
from arandu_lab.read.table import Table
from arandu_lab.workspace.search.found import Asked, Disputed, Hit, Presented, Ranking, worth

SHOWN = (*VOICES, "fused", "decay", "score", "mmr")
"""The columns that a hit shows as its scores, where there is something in them."""


@stage
def present(ranking: Ranking, lab: Lab) -> Presented:
    """Show the best up to the limit: those of the repository asked for first, else by rank, score, last said, id.

    What of that repository contradicts a hit is listed though it would not be within the limit (S3); the last of the
    others gives way. Disagreement with facts of other scopes is marked on both sides; nobody sees a domain by it that
    the role may not see.
    """
    table, asked = ranking.table, ranking.asked
    library, request = asked.library, asked.request
    order = _order(ranking)[: request.limit].tolist()
    row_of = {place: row for row, place in enumerate(table["position"].tolist())}
    shown = [int(table["position"][row]) for row in order]
    disputes = {place: _disputes(asked, place) for place in shown}
    corrections = {
        other: None
        for place in shown
        for other in disputes[place]
        if request.repo is not None and library.facts[other].repo == request.repo and other not in shown
    }
    for other in list(corrections)[: max(0, request.limit - 1)]:
        disputes[other] = _disputes(asked, other)
        if len(shown) >= request.limit:
            away = [place for place in shown if library.facts[place].repo != request.repo]
            shown.remove(last := (away or shown)[-1])
            del disputes[last]
        shown.insert(0, other)
    shown.sort(key=lambda place: request.repo is None or library.facts[place].repo != request.repo)
    hits = []
    for rank, place in enumerate(shown, 1):
        fact = library.facts[place]
        row = row_of.get(place)
        hits.append(
            Hit(
                fact=fact,
                rank=rank,
                score=0.0 if row is None else float(worth(table)[row]),
                scores={} if row is None else _scores(table, row),
                home=request.repo is not None and fact.repo == request.repo,
                disputed_by=tuple(disputes[place].values()),
                sources=tuple(
                    library.observed[each] for each in fact.source_observation_ids if each in library.observed
                ),
                set_apart=set_apart(fact),
            )
        )
    placed = np.full(len(table), np.nan)
    for hit, place in zip(hits, shown, strict=True):
        if place in row_of:
            placed[row_of[place]] = hit.rank
    dim = library.matrix.shape[1]
    bare = asked.open & ~library.matrix.any(axis=1) if dim else asked.open
    lab.log(shown=len(hits), silent=sorted(ranking.silent))
    return Presented(
        asked=asked,
        silent=ranking.silent,
        frame=table.with_columns(rank=placed),
        hits=tuple(hits),
        unembedded=int(bare.sum()),
    )


def _order(ranking: Ranking) -> NDArray[np.intp]:
    """Rows best first: by the choice of ``diversify`` where it chose, then by score, last said, and id."""
    table = ranking.table
    place = ranking.asked.library.place[table["position"]]
    by_score = top(worth(table), tie=place)
    if "mmr_rank" not in table:
        return by_score
    chosen = table["mmr_rank"][by_score]
    return by_score[np.argsort(np.where(np.isnan(chosen), np.inf, chosen), kind="stable")]


def _scores(table: Table, row: int) -> dict[str, float]:
    held = {name: float(table[name][row]) for name in SHOWN if name in table}
    return {name: value for name, value in held.items() if value == value}


def _disputes(asked: Asked, place: int) -> Mapping[int, Disputed]:
    """The open facts of the same domain and topic in another scope that contradict a fact, by position."""
    library = asked.library
    fact = library.facts[place]
    near = [
        library.facts[other]
        for other in library.subjects[(fact.domain, normal(fact.topic))]
        if asked.open[other] and library.facts[other].repo != fact.repo
    ]
    return {
        library.positions[other.id]: Disputed(
            fact_id=other.id, domain=other.domain_key, content=other.content, why=found.why
        )
        for other, found in elsewhere(fact, near, library.now)
    }
