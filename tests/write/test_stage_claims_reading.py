"""Claims about reading a message: dates at their bounds, parts that fail, and the three blind questions (C12, W4, W5, E4)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from arandu_lab.errors import BackendError
from arandu_lab.llm import tasks
from arandu_lab.llm.tasks import FactItem
from arandu_lab.pipeline import Lab
from arandu_lab.pipeline.lab import Answered
from arandu_lab.pure.chunks import Chunk
from arandu_lab.records import Extraction, Grounded, NewEntity, NewRelation, Skipped, Turn
from arandu_lab.trace import Span
from arandu_lab.write import blind
from arandu_lab.write.dating import Told, checked, told
from arandu_lab.write.informed import informed
from arandu_lab.write.parts import ask_each, parts

SAID = datetime(2025, 6, 15, 12, tzinfo=UTC)
TURN = Turn(agent_id="a", text="hi", speaker="Ana", occurred_at=SAID, event_id="e")


def item(text: str = "Ana x", **more: Any) -> FactItem:
    """A fact as a model states it."""
    return FactItem(subject="Ana", text=text, **more)


def midnight(year: int, month: int = 1, day: int = 1) -> datetime:
    """The beginning of a day in UTC."""
    return datetime(year, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ({}, Told()),
        ({"valid_from": "2025-06-14"}, Told(valid_from=midnight(2025, 6, 14), granularity="day")),
        ({"valid_from": "2025-06-15"}, Told(granularity="day")),
        ({"valid_from": "2025-06-16"}, Told(event_time="2025-06-16")),
        ({"valid_from": "2025-06"}, Told(valid_from=midnight(2025, 6), granularity="month")),
        ({"valid_from": "2025"}, Told(valid_from=midnight(2025), granularity="year")),
        ({"valid_from": "2025-12-01"}, Told(event_time="2025-12-01")),
        ({"valid_to": "2024-12"}, Told(valid_to=midnight(2025), granularity="month")),
        ({"valid_to": "2024"}, Told(valid_to=midnight(2025), granularity="year")),
        ({"valid_to": "2024-02"}, Told(valid_to=midnight(2024, 3), granularity="month")),
        ({"valid_to": "2025-06-15"}, Told(valid_to=midnight(2025, 6, 16), granularity="day")),
        ({"valid_from": "2024-05-01", "valid_to": "2024-05-01"},
         Told(valid_from=midnight(2024, 5), valid_to=midnight(2024, 5, 2), granularity="day")),
        ({"valid_from": "2024-05-07", "valid_to": "2024"},
         Told(valid_from=midnight(2024, 5, 7), valid_to=midnight(2025), granularity="year")),
        ({"valid_from": "2024-05-07", "valid_to": "2024-06"},
         Told(valid_from=midnight(2024, 5, 7), valid_to=midnight(2024, 7), granularity="month")),
        ({"event_time": " 2025-06-16 "}, Told(event_time="2025-06-16")),
        ({"event_time": "2025-06-15", "valid_to": "2025-07"},
         Told(valid_to=midnight(2025, 8), granularity="month", event_time="2025-06-15")),
        ({"event_time": "2025-06-16", "valid_to": "2025-06-16"}, Told(event_time="2025-06-16")),
        ({"event_time": "2025-06-16", "valid_to": "2025-06-17"}, Told(event_time="2025-06-16/2025-06-17")),
        ({"event_time": "2025-06-16/2025-06-18", "valid_to": "2025-06-20"}, Told(event_time="2025-06-16/2025-06-18")),
        ({"valid_from": "2026-01", "valid_to": "2026-03"}, Told(event_time="2026-01/2026-03")),
        ({"event_time": "2025-06-18/2025-06-16"}, Told()),
        ({"event_time": "2025-06-16/2025-06-16"}, Told(event_time="2025-06-16/2025-06-16")),
        ({"event_time": "2025/2026/2027"}, Told()),
        ({"event_time": "soon"}, Told()),
        ({"valid_from": "2024-02-30"}, Told()),
        ({"valid_from": "0001"}, Told()),
        ({"valid_from": "9999"}, Told()),
        ({"valid_from": "0002"}, Told(valid_from=midnight(2), granularity="year")),
        ({"valid_from": " 2024-05-07T10:00 "}, Told(valid_from=midnight(2024, 5, 7), granularity="day")),
    ],
)  # fmt: skip
def test_dates_at_their_bounds(dates: dict[str, str], expected: Told) -> None:
    """E4, E8, W5: begun before today is a beginning, after it a plan; an end is the day after the last one told."""
    assert told(item(**dates), SAID) == (expected, ())


def test_an_end_before_the_beginning() -> None:
    """E4: it is dropped and told with both dates; in the zone of the speaker a day begins at its own midnight."""
    found, skipped = told(item(valid_from="2024-05-07", valid_to="2024-05-06"), SAID)
    assert found == Told(valid_from=midnight(2024, 5, 7), granularity="day")
    assert [(one.what, one.why) for one in skipped] == [("Ana x", "its end 2024-05-06 is before its beginning 2024-05-07")]  # fmt: skip
    zone = timezone(-timedelta(hours=3))
    east, _ = told(item(valid_from="2025-06-14"), SAID.astimezone(zone))
    assert east.valid_from == datetime(2025, 6, 14, tzinfo=zone)


def put_right(message: str, *shown: str, text: str = "Ana moved", **dates: str) -> tuple[str | None, str | None, str]:
    """The dates and the words of a fact after they were checked."""
    [one], _ = checked([item(text, **dates)], message, SAID, shown)
    return one.valid_from, one.event_time, one.text


@pytest.mark.parametrize(
    ("message", "stated", "right"),
    [
        ("I moved yesterday.", "2025-06-13", "2025-06-14"),
        ("I moved yesterday.", "2025-06-14", "2025-06-14"),
        ("I moved yesterday.", "2025-04-13", "2025-06-14"),
        ("I moved yesterday.", "2025-04-12", "2025-04-12"),
        ("I moved yesterday.", "2025-08-15", "2025-06-14"),
        ("I moved yesterday.", "2025-08-16", "2025-08-16"),
        ("I moved yesterday.", "2025-05", "2025-05"),
        ("I moved yesterday.", "2024", "2024"),
        ("I moved last month.", "2025-04", "2025-05"),
        ("I moved last month.", "2023-04", "2023-04"),
        ("I moved last month.", "2025-05", "2025-05"),
        ("I moved last month.", "2025-05-20", "2025-05-20"),
        ("I moved last year.", "2023", "2024"),
        ("I moved last year.", "2018", "2018"),
        ("I moved last week.", "2025-05-20", "2025-06-02"),
        ("I moved last week.", "2025-06-08", "2025-06-08"),
        ("I worked there the last two months.", "2025-03", "2025-04"),
        ("I worked there the last two years.", "2022", "2023"),
        ("I moved yesterday and today.", "2025-06-10", "2025-06-10"),
        ("I moved.", "2025-06-10", "2025-06-10"),
        ("I moved on 14 June 2025.", "2025-06-13", "2025-06-13"),
        ("Eu me mudei ontem.", "2025-06-13", "2025-06-14"),
        ("Eu me mudei mês passado.", "2025-04", "2025-05"),
    ],
)
def test_a_date_near_the_one_that_was_meant(message: str, stated: str, right: str) -> None:
    """W5: of the same grain and near what the only relative expression means it is put right; else it is left alone."""
    assert put_right(message, valid_from=stated)[0] == right
    assert put_right(message, event_time=stated)[1] == right


def test_what_is_told_of_a_date_put_right() -> None:
    """W5: the fact's words change where they tell the wrong day, both fields are told; a day shown before is left alone."""
    said = item("Ana moved on June 13, 2025", valid_from="2025-06-13", event_time="2025-06-12")
    other = item("Ana sings")
    [one, two], skipped = checked([said, other], "I moved yesterday.", SAID)
    assert (one.valid_from, one.event_time) == ("2025-06-14", "2025-06-14")
    assert two is other
    assert [(skip.what, skip.why) for skip in skipped] == [
        ("valid_from 2025-06-13 of 'Ana moved on June 13, 2025'", "'yesterday' is 2025-06-14"),
        ("event_time 2025-06-12 of 'Ana moved on June 13, 2025'", "'yesterday' is 2025-06-14"),
    ]
    assert put_right("I moved yesterday.", "See you on June 13, 2025", valid_from="2025-06-13")[0] == "2025-06-13"
    assert put_right("I moved yesterday.", "See you on June 12, 2025", valid_from="2025-06-13")[0] == "2025-06-14"
    assert (
        put_right("I moved yesterday.", text="On June 13, 2025 Ana moved", valid_from="2025-06-13")[2]
        == "On 14 June 2025 Ana moved"
    )


