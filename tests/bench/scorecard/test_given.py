"""Each stage alone on gold: a fault shows in its own dossier and in no other."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import polars as pl
import pytest

from arandu_lab.bench.plan import Row
from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.scorecard.dossier import Dossier
from arandu_lab.bench.scorecard.given import given
from arandu_lab.bench.scorecard.gold import gold_retrieval, gold_write
from arandu_lab.bench.scorecard.lives import lives_of
from arandu_lab.bench.scorecard.segments import STAGES, Stage
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.pipeline import REGISTRY, Lab, stage
from arandu_lab.presets import Assembly, arandu
from arandu_lab.read.found import Candidates, Rendered
from arandu_lab.records import Changes, Decision, Extraction, Fact, Link, Reconciliation, Resolution

Given = dict[Stage, Dossier]


@stage
def planted_forgetting(extraction: Extraction, lab: Lab) -> Extraction:
    """Lose the first fact."""
    return replace(extraction, facts=extraction.facts[1:])


@stage
def planted_confusion(resolution: Resolution, lab: Lab) -> Resolution:
    """Take everybody for the same."""
    return replace(resolution, resolved=tuple(replace(one, key="person:anybody") for one in resolution.resolved))


@stage
def planted_silence(found: Reconciliation, lab: Lab) -> Reconciliation:
    """Add whatever is said."""
    return replace(found, decisions=tuple(Decision(action="ADD", why="planted") for _ in found.facts))


@stage
def planted_loss(changes: Changes, lab: Lab) -> Changes:
    """Store no fact."""
    return replace(changes, rows=tuple(row for row in changes.rows if not isinstance(row, Fact | Link)))


@stage
def planted_blindness(found: Candidates, lab: Lab) -> Candidates:
    """Find nothing."""
    return replace(found, frame=found.frame.head(0))


@stage
def planted_harshness(found: Candidates, lab: Lab) -> Candidates:
    """Keep nothing."""
    return replace(found, frame=found.frame.with_columns(kept=pl.lit(False), lost=pl.lit("topk")))


@stage
def planted_muteness(found: Rendered, lab: Lab) -> Rendered:
    """Say nothing."""
    return replace(found, context="", frame=found.frame.with_columns(tier=pl.lit(None, dtype=pl.String)))


@stage
def planted_weather(resolution: Resolution, lab: Lab) -> Resolution:
    """Fail, as a backend does."""
    raise BackendError("no answer", kind="unavailable", backend="weather")


@stage
def planted_bug(resolution: Resolution, lab: Lab) -> Resolution:
    """Fail, as a bug does."""
    raise ZeroDivisionError("divided by nobody")


FAULTS: dict[Stage, tuple[str, str, str]] = {
    "extraction": ("write", "extraction", "planted_forgetting"),
    "dedup": ("write", "semantic_dedup", "planted_forgetting"),
    "resolution": ("write", "resolve", "planted_confusion"),
    "reconciliation": ("write", "reconcile", "planted_silence"),
    "state": ("write", "upsert", "planted_loss"),
    "retrieval": ("read", "spread", "planted_blindness"),
    "ranking": ("read", "cut", "planted_harshness"),
    "context": ("read", "render", "planted_muteness"),
}


def _with(side: str, after: str, fault: str) -> Assembly:
    plain = arandu()
    pipelines = {"write": plain.write, "read": plain.read}
    pipelines[side] = pipelines[side].after(after, REGISTRY.stage(fault)())
    return Assembly(plain.config, pipelines["write"], pipelines["read"])


@pytest.fixture(scope="module")
def plain(tiny: Book) -> Given:
    """The documented system, each stage alone."""
    return asyncio.run(given(arandu(), tiny, embedder="hashing"))


def test_stages_stand_in_order(plain: Given) -> None:
    """There is one dossier a stage, in order of the card, and none has an error."""
    assert tuple(plain) == STAGES
    assert all(dossier.errors == () and dossier.mode == "given" for dossier in plain.values())


@pytest.mark.parametrize("faulty", STAGES)
async def test_a_fault_shows_where_it_is(tiny: Book, plain: Given, faulty: Stage) -> None:
    """A fault planted in one stage changes the dossier of that stage and leaves all the others equal."""
    found = await given(_with(*FAULTS[faulty]), tiny, embedder="hashing")
    assert [name for name in STAGES if found[name] != plain[name]] == [faulty]


@pytest.mark.parametrize(("fault", "said"), [("planted_weather", "no answer"), ("planted_bug", "ZeroDivisionError")])
async def test_a_failing_stage_is_an_error_of_its_own(tiny: Book, plain: Given, fault: str, said: str) -> None:
    """What a stage raises stands as the error of each of its turns, and the other stages are none the worse."""
    found = await given(_with("write", "resolve", fault), tiny, embedder="hashing")
    assert [name for name in STAGES if found[name] != plain[name]] == ["resolution"]
    assert all(said in str(heard.error) and heard.resolved == () for heard in found["resolution"].heard)
    assert len(found["resolution"].errors) == len(tiny.conversation.turns)


async def test_a_dead_model_is_an_error_of_extraction(tiny: Book, plain: Given) -> None:
    """Without a model extraction is an error turn by turn; what needs no model is as before."""
    found = await given(arandu(), tiny, llm=Scripted(default=fail("refused")), embedder="hashing")
    assert all(heard.error for heard in found["extraction"].heard)
    for name in ("dedup", "state", "retrieval", "context"):
        assert found[name] == plain[name]
    assert any("stepped around" in line for line in found["ranking"].errors)


async def test_settings_reach_the_stage_they_are_of(tiny: Book, plain: Given) -> None:
    """A setting of a read stage changes that stage alone, and a flag takes its stage out."""
    row = Row(name="arandu", base="arandu", options={"topk_facts": 1, "embedder": "hashing", "enable_reranker": False})
    found = await given(row, tiny)
    assert [name for name in STAGES if found[name] != plain[name]] == ["ranking"]
    assert all(sum(one.lost is None for one in asked.candidates) <= 1 for asked in found["ranking"].asked)


@pytest.mark.parametrize("name", ["tiny", "mare_pt"])
async def test_the_gold_memory_ends_in_the_truth(tiny: Book, name: str) -> None:
    """At every sampled instant the facts live in the gold memory are exactly those that hold and were told."""
    book = tiny if name == "tiny" else open_book(name)
    state = (await given(arandu(), book, stages=["state"], embedder="hashing"))["state"]
    facts = {row: fact for fact, row in state.ids.items()}
    lives = lives_of(book.conversation).values()
    for seen, at in zip(state.states, book.instants, strict=True):
        assert {facts[row] for row in seen.facts} == {life.fact for life in lives if life.holds(at, at)}


def test_every_kind_of_decision_is_as_the_gold_has_it(tiny: Book, plain: Given) -> None:
    """Change, repetition, late news, correction and forgetting leave the rows that they should."""
    state = plain["state"]
    rows = {fact: next(row for row in state.rows if row.fact_id == id) for fact, id in state.ids.items()}
    assert set(rows) == {"f001", "f002", "f003", "f004", "f005", "f006", "f008"}
    assert (rows["f001"].closed_by, str(rows["f001"].valid_to)[:10]) == ("update", "2024-02-26")
    assert (rows["f005"].supersedes, rows["f005"].valid_to) == (rows["f001"].fact_id, None)
    assert (rows["f006"].closed_by, rows["f006"].valid_to) == ("late", rows["f001"].valid_from)
    assert (rows["f003"].closed_by, rows["f003"].valid_to) == ("update", rows["f003"].valid_from)
    assert (rows["f002"].closed_by, str(rows["f002"].valid_to)[:10]) == ("delete", "2024-05-10")
    assert {row.key for row in state.rows} == {"person:ana_prado", "person:beth_hart"}
    actions = {heard.turn: [made.action for made in heard.made] for heard in state.heard if heard.made}
    assert actions["s02t03"] == ["NOOP"]
    assert actions["s03t02"] == ["DELETE"]


def test_gold_goes_into_every_stage(tiny: Book, plain: Given) -> None:
    """What a stage is given is the gold: all facts to dedup and resolution, true entities to reconciliation."""
    for name in ("dedup", "resolution", "reconciliation"):
        for heard in plain[name].heard:
            assert [one.text for one in heard.facts] == [fact.text for fact in tiny.gold(heard.turn).facts]
    for heard in plain["reconciliation"].heard:
        keys = {one.name: one.key for one in heard.resolved}
        assert all(keys[fact.subject] == tiny.key(fact.subject) for fact in tiny.gold(heard.turn).facts)


def test_a_newcomer_stands_under_the_gold_key(tiny: Book, plain: Given) -> None:
    """Whoever the gold memory does not know yet gets the gold key, whatever the stage calls the new one."""
    heard = {one.turn: one for one in plain["resolution"].heard}
    keys = {one.name: one.key for one in heard["s01t01"].resolved}
    assert keys == {"Bristol": "place:bristol", "Orion": "organization:orion_labs", "Annie": "person:ana_prado"}


def test_evidence_is_always_a_candidate_of_the_reference(tiny: Book, plain: Given) -> None:
    """Ranking is given every fact that answers, closed ones too; the context is given them first."""
    for question in tiny.conversation.questions:
        wanted = {plain["ranking"].ids[fact] for fact in question.facts}
        ranking = next(one for one in plain["ranking"].asked if one.question == question.id)
        context = next(one for one in plain["context"].asked if one.question == question.id)
        assert wanted <= {one.fact_id for one in ranking.candidates}
        assert wanted == {one.fact_id for one in context.candidates[: len(wanted)]}


def test_given_dossiers_survive_json(plain: Given) -> None:
    """What is written is what is read."""
    assert all(Dossier.from_json(dossier.to_json()) == dossier for dossier in plain.values())


async def test_some_stages_alone(tiny: Book, plain: Given) -> None:
    """Asked for some stages only, the others are not run, and those are as they are beside the others."""
    found = await given(arandu(), tiny, stages=["ranking", "dedup"], embedder="hashing")
    assert found == {name: plain[name] for name in ("dedup", "ranking")}
    with pytest.raises(ConfigError, match="did you mean 'ranking'"):
        await given(arandu(), tiny, stages=["rankin"], embedder="hashing")  # type: ignore[list-item]


async def test_a_control_has_no_stages(tiny: Book) -> None:
    """Given mode of a control is refused."""
    with pytest.raises(ConfigError, match="has no stages"):
        await given(Row(name="bm25", base="bm25"), tiny)


def test_gold_stages_are_values(tiny: Book) -> None:
    """The gold pipelines compare, hash, and are rebuilt by their repr."""
    for pipeline in (gold_write(tiny.path), gold_retrieval(tiny.path)):
        assert eval(repr(pipeline), REGISTRY.namespace()) == pipeline
        assert hash(pipeline) == hash(eval(repr(pipeline), REGISTRY.namespace()))
