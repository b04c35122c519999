"""The table in which a read reckons: laws of its operations, its polars face, and a user's stage that works there."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.read.found import Candidates, in_order
from arandu_lab.read.preset import reading
from arandu_lab.read.table import Table

ROWS = st.lists(
    st.tuples(
        st.text(max_size=4),
        st.sampled_from([0.0, 0.25, 0.5, float("nan")]),
        st.integers(-3, 3),
        st.booleans(),
        st.none() | st.text(max_size=3),
    ),
    max_size=30,
)


def made(rows: list[tuple[str, float, int, bool, str | None]]) -> Table:
    """A table with a column of each kind; ids are distinct."""
    return Table(
        {
            "fact_id": np.array([f"{n}{row[0]}" for n, row in enumerate(rows)], dtype=object),
            "score": np.array([row[1] for row in rows], dtype=np.float64),
            "occurred_at": np.array([row[2] for row in rows], dtype=np.int64).astype("datetime64[us]"),
            "kept": np.array([row[3] for row in rows], dtype=np.bool_),
            "lost": np.array([row[4] for row in rows], dtype=object),
        }
    )


@given(ROWS)
def test_a_table_is_its_frame(rows) -> None:
    """To polars and back nothing is lost, types included; so is pickling."""
    table = made(rows)
    assert Table.of(table.frame()) == table
    assert pickle.loads(pickle.dumps(table)) == table
    kinds = [pl.String(), pl.Float64(), pl.Datetime("us", "UTC"), pl.Boolean(), pl.String()]
    assert list(table.frame().schema.values()) == kinds


@given(ROWS)
def test_the_order_is_that_of_polars(rows) -> None:
    """Score down (none last), time down, id up: as polars sorts, whatever the order of the rows before."""
    table = made(rows)
    by = ["score", "occurred_at", "fact_id"]
    wanted = table.frame().sort(by, descending=[True, True, False], nulls_last=True)
    assert in_order(table, "score").frame().equals(wanted)
    assert in_order(table.take(np.arange(len(table))[::-1].copy()), "score").frame().equals(wanted)


@given(ROWS, st.integers(0, 31))
def test_the_best_are_the_first_of_the_order(rows, limit) -> None:
    """``best`` looks at few rows and finds what sorting all of them would."""
    table = made(rows)
    times, every = table["occurred_at"].astype(np.int64), np.arange(len(table))
    whole = scoring.in_order(every, table["score"], times=times, ids=table["fact_id"])
    found = scoring.best(every, table["score"], limit, times=times, ids=table["fact_id"])
    assert found.tolist() == whole[:limit].tolist()


@given(ROWS, st.data())
def test_taking_and_filtering_are_those_of_rows(rows, data) -> None:
    """``take``, ``filter``, ``head`` and ``over`` do to every column what they do to the list of rows."""
    table = made(rows)
    listed = list(table.rows())
    order = np.array(data.draw(st.permutations(range(len(rows)))), dtype=np.int64)
    assert list(table.take(order).rows()) == [listed[place] for place in order]
    assert list(table.filter(table.mask("kept")).rows()) == [row for row in listed if row["kept"]]
    assert list(table.head(3).rows()) == listed[:3]
    assert list(Table.over([table, table]).rows()) == listed * 2


def test_a_column_has_one_writer() -> None:
    """Overwriting is refused, a writer that runs again takes its own back, and lengths agree."""
    table = made([("a", 0.5, 1, True, None)])
    with pytest.raises(ConfigError, match="'score' is there already"):
        table.with_columns(score=np.zeros(1))
    assert table.without("score").with_columns(score=np.ones(1))["score"].tolist() == [1.0]
    with pytest.raises(ConfigError, match="2 rows"):
        table.with_columns(more=np.zeros(2))
    with pytest.raises(ConfigError, match="kept"):
        table["kep"]


@stage
def turned_round(found: Candidates, lab: Lab) -> Candidates:
    """A user's stage, in polars: the last becomes the first, with a column of the user's own."""
    score = 1.0 - pl.col("score")
    frame = found.frame.with_columns(score=score, month=pl.col("occurred_at").dt.month())
    return replace(found, frame=frame.with_columns(kinds=pl.lit([["a"]]).list.first().cast(pl.List(pl.String))))


async def test_a_users_stage_works_in_polars(world) -> None:
    """``dataclasses.replace(found, frame=...)`` carries scores and columns of any type through the stages of the box."""
    w = world({("q", "one"): 0.9, ("q", "two"): 0.5})
    for text in ("one", "two"):
        w.fact(text, "person:ana")
    plain, _ = await w.ask("q")
    found, _ = await w.ask("q", pipeline=reading().after("blend", turned_round()))
    assert found.frame["fact_id"].to_list() == plain.frame["fact_id"].to_list()[::-1]
    assert found.frame.schema["kinds"] == pl.List(pl.String)
    assert found.frame["month"].null_count() == 0
    assert found.frame["tier"][0] == "hot"
