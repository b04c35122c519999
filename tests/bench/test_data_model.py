"""Datasets are values: sliced without losing distractors, told apart by digest, printed as tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.data.model import Dataset, DatedTurn
from arandu_lab.bench.data.pace import spread
from arandu_lab.errors import ConfigError

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


@given(st.integers(1, 60), st.one_of(st.none(), st.integers(1, 10_000)))
def test_spread_moments_rise_and_end_before_the_next_thing(count, gap):
    """Turns keep their order, begin with the session, and never reach the next one."""
    until = None if gap is None else NOON + timedelta(seconds=gap)
    moments = spread(NOON, count, until, step=timedelta(minutes=1))
    assert moments[0] == NOON
    assert len(set(moments)) == count
    assert moments == sorted(moments)
    assert until is None or moments[-1] < until


def test_a_slice_keeps_all_turns_and_gets_its_own_digest(talk: Dataset):
    """A slice has fewer questions and the same turns; its name says what was taken; results cannot be mixed up."""
    some = talk.slice(questions=2)
    assert [len(one.questions) for one in some] == [2]
    assert some["c1"].turns == talk["c1"].turns
    assert some.name == "talk[2q]"
    digests = {
        one.digest for one in (talk, some, talk.slice(questions=1), talk.slice(1), talk.slice(categories=["multi"]))
    }
    assert len(digests) == 5
    assert talk.slice() is talk
    assert talk.slice(questions=2) == some


def test_a_slice_by_category(talk: Dataset):
    """Only questions of the named categories stay, in their order."""
    assert [q.id for q in talk.slice(categories=["single", "absent"])["c1"].questions] == ["q1", "q3", "q4"]


@pytest.mark.parametrize("wrong", [{"conversations": ["c2"]}, {"categories": ["simple"]}, {"questions": 0}])
def test_a_slice_of_nothing_known_is_refused(talk: Dataset, wrong):
    """Unknown ids and categories, and numbers below 1, are a ConfigError."""
    with pytest.raises(ConfigError):
        talk.slice(**wrong)


def test_tables_count_what_is_there(talk: Dataset):
    """One row a conversation, one a question; the notebook shows licence and digest."""
    assert talk.table().select("turns", "questions", "with_evidence", "gold_facts").rows() == [(6, 4, 3, None)]
    assert talk.questions()["evidence"].to_list() == [["t2"], ["t3", "t5"], ["t1"], []]
    html = talk._repr_html_()
    assert "MIT" in html
    assert "single 2" in html


def test_a_turn_without_an_offset_is_refused():
    """E17: a naive moment is refused where it enters."""
    with pytest.raises(ConfigError, match="no UTC offset"):
        DatedTurn(id="t", session_id="s", occurred_at=datetime(2024, 1, 1), speaker="x", text="y")
