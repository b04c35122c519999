"""The fold of a truth: valid time and knowledge time are both asked."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.world.truth import Ended, Line, Told, fold, load_states, load_truth
from arandu_lab.errors import DatasetError


def moment(day: int) -> datetime:
    return datetime.fromisoformat(f"2024-03-{day:02d}T12:00:00-03:00")


def begin(fact: str, told: int, since: int) -> Told:
    return Told(fact, "s01t01", moment(told), "Ana Prado", "lives_in", "Recife", date(2024, 3, since), ())


def end(fact: str, told: int, until: int, why: str = "update") -> Ended:
    return Ended(fact, "s01t02", moment(told), date(2024, 3, until), why)


def test_a_fact_holds_from_its_first_day_to_before_its_last() -> None:
    """Valid time is half open."""
    truth: list[Line] = [begin("f001", 5, 3), end("f001", 9, 8)]
    held = [day for day in range(1, 12) if fold(truth, as_of=date(2024, 3, day), known_at=moment(20))[0]]
    assert held == [3, 4, 5, 6, 7]


def test_an_end_that_is_not_yet_told_is_not_known() -> None:
    """What was believed earlier is told by an earlier ``known_at``."""
    truth: list[Line] = [begin("f001", 5, 3), end("f001", 9, 8)]
    assert fold(truth, as_of=date(2024, 3, 8), known_at=moment(8)) == (("f001",), ())
    assert fold(truth, as_of=date(2024, 3, 8), known_at=moment(9)) == ((), ())
    assert fold(truth, as_of=date(2024, 3, 4), known_at=moment(4)) == ((), ())


@given(st.integers(1, 28), st.sampled_from(("correct", "retract", "forget")))
def test_what_is_taken_back_never_held(day: int, why: str) -> None:
    """A fact that ends on its first day holds on none, once that is known."""
    truth: list[Line] = [begin("f001", 5, 3), end("f001", 9, 3, why)]
    assert fold(truth, as_of=date(2024, 3, day), known_at=moment(10)) == ((), ())


def test_derived_facts_stand_apart() -> None:
    """Told and derived facts come in two sorted rows."""
    truth: list[Line] = [begin("f010", 5, 3), begin("d001", 5, 3), begin("f002", 5, 3)]
    assert fold(truth, as_of=date(2024, 3, 9), known_at=moment(9)) == (("f002", "f010"), ("d001",))


def test_files_are_read_strictly(tmp_path: Path) -> None:
    """A missing file and a broken line are named with their place."""
    with pytest.raises(DatasetError, match="only a simulated world has one"):
        load_truth(tmp_path)
    good = {
        "op": "end",
        "fact": "f001",
        "turn": "s01t01",
        "told_at": moment(3).isoformat(),
        "until": "2024-03-01",
        "why": "update",
    }
    for bad in ({**good, "why": "bored"}, {**good, "op": "stop"}, {"op": "begin"}, {**good, "until": "soon"}):
        (tmp_path / "truth.jsonl").write_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n", encoding="utf-8")
        with pytest.raises(DatasetError, match=r"truth\.jsonl:2"):
            load_truth(tmp_path)
    (tmp_path / "states.jsonl").write_text("[]\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"states\.jsonl:1"):
        load_states(tmp_path)
