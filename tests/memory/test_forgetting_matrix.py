"""Every kind of thing that can be forgotten, against every voice in which a memory speaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from forgetful import PLAIN, SECRET, T0, fact_of, told

from arandu_lab import Memory
from arandu_lab.records import Changes, Cluster, Entity, Fact, Link, Observation, Relationship
from arandu_lab.store import segments
from arandu_lab.store.schema import PROJECTIONS
from arandu_lab.store.tables import Tables

Open = Callable[..., Memory]
WORD = "ZQX-4417"
KINDS = ("fact", "event", "entity", "agent")


async def full(memory: Memory) -> dict[str, str]:
    """One secret in every kind of row: turn, fact, old version, entity, profile, edge, cluster, observation; ids by kind."""
    turn = await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    view = memory.store.view("a")
    secret, plain = fact_of(memory, SECRET), fact_of(memory, PLAIN)
    fact: Any = view.fact(secret)
    iris: Any = view.entity(fact.entity_key)
    vector = (await memory.embed(["cofre"]))[0]
    rows = (
        replace(iris, profile_text=f"Íris. Código {WORD}.", profile_at=T0),
        Entity(key="thing:zqx", agent_id="a", name=f"cofre {WORD}", type="thing", recorded_at=T0),
        Link(fact_id=secret, agent_id="a", entity_key="thing:zqx", primary=False, recorded_at=T0),
        Relationship(
            id="r1", agent_id="a", source_key=iris.key, target_key="thing:zqx", rel_type="owns", strength=0.8,
            evidence_fact_ids=(secret,), valid_from=T0, recorded_at=T0,
        ),
        Cluster(
            id="c1", agent_id="a", label="cofre", summary=f"código {WORD}", fact_ids=(secret, plain), recorded_at=T0,
            vector=vector,
        ),
        Observation(
            id="o1", agent_id="a", kind="insight", text=f"guarda {WORD}", confidence=0.5, evidence_ids=(secret,),
            recorded_at=T0, vector=vector,
        ),
        Observation(
            id="o2", agent_id="a", kind="pattern", text="Íris mora e guarda", confidence=0.5,
            evidence_ids=(secret, plain), recorded_at=T0,
        ),
    )  # fmt: skip
    memory.commit(Changes(agent_id="a", rows=rows), unit_id="job:1", kind="job")
    memory.store.flush()
    return {"fact": secret, "event": turn.event_id, "entity": "thing:zqx", "agent": "a", "plain": plain}


def voices(memory: Memory, folder: Path) -> dict[str, Callable[[], Any]]:
    """Each way in which a memory of "a" tells something, as text."""

    def signal(*off: str) -> Callable[[], Any]:
        async def asked() -> str:
            pipeline = memory.read_pipeline
            for name in off:
                memory.read_pipeline = memory.read_pipeline.without(name)
            try:
                found = await memory.retrieve("a", f"Qual o código {WORD} do cofre da Íris?")
            finally:
                memory.read_pipeline = pipeline
            return f"{found.context} {[one.fact_text for one in found.facts]} {found.events}"

        return asked

    def exported() -> str:
        if "a" not in memory.store.agents() or not list(memory.store.view("a").rows()):
            return ""
        return memory.export("a", folder / "out.jsonl", overwrite=True).path.read_text(encoding="utf-8")

    def forked() -> str:
        with memory.fork() as copy:
            return " ".join(map(repr, copy.store.view("a").rows()))

    view = lambda: memory.store.view("a")  # noqa: E731
    return {
        "semantic": signal("keyword", "graph"),
        "keyword": signal("semantic", "graph"),
        "graph": signal("semantic", "keyword"),
        "all signals and turns": signal(),
        "profile": lambda: [row.profile_text for row in view().rows() if isinstance(row, Entity)],
        "cluster": lambda: list(view().clusters()),
        "observations": lambda: list(view().observations()),
        "turns": lambda: memory.events("a")["text"].to_list(),
        "facts": lambda: memory.facts("a")["text"].to_list(),
        "history": lambda: [memory.history("a", fact)["text"].to_list() for fact in view().facts.ids],
        "known before": lambda: memory.facts("a", known_at=T0.replace(year=2030))["text"].to_list(),
        "entities": lambda: memory.entities("a").rows(),
        "edges": lambda: [(edge.source_key, edge.target_key) for edge in view().edges()],
        "units": lambda: memory.units("a").rows(),
        "backlog": lambda: memory.backlog("a").rows(),
        "tables": lambda: [memory.store.frame(table, "a").rows() for table in PROJECTIONS],
        "export": exported,
        "fork": forked,
    }


async def heard(voice: Callable[[], Any]) -> str:
    found = voice()
    return str(await found if hasattr(found, "__await__") else found)


@pytest.mark.parametrize("kind", KINDS)
async def test_no_voice_speaks_of_what_is_forgotten(opened: Open, tmp_path: Path, kind: str) -> None:
    """J2, J3, J7, J8: after any kind of forgetting no voice has the word, before it enough have; the same after a rebuild."""
    memory = opened()
    known = await full(memory)
    all_voices = voices(memory, tmp_path)
    spoke = {name for name, voice in all_voices.items() if WORD in await heard(voice)}
    assert spoke >= set(all_voices) - {"edges", "units", "backlog", "graph"}, "the control: the voices can tell"
    how: dict[str, Any] = {"fact": "fact_id"}
    target = {"everything": True} if kind == "agent" else {how.get(kind, kind): known[kind]}
    done = memory.forget("a", **target)  # type: ignore[arg-type]
    assert done.clean, str(done)
    for _ in range(2):
        for name, voice in all_voices.items():
            said = await heard(voice)
            assert WORD not in said, name
            assert "thing:zqx" not in said, name
        memory.rebuild()
    left = {one.id: one.evidence_ids for one in memory.store.view("a").observations()}
    assert left.get("o1") is None
    if kind in ("fact", "event"):
        assert memory.facts("a")["text"].to_list() == [PLAIN]
        assert left in ({"o2": (known["plain"],)}, {}), "shared evidence survives with one less, or the text told it"
    if kind == "agent":
        assert list(memory.store.view("a").rows()) == []


async def test_shared_evidence_survives_with_one_less(opened: Open) -> None:
    """J8: an observation of two facts keeps the other one, and its words; a cluster, which its job makes anew, goes."""
    memory = opened()
    await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    secret, plain = fact_of(memory, SECRET), fact_of(memory, PLAIN)
    both = Observation(
        id="o",
        agent_id="a",
        kind="pattern",
        text="Íris mora",
        confidence=0.5,
        evidence_ids=(secret, plain),
        recorded_at=T0,
    )
    group = Cluster(id="c", agent_id="a", label="Íris", summary="mora", fact_ids=(secret, plain), recorded_at=T0)
    rows = (
        both,
        group,
        replace(both, id="alone", evidence_ids=(secret,)),
        replace(group, id="alone", fact_ids=(secret,)),
    )
    memory.commit(Changes(agent_id="a", rows=rows), unit_id="job:1", kind="job")
    memory.forget("a", fact_id=secret)
    view = memory.store.view("a")
    assert [(one.id, one.text, one.evidence_ids) for one in view.observations()] == [("o", PLAIN, (plain,))]
    assert view.clusters() == ()


def load(memory: Memory, facts: int) -> None:
    """So many facts in units of a hundred."""
    for start in range(0, facts, 100):
        rows: list[Any] = [Entity(key="person:otto", agent_id="a", name="Otto", type="person", recorded_at=T0)]
        for n in range(start, start + 100):
            rows.append(
                Fact(
                    id=f"f{n}", agent_id="a", entity_key="person:otto", entity_name="Otto", text=f"Otto lê o livro {n} inteiro",
                    confidence=0.9, importance=0.5, category="c", speaker="Bob", source_event_id="e", valid_from=T0,
                    recorded_at=T0,
                )
            )  # fmt: skip
            rows.append(Link(fact_id=f"f{n}", agent_id="a", entity_key="person:otto", primary=True, recorded_at=T0))
        memory.commit(Changes(agent_id="a", rows=tuple(rows)), unit_id=f"write:{start}")
    memory.store.flush()


def test_forgetting_touches_what_it_forgets(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """H7: from 100 and from 4,000 facts: the same rows go, one unit of the journal is rewritten, and a table is written once."""
    counted: list[dict[str, Any]] = []
    for size in (100, 4000):
        memory = opened()
        load(memory, size)
        work: dict[str, Any] = {"units": 0, "merged": 0, "tables": []}

        def rewrite(tables: Tables, units: Any, work: dict[str, Any] = work, was: Any = segments.rewrite) -> None:
            work["units"] += len(units)
            was(tables, units)

        def anew(self: Tables, table: str, work: dict[str, Any] = work, was: Any = Tables.write_anew) -> None:
            work["tables"].append(table)
            was(self, table)

        def merge(self: Tables, table: str, rows: Any, work: dict[str, Any] = work, was: Any = Tables.merge) -> None:
            work["merged"] += len(rows)
            was(self, table, rows)

        with monkeypatch.context() as watched:
            watched.setattr(segments, "rewrite", rewrite)
            watched.setattr(Tables, "write_anew", anew)
            watched.setattr(Tables, "merge", merge)
            done = memory.forget("a", fact_id="f7")
        assert done.removed == {"facts": 1, "fact_entity_links": 1}
        counted.append(work)
        memory.close()
    assert counted[0] == counted[1]
    assert counted[0]["units"] == 1
    assert sorted(counted[0]["tables"]) == ["fact_entity_links", "facts", "journal_archive"]