# ---------------------------------------------------------------- parts


class Mind:
    """A model that answers by the task and the message; a ``BackendError`` is raised. Knows how many were at once."""

    def __init__(self, answer: Callable[[str, str, int], Any]) -> None:
        self.answer = answer
        self.asked = list[tuple[str, dict[str, Any], float, int]]()
        self.at_once = self.most = 0

    async def ask(self, task: Any, inputs: Any, *, timeout: float, repeat: int = 0) -> Any:
        """What ``answer`` gives."""
        self.asked.append((task.name, dict(inputs), timeout, repeat))
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        found = self.answer(task.name, str(inputs["message"]), repeat)
        if isinstance(found, BackendError):
            raise found
        return found if isinstance(found, Answered) else Answered(task.answer.model_validate(found), ("odd",))


def bench(mind: Any) -> Lab:
    """A laboratory with a model and nothing else."""
    return Lab(llm=mind, embed=None, memory=None, now=SAID, log=Span("stage"))  # type: ignore[arg-type]


DOWN = BackendError("no answer", kind="unavailable", backend="model")
PIECES = tuple(Chunk(text=f"part {n}", start=10 * n) for n in range(5))


async def each(answer: Callable[[str, str, int], Any], pieces: Sequence[Chunk] = PIECES, **more: Any) -> Any:
    """The parts as they were read, the model, and the span."""
    lab = bench(mind := Mind(answer))
    found = await ask_each(
        lab, tasks.facts(), pieces, lambda n: {"message": pieces[n].text}, timeout=7.0, **({"at_once": 2} | more)
    )
    return found, mind, lab.log


