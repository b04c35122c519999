"""What counts as a use, and what that hides: an access log replayed under policies of reinforcement.

A policy says which retrievals strengthen a fact. Each is replayed at many thresholds at once: a fact whose score has fallen
below the threshold is *stale*, is found by nobody, and so is strengthened by no retrieval until it is told again. Of every
need (a question that wanted the fact, later than the sitting in which it was last told or asked) the replay says whether it
fell on a stale fact; at looks thirty days apart it says which facts are stale, and so freed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.decay.fitting import units_of
from arandu_lab.bench.decay.log import FACT, watched
from arandu_lab.bench.decay.moments import looks
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pure.vitality import vitality

Floats = NDArray[np.float64]
CONTEXT = 5
"""Ranks that enter a context, where a log knows ranks."""

SPANS = 10
"""Parts of an agent's time, in each of which chance is reckoned for itself."""

_LOOK, _NEED, _DAY = "look", "need", 86_400e6


@dataclass(frozen=True, slots=True)
class Policy:
    """Which retrievals count.

    Attributes:
        name: What tables call it.
        says: The policy in words.
        ranks: Retrievals up to this rank count; 0: none does. A retrieval without a rank has entered the context.
        spacing: Days from the last one that counted in which another does not.
        most: Retrievals counted at most.
        lately: The score is recency alone, of the same half-life, and not vitality.
    """

    name: str
    says: str
    ranks: int = CONTEXT
    spacing: float = 0.0
    most: int = 1_000
    lately: bool = False


POLICIES: tuple[Policy, ...] = (
    Policy("none", "no retrieval counts, only what is told", ranks=0),
    Policy("every", "every retrieval counts, at whatever rank", ranks=1_000_000),
    Policy("context", "what entered the context counts (the documented way)"),
    Policy("spaced", "as context, at most once in seven days and five times in all", spacing=7.0, most=5),
    Policy("recency", "as context, but days since the last use decide alone", lately=True),
)


