"""A recording looks into a system without touching what it does, and never takes a failure for an empty read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import replay
from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.scorecard.dossier import Dossier
from arandu_lab.bench.scorecard.record import record
from arandu_lab.bench.scorecard.segments import segments
from arandu_lab.bench.scorecard.taps import overhear
from arandu_lab.errors import ConfigError
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.presets import arandu, read, write
from arandu_lab.systems.arandu import Arandu
from arandu_lab.systems.base import DatedTurn
from arandu_lab.systems.controls import Recency
from arandu_lab.systems.corpus import Scores
from arandu_lab.trace import Usage
from arandu_lab.write.groups import extraction
from arandu_lab.write.resolve import assign_keys, match_names


@pytest.fixture(scope="module")
def plain(tiny: Book) -> Dossier:
    """The documented system, end to end."""
    return asyncio.run(record(arandu(), tiny, embedder="hashing"))


async def test_every_stage_is_seen(tiny: Book, plain: Dossier) -> None:
    """Facts read, kept, resolved, decided and stored are all there and lead from one to the next."""
    assert plain.errors == ()
    assert [heard.turn for heard in plain.heard] == [turn.id for turn in tiny.conversation.turns]
    rows = {row.fact_id: row for row in plain.rows}
    stored = 0
    for heard in plain.heard:
        assert [one.position for one in heard.made] == list(range(len(heard.stated)))
        assert [one.text for one in heard.stated if one.context is None] == [heard.facts[at].text for at in heard.kept]
        for made in heard.made:
            if made.fact_id is not None:
                stored += 1
                assert rows[made.fact_id].turn == heard.turn
                assert rows[made.fact_id].text == heard.stated[made.position].text
            if made.action == "UPDATE":
                assert rows[str(made.fact_id)].supersedes == made.target_id
        assert not heard.facts or heard.resolved
    assert stored == len(rows) > 0
    assert {cost.stage for cost in plain.costs if cost.calls} >= {"extraction", "ranking"}


async def test_it_is_the_same_system(tiny: Book, plain: Dossier) -> None:
    """What a watched system returns for every question is what the system of the harness returns."""
    system = Arandu(embedder="hashing")
    done = await replay(system, tiny.conversation, depth=20)
    by_id = {asked.question: asked for asked in plain.asked}
    rows = {row.fact_id: row for row in plain.rows}
    for answer in done.answers:
        asked = by_id[answer.question]
        assert answer.context_tokens == asked.context_tokens
        kept = [rows[one.fact_id].turn for one in asked.candidates if one.lost in (None, "budget")]
        assert {turn for turn in kept if turn} | set(asked.turns) == set(answer.returned or ())


async def test_questions_see_no_later_turn(tiny: Book, plain: Dossier) -> None:
    """A question put before a turn finds none of it."""
    rows = {row.fact_id: row for row in plain.rows}
    asked = {one.question: one for one in plain.asked}
    told = {turn.id: turn.occurred_at for turn in tiny.conversation.turns}
    for question in tiny.conversation.questions:
        for one in asked[question.id].candidates:
            assert told[str(rows[one.fact_id].turn)] <= question.asked_at
        assert all(told[turn] <= question.asked_at for turn in asked[question.id].turns)


def test_states_are_what_the_rows_say(tiny: Book, plain: Dossier) -> None:
    """At each instant those rows are live that were known then and held then."""
    assert [datetime.fromisoformat(state.at) for state in plain.states] == list(tiny.instants)
    for state in plain.states:
        at = datetime.fromisoformat(state.at)
        live = set()
        for row in plain.rows:
            known = datetime.fromisoformat(row.recorded_at) <= at
            seen = row.invalidated_at is not None and datetime.fromisoformat(row.invalidated_at) <= at
            ended = seen and row.valid_to is not None and datetime.fromisoformat(row.valid_to) <= at
            if known and datetime.fromisoformat(row.valid_from) <= at and not ended:
                live.add(row.fact_id)
        assert set(state.facts) == live


def test_instants_are_local_midnights(tiny: Book) -> None:
    """A set that does not say when is looked at on evenly spaced days, at midnight where it was said."""
    assert len(tiny.instants) == 10
    assert all((at.hour, at.minute) == (0, 0) for at in tiny.instants)
    last = tiny.conversation.turns[-1].occurred_at
    assert last < tiny.instants[-1] <= last + timedelta(days=1)


async def test_a_dossier_survives_json(plain: Dossier) -> None:
    """What is written is what is read, and times take no part in what is compared."""
    assert Dossier.from_json(plain.to_json()) == plain
    assert plain == replace(plain, times={"extraction": 1.0})
    assert plain.to_json(times=False) == replace(plain, times={}).to_json(times=False)
    with pytest.raises(ValueError, match="strange"):
        Dossier.from_json(plain.to_json()[:-1] + ', "strange": 1}')


async def test_two_recordings_are_equal(tiny: Book, plain: Dossier) -> None:
    """The same system and set give the same dossier."""
    assert (await record(arandu(), tiny, embedder="hashing")).to_json(times=False) == plain.to_json(times=False)


async def test_a_dead_model_is_an_error(tiny: Book) -> None:
    """Where no model answers, every turn is an error and nothing looks like an empty read."""
    dossier = await record(arandu(), tiny, llm=Scripted(default=fail("refused")), embedder="hashing")
    assert all(heard.error is not None and "refused" in heard.error for heard in dossier.heard)
    assert len(dossier.errors) >= len(dossier.heard)
    assert dossier.rows == ()


async def test_a_stage_that_was_stepped_around_is_told(tiny: Book) -> None:
    """A dead judge leaves the formula order and a line for every question; turns are none the worse."""
    llm = {"default": "offline/rules", "judge": Scripted(default=fail("refused"), name="dead judge")}
    dossier = await record(arandu(), tiny, llm=llm, embedder="hashing")
    assert all(heard.error is None for heard in dossier.heard)
    judged = [line for line in dossier.errors if line.startswith("ask") and "dead judge" in line]
    assert len(judged) == len(dossier.errors) == len(tiny.conversation.questions)


async def test_relations_that_were_not_read_are_an_error(tiny: Book) -> None:
    """Blind extraction goes on without relations when they cannot be asked for; the turn then says so."""
    assembly = arandu(enable_informed_extraction=False)
    llm = Scripted(by_task={"relations": fail("refused"), "entities": {"entities": []}, "facts": {"facts": []}})
    dossier = await record(assembly, tiny, llm=llm, embedder="hashing")
    assert all("relate_entities" in str(heard.error) for heard in dossier.heard)


async def test_a_broken_system_answers_nothing(tiny: Book) -> None:
    """A system that raises has answered no question, whatever it said before."""

    class Broken(Recency):
        async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
            raise RuntimeError("no luck")

    dossier = await record(Broken(), tiny)
    assert all("no luck" in str(asked.error) for asked in dossier.asked)
    assert any("no luck" in line for line in dossier.errors)


async def test_controls_are_ranked_turns(tiny: Book) -> None:
    """A control has no facts and no rows: the turns it ranked, its context, and what it cost."""
    dossier = await record(Row(name="words", base="bm25"), tiny)
    assert (dossier.system, dossier.heard, dossier.rows, dossier.states) == ("words", (), (), ())
    asked = {one.question: one for one in dossier.asked}
    assert set(asked["q01"].turns) == {"s01t01", "s01t02", "s01t03"}
    assert asked["q01"].context_tokens
    assert "Bristol" in asked["q01"].context
    assert [cost.stage for cost in dossier.costs] == ["listen", "ask"]
    assert Dossier.from_json(dossier.to_json()) == dossier


async def test_rows_of_a_plan_say_their_settings(tiny: Book, plain: Dossier) -> None:
    """A row's settings reach the memory that is watched."""
    row = Row(name="no turns", base="arandu", options={"topk_events": 0, "embedder": "hashing"})
    dossier = await record(row, tiny)
    assert dossier.system == "no turns"
    assert any(asked.turns for asked in plain.asked)
    assert not any(asked.turns for asked in dossier.asked)


