"""Forgetting for good: old texts, crashes and copies bring nothing back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from forgetful import PLAIN, SECRET, T0, answers, bytes_hold, fact_of, told

from arandu_lab import Memory
from arandu_lab.errors import BackendError
from arandu_lab.llm.scripted import Scripted
from arandu_lab.records import Changes

Open = Callable[..., Memory]


async def test_old_text_stays_forgotten_and_new_words_are_news(opened: Open) -> None:
    """D3, J6: the same old turn, the same words in another old session, and an old retelling bring nothing back; said anew, it is stored."""
    memory = opened("m")
    await told(memory, f"{SECRET}. {PLAIN}")
    done = memory.forget("a", fact_id=fact_of(memory, SECRET))
    assert memory.facts("a")["text"].to_list() == [PLAIN], "the other fact of the turn stays"
    for result in (
        await told(memory, f"{SECRET}. {PLAIN}"),
        await memory.write("a", f"{SECRET}. {PLAIN}", "Bob", occurred_at=T0 + timedelta(days=2), session_id="old"),
        await memory.write("a", f"{SECRET}. {PLAIN}", "Bob", occurred_at=T0, dry_run=True),
    ):
        assert [one.why for one in result.skipped] == ["forgotten"]
        assert result.event_id is None
        assert result.usage.calls == 0, "no model is asked about it"
    retold = await told(memory, f"{SECRET}. Otto pinta", 3)
    assert [one.why for one in retold.skipped] == ["forgotten"]
    assert [fact.text for fact in retold.facts_added] == ["Otto pinta"]
    assert sorted(memory.facts("a")["text"].to_list()) == ["Otto pinta", PLAIN]
    anew = await told(memory, SECRET, (done.forgotten_at - T0).days + 5)
    assert [fact.text for fact in anew.facts_added] == [SECRET]
    memory.close()
    again = opened("m")
    later = await told(again, f"{SECRET}. {PLAIN}", 1)
    assert [one.why for one in later.skipped] == ["forgotten"], "tombstones are read from the journal"


async def test_a_crash_in_between_is_finished_at_opening(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """I7, J6: a crash after the forget unit leaves words only until the next opening, also those of a rewritten profile."""
    memory = opened("m")
    await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    view = memory.store.view("a")
    iris = view.fact(fact_of(memory, PLAIN)).entity_key  # type: ignore[union-attr]
    profile = replace(view.entity(iris), profile_text="Código ZQX-4417", profile_at=T0)  # type: ignore[type-var]
    memory.commit(Changes(agent_id="a", rows=(profile,)), unit_id="job:1", kind="job")  # type: ignore[arg-type]

    def crash(*_: object) -> None:
        raise BackendError("the power went", kind="store", backend="test")

    with monkeypatch.context() as broken:
        broken.setattr("arandu_lab.store.forget.erase", crash)
        with pytest.raises(BackendError, match="power"):
            memory.forget("a", fact_id=fact_of(memory, SECRET))
    memory.close()
    assert bytes_hold(memory.store.path, "ZQX-4417")
    again = opened("m")
    assert bytes_hold(again.store.path, "ZQX-4417") == []
    entity = again.store.view("a").entity(iris)
    assert entity is not None
    assert entity.profile_text is None
    assert again.store.verify() == []


async def test_a_turn_forgotten_while_it_is_read_is_not_written(opened: Open) -> None:
    """J6, W25: a forgetting that overtakes a slow write wins: the turn's event and facts do not come back."""
    memory: Memory

    def slow(messages: Any) -> dict[str, Any]:
        memory.forget("a", event=memory.events("a")["id"][-1])
        return answers(messages)

    memory = opened("m", llm=Scripted(by_task={"extract": slow}))
    result = await told(memory, SECRET)
    assert [one.why for one in result.skipped] == ["forgotten"]
    assert memory.events("a").height == memory.facts("a").height == 0
    assert bytes_hold(memory.store.path, "ZQX-4417") == []


async def test_a_copy_keeps_the_tombstones(opened: Open, tmp_path: Path) -> None:
    """J6: a fork knows what was forgotten; without the key its hashes say nothing (no plain digest of the text is there)."""
    memory = opened()
    await told(memory, SECRET)
    memory.forget("a", everything=True)
    with memory.fork() as copy:
        result = await told(copy, SECRET, 1)
        assert [one.why for one in result.skipped] == ["forgotten"]
