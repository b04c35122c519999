"""Asking and deciding: the judge asks, blend and cut decide, and every loss is written down."""

from __future__ import annotations

import pytest

from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.read.found import kept, losses
from arandu_lab.read.preset import reading

TEXTS = {"alpha": 0.9, "beta": 0.8, "gamma": 0.6, "delta": 0.5}
WEIGHTS = {"semantic": 1.0}


def _four(world, told):
    w = world()
    w.embed = told("what?", TEXTS)
    for i, text in enumerate(TEXTS):
        w.fact(text, "person:a", days=i)
    return w


def column(found, name):
    return dict(zip(found.frame["fact_id"].to_list(), found.frame[name].to_list(), strict=True))


async def test_one_batched_question(world, told):
    """The pool goes to the model in one question, by index, with dates, in order of time; ids are not shown (R18)."""
    w = _four(world, told)
    w.model = Scripted([{"grades": []}])
    _, trace = await w.ask("what?")
    assert len(w.model.calls) == 1
    inputs = w.model.calls[0].inputs
    assert inputs["query"] == "what?"
    assert inputs["asked_at"] == w.now.isoformat()
    assert inputs["facts"][0] == {"i": 0, "text": "delta", "since": "2026-03-27"}
    assert [fact["text"] for fact in inputs["facts"]] == ["delta", "gamma", "beta", "alpha"]
    assert trace.find("judge").data["judged"] == 4
    assert trace.find("judge").usage.calls == 1


async def test_unknown_index_and_missing_grade(world, told):
    """A grade for nobody is ignored and counted; a fact without a grade is ungraded, keeps its score, not 0."""
    w = _four(world, told)
    w.model = Scripted([{"grades": [{"i": 3, "grade": 0.5}, {"i": 17, "grade": 1.0}, {"i": -1, "grade": 0.0}]}])
    found, trace = await w.ask("what?", score_weights=WEIGHTS)
    said = trace.find("judge").data
    assert (said["grades_unknown"], said["grades_missing"]) == (2, 3)
    assert column(found, "reranker") == {"f000": 0.5, "f001": None, "f002": None, "f003": None}
    assert column(found, "score")["f001"] == column(found, "formula")["f001"]
    assert column(found, "score")["f000"] == pytest.approx(0.9 * 0.65, abs=1e-5)


async def test_pool_is_a_multiple_of_topk(world, told):
    """Twice topk_facts are graded; who was never shown is lost to the pool and cannot overtake the graded."""
    w = _four(world, told)
    w.grades = {"alpha": 0.2, "beta": 0.2}
    found, trace = await w.ask("what?", topk_facts=1, score_weights=WEIGHTS)
    assert trace.find("judge").data["judged"] == 2
    assert column(found, "pooled") == {"f000": True, "f001": True, "f002": False, "f003": False}
    assert column(found, "lost")["f002"] == "pool"
    assert column(found, "margin")["f003"] == pytest.approx(0.5 - 0.8, abs=1e-5)
    assert [fact.fact_id for fact in kept(found)] == ["f000"]


@pytest.mark.parametrize("kind", ["timeout", "malformed", "unavailable", "empty", "refused", "rate_limit"])
async def test_failing_judge_preserves_the_order(world, told, kind):
    """A judge that fails leaves the formula order, with null grades, and its name in the trace."""
    w = _four(world, told)
    w.model = Scripted(by_task={"judge": fail(kind)})
    found, trace = await w.ask("what?", reranker_timeout_sec=0.3, score_weights=WEIGHTS)
    plain, _ = await w.ask("what?", pipeline=reading(enable_reranker=False), score_weights=WEIGHTS)
    assert trace.degraded == ("judge",)
    assert found.frame["reranker"].null_count() == 4
    assert found.frame.equals(plain.frame)


async def test_slow_judge_is_cancelled(world, told):
    """The deadline is enforced: a slow model costs no more than reranker_timeout_sec."""
    w = _four(world, told)
    w.model = Scripted(by_task={"judge": {"grades": []}}, delay=5.0)
    _, trace = await w.ask("what?", reranker_timeout_sec=0.1)
    assert [(failure.stage, failure.kind) for failure in trace.failures] == [("judge", "timeout")]
    assert trace.find("judge").duration_ms < 2000


