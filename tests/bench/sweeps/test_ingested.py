"""A conversation is written once for all settings that would write it alike, and never kept where something failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.data.model import Conversation, DatedTurn, Question
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.ingested import Ingested, ingest, ingest_address, kept_ingest
from arandu_lab.bench.sweeps.reading import read_settings
from arandu_lab.bench.sweeps.settled import applied, settled, sides
from arandu_lab.bench.sweeps.walk import open_walk, order
from arandu_lab.config import MemoryConfig
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.pipeline import Lab, stage
from arandu_lab.presets import arandu, tuned, tuned_turns
from arandu_lab.records import Extraction, Grounded
from arandu_lab.units import Share

ARANDU = Row(name="arandu", base="arandu", options={"embedder": "hashing"})
QUICK = Row(name="quick", base="tuned-turns", options={"embedder": "hashing"})


def where(row: Row, conversation: Conversation, setting: Mapping[str, Any] | None = None, **options: Any) -> str:
    return ingest_address(row, conversation, language="en", setting=setting, **options)


def test_what_the_write_side_reads_is_the_address(between: Conversation) -> None:
    """A setting of the read side, another question, another name of the row: one memory. What a write reads: another."""
    plain = where(ARANDU, between)
    for setting in (
        {},
        {"topk_facts": 3},
        {"enable_reranker": False},
        {"spreading_seeds": 2},
        {"fuzzy_threshold": 0.85},
    ):
        assert where(ARANDU, between, setting) == plain, setting
    later = replace(between, questions=between.questions[:2])
    assert where(replace(ARANDU, name="other"), later) == plain
    reread = replace(ARANDU, read={"judge": {"use": "unjudged"}})
    assert where(reread, between) == plain
    others: list[Mapping[str, Any]] = [
        {"fuzzy_threshold": 0.9},
        {"enable_informed_extraction": False},
        {"recent_messages_limit": 0},
        {"entity_min_chars": 9},
    ]
    assert len({plain, *(where(ARANDU, between, setting) for setting in others)}) == 5
    moved = replace(between, turns=(replace(between.turns[0], text="I live in Natal."), *between.turns[1:]))
    assert where(ARANDU, moved) != plain
    assert where(replace(ARANDU, options={"embedder": "hashing:64"}), between) != plain
    assert where(ARANDU, between, llm=Named("another")) != plain
    assert where(ARANDU, between, llm=Named("offline/rules")) == plain  # a cassette has the name of its model


def test_an_ingest_is_found_again(between: Conversation, tmp_path: Path) -> None:
    """The second time nothing is written, and what comes back is equal, from the file."""
    first = ingest(QUICK, between, dataset="between", language="en", results=tmp_path)
    again = ingest(QUICK, between, dataset="between", language="en", results=tmp_path, setting={"topk_facts": 3})
    assert (first.reused, again.reused) == (False, True)
    assert first == again == kept_ingest(first.folder)
    assert first.folder == tmp_path / "ingested" / first.address
    assert sorted(path.name for path in first.folder.parent.iterdir()) == [first.address]


def test_the_first_to_finish_is_kept(between: Conversation, tmp_path: Path) -> None:
    """Two that write the same at once leave one artefact, that of the first, and both can read it."""
    inner: list[Ingested] = []

    def meanwhile(heard: int) -> None:
        if heard == 1:
            inner.append(ingest(QUICK, between, dataset="between", language="en", results=tmp_path))

    outer = ingest(QUICK, between, dataset="between", language="en", results=tmp_path, tick=meanwhile)
    assert (inner[0].reused, outer.reused) == (False, True)
    assert outer == inner[0]
    assert outer.times == inner[0].times
    assert [path.name for path in outer.folder.parent.iterdir()] == [outer.address]


def test_a_walk_sees_what_had_been_said(between: Conversation, tmp_path: Path) -> None:
    """Each question's view holds the turns before it and none after, at the journal's sequence of that moment."""
    made = ingest(QUICK, between, dataset="between", language="en", results=tmp_path)
    walk = open_walk(made, between, QUICK)
    moments = list(walk)
    assert [moment.question.asked_at for moment in moments] == sorted(one.asked_at for one in between.questions)
    for moment in moments:
        said = [turn.id for turn in between.turns if turn.occurred_at <= moment.question.asked_at]
        assert [made.turn_ids[event] for event in moment.view.events.ids] == said
        assert moment.heard == set(said)
        assert moment.view.sequence == (made.sequences[len(said) - 1] if said else 0)
        assert between.questions[moment.place] == moment.question
    assert [moment.view.sequence for moment in walk] == [moment.view.sequence for moment in moments]  # walked twice


@given(st.lists(st.integers(0, 6), max_size=6), st.lists(st.integers(0, 6), max_size=6))
def test_questions_come_in_the_order_of_a_replay(turns: list[int], questions: list[int]) -> None:
    """A question is put once all turns up to its moment have been heard, at a turn's own moment too; ties keep order."""
    spoken = scene(sorted(turns), questions)
    found = list(order(spoken))
    assert sorted(place for place, _, _ in found) == list(range(len(questions)))
    assert [question.asked_at for _, question, _ in found] == sorted(one.asked_at for one in spoken.questions)
    for place, question, heard in found:
        assert spoken.questions[place] == question
        assert heard == sum(turn.occurred_at <= question.asked_at for turn in spoken.turns)