NAMES = tuple(one.name for one in POLICIES)


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What a policy did, by unit and threshold: shape ``(units, thresholds)``; ``needs`` and ``looks`` ``(units,)``.

    ``missed`` needs fell on stale facts, ``freed`` looks found one; ``chance`` needs would have, had each wanted any fact of
    its agent that was told by then (the share that was stale in that tenth of the agent's time).
    """

    policy: Policy
    missed: Floats
    freed: Floats
    chance: Floats
    needs: Floats
    looks: Floats


def policy(name: str) -> Policy:
    """A policy by name.

    Raises:
        ConfigError: an unknown one.
    """
    known = {one.name: one for one in POLICIES}
    if name not in known:
        raise ConfigError(f"policy {name!r}; {nearest(name, known)}")
    return known[name]


def replayed(
    log: pl.DataFrame,
    chosen: Policy,
    thresholds: Sequence[float],
    *,
    half_life: float = 30.0,
    apart: float = 1.0,
    over: str | None = None,
) -> Counts:
    """Replay a log under one policy at every threshold.

    Args:
        log: Of :func:`arandu_lab.bench.decay.access_log`. Where nothing is logged as retrieved, whatever is needed and not
            stale is found, first of all ranks.
        thresholds: Scores in 0 to 1 below which a fact is stale.
        half_life: Days, of the recency in the score.
        apart: Days; what is asked nearer to the last telling or asking than that is no need: nobody forgets within a sitting.
        over: ``agent`` or ``subject``: the units; agents where there are two, else subjects.

    Raises:
        ConfigError: no threshold, or no need in the log.
    """
    events, facts = _events(log, apart)
    needed = sum(int((rows.kind == _NEED).sum()) for rows in events)
    if not len(thresholds) or not needed:
        raise ConfigError(f"{len(thresholds)} thresholds and {needed} needs; a replay wants at least one of each")
    cuts = np.asarray(thresholds, dtype=np.float64)
    units, unit = np.unique(units_of(facts, over)[1].to_numpy(), return_inverse=True)
    agent = np.unique(facts["agent"].to_numpy(), return_inverse=True)[1]
    missed = np.zeros((len(units), len(cuts)))
    freed = np.zeros((len(units), len(cuts)))
    stale = np.zeros((int(agent.max()) + 1, SPANS, len(cuts)))
    finds = not (log["kind"] == "retrieved").any()
    state = _State(chosen, facts["confidence"].to_numpy(), cuts, half_life)
    for rows in events:
        told = rows.kind == "told"
        state.tell(rows.fact[told], rows.at[told])
        rest = ~told
        fact, at, kind, rank, span = (one[rest] for one in (rows.fact, rows.at, rows.kind, rows.rank, rows.span))
        if not len(fact):
            continue
        hidden = state.stale(fact, at)
        need, look = kind == _NEED, kind == _LOOK
        np.add.at(missed, unit[fact[need]], hidden[need])
        np.add.at(freed, unit[fact[look]], hidden[look])
        np.add.at(stale, (agent[fact[look]], span[look]), hidden[look])
        found = np.isin(kind, ("asked", _NEED)) if finds else kind == "retrieved"
        counts = found & (rank <= chosen.ranks)
        state.recall(fact[counts], at[counts], hidden[counts])
    kind, fact, span = (np.concatenate([getattr(rows, name) for rows in events]) for name in ("kind", "fact", "span"))
    need, look = fact[kind == _NEED], fact[kind == _LOOK]
    seen = np.zeros(stale.shape[:2])
    np.add.at(seen, (agent[look], span[kind == _LOOK]), 1.0)
    whole = stale.sum(axis=1) / np.maximum(seen.sum(axis=1), 1.0)[:, None]
    share = np.where(seen[..., None] > 0, stale / np.maximum(seen, 1.0)[..., None], whole[:, None, :])
    chance = np.zeros_like(missed)
    np.add.at(chance, unit[need], share[agent[need], span[kind == _NEED]])
    needs, looks_at = (np.bincount(unit[one], minlength=len(units)).astype(float) for one in (need, look))
    return Counts(policy=chosen, missed=missed, freed=freed, chance=chance, needs=needs, looks=looks_at)


class _State:
    """What a memory knows of each fact, at each threshold: shape ``(facts, thresholds)``."""

    def __init__(self, chosen: Policy, confidence: Floats, cuts: Floats, half_life: float) -> None:
        size = (len(confidence), len(cuts))
        self.policy, self.confidence, self.cuts, self.half_life = chosen, confidence, cuts, half_life
        self.heard = np.full(len(confidence), -1.0)
        self.used = np.full(size, -np.inf)
        self.counted = np.full(size, -np.inf)
        self.recalled = np.zeros(size)

    def tell(self, fact: NDArray[np.int64], at: Floats) -> None:
        self.heard[fact] += 1.0
        self.used[fact] = np.maximum(self.used[fact], at[:, None])

    def stale(self, fact: NDArray[np.int64], at: Floats) -> NDArray[np.bool_]:
        since = at[:, None] - self.used[fact]
        if self.policy.lately:
            return np.asarray(0.5 ** (since / self.half_life) < self.cuts)
        heard, sure = self.heard[fact][:, None], self.confidence[fact][:, None]
        return np.asarray(vitality(self.recalled[fact], since, sure, heard, 0.0, False, self.half_life) < self.cuts)

    def recall(self, fact: NDArray[np.int64], at: Floats, hidden: NDArray[np.bool_]) -> None:
        late = at[:, None] - self.counted[fact] >= self.policy.spacing
        taken = ~hidden & late & (self.recalled[fact] < self.policy.most)
        self.recalled[fact] += taken
        for kept in (self.counted, self.used):
            kept[fact] = np.where(taken, at[:, None], kept[fact])


@dataclass(frozen=True, slots=True)
class _Round:
    """The next event of every fact that has one."""

    fact: NDArray[np.int64]
    at: Floats
    kind: NDArray[np.str_]
    rank: NDArray[np.int64]
    span: NDArray[np.int64]


def _events(log: pl.DataFrame, apart: float) -> tuple[list[_Round], pl.DataFrame]:
    """The events of all facts in rounds (first events, second events …), looks among them; and the facts."""
    facts = watched(log).with_row_index("fact")
    length = (facts["until"] - facts["told"]).dt.total_microseconds().to_numpy() / _DAY
    place, step = looks(length)
    zero = facts["told"].min()
    columns = (pl.col("fact").cast(pl.Int64), pl.col("days"), pl.col("kind"), pl.col("rank"), pl.col("order"))
    days = ((pl.col("at") - zero).dt.total_microseconds() / _DAY).alias("days")
    order = pl.col("kind").replace_strict({"told": 0, "asked": 2, "retrieved": 3}, return_dtype=pl.Int64).alias("order")
    uses = log.join(facts.select("fact", *FACT), on=list(FACT)).with_columns(days, order, pl.col("rank").fill_null(1))
    before = pl.when(pl.col("kind") != "retrieved").then("days").forward_fill().shift(1).over("fact")
    later = (pl.col("kind") == "asked") & (pl.col("days") - before >= apart)
    uses = uses.sort("fact", "days", "order").with_columns(
        pl.when(later).then(pl.lit(_NEED)).otherwise("kind").alias("kind")
    )
    seen = facts[place].select(
        pl.col("fact"),
        (((pl.col("told") - zero).dt.total_microseconds() / _DAY) + pl.Series("step", step)).alias("days"),
        pl.lit(_LOOK).alias("kind"),
        pl.lit(1, dtype=pl.Int64).alias("rank"),
        pl.lit(1, dtype=pl.Int64).alias("order"),
    )
    every = pl.concat([uses.select(columns), seen.select(columns)]).sort("fact", "days", "order")
    every = every.join(facts.select(pl.col("fact").cast(pl.Int64), "agent"), on="fact", maintain_order="left")
    low, high = (getattr(pl.col("days"), name)().over("agent") for name in ("min", "max"))
    span = ((pl.col("days") - low) / (high - low + 1e-9) * SPANS).floor().cast(pl.Int64).alias("span")
    every = every.with_columns(span)
    turns = every.with_columns(pl.int_range(pl.len()).over("fact").alias("turn")).partition_by(
        "turn", maintain_order=False
    )
    turns.sort(key=lambda part: int(part["turn"][0]))
    rounds = [
        _Round(
            fact=part["fact"].to_numpy(),
            at=part["days"].to_numpy(),
            kind=part["kind"].to_numpy().astype(str),
            rank=part["rank"].to_numpy(),
            span=part["span"].to_numpy(),
        )
        for part in turns
    ]
    return rounds, facts
