"""The tables of a threshold report, computed from scored pairs alone; every picture and every sentence reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from arandu_lab.bench.thresholds.calibrate import Scored, Targets, recommended
from arandu_lab.bench.thresholds.curves import GRID, Floats, at_least, calls, dedup, density, share
from arandu_lab.bench.thresholds.pairs import RELATIONS
from arandu_lab.bench.thresholds.stores import SIZES

DUE = ("duplicate", "update", "negation")
"""Relations that a model ought to see: the new fact is about a stored one."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def sources(pairs: pl.DataFrame) -> pl.DataFrame:
    """``kind source language relation pairs groups``: what there was."""
    keys = ["kind", "source", "language", "relation"]
    count = (pl.len().cast(pl.Int64).alias("pairs"), pl.col("group").n_unique().cast(pl.Int64).alias("groups"))
    return _ordered(pairs.group_by(keys).agg(*count), "kind", "source", "language")


def distributions(pairs: pl.DataFrame, scales: Sequence[str]) -> pl.DataFrame:
    """``scale kind language relation pairs q05 q25 q50 q75 q95 at_50 at_85 apart_85``.

    ``at_50``, ``at_85``: shares at the documented thresholds or above; ``apart_85``: of those at .85 the share that words
    keep apart (null where there are none).
    """
    rows = []
    for scale, kind, language, relation, part in _parts(pairs, scales, "kind", "language", "relation"):
        score, refused = part[scale].to_numpy(), part["refused"].to_numpy()
        high = score >= 0.85
        rows.append(
            {"scale": scale, "kind": kind, "language": language, "relation": relation, "pairs": part.height}
            | {f"q{round(100 * q):02}": float(np.quantile(score, q)) for q in QUANTILES}
            | {"at_50": float((score >= 0.5).mean()), "at_85": float(high.mean())}
            | {"apart_85": float(refused[high].mean()) if high.any() else None}
        )
    return pl.DataFrame(rows)


def ridges(pairs: pl.DataFrame, scale: str) -> pl.DataFrame:
    """``kind language relation at height``: smooth histograms of cosines on a scale, for a picture."""
    places = np.round(np.arange(-0.2, 1.0501, 0.01), 2)
    parts = []
    for _, kind, language, relation, part in _parts(pairs, [scale], "kind", "language", "relation"):
        head = {"kind": kind, "language": language, "relation": relation}
        parts.append(_table(head, {"at": places, "height": density(part[scale].to_numpy(), places)}))
    return pl.concat(parts)


def merged(pairs: pl.DataFrame, scales: Sequence[str]) -> pl.DataFrame:
    """``scale kind language words threshold flagged found lost duplicates others precision recall lost_share``.

    ``words``: whether words may refuse what the cosine nominates. Shares of nothing are null.
    """
    parts = []
    for scale, kind, language, part in _parts(pairs, scales, "kind", "language"):
        for words in (False, True):
            same, apart = (part["relation"] == "duplicate").to_numpy(), part["refused"].to_numpy()
            at = dedup(part[scale].to_numpy(), same, apart if words else None)
            columns = {"threshold": GRID, "flagged": at.flagged, "found": at.found, "lost": at.lost}
            shares = {"precision": at.precision, "recall": at.recall, "lost_share": at.lost_share}
            head = {"scale": scale, "kind": kind, "language": language, "words": words}
            sizes = {"duplicates": at.duplicates, "others": at.others}
            parts.append(_table(head, {**columns, **shares}).with_columns(**{k: pl.lit(v) for k, v in sizes.items()}))
    return pl.concat(parts)


def shares(pairs: pl.DataFrame, scales: Sequence[str]) -> pl.DataFrame:
    """``scale kind language relation words threshold share pairs``: the share of each relation at a threshold or above.

    For relations that are no duplicates, ``share`` is what a dedup threshold there would lose.
    """
    parts = []
    for scale, kind, language, relation, part in _parts(pairs, scales, "kind", "language", "relation"):
        for words in (False, True):
            score = part.filter(~pl.col("refused"))[scale] if words else part[scale]
            head = {"scale": scale, "kind": kind, "language": language, "relation": relation, "words": words}
            columns = {"threshold": GRID, "share": share(score.to_numpy(), GRID, of=part.height)}
            parts.append(_table(head, columns).with_columns(pairs=pl.lit(part.height)))
    return pl.concat(parts)


def gates(pairs: pl.DataFrame, met: dict[str, dict[str, list[Floats]]]) -> pl.DataFrame:
    """``scale language stored gate calls facts reach missed``: what a gate costs in a store of a size, and what it misses.

    Args:
        met: Scale -> language -> for each new fact its cosines to all facts that a store may hold.

    ``calls``: the chance that a fact which replaces nothing asks a model. ``missed``: of the duplicates, updates and
    negations, the share below the gate.
    """
    parts = []
    for scale, languages in met.items():
        for language, cosines in languages.items():
            due = pairs.filter((pl.col("kind") == "facts") & (pl.col("language") == language))
            score = due.filter(pl.col("relation").is_in(DUE))[scale].to_numpy()
            reach = share(score, GRID)
            for stored in SIZES:
                chance = calls(cosines, stored)
                if chance is None:
                    continue
                columns = {"gate": GRID, "calls": chance, "reach": reach, "missed": 1 - reach}
                facts = sum(len(one) >= stored for one in cosines)
                head = {"scale": scale, "language": language, "stored": stored, "facts": facts}
                parts.append(_table(head, columns))
    return pl.concat(parts) if parts else pl.DataFrame(schema=_GATES)


