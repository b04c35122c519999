"""The price of forgetting by policy: the share of needs that fell on hidden facts, against the share of facts that is freed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import fill
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.cards import GAP, Card, percent
from arandu_lab.bench.decay.fitting import GROUPS, jackknife
from arandu_lab.bench.decay.policies import NAMES, Counts, policy, replayed
from arandu_lab.bench.studies.study import WIDE, plain, signed
from arandu_lab.errors import ConfigError

USUAL = "context"
LEVELS = (0.25, 0.5)
THRESHOLDS = tuple(round(0.01 * step, 2) for step in range(91))
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Reinforcement:
    """What policies hide and free.

    Attributes:
        curve: A row a policy and threshold: ``policy threshold freed missed low high chance``. Shares: of looks at facts that
            found a stale one, of needs that met one (with its interval), and of needs that would have by chance, had they
            wanted any fact.
        table: A row a policy and share freed: ``policy freed missed low high chance``, ``spared spared_low spared_high``
            (chance less missed), ``more more_low more_high`` (the difference to ``context`` at the same share freed,
            paired). Null where a policy frees no such share.
        found: What may be said, a sentence each.
        needs: Questions that wanted a fact later than the sitting in which it was used last.
    """

    curve: pl.DataFrame = field(repr=False)
    table: pl.DataFrame = field(repr=False)
    found: tuple[str, ...]
    needs: int

    def text(self) -> str:
        """The table and the sentences as plain text."""
        title = f"What policies of reinforcement hide of {self.needs:,} needs (percent, points)"
        return "\n".join(
            [title, *plain(_card(self.table)), *(fill(one, WIDE, subsequent_indent="  ") for one in self.found)]
        )

    def plot(self) -> Any:
        """The picture: a line a policy (altair)."""
        from arandu_lab.viz.decay import hidden_picture
        from arandu_lab.viz.theme import shown

        return shown(hidden_picture(self.curve))

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"


def reinforcement(
    log: pl.DataFrame,
    *,
    policies: Sequence[str] = NAMES,
    thresholds: Sequence[float] = THRESHOLDS,
    freed: Sequence[float] = LEVELS,
    half_life: float = 30.0,
    over: str | None = None,
) -> Reinforcement:
    """Replay an access log under policies of reinforcement.

    Args:
        policies: Names of :data:`arandu_lab.bench.decay.policies.POLICIES`.
        thresholds: Scores below which a fact is stale; rising.
        freed: Shares of facts freed at which policies are compared.
        half_life: Days, of the recency in the score.
        over: ``agent`` or ``subject``: what is independent of what; agents where there are two, else subjects.

    Raises:
        ConfigError: an unknown policy, thresholds that do not rise, or a log in which nothing is needed.
    """
    if list(thresholds) != sorted(set(thresholds)):
        raise ConfigError(f"thresholds {list(thresholds)}; they rise")
    chosen = [policy(name) for name in policies]
    names = dict.fromkeys([*(one.name for one in chosen), USUAL])
    counts = {name: _grouped(replayed(log, policy(name), thresholds, half_life=half_life, over=over)) for name in names}
    mine = [counts[one.name] for one in chosen]
    curve = pl.concat([_curve(one, thresholds) for one in mine])
    table = pl.DataFrame([_at(one, counts[USUAL], share) for one in mine for share in freed], schema=_TABLE)
    return Reinforcement(
        curve=curve, table=table, found=tuple(_said(table, curve)), needs=int(counts[USUAL].needs.sum())
    )  # fmt: skip


def _grouped(one: Counts) -> Counts:
    """At most so many groups of units, by turns."""
    if len(one.needs) <= GROUPS:
        return one
    group = np.arange(len(one.needs)) % GROUPS
    names = ("missed", "freed", "chance", "needs", "looks")
    sums = {
        name: np.stack([getattr(one, name)[group == place].sum(axis=0) for place in range(GROUPS)]) for name in names
    }
    return Counts(policy=one.policy, **sums)


def _shares(one: Counts, kept: Any = slice(None)) -> tuple[Floats, Floats, Floats]:
    """Freed, missed, and missed by chance, at each threshold."""
    looks, needs = max(one.looks[kept].sum(), 1.0), max(one.needs[kept].sum(), 1.0)
    return (
        one.freed[kept].sum(axis=0) / looks,
        one.missed[kept].sum(axis=0) / needs,
        one.chance[kept].sum(axis=0) / needs,
    )


def _parts(number: int) -> list[NDArray[np.bool_]]:
    return [np.arange(number) != place for place in range(number)] if number > 1 else []


def _curve(one: Counts, thresholds: Sequence[float]) -> pl.DataFrame:
    freed, missed, chance = _shares(one)
    parts = [_shares(one, kept)[1] for kept in _parts(len(one.needs))]
    rows = []
    for place, threshold in enumerate(thresholds):
        between = jackknife(float(missed[place]), [part[place] for part in parts])
        low, high = (None, None) if between is None else (max(between[0], 0.0), min(between[1], 1.0))
        told = (float(freed[place]), float(missed[place]), low, high, float(chance[place]))
        rows.append((one.policy.name, float(threshold), *told))
    return pl.DataFrame(rows, schema=_CURVE, orient="row")


def _where(one: Counts, share: float, kept: Any = slice(None)) -> tuple[float, float] | None:
    """Missed, and missed by chance, where so much is freed: on a line between two thresholds; None where none frees it."""
    freed, missed, chance = _shares(one, kept)
    if not freed.min() <= share <= freed.max():
        return None
    places = np.concatenate([[True], np.diff(freed) > 0])
    return float(np.interp(share, freed[places], missed[places])), float(
        np.interp(share, freed[places], chance[places])
    )


def _at(one: Counts, base: Counts, share: float) -> dict[str, Any]:
    row: dict[str, Any] = {"policy": one.policy.name, "freed": share}

    def told(name: str, of: Callable[[Any], float | None], low: str, high: str) -> None:
        row[name] = whole = of(slice(None))
        parts = [of(kept) for kept in _parts(len(one.needs))]
        known = [part for part in parts if part is not None]
        if whole is not None and len(known) == len(parts) and (between := jackknife(whole, known)):
            row[low], row[high] = between

    def missed(kept: Any) -> float | None:
        return None if (found := _where(one, share, kept)) is None else found[0]

    def spared(kept: Any) -> float | None:
        return None if (found := _where(one, share, kept)) is None else found[1] - found[0]

    def more(kept: Any) -> float | None:
        mine, usual = _where(one, share, kept), _where(base, share, kept)
        return None if mine is None or usual is None else mine[0] - usual[0]

    told("missed", missed, "low", "high")
    told("spared", spared, "spared_low", "spared_high")
    if one.policy != base.policy:
        told("more", more, "more_low", "more_high")
    if row["missed"] is not None:
        row["chance"] = row["missed"] + row["spared"]
    return row


def _card(table: pl.DataFrame) -> Card:
    def between(row: dict[str, Any], low: str, high: str, form: Callable[[float | None], str]) -> str:
        return GAP if row[low] is None else f"{form(row[low])} to {form(row[high])}"

    cells = [
        (
            row["policy"], percent(row["freed"]), percent(row["missed"]), between(row, "low", "high", _share),
            percent(row["chance"]), signed(row["spared"]), between(row, "spared_low", "spared_high", signed),
            signed(row["more"]), between(row, "more_low", "more_high", signed),
        )
        for row in table.iter_rows(named=True)
    ]  # fmt: skip
    head = ("policy", "freed", "hidden", "between", "by chance", "spared", "between", f"than {USUAL}", "between")
    return Card(head, tuple(cells))


def _share(value: float | None) -> str:
    return percent(None if value is None else min(max(value, 0.0), 1.0))


def _said(table: pl.DataFrame, curve: pl.DataFrame) -> list[str]:
    out = [_spared(row) for row in table.filter(pl.col("missed").is_not_null(), policy=USUAL).iter_rows(named=True)]
    alike: list[str] = []
    for row in table.filter(pl.col("more_low").is_not_null()).iter_rows(named=True):
        more, low, high = (100 * row[name] for name in ("more", "more_low", "more_high"))
        where = f"{row['policy']} at {100 * row['freed']:.0f} %"
        if low > 0 or high < 0:
            way = "more" if more > 0 else "fewer"
            out.append(
                f"{where}: {abs(more):.1f} points {way} of the needs are hidden than by {USUAL} [{low:.1f}, {high:.1f}]."
            )
        else:
            alike.append(where)
    if alike:
        out.append(f"Cannot be told apart from {USUAL}: {', '.join(alike)}.")
    for name, freed in table.filter(pl.col("missed").is_null()).select("policy", "freed").iter_rows():
        most = max(curve.filter(policy=name)["freed"].to_list())
        out.append(f"{name} frees no {100 * freed:.0f} % at any of these thresholds (at most {100 * most:.0f} %).")
    return out


def _spared(row: dict[str, Any]) -> str:
    freed = f"{row['policy']}: freeing {100 * row['freed']:.0f} % of the facts hides {100 * row['missed']:.1f} % of the needs"
    if row["spared_low"] is None:
        return f"{freed}; of others nothing is known."
    spared, low, high = (100 * row[name] for name in ("spared", "spared_low", "spared_high"))
    if low > 0 or high < 0:
        way = "fewer" if spared > 0 else "more"
        return f"{freed}, {abs(spared):.1f} points {way} than forgetting by chance [{low:.1f}, {high:.1f} spared]."
    return f"{freed}, which cannot be told apart from forgetting by chance ({spared:.1f} points spared [{low:.1f}, {high:.1f}])."


_CURVE: dict[str, Any] = {
    "policy": pl.String,
    **dict.fromkeys(("threshold", "freed", "missed", "low", "high", "chance"), pl.Float64),
}
_TABLE: dict[str, Any] = {
    "policy": pl.String,
    **dict.fromkeys(
        (
            "freed",
            "missed",
            "low",
            "high",
            "chance",
            "spared",
            "spared_low",
            "spared_high",
            "more",
            "more_low",
            "more_high",
        ),
        pl.Float64,
    ),
}
