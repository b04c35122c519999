"""The best sentence of a turn counts, in three forms of the question; sentences are embedded when they are written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab import Memory
from arandu_lab.blends.blend import Blend, Term
from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder
from arandu_lab.errors import BackendError
from arandu_lab.pipeline import Lab
from arandu_lab.presets import Assembly, arandu, tuned_turns
from arandu_lab.read.evidence import COLUMNS, FAMILIES, FLAGS
from arandu_lab.read.evidence import reel as reels
from arandu_lab.read.evidence.hearing import HEARD, hear, know
from arandu_lab.read.evidence.learned import learned
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.evidence.sentences import BATCH, _best, _columns, sentence_vectors
from arandu_lab.records import Event
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView
from arandu_lab.trace import Span

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
LAKE, KAYAK, SEA = "I saw a lake.", "We hired a kayak there.", "We love the sea."


async def test_the_best_sentence_counts(talk, columns):
    """sentences: a turn is as near as its best sentence, whatever stands beside it, and a caption is a sentence."""
    w = talk(f"Ana: {LAKE} {KAYAK}", "Bia: Nice one [image: a canoe]", "--", f"Bia: {SEA}")
    w.embed = ScriptedEmbedder({(KAYAK, "canoeing"): 0.8, ("a canoe", "canoeing"): 0.7}, texts=[LAKE, SEA])
    found = await columns(w, "canoeing")
    for name in ("s_text", "s_decl", "s_first"):
        assert list(found[name].values()) == pytest.approx([0.8, 0.7, 0.0], abs=1e-5)


async def test_the_question_has_three_forms(talk, columns):
    """sentences: as it was asked, without question words, and as the named speaker would say it."""
    for question, plain, mine in (
        ("What boat did Ana buy?", "boat Ana buy", "boat I buy"),
        ("Que barco a Ana comprou?", "barco Ana comprou", "barco eu comprou"),
    ):
        w = talk(f"Ana: {LAKE if mine == 'boat I buy' else 'Eu vi um lago.'}")
        said = w.events[0].text
        w.embed = ScriptedEmbedder({(said, question): 0.2, (said, plain): 0.3, (said, mine): 0.4})
        found = await columns(w, question)
        for name, cosine in (("s_text", 0.2), ("s_decl", 0.3), ("s_first", 0.4)):
            assert found[name]["e000"] == pytest.approx(cosine, abs=1e-5), (question, name)


async def test_neighbours_and_sessions(talk, columns):
    """sentences: the turn before and the turn after in the session, and its best; where there is none, it lies at the mean of all turns."""
    found = await columns(talk("Ana: red lake", "Ana: blue sea", "Ana: green", "--", "Ana: lake"), "lake?")
    for form in ("s_decl", "s_first"):
        own = list(found[form].values())
        before, after = list(found[f"{form}@-1"].values()), list(found[f"{form}@+1"].values())
        mean = sum(own) / len(own)
        assert before == pytest.approx([mean, own[0], own[1], mean], abs=1e-5)
        assert after == pytest.approx([own[1], own[2], mean, mean], abs=1e-5)
        assert list(found[f"s{form}"].values()) == [max(own[:3])] * 3 + [own[3]]


async def test_a_failing_embedder_leaves_them_unknown(talk, columns):
    """sentences: without vectors nobody can tell, and all other columns are as they are."""
    w = talk(f"Ana: {LAKE}")
    plain = await columns(w, "lake?")
    w.embed = DeadEmbedder(after=1)
    dead = await columns(w, "lake?")
    assert all(np.isnan(dead[name]["e000"]) for name in FAMILIES["sentences"])
    assert dead["bm"] == plain["bm"]


TURNS = st.lists(
    st.tuples(st.lists(st.sampled_from([LAKE, KAYAK, SEA, "\n"]), max_size=4), st.booleans()), min_size=1, max_size=6
)


@given(turns=TURNS, steps=st.lists(st.booleans(), min_size=6, max_size=6), seed=st.integers(0, 99))
def test_the_best_is_that_of_a_loop(turns, steps, seed):
    """Reckoned over arrays, the columns are what a loop over turns and their sentences says; a closed turn says nothing."""
    events, session = [], 0
    for place, (said, _) in enumerate(turns):
        session += steps[place]
        events.append((" ".join(said), f"s{session}"))
    reel = reel_of(view_of(events))
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((reel.told, 4)).astype(np.float32)
    held = rng.random(reel.told) < 0.8
    forms = [rng.standard_normal(4).astype(np.float32), None, rng.standard_normal(4).astype(np.float32)]
    if not reel.told:
        return
    mask = np.array([there for _, there in turns])
    best = _best(reel, vectors, held, forms, mask)
    number = dict(zip(reel.sentences, range(reel.told), strict=True))
    wanted = []
    for (said, _), there in zip(events, mask.tolist(), strict=True):
        known = [number[one] for one in (LAKE, KAYAK, SEA) if one in said and there and held[number[one]]]
        wanted.append(max((float(vectors[one] @ forms[0]) for one in known), default=np.nan))
    assert best[0].tolist() == pytest.approx(wanted, abs=1e-5, nan_ok=True)
    assert np.isnan(best[1]).all()
    found = _columns(best, reel.spans)
    assert tuple(found) == FAMILIES["sentences"]
    for place, (_, name) in enumerate(events):
        after = best[2][place + 1] if place + 1 < len(events) and events[place + 1][1] == name else np.nan
        mean = float(np.nanmean(best[2])) if np.isfinite(best[2]).any() else np.nan
        wanted = mean if np.isnan(after) else after
        assert found["s_first@+1"][place] == pytest.approx(wanted, nan_ok=True, abs=1e-5)
        mates = [best[2][other] for other in range(len(events)) if events[other][1] == name]
        assert found["ss_first"][place] == pytest.approx(np.fmax.reduce(mates), nan_ok=True)


@pytest.fixture
def assembly(tmp_path):
    """Turns alone, ranked by a blend that knows all columns, or all but those of a family that is left out."""

    def make(*left_out: str) -> Assembly:
        names = [name for name, (family, _) in COLUMNS.items() if family not in left_out]
        terms = tuple(Term(column=name, kind="flag" if name in FLAGS else "z", weight=1.0) for name in names)
        Blend(name="test", terms=terms, embedder="scripted").save(tmp_path / "blend.json")
        chosen = tuned_turns(auto_reinforce=False)
        read = chosen.read.replace("learned", learned(blend=str(tmp_path / "blend.json")))
        for family in left_out:
            read = read.without(family)
        return Assembly(chosen.config, chosen.write, read)

    return make


def opened(embedder, chosen, path="memory://"):
    """A memory."""
    return Memory.open(
        path, llm="offline/rules", embedder=embedder, config=chosen.config, write=chosen.write, read=chosen.read
    )


async def said(memory, *lines, **more):
    """Write lines, a minute apart; the results."""
    return [
        await memory.write("a", line, "Ana", occurred_at=START + timedelta(minutes=place), **more)
        for place, line in enumerate(lines)
    ]


async def asked(memory, text="Which lake?"):
    """A question a month later."""
    return await memory.retrieve("a", text, now=START + timedelta(days=30))


async def test_the_first_question_embeds_no_sentence(assembly):
    """Sentences are embedded when they are written, each once; a turn of one sentence lends its own vector."""
    embed = ScriptedEmbedder()
    with opened(embed, assembly()) as memory:
        await said(memory, f"{LAKE} {KAYAK}", KAYAK, SEA)
        for sentence, times in ((LAKE, 1), (KAYAK, 2), (SEA, 1)):  # a turn as such is embedded whatever was said before
            assert embed.asked.count(sentence) == times, sentence
        embed.asked.clear()
        found = await asked(memory)
        assert not {LAKE, KAYAK, SEA} & set(embed.asked)
        assert np.isfinite(found.event_frame["s_text"].to_numpy()).all()


async def test_a_write_says_that_it_listened(assembly):
    """The trace of a write has one step for words and sentences, which asks once; a rehearsal, and a memory whose questions
    need neither, have none."""
    with opened(DeadEmbedder(after=2, name="scripted"), assembly()) as memory:
        (written,) = await said(memory, f"{LAKE} {KAYAK}", verbose=True)
        step = written.pipeline.root.children[-1]
        assert (step.name, step.own["sentences"], step.usage.embedded_texts) == ("hear", 2, 2 + step.own["words"])
    with opened(ScriptedEmbedder(), assembly()) as memory:
        (rehearsed,) = await said(memory, SEA, dry_run=True, verbose=True)
        assert "hear" not in [one.name for one in rehearsed.pipeline.root.children]
    embed = ScriptedEmbedder()
    with opened(embed, arandu()) as memory:
        await said(memory, f"{LAKE} {KAYAK}")
    assert LAKE not in embed.asked


async def test_only_what_the_read_looks_at_is_embedded(assembly):
    """Without the family no sentence is embedded, and a blend that was trained without it ranks."""
    embed = ScriptedEmbedder()
    with opened(embed, assembly("sentences")) as memory:
        await said(memory, f"{LAKE} {KAYAK}", SEA)
        assert "lake" in embed.asked
        found = await asked(memory)
        assert len(found.event_frame) == 2
        assert not set(FAMILIES["sentences"]) & set(found.event_frame.columns)
    assert LAKE not in embed.asked


async def test_a_failing_embedder_fails_no_write(assembly):
    """A turn whose sentences could not be embedded is written all the same, and the first question embeds them."""
    embed = DeadEmbedder(after=1, name="scripted")
    with opened(embed, assembly()) as memory:
        (written,) = await said(memory, f"{LAKE} {KAYAK}")
        assert written.success
        assert written.degraded == ()
        embed.revive()
        found = await asked(memory, LAKE)
        assert float(found.event_frame["s_text"][0]) == pytest.approx(1.0, abs=1e-5)


async def test_a_write_does_not_catch_up_with_an_old_store(tmp_path, monkeypatch, assembly):
    """After opening, a write costs its own turn; the question that needs the older ones embeds them, but for those that are
    a turn by themselves, whose vector lies in the store."""
    older = [f"We hired boat number{place}. {SEA}" for place in range(4)]
    with opened(ScriptedEmbedder(), assembly(), path=tmp_path / "store") as memory:
        await said(memory, *older, KAYAK)
    monkeypatch.setattr(reels, "MOST_BEHIND", 3)
    embed = ScriptedEmbedder()
    with opened(embed, assembly(), path=tmp_path / "store") as memory:
        await memory.write("a", LAKE, "Ana", occurred_at=START + timedelta(days=1))
        assert SEA not in embed.asked
        await asked(memory)
        assert {SEA, "We hired boat number0."} <= set(embed.asked)
        assert KAYAK not in embed.asked


async def test_a_late_turn_leaves_every_sentence_its_own_vector(talk, columns):
    """sentences: a turn that arrives late, between two others, changes which sentences come first; each keeps its meaning."""
    w = talk(f"Ana: {KAYAK}", f"Ana: {SEA} {LAKE}", "Bia: I read novels daily.")
    w.embed = ScriptedEmbedder({(KAYAK, "canoeing"): 0.8, ("I read novels daily.", "books"): 0.8}, texts=[SEA, LAKE])
    at_once = {question: await columns(w, question) for question in ("canoeing", "books")}
    view = AgentView.of(w.agent_id)

    async def grown(shuffle=None):
        return view

    fresh, w.view = w.view, grown
    for seq, place in enumerate((0, 2, 1), 1):
        view = view.advance(unit(w.events[place], seq, (await fresh()).events.matrix[place]))
        await columns(w, "canoeing")
    for question, wanted in at_once.items():
        found = await columns(w, question)
        assert all(found[name] == wanted[name] for name in FAMILIES["sentences"]), question


async def test_a_forgotten_turn_leaves_no_sentence(assembly):
    """Once a turn is forgotten, neither its sentences nor their vectors lie beside the rows; the others are found again."""
    with opened(ScriptedEmbedder(), assembly()) as memory:
        first, _ = await said(memory, f"{LAKE} {KAYAK}", f"{SEA} We stay all day.")
        await asked(memory)
        assert KAYAK in kept(memory)
        memory.forget("a", event=first.event_id)
        assert not {LAKE, KAYAK} & set(kept(memory))
        found = await asked(memory, SEA)
        assert float(found.event_frame["s_text"][0]) == pytest.approx(1.0, abs=1e-5)
        assert not {LAKE, KAYAK} & set(kept(memory))


def kept(memory):
    """The sentences that lie beside the rows of the agent, by themselves or with a vector."""
    beside = memory.store.view("a").kept
    vectors = beside.get("sentences by scripted")
    reel = beside.get("reel")
    return [*(reel.sentences if reel else ()), *(vectors._spelled if vectors else ())]


def test_a_vector_that_comes_later_is_seen():
    """What is kept of a moment says which turns have a vector by now, not which had one when it was first asked."""
    view = view_of([(LAKE, "s"), (SEA, "s")])
    opened = reel_of(view).opened(np.ones(2, dtype=np.bool_))
    assert opened.held(view).mask.tolist() == [False, False]
    later = view.advance(unit(view.event("e0"), view.sequence + 1, np.array([1.0, 0.0], dtype=np.float32)))
    assert opened.held(later).mask.tolist() == [True, False]


async def test_what_was_embedded_before_a_failure_is_kept(talk):
    """Many sentences are embedded in batches: when the embedder fails at the second, those of the first are not asked again."""
    w = talk(*(f"Ana: We hired boat number{place}. It was cold there." for place in range(BATCH + 5)))
    view, embed = await w.view(), DeadEmbedder(after=1)
    with pytest.raises(BackendError):
        await sentence_vectors(reel_of(view), bench(w, view, embed))
    embed.revive()
    span = Span("again")
    vectors, held = await sentence_vectors(reel_of(view), bench(w, view, embed).at(span))
    assert span.usage.embedded_texts == 6
    assert len(vectors) == BATCH + 6
    assert held.all()


async def test_what_a_walk_knows_no_question_embeds(talk):
    """Where a conversation is walked through without writing, its words and sentences are had before the question; a failing
    embedder fails nothing, and what no stage looks at is not embedded."""
    w = talk(f"Ana: {LAKE} {KAYAK}")
    view, embed = await w.view(), ScriptedEmbedder()
    await know(bench(w, view, embed), {"nearest_sentences"})
    assert embed.asked == [LAKE, KAYAK]
    await know(bench(w, view, embed), HEARD)
    assert set(embed.asked) - {LAKE, KAYAK} == {"saw", "lake", "hired", "kayak"}
    embed.asked.clear()
    await hear(bench(w, view, embed), HEARD)
    await know(bench(w, view, embed), HEARD)
    assert embed.asked == []
    await know(bench(w, await w.view(), DeadEmbedder()), HEARD)


def bench(w, view, embed):
    """What a stage sees of a view."""
    return Lab(llm=w.mind(), embed=embed, memory=view, now=w.now, log=Span("test"))


def view_of(said):
    """A view of turns (text, session), a minute apart."""
    images = []
    for place, (text, session) in enumerate(said):
        at = START + timedelta(minutes=place)
        event = Event(
            id=f"e{place}", agent_id="a", text=text, speaker="Ana", occurred_at=at, recorded_at=at, session_id=session
        )
        images.append(Image(event, place, place))
    return AgentView.of("a", images)


def unit(event, seq, vector):
    """One turn, with its vector."""
    return Unit(
        seq=seq,
        id=f"u{seq}",
        agent_id=event.agent_id,
        kind="turn",
        recorded_at=event.recorded_at,
        rows=(replace(event, vector=vector),),
        born=(seq << 20,),
    )
