"""Any text in any amount: two languages, empty libraries, hostile words, thousands of facts."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.workspace.search.library import Library


def ids(found: Any) -> list[str]:
    return [hit.fact.id for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("who reviews the migrations?", "en"), ("quem revisa as migrações?", "pt"), ("QUEM REVISA MIGRACOES", "pt"),
        ("reviewing migration", "en"), ("where is MAX_RETRIES set?", "id"), ("issue #512", "no"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
def test_both_languages(ask: Any, fact: Any, mode: str, query: str, wanted: str) -> None:
    """Other forms, cases and accents of a word find the fact, in English and in Portuguese; identifiers stay whole."""
    facts = [
        fact("en", "Ana reviews every migration of the schema"),
        fact("pt", "O Bruno revisa todas as migrações do banco"),
        fact("id", "MAX_RETRIES lives in settings.py"),
        fact("no", "Issue #512 is about the queue"),
    ]
    assert ids(ask(query, facts, mode=mode))[0] == wanted


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_an_empty_workspace(ask: Any, mode: str, embed: Any) -> None:
    """No facts: no hits, no embedding, and every voice says why."""
    found = ask("anything", [], mode=mode)
    assert found.hits == ()
    assert len(found.frame) == 0
    assert set(found.silent.values()) <= {
        "no fact may answer",
        "nothing was said in 30 days",
        "no fact is tied to another",
    }
    assert "lexical" in found.silent
    assert embed.asked == []


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1).filter(str.strip), st.lists(st.text(), max_size=4), st.sampled_from(["keyword", "hybrid"]))
def test_any_text(ask: Any, fact: Any, query: str, texts: list[str], mode: str) -> None:
    """Whatever the words, a search gives each live fact at most once, ranks from 1 on, scores in 0 to 1."""
    found = ask(query, [fact(f"f{n}", text, topic=text[:3]) for n, text in enumerate(texts)], mode=mode)
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert len(set(ids(found))) == len(found.hits)
    assert all(0.0 <= hit.score <= 1.0 for hit in found.hits)


def test_hostile_words_are_words(ask: Any, fact: Any) -> None:
    """Query languages, markup and control characters are looked for, not obeyed; long queries end in time."""
    evil = [
        '" OR 1=1 --',
        "NEAR(a b)*",
        "<script>x</script>",
        "a\x00b",
        "between " * 3_000 + "and",
        "é" * 20_000,
        "(((" * 2_000,
    ]
    facts = [fact("a", "Deploys run on Fridays"), fact("b", "<script>x</script> OR 1=1")]
    began = time.process_time()
    for query in evil:
        assert len(ask(query, facts).hits) <= 2
    assert ids(ask("<script>x</script>", facts, mode="keyword")) == ["b"]
    assert time.process_time() - began < 5.0


def test_thousands_of_facts(ask: Any, fact: Any) -> None:
    """Four thousand facts: the needle is first, and once the words are counted a search takes well under a second."""
    base = fact("x", "x", bare=True)
    import dataclasses

    facts = [
        dataclasses.replace(
            base, id=f"f{n:04}", content=f"module {n % 97} of service {n % 89} logs line {n}", topic=f"t{n % 50}"
        )
        for n in range(4_000)
    ]
    facts[1234] = fact("needle", "The harbour bridge closes at dusk", days=200)
    assert ids(ask("which bridge closes at dusk?", facts))[0] == "needle"
    library = Library(now=base.recorded_at, facts=tuple(facts))
    assert library.at(base.recorded_at).lengths.sum() == library.lengths.sum()
    began = time.process_time()
    ask("bridge", facts)
    assert time.process_time() - began < 4.0


def test_a_library_is_of_one_workspace(fact: Any) -> None:
    """Facts of two workspaces, or a moment without a zone, are refused."""
    one = fact("a", "x")
    with pytest.raises(ConfigError, match="holds one"):
        Library(now=one.recorded_at, facts=(one, fact("b", "x", agent_id="v")))
    with pytest.raises(ConfigError, match="timezone"):
        Library(now=datetime(2026, 1, 1))
