"""Claims about the dates of plans and of what is past, as the offline rules tell them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.llm.rules.extraction import extract
from arandu_lab.llm.rules.times import dated

SAID = datetime(2025, 6, 11, 12, tzinfo=UTC)


def facts(message: str, said: datetime = SAID) -> list[dict[str, Any]]:
    """The facts of a message of Ana's."""
    return list(extract({"message": message, "speaker": "Ana", "sent_at": said.isoformat()})["facts"])


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Bob will marry in {} days", "en"), ("Bob will travel to Lisbon in {} days", "en"), ("Bob is going to Rome in {} days", "en"),
        ("Bob leaves in {} days", "en"), ("Bob plans to visit his parents in {} days", "en"), ("Bob may come in {} days", "en"),
        ("Ana vai casar daqui a {} dias", "pt"), ("Ana viajará em {} dias", "pt"), ("Ana viaja em {} dias", "pt"),
        ("Ana pretende ver os pais daqui a {} dias", "pt"), ("Ana casa daqui a {} dias", "pt"),
    ],
)  # fmt: skip
@given(days=st.integers(2, 200), said=st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)))
def test_a_plan_in_so_many_days(text: str, language: Any, days: int, said: datetime) -> None:
    """B: whatever its verb, a plan in N days has the day that it is on, and its words hold whenever they are read."""
    found = dated(text.format(days), said, language, dates_event=True, lasting=True, future=True)
    assert found.event_time == (said + timedelta(days=days)).date().isoformat()
    assert "days" not in found.text
    assert "dias" not in found.text


@pytest.mark.parametrize(
    ("message", "text", "event"),
    [
        ("I will marry in two months.", "Ana will marry in August 2025", "2025-08"),
        ("I will travel to Lisbon in 3 days.", "Ana will travel to Lisbon on 14 June 2025", "2025-06-14"),
        ("Vou casar daqui a dois meses.", "Ana vai casar em agosto de 2025", "2025-08"),
        ("Viajarei em 3 dias.", "Ana viajará em 14 de junho de 2025", "2025-06-14"),
        ("I lost the book on Monday.", "Ana lost the book on 9 June 2025", "2025-06-09"),
        ("Perdi a carteira na segunda.", "Ana perdeu a carteira em 9 de junho de 2025", "2025-06-09"),
        ("Fui à feira na sexta.", "Ana foi à feira em 6 de junho de 2025", "2025-06-06"),
        ("I finished the book in two weeks.", "Ana finished the book in two weeks", None),
        ("EU MORO EM NATAL AGORA", "Ana mora em Natal agora", None),
        ("Saí de Natal em 2019.", "Ana saiu de Natal em 2019", "2019"),
        ("I met April on Monday.", "Ana met April on 9 June 2025", "2025-06-09"),
    ],
)
def test_the_date_of_a_fact(message: str, text: str, event: str | None) -> None:
    """B: a plan is dated ahead, what is past behind, how long it took not at all, and no name is taken for a date."""
    [fact] = facts(message)
    assert (fact["text"], fact["event_time"]) == (text, event)


@pytest.mark.parametrize(
    "message", ["I will travel to Lisbon in two weeks.", "Vou viajar para Lisboa daqui a duas semanas."]
)
def test_the_same_words_later_are_another_plan(message: str) -> None:
    """B: the same plan told eight months later has other words and another date."""
    first, later = facts(message)[0], facts(message, SAID + timedelta(days=240))[0]
    assert first["text"] != later["text"]
    assert first["event_time"] < later["event_time"]
