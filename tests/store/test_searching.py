"""Reading without a whole view: over many agents, and in an agent too large for memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arandu_lab import BackendError, ConfigError, Memory
from arandu_lab.embed.hashing import Hashing
from arandu_lab.embed.scripted import DeadEmbedder
from arandu_lab.records import Alias, Entity, Event, Fact, Link, Row
from arandu_lab.store import indexes

START = datetime(2025, 1, 1, tzinfo=UTC)
LATER = START + timedelta(days=400)
TOWNS = "Recife Olinda Natal Santos Lisboa Porto Braga Faro Leeds York Bath Hull".split()
THINGS = "guitar bicycle garden camera kitchen piano novel boat telescope kite loom violin".split()


def rows_of(agent: str, count: int, seed: int = 0) -> list[Row]:
    """``count`` facts about people, a dozen each, and the turn of each fact."""
    chance = np.random.default_rng(seed)
    names = [f"Pessoa{number // 12}" for number in range(count)]
    texts = [
        f"{name} keeps a {THINGS[chance.integers(12)]} in {TOWNS[chance.integers(12)]}, {TOWNS[chance.integers(12)]} box {number}"
        for number, name in enumerate(names)
    ]
    rows: list[Row] = []
    for name in dict.fromkeys(names):
        key = f"person:{name.lower()}"
        rows.append(Entity(agent_id=agent, key=key, name=name, type="person", recorded_at=START))
        rows.append(Alias(folded=name.lower(), agent_id=agent, entity_key=key, name=name, recorded_at=START))
    for number, (text, name, vector) in enumerate(zip(texts, names, Hashing().encode(texts), strict=True)):
        at, key = START + timedelta(hours=number), f"person:{name.lower()}"
        said: dict[str, Any] = {"agent_id": agent, "text": text, "speaker": name, "recorded_at": at, "vector": vector}
        rows.append(Event(id=f"e{number:06}", occurred_at=at, **said))
        rows.append(
            Fact(
                id=f"f{number:06}", entity_key=key, entity_name=name, confidence=0.9, importance=0.5, category="routine_activity",
                source_event_id=f"e{number:06}", valid_from=at, **said,
            )
        )  # fmt: skip
        rows.append(Link(agent_id=agent, fact_id=f"f{number:06}", entity_key=key, primary=True, recorded_at=at))
    return rows


def filled(path: Path | str, sizes: dict[str, int], **options: Any) -> Memory:
    """A store with such agents."""
    memory = Memory.open(str(path), embedder="hashing", clock=lambda: LATER, **options)
    for number, (agent, count) in enumerate(sizes.items()):
        rows = rows_of(agent, count, number)
        memory.store.append("edit", agent, rows, unit_id=f"fill-{agent}", recorded_at=START)
    memory.store.flush()
    return memory


@pytest.fixture(scope="module")
def three() -> Any:
    with filled("memory://", {"ana": 60, "rui": 60, "zoe": 24}) as memory:
        yield memory


async def test_every_agent_is_searched_and_only_those_named(three: Memory) -> None:
    """Without names a search covers every agent of the store; with names no row of another agent comes back."""
    everywhere = await three.search("a guitar in Recife", limit=60)
    assert set(everywhere["agent_id"]) == {"ana", "rui", "zoe"}
    assert set((await three.search("a guitar in Recife", agents=["rui"], limit=60))["agent_id"]) == {"rui"}
    nothing = await three.search("a guitar in Recife", as_of=START - timedelta(days=4000))
    assert nothing.is_empty()
    assert nothing.schema == (await three.search("a guitar in Recife")).schema, "no hits have the columns of some"


async def test_an_agent_that_never_wrote_is_a_mistake_not_an_empty_frame(three: Memory) -> None:
    """A name that the store never heard is refused with the nearest, among known ones too; so it is where nobody wrote."""
    with pytest.raises(ConfigError, match=r"agents names 'zoee', of whom this store never heard; did you mean 'zoe'\?"):
        await three.search("a guitar", agents=["ana", "zoee"])
    with pytest.raises(ConfigError, match="'nobody', of whom this store never heard; known: ana, rui, zoe"):
        await three.search("a guitar", agents=["nobody"], kind="turns")
    with filled("memory://", {}) as empty:
        with pytest.raises(ConfigError, match="nobody has written yet"):
            await empty.search("a guitar", agents=["ana"])
        assert (await empty.search("a guitar")).is_empty(), "nothing is true of a store that heard nobody"


async def test_hits_are_ranked_by_both_signals(three: Memory) -> None:
    """Ranks count from 1, scores fall, and the best hit for words that one fact holds is that fact; of turns too."""
    text = three.facts("ana")["text"][17]
    for kind in ("facts", "turns"):
        found = await three.search(text, kind=kind, limit=10)
        assert found["rank"].to_list() == list(range(1, 11))
        assert found["score"].is_sorted(descending=True)
        assert found["text"][0] == text
        assert found["semantic"][0] == pytest.approx(1.0, abs=1e-5)
        assert found["keyword"][0] == 1.0


async def test_an_index_changes_how_rows_are_found_not_which() -> None:
    """The same search gives the same frame before indexes are made, after, and past them."""
    with filled("memory://", {"ana": 80, "rui": 40}) as memory:
        plain = [await memory.search(query, limit=8) for query in ("piano in Porto", "Pessoa3", "nothing of it")]
        assert memory.index() == {"events": ("agent_id", "search_terms"), "facts": ("agent_id", "search_terms")}
        assert indexes.indexed(memory.store._tables, "facts") == {"agent_id", "search_terms"}
        for before, query in zip(plain, ("piano in Porto", "Pessoa3", "nothing of it"), strict=True):
            assert before.head(3).equals((await memory.search(query, limit=8)).head(3))
            assert before.head(3).equals((await memory.search(query, limit=8, exact=True)).head(3))


async def test_an_index_of_vectors_finds_what_looking_at_every_row_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for an agent that is a fiftieth of the store, the twenty nearest by index are those of an exact search."""
    monkeypatch.setattr(indexes, "VECTORS_FROM", 1000)
    with filled("memory://", {"large": 3000, "small": 60}) as memory:
        assert "emb" in memory.index()["facts"]
        for agents in (None, ["small"]):
            for query in ("violin in Hull", "who keeps a boat"):
                one = await memory.search(query, agents=agents)
                other = await memory.search(query, agents=agents, exact=True)
                assert len(set(one["id"]) & set(other["id"])) >= 19, (agents, query)


