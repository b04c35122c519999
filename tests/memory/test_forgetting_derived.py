"""What was worked out from a statement goes with it, by where it came from and not by its words; what did not stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from forgetful import T0

from arandu_lab import Memory
from arandu_lab.records import Changes, Entity
from arandu_lab.store import Store

Open = Callable[..., Memory]

COINCIDING = (
    ("I am 34 years old.", "My bus number is 34.", "34"),
    ("I have a dog called Zé.", "Zé is ill.", "Zé"),
    ("I live in Recife.", "My mother lives in Recife.", "Recife"),
    ("I live in Recife.", "I live in Recife with my mother.", "Recife"),
    ("Tenho 34 anos.", "Meu ônibus é o 34.", "34"),
    ("Tenho um cachorro chamado Zé.", "Zé está doente.", "Zé"),
    ("Moro em Recife.", "Minha mãe mora em Recife.", "Recife"),
    ("Moro em Recife.", "Moro em Recife com a minha mãe.", "Recife"),
)
"""A statement that leaves a profile, another that has its words, and a word of both."""


async def said(memory: Memory, *texts: str) -> list[str]:
    """Ana says them, one a day; the ids of the turns."""
    turns = [
        await memory.write("a", text, "Ana", occurred_at=T0 + timedelta(days=day)) for day, text in enumerate(texts)
    ]
    return [str(one.event_id) for one in turns]


def profiles(memory: Memory) -> dict[str, str]:
    """Profiles that stand."""
    return {one.key: one.profile_text for one in memory.store.view("a").entities() if one.profile_text}


@pytest.mark.parametrize(("first", "second", "word"), COINCIDING)
@pytest.mark.parametrize("kind", ["fact", "event"])
async def test_no_profile_or_edge_outlives_its_turn(
    first: str, second: str, word: str, kind: str, tmp_path: Path
) -> None:
    """J4: a profile goes with the turn that it was written from, though others say its words; an edge that others bear has no
    date of that turn; its facts stay, and a copy, a replay and a rebuild leave the same."""
    with Memory.open(
        "memory://", llm="offline/rules", embedder="hashing", clock=lambda: T0 + timedelta(days=40)
    ) as memory:
        turn, _ = await said(memory, first, second)
        [own] = [i for i in memory.facts("a")["id"] if memory.store.view("a").fact(i).source_event_id == turn]  # type: ignore[union-attr]
        others = set(memory.facts("a")["id"]) - {own}
        assert word in profiles(memory)["person:ana"], "the control: the turn left a profile"
        done = memory.forget("a", **({"fact_id": own} if kind == "fact" else {"event": turn}))
        assert done.clean, str(done)
        assert profiles(memory) == {}
        view = memory.store.view("a")
        assert set(memory.facts("a")["id"]) == others
        for edge in view.edges():
            facts: list[Any] = [view.fact(i) for i in edge.evidence_fact_ids]
            assert edge.valid_from in {one.valid_from for one in facts}
            assert edge.last_confirmed_at in {one.last_confirmed_at for one in facts}
        at = memory.digest("a")
        memory.rebuild()
        assert memory.digest("a") == at
        memory.export("a", tmp_path / "a.jsonl")
        with Memory.open("memory://", llm="offline/rules", embedder="hashing") as other:
            assert other.import_(tmp_path / "a.jsonl").digest == at


@pytest.mark.parametrize(("first", "second", "word"), COINCIDING)
@pytest.mark.parametrize("turned", [False, True])
async def test_a_profile_outlives_what_it_does_not_rest_on(first: str, second: str, word: str, turned: bool) -> None:
    """J8: forgetting one turn leaves the profile that another one left, whichever was said first."""
    with Memory.open("memory://", llm="offline/rules", embedder="hashing") as memory:
        turns = await said(memory, *((second, first) if turned else (first, second)))
        before: Any = memory.store.view("a").entity("person:ana")
        assert word in before.profile_text
        day = (before.profile_at - T0).days
        done = memory.forget("a", event=turns[1 - day])
        assert done.clean, str(done)
        assert profiles(memory)["person:ana"] == before.profile_text


@pytest.mark.parametrize("later", [False, True])
async def test_a_profile_of_a_job_rests_on_what_was_known(later: bool) -> None:
    """J4: what a job wrote in words of its own rests on every fact that was known of the entity, and on none that came later."""
    with Memory.open("memory://", llm="offline/rules", embedder="hashing") as memory:
        texts = ("I play the violin.", "I collect stamps.")
        turns = await said(memory, *texts[: 1 if later else 2])
        ana: Any = memory.store.view("a").entity("person:ana")
        written = replace(
            ana, profile_text="A musical person", summary_text="She makes music", profile_at=T0, summary_at=T0
        )
        memory.commit(Changes(agent_id="a", rows=(written,)), unit_id="job:1", kind="job")
        if later:
            turns.append(str((await memory.write("a", texts[1], "Ana", occurred_at=T0 + timedelta(days=1))).event_id))
        memory.forget("a", event=turns[1])
        left: Any = memory.store.view("a").entity("person:ana")
        assert (left.profile_text, left.summary_text) == (
            (written.profile_text, written.summary_text) if later else (None, None)
        )


@pytest.mark.parametrize(
    ("first", "again"), [("I am 34 years old.", "I am 35 years old."), ("Tenho 34 anos.", "Tenho 35 anos.")]
)
async def test_a_profile_comes_back_with_news(first: str, again: str) -> None:
    """W19: after a forgetting the next turn seeds a profile anew."""
    with Memory.open(
        "memory://", llm="offline/rules", embedder="hashing", clock=lambda: T0 + timedelta(days=9)
    ) as memory:
        [turn] = await said(memory, first)
        memory.forget("a", event=turn)
        await memory.write("a", again, "Ana", occurred_at=T0 + timedelta(days=10))
        assert "35" in profiles(memory)["person:ana"]


async def test_the_certificate_finds_a_profile_that_was_left(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """J4, J10: a profile that rests on what goes is looked for, so one that the store left by mistake is told."""
    memory = opened("m", llm="offline/rules")
    turn, _ = await said(memory, "I am 34 years old.", "My bus number is 34.")
    erased = Store.forget

    def lazy(self: Store, agent_id: str, rows: Any, *, instead: Any = (), **more: Any) -> int:
        return erased(self, agent_id, rows, instead=[one for one in instead if not isinstance(one, Entity)], **more)

    with monkeypatch.context() as broken:
        broken.setattr(Store, "forget", lazy)
        done = memory.forget("a", event=turn)
    assert not done.clean
    assert any("entities" in one.place for one in done.residue), str(done)
