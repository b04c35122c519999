"""Claims about whose statement a fact is: what an assistant says, and a person's own word on it (G2, W20)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from arandu_lab.records import (
    Decision,
    Extraction,
    Fact,
    KnownEntity,
    NewEntity,
    NewFact,
    NewRelation,
    Reconciliation,
    Turn,
)
from arandu_lab.write.roles import SAID, SUPPOSED, attributed, keep_statements

NOW = datetime(2025, 6, 15, tzinfo=UTC)
LEVELS = {"speculation": 0.3, "weak": 0.55}


def turn(speaker: str = "assistant") -> Turn:
    """A turn."""
    return Turn(agent_id="a", text="x", speaker=speaker, occurred_at=NOW, event_id="e")


def new(subject: str, **more: Any) -> NewFact:
    """A fact that was read."""
    return NewFact(
        **{"subject": subject, "text": f"{subject} x", "confidence": 0.9, "category": "c", "importance": 0.5, **more}
    )


def extraction(*subjects: str, speaker: str = "assistant", **more: Any) -> Extraction:
    """What was read of a turn."""
    entities = (
        NewEntity(name="Ana", type="person", aliases=("Nina",)), NewEntity(name="Natal", type="place"), NewEntity(name="Zyx", type="concept"),
    )  # fmt: skip
    known = (
        KnownEntity(key="person:caio", name="Caio", type="person"),
        KnownEntity(key="place:rio", name="Rio", type="place"),
    )
    return Extraction(turn=turn(speaker), entities=entities, known=known, facts=tuple(map(new, subjects)), **more)


@pytest.mark.parametrize(
    ("subject", "context", "confidence"),
    [
        ("Ana", SUPPOSED, 0.3), ("Nina", SUPPOSED, 0.3), ("Caio", SUPPOSED, 0.3), ("you", SUPPOSED, 0.3), ("Nobody Known", SUPPOSED, 0.3),
        ("Natal", SAID, 0.55), ("Rio", SAID, 0.55), ("assistant", SAID, 0.55), ("I", SAID, 0.55),
    ],
)  # fmt: skip
def test_what_an_assistant_says(subject: str, context: str, confidence: float) -> None:
    """G2: of a person, or of who may be one, it is a supposition; of itself or of a thing its own, weak statement."""
    [fact] = attributed(extraction(subject), LEVELS).facts
    assert (fact.source_context, fact.confidence) == (context, confidence)


def test_an_assistant_replaces_nothing() -> None:
    """G2: its facts name no older one and are never surer than they were; without levels .4 and .6 are the most."""
    sure, unsure = new("Ana", hint="UPDATE", hint_fact_id="f1"), new("Ana", confidence=0.1)
    found = attributed(replace(extraction(), facts=(sure, unsure, new("Rio"))), {}).facts
    assert [(one.hint, one.hint_fact_id, one.confidence) for one in found] == [
        ("NEW", None, 0.4),
        ("NEW", None, 0.1),
        ("NEW", None, 0.6),
    ]


def test_an_assistant_ties_no_persons() -> None:
    """W20: ties that touch a person and profiles are set aside and told, ties of things stay; a person's turn is left alone."""
    ties = [
        NewRelation(source=s, type="in", target=t) for s, t in [("Ana", "Natal"), ("Natal", "Ana"), ("Natal", "Rio")]
    ]
    given = extraction(relations=tuple(ties), profiles=(("Ana", "Baker"),))
    found = attributed(given, LEVELS)
    assert found.relations == (ties[2],)
    assert found.profiles == ()
    assert [one.what for one in found.skipped] == ["Ana in Natal", "Natal in Ana", "Baker"]
    person = extraction("Ana", speaker="Ana", relations=tuple(ties), profiles=(("Ana", "Baker"),))
    assert attributed(person, LEVELS) is person


