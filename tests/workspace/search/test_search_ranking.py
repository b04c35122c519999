"""Laws of the ranking: order never shows, one half at the half-life, MMR with lambda 1 is the ranking."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import together
from arandu_lab.pipeline.lab import Lab
from arandu_lab.pipeline.node import Run
from arandu_lab.pure.intents import VOICES
from arandu_lab.pure.memory_types import DECAYS
from arandu_lab.trace import Span
from arandu_lab.workspace.search.found import Asked, Request, Spoken
from arandu_lab.workspace.search.library import Library
from arandu_lab.workspace.search.stages import (
    classify,
    fuse,
    fuse_scores,
    gather,
    meaning,
    present,
    recent,
    unheard,
    wording,
)

TOLD = [
    "Deploys run on Fridays", "Deploys never run on Fridays", "Billing uses Postgres", "A cobrança usa Postgres",
    "Lunch is at noon", "Ana reviews deploys", "Os testes rodam na sexta", "The API limit is 100", "Friday is a holiday",
]  # fmt: skip


def ids(found: Any) -> list[str]:
    return [hit.fact.id for hit in found.hits]


def told(fact: Any) -> list[Any]:
    kinds = sorted(DECAYS)
    return [fact(f"f{n}", text, days=3.0 * n + 0.5, memory_type=kinds[n % len(kinds)]) for n, text in enumerate(TOLD)]


def edges(tie: Any) -> list[Any]:
    return [tie(f"f{n}", f"f{(n * 4 + 1) % 9}", 0.5 + n / 20) for n in range(8)]


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
@pytest.mark.parametrize("query", ["When do deploys run?", "quando rodam os testes?", "tell me about Postgres"])
def test_order_of_arrival_never_shows(ask: Any, fact: Any, tie: Any, mode: str, query: str) -> None:
    """Facts and edges in any order, or twice: the same hits with the same scores, to the last bit."""
    facts, ties = told(fact), edges(tie)
    first = ask(query, facts, edges=ties, mode=mode)
    for seed in range(3):
        random.Random(seed).shuffle(facts)
        random.Random(seed).shuffle(ties)
        again = ask(query, [*facts, facts[0]], edges=ties, mode=mode)
        assert again.frame.equals(first.frame)
        assert again.hits == first.hits


def test_order_of_voices_never_shows(ask: Any, fact: Any) -> None:
    """Voices side by side in another order give the same table."""
    parts = (wording(), meaning().otherwise(unheard()), recent())
    tables = []
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        pipeline = classify() >> together(*(parts[n] for n in order)) >> gather() >> fuse() >> present()
        tables.append(ask("Friday deploys", told(fact), pipeline=pipeline).frame)
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])


@given(
    st.lists(
        st.lists(st.one_of(st.just(float("nan")), st.floats(0, 1)), min_size=6, max_size=6), min_size=4, max_size=4
    ),
    st.permutations(range(4)),
    st.sampled_from(["What did we decide?", "why does it depend on search?", "last week", "tell me about it"]),
    st.sampled_from([fuse, fuse_scores]),
)
def test_fusion_ignores_the_order_of_voices(
    fact: Any, scores: list[list[float]], order: list[int], query: str, stage: Any
) -> None:
    """Any voices in any order: the same sum to the last bit; at most 1; better in every voice is never worse."""
    library = Library(
        now=fact("x", "x").recorded_at, facts=tuple(fact(f"f{n}", f"text {n}", bare=True) for n in range(6))
    )
    every = np.ones(6, dtype=np.bool_)
    lab = Lab(llm=None, embed=None, memory=None, now=library.now, log=Span("t"))  # type: ignore[arg-type]
    asked = asyncio.run(classify(timezone="UTC").run(Request(query=query, library=library), Run(lab, {}, Span("t"))))
    asked = Asked(request=asked.request, intent=asked.intent, cue=asked.cue, open=every, walked=every)
    spoken = [
        Spoken(asked=asked, voice=voice, scores=np.array(given), named=~np.isnan(given))
        for voice, given in zip(VOICES, scores, strict=True)
    ]

    def fused(parts: list[Spoken]) -> Any:
        nodes = gather() >> stage()
        return asyncio.run(nodes.run(tuple(parts), Run(lab, {}, Span("t")))).table

    one, other = fused(spoken), fused([spoken[n] for n in order])
    assert one == other
    assert len(one) == int((~np.isnan(np.array(scores))).any(axis=0).sum())
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in one["fused"])
    values = dict(zip(one["position"].tolist(), one["fused"].tolist(), strict=True))
    told = np.array(scores)
    for a in values:
        for b in values:
            if stage is fuse and (told[:, a] > told[:, b]).all():
                assert values[a] > values[b]


def test_one_half_at_the_half_life(ask: Any, fact: Any) -> None:
    """S1: for every memory type, whatever its shape, the search's decay is one half at the half-life."""
    for kind, curve in DECAYS.items():
        found = ask("Friday deploys", [fact("a", "Deploys run on Fridays", days=curve.half_life, memory_type=kind)])
        assert found.frame["decay"].to_list() == pytest.approx([0.5], abs=1e-12)
    changed = ask("deploys", [fact("a", "Deploys", days=7, memory_type="result")], memory_types={"result": (7.0, 3.0)})
    assert changed.frame["decay"].to_list() == pytest.approx([0.5], abs=1e-12)