async def test_parts_that_failed_are_told() -> None:
    """C12: the answers stay in the order of their parts; a part that failed is told with its place, and marks the span."""
    found, mind, span = await each(lambda task, message, repeat: DOWN if message == "part 1" else {"facts": []})
    assert [chunk.start for chunk, _ in found.answered] == [0, 20, 30, 40]
    assert found.skipped == (
        Skipped(what="part 1", why=f"part 2 of 5 (characters 10 to 16) was not read: unavailable: {DOWN.message}"),
    )
    assert [(one.failure.stage, one.failure.kind, one.failure.backend) for one in span.children] == [
        ("stage", "unavailable", "model")
    ]
    assert span.own == {"parts": 5, "parts_failed": 1}
    assert {(timeout, repeat) for _, _, timeout, repeat in mind.asked} == {(7.0, 0)}
    assert mind.most == 2


async def test_a_single_part() -> None:
    """C12: nothing is logged of parts where there is one, and how often it is asked is handed on."""
    _, mind, span = await each(lambda task, message, repeat: {"facts": []}, PIECES[:1], repeat=3)
    assert (span.own, [repeat for *_, repeat in mind.asked]) == ({}, [3])


async def test_no_part_is_answered() -> None:
    """C12: where every part failed the failure of the first is the failure."""
    first, other = BackendError("late", kind="timeout", backend="model"), DOWN
    with pytest.raises(BackendError) as raised:
        await each(lambda task, message, repeat: first if message == "part 0" else other)
    assert raised.value is first