def test_a_failed_ingest_is_read_and_not_kept(between: Conversation, alone: Any, tmp_path: Path) -> None:
    """A turn that a dead model lost is told; what came of the rest answers as in a replay, and the next try writes anew."""
    dead = Dead()
    made = ingest(ARANDU, between, dataset="between", language="en", results=tmp_path, llm=dead)
    before = alone(ARANDU, llm=dead)
    assert [(one.phase, one.where) for one in made.errors] == [(one.phase, one.where) for one in before.errors]
    assert made.broke is None
    assert read_settings(made, between, ARANDU, [{}], llm=dead) == [before.answers]
    assert kept_ingest(tmp_path / "ingested" / made.address) is None
    well = ingest(ARANDU, between, dataset="between", language="en", results=tmp_path)
    assert (well.address, well.errors, well.reused) == (made.address, (), False)


def test_a_broken_write_answers_nothing(between: Conversation, alone: Any, tmp_path: Path) -> None:
    """Where a stage of one's own breaks the write, every question is a null with that reason, as in a replay."""
    row = replace(ARANDU, name="broken", write={"informed": {"use": "stumble"}})
    made = ingest(row, between, dataset="between", language="en", results=tmp_path)
    assert made.broke is not None
    assert made.broke.where == "t2"
    before = alone(row)
    assert read_settings(made, between, row, [{}, {"topk_facts": 1}]) == [before.answers, before.answers]
    assert list(made.errors) == before.errors
    assert all("ZeroDivisionError" in str(answer.error) for answer in before.answers)


def test_only_a_memory_is_ingested(between: Conversation, tmp_path: Path) -> None:
    """A control has no write side to share; the refusal says what has."""
    with pytest.raises(ConfigError, match=r"bm25 .* is no memory of stages"):
        ingest(Row(name="bm25", base="bm25"), between, dataset="between", language="en", results=tmp_path)
    with pytest.raises(ConfigError, match=r"arandu × between/between: .*topk_facts"):
        ingest(ARANDU, between, dataset="between", language="en", results=tmp_path, setting={"topk_facts": 0})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("assembly", [arandu(), tuned(), tuned_turns()], ids=["arandu", "tuned", "tuned-turns"])
def test_sides_are_those_of_the_pipelines(assembly: Any) -> None:
    """Whatever a setting changes in what a side does, that side is named for it; what it names is a setting."""
    known = sides(assembly)
    plain = settled(assembly)
    for name in MemoryConfig.model_fields:
        value = _other(name, getattr(assembly.config, name))
        if name not in known:
            with pytest.raises(ConfigError, match="nothing in this memory reads"):
                settled(assembly, {name: value})
            continue
        chosen = settled(assembly, {name: value})
        assert ("write" in known[name]) == (chosen.written != plain.written), name
        assert ("read" in known[name]) == (
            chosen.read.fingerprint(chosen.values) != plain.read.fingerprint(plain.values)
        ), name
        made = settled(applied(assembly, {name: value}))
        assert (made.written, made.values) == (chosen.written, chosen.values), name


def test_an_own_parameter_is_a_setting() -> None:
    """A parameter that a stage brings itself is settled, on its side, and pinned where the setting is made one's own."""
    own = replace(arandu(), write=arandu().write.replace("informed", stumble()))
    assert sides(own)["stride"] == {"write"}
    assert settled(own, {"stride": 0.5}).written != settled(own).written
    assert settled(applied(own, {"stride": 0.5})).written == settled(own, {"stride": 0.5}).written
    with pytest.raises(ConfigError, match="stride=2"):
        settled(own, {"stride": 2})
    with pytest.raises(ConfigError, match=r"pinned to 0\.5"):
        settled(applied(own, {"stride": 0.5}), {"stride": 0.25})


def _other(name: str, value: Any) -> Any:
    """Another value than this for a setting."""
    kinds = get_args(MemoryConfig.model_fields[name].annotation)
    if isinstance(value, str) and kinds:
        return next(one for one in kinds if one != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value / 2 if isinstance(value, float) else value + 1
    return {"timezone": "America/Recife", "profile_language": "portuguese", "score_weights": {"semantic": 1.0}}.get(
        name, {"explicit": 0.5}
    )


def scene(turns: list[int], questions: list[int]) -> Conversation:
    """Turns and questions at these hours."""
    noon = datetime(2024, 3, 1, 12, tzinfo=UTC)
    said = tuple(
        DatedTurn(id=f"t{place}", session_id="s", occurred_at=noon + timedelta(hours=at), speaker="Iara", text="Hi")
        for place, at in enumerate(turns)
    )
    asked = tuple(
        Question(
            id=f"q{place}",
            text="?",
            asked_at=noon + timedelta(hours=at),
            answer=None,
            evidence=(),
            evidence_sessions=(),
            category="single",
        )
        for place, at in enumerate(questions)
    )
    return Conversation(id="scene", sessions=(), turns=said, questions=asked)


class Named(OfflineRules):
    """The offline model under another name."""

    def __init__(self, name: str) -> None:
        self.name = name


class Dead(OfflineRules):
    """The offline model, which refuses to read what is said of bees."""

    async def complete(self, messages: Any, **options: Any) -> Any:
        if "keeps bees" in messages[-1].content and '"task": "judge"' not in messages[-1].content:
            raise BackendError("down", kind="refused", backend=self.name)
        return await super().complete(messages, **options)


@stage
def stumble(grounded: Grounded, lab: Lab, *, stride: Share = 0.0) -> Extraction:
    """Read nothing, and fall over Davi."""
    if "Davi" in grounded.turn.text:
        raise ZeroDivisionError(stride)
    return Extraction(**{part.name: getattr(grounded, part.name) for part in fields(Grounded)})
