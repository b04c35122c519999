"""Reading many settings at once gives what each gives alone, to the last digit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from arandu_lab.bench.data.model import Conversation
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.judgements import Judgements
from arandu_lab.bench.sweeps.reading import MANY, estimate, read_settings
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.pipeline import Lab, stage
from arandu_lab.presets import arandu
from arandu_lab.read.found import Candidates
from arandu_lab.records import Changes, Cluster, Fact, Observation
from arandu_lab.units import Share

ARANDU = Row(name="arandu", base="arandu", options={"embedder": "hashing"})
TUNED = Row(name="tuned", base="tuned")

SETTINGS: tuple[Mapping[str, Any], ...] = (
    {},
    {"min_reranker_score": 0.5, "reranker_weight": 0.3},
    {"topk_facts": 2, "reranker_pool_factor": 1},
    {"score_weights": {"semantic": 0.2, "keyword": 0.7, "graph": 0.3}},
    {"recency_half_life_days": 1.0, "min_score": 0.3},
    {"enable_reranker": False},
    {"spreading_activation_hops": 0},
    {"spreading_seeds": 1},
    {"min_similarity": 0.0},
    {"keyword_method": "bm25", "graph_max_hops": 0},
    {"min_confidence": 0.9},
    {"context_max_tokens": 12},
)
"""One for each stage that a setting can reach first, flags and parameters that stages bring themselves among them."""


def told(answers: Any, *, billed: bool = True) -> list[dict[str, Any]]:
    """Answers with everything in them, the context too; without what was paid on demand."""
    said = [asdict(answer) for answer in answers]
    for one in said if not billed else ():
        del one["usage"]["billed_calls"], one["usage"]["billed_tokens"]
    return said


def test_settings_reckoned_in_bulk_answer_as_one_by_one(between: Conversation, one_by_one: Any, ingested: Any) -> None:
    """From so many settings on they are reckoned as columns: the same answers, tokens and bills, without the contexts."""
    assert len(SETTINGS) >= MANY
    wanted = one_by_one(ARANDU, SETTINGS)
    made = ingested(ARANDU)
    for book in (None, Judgements()):
        ticked: list[int] = []
        found = read_settings(made, between, ARANDU, SETTINGS, judgements=book, tick=ticked.append)
        for setting, mine, theirs in zip(SETTINGS, found, wanted, strict=True):
            plain = [replace(answer, context=None) for answer in theirs]
            assert told(mine, billed=book is None) == told(plain, billed=book is None), setting
        assert ticked == list(range(1, len(between.questions) + 1))


@pytest.mark.parametrize("row", [ARANDU, TUNED], ids=lambda row: row.name)
def test_a_walk_answers_as_a_replay(row: Row, between: Conversation, alone: Any, ingested: Any) -> None:
    """Ingested whole and asked later, each question gets the answer it got between the turns, to the last digit."""
    before = alone(row)
    assert not before.errors
    assert any(answer.returned for answer in before.answers)
    made = ingested(row)
    (once,) = read_settings(made, between, row, [{}], contexts=True)
    assert told(once) == told(before.answers)
    assert (made.listened, made.by_stage, list(made.extracted), list(made.live)) == (
        before.listened,
        before.by_stage,
        before.extracted,
        before.live,
    )


def test_settings_at_once_answer_as_one_by_one(between: Conversation, one_by_one: Any, ingested: Any) -> None:
    """Sharing work changes no answer: turns, context, tokens and bills are those of each setting asked alone."""
    wanted = one_by_one(ARANDU, SETTINGS)
    found = read_settings(ingested(ARANDU), between, ARANDU, SETTINGS, contexts=True)
    for setting, mine, theirs in zip(SETTINGS, found, wanted, strict=True):
        assert told(mine) == told(theirs), setting
    assert len({tuple(answer.context for answer in answers) for answers in found}) > 3  # the settings do differ


def test_kept_judgements_change_no_answer(between: Conversation, one_by_one: Any, ingested: Any, tmp_path: Any) -> None:
    """Graded in one question for all settings, the offline judge gives the grades it gives to each, counted the same."""
    asked = Counting()
    book = Judgements(tmp_path / "judgements.jsonl")
    made = ingested(ARANDU)
    before = estimate(made, between, ARANDU, SETTINGS, judgements=book)
    found = read_settings(made, between, ARANDU, SETTINGS, contexts=True, judgements=book, llm=asked)
    for setting, mine, theirs in zip(SETTINGS, found, one_by_one(ARANDU, SETTINGS), strict=True):
        assert told(mine, billed=False) == told(theirs, billed=False), setting
    assert asked.judged == before.calls <= len(between.questions)  # one question each, however many settings
    assert (len(book), before.known) == (before.pairs, 0)
    assert (book.paid.calls, book.paid.input_tokens) == (before.calls, before.input_tokens)

    again = Judgements(tmp_path / "judgements.jsonl")
    assert estimate(made, between, ARANDU, SETTINGS, judgements=again).calls == 0
    assert read_settings(made, between, ARANDU, SETTINGS, judgements=again, llm=asked) == found
    assert (asked.judged, again.paid.calls) == (before.calls, 0)


def test_an_outage_is_no_grade(between: Conversation, one_by_one: Any, ingested: Any, tmp_path: Any) -> None:
    """A judge that fails leaves each setting its formula order and says so; nothing of it is kept, and it is asked again."""
    settings = SETTINGS[:4]
    wanted = one_by_one(ARANDU, settings, llm=Counting(dead="Who is allergic"))
    book = Judgements(tmp_path / "judgements.jsonl")
    made = ingested(ARANDU)
    plain = read_settings(made, between, ARANDU, settings, contexts=True, llm=Counting(dead="Who is allergic"))
    kept = read_settings(
        made, between, ARANDU, settings, contexts=True, llm=Counting(dead="Who is allergic"), judgements=book
    )
    assert any("judge" in answer.degraded for answer in wanted[0])
    for mine, stored, theirs in zip(plain, kept, wanted, strict=True):
        assert told(mine) == told(theirs)
        assert told(stored, billed=False) == told(theirs, billed=False)
    well = read_settings(made, between, ARANDU, settings, contexts=True, judgements=book)
    assert [told(one) for one in well] != [told(one) for one in kept]
    assert not any(answer.degraded for answers in well for answer in answers)


@pytest.mark.parametrize("whole", [False, True], ids=["by name", "as an assembly"])
def test_a_stage_of_ones_own(whole: bool, between: Conversation, one_by_one: Any, ingested: Any) -> None:
    """A stage of one's own is swept over by its own parameter, with no word about it anywhere else."""
    mine = arandu()
    row = (
        replace(ARANDU, name="whole", assembly=replace(mine, read=mine.read.replace("spread", soften())))
        if whole
        else replace(ARANDU, name="named", read={"spread": {"use": "soften"}})
    )
    settings: list[Mapping[str, Any]] = [{}, {"softness": 0.2}, {"softness": 0.9}, {"softness": 0.9, "topk_facts": 1}]
    made = ingested(row)
    assert made.address == ingested(ARANDU).address  # it reads, and writes nothing
    found = read_settings(made, between, row, settings, contexts=True)
    for answers, theirs in zip(found, one_by_one(row, settings), strict=True):
        assert told(answers) == told(theirs)
    assert found[1] != found[2]
    with pytest.raises(ConfigError, match="softness=2"):
        read_settings(made, between, row, [{"softness": 2}])