async def test_what_goes_wrong_otherwise_stops_the_rest() -> None:
    """C12: an error that is no backend's is raised at once, and no other part is left asking behind it."""
    begun, left = list[str](), list[str]()

    class Stuck(Mind):
        async def ask(self, task: Any, inputs: Any, *, timeout: float, repeat: int = 0) -> Any:
            begun.append(inputs["message"])
            if inputs["message"] == "part 0":
                await asyncio.sleep(0)
                raise ValueError("a bug")
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                left.append(inputs["message"])
                raise

    lab = bench(Stuck(lambda *_: None))
    with pytest.raises(ValueError, match="a bug"):
        await ask_each(lab, tasks.facts(), PIECES[:3], lambda n: {"message": f"part {n}"}, timeout=7.0, at_once=2)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert "part 1" in left
    assert sorted(["part 0", *left]) == sorted(begun)


def test_blank_parts_are_none() -> None:
    """C12: a message within the size is one part, blanks are none; what came before a part is shown to it."""
    said = Grounded(turn=TURN, said="Ana sings. " * 30)
    assert [len(part.text) for part in parts(said, chunk_max_chars=330, chunk_context_chars=20)] == [330]
    two = parts(said, chunk_max_chars=300, chunk_context_chars=20)
    assert "".join(part.text for part in two) == said.said
    assert two[1].before == "Ana sings. "
    assert parts(replace(said, said="  \n "), chunk_max_chars=330, chunk_context_chars=20) == ()


# ---------------------------------------------------------------- blind and informed

ASKED: dict[str, Any] = {
    "extraction_timeout_sec": 7.0, "chunk_max_chars": 200, "chunk_context_chars": 0, "chunk_concurrency": 2, "profile_language": "en",
    "timezone": "UTC",
}  # fmt: skip
VALUED: dict[str, Any] = {"importance_values": {}, "confidence_values": {"explicit": 0.95, "speculation": 0.3}}
LONG = "Ana met Bia. " * 15 + "Then Caio sang. " * 12


def scanned(said: str, *names: str, **more: Any) -> Extraction:
    """A message whose names were found."""
    entities = tuple(NewEntity(name=name, type="person") for name in names)
    return Extraction(turn=TURN, said=said, entities=entities, **more)


def tied(*pairs: tuple[str, str]) -> dict[str, Any]:
    """Relations as a model names them."""
    return {"relations": [{"source": one, "type": "knows", "target": other} for one, other in pairs]}


async def test_relations_are_asked_for_once_more() -> None:
    """W4: only a part with two names and no relation is asked again; what it says then stands in the order of the parts."""

    def answer(task: str, message: str, repeat: int) -> Any:
        return tied(("Ana", "Bia")) if repeat else tied(("Caio", "Ana")) if "Caio" in message else tied()

    lab = bench(mind := Mind(answer))
    found = await blind.relate_entities.function(scanned(LONG, "Ana", "Bia", "Caio"), lab, **ASKED)
    pieces = parts(scanned(LONG), chunk_max_chars=200, chunk_context_chars=0)
    assert len(pieces) >= 2
    again = [inputs for _, inputs, _, repeat in mind.asked if repeat]
    bare = [piece.text for piece in pieces if "Caio" not in piece.text]
    assert [inputs["message"] for inputs in again] == bare
    assert {timeout for _, _, timeout, _ in mind.asked} == {7.0}
    assert [(one.source, one.target) for one in found.relations] == [("Ana", "Bia"), ("Caio", "Ana")]
    assert lab.log.own["relation_retry_triggered"] is True
    assert lab.log.own["relations"] == 2
    assert [one.why for one in found.skipped] == ["odd"] * len(pieces)


