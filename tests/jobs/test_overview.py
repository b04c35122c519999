"""The profile consolidation: summaries made anew, and one view over them."""

from __future__ import annotations

from typing import Any

import pytest
from at_rest import AGENT, TOLD, Bench
from looking_back import everything, standing

from arandu_lab.jobs.overview import job
from arandu_lab.llm.open import open_minds
from arandu_lab.llm.scripted import Scripted, fail, read_block
from arandu_lab.pure import versions


def summing(overview: Any = None, summary: Any = None) -> Scripted:
    """A model that sums up by name, and says this as the overview."""

    def say(messages: Any) -> Any:
        return {"summary": f"{read_block(messages)[1]['name']} is known."}

    def over(messages: Any) -> Any:
        return {"overview": "Known: " + ", ".join(one["name"] for one in read_block(messages)[1]["entities"])}

    return Scripted(
        by_task={"summary": say if summary is None else summary, "overview": over if overview is None else overview}
    )


def use(bench: Bench, scripted: Scripted) -> Scripted:
    bench.memory.llm = open_minds(scripted)
    return scripted


@pytest.mark.parametrize("language", ["english", "portuguese"])
def test_summaries_and_overview(told: Bench, language: str) -> None:
    """L3: every entity that is due gets a summary, the overview is made of the summaries as they are then, in the language
    asked for, with facts as evidence, and is found again in a context."""
    scripted = use(told, summing())
    result = told.run(job(), profile_language=language)
    assert result.success, result.error
    (row,) = standing(told)
    assert row.kind == "profile_overview"
    view = told.memory.store.view(AGENT)
    shown = scripted.asked("overview")[0].inputs
    assert shown["language"] == language
    assert all(one["summary"] == f"{one['name']} is known." for one in shown["entities"])
    assert {one["name"] for one in shown["entities"]} == {one.name for one in view.entities() if one.summary_text}
    assert row.evidence_ids
    assert all(view.fact(one) is not None for one in row.evidence_ids)
    assert row.text in told.ask(row.text).context


def test_second_run_without_news(told: Bench) -> None:
    """A11: without news nothing is asked and nothing written, and a dry run is the run (J9)."""
    use(told, summing())
    dry = told.run(job(), dry_run=True)
    real = told.run(job())
    assert (dry.changed, dry.counts) == (real.changed, real.counts)
    before = everything(told)
    for days in (0, 20):
        told.wait(days=days)
        again = told.run(job())
        assert (again.changed, again.usage.calls) == ((), 0)
        assert again.idle == "summaries and overview are up to date"
    assert everything(told) == before


def test_news_renew_it_in_its_place(told: Bench) -> None:
    """The overview is one row: news change its words, evidence and date, and it keeps its place."""
    use(told, summing())
    told.run(job())
    (before,) = standing(told)
    told.memory.llm = open_minds("offline/rules")
    told.tell(("Rafael", "My cousin Beatriz lives in Olinda."))
    use(told, summing())
    result = told.run(job())
    (after,) = standing(told)
    assert after.id == before.id
    assert after.recorded_at > before.recorded_at  # so a question as of before does not see it
    assert "Beatriz" in after.text
    assert (result["observations_created"], result["observations_reinforced"]) == (0, 1)


def test_nothing_to_look_at(bench: Bench) -> None:
    """Without entities the job is idle, asks nothing and writes nothing."""
    scripted = use(bench, summing())
    result = bench.run(job())
    assert (result.idle, result.changed, scripted.calls) == ("no entity has a summary yet", (), [])


@pytest.mark.parametrize("answer", [{"overview": ["n/a"]}, "no", "", fail("unavailable"), {"overview": "x" * 5000}])
def test_failed_overview_changes_nothing(told: Bench, answer: Any) -> None:
    """A12, J4: no usable overview: the job says that it failed, and summaries are as they were too."""
    before = everything(told)
    use(told, summing(overview=answer))
    result = told.run(job(), job_timeout_sec=0.2)
    assert not result.success
    assert everything(told) == before


def test_nothing_to_say_empties_nothing(told: Bench) -> None:
    """A null overview leaves the one that stands, and is told; a summary that fails is told and the others are kept."""
    use(told, summing())
    told.run(job())
    (before,) = standing(told)
    told.memory.llm = open_minds("offline/rules")
    told.tell(("Rafael", "My cousin Beatriz lives in Olinda."))
    use(told, summing(overview={"overview": None}))
    result = told.run(job())
    assert standing(told) == [before]
    assert "the overview" in [one.what for one in result.left]
    use(told, summing())
    told.run(job())
    assert "Beatriz" in standing(told)[0].text


def test_over_nothing_it_is_withdrawn(bench: Bench) -> None:
    """When no summary tells of anything that holds, the overview is withdrawn, and its row kept."""
    bench.tell(TOLD[2])
    use(bench, summing())
    bench.run(job())
    view = bench.memory.store.view(AGENT)
    rows = [versions.closed(view.fact_at(place), bench.now, "delete") for place in range(len(view.facts.ids))]
    bench.memory.store.append("edit", AGENT, rows, unit_id="end", recorded_at=bench.now)
    bench.wait(days=8)
    assert bench.run(job()).success
    assert standing(bench) == []
    assert len(bench.memory.store.view(AGENT).observations()) == 1


def test_offline_rules_overlook(told: Bench) -> None:
    """The offline rules answer both questions: the overview names who is known, and a second run rests."""
    result = told.run(job())
    assert result.success, result.error
    assert "Rafael" in standing(told)[0].text
    assert told.run(job()).changed == ()