def test_what_fades_falls_behind(ask: Any, fact: Any) -> None:
    """Of two facts of one wording the commitment of a month ago is behind the convention; without ``fade`` they tie by id."""
    facts = [
        fact("a", "Deploys on Friday", days=40, memory_type="commitment"),
        fact("b", "Deploys on Friday", days=40),
    ]
    assert ids(ask("Friday deploys", facts)) == ["b", "a"]
    assert ids(ask("Friday deploys", facts, without=("fade",))) == ["a", "b"]


@pytest.mark.parametrize("query", ["When do deploys run?", "o que sabemos sobre Postgres?", "Friday"])
def test_lambda_one_is_the_ranking(ask: Any, fact: Any, tie: Any, query: str) -> None:
    """MMR that counts relevance alone changes nothing."""
    facts, ties = told(fact), edges(tie)
    plain = ask(query, facts, edges=ties, without=("diversify",))
    assert ids(ask(query, facts, edges=ties, mmr_lambda=1.0)) == ids(plain)


@pytest.mark.parametrize("bare", [False, True])
def test_repetitions_do_not_eclipse(ask: Any, fact: Any, bare: bool) -> None:
    """Five repetitions of one fact and four others: with MMR the others come before the second repetition, vectors or not."""
    same = [fact(f"a{n}", "Deploys of billing run on Fridays", bare=bare) for n in range(5)]
    rest = [
        fact(f"b{n}", text, bare=bare)
        for n, text in enumerate(
            ["Deploys need Ana", "Deploys take an hour", "Deploys page the team", "Deploys wait for QA"]
        )
    ]
    assert ids(ask("when do billing deploys run?", [*same, *rest], limit=5))[0].startswith("a")
    spread = ids(ask("when do billing deploys run?", [*same, *rest], limit=5, mmr_lambda=0.5))
    assert sorted(key[0] for key in spread) == ["a", "b", "b", "b", "b"]
    assert {
        key[0] for key in ids(ask("when do billing deploys run?", [*same, *rest], limit=5, without=("diversify",)))
    } == {"a"}


def test_every_score_is_a_column_with_one_writer(ask: Any, fact: Any, tie: Any) -> None:
    """The frame holds what the ranking is made of, and the product can be made again from it."""
    frame = ask("When do deploys run?", told(fact), edges=edges(tie)).frame
    wanted = [
        *VOICES,
        *(f"{voice}_rank" for voice in VOICES),
        "fused",
        "decay",
        "faded",
        "home",
        "score",
        "mmr",
        "mmr_rank",
        "rank",
    ]
    assert set(wanted) <= set(frame.columns)
    assert (frame["fused"] * frame["decay"]).to_list() == frame["faded"].to_list() == frame["score"].to_list()
    for voice in VOICES:
        placed = sorted(frame[f"{voice}_rank"].drop_nulls().to_list())
        assert placed == [float(n) for n in range(1, len(placed) + 1)]


def test_weights_by_intent_can_be_changed(ask: Any, fact: Any, tie: Any) -> None:
    """A weight of 1 on one voice alone gives the order of that voice; a voice that there is not is refused."""
    only = {"factual": {"lexical": 1.0, "semantic": 0.0, "temporal": 0.0, "graph": 0.0}}
    found = ask("Friday deploys", told(fact), edges=edges(tie), intent_weights=only, without=("fade", "diversify"))
    ranks = [found.frame.filter(found.frame["fact_id"] == key)["lexical_rank"].item() for key in ids(found)]
    heard = [rank for rank in ranks if rank is not None]
    assert heard == sorted(heard)
    assert ranks[: len(heard)] == heard
    with pytest.raises(ConfigError, match="lexical"):
        ask("x", told(fact), intent_weights={"factual": {"lexicall": 1.0}})
