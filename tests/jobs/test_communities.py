"""``detect_communities``: which clusters are joined, on which scale, with which evidence, and what a run costs (J2, J3, J8, J9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from grouping import AGENT, NOW, TWELVE, Topical, cluster, join, opened, put, standing, told

from arandu_lab import Memory
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.pure.versions import closed
from arandu_lab.records import Observation

ANSWERS = {
    "cluster": {"label": "L", "summary": "S"},
    "theme": {"label": "Team", "summary": "They build the ML model together."},
}


def themes(memory: Memory) -> list[Observation]:
    """Themes that stand."""
    return [
        row
        for row in memory.store.view(AGENT).observations()
        if row.kind == "community_theme" and not row.invalidated_at
    ]


class Halved(Topical):
    """The same vectors on another scale."""

    def scale(self, cosine: Any) -> Any:
        """Half of it."""
        return cosine / 2


async def grouped(llm: Any = None, embedder: Any = None) -> Memory:
    """A memory whose facts are in clusters."""
    memory = opened(llm, embedder or Topical(), enable_reranker=False, auto_reinforce=False)
    await told(memory, TWELVE)
    await cluster(memory)
    return memory


async def test_joined_above_the_threshold_on_the_documented_scale() -> None:
    """``community_similarity_threshold`` (default .75) is read on the embedder's calibrated scale; likeness is the confidence."""
    with await grouped() as memory:
        await join(memory)
        assert len(themes(memory)) == 2
        raw = {row.evidence_ids: row.confidence for row in themes(memory)}
        assert all(0.75 <= sure <= 1.0 for sure in raw.values())
    with await grouped(embedder=Halved()) as memory:
        assert (await join(memory)).idle == "no two clusters are near each other"
        await join(memory, community_similarity_threshold=0.4)
        assert {row.evidence_ids: row.confidence for row in themes(memory)} == {
            cited: round(sure / 2, 3) for cited, sure in raw.items()
        }


async def test_evidence_is_what_holds() -> None:
    """J8: a theme cites the facts of its clusters that hold; a cluster whose facts are all over takes no part."""
    with await grouped() as memory:
        await join(memory)
        team = next(row for row in themes(memory) if "f00" in row.evidence_ids)
        assert team.evidence_ids == ("f00", "f01", "f02", "f03", "f04", "f05")
        facts = [memory.store.view(AGENT).fact(f"f{n:02d}") for n in range(6)]
        put(memory, replace(closed(facts[2], NOW, "update"), invalidated_at=NOW))
        await join(memory)
        again = next(row for row in themes(memory) if "f00" in row.evidence_ids)
        assert again.evidence_ids == ("f00", "f01", "f03", "f04", "f05")
        assert again.id == team.id
        put(memory, *(replace(closed(fact, NOW, "delete"), invalidated_at=NOW) for fact in facts[3:]))
        result = await join(memory)
        assert [row.after.invalidated_at for row in result.changed] == [NOW]
        assert len(themes(memory)) == 1
        assert len(memory.store.view(AGENT).observations()) == 2


async def test_nothing_new_asks_and_writes_nothing() -> None:
    """J9: dry run = run; a second run asks nothing and writes nothing; news of one theme leaves the other alone."""
    with await grouped() as memory:
        dry = await join(memory, dry_run=True)
        assert themes(memory) == []
        real = await join(memory)
        assert [row.after for row in dry.changed] == [row.after for row in real.changed]
        before = memory.store.view(AGENT).sequence
        again = await join(memory)
        assert (again.usage.calls, again.changed, memory.store.view(AGENT).sequence) == (0, (), before)
        ids = {row.id for row in themes(memory)}
        await told(memory, [("Bruno", "Bruno leads the ML pipeline")], days=1)
        await cluster(memory)
        news = await join(memory)
        assert (news.usage.calls, news["communities_created"], news["communities_reinforced"]) == (1, 0, 1)
        assert {row.id for row in themes(memory)} == ids


@pytest.mark.parametrize(
    "answer", [{}, {"label": "x", "summary": None}, "no JSON", fail("timeout")], ids=["none", "null", "prose", "dead"]
)
async def test_a_bad_answer_empties_nothing(answer: Any) -> None:
    """J4: a theme that stood stands as it was, and the result says what was left or that it failed."""
    with await grouped() as memory:
        await join(memory)
        before = themes(memory)
        await told(memory, [("Bruno", "Bruno leads the ML pipeline")], days=1)
        await cluster(memory)
        memory.llm = type(memory.llm)(Scripted(by_task={"theme": answer}))
        result = await join(memory)
        assert themes(memory) == before
        assert result.left or not result.success


@pytest.mark.parametrize("question", ["Who builds the ML model?", "Quem fez o model de ML?"])
async def test_it_reaches_the_context(question: str) -> None:
    """J2, R12: after the job the theme stands among the observed patterns; withdrawn, it is gone from there."""
    with await grouped(Scripted(by_task=ANSWERS)) as memory:
        assert "They build" not in (await memory.retrieve(AGENT, question)).context
        await join(memory)
        line = "- Team: They build the ML model together."
        assert line in (await memory.retrieve(AGENT, question)).context
        put(memory, *(replace(theme, invalidated_at=NOW) for theme in themes(memory)))
        assert line not in (await memory.retrieve(AGENT, question)).context


async def test_no_clusters() -> None:
    """Without clusters there is nothing to do, and the result says so."""
    with opened() as memory:
        result = await join(memory)
        assert (result.idle, result.changed, result.usage.calls) == ("no clusters yet", (), 0)
        assert standing(memory) == {}