def choices(pairs: pl.DataFrame, scales: Sequence[str], targets: Targets) -> pl.DataFrame:
    """``scale what language target threshold reached low high folds merged precision recall lost reach unrelated``.

    Chosen on facts of our own where there are any, else on all pairs; ``language`` ``all``: the stricter of them.
    ``merged`` and what follows are judged on held out folds.
    """
    own = pairs.filter(pl.col("kind") == "facts")
    rows = []
    for scale in scales:
        scored = scored_pairs(pairs if own.is_empty() else own, scale)
        languages = sorted(set(scored.language.tolist()))
        for what in ("dedup", "dedup_cosine_alone", "gate"):
            for language in (*languages, "all"):
                one = recommended(scored, what, targets, None if language == "all" else language)
                rows.append(
                    {"scale": scale, "what": what, "language": language}
                    | {"target": targets.reach if what == "gate" else targets.precision}
                    | {"threshold": one.threshold, "reached": one.reached, "low": one.low, "high": one.high}
                    | {"folds": one.folds, **{name: one.judged.get(name) for name in _JUDGED}}
                )
    return pl.DataFrame(rows, schema_overrides=dict.fromkeys(_JUDGED, pl.Float64))


def carried(pairs: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """``language relation quantile``, then the value of each column: how well scales agree with the documented one."""
    rows = []
    for _, language, relation, part in _parts(pairs, ["reference"], "language", "relation"):
        for q in (0.05, 0.5, 0.95):
            values = {name: float(np.quantile(part[name].to_numpy(), q)) for name in columns}
            rows.append({"language": language, "relation": relation, "quantile": q, **values})
    return pl.DataFrame(rows)


def told_costs(told: pl.DataFrame, scales: Sequence[str], gates_at: dict[str, Sequence[float]]) -> pl.DataFrame:
    """``scale language gate facts calls needed missed``: the sets as they were told, at some gates of each scale.

    ``calls``: the share of facts whose nearest stored one passes. ``needed``: the share about a stored fact; ``missed``:
    of those, the share whose stored fact lies below the gate.
    """
    rows = []
    for scale in scales:
        for language, part in sorted(told.partition_by("language", as_dict=True).items()):
            target, nearest = (part[f"{name}_{scale}"].drop_nulls().to_numpy() for name in ("target", "nearest"))
            for gate in dict.fromkeys(gates_at[scale]):
                asked = int(at_least(nearest, [gate])[0])
                rows.append(
                    {"scale": scale, "language": str(language[0]), "gate": gate, "facts": part.height}
                    | {"calls": asked / part.height, "needed": len(target) / part.height}
                    | {"missed": float((target < gate).mean()) if len(target) else None}
                )
    return pl.DataFrame(rows, schema=_TOLD)


def scored_pairs(pairs: pl.DataFrame, scale: str) -> Scored:
    """Pairs as columns with their cosines on one scale."""
    return Scored(
        score=pairs[scale].to_numpy(),
        relation=np.array(pairs["relation"].to_list(), dtype=str),
        language=np.array(pairs["language"].to_list(), dtype=str),
        refused=pairs["refused"].to_numpy(),
        fold=pairs["fold"].to_numpy(),
    )


def _parts(pairs: pl.DataFrame, scales: Sequence[str], *keys: str) -> Iterator[tuple[Any, ...]]:
    """Each scale with each group of the keys, in a fixed order, and the group's pairs."""
    known = _ordered(pairs.select(keys).unique(), *[key for key in keys if key != "relation"])
    for scale in scales:
        for values in known.iter_rows():
            part = pairs.filter(*(pl.col(key) == value for key, value in zip(keys, values, strict=True)))
            yield (scale, *values, part)


def _ordered(table: pl.DataFrame, *keys: str) -> pl.DataFrame:
    if "relation" not in table.columns:
        return table.sort(keys)
    place = pl.col("relation").replace_strict({name: i for i, name in enumerate(RELATIONS)}, return_dtype=pl.Int64)
    return table.with_columns(_place=place).sort(*keys, "_place").drop("_place")


def _table(head: dict[str, Any], columns: dict[str, Any]) -> pl.DataFrame:
    made = pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))
    return made.select(*(pl.lit(value).alias(name) for name, value in head.items()), *columns)


_JUDGED = ("merged", "precision", "recall", "lost", "reach", "unrelated")
_GATES = {
    **{"scale": pl.String, "language": pl.String, "stored": pl.Int64, "facts": pl.Int64, "gate": pl.Float64},
    **{"calls": pl.Float64, "reach": pl.Float64, "missed": pl.Float64},
}
_TOLD = {
    **{"scale": pl.String, "language": pl.String, "gate": pl.Float64, "facts": pl.Int64},
    **{"calls": pl.Float64, "needed": pl.Float64, "missed": pl.Float64},
}
