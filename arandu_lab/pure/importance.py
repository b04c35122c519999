"""How central an entity is to what an agent remembers, 0 to 1: facts, recency, retrievals, relationships.

The three counts are normalised within the agent, as ``log1p(x) / log1p(largest)``: the entity with most of a kind gets all
of its weight, and ten facts are not ten times one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError
from arandu_lab.pure.scoring import recency

_FACTS, _RECENCY, _RETRIEVALS, _DEGREE = 0.30, 0.25, 0.25, 0.20


@dataclass(frozen=True, slots=True)
class Signals:
    """What importance is made of, each of shape ``(n,)``, an entity a place.

    ``days_since`` is the age of the latest fact, ``inf`` where there is none.
    """

    facts: NDArray[np.float64]
    days_since: NDArray[np.float64]
    retrievals: NDArray[np.float64]
    degree: NDArray[np.float64]


def entity_importance(
    facts: ArrayLike, days_since: ArrayLike, retrievals: ArrayLike, degree: ArrayLike, half_life_days: float = 30.0
) -> NDArray[np.float64]:
    """``.30 facts + .25 recency + .25 retrievals + .20 degree`` of the entities of one agent, in [0, 1].

    Args:
        facts: Shape ``(n,)``: facts linked to each entity, as subject or mentioned.
        days_since: Shape ``(n,)``: days since the latest of them; ``inf`` or ``nan`` where there is none.
        retrievals: Shape ``(n,)``: how often they were retrieved, all together.
        degree: Shape ``(n,)``: relationships in and out.
        half_life_days: the age at which recency has fallen to one half.

    >>> entity_importance([12, 1], [0.0, 30.0], [40, 0], [6, 0]).round(3).tolist()
    [1.0, 0.206]
    >>> entity_importance([0], [np.inf], [0], [0]).tolist()
    [0.0]
    """
    age = np.nan_to_num(np.asarray(days_since, dtype=np.float64), nan=np.inf, posinf=np.inf)
    value = (
        _FACTS * _of_most(facts)
        + _RECENCY * recency(age, half_life_days)
        + _RETRIEVALS * _of_most(retrievals)
        + _DEGREE * _of_most(degree)
    )
    clipped: NDArray[np.float64] = np.clip(value, 0.0, 1.0)
    return clipped


def of_links(
    link_entity: ArrayLike,
    link_fact: ArrayLike,
    fact_days: ArrayLike,
    fact_retrievals: ArrayLike,
    edge_source: ArrayLike,
    edge_target: ArrayLike,
    entities: int,
    half_life_days: float = 30.0,
) -> NDArray[np.float64]:
    """The importance of all entities of an agent from its columns, shape ``(entities,)``; arguments as for ``signals``.

    >>> of_links([0, 0, 1], [0, 1, 1], [0.0, 60.0], [3, 0], [0], [1], entities=3).round(3).tolist()
    [1.0, 0.452, 0.0]
    """
    found = signals(link_entity, link_fact, fact_days, fact_retrievals, edge_source, edge_target, entities)
    return entity_importance(found.facts, found.days_since, found.retrievals, found.degree, half_life_days)


def signals(
    link_entity: ArrayLike,
    link_fact: ArrayLike,
    fact_days: ArrayLike,
    fact_retrievals: ArrayLike,
    edge_source: ArrayLike,
    edge_target: ArrayLike,
    entities: int,
) -> Signals:
    """What importance is made of, counted from columns. What shall not count (closed facts, ended edges) is not passed.

    Args:
        link_entity: Shape ``(l,)``: the entity of each link, ``0 … entities - 1``.
        link_fact: Shape ``(l,)``: its fact, ``0 … f - 1``. A link given twice counts once.
        fact_days: Shape ``(f,)``: the age of each fact in days.
        fact_retrievals: Shape ``(f,)``: how often it was retrieved.
        edge_source: Shape ``(e,)``: where each relationship starts.
        edge_target: Shape ``(e,)``: where it ends. One from an entity to itself counts in and out.
        entities: how many there are.

    Raises:
        ConfigError: columns of one table differ in length, or a code lies outside its table.
    """
    days = np.asarray(fact_days, dtype=np.float64)
    often = np.asarray(fact_retrievals, dtype=np.float64)
    if days.shape != often.shape:
        raise ConfigError(f"fact_days of shape {days.shape}, fact_retrievals of {often.shape}; one entry a fact each")
    who, what = _codes("link_entity", link_entity, entities), _codes("link_fact", link_fact, len(days))
    source, target = _codes("edge_source", edge_source, entities), _codes("edge_target", edge_target, entities)
    if len(who) != len(what) or len(source) != len(target):
        raise ConfigError(
            "links and edges are pairs: link_entity/link_fact and edge_source/edge_target of equal length"
        )
    pairs = np.sort(who * max(len(days), 1) + what)
    pairs = pairs[np.diff(pairs, prepend=-1) != 0]  # np.unique takes ten times as long
    who, what = pairs // max(len(days), 1), pairs % max(len(days), 1)
    latest = np.full(entities, np.inf)
    np.minimum.at(latest, who, days[what])
    return Signals(
        facts=np.bincount(who, minlength=entities).astype(np.float64),
        days_since=latest,
        retrievals=np.bincount(who, weights=often[what], minlength=entities).astype(np.float64),
        degree=(np.bincount(source, minlength=entities) + np.bincount(target, minlength=entities)).astype(np.float64),
    )


def _codes(name: str, values: ArrayLike, size: int) -> NDArray[np.int64]:
    codes: NDArray[np.int64] = np.asarray(values, dtype=np.int64).reshape(-1)
    if len(codes) and (codes.min() < 0 or codes.max() >= size):
        raise ConfigError(f"{name} holds {int(codes.min())} to {int(codes.max())}; 0 to {size - 1} stand in its table")
    return codes


def _of_most(counts: ArrayLike) -> Any:
    some = np.maximum(np.asarray(counts, dtype=np.float64), 0.0)
    most = some.max(initial=0.0)
    return np.log1p(some) / np.log1p(most) if most > 0.0 else np.zeros_like(some)
