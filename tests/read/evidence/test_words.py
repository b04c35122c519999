"""Words are embedded when they are written, so that no question waits; their vectors follow their spelling."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab import Memory
from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder
from arandu_lab.presets import arandu, tuned_turns
from arandu_lab.read.evidence import reel as reels
from arandu_lab.read.evidence.words import Words
from arandu_lab.store.journal import Unit
from arandu_lab.store.view import AgentView

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
KNOWN = "use-multilingual-v3"
"""The embedder that the shipped blend knows; what stands in for it here bears its name."""
NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=12)


@given(batches=st.lists(NAMES, max_size=5), wanted=NAMES)
def test_a_word_keeps_its_vector(batches, wanted):
    """In whatever batches words come, each has the vector it came with first; what was handed out does not change."""
    words, told = Words(1), {}
    handed = []
    for number, batch in enumerate(batches):
        missing = words.missing(batch)
        assert missing == [word for word in dict.fromkeys(batch) if word not in told]
        words.add(batch, [np.array([number + ord(word) / 100.0]) for word in batch])
        told = {word: number + ord(word) / 100.0 for word in batch} | told
        handed.append((list(told), words.rows(list(told)), words.rows(list(told)).copy()))
    for _, rows, copy in handed:
        assert np.array_equal(rows, copy)
        assert not rows.flags.writeable
    there = [word for word in wanted if word in told]
    assert words.rows(there)[:, 0].tolist() == pytest.approx([told[word] for word in there])


def opened(embedder, assembly=None, path="memory://"):
    """A memory of turns alone."""
    chosen = assembly or tuned_turns(auto_reinforce=False)
    return Memory.open(
        path, llm="offline/rules", embedder=embedder, config=chosen.config, write=chosen.write, read=chosen.read
    )


async def said(memory, *lines, **more):
    """Write lines, a minute apart."""
    for place, line in enumerate(lines):
        at = START + timedelta(minutes=place)
        assert (await memory.write("a", line, "Ana", occurred_at=at, **more)).success


async def test_the_first_question_embeds_only_itself():
    """After writing, no question embeds a word of the memory; a memory whose questions look at no words embeds none at all."""
    embed = ScriptedEmbedder(name=KNOWN)
    with opened(embed) as memory:
        await said(memory, "red lake house", "the red sea")
        assert {"red", "lake", "house", "sea"} <= set(embed.asked)
        embed.asked.clear()
        await memory.retrieve("a", "Which sea?", now=START + timedelta(days=1))
        assert not {"red", "lake", "house"} & set(embed.asked)
    plain = ScriptedEmbedder(name=KNOWN)
    with opened(plain, arandu()) as memory:
        await said(memory, "red lake house")
    assert "lake" not in plain.asked


async def test_each_word_is_embedded_once_and_a_rehearsal_embeds_none():
    """A word said again costs nothing; a dry run looks at no words."""
    embed = ScriptedEmbedder(name=KNOWN)
    with opened(embed) as memory:
        await said(memory, "red lake")
        await said(memory, "red hill", dry_run=True)
        assert "hill" not in embed.asked
        await memory.write("a", "lake red", "Bia", occurred_at=START + timedelta(hours=1))
    assert embed.asked.count("red") == embed.asked.count("lake") == 1


async def test_a_failing_embedder_fails_no_write():
    """A turn whose words could not be embedded is written all the same, and the first question embeds them."""
    embed = DeadEmbedder(after=1, name=KNOWN)
    with opened(embed) as memory:
        written = await memory.write("a", "red lake", "Ana", occurred_at=START)
        assert written.success
        assert written.degraded == ()
        embed.revive()
        found = await memory.retrieve("a", "red lake", now=START + timedelta(days=1))
        assert float(found.event_frame["mss"][0]) > 0.9


async def test_a_write_does_not_catch_up_with_an_old_store(tmp_path, monkeypatch):
    """After opening a store, writing a turn costs that turn: words of many older ones wait for the question that needs them."""
    with opened(ScriptedEmbedder(name=KNOWN), path=tmp_path) as memory:
        await said(memory, *(f"word{place} thing" for place in range(5)))
    monkeypatch.setattr(reels, "MOST_BEHIND", 3)
    embed = ScriptedEmbedder(name=KNOWN)
    with opened(embed, path=tmp_path) as memory:
        await memory.write("a", "another lake", "Ana", occurred_at=START + timedelta(days=1))
        assert "word1" not in embed.asked
        await memory.retrieve("a", "word1 lake", now=START + timedelta(days=2))
        assert {"word0", "word1", "lake"} <= set(embed.asked)


async def test_a_late_turn_leaves_every_word_its_own_vector(talk, columns):
    """softmatch: a turn that arrives late, between two others, changes which words come first; each keeps its meaning."""
    w = talk("Ana: kayaking", "Ana: novels galore", "Bia: sure")
    w.embed = ScriptedEmbedder({("kayaking", "canoeing"): 0.8, ("novels", "books"): 0.8})
    at_once = {question: await columns(w, question) for question in ("canoeing", "books")}
    view = AgentView.of(w.agent_id)

    async def grown(shuffle=None):
        return view

    fresh, w.view = w.view, grown
    for seq, place in enumerate((0, 2, 1), 1):
        view = view.advance(unit(w, w.events[place], seq, (await fresh()).events.matrix[place]))
        await columns(w, "canoeing")
    for question, wanted in at_once.items():
        assert (await columns(w, question))["ms"] == wanted["ms"]


def unit(w, event, seq, vector):
    """One turn, with its vector."""
    return Unit(
        seq=seq,
        id=f"u{seq}",
        agent_id=w.agent_id,
        kind="turn",
        recorded_at=event.recorded_at,
        rows=(replace(event, vector=vector),),
        born=(seq << 20,),
    )