async def test_a_single_candidate_is_judged(world, told):
    """One candidate is judged like many (R9)."""
    w = world()
    w.embed = told("what?", {"alpha": 0.9})
    w.fact("alpha", "person:a")
    w.grades = {"alpha": 0.0}
    found, _ = await w.ask("what?")
    assert column(found, "lost") == {"f000": "vetoed"}
    assert column(found, "margin") == {"f000": pytest.approx(-0.1)}


async def test_without_the_reranker_the_veto_has_no_effect(world, told):
    """``min_reranker_score`` does nothing when nobody grades."""
    w = _four(world, told)
    plain = reading(enable_reranker=False)
    one, _ = await w.ask("what?", pipeline=plain, min_reranker_score=1.0)
    two, _ = await w.ask("what?", pipeline=plain, min_reranker_score=0.0)
    assert one.frame["score"].to_list() == two.frame["score"].to_list()
    assert one.context == two.context


async def test_each_loss_has_its_reason_and_margin(world, told):
    """Vetoed, too low, too many, no room: each fact says which, and by how much (N1)."""
    w = world()
    cosines = {"kept": 0.9, "wordy " + "x" * 900: 0.8, "third": 0.7, "low": 0.5, "veto": 0.85}
    w.embed = told("what?", cosines)
    ids = {text[:5].strip(): w.fact(text, "person:a") for text in cosines}
    w.grades = {"low": 0.1, "veto": 0.04}
    found, trace = await w.ask(
        "what?", score_weights=WEIGHTS, topk_facts=2, reranker_pool_factor=3, min_score=0.2, context_max_tokens=100
    )
    lost = {row["fact_id"]: (row["lost"], row["margin"]) for row in losses(found).iter_rows(named=True)}
    assert set(lost) == set(ids.values()) - {ids["kept"]}
    assert lost[ids["veto"]] == ("vetoed", pytest.approx(-0.06))
    assert lost[ids["low"]] == ("min_score", pytest.approx(0.5 * 0.37 - 0.2, abs=1e-5))
    assert lost[ids["third"]] == ("topk", pytest.approx(0.7 - 0.8, abs=1e-5))
    assert lost[ids["wordy"]][0] == "budget"
    assert trace.find("blend").data["vetoed"] == {ids["veto"]: pytest.approx(-0.06)}
    assert trace.find("cut").data["lost_topk"] == 1


async def test_nothing_is_overwritten(world, told):
    """Each stage adds columns and changes none: the signals of merge are still there after render."""
    w = _four(world, told)
    found, _ = await w.ask("what?")
    assert found.frame.columns == [
        "fact_id", "position", "entity_key", "occurred_at", "semantic", "keyword", "graph", "spread", "recency",
        "importance", "confidence", "confidence_raw", "pattern", "formula", "pooled", "reranker", "score",
        "veto_margin", "kept", "lost", "margin", "tier",
    ]  # fmt: skip
    weights = found.weighing.score_weights
    for row in found.frame.iter_rows(named=True):
        assert row["formula"] == pytest.approx(sum(weights[n] * row[n] for n in weights) + row["pattern"])


async def test_kept_facts_carry_their_scores(world, told):
    """``scores`` holds the documented keys; a grade that was not given is left out rather than zero."""
    w = _four(world, told)
    w.model = Scripted([{"grades": [{"i": 3, "grade": 1.0}]}])
    found, _ = await w.ask("what?")
    first, second = kept(found)[:2]
    assert set(first.scores) >= {"semantic", "keyword", "recency", "importance", "confidence", "pattern", "graph"}
    assert first.scores["reranker"] == 1.0
    assert "reranker" not in second.scores
    assert first.score >= second.score


async def test_threshold_on_paper(world, told):
    """A score equal to min_score up to rounding is kept: .5 * .3 is .15."""
    w = world()
    w.embed = told("what?", {"half": 0.5})
    w.fact("half", "person:a")
    w.grades = {"half": 0.0}
    found, _ = await w.ask("what?", score_weights=WEIGHTS, min_reranker_score=0.0)
    assert found.frame["kept"].to_list() == [True]
