"""A fault planted in one stage: its number falls and no other's, and the questions it loses are laid at its door."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest

from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.book import Book
from arandu_lab.bench.scorecard.frames import frames, rows
from arandu_lab.bench.scorecard.given import given
from arandu_lab.bench.scorecard.linking import Gold
from arandu_lab.bench.scorecard.lives import read_operations
from arandu_lab.bench.scorecard.record import record
from arandu_lab.bench.scorecard.segments import STAGES, Stage
from arandu_lab.pipeline import REGISTRY, Lab, stage
from arandu_lab.presets import Assembly, arandu
from arandu_lab.read.found import Candidates, Rendered
from arandu_lab.records import Changes, Decision, Extraction, Fact, Link, Reconciliation, Resolution


@stage
def faulty_reading(extraction: Extraction, lab: Lab) -> Extraction:
    """Read no fact."""
    return replace(extraction, facts=())


@stage
def faulty_thrift(extraction: Extraction, lab: Lab) -> Extraction:
    """Take every fact for a repeat."""
    return replace(extraction, facts=())


@stage
def faulty_naming(resolution: Resolution, lab: Lab) -> Resolution:
    """Know nobody."""
    return replace(resolution, resolved=tuple(replace(one, key=None) for one in resolution.resolved))


@stage
def faulty_judgement(found: Reconciliation, lab: Lab) -> Reconciliation:
    """Let whatever is said take the place of the fact told last, whatever that is about."""
    standing = [place for place, live in enumerate(lab.memory.facts.live(as_of=lab.now)) if live]
    last = lab.memory.fact_at(standing[-1]).id if standing else None
    one = Decision(action="NOOP", target_id=last, why="planted") if last else Decision(action="ADD", why="planted")
    return replace(found, decisions=tuple(one for _ in found.facts))


@stage
def faulty_writing(changes: Changes, lab: Lab) -> Changes:
    """Store no fact."""
    return replace(changes, rows=tuple(row for row in changes.rows if not isinstance(row, Fact | Link)))


@stage
def faulty_search(found: Candidates, lab: Lab) -> Candidates:
    """Find nothing."""
    return replace(found, frame=found.frame.head(0))


@stage
def faulty_taste(found: Candidates, lab: Lab) -> Candidates:
    """Keep nothing."""
    return replace(found, frame=found.frame.with_columns(kept=pl.lit(False), lost=pl.lit("topk")))


@stage
def faulty_voice(found: Rendered, lab: Lab) -> Rendered:
    """Say nothing."""
    return replace(found, context="", frame=found.frame.with_columns(tier=pl.lit(None, dtype=pl.String)))


@stage
def mild_dates(extraction: Extraction, lab: Lab) -> Extraction:
    """Take every day that is stated for the same day a year before."""
    early = [
        replace(one, valid_from=one.valid_from - timedelta(days=365)) if one.valid_from else one
        for one in extraction.facts
    ]
    return replace(extraction, facts=tuple(early))


@stage
def mild_anonymity(extraction: Extraction, lab: Lab) -> Extraction:
    """Read facts, and name nobody."""
    return replace(extraction, entities=())


@stage
def mild_solitude(extraction: Extraction, lab: Lab) -> Extraction:
    """Read facts, and relate nobody."""
    return replace(extraction, relations=())


@stage
def mild_echo(extraction: Extraction, lab: Lab) -> Extraction:
    """Pass every fact on twice."""
    return replace(extraction, facts=tuple(fact for fact in extraction.facts for _ in range(2)))


@stage
def mild_confusion(resolution: Resolution, lab: Lab) -> Resolution:
    """Take the last who is named for the first."""
    known = [one.key for one in resolution.resolved if one.key]
    if len(set(known)) < 2:
        return resolution
    [*some, last] = resolution.resolved
    return replace(resolution, resolved=(*some, replace(last, key=known[0])))


@stage
def mild_filing(changes: Changes, lab: Lab) -> Changes:
    """Write every fact under a key that nobody has."""
    return replace(
        changes,
        rows=tuple(replace(row, entity_key="person:nobody") if isinstance(row, Fact) else row for row in changes.rows),
    )


@stage
def mild_calendar(changes: Changes, lab: Lab) -> Changes:
    """Write every new fact as if it held sixty days later than was decided."""
    return replace(
        changes,
        rows=tuple(
            replace(row, valid_from=row.valid_from + timedelta(days=60))
            if isinstance(row, Fact) and lab.memory.fact(row.id) is None and row.valid_to is None
            else row
            for row in changes.rows
        ),
    )


@stage
def mild_narrowness(found: Candidates, lab: Lab) -> Candidates:
    """Bring up every other fact."""
    return replace(found, frame=found.frame.gather_every(2))


@stage
def mild_contrariness(found: Candidates, lab: Lab) -> Candidates:
    """Put what is kept in the reverse order."""
    kept = found.frame.filter(pl.col("kept"))
    return replace(found, frame=pl.concat([kept.reverse(), found.frame.filter(~pl.col("kept"))]))


@stage
def mild_silence(found: Rendered, lab: Lab) -> Rendered:
    """Say nothing, and claim to have said it."""
    return replace(found, context="")


MILD: dict[str, Stage] = {
    "mild_dates": "extraction",
    "mild_anonymity": "extraction",
    "mild_solitude": "extraction",
    "mild_echo": "dedup",
    "mild_confusion": "resolution",
    "mild_filing": "state",
    "mild_calendar": "state",
    "mild_narrowness": "retrieval",
    "mild_contrariness": "ranking",
    "mild_silence": "context",
}
"""Faults that delete no fact, and the stage that each is planted in."""

LOSING = ("mild_filing", "mild_calendar", "mild_silence")
"""Those that cost questions of the small set however good the rest is."""

FAULTS: dict[Stage, tuple[str, str, str]] = {
    "extraction": ("write", "extraction", "faulty_reading"),
    "dedup": ("write", "semantic_dedup", "faulty_thrift"),
    "resolution": ("write", "resolve", "faulty_naming"),
    "reconciliation": ("write", "reconcile", "faulty_judgement"),
    "state": ("write", "upsert", "faulty_writing"),
    "retrieval": ("read", "spread", "faulty_search"),
    "ranking": ("read", "cut", "faulty_taste"),
    "context": ("read", "render", "faulty_voice"),
}


def assembly(faulty: Stage, mild: str | None = None) -> Assembly:
    """The documented system with a fault behind one of its stages."""
    side, after, fault = FAULTS[faulty]
    fault = mild or fault
    plain = arandu()
    pipelines = {"write": plain.write, "read": plain.read}
    pipelines[side] = pipelines[side].after(after, REGISTRY.stage(fault)())
    return Assembly(plain.config, pipelines["write"], pipelines["read"])


def numbers(made: Assembly, book: Book, gold: Gold) -> dict[str, float | None]:
    """The number of every stage on gold input."""
    parts = asyncio.run(given(made, book, embedder="hashing"))
    found = frames(rows(dossier, gold, language="en", part=part) for part, dossier in parts.items())
    return {one: tables.stage_number(found, "arandu", book.name, "given", one) for one in STAGES}


def falls(made: Assembly, book: Book, gold: Gold) -> dict[str, int]:
    """Stage -> questions lost by the facts alone, with extraction answered from the gold so that nothing else is wrong."""
    dossier = asyncio.run(record(made, book, mode="oracle", embedder="hashing"))
    found = frames([rows(dossier, gold, language="en")])
    steps = tables.waterfall(found["questions"], facts=True)
    return {one: lost for one, lost in steps.select("stage", "lost").iter_rows() if lost}


@pytest.fixture(scope="module")
def gold(tiny: Book) -> Gold:
    return Gold.of(tiny.conversation, None, tiny.dataset.card["speakers"])


@pytest.fixture(scope="module")
def truth(world: Book) -> Gold:
    """The gold of the small world."""
    operations = read_operations(Path(world.path))
    return Gold.of(world.conversation, operations, world.dataset.card.get("speakers"))


@pytest.fixture(scope="module")
def usual(world: Book, truth: Gold) -> dict[str, float | None]:
    """The numbers of the documented system over the small world."""
    return numbers(arandu(), world, truth)


@pytest.fixture(scope="module")
def plain(tiny: Book, gold: Gold) -> dict[str, float | None]:
    return numbers(arandu(), tiny, gold)


def test_without_a_fault_nothing_is_lost(tiny: Book, gold: Gold, plain: dict[str, float | None]) -> None:
    """The documented system delivers every question of the small set once extraction is right; every stage has a number."""
    assert falls(arandu(), tiny, gold) == {}
    assert all(value is not None for value in plain.values())


@pytest.mark.parametrize("faulty", STAGES)
def test_a_fault_moves_its_own_number_and_no_other(
    tiny: Book, gold: Gold, plain: dict[str, float | None], faulty: Stage
) -> None:
    """On gold input the number of the faulty stage falls, those of the seven others are the same to the digit."""
    found = numbers(assembly(faulty), tiny, gold)
    assert [one for one in STAGES if found[one] != plain[one]] == [faulty]
    before, after = plain[faulty], found[faulty]
    assert before is not None
    assert after is not None
    assert after < before


@pytest.mark.parametrize("faulty", STAGES)
def test_a_fault_is_blamed_for_what_it_loses(tiny: Book, gold: Gold, faulty: Stage) -> None:
    """From end to end every question that is lost is lost by the faulty stage."""
    lost = falls(assembly(faulty), tiny, gold)
    assert set(lost) == {faulty}


@pytest.mark.parametrize("fault", MILD)
def test_a_mild_fault_moves_its_own_number_and_no_other(
    world: Book, truth: Gold, usual: dict[str, float | None], fault: str
) -> None:
    """What deletes nothing is seen too, over a world: the number of its stage falls, the others stay to the digit."""
    faulty = MILD[fault]
    found = numbers(assembly(faulty, fault), world, truth)
    assert [one for one in STAGES if found[one] != usual[one]] == [faulty]
    before, after = usual[faulty], found[faulty]
    assert before is not None
    assert after is not None
    assert after < before - 0.005


@pytest.mark.parametrize("fault", MILD)
def test_a_mild_fault_is_blamed_on_nobody_else(tiny: Book, gold: Gold, fault: str) -> None:
    """With extraction from the gold nothing but the fault is wrong: what it costs, if anything, is laid at its door."""
    lost = set(falls(assembly(MILD[fault], fault), tiny, gold))
    assert lost == {MILD[fault]} if fault in LOSING else lost <= {MILD[fault]}
