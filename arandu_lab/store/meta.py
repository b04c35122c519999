"""What a store knows about itself: layout and embedder, checked whenever it is opened."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.store import projections, segments
from arandu_lab.store.journal import Unit, without_vector
from arandu_lab.store.schema import VERSION
from arandu_lab.store.tables import Tables, damage
from arandu_lab.store.terms import fingerprint


def fresh_meta(embedder_name: str, embedder_dim: int) -> dict[str, str]:
    """The meta rows of a new store. ``embedder_dim`` 0: no vectors are kept.

    >>> fresh_meta("hashing", 64)["embedder_dim"]
    '64'
    """
    if embedder_dim < 0:
        raise ConfigError(f"embedder_dim {embedder_dim}; 0 or more")
    return {
        "schema_version": str(VERSION),
        "embedder_name": embedder_name,
        "embedder_dim": str(embedder_dim),
        "watermark": "0",
        "forgotten": "0",
        "terms": fingerprint(),
    }


def refuse_other(path: str, found: dict[str, str], wanted: dict[str, str]) -> None:
    """Refuse a store of another layout or embedder, and say what to do.

    Raises:
        ConfigError: they differ.
    """
    if found["schema_version"] != wanted["schema_version"]:
        raise ConfigError(
            f"{path} has layout {found['schema_version']}, this version reads {wanted['schema_version']}; "
            "open it with the version of arandu_lab that made it and export it"
        )
    has, asks = (f"{meta['embedder_name']!r} (dim {meta['embedder_dim']})" for meta in (found, wanted))
    if has != asks:
        raise ConfigError(
            f"{path} holds vectors of embedder {has}, and was opened with {asks}: their cosines do not compare. "
            f"Open it with the first, or give it to the second with Store.adopt({path!r}, "
            f"embedder_name={wanted['embedder_name']!r}, embedder_dim={wanted['embedder_dim']}) "
            "and embed its texts anew with Memory.repair()"
        )


def adopted(tables: Tables, wanted: dict[str, str], dim: int) -> None:
    """Another embedder for an existing store: journal vectors up to now no longer count, tables are rebuilt."""
    tables.open(*segments.BOTH)
    found = tables.meta()
    if found["schema_version"] != wanted["schema_version"]:
        refuse_other(str(tables.path), found, wanted)
    if (found["embedder_name"], found["embedder_dim"]) == (wanted["embedder_name"], wanted["embedder_dim"]):
        return
    last = segments.last(tables, int(found["watermark"]))
    segments.rewrite(tables, [bare(unit) for unit in segments.read(tables, dim=0)])
    tables.set_meta(embedder_name=wanted["embedder_name"], embedder_dim=wanted["embedder_dim"], adopted=str(last))
    tables.set_meta(calibration="")
    projections.rebuild(tables, dim)


def headed(tables: Tables, wanted: dict[str, str]) -> None:
    """Open ``meta``, or make it anew, of no known embedder, where it is missing or cannot be read.

    Raises:
        ConfigError: no store is there.
    """
    try:
        if tables.exists():
            tables.open("meta")
            tables.meta()
            return
    except BackendError as fault:
        if not damage(fault):
            raise
        tables.drop("meta")
    if not tables.holding():
        raise ConfigError(f"no store at {tables.path}; Store.open creates one")
    tables.create_meta({**wanted, "embedder_name": "unknown", "embedder_dim": "0"})


def bare(unit: Unit) -> Unit:
    """The unit without its vectors."""
    return replace(unit, rows=tuple(map(without_vector, unit.rows)))