def stored(id: str, context: str | None, **more: Any) -> Fact:
    """A fact that is held."""
    base = Fact(
        id=id, agent_id="a", entity_key="person:ana", entity_name="Ana", text="Ana x", confidence=0.9, importance=0.5, category="c",
        speaker="Ana", source_event_id="e0", valid_from=NOW, recorded_at=NOW, source_context=context,
    )  # fmt: skip
    return replace(base, **more)


def kept(*pairs: tuple[NewFact, Decision | None], held: list[Fact]) -> list[tuple[str, str | None] | None]:
    """What becomes of decisions: their action and target."""
    facts, decisions = tuple(fact for fact, _ in pairs), tuple(decision for _, decision in pairs)
    by_id = {fact.id: fact for fact in held}
    lab: Any = SimpleNamespace(memory=SimpleNamespace(fact=by_id.get))
    found = keep_statements.function(Reconciliation(turn=turn("Ana"), facts=facts, decisions=decisions), lab)
    return [one and (one.action, one.target_id) for one in found.decisions]


def decide(action: str, target: str | None = "f1") -> Decision:
    """A decision."""
    return Decision(action=action, target_id=target)  # type: ignore[arg-type]


@pytest.mark.parametrize("context", [SUPPOSED, SAID])
@pytest.mark.parametrize("action", ["UPDATE", "DELETE"])
def test_an_assistant_ends_nobodys_statement(action: str, context: str) -> None:
    """W20: its UPDATE or DELETE of what somebody said is only added; of what an assistant said it stands; a NOOP stands."""
    fact = new("Ana", source_context=context)
    assert kept((fact, decide(action)), held=[stored("f1", None)]) == [("ADD", None)]
    assert kept((fact, decide(action)), held=[stored("f1", SUPPOSED)]) == [(action, "f1")]
    assert kept((fact, decide(action)), held=[stored("f1", SAID)]) == [(action, "f1")]
    assert kept((fact, decide("NOOP")), held=[stored("f1", None)]) == [("NOOP", "f1")]


@pytest.mark.parametrize("context", [SUPPOSED, SAID])
def test_a_statement_takes_the_place_of_a_supposition(context: str) -> None:
    """W20: a person's NOOP on what an assistant supposed replaces it; on a person's word, or a closed one, it stays."""
    mine = (new("Ana"), decide("NOOP"))
    assert kept(mine, held=[stored("f1", context)]) == [("UPDATE", "f1")]
    assert kept(mine, held=[stored("f1", None)]) == [("NOOP", "f1")]
    assert kept(mine, held=[stored("f1", context, valid_to=NOW)]) == [("NOOP", "f1")]
    assert kept((new("Ana"), decide("UPDATE")), held=[stored("f1", context)]) == [("UPDATE", "f1")]


def test_one_heir_only() -> None:
    """W20: a second statement on one supposition, or one that began earlier, is added beside it."""
    supposed = stored("f1", SUPPOSED)
    noop = (new("Ana"), decide("NOOP"))
    assert kept(noop, noop, held=[supposed]) == [("UPDATE", "f1"), ("ADD", None)]
    assert kept((new("Ana"), decide("UPDATE")), noop, held=[supposed]) == [("UPDATE", "f1"), ("ADD", None)]
    early = (new("Ana", valid_from=NOW - timedelta(days=1)), decide("NOOP"))
    assert kept(early, held=[supposed]) == [("ADD", None)]
    assert kept((new("Ana", valid_from=NOW), decide("NOOP")), held=[supposed]) == [("UPDATE", "f1")]


def test_nothing_decided_is_left_alone() -> None:
    """W20: an open decision, one without a target or of an unknown one stays as it is."""
    assert kept((new("Ana"), None), (new("Ana"), decide("ADD", None)), (new("Ana"), decide("NOOP", "gone")), held=[]) == [
        None, ("ADD", None), ("NOOP", "gone")]  # fmt: skip
    assert kept(held=[]) == []
