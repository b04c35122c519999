"""Faults that users of memory systems reported, each by its code: what must not happen here."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from said import AGENT, Talk, answer, at, entity, fact, verdicts

from arandu_lab.errors import ConfigError
from arandu_lab.memory import Memory


async def test_the_same_passage_by_two_speakers_is_one_row_with_two_witnesses() -> None:
    """A7: what two people say in the same words of one subject is one live row, confirmed once, heard twice."""
    talk = Talk()
    said = answer(fact("Baobá", "Baobá abre às nove"), entities=[entity("Baobá", "organization")])
    first = await talk(said, speaker="Rafael", text="O Baobá abre às nove")
    second = await talk(said, speaker="Caio", text="o Baobá abre às nove!")
    assert [len(one.facts_added) for one in (first, second)] == [1, 0]
    [kept] = second.facts_unchanged
    assert kept.id == first.facts_added[0].id
    assert kept.reinforcement_count == 1
    assert talk.memory.facts(AGENT).height == 1
    assert talk.memory.events(AGENT)["speaker"].to_list() == ["Rafael", "Caio"]


async def test_repeated_facts_do_not_grow_the_store() -> None:
    """A10: ten facts said over and over in two hundred turns, in other words each time, are ten live rows."""
    facts = [(f"Pessoa{n}", f"Pessoa{n} gosta de sabor{n}") for n in range(10)]
    talk = Talk(embed="hashing")
    for turn in range(200):
        subject, text = facts[turn % 10]
        worded = text if turn < 10 else f"{text} desde sempre, vez {turn}"
        verdict = None if turn < 10 else verdicts(("NOOP", 0))
        await talk(answer(fact(subject, worded)), verdict=verdict)
    assert talk.memory.facts(AGENT).height == 10
    assert talk.memory.facts(AGENT)["reinforcement_count"].to_list() == [19] * 10


async def test_identical_words_ask_no_model() -> None:
    """A18: a message that only repeats what is known, letter case and punctuation apart, puts no question to reconcile."""
    talk = Talk()
    await talk(answer(fact("Ana", "Ana mora no Recife")))
    again = await talk(answer(fact("Ana", "ana MORA no Recife.")), text="eu já disse: moro no Recife")
    assert len(again.facts_unchanged) == 1
    assert talk.model.asked("reconcile") == []


@pytest.mark.parametrize("text", ["Moro no Recife.", "I moved.", "Oi"])
async def test_a_short_message_is_read_like_any(text: str) -> None:
    """C8: a single short turn reaches extraction; there is no length below which nobody reads."""
    talk = Talk()
    result = await talk(answer(), text=text)
    assert result.success
    assert result.mode == "informed"
    assert len(talk.model.asked("extract")) == 1


async def test_every_fact_is_dated() -> None:
    """E3, E5: each of forty facts of a message has a beginning, and those that state none share the message's moment."""
    talk = Talk()
    stated = [fact("Ana", f"Ana comprou o livro {n}", valid_from="2024-05-03") for n in range(5)]
    others = [fact("Ana", f"Ana leu o livro {n}") for n in range(35)]
    result = await talk(answer(*stated, *others), text="uma lista", when=at(2025, 6, 1))
    begun = [one.valid_from for one in result.facts_added]
    assert len(begun) == 40
    assert set(begun[5:]) == {at(2025, 6, 1)}
    assert {one.date().isoformat() for one in begun[:5]} == {"2024-05-03"}


MOMENT = st.datetimes(datetime(2023, 1, 1), datetime(2025, 12, 31)).map(lambda one: one.replace(tzinfo=UTC))