async def test_ticks_count_turns_and_questions(tiny: Book) -> None:
    """Progress is told once a turn and once a question."""
    told: list[int] = []
    await record(Row(name="r", base="recency"), tiny, tick=told.append)
    assert told == list(range(1, len(tiny.conversation.turns) + len(tiny.conversation.questions) + 1))


async def test_unknown_mode(tiny: Book) -> None:
    """A mode that is none is refused with the nearest one."""
    with pytest.raises(ConfigError, match="did you mean 'oracle'"):
        await record(arandu(), tiny, mode="oracl")  # type: ignore[arg-type]


def test_a_book_wants_a_set_with_gold() -> None:
    """A book of no set says what it wants."""
    with pytest.raises(ConfigError, match="wants the path of a set"):
        open_book("")


def test_stand_ins_belong_to_the_stage_they_stand_for() -> None:
    """A node of another name is taken for the documented one that is missing at its place, else for the node before."""
    one = overhear()
    assert segments(write().replace("semantic_dedup", one))["dedup"] == (one,)
    assert segments(write().replace("resolve", match_names() >> assign_keys()))["resolution"][0] == match_names()
    assert segments(write().replace("reconcile", one))["reconciliation"][1] == one
    assert segments(write().replace("mirror", one))["reconciliation"][0] == one
    assert segments(write().after("extraction", one))["extraction"][1] == one
    assert segments(read().replace("judge", one))["ranking"][0].name == one.name
    assert segments(read().after("spread", one))["retrieval"][-1] == one
    assert segments(read().without("judge"))["ranking"][0].name == "unjudged"
    assert segments(write().without("semantic_dedup"))["dedup"] == ()
    unfolded = write().replace("extraction", extraction().inside)
    assert [len(nodes) for nodes in segments(unfolded).values()] == [2, 1, 1, 2, 1]
