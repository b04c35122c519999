"""Stage 5: one number from the voices. ``fuse`` adds up ranks, ``fuse_scores`` adds up scores; both by intent if wanted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from arandu_lab.pipeline import Frozen, Lab, stage
from arandu_lab.pure.fusion import by_max, ranks, reciprocal_rank_fusion
from arandu_lab.pure.intents import VOICES, Intent, Voice, weights
from arandu_lab.read.table import Table, texts
from arandu_lab.units import Factor
from arandu_lab.workspace.search.found import Ranking, Spoken, Voices
from arandu_lab.workspace.search.library import Floats

Weighing = Mapping[Intent, Mapping[Voice, Factor]]
"""Intent -> voice -> weight: changes to the table of ``pure/intents``."""

UNCHANGED: Weighing = Frozen()


@stage
def fuse(
    voices: Voices, lab: Lab, *, rrf_k: Factor = 60.0, by_intent: bool = True, intent_weights: Weighing = UNCHANGED
) -> Ranking:
    """Reciprocal rank fusion: ``weight / (rrf_k + rank)`` over the voices, divided by its ceiling, so that 1 is first in all.

    Weights are those of the intent, or with ``by_intent`` off the same for all. A silent voice takes no part.
    """
    heard, shares = _heard(voices, by_intent, intent_weights)
    if not heard:
        return _ranking(voices, np.full(len(voices.asked.library), np.nan))
    place = voices.asked.library.place
    total = reciprocal_rank_fusion([_nominated(one) for one in heard], k=rrf_k, weights=shares, tie=place)
    ceiling = math.fsum(shares) / (rrf_k + 1.0)
    return _ranking(voices, total / ceiling if ceiling > 0.0 else total)


@stage
def fuse_scores(voices: Voices, lab: Lab, *, by_intent: bool = True, intent_weights: Weighing = UNCHANGED) -> Ranking:
    """The weighted mean of the scores themselves, each voice divided by its greatest; what a voice cannot tell counts 0."""
    heard, shares = _heard(voices, by_intent, intent_weights)
    size = len(voices.asked.library)
    if not heard:
        return _ranking(voices, np.full(size, np.nan))
    candidates = np.any([one.named for one in heard], axis=0)
    told = [np.nan_to_num(by_max(np.where(candidates, one.scores, np.nan)), nan=0.0) for one in heard]
    parts = np.sort(np.asarray(shares)[:, None] * np.stack(told), axis=0)
    whole = math.fsum(shares)
    total = parts.sum(axis=0) / whole if whole > 0.0 else np.zeros(size)
    return _ranking(voices, np.where(candidates, total, np.nan))


def _heard(voices: Voices, by_intent: bool, changes: Weighing) -> tuple[list[Spoken], list[float]]:
    """The voices that spoke, and what each weighs."""
    told: dict[str, Mapping[str, float]] = {intent: dict(row.items()) for intent, row in changes.items()}
    table = weights(voices.asked.intent, told)
    heard = [one for one in voices.spoken.values() if not one.why_silent]
    return heard, [table[one.voice] if by_intent else 1.0 for one in heard]


def _nominated(one: Spoken) -> Floats:
    return np.where(one.named, one.scores, np.nan)


def _ranking(voices: Voices, fused: Floats) -> Ranking:
    """The table of candidates: every fact that some voice nominated, with every score that is known of it."""
    library = voices.asked.library
    rows = np.flatnonzero(~np.isnan(fused))
    facts = [library.facts[place] for place in rows.tolist()]
    columns: dict[str, Any] = {
        "fact_id": texts(fact.id for fact in facts),
        "position": rows,
        "domain": texts(fact.domain_key for fact in facts),
        "topic": texts(fact.topic for fact in facts),
        "said_at": library.said[rows].astype("datetime64[us]"),
    }
    unknown = np.full(len(library), np.nan)
    for voice in VOICES:
        one = voices.spoken.get(voice)
        columns[voice] = (unknown if one is None else one.scores)[rows]
        columns[f"{voice}_rank"] = (unknown if one is None else ranks(_nominated(one), tie=library.place))[rows]
    columns["fused"] = fused[rows]
    return Ranking(asked=voices.asked, silent=voices.silent, frame=Table(columns))