@pytest.mark.parametrize(("names", "calls"), [((), 1), (("Ana",), 1), (("Ana", "Bia"), 2)])
async def test_one_name_has_no_relation(names: tuple[str, ...], calls: int) -> None:
    """W4: a message with fewer than two names is not asked about twice; one that stays without relations is no failure."""
    lab = bench(mind := Mind(lambda task, message, repeat: tied()))
    found = await blind.relate_entities.function(scanned("Ana met Bia.", *names), lab, **ASKED)
    assert [repeat for *_, repeat in mind.asked] == list(range(calls))
    assert found.relations == ()
    assert lab.log.own["relation_retry_triggered"] is (calls == 2)


async def test_the_second_question_may_fail() -> None:
    """W4, C12: where the second question fails, what was found stays and the failure is told as such."""

    def answer(task: str, message: str, repeat: int) -> Any:
        if repeat:
            return DOWN if message.startswith("Then") or "Dora" in message else tied(("Ana", "Bia"))
        return tied()

    long = "Ana met Bia. " * 15 + "Then Caio met Dora. " * 9
    lab = bench(Mind(answer))
    found = await blind.relate_entities.function(scanned(long, "Ana", "Bia", "Caio", "Dora"), lab, **ASKED)
    assert [(one.source, one.target) for one in found.relations] == [("Ana", "Bia")]
    told = [one.why for one in found.skipped if one.why != "odd"]
    assert told
    assert all("was not searched again for relations" in why for why in told)


async def test_what_each_blind_question_shows() -> None:
    """W4: a whole message is shown with all names, a part with those that it names, or that the speaker bears."""
    lab = bench(mind := Mind(lambda task, message, repeat: {"facts": []}))
    await blind.state_facts.function(scanned("Ana met Bia.", "Bia", "Zoe"), lab, **ASKED, **VALUED)
    assert [one["name"] for one in mind.asked[0][1]["entities"]] == ["Bia", "Zoe"]
    lab = bench(mind := Mind(lambda task, message, repeat: {"facts": []}))
    given = scanned(LONG.replace("Ana", "Lia"), "Ana", "Bia", "Caio", "Zoe")
    nina = replace(given, entities=(*given.entities, NewEntity(name="Lu", type="person", aliases=("Lia",))))
    await blind.state_facts.function(nina, lab, **ASKED, **VALUED)
    shown = [[one["name"] for one in inputs["entities"]] for _, inputs, _, _ in mind.asked]
    assert shown[0] == ["Ana", "Bia", "Lu"]
    assert shown[-1] == ["Ana", "Caio"]
    assert mind.asked[0][1]["entities"][-1] == {"name": "Lu", "type": "person", "aliases": ["Lia"]}


async def test_names_of_a_message() -> None:
    """W4: the first question gives names, the tie in brackets and the emotion; all that was refused is told."""
    answer = {
        "entities": [{"name": "Bia (my sister)", "type": "person"}, {"name": "Natal", "type": "place"}, {"name": "Natal", "type": "person"}],
        "emotion": {"label": "joy", "intensity": 0.5, "energy": "low"},
    }  # fmt: skip
    lab = bench(mind := Mind(lambda task, message, repeat: answer))
    given = Grounded(turn=TURN, said="Bia is in Natal", skipped=(Skipped(what="w", why="y"),))
    found = await blind.scan_entities.function(given, lab, **ASKED)
    assert [one.name for one in found.entities] == ["Bia", "Natal"]
    assert [(one.source, one.target) for one in found.relations] == [("Bia", "Ana")]
    assert found.emotion is not None
    assert (found.emotion.label, found.mode) == ("joy", "blind")
    assert [one.why for one in found.skipped] == ["y", "odd", "named in the same message as place"]
    assert lab.log.own == {"entities": 2}
    assert [(name, timeout) for name, _, timeout, _ in mind.asked] == [("entities", 7.0)]