def test_a_stage_that_breaks_costs_its_own_settings_alone(between: Conversation, alone: Any, ingested: Any) -> None:
    """A programming error is no empty answer: that setting answers nothing and says where it broke, as in a replay."""
    row = Row(name="mine", base="arandu", options=ARANDU.options, read={"spread": {"use": "soften"}})
    fine, broke = read_settings(ingested(row), between, row, [{}, {"softness": 0.5}], contexts=True)
    assert told(fine) == told(alone(row).answers)
    assert told(broke) == told(alone(row, {"softness": 0.5}).answers)
    assert all(answer.error and "ZeroDivisionError" in answer.error for answer in broke)


def test_another_memory_is_refused(between: Conversation, ingested: Any) -> None:
    """A setting that writes otherwise than this memory was written is never read from it."""
    made = ingested(ARANDU)
    with pytest.raises(ConfigError, match="written under other settings"):
        read_settings(made, between, ARANDU, [{}, {"fuzzy_threshold": 0.9}])
    with pytest.raises(ConfigError, match="did you mean 'topk_facts'"):
        read_settings(made, between, ARANDU, [{"topk_fact": 3}])
    assert read_settings(made, between, ARANDU, [{"fuzzy_threshold": 0.85}]) == read_settings(
        made, between, ARANDU, [{}]
    )


