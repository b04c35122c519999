"""A log whose curve is known: facts that are needed again after gaps drawn from it, until nobody looks any more."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.decay.curves import family
from arandu_lab.bench.decay.log import MOMENT, access_log
from arandu_lab.errors import ConfigError

START = datetime(2024, 1, 1, tzinfo=UTC)
_MOST = 400
"""Uses of a fact, at most."""


def synthetic_log(
    curve: str = "exponential",
    parameters: Mapping[str, float] | None = None,
    *,
    agents: int = 20,
    facts: int = 30,
    days: float = 720.0,
    spread: float = 0.0,
    unequal: float = 0.0,
    strangers: int = 0,
    seed: int = 0,
) -> pl.DataFrame:
    """A log of :func:`access_log` with ``agents * facts`` facts that are told at any time of the first half of the days.

    Args:
        curve: A name of :data:`arandu_lab.bench.decay.curves.FAMILIES`.
        parameters: Its parameters; those left out are its usual ones.
        days: How long each agent is watched.
        spread: Standard deviation, on the log scale, of a factor that all gaps of an agent share. With one, gaps of an
            agent hang together, as they do in conversations.
        unequal: The same, of a factor that all gaps of a fact share: some facts are used often, some hardly ever.
        strangers: How many facts that nobody needed are returned beside each one that was, at ranks behind it. With 0
            nothing is logged as retrieved.
        seed: Of all chance; the same seed gives the same log.

    Raises:
        ConfigError: an unknown curve or parameter, or a number that cannot be meant.
    """
    shape = family(curve)
    values = shape.values(parameters or {})
    if agents < 1 or facts < 1 or not days > 0 or not min(spread, unequal) >= 0 or strangers < 0:
        raise ConfigError(
            f"synthetic_log(agents={agents}, facts={facts}, days={days}, spread={spread}, unequal={unequal}, "
            f"strangers={strangers}); at least one agent and fact, days above 0, the others not below 0"
        )
    chance = np.random.default_rng(seed)
    rows: list[tuple[str, str, float, str, int | None]] = []
    for agent in range(agents):
        factor = float(np.exp(spread * chance.standard_normal()))
        told = chance.uniform(0.0, days / 2, facts)
        own = factor * np.exp(unequal * chance.standard_normal(facts))
        gaps = [shape.draw(values, chance.random(_MOST)) * one for one in own]
        needed = [_uses(some, since, days) for some, since in zip(gaps, told, strict=True)]
        for number, since in enumerate(told):
            name = f"f{number:03d}"
            rows.append((f"a{agent:03d}", name, float(since), "told", None))
            rows += [(f"a{agent:03d}", name, float(at), "asked", None) for at in needed[number]]
        if strangers:
            rows += _returned(f"a{agent:03d}", told, needed, strangers, chance)
    end = START + timedelta(days=days)
    return access_log(
        pl.DataFrame(
            {
                "agent": [row[0] for row in rows],
                "fact_id": [row[1] for row in rows],
                "at": pl.Series([START + timedelta(days=row[2]) for row in rows], dtype=MOMENT),
                "kind": [row[3] for row in rows],
                "until": pl.Series([end] * len(rows), dtype=MOMENT),
                "rank": pl.Series([row[4] for row in rows], dtype=pl.Int64),
            }
        )
    )


def _uses(gaps: NDArray[np.float64], since: float, days: float) -> NDArray[np.float64]:
    moments = since + np.cumsum(gaps)
    return moments[moments <= days]


def _returned(
    agent: str,
    told: NDArray[np.float64],
    needed: list[NDArray[np.float64]],
    strangers: int,
    chance: np.random.Generator,
) -> list[tuple[str, str, float, str, int | None]]:
    out: list[tuple[str, str, float, str, int | None]] = []
    for number, moments in enumerate(needed):
        for at in moments:
            known = np.flatnonzero((told <= at) & (np.arange(len(told)) != number))
            beside = chance.permutation(known)[:strangers]
            out += [
                (agent, f"f{one:03d}", float(at), "retrieved", rank)
                for rank, one in enumerate((number, *beside), start=1)
            ]
    return out
