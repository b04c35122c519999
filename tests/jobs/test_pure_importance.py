"""Importance of entities: the document's order, laws of the four signals, and how long a large agent takes."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pure.importance import entity_importance, of_links, signals

entity = st.tuples(
    st.integers(0, 60), st.one_of(st.floats(0.0, 3000.0), st.just(np.inf)), st.integers(0, 500), st.integers(0, 40)
)
agents = st.lists(entity, min_size=1, max_size=12)


def columns(rows) -> list[np.ndarray]:
    return [np.array(column, dtype=float) for column in zip(*rows, strict=True)]


def test_documented_order() -> None:
    """Fernanda (12 facts, recent, often recalled), then Vertix (8, many edges), Marcos (4), XGBoost (1, no edge)."""
    value = entity_importance([12, 8, 4, 1], [1.0, 3.0, 12.0, 45.0], [40, 18, 6, 1], [5, 9, 2, 0])
    assert value.tolist() == sorted(value.tolist(), reverse=True)
    assert value[0] > 0.80
    assert value[3] < 0.30 < 0.5 < value[1]


@pytest.mark.parametrize(
    ("row", "value"),
    [((9, np.inf, 0, 0), 0.30), ((0, 0.0, 0, 0), 0.25), ((0, 30.0, 0, 0), 0.125), ((0, np.inf, 9, 0), 0.25),
     ((0, np.inf, 0, 9), 0.20), ((0, np.nan, 0, 0), 0.0), ((9, 0.0, 9, 9), 1.0)],
)  # fmt: skip
def test_weights(row, value) -> None:
    """Each signal at its fullest counts its documented weight, and recency halves in thirty days."""
    assert entity_importance(*columns([row])).tolist() == pytest.approx([value])


@given(agents)
def test_a_share(rows) -> None:
    """Importance lies in 0 to 1."""
    value = entity_importance(*columns(rows))
    assert np.all((value >= 0.0) & (value <= 1.0))


@given(agents, st.randoms(use_true_random=False))
def test_order_of_entities_never_shows(rows, chance) -> None:
    """An entity has its number wherever it stands."""
    order = chance.sample(range(len(rows)), len(rows))
    shuffled = entity_importance(*columns([rows[place] for place in order]))
    assert shuffled.tolist() == entity_importance(*columns(rows))[order].tolist()


@given(agents, st.integers(0, 11), st.integers(0, 3), st.integers(1, 40))
def test_monotone(rows, place, signal, more) -> None:
    """More of a signal (a younger fact) never lowers an entity, and raises no other one."""
    place %= len(rows)
    changed = list(rows[place])
    changed[signal] = changed[signal] / (1.0 + more) if signal == 1 else changed[signal] + more
    before = entity_importance(*columns(rows))
    after = entity_importance(*columns([*rows[:place], tuple(changed), *rows[place + 1 :]]))
    assert after[place] >= before[place] - 1e-12
    assert np.all(np.delete(after, place) <= np.delete(before, place) + 1e-12)


@given(st.data())
def test_columns_count_as_by_hand(data) -> None:
    """Signals from columns are those that a loop over links and edges counts; a link given twice counts once."""
    entities, facts = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 8))
    who, what = st.integers(0, entities - 1), st.integers(0, facts - 1)
    links = data.draw(st.lists(st.tuples(who, what), max_size=20))
    edges = data.draw(st.lists(st.tuples(who, who), max_size=12))
    days = data.draw(st.lists(st.floats(0.0, 900.0), min_size=facts, max_size=facts))
    often = data.draw(st.lists(st.integers(0, 30), min_size=facts, max_size=facts))
    found = signals(
        [e for e, _ in links],
        [f for _, f in links],
        days,
        often,
        [source for source, _ in edges],
        [target for _, target in edges],
        entities,
    )
    for one in range(entities):
        mine = {fact for key, fact in links if key == one}
        assert found.facts[one] == len(mine)
        assert found.days_since[one] == min((days[fact] for fact in mine), default=np.inf)
        assert found.retrievals[one] == sum(often[fact] for fact in mine)
        assert found.degree[one] == sum((source == one) + (target == one) for source, target in edges)


def test_refusals() -> None:
    """Codes outside their table and columns of other lengths are refused, with what would be accepted."""
    with pytest.raises(ConfigError, match="link_entity holds 0 to 2; 0 to 1"):
        of_links([0, 2], [0, 0], [1.0], [0], [], [], 2)
    with pytest.raises(ConfigError, match="equal length"):
        of_links([0], [0], [1.0], [0], [0], [], 2)
    with pytest.raises(ConfigError, match="one entry a fact"):
        of_links([0], [0], [1.0], [0, 1], [], [], 2)
    assert of_links([], [], [], [], [], [], 0).shape == (0,)


def test_a_large_agent_is_quick() -> None:
    """100 000 facts, 10 000 entities, 250 000 links and 40 000 edges take less than a second of computing."""
    rng = np.random.default_rng(7)
    facts, entities = 100_000, 10_000
    who, what = rng.integers(0, entities, 250_000), np.concatenate([np.arange(facts), rng.integers(0, facts, 150_000)])
    edges = rng.integers(0, entities, (2, 40_000))
    days, often = rng.exponential(90.0, facts), rng.poisson(2.0, facts)
    start = process_time()
    value = of_links(who, what, days, often, edges[0], edges[1], entities)
    assert process_time() - start < 1.0
    assert value.shape == (entities,)
    assert 0.0 < value.min() < value.max() <= 1.0