async def test_facts_of_a_message() -> None:
    """W4: facts go by canonical names with the confidence of their level; what was refused, or says nothing, is told."""
    answer = {
        "facts": [{"subject": "Nina", "text": "Nina sings", "confidence": "explicit"}, {"subject": "Ana", "text": "!"}]
    }
    lab = bench(Mind(lambda task, message, repeat: answer))
    given = replace(scanned("x"), entities=(NewEntity(name="Ana", type="person", aliases=("Nina",)),))
    given = replace(given, skipped=(Skipped(what="w", why="y"),))
    found = await blind.state_facts.function(given, lab, **ASKED, **VALUED)
    assert [(one.subject, one.text, one.confidence) for one in found.facts] == [("Ana", "Nina sings", 0.95)]
    assert [one.why for one in found.skipped] == ["y", "odd", "fact without words"]
    assert lab.log.own == {"facts": 1}


async def test_blank_messages_are_not_asked_about() -> None:
    """W3: of a message with nothing to read no question is put, informed or blind."""
    lab = bench(mind := Mind(lambda task, message, repeat: DOWN))
    blank = Grounded(turn=TURN, said=" \n ")
    assert (await informed.function(blank, lab, **ASKED, **VALUED)).mode == "none"
    unread = await blind.scan_entities.function(blank, lab, **ASKED)
    assert unread.mode == "none"
    assert await blind.state_facts.function(unread, lab, **ASKED, **VALUED) is unread
    assert await blind.relate_entities.function(unread, lab, **ASKED) is unread
    assert blind.join_readings.function((unread, unread), lab, confidence_values={}) is unread
    assert mind.asked == []


async def test_an_informed_answer() -> None:
    """W1, W24: one answer gives names, facts, ties with those in brackets, profiles and emotion; the log counts them."""
    answer = {
        "entities": [{"name": "Bia (my sister)", "type": "person"}, {"name": "Natal", "type": "place"}],
        "facts": [{"subject": "Bia", "text": "Bia lives in Natal"}, {"subject": "Bia", "text": "bia lives in natal!"}],
        "relations": [{"source": "Bia", "type": "lives_in", "target": "Natal"}, {"source": "Bia", "type": "x", "target": "bia"}],
        "updated_profiles": {"Bia": "Nurse."}, "emotion": {"label": "joy", "intensity": 0.5, "energy": "low"},
    }  # fmt: skip
    lab = bench(mind := Mind(lambda task, message, repeat: answer))
    given = Grounded(turn=TURN, said="Bia lives in Natal", skipped=(Skipped(what="w", why="y"),))
    found = await informed.function(given, lab, **ASKED, **VALUED)
    assert [one.name for one in found.entities] == ["Bia", "Natal"]
    assert [one.text for one in found.facts] == ["Bia lives in Natal"]
    assert [(one.source, one.target) for one in found.relations] == [("Bia", "Natal"), ("Bia", "Ana")]
    assert found.profiles == (("Bia", "Nurse."),)
    assert found.emotion is not None
    assert (found.emotion.label, found.mode) == ("joy", "informed")
    assert [one.why for one in found.skipped] == ["y", "odd", "repeated in the answer", "an entity related to itself"]
    assert lab.log.own == {"entities": 2, "facts": 1, "relations": 2, "relation_retry_triggered": False}
    assert [(name, timeout) for name, _, timeout, _ in mind.asked] == [("extract", 7.0)]


def test_two_readings_are_one() -> None:
    """W4: the facts of the one and the relations of the other, and what both skipped; of an assistant's turn, marked."""
    stated = replace(scanned("x", "Ana"), mode="blind", skipped=(Skipped(what="s", why="1"),))
    tie = NewRelation(source="Ana", type="knows", target="Bia")
    related = replace(stated, relations=(tie,), skipped=(Skipped(what="r", why="2"),))
    found = blind.join_readings.function((stated, related), bench(None), confidence_values={})
    assert (found.relations, [one.why for one in found.skipped]) == ((tie,), ["1", "2"])
    theirs = [replace(one, turn=replace(TURN, speaker="assistant")) for one in (stated, related)]
    joined = blind.join_readings.function(tuple(theirs), bench(None), confidence_values={})
    assert joined.relations == ()
    left = blind.leave_unrelated.function(related, bench(None))
    assert (left.relations, left.skipped) == ((tie,), ())
