"""Policies of reinforcement: what each counts, what staleness hides, and what chance would have hidden."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

from arandu_lab import ConfigError
from arandu_lab.bench.decay import Reinforcement, access_log, reinforcement, synthetic_log
from arandu_lab.bench.decay.policies import NAMES, policy, replayed
from arandu_lab.pure.vitality import vitality
from arandu_lab.viz.decay import hidden_picture

START = datetime(2025, 1, 1, tzinfo=UTC)


def row(at: float, kind: str, rank: int | None = None, fact: str = "f", agent: str = "a") -> dict[str, Any]:
    moments = {"at": START + timedelta(days=at), "until": START + timedelta(days=365)}
    return {"agent": agent, "fact_id": fact, "kind": kind, "rank": rank, "confidence": 0.8, **moments}


def hidden(name: str, threshold: float, *rows: dict[str, Any]) -> float:
    """How many needs met a stale fact."""
    log = access_log(pl.DataFrame(rows, infer_schema_length=None))
    return float(replayed(log, policy(name), [threshold]).missed.sum())


@pytest.fixture(scope="module")
def found() -> Reinforcement:
    """Facts of which some are needed often, found with strangers beside them."""
    log = synthetic_log(agents=8, facts=20, unequal=1.2, strangers=7, seed=2)
    return reinforcement(log, thresholds=[round(0.03 * step, 2) for step in range(31)])


def test_vitality_decides_at_the_need() -> None:
    """A need is hidden exactly where vitality, reckoned by hand for its moment, lies below the threshold."""
    alive = float(vitality(1, 80.0, 0.8, 0, 0, False))
    rows = (row(0, "told"), row(20, "asked"), row(20, "retrieved", 1), row(100, "asked"), row(100, "retrieved", 1))
    assert hidden("context", alive - 1e-6, *rows) == 0
    assert hidden("context", alive + 1e-6, *rows) == 1
    untouched = float(vitality(0, 100.0, 0.8, 0, 0, False))
    assert untouched < alive - 0.05
    assert hidden("none", untouched + 1e-6, *rows) == 1


def test_ranks_that_count() -> None:
    """What is returned behind the context strengthens a fact under ``every`` and nowhere else."""
    rows = (row(0, "told"), row(60, "retrieved", 9), row(100, "asked"))
    between = float(vitality(0, 100.0, 0.8, 0, 0, False)) + 0.02
    assert hidden("every", between, *rows) == 0
    assert [hidden(name, between, *rows) for name in ("none", "context", "spaced", "recency")] == [1, 1, 1, 1]


def test_spaced_counts_once_a_week() -> None:
    """Five retrievals of one day are one to ``spaced``, five to ``context``."""
    rows = (row(0, "told"), *(row(10 + step / 100, "retrieved", 1) for step in range(5)), row(130, "asked"))
    between = (float(vitality(1, 120.0, 0.8, 0, 0, False)) + float(vitality(5, 120.0, 0.8, 0, 0, False))) / 2
    assert hidden("context", between, *rows) == 0
    assert hidden("spaced", between, *rows) == 1


def test_what_is_hidden_is_not_found() -> None:
    """A stale fact is strengthened by no retrieval, and comes back when it is told again."""
    stale = (row(0, "told"), row(200, "retrieved", 1), row(210, "asked"))
    assert hidden("context", 0.3, *stale) == 1
    again = (row(0, "told"), row(199, "told"), row(200, "retrieved", 1), row(210, "asked"))
    assert hidden("context", 0.3, *again) == 0


def test_a_sitting_is_no_need() -> None:
    """What is asked within a day of the telling says nothing of forgetting."""
    log = access_log(pl.DataFrame([row(0, "told"), row(0.2, "asked"), row(50, "asked")], infer_schema_length=None))
    assert replayed(log, policy("context"), [0.5]).needs.sum() == 1
    with pytest.raises(ConfigError, match="0 needs"):
        replayed(log.filter(pl.col("at") < START + timedelta(days=1)), policy("context"), [0.5])


def test_thresholds_at_once_are_thresholds_alone() -> None:
    """A replay at many thresholds is the replays at each."""
    log = synthetic_log(agents=3, facts=8, strangers=4, seed=6)
    cuts = [0.2, 0.3, 0.35, 0.5]
    for name in NAMES:
        whole = replayed(log, policy(name), cuts)
        alone = [replayed(log, policy(name), [cut]) for cut in cuts]
        for what in ("missed", "freed", "chance"):
            parts = np.concatenate([getattr(one, what) for one in alone], axis=1)
            assert np.allclose(getattr(whole, what), parts)


def test_ends_of_the_curve(found: Reinforcement) -> None:
    """At threshold 0 nothing is freed and nothing hidden; above the ceiling everything is; shares lie in 0 to 1."""
    for _, mine in found.curve.group_by("policy"):
        first, last = mine.sort("threshold").row(0, named=True), mine.sort("threshold").row(-1, named=True)
        assert (first["freed"], first["missed"], first["chance"]) == (0.0, 0.0, 0.0)
        assert last["freed"] > 0.9
        assert mine.select(pl.all_horizontal(pl.col("freed", "missed", "chance").is_between(0, 1)).all()).item()


def test_forgetting_by_chance_spares_nothing() -> None:
    """Where needs fall on facts whatever their past, vitality without reinforcement spares no more than chance."""
    found = reinforcement(synthetic_log(agents=20, facts=30, seed=9), policies=["none"])
    spared = found.table["spared"].to_numpy()
    assert np.abs(spared).max() < 0.03


def test_what_is_needed_often_is_kept(found: Reinforcement) -> None:
    """Where some facts are needed often, counting what entered the context hides far less than counting nothing."""
    none = found.table.filter(policy="none")
    assert (none["more_low"] > 0).all()
    usual = found.table.filter(policy="context")
    assert usual["more"].is_null().all()
    assert (usual["spared"] > 0).all()
    assert any(one.startswith("none at 25 %") for one in found.found)


def test_without_a_second_agent_nothing_is_known() -> None:
    """One agent and one subject: no interval, and the sentence says so."""
    found = reinforcement(synthetic_log(agents=1, facts=30, seed=1), policies=["context"], over="agent")
    assert found.table["low"].is_null().all()
    assert "nothing is known" in found.found[0]


def test_refusals() -> None:
    """An unknown policy and thresholds that fall are refused."""
    log = synthetic_log(agents=2, facts=5)
    with pytest.raises(ConfigError, match="did you mean 'spaced'"):
        reinforcement(log, policies=["spacd"])
    with pytest.raises(ConfigError, match="they rise"):
        reinforcement(log, thresholds=[0.3, 0.2])


def test_picture_holds_every_policy(found: Reinforcement) -> None:
    """Every policy has a line and a name; lines of the text fit a terminal."""
    spec = hidden_picture(found.curve).to_dict()
    drawn = [one for rows in spec["datasets"].values() for one in rows]
    assert set(NAMES) == {one["policy"] for one in drawn if "policy" in one}
    assert set(NAMES) <= {one.get("name") for one in drawn}
    assert max(len(line) for line in str(found).splitlines()) <= 131
