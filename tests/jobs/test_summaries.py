"""Summaries and profiles of entities."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from at_rest import AGENT, TOLD, Bench

from arandu_lab.llm.open import open_minds
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.records import Entity

SUMMARIES, PROFILES = "refresh_entity_summaries", "consolidate_entity_profiles"
MANY = tuple((name, f"I live in {city} and work at {firm}.") for name, city, firm in zip(
    ("Rafael", "Ana", "Bruno", "Carla", "Davi", "Elisa", "Fabio"),
    ("Recife", "Olinda", "Natal", "Belo Horizonte", "Porto Alegre", "Salvador", "Curitiba"),
    ("Orion", "Vega", "Lira", "Argos", "Norma", "Pavo", "Crux"), strict=True,
))  # fmt: skip


def texts(bench: Bench, what: str) -> dict[str, str | None]:
    """Entity key -> its summary or profile."""
    return {one.key: getattr(one, f"{what}_text") for one in bench.memory.store.view(AGENT).entities()}


def test_every_entity_gets_its_turn(make: Callable[..., Bench]) -> None:
    """J7: what is up to date is left out before the limit of a run, so runs of two reach everybody, each once."""
    bench = make(turns=MANY)
    total = len(texts(bench, "summary"))
    written: list[str] = []
    for _ in range(total // 2 + 1):
        found = bench.run(SUMMARIES, summary_batch=2)
        written += [one.after.key for one in found.changed if isinstance(one.after, Entity)]
    assert sorted(written) == sorted(texts(bench, "summary"))
    assert bench.run(SUMMARIES, summary_batch=2).skipped


def test_important_ones_first(make: Callable[..., Bench]) -> None:
    """J2: importance decides whose summary is written first; the job before it moves that."""
    bench = make(turns=(*MANY, *(("Davi", f"I visited {place}.") for place in ("Lisbon", "Porto", "Braga", "Faro"))))
    bench.run("compute_entity_importance")
    first = bench.run(SUMMARIES, summary_batch=1).changed[0].after
    assert isinstance(first, Entity)
    assert first.key == "person:davi"


def test_old_and_overtaken(told: Bench) -> None:
    """J4, J9: a summary is written again when it is seven days old and something was said since; else nothing is asked."""
    told.run(SUMMARIES)
    told.wait(days=8)
    assert told.run(SUMMARIES).changed == ()
    told.tell(("Ana", "I moved to Olinda."))
    assert told.run(SUMMARIES).changed  # those of before are 8 days old, and one is overtaken
    before = texts(told, "summary")["person:ana"]
    told.tell(("Ana", "I moved to Natal."))
    told.run(SUMMARIES)
    assert texts(told, "summary")["person:ana"] == before
    told.wait(days=8)
    told.run(SUMMARIES)
    assert texts(told, "summary")["person:ana"] != before


def test_profile_is_the_jobs(told: Bench) -> None:
    """W19: a write seeds a profile and never touches it again; the job writes it anew from all facts, once it is old."""
    told.tell(("Ana", "I have a dog called Bento."), ("Ana", "I moved to Olinda."))
    told.wait(days=8)
    told.tell(("Ana", "I play the violin."), ("Rafael", "I play the guitar."))
    told.run(PROFILES)
    profile = texts(told, "profile")["person:ana"] or ""
    assert "Olinda" in profile
    assert "violin" in profile


def test_profile_reaches_extraction(told: Bench) -> None:
    """J2: what the job wrote is what the next message's extraction is shown of the entity."""
    told.wait(days=8)
    told.tell(("Ana", "I play the violin."), ("Rafael", "I play the guitar."))
    told.run(PROFILES)
    model = Scripted(by_task={"extract": {"facts": []}}, default={})
    told.memory.llm = open_minds(model)
    told.tell(("Rafael", "Ana is here."))
    (shown,) = [one for one in model.calls[0].inputs["known"] if one["name"] == "Ana"]
    assert shown["profile"] == texts(told, "profile")["person:ana"]


def test_summary_reaches_the_context(told: Bench) -> None:
    """J2: a question that names somebody shows the summary of them among the patterns."""
    question = "What do you know about Ana?"
    before = told.ask(question).context
    told.run(SUMMARIES)
    told.memory.llm = open_minds("offline/rules")
    summary = texts(told, "summary")["person:ana"]
    assert summary
    assert summary not in before
    assert "Observed patterns" in told.ask(question).context


def test_bad_answers_leave_what_was_there(told: Bench) -> None:
    """A12, J4: an empty, broken or missing answer leaves the summary that stood; one that failed alone is told."""
    told.run(SUMMARIES)
    before = texts(told, "summary")
    told.wait(days=8)
    told.tell(("Ana", "I play the violin."), ("Rafael", "I play the guitar."))
    for answer in ({"summary": ""}, {"summary": None}, "garbage", {"summary": 7}, fail("timeout")):
        told.memory.llm = open_minds(Scripted(by_task={"summary": answer}))
        result = told.run(SUMMARIES)
        now = texts(told, "summary")
        assert {key: now[key] for key in before} == before
        assert not result.success or result.left
    queue: Sequence[Any] = [{"summary": "Ana lives in Olinda."}, *[fail("refused")] * 9]
    told.memory.llm = open_minds(Scripted(by_task={"summary": queue}))
    result = told.run(SUMMARIES)
    assert result.success
    assert len(result.changed) == 1
    assert "refused" in result.left[0].why


def test_summary_of_what_is_over_goes(told: Bench) -> None:
    """J5: when nothing that is told of an entity holds any more, its summary goes, and the journal has it."""
    told.run(SUMMARIES)
    facts = told.memory.facts(AGENT).filter(told.memory.facts(AGENT)["entity_name"] == "Ana")
    assert texts(told, "summary")["organization:hospital_da_luz"] is not None
    assert facts.height
    told.tell(("Ana", "I no longer work at Hospital da Luz. Eu não trabalho mais no Hospital da Luz."))
    left = told.memory.store.view(AGENT)
    held = left.facts.live(as_of=told.now)
    if not held[left.linked("organization:hospital_da_luz")].any():
        told.run(SUMMARIES)
        assert texts(told, "summary")["organization:hospital_da_luz"] is None


def test_most_facts_are_shown(make: Callable[..., Bench]) -> None:
    """J1: at most ``profile_max_facts`` facts are shown, as words with dates under indices, never ids."""
    bench = make(turns=[("Rafael", f"I visited the town of Vila{n}.") for n in range(8)])
    model = Scripted(default={"profile": "Rafael travels."})
    bench.memory.llm = open_minds(model)
    bench.run(PROFILES, profile_max_facts=3, summary_refresh_interval_days=0.001)
    asked = next(call.inputs for call in model.calls if call.inputs["name"] == "Rafael")
    assert [set(one) for one in asked["facts"]] == [{"i", "text", "since"}] * 3
    assert not any(row.id in str(asked) for row in bench.memory.store.view(AGENT).rows() if hasattr(row, "id"))


def test_cycle_in_portuguese(make: Callable[..., Bench]) -> None:
    """J9: a cycle over a Portuguese memory runs whole, and at once again changes nothing and asks nothing."""
    bench = make(turns=TOLD)
    first = asyncio.run(bench.memory.jobs.cycle(AGENT, config_overrides={"profile_language": "portuguese"}))
    assert first.success
    again = asyncio.run(bench.memory.jobs.cycle(AGENT, config_overrides={"profile_language": "portuguese"}))
    assert sum(len(one.changed) for one in again.results) == 0
    assert again.usage.calls == 0
