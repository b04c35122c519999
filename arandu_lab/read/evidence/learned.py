"""From columns to the turns that are quoted: a learned blend scores every open turn, the best are the evidence."""

from __future__ import annotations

import numpy as np

from arandu_lab.blends.blend import Blend
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.ranking import masses, spaced
from arandu_lab.read.evidence.asked import marks_of
from arandu_lab.read.evidence.columns import columns_of, open_of
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.read.table import Table, texts
from arandu_lab.units import Count, Factor


@stage
def learned(
    found: Candidates,
    lab: Lab,
    *,
    topk_events: Count,
    event_window: Count,
    blend: str = "default",
    turn_spacing: Factor = 0.0,
) -> Candidates:
    """Score every open turn with a blend (a shipped name or a file) and quote the best ``topk_events``.

    A score says how much likelier a turn is to be evidence than one drawn at random: with ``p`` its share of all evidence
    (softmax of the blend) among ``n`` open turns, ``p n / (1 + p n)``; .5 is chance. So scores of two questions compare.

    ``turn_spacing`` chooses a set: each turn chosen lowers the blend's score of those next to it by so much, so that what the
    first ones do not cover comes earlier (:func:`arandu_lab.pure.ranking.spaced`).

    Raises:
        ConfigError: the blend was trained on other columns or another embedder than this pipeline has.
    """
    mask = open_of(found, lab)
    columns = columns_of(found)
    if not mask.any():
        lab.log(events=0)
        return found
    trained = Blend.load(blend)
    trained.check(columns, lab.embed.name)
    marks = marks_of(found, lab) if trained.several is not None else None
    spans = reel_of(lab.memory).spans
    score = against_chance(masses(spaced(trained.score(columns, mask, marks), spans.number, turn_spacing)))
    evidence = found.evidence.with_columns(turn_score=score)
    events = lab.memory.events
    best = scoring.best(np.flatnonzero(mask), score, topk_events, times=events.occurred_at, ids=events.ids)
    chosen = dict.fromkeys(best.tolist(), True)
    for place in best.tolist() if event_window else ():
        low, high = max(place - event_window, spans.start[place]), min(place + event_window + 1, spans.stop[place])
        for other in range(low, high):
            if mask[other]:
                chosen.setdefault(other, False)
    lab.log(event_hits=int(mask.sum()), events=len(chosen))
    return found.having(turns=_turns(chosen, evidence, lab), evidence=evidence)


def against_chance(shares: Floats) -> Floats:
    """``p n / (1 + p n)`` for shares ``p`` of ``n`` rows (those above 0): .5 for a row no likelier than any other.

    >>> against_chance(np.array([0.25, 0.25, 0.25, 0.25])).tolist(), against_chance(np.array([1.0, 0.0])).tolist()
    ([0.5, 0.5, 0.5, 0.5], [0.5, 0.0])
    """
    odds = shares * int((shares > 0.0).sum())
    return np.asarray(np.round(odds / (1.0 + odds), 9))


def _turns(chosen: dict[int, bool], evidence: Table, lab: Lab) -> Table:
    """The quoted turns with their columns; ``keyword`` is ``bm`` over the best one's."""
    events = lab.memory.events
    places = np.asarray(list(chosen), dtype=np.int64)
    size = len(events.ids)
    words = evidence.get("bm", np.zeros(size))
    meaning = evidence.get("d_text", np.full(size, np.nan))
    with np.errstate(invalid="ignore"):
        semantic = np.clip(np.asarray(lab.embed.scale(meaning[places]), dtype=np.float64), 0.0, 1.0)
    return Table(
        {
            "event_id": texts([events.ids[place] for place in chosen]),
            "position": places,
            "occurred_at": events.occurred_at[places].view("datetime64[us]"),
            "semantic": semantic,
            "keyword": words[places] / max(float(words.max(initial=0.0)), 1e-9),
            "score": evidence["turn_score"][places],
            "hit": np.asarray(list(chosen.values()), dtype=np.bool_),
            **{name: evidence[name][places] for name in evidence.names if name not in ("open", "turn_score")},
        }
    )
