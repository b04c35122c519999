"""The stage ``mmr``: repetition waits, scores stay, and ``cut`` follows its order."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.read.preset import reading
from arandu_lab.read.stages import mmr

BARE = reading(enable_reranker=False)
WEIGHTS = {"semantic": 1.0}


def diverse(**pins):
    return BARE.before("cut", mmr(**pins))


def _three(world):
    """Two facts that say the same of a question, and one that says something else."""
    w = world({("q", "sails"): 0.9, ("q", "sails boats"): 0.8, ("q", "bakes"): 0.5, ("sails", "sails boats"): 0.95})
    for i, text in enumerate(("sails", "sails boats", "bakes")):
        w.fact(text, "person:a", days=i)
    return w


async def test_repetition_waits_behind_news(world, texts):
    """With room for two, the second is not the paraphrase of the first; without the stage it is."""
    w = _three(world)
    plain, _ = await w.ask("q", pipeline=BARE, score_weights=WEIGHTS, topk_facts=2)
    assert texts(w, plain) == ["sails", "sails boats"]
    found, trace = await w.ask("q", pipeline=diverse(mmr_lambda=0.5), score_weights=WEIGHTS, topk_facts=2)
    assert texts(w, found) == ["sails", "bakes"]
    assert found.frame["lost"].to_list() == [None, None, "topk"]
    assert found.frame["margin"][2] < 0.0
    assert found.frame["mmr_rank"].to_list() == [1.0, 2.0, 3.0]
    assert trace.find("mmr").data["mmr_moved"] == 2
    assert found.context.splitlines() == ["Known facts:", "- sails", "- bakes"]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cosines=st.lists(st.sampled_from([0.2, 0.4, 0.4, 0.7, 0.9]), min_size=1, max_size=7), most=st.integers(1, 5))
async def test_with_lambda_one_nothing_changes(world, told, cosines, most):
    """Lambda 1 gives the same rows, scores, losses, margins and context as no stage at all, ties included."""
    w = world()
    w.embed = told("q", {f"text {i}": cosine for i, cosine in enumerate(cosines)})
    for i in range(len(cosines)):
        w.fact(f"text {i}", "person:a", days=i % 2)
    one, _ = await w.ask("q", pipeline=diverse(mmr_lambda=1.0), score_weights=WEIGHTS, topk_facts=most)
    other, _ = await w.ask("q", pipeline=BARE, score_weights=WEIGHTS, topk_facts=most)
    assert one.frame.drop("mmr", "mmr_rank").equals(other.frame)
    assert one.context == other.context


async def test_the_lost_do_not_push_the_kept(world, texts):
    """A fact below ``min_score`` takes no part: it is null in both columns and nobody is like it."""
    w = _three(world)
    found, _ = await w.ask("q", pipeline=diverse(mmr_lambda=0.5), score_weights=WEIGHTS, min_score=0.6)
    assert texts(w, found) == ["sails", "sails boats"]
    assert found.frame["mmr"].to_list()[2] is None
    assert found.frame["lost"].to_list()[2] == "min_score"


async def test_behind_the_pool_the_order_of_scores_stands(world, texts):
    """What lies behind ``mmr_pool`` follows what was rearranged, and its margin is one of scores."""
    w = _three(world)
    found, _ = await w.ask("q", pipeline=diverse(mmr_lambda=0.5, mmr_pool=1), score_weights=WEIGHTS, topk_facts=2)
    assert texts(w, found) == ["sails", "sails boats"]
    assert found.frame["margin"][2] == pytest.approx(0.5 - 0.8, abs=1e-5)


async def test_without_vectors_nobody_is_alike(world, texts):
    """Facts that are not embedded keep the order of their scores, and an empty pool is no error."""
    w = world()

    class Dead:
        name, dim = "dead", 2

        async def __call__(self, given):
            return [None for _ in given]

        def scale(self, cosine):
            return cosine

    w.embed = Dead()
    w.fact("Ana sails", "person:ana", days=3)
    w.fact("Ana bakes", "person:ana", days=1)
    plain, _ = await w.ask("does Ana sail?", pipeline=BARE)
    found, _ = await w.ask("does Ana sail?", pipeline=diverse(mmr_lambda=0.2))
    assert texts(w, found) == texts(w, plain) != []
    nothing, _ = await w.ask("xyzzy", pipeline=diverse(), min_score=1.0)
    assert texts(w, nothing) == []
