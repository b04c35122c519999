"""LanceDB's own indexes: for searches over many agents, and for an agent that is too large for memory.

Nobody else reads through an index: a view is exact and many times as quick. Rules of this file:

* Vectors: IVF with scalar quantisation, every partition may be probed, and five times the rows asked for are weighed again
  by their stored vectors. With LanceDB's defaults a small agent in a large index silently loses up to half of its rows.
* Words: the store's own terms (folded, both languages), split at blanks; LanceDB's analysis is not used.
* A table without an index is searched row by row: slower, and exact. Rows that came after an index was built are searched
  row by row beside it until the table is compacted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arandu_lab.store import sql
from arandu_lab.store.schema import Image, from_arrow
from arandu_lab.store.tables import Tables, lance

if TYPE_CHECKING:
    from arandu_lab.records import Vector

SEARCHED = ("events", "facts")
"""Tables with texts and vectors."""

VECTORS_FROM = 5_000
"""Rows with a vector from which an index of them pays; below, LanceDB reads them all in milliseconds."""

REFINE = 5
"""Rows weighed again by their stored vectors, per row asked for."""


def build(tables: Tables) -> dict[str, tuple[str, ...]]:
    """Make or renew the indexes of events and facts; the columns that have one now, per table."""
    from lancedb.index import FTS, Bitmap, IvfSq

    made = {}
    for table in SEARCHED:
        words = FTS(
            base_tokenizer="whitespace", stem=False, remove_stop_words=False, ascii_folding=False, lower_case=False
        )
        plans: dict[str, Any] = {"agent_id": Bitmap(), "search_terms": words}
        if tables.count(table, "emb IS NOT NULL") >= VECTORS_FROM:
            plans["emb"] = IvfSq(distance_type="cosine")
        handle = tables.handle(table)
        for name, plan in plans.items():
            with lance(f"indexing {name} of {table}"):
                handle.create_index(name, config=plan, replace=True)
        made[table] = tuple(sorted(plans))
    return made


def indexed(tables: Tables, table: str) -> frozenset[str]:
    """The columns of a table that have an index."""
    with lance(f"reading the indexes of {table}"):
        return frozenset(name for one in tables.handle(table).list_indices() for name in one.columns)


def nearest(
    tables: Tables, table: str, vector: Vector, where: str, limit: int, *, exact: bool = False
) -> Iterator[Image]:
    """The rows nearest to a unit vector, best first; ``exact`` looks at every row, past an index."""
    with lance(f"searching {table} by meaning"):
        query = tables.handle(table).search(vector, vector_column_name="emb").distance_type("cosine").limit(limit)
        if where:
            query = query.where(where, prefilter=True)
        query = query.bypass_vector_index() if exact else query.maximum_nprobes(0).refine_factor(REFINE)
        found = query.to_arrow()
    yield from from_arrow(table, found.drop_columns(["_distance"]))


def matching(tables: Tables, table: str, words: Sequence[str], where: str, limit: int) -> Iterator[Image]:
    """The rows that hold some terms: by LanceDB's BM25 over the whole table, or without an index by how many they hold."""
    from lancedb.query import MatchQuery

    asked = list(dict.fromkeys(words))  # a word said twice would count twice
    if not asked:
        return
    if "search_terms" not in indexed(tables, table):
        yield from _scanned(tables, table, asked, where, limit)
        return
    with lance(f"searching {table} by words"):
        query = tables.handle(table).search(MatchQuery(" ".join(asked), "search_terms"), query_type="fts").limit(limit)
        if where:
            query = query.where(where, prefilter=True)
        found = query.to_arrow()
    yield from from_arrow(table, found.drop_columns(["_score"]))


def _scanned(tables: Tables, table: str, words: list[str], where: str, limit: int) -> Iterator[Image]:
    import polars as pl

    held = pl.DataFrame(pl.from_arrow(tables.select(table, where, ["id", "search_terms"])))
    shared = pl.col("search_terms").str.split(" ").list.set_intersection(words).list.len()
    best = held.with_columns(shared=shared).filter(pl.col("shared") > 0).sort("shared", "id", descending=[True, False])
    if ids := best["id"].head(limit).to_list():
        yield from tables.images(table, sql.ids(ids))
