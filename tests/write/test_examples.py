"""The worked examples of the write document, with a scripted model and prescribed similarities."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.llm.scripted import Scripted
from arandu_lab.memory import Memory

AGENT = "user_123"


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


def open_memory(llm: Scripted, embed: ScriptedEmbedder | None = None, **kw: Any) -> Memory:
    return Memory.open("memory://", llm=llm, embedder=embed or ScriptedEmbedder(), **kw)


JOB_CHANGE = {
    "entities": [
        {"name": "Clara Rezende", "type": "person"},
        {"name": "Vertix", "type": "organization"},
        {"name": "Orion Tech", "type": "organization"},
        {"name": "Thiago Nogueira", "type": "person"},
    ],
    "facts": [
        {
            "subject": "Clara Rezende",
            "text": "Clara Rezende left Vertix",
            "action": "NEW",
            "importance_category": "relationship_change",
        },
        {
            "subject": "Clara Rezende",
            "text": "Clara Rezende joined Orion Tech as head of engineering",
            "action": "NEW",
            "importance_category": "relationship_change",
        },
        {
            "subject": "Thiago Nogueira",
            "text": "Thiago Nogueira personally hired Clara Rezende",
            "action": "NEW",
            "importance_category": "specific_event",
        },
    ],
    "relations": [
        {"source": "Clara Rezende", "target": "Vertix", "type": "former_employee_of"},
        {"source": "Clara Rezende", "target": "Orion Tech", "type": "works_at"},
        {"source": "Thiago Nogueira", "target": "Clara Rezende", "type": "hired"},
    ],
    "updated_profiles": {
        "Clara Rezende": "Former software engineer at Vertix. Now head of engineering at Orion Tech, hired personally by "
        "Thiago Nogueira."
    },
}
MESSAGE = "Clara Rezende saiu da Vertix e foi pra Orion Tech como head de engenharia. O Thiago Nogueira a contratou pessoalmente."
SEED = {
    "entities": [{"name": "Clara Rezende", "type": "person"}, {"name": "Vertix", "type": "organization"}],
    "facts": [{"subject": "Vertix", "text": "Vertix makes software"}],
    "updated_profiles": {"Clara Rezende": "Software engineer at Vertix since 2023."},
}


async def test_job_change_informed() -> None:
    """The job change with two organisations: one call, four entities, three facts, three edges, each resting on a fact."""
    llm = Scripted(by_task={"extract": [SEED, JOB_CHANGE]})
    with open_memory(llm) as memory:
        await memory.write(AGENT, "Clara Rezende e Vertix.", "Rafael", occurred_at=at(2024, 1, 1))
        result = await memory.write(AGENT, MESSAGE, "Rafael", occurred_at=at(2025, 1, 1))
        assert result.success
        assert result.usage.calls == 1, "nothing ambiguous, nothing similar: one call (W3)"
        assert [fact.text for fact in result.facts_added] == [fact["text"] for fact in JOB_CHANGE["facts"]]
        named = {r.name for r in result.entities_resolved}
        assert {"Clara Rezende", "Vertix", "Orion Tech", "Thiago Nogueira"} <= named
        known = {entry["name"]: entry for entry in llm.calls[1].inputs["known"]}
        assert known["Clara Rezende"]["profile"] == "Software engineer at Vertix since 2023."
        assert [fact["text"] for fact in known["Vertix"]["facts"]] == ["Vertix makes software"]
        edges = {(r["source_key"], r["rel_type"], r["target_key"]): r for r in memory.relationships(AGENT).to_dicts()}
        assert set(edges) == {
            ("person:clara_rezende", "former_employee_of", "organization:vertix"),
            ("person:clara_rezende", "works_at", "organization:orion_tech"),
            ("person:thiago_nogueira", "hired", "person:clara_rezende"),
        }
        by_text = {fact.text: fact.id for fact in result.facts_added}
        works = edges["person:clara_rezende", "works_at", "organization:orion_tech"]
        assert works["evidence_fact_ids"] == [by_text["Clara Rezende joined Orion Tech as head of engineering"]]
        assert works["strength"] == 0.8
        importance = {fact.text: fact.importance for fact in result.facts_added}
        assert importance["Clara Rezende left Vertix"] == 0.90
        assert importance["Thiago Nogueira personally hired Clara Rezende"] == 0.65


async def test_job_change_keeps_profile() -> None:
    """W19: the write seeds a profile where none stands and never overwrites one."""
    llm = Scripted(by_task={"extract": [SEED, JOB_CHANGE]})
    with open_memory(llm) as memory:
        await memory.write(AGENT, "Clara Rezende e Vertix.", "Rafael", occurred_at=at(2024, 1, 1))
        await memory.write(AGENT, MESSAGE, "Rafael", occurred_at=at(2025, 1, 1))
        clara = memory.store.view(AGENT).entity("person:clara_rezende")
        assert clara is not None
        assert clara.profile_text == "Software engineer at Vertix since 2023."


async def test_links_cross_entity() -> None:
    """A fact is stored once and linked to every entity it names: the subject primary, Orion Tech secondary."""
    with open_memory(Scripted(by_task={"extract": [JOB_CHANGE]})) as memory:
        result = await memory.write(AGENT, MESSAGE, "Rafael", occurred_at=at(2025, 1, 1))
        view = memory.store.view(AGENT)
        joined = next(f for f in result.facts_added if "joined" in f.text)
        assert joined.entity_key == "person:clara_rezende"
        assert view.keys_of(joined.id) == ("person:clara_rezende", "organization:orion_tech")
        assert joined.confidence == 0.95
        assert joined.valid_from == at(2025, 1, 1)
        assert joined.valid_to is None


async def test_job_change_blind() -> None:
    """When the informed answer fails, three blind calls reach the same facts, entities and edges, and the result says so."""
    blind = {
        "entities": {"entities": JOB_CHANGE["entities"]},
        "facts": {"facts": [{k: v for k, v in f.items() if k != "action"} for f in JOB_CHANGE["facts"]]},
        "relations": {"relations": JOB_CHANGE["relations"]},
    }
    from arandu_lab.llm.scripted import fail

    llm = Scripted(by_task={"extract": fail("timeout"), **{task: [answer] for task, answer in blind.items()}})
    with open_memory(llm) as memory:
        result = await memory.write(
            AGENT, MESSAGE, "Rafael", occurred_at=at(2025, 1, 1), config_overrides={"extraction_timeout_sec": 0.2}
        )
        assert result.success
        assert result.mode == "blind"
        assert result.degraded == ("informed",)
        assert result.failures[0].kind == "timeout"
        assert [fact.text for fact in result.facts_added] == [fact["text"] for fact in JOB_CHANGE["facts"]]
        assert memory.relationships(AGENT).height == 3


MOVE = ("Ricardo Gomes lives in São Paulo", "Ricardo Gomes moved to Austin, Texas")


async def test_move_to_another_city() -> None:
    """The move: similarity .72 asks the model, UPDATE closes the old fact, links the new, the old edge falls, a new one stands."""
    llm = Scripted(
        by_task={
            "extract": [
                {
                    "entities": [
                        {"name": "Ricardo Gomes", "type": "person"},
                        {"name": "São Paulo", "type": "place"},
                    ],
                    "facts": [{"subject": "Ricardo Gomes", "text": MOVE[0]}],
                    "relations": [{"source": "Ricardo Gomes", "type": "lives_in", "target": "São Paulo"}],
                },
                {
                    "entities": [{"name": "Ricardo Gomes", "type": "person"}, {"name": "Austin", "type": "place"}],
                    "facts": [{"subject": "Ricardo Gomes", "text": MOVE[1], "action": "UPDATE"}],
                    "relations": [{"source": "Ricardo Gomes", "type": "lives_in", "target": "Austin"}],
                },
            ],
            "reconcile": [{"verdicts": [{"i": 0, "action": "UPDATE", "known": 0}]}],
        }
    )
    with open_memory(llm, ScriptedEmbedder({MOVE: 0.72})) as memory:
        first = await memory.write(AGENT, "Ricardo mora em São Paulo", "Ana", occurred_at=at(2024, 5, 1))
        second = await memory.write(
            AGENT, "Ricardo se mudou pra Austin, Texas.", "Ana", occurred_at=at(2024, 9, 1), verbose=True
        )
        old, new = first.facts_added[0], second.facts_updated[0]
        assert new.supersedes_fact_id == old.id
        closed = memory.store.view(AGENT).fact(old.id)
        assert closed is not None
        assert closed.valid_to == at(2024, 9, 1)
        assert closed.invalidated_at is not None
        assert closed.closed_by == "update"
        asked = llm.calls[-1].inputs["items"][0]
        assert asked["known"] == [{"i": 0, "text": MOVE[0], "since": "2024-05-01"}], "by index, never by id"
        edges = memory.relationships(AGENT).to_dicts()
        assert [(e["source_key"], e["rel_type"], e["target_key"]) for e in edges] == [
            ("person:ricardo_gomes", "lives_in", "place:austin")
        ]
        before = memory.relationships(AGENT, as_of=at(2024, 6, 1)).to_dicts()
        assert [e["target_key"] for e in before] == ["place:sao_paulo"]
        assert memory.facts(AGENT, as_of=at(2024, 6, 1))["text"].to_list() == [MOVE[0]]
        assert memory.facts(AGENT)["text"].to_list() == [MOVE[1]]


async def test_fast_path_below_gate() -> None:
    """Below .50 the fact is added without a call ("Ricardo gosta de jazz")."""
    jazz = "Ricardo Gomes likes jazz"
    answer = {
        "entities": [{"name": "Ricardo Gomes", "type": "person"}],
        "facts": [{"subject": "Ricardo Gomes", "text": MOVE[0]}],
    }
    llm = Scripted(by_task={"extract": [answer, {**answer, "facts": [{"subject": "Ricardo Gomes", "text": jazz}]}]})
    with open_memory(llm, ScriptedEmbedder({(MOVE[0], jazz): 0.49})) as memory:
        await memory.write(AGENT, "um", "Ana", occurred_at=at(2024, 5, 1))
        result = await memory.write(AGENT, "dois", "Ana", occurred_at=at(2024, 6, 1))
        assert result.usage.calls == 1
        assert [d.why for d in result.decided] == ["fresh"]


async def test_nickname() -> None:
    """The nickname: "Guili" is .87 like "Guilherme", both resolve to one entity, and the next "Guili" is exact without a call."""
    llm = Scripted(
        by_task={
            "extract": [
                {
                    "entities": [{"name": "Guilherme", "type": "person"}],
                    "facts": [{"subject": "Guilherme", "text": "Guilherme runs a project"}],
                },
                {
                    "entities": [{"name": "Guili", "type": "person"}, {"name": "Guilherme", "type": "person"}],
                    "facts": [{"subject": "Guilherme", "text": "Guilherme said that it is on time"}],
                },
                {
                    "entities": [{"name": "Guili", "type": "person"}],
                    "facts": [{"subject": "Guili", "text": "Guili bought a boat"}],
                },
            ]
        }
    )
    embed = ScriptedEmbedder({("Guili", "Guilherme"): 0.87})
    with open_memory(llm, embed) as memory:
        await memory.write(AGENT, "O Guilherme toca um projeto.", "Rafael", occurred_at=at(2025, 1, 1))
        second = await memory.write(
            AGENT,
            "Falei com o Guili sobre o projeto. O Guilherme disse que tá no prazo.",
            "Rafael",
            occurred_at=at(2025, 1, 2),
        )
        how = {r.name: (r.key, r.how) for r in second.entities_resolved}
        assert how["Guilherme"] == ("person:guilherme", "exact")
        assert how["Guili"] == ("person:guilherme", "fuzzy")
        third = await memory.write(AGENT, "O Guili comprou um barco.", "Rafael", occurred_at=at(2025, 1, 3))
        assert {r.name: r.how for r in third.entities_resolved}["Guili"] == "exact"
        assert all(call.task == "extract" for call in llm.calls)


async def test_alias_grouping() -> None:
    """ "meu amigo Guili (Guilherme Maturana)": one entity with an alias, subjects rewritten, the identity relation dropped."""
    llm = Scripted(
        by_task={
            "extract": [
                {
                    "entities": [{"name": "Guilherme Maturana", "type": "Person", "aliases": ["Guili"]}],
                    "facts": [{"subject": "Guili", "text": "Guilherme Maturana is a friend of Rafael"}],
                    "relations": [
                        {"source": "Guili", "type": "same_as", "target": "Guilherme Maturana"},
                        {"source": "Guili", "type": "friend_of", "target": "Rafael"},
                    ],
                }
            ]
        }
    )
    with open_memory(llm) as memory:
        result = await memory.write(AGENT, "meu amigo Guili (Guilherme Maturana)", "Rafael", occurred_at=at(2025, 1, 1))
        assert result.facts_added[0].entity_key == "person:guilherme_maturana"
        assert memory.store.view(AGENT).aliases()["guili"] == ("person:guilherme_maturana",)
        edges = memory.relationships(AGENT).to_dicts()
        assert [(e["source_key"], e["rel_type"], e["target_key"]) for e in edges] == [
            ("person:guilherme_maturana", "friend_of", "person:rafael")
        ]


async def test_curitiba_cascade() -> None:
    """ "Moro em Curitiba", then "Me mudei pra São Paulo": the edge to Curitiba falls with its fact, one to São Paulo stands."""
    old, new = "Rafael mora em Curitiba", "Rafael mora em São Paulo"
    llm = Scripted(
        by_task={
            "extract": [
                {
                    "entities": [{"name": "Curitiba", "type": "place"}],
                    "facts": [{"subject": "Rafael", "text": old}],
                    "relations": [{"source": "Rafael", "type": "lives_in", "target": "Curitiba"}],
                },
                {
                    "entities": [{"name": "São Paulo", "type": "place"}],
                    "facts": [{"subject": "Rafael", "text": new}],
                    "relations": [{"source": "Rafael", "type": "lives_in", "target": "São Paulo"}],
                },
            ],
            "reconcile": [{"verdicts": [{"i": 0, "action": "UPDATE", "known": 0}]}],
        }
    )
    with open_memory(llm, ScriptedEmbedder({(old, new): 0.8})) as memory:
        await memory.write(AGENT, "Moro em Curitiba", "Rafael", occurred_at=at(2024, 1, 1))
        await memory.write(AGENT, "Me mudei pra São Paulo", "Rafael", occurred_at=at(2024, 7, 1))
        every = {e.target_key: e for e in memory.store.view(AGENT).edges()}
        assert every["place:curitiba"].valid_to == at(2024, 7, 1)
        assert every["place:sao_paulo"].valid_to is None


async def test_mirror_fact() -> None:
    """ "vou pra Curitiba ver minha mãe": the edge that no fact states gets a mirror fact of confidence .60, which is its evidence."""
    llm = Scripted(
        by_task={
            "extract": [
                {
                    "entities": [{"name": "Lúcia", "type": "person"}, {"name": "Curitiba", "type": "place"}],
                    "facts": [{"subject": "Rafael", "text": "Rafael is going on a trip"}],
                    "relations": [{"source": "Lúcia", "type": "lives_in", "target": "Curitiba"}],
                }
            ]
        }
    )
    with open_memory(llm) as memory:
        result = await memory.write(
            AGENT, "I am going on a trip to see Lúcia, my mother.", "Rafael", occurred_at=at(2025, 1, 1)
        )
        mirror = next(f for f in result.facts_added if f.source_context)
        assert mirror.text == "Lúcia lives in Curitiba"
        assert mirror.confidence == 0.60
        assert mirror.source_context == "inferred_from_relation"
        assert mirror.speaker == "Rafael"
        assert memory.relationships(AGENT)["evidence_fact_ids"].to_list() == [[mirror.id]]


async def test_dry_run_stores_nothing() -> None:
    """A dry run reports the facts a write would store, with their ids and cost, and leaves the store as it was."""
    answer = {
        "entities": [{"name": "Ana", "type": "person"}, {"name": "São Paulo", "type": "place"}],
        "facts": [
            {"subject": "Rafael", "text": "Rafael mora em São Paulo"},
            {"subject": "Ana", "text": "Ana é esposa de Rafael"},
        ],
    }
    llm = Scripted(by_task={"extract": answer})
    with open_memory(llm) as memory:
        said = {
            "message": "Eu moro em São Paulo com minha esposa Ana",
            "speaker_name": "Rafael",
            "occurred_at": at(2025, 1, 1),
        }
        dry = await memory.write(AGENT, **said, dry_run=True)  # type: ignore[arg-type]
        assert memory.events(AGENT).height == 0
        assert memory.facts(AGENT).height == 0
        real = await memory.write(AGENT, **said)  # type: ignore[arg-type]
        assert [f.id for f in dry.facts_added] == [f.id for f in real.facts_added]
        assert dry.tokens_used.total_tokens == real.tokens_used.total_tokens > 0


async def test_yesterday_from_occurred_at() -> None:
    """The prompt carries the date of the message, and a date the model resolves becomes the fact's valid_from."""
    llm = Scripted(
        by_task={
            "extract": [
                {
                    "facts": [
                        {
                            "subject": "Rafael",
                            "text": "Rafael moved to a new apartment in Brooklyn on 14 June 2025",
                            "valid_from": "2025-06-14",
                        }
                    ]
                }
            ]
        }
    )
    with open_memory(llm) as memory:
        result = await memory.write(
            AGENT,
            "Yesterday I moved to a new apartment in Brooklyn",
            "Rafael",
            occurred_at=datetime(2025, 6, 15, tzinfo=UTC),
        )
        assert "June 15, 2025" in llm.calls[0].inputs["sent_on"]
        assert result.facts_added[0].valid_from == datetime(2025, 6, 14, tzinfo=UTC)
        event = memory.events(AGENT).row(0, named=True)
        assert event["occurred_at"] == datetime(2025, 6, 15, tzinfo=UTC)
