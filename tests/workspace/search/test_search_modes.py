"""Three modes are three assemblies; a voice that cannot speak is silent and named (S5)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from arandu_lab.embed.scripted import DeadEmbedder
from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import REGISTRY
from arandu_lab.workspace.search import stages as _  # noqa: F401  (registers them)
from arandu_lab.workspace.search.preset import MODES, hybrid, searching


def ids(found: Any) -> list[str]:
    return [hit.fact.id for hit in found.hits]


def test_keyword_asks_no_embedder(ask: Any, fact: Any, embed: Any) -> None:
    """Keyword mode is words only: nothing is embedded, and what shares no word is not found."""
    found = ask("Friday deploy", [fact("a", "Deploys run on Fridays"), fact("b", "Lunch is at noon")], mode="keyword")
    assert ids(found) == ["a"]
    assert embed.asked == []
    assert found.silent == {}


def test_other_modes_embed_the_query_once(ask: Any, fact: Any, embed: Any) -> None:
    """One embedding a search, of the query as it was put."""
    for mode in ("semantic", "hybrid"):
        ask("Friday deploy", [fact("a", "Deploys run on Fridays")], mode=mode)
    assert embed.asked == ["Friday deploy"] * 2


def test_modes_are_values() -> None:
    """Each mode compares, hashes, and is rebuilt from what it prints."""
    names = REGISTRY.namespace()
    for make in MODES.values():
        assert eval(repr(make()), names) == make()
        assert hash(make()) == hash(make())
    assert len({repr(make()) for make in MODES.values()}) == 3


def test_silent_voices_are_named(ask: Any, fact: Any, tie: Any) -> None:
    """No vectors, no edges, nothing recent, no word in common: each is told, and the others answer."""
    old = fact("a", "Deploys run on Fridays", days=400, bare=True)
    found = ask("Friday deploy", [old])
    assert ids(found) == ["a"]
    assert set(found.silent) == {"semantic", "temporal", "graph"}
    assert found.silent["semantic"] == "no fact has a vector"
    assert found.unembedded == 1
    spoken = ask(
        "Friday deploy", [fact("a", "Deploys run on Fridays"), fact("b", "Lunch is at noon")], edges=[tie("a", "b")]
    )
    assert spoken.silent == {}
    assert set(ask("zzz", [fact("a", "Deploys run on Fridays", days=400, bare=True)]).silent) == {
        "lexical", "semantic", "temporal", "graph",
    }  # fmt: skip


def test_a_dead_embedder_is_stepped_around(ask: Any, fact: Any) -> None:
    """With an embedder that fails, and with none, the other voices answer and the semantic one is named."""
    facts = [fact("a", "Deploys run on Fridays"), fact("b", "Lunch is at noon")]
    for embedder in (DeadEmbedder(after=0), None):
        found = ask("Friday deploy", facts, embedder=embedder)
        assert ids(found)[0] == "a"
        assert found.silent["semantic"] == "no embedder answered"


def test_an_embedder_of_another_size_is_told(ask: Any, fact: Any) -> None:
    """Vectors of another model are not compared; the voice says why."""
    small = fact("a", "Deploys run on Fridays", bare=True)
    import dataclasses

    import numpy as np

    found = ask("Friday deploy", [dataclasses.replace(small, vector=np.ones(3, dtype=np.float32) / np.sqrt(3))])
    assert found.silent["semantic"].startswith("another embedder")


def test_ablations_take_one_voice(ask: Any, fact: Any, tie: Any) -> None:
    """A voice taken out has no scores and is not called silent; its stage's name and its own name do the same."""
    facts = [fact("a", "Deploys run on Fridays"), fact("b", "Lunch is at noon")]
    for voice, stage in (
        ("lexical", "wording"),
        ("semantic", "meaning"),
        ("temporal", "recent"),
        ("graph", "episodic"),
    ):
        assert searching(without=(voice,)) == searching(without=(stage,))
        found = ask("Friday deploy", facts, edges=[tie("a", "b")], without=(voice,))
        assert found.frame[voice].null_count() == len(found.frame)
        assert voice not in found.silent
        assert ids(found)[0] == "a"
    assert hybrid().without("recent") == searching(without=("temporal",))


def test_the_graph_finds_what_shares_no_word(ask: Any, fact: Any, tie: Any) -> None:
    """Two hops from the best seed lies a fact that no other voice names; three hops are too far."""
    chain = [
        fact("a", "Billing talks to the queue", days=300),
        *(
            fact(key, text, days=300, bare=True)
            for key, text in (("b", "Uses AMQP"), ("c", "Ana owns that"), ("d", "Far off"))
        ),
    ]
    edges = [tie("a", "b"), tie("b", "c"), tie("c", "d")]
    found = ask("billing queue", chain, edges=edges)
    assert ids(found) == ["a", "b", "c"]
    assert ids(ask("billing queue", chain, edges=edges, without=("graph",))) == ["a"]


def test_a_named_period_is_heard(ask: Any, fact: Any) -> None:
    """ "last week", "em 2024": facts of that time are the temporal voice, in English and Portuguese."""
    facts = [
        fact("new", "Alpha", days=0.2, bare=True),
        fact("week", "Beta", days=4, bare=True),
        fact("year", "Gamma", days=600, bare=True),
    ]
    assert ids(ask("what did we decide last week?", facts)) == ["week"]
    assert ids(ask("o que decidimos em 2024?", facts)) == ["year"]
    assert ids(ask("what is the latest?", facts)) == ["new", "week"]


def test_unknown_names_are_refused(ask: Any, fact: Any) -> None:
    """Modes, voices, settings and values that there are not come back with the nearest that there are."""
    with pytest.raises(ConfigError, match="hybrid"):
        searching("hibrid")
    with pytest.raises(ConfigError, match="temporal"):
        searching(without=("temporall",))
    with pytest.raises(ConfigError, match="recent_days"):
        ask("x", [fact("a", "x")], recent_day=3.0)
    with pytest.raises(ConfigError, match="mmr_lambda"):
        ask("x", [fact("a", "x")], mmr_lambda=1.5)
    with pytest.raises(ConfigError, match="memory type"):
        ask("x", [fact("a", "x", memory_type="rumour")])
    for query, limit in (("", 5), (" \n", 5), ("x", 0), ("x", True)):
        with pytest.raises(ConfigError):
            ask(query, [fact("a", "x")], limit=limit)


def test_what_came_later_does_not_show(ask: Any, fact: Any) -> None:
    """A search at an earlier moment finds no later fact, and what was replaced later still stands then."""
    old = fact(
        "old", "The API limit is 100", days=50, superseded_by="new", superseded_at=fact("x", "x", days=10).valid_from
    )
    new = fact("new", "The API limit is 250", days=10)
    assert ids(ask("API limit", [old, new])) == ["new"]
    assert ids(ask("API limit", [old, new], now=new.valid_from - timedelta(days=5))) == ["old"]