async def test_what_was_just_written_is_found(tmp_path: Path) -> None:
    """A fact that only the journal holds yet is found by its writer and by a reader, and an ended one is not, but as of then."""
    with Memory.open(str(tmp_path), embedder="hashing", clock=lambda: LATER) as memory:
        await memory.write("ana", "I live in Recife.", "Ana", occurred_at=START)
        await memory.write("ana", "I moved to Olinda.", "Ana", occurred_at=START + timedelta(days=90))
        with Memory.open(str(tmp_path), embedder="hashing", read_only=True, clock=lambda: LATER) as reader:
            for one in (memory, reader):
                now = (await one.search("Where does Ana live?"))["text"].to_list()
                assert "Ana lives in Olinda" in now
                assert "Ana lives in Recife" not in now
                then = await one.search("Where does Ana live?", as_of=START + timedelta(days=10))
                assert then["text"].to_list() == ["Ana lives in Recife"]
                assert len(await one.search("Recife", kind="turns", as_of=START + timedelta(days=10))) == 1


async def test_what_is_forgotten_is_in_no_index(tmp_path: Path) -> None:
    """After ``forget`` no search finds the words, and the certificate, which reads the files of indexes too, is clean."""
    with filled(tmp_path, {"ana": 30}) as memory:
        await memory.write("ana", "My locker is behind the xylophone.", "Ana", occurred_at=START)
        memory.index()
        fact = (await memory.search("xylophone"))["id"][0]
        certificate = memory.forget("ana", fact_id=fact)
        assert certificate.clean
        assert "xylophone" not in " ".join((await memory.search("xylophone locker", limit=50))["text"])
        assert not any(b"xylophone" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


async def test_an_agent_too_large_for_memory_answers_as_if_it_were_not(tmp_path: Path) -> None:
    """Read by the part near each question, the ten best facts and the turns are those of the whole view; small agents too."""
    filled(tmp_path, {"ana": 600, "rui": 12}).close()
    with Memory.open(
        str(tmp_path), embedder="hashing", clock=lambda: LATER, view_bytes=400_000, read_only=True
    ) as small:
        assert small.store.wide.heavy("ana")
        assert not small.store.wide.heavy("rui")
        with Memory.open(str(tmp_path), embedder="hashing", clock=lambda: LATER, read_only=True) as whole:
            for agent, query in (("ana", "What does Pessoa7 keep?"), ("ana", "violin Hull"), ("rui", "a boat")):
                asked = {"config_overrides": {"topk_facts": 10}, "verbose": True}
                one, other = await small.retrieve(agent, query, **asked), await whole.retrieve(agent, query, **asked)
                assert [fact.id for fact in one.facts] == [fact.id for fact in other.facts]
                assert one.context == other.context
            assert small.store.wide.heavy("ana"), "reading it by parts does not load it"


async def test_a_dead_embedder_leaves_words_and_names(tmp_path: Path) -> None:
    """In an agent read by parts, a failing embedder is told in ``degraded``, and words still find their facts."""
    filled(tmp_path, {"ana": 300}).close()
    with Memory.open(
        str(tmp_path), embedder="hashing", clock=lambda: LATER, view_bytes=100_000, read_only=True
    ) as memory:
        memory.embed = DeadEmbedder(after=0)
        memory.embed.dim, memory.embed.name = 256, "hashing-256"
        found = await memory.retrieve("ana", "What does Pessoa7 keep?")
        assert "semantic" in found.degraded
        assert any(fact.entity_name == "Pessoa7" for fact in found.facts)
        with pytest.raises(BackendError):
            await memory.search("Pessoa7")


async def test_what_makes_no_sense_is_refused(three: Memory) -> None:
    """An unknown kind, nobody to ask, a limit of nothing and a time without an offset are told by name."""
    for asked, said in (
        ({"kind": "fact"}, "did you mean 'facts'"),
        ({"agents": []}, "names nobody"),
        ({"agents": "ana"}, "agents wants a list"),
        ({"limit": 0}, "limit=0"),
        ({"as_of": datetime(2025, 1, 1)}, "UTC offset"),
    ):
        with pytest.raises(ConfigError, match=said):
            await three.search("x", **asked)  # type: ignore[arg-type]
    assert len(await three.search("  ")) == 0