@settings(max_examples=12, deadline=None)
@given(told=st.lists(MOMENT, min_size=1, max_size=6, unique=True), asked=MOMENT)
async def test_live_means_within_the_interval(told: list[datetime], asked: datetime) -> None:
    """E14: a fact is live at a moment if and only if the moment lies in its interval; what was replaced has an end."""
    talk = Talk()
    for number, moment in enumerate(sorted(told)):
        words = f"Ana mora na casa {number}"
        await talk(answer(fact("Ana", words)), when=moment, verdict=verdicts(("UPDATE", 0)) if number else None)
    rows = talk.memory.store.frame("facts", AGENT)
    live = set(talk.memory.facts(AGENT, as_of=asked)["id"].to_list())
    inside = rows.filter(
        (pl.col("valid_from") <= asked) & (pl.col("valid_to").is_null() | (pl.col("valid_to") > asked))
    )
    assert live == set(inside["fact_id" if "fact_id" in inside.columns else "id"].to_list())
    replaced = set(rows["supersedes_fact_id"].drop_nulls().to_list())
    key = "fact_id" if "fact_id" in rows.columns else "id"
    assert rows.filter(pl.col(key).is_in(list(replaced)))["valid_to"].null_count() == 0


async def test_a_conversation_has_a_call_budget() -> None:
    """H3: fifty turns with nothing ambiguous and nothing near ask exactly once a turn."""
    talk = Talk()
    calls = []
    for turn in range(50):
        result = await talk(answer(fact(f"Pessoa{turn}", f"Pessoa{turn} chegou")), text=f"mensagem {turn}")
        calls.append(result.usage.calls)
    assert sum(calls) == 50
    assert max(calls) == 1


async def test_the_prompt_does_not_grow_with_the_store() -> None:
    """H4: with thirty and with six hundred facts of the speaker, a message costs the same input tokens within five percent."""
    spent = {}
    for size in (30, 600):
        talk = Talk(embed="hashing")
        for start in range(0, size, 150):
            many = [
                fact("Rafael", f"Rafael read book number {n} on a rainy day")
                for n in range(start, min(size, start + 150))
            ]
            await talk(answer(*many), text="a list")
        before = len(talk.model.calls)
        result = await talk(
            answer(fact("Rafael", "Rafael read a book about whales")), text="I read a book about whales"
        )
        assert result.success
        assert len(talk.model.calls) - before == 2, "extraction and reconciliation were both asked"
        spent[size] = result.tokens_used.input_tokens
    assert spent[600] < 1.05 * spent[30]


def test_the_zone_of_the_machine_does_not_matter() -> None:
    """E11: what is written and when it holds is the same under any TZ of the process."""
    code = (
        "import asyncio\n"
        "from datetime import datetime\n"
        "from arandu_lab.memory import Memory\n"
        "m = Memory.open('memory://', embedder='hashing')\n"
        "asyncio.run(m.write('a', 'Ontem me mudei para Olinda.', 'Ana',"
        " occurred_at=datetime.fromisoformat('2025-03-01T00:30:00-03:00')))\n"
        "print(m.facts('a').select('text', 'valid_from').rows())\n"
    )
    said = {
        zone: subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "TZ": zone}, capture_output=True, text=True, check=True
        ).stdout
        for zone in ("UTC", "Asia/Kolkata")
    }
    assert len(set(said.values())) == 1
    assert "Olinda" in said["UTC"]


async def test_no_turn_is_lost_between_two_days() -> None:
    """E9: what was said at six in the evening belongs to its day, and a bare day, which could mean its midnight, is refused."""
    with Memory.open("memory://", embedder="hashing") as memory:
        last = datetime(2025, 5, 31, 18, tzinfo=UTC)
        await memory.write("a", "Moro em Olinda.", "Ana", occurred_at=last)
        assert memory.facts("a", as_of=last.replace(hour=17)).height == 0
        assert memory.facts("a", as_of=last + timedelta(hours=6)).height == 1
        for bare in (date(2025, 5, 31), "2025-05-31", datetime(2025, 5, 31)):
            with pytest.raises(ConfigError, match="as_of"):
                memory.facts("a", as_of=bare)  # type: ignore[arg-type]
            with pytest.raises(ConfigError, match="as_of"):
                await memory.retrieve("a", "Olinda?", as_of=bare)  # type: ignore[arg-type]
