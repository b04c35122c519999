"""Grades are kept by question and fact: asked once, never torn, never an error."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.bench.sweeps.judgements import Grade, Judgements, Served, Wanted
from arandu_lab.errors import BackendError, DatasetError
from arandu_lab.llm import tasks
from arandu_lab.llm.mind import Minds, Patience
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.llm.scripted import Scripted
from arandu_lab.trace import Span

FACTS = ("Ana lives in Recife", "Ana likes bees", "Davi lives in Olinda", "Ana 🐝 said “no”", "Ana lives in Natal")


def question(*places: int, query: str = "Where does Ana live?") -> dict[str, Any]:
    shown = [{"i": i, "text": FACTS[place], "since": f"2024-03-0{place + 1}"} for i, place in enumerate(places)]
    return {"query": query, "asked_at": "2024-04-01T00:00:00+00:00", "facts": shown}


async def put(mind: Served, inputs: dict[str, Any]) -> Any:
    """A question as a stage puts it, once all that it lacks has been asked."""
    try:
        return (await mind.ask(tasks.judge(), inputs, timeout=1.0)).value
    except Wanted:
        await mind.answer()
        return (await mind.ask(tasks.judge(), inputs, timeout=1.0)).value


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(0, 4), unique=True, min_size=1), min_size=1, max_size=4))
def test_the_union_grades_as_each_pool_alone(pools: list[list[int]]) -> None:
    """Offline, any pools judged in one question get the grades, and are counted the tokens, that each gets alone."""

    async def together() -> None:
        book = Judgements()
        mind = book.served(Minds(OfflineRules()))
        for pool in pools:
            with pytest.raises(Wanted):
                await mind.ask(tasks.judge(), question(*pool), timeout=1.0)
        await mind.answer()
        assert book.paid.calls == 1
        for pool in pools:
            alone, mine = Span("alone"), Span("mine")
            wanted = await Minds(OfflineRules()).metered(alone).ask(tasks.judge(), question(*pool), timeout=1.0)
            assert (await mind.metered(mine).ask(tasks.judge(), question(*pool), timeout=1.0)).value == wanted.value
            assert (mine.usage.calls, mine.usage.input_tokens, mine.usage.output_tokens) == (
                alone.usage.calls,
                alone.usage.input_tokens,
                alone.usage.output_tokens,
            )
            assert mine.usage.billed_calls == 0

    asyncio.run(together())


def test_what_a_model_left_out_is_not_kept(tmp_path: Path) -> None:
    """A fact without a grade stays without one for this question, and is asked about again the next time."""
    book = Judgements(tmp_path / "grades.jsonl")
    script = Scripted(
        [{"grades": [{"i": 1, "grade": 0.5}, {"i": 7, "grade": 1.0}]}, {"grades": [{"i": 0, "grade": 1.0}]}]
    )
    first = asyncio.run(put(book.served(Minds(script)), question(0, 2)))
    assert [(one.i, one.grade) for one in first.grades] == [(1, 0.5)]
    assert len(Judgements(tmp_path / "grades.jsonl")) == 1
    again = asyncio.run(put(book.served(Minds(script)), question(0, 2)))
    assert [(one.i, one.grade) for one in again.grades] == [(0, 1.0), (1, 0.5)]
    assert [len(json.loads(line)) for line in (tmp_path / "grades.jsonl").read_text().splitlines()] == [3, 3]


def test_an_error_is_not_kept() -> None:
    """A judge that fails fails every pool that lacked a grade; what was known already goes on answering."""
    book = Judgements()
    asyncio.run(put(book.served(Minds(OfflineRules())), question(0, 1)))

    class Dead(OfflineRules):
        async def complete(self, messages: Any, **options: Any) -> Any:
            raise BackendError("down", kind="refused", backend=self.name)

    mind = book.served(Minds(Dead(), patience=Patience(retries=0)))
    with pytest.raises(BackendError, match="down"):
        asyncio.run(put(mind, question(0, 2)))
    assert len(asyncio.run(put(mind, question(1, 0))).grades) == 2
    assert len(book) == 2
    assert len(asyncio.run(put(book.served(Minds(OfflineRules())), question(0, 2))).grades) == 2


@pytest.mark.parametrize("change", ["model", "query", "moment", "words", "date"])
def test_a_grade_is_of_all_that_the_model_saw(change: str) -> None:
    """Another model, question, moment, wording or date is another pair."""
    book = Judgements()
    asyncio.run(put(book.served(Minds(OfflineRules())), question(0)))
    other = question(0, query="Who is Ana?" if change == "query" else "Where does Ana live?")
    backend = OfflineRules()
    if change == "model":
        backend.name = "another"
    elif change == "moment":
        other["asked_at"] = "2024-05-01T00:00:00+00:00"
    elif change == "words":
        other["facts"][0]["text"] += "."
    elif change == "date":
        other["facts"][0]["since"] = "2023-03-01"
    with pytest.raises(Wanted):
        asyncio.run(book.served(Minds(backend)).ask(tasks.judge(), other, timeout=1.0))


def test_other_questions_go_through() -> None:
    """What is no question of the documented judge is put to the model as it is: its answer may rest on more than a pair."""
    mind = Judgements().served(Minds(OfflineRules()))
    more = {**question(0), "profile": "a nurse"}
    assert asyncio.run(mind.ask(tasks.judge(), more, timeout=1.0)).value.grades
    assert asyncio.run(mind.ask(tasks.judge(), question(0), timeout=1.0, repeat=1)).value.grades
    assert mind.names["judge"] == "offline/rules"


def test_two_writers_share_a_file(tmp_path: Path) -> None:
    """Of two grades for a pair the first in the file counts, in whichever process; a torn line is cut away and named none."""
    path = tmp_path / "deep" / "grades.jsonl"
    one, other = Judgements(path), Judgements(path)
    one.keep({"a": Grade(0.25), "b": Grade(0.5)})
    with path.open("ab") as file:
        file.write(b'{"key": "torn", "gra')  # a crash
    other.keep({"b": Grade(1.0), "c": Grade(0.75)})
    assert [other.find(key) for key in "abc"] == [Grade(0.25), Grade(0.5), Grade(0.75)]
    assert Judgements(path).find("b") == Grade(0.5)
    assert len(path.read_text().splitlines()) == len(Judgements(path)) == 3


def test_a_foreign_line_is_refused(tmp_path: Path) -> None:
    """A file that holds something else is told with its line, and nothing is read from it in silence."""
    path = tmp_path / "grades.jsonl"
    path.write_text('{"key": "a", "grade": 0.5}\n{"key": "b"}\n')
    with pytest.raises(DatasetError, match=r"grades\.jsonl.*line 2"):
        Judgements(path)
