"""Time as it was told: both ends kept with their grain, plans apart from events, and what a model's dates may mean."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from said import AGENT, Talk, answer, at, edge, fact, verdicts

from arandu_lab.memory import Memory
from arandu_lab.records import Fact
from arandu_lab.store.schema import PROJECTIONS
from arandu_lab.store.store import Store

NATAL, RECIFE = "Ana lives in Natal", "Ana lived in Recife"
STAY = {"valid_from": "2024-03", "valid_to": "2024-05"}


def dates(one: Fact) -> tuple[str, str | None, str | None]:
    """Begin, end and grain of a row, by day."""
    return one.valid_from.date().isoformat(), one.valid_to and one.valid_to.date().isoformat(), one.granularity


@pytest.mark.parametrize(
    ("begin", "end", "kept"),
    [
        ("2024-03", "2024-05", ("2024-03-01", "2024-06-01", "month")),
        ("2024-03-10", "2024-05-31", ("2024-03-10", "2024-06-01", "day")),
        ("2015", "2018", ("2015-01-01", "2019-01-01", "year")),
        ("2015", "2018-12", ("2015-01-01", "2019-01-01", "year")),
        (None, "2019", ("2019-01-01", "2020-01-01", "year")),
        (None, "2024-12", ("2024-12-01", "2025-01-01", "month")),
        ("2020", None, ("2020-01-01", None, "year")),
        (None, None, ("2025-06-01", None, None)),
        (None, "2025-06-20", ("2025-06-01", "2025-06-21", "day")),
    ],
)
async def test_the_interval_told_is_kept(
    begin: str | None, end: str | None, kept: tuple[str, str | None, str | None]
) -> None:
    """E4, E8, E9: both ends at the grain told; the last day, month or year said belongs to the interval, half open."""
    with Talk() as talk:
        said = answer(fact("Ana", RECIFE, valid_from=begin, valid_to=end))
        [one] = (await talk(said, when=at(2025, 6))).facts_added
        assert dates(one) == kept
        assert (one.closed_by, one.invalidated_at) == (("stated" if end else None), None)


async def test_an_end_before_the_beginning_is_dropped_and_said() -> None:
    """E4: an impossible end costs the end, not the fact nor its neighbours."""
    with Talk() as talk:
        said = answer(fact("Ana", RECIFE, valid_from="2024-05", valid_to="2024-03"), fact("Ana", "Ana sings"))
        result = await talk(said, when=at(2025, 6))
        assert [dates(one) for one in result.facts_added] == [
            ("2024-05-01", None, "month"),
            ("2025-06-01", None, None),
        ]
        assert [(one.what, one.why) for one in result.skipped] == [
            (RECIFE, "its end 2024-03 is before its beginning 2024-05")
        ]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("De março a maio morei em Recife.", "- Rafael morou em Recife de março de 2025 a maio de 2025"),
        ("From March to May I lived in Recife.", "- Rafael lived in Recife from March 2025 to May 2025"),
        ("Entre 2015 e 2018 trabalhei na Acme.", "- Rafael trabalhou na Acme entre 2015 e 2018"),
        ("I worked at Acme from 2015 to 2018.", "- Rafael worked at Acme from 2015 to 2018"),
        ("Morei em Olinda até o mês passado.", "- Rafael morou em Olinda até maio de 2025"),
        ("I lived in Olinda until last month.", "- Rafael lived in Olinda until May 2025"),
    ],
)
async def test_both_ends_stand_in_the_context(said: str, line: str) -> None:
    """E4, E16: an interval that was told is in the context, in the words of the fact where they say it."""
    with Memory.open("memory://", embedder="hashing") as memory:
        await memory.write("a", said, "Rafael", occurred_at=at(2025, 6, 15))
        asked = "Onde Rafael morou e trabalhou?" if "Rafael lived" not in line else "Where has Rafael lived?"
        found = await memory.retrieve("a", asked, now=at(2025, 6, 16))
        assert line in found.context.splitlines()


@pytest.mark.parametrize(
    ("text", "more", "line"),
    [
        ("Ana morou em Recife", STAY, "- Ana morou em Recife (2024-03 a 2024-05)"),
        ("Ana lived in Recife", STAY, "- Ana lived in Recife (2024-03 to 2024-05)"),
        ("Ana morou em Recife de março a maio de 2024", STAY, "- Ana morou em Recife de março a maio de 2024"),
        ("Ana sings in Recife", {"valid_from": "2020"}, "- Ana sings in Recife (since 2020)"),
        ("Ana está em Recife", {"valid_to": "2025-06-20"}, "- Ana está em Recife (até 2025-06-20)"),
        (
            "Ana plans to see Recife",
            {"event_time": "2025-07-03/2025-07-10"},
            "- Ana plans to see Recife (2025-07-03 to 2025-07-10)",
        ),
        ("Ana sings in Recife", {}, "- Ana sings in Recife"),
    ],
)
async def test_a_date_that_was_told_is_rendered(text: str, more: dict[str, str], line: str) -> None:
    """E16: a line carries the dates told with its fact, unless its words do; the moment of the turn is none of them."""
    with Talk() as talk:
        await talk(answer(fact("Ana", text, **more)), when=at(2025, 6, 15))
        found = await talk.memory.retrieve(AGENT, f"{text}?", now=at(2025, 6, 16))
        assert line in found.context.splitlines()


async def test_what_ends_tomorrow_is_live_today() -> None:
    """E10, E14: an end that lies ahead has ended nothing; on its day the fact holds, on the next it does not."""
    with Talk() as talk:
        await talk(answer(fact("Ana", "Ana está em Natal", valid_to="2025-06-20")), when=at(2025, 6, 15))
        live = [talk.memory.facts(AGENT, as_of=at(2025, 6, day, 23)).height for day in (14, 15, 20, 21)]
        assert live == [0, 1, 1, 0]
        for day, shown in ((19, True), (22, False)):
            found = await talk.memory.retrieve(AGENT, "Ana está em Natal?", now=at(2025, 6, day))
            assert ("- Ana está em Natal" in found.context) is shown
        again = await talk(answer(fact("Ana", "Ana está em Natal")), when=at(2025, 6, 16))
        assert [one.action for one in again.decided] == ["NOOP"]


async def test_a_statement_about_the_past_stays_true() -> None:
    """E14, W8: what was told as over is not live now, holds in its interval, and is still found by a question about now."""
    with Talk() as talk:
        await talk(answer(fact("Ana", RECIFE, **STAY)), when=at(2025, 6, 15))
        held = [
            talk.memory.facts(AGENT, as_of=at(*day)).height
            for day in ((2024, 2, 29), (2024, 3, 2), (2024, 5, 31), (2024, 6, 2))
        ]
        assert held == [0, 1, 1, 0]
        assert RECIFE in (await talk.memory.retrieve(AGENT, RECIFE, now=at(2025, 7))).context
        assert RECIFE not in (await talk.memory.retrieve(AGENT, RECIFE, now=at(2025, 7), as_of=at(2024, 7))).context


async def test_an_episode_interrupts_and_does_not_replace() -> None:
    """W8, E15: a stay that is over takes its own months out of the home that goes on; what was known then is kept."""
    with Talk({(NATAL, RECIFE): 0.8}) as talk:
        await talk(
            answer(
                fact("Ana", NATAL, valid_from="2020"),
                relations=[edge("Ana", "lives_in", "Natal")],
                entities=[{"name": "Ana", "type": "person"}, {"name": "Natal", "type": "place"}],
            ),
            when=at(2025, 1),
        )
        before = talk.all()[0]
        result = await talk(answer(fact("Ana", RECIFE, **STAY)), when=at(2025, 6), verdict=verdicts(("UPDATE", 0)))
        assert [(one.action, one.why) for one in result.decided] == [("ADD", "late")]
        seen = [talk.memory.facts(AGENT, as_of=at(*day))["text"].to_list() for day in ((2022, 1), (2024, 4), (2025, 6))]
        assert seen == [[NATAL], [RECIFE], [NATAL]]
        known = talk.memory.facts(AGENT, as_of=at(2024, 4), known_at=before.recorded_at)["text"].to_list()
        assert known == [NATAL]
        assert talk.edges() == [("person:ana", "lives_in", "place:natal")]


async def test_the_same_value_told_as_over_ends_it() -> None:
    """W8: "worked at Acme until 2023" ends "works at Acme", and nothing goes on after it."""
    works, worked = "Ana works at Acme", "Ana worked at Acme until 2023"
    with Talk({(works, worked): 0.9}) as talk:
        await talk(answer(fact("Ana", works, valid_from="2015")), when=at(2022))
        await talk(answer(fact("Ana", worked, valid_to="2023")), when=at(2025), verdict=verdicts(("UPDATE", 0)))
        held = [talk.memory.facts(AGENT, as_of=at(year, 6))["text"].to_list() for year in (2022, 2023, 2024)]
        assert held == [[works], [worked], []]


async def test_a_relation_of_then_is_an_edge_of_then() -> None:
    """E4, W17: an edge that rests on a fact with an end has that end; it is no edge of today."""
    people = [{"name": "Ana", "type": "person"}, {"name": "Acme", "type": "organization"}]
    with Talk() as talk:
        said = fact("Ana", "Ana worked at Acme", valid_from="2015", valid_to="2018")
        await talk(answer(said, entities=people, relations=[edge("Ana", "works_at", "Acme")]), when=at(2025))
        [one] = talk.view.edges()
        assert (one.valid_from.year, one.valid_to and one.valid_to.year) == (2015, 2019)
        assert talk.view.edges(as_of=at(2025)) == ()


@pytest.mark.parametrize(
    ("more", "planned"),
    [
        ({"event_time": "2025-07-03/2025-07-10"}, "2025-07-03/2025-07-10"),
        ({"valid_from": "2025-07-03", "valid_to": "2025-07-10"}, "2025-07-03/2025-07-10"),
        ({"event_time": "2025-07-03", "valid_to": "2025-07-10"}, "2025-07-03/2025-07-10"),
        ({"valid_from": "2026"}, "2026"),
        ({"event_time": "2025-07"}, "2025-07"),
    ],
)
async def test_a_plan_holds_from_its_utterance(more: dict[str, str], planned: str) -> None:
    """E12, W5: what is planned is valid from when it was said, has no end, and keeps one date or both in ``event_time``."""
    with Talk() as talk:
        [one] = (await talk(answer(fact("Ana", "Ana vai a Lisboa", **more)), when=at(2025, 6, 15))).facts_added
        assert (one.valid_from, one.valid_to, one.event_time) == (at(2025, 6, 15), None, planned)


@pytest.mark.parametrize(
    ("message", "told", "text", "since", "kept"),
    [
        (
            "I moved to Natal yesterday.",
            "2025-06-13",
            "Ana moved to Natal on June 13, 2025",
            "2025-06-14",
            "Ana moved to Natal on 14 June 2025",
        ),
        (
            "Me mudei pra Olinda ontem.",
            "2025-06-15",
            "Ana se mudou para Olinda em 15 de junho de 2025",
            "2025-06-14",
            "Ana se mudou para Olinda em 14 de junho de 2025",
        ),
        ("Me mudei pra Olinda anteontem.", "2025-06-12", "Ana se mudou para Olinda", "2025-06-13", None),
        ("I moved to Natal two years ago.", "2021", "Ana moved to Natal", "2023-01-01", None),
        ("I moved to Natal last month.", "2025-05", "Ana moved to Natal", "2025-05-01", None),
        ("I moved to Natal last month.", "2025-05-20", "Ana moved to Natal", "2025-05-20", None),
        ("I turn 30 tomorrow.", "1995", "Ana was born in 1995", "1995-01-01", None),
        ("I moved yesterday, not last week.", "2025-06-13", "Ana moved", "2025-06-13", None),
        ("I moved to Natal.", "2025-06-01", "Ana moved to Natal", "2025-06-01", None),
        ("Six weeks without a smoke as of yesterday.", "2025-05-03", "Ana does not smoke", "2025-05-03", None),
        ("Ontem fez seis semanas que parei de fumar.", "2025-05-03", "Ana não fuma", "2025-05-03", None),
    ],
)
async def test_a_date_that_the_message_cannot_mean(
    message: str, told: str, text: str, since: str, kept: str | None
) -> None:
    """W5: where one relative expression is all that a date can come from, it is resolved by rule, in the text too; a date
    of another grain, with another source, counted back by a length of time, or where two expressions compete stays the
    model's.
    """
    with Talk() as talk:
        when = datetime(2025, 6, 15, 22, 30, tzinfo=ZoneInfo("America/Recife"))
        result = await talk(answer(fact("Ana", text, valid_from=told)), text=message, speaker="Ana", when=when)
        [one] = result.facts_added
        assert (one.valid_from.date().isoformat(), one.text) == (since, kept or text)
        assert bool(result.skipped) == (one.valid_from.date().isoformat() != (told + "-01-01")[:10])


async def test_a_store_of_before_is_opened(tmp_path: Path) -> None:
    """E13: a store whose tables lack the columns of today is rebuilt from its journal at opening, and read as it is."""
    where = tmp_path / "old"
    talk = Talk(path=where)
    await talk(answer(fact("Ana", "Ana sings")), when=at(2025))
    store = talk.memory.store
    name, dim = store._tables.meta()["embedder_name"], store.dim
    store.flush()
    store._tables._handles["facts"].drop_columns(["granularity", "ends_before"])
    assert store._tables.lacking("facts") == ["granularity", "ends_before"]
    talk.memory.close()
    with Store.open(where, embedder_name=name, embedder_dim=dim, read_only=True) as reader:
        assert [reader.view(AGENT).fact_at(0).granularity, reader.view(AGENT).fact_at(0).text] == [None, "Ana sings"]
    with Store.open(where, embedder_name=name, embedder_dim=dim) as writer:
        assert [writer._tables.lacking(table) for table in PROJECTIONS] == [[]] * len(PROJECTIONS)
        assert writer.verify() == []


async def test_export_and_import_keep_the_interval(tmp_path: Path) -> None:
    """E13: both ends, the grain and the ends of before survive the journey."""
    with Talk({(NATAL, RECIFE): 0.8}) as talk, Talk() as other:
        await talk(answer(fact("Ana", NATAL, valid_from="2020")), when=at(2025, 1))
        await talk(answer(fact("Ana", RECIFE, **STAY)), when=at(2025, 6), verdict=verdicts(("UPDATE", 0)))
        await talk(
            answer(fact("Ana", "Ana lived in Olinda", valid_from="2024-04", valid_to="2024-04")),
            when=at(2025, 7),
            verdict=verdicts(("UPDATE", 0)),
        )
        talk.memory.export(AGENT, tmp_path / "a.jsonl")
        other.memory.import_(tmp_path / "a.jsonl")
        assert other.all() == talk.all()
        assert any(one.ends_before for one in other.all())
