"""Stage 2c of reading: one row per fact that any signal nominates, every signal in every row, one formula score."""

from __future__ import annotations

from arandu_lab.config import Weights
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.read.found import NO_TURNS, Candidates, Voice, Weighing, in_order
from arandu_lab.read.rows import LEFT_OUT, rows, signals
from arandu_lab.units import Days, Share


@stage
def merge(
    voices: tuple[Voice, ...],
    lab: Lab,
    *,
    score_weights: Weights,
    recency_half_life_days: Days,
    pattern_boost_max: Share,
) -> Candidates:
    """Union by position; then a fact found by one signal gets its score from all of them, on one scale.

    The order is total (score, time, id), so neither the order of the voices nor that of insertion ever shows.
    """
    plan = voices[0].plan
    weighing = Weighing(
        score_weights={str(name): weight for name, weight in score_weights.items()},
        recency_half_life_days=recency_half_life_days,
        pattern_boost_max=pattern_boost_max,
    )
    heard = {voice.name: voice.scores for voice in voices if voice.heard}
    positions = scoring.distinct([voice.positions for voice in voices], len(plan.open))
    table = rows(positions, signals(positions, plan, heard, weighing, lab), lab)
    sources = {"deterministic": list(plan.deterministic), "expansion": list(plan.expansion)}
    lab.log(entities_sources=sources, candidates=len(positions))
    return Candidates(
        plan=plan,
        voices=heard,
        vector=next((voice.vector for voice in voices if voice.vector is not None), None),
        weighing=weighing,
        frame=in_order(table, "formula"),
        events=NO_TURNS,
        left_out=LEFT_OUT if plan.historical else (),
    )