def test_what_jobs_concluded_takes_the_same_room(between: Conversation, one_by_one: Any, ingested: Any) -> None:
    """R12: with clusters and observations in the memory, contexts and their tokens are those of each setting asked alone."""
    plain = arandu()
    row = replace(ARANDU, name="concluded", assembly=replace(plain, write=plain.write >> conclude_for_a_test()))
    settings: tuple[Mapping[str, Any], ...] = (
        *SETTINGS,
        {"topk_patterns": 1},
        {"topk_patterns": 0},
        {"min_pattern_similarity": 0.6},
        {"min_mention_similarity": 0.9, "min_pattern_similarity": 0.9},
        {"context_max_tokens": 60, "topk_facts": 3},
    )
    wanted = one_by_one(row, settings)
    made = ingested(row)
    whole = read_settings(made, between, row, settings, contexts=True)
    bulk = read_settings(made, between, row, settings, judgements=Judgements())
    for setting, mine, counted, theirs in zip(settings, whole, bulk, wanted, strict=True):
        assert told(mine) == told(theirs), setting
        assert told(counted, billed=False) == told([replace(one, context=None) for one in theirs], billed=False), (
            setting
        )
    shown = [sum("Observed patterns:" in (answer.context or "") for answer in answers) for answers in wanted]
    assert shown[0] > 2
    assert shown[0] > shown[-2]


class Counting(OfflineRules):
    """The offline model; counts what is judged, and is dead for questions that hold some words."""

    def __init__(self, dead: str | None = None) -> None:
        self.judged, self.dead = 0, dead

    async def complete(self, messages: Any, **options: Any) -> Any:
        if '"task": "judge"' in messages[-1].content:
            self.judged += 1
            if self.dead and self.dead in messages[-1].content:
                raise BackendError("down", kind="refused", backend=self.name)
        return await super().complete(messages, **options)


@stage
def soften(found: Candidates, lab: Lab, *, softness: Share = 0.0) -> Candidates:
    """Draw every formula score towards one half; of one softness it cannot stand."""
    if softness == 0.5 and len(found.table):
        softness = 1 / 0
    table = found.table
    drawn = table["formula"] * (1.0 - softness) + np.float64(0.5) * softness
    return found.having(table.without("formula").with_columns(formula=drawn))


@stage
async def conclude_for_a_test(changes: Changes, lab: Lab) -> Changes:
    """What a job might conclude from one turn: a cluster of its facts, and an observation that cites them."""
    facts = [row for row in changes.rows if isinstance(row, Fact)]
    if not facts:
        return changes
    cited = tuple(fact.id for fact in facts)
    texts = [
        f"Concluded: {'; '.join(fact.text for fact in facts)}",
        f"Often speaks of {facts[-1].text.split()[-1]} these days",
    ]
    first, second = await lab.embed(texts)
    common: dict[str, Any] = {"agent_id": changes.agent_id, "recorded_at": facts[0].recorded_at}
    cluster = Cluster(
        id=f"c{cited[0]}",
        label="x",
        summary=texts[0],
        fact_ids=cited,
        entity_key=facts[0].entity_key,
        vector=first,
        **common,
    )
    seen = Observation(
        id=f"o{cited[0]}", kind="pattern", text=texts[1], confidence=0.7, evidence_ids=cited, vector=second, **common
    )
    return replace(changes, rows=(*changes.rows, cluster, seen))
