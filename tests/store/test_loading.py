"""Loading an agent all at once gives what putting its rows one after the other gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.records import Entity, Event, Fact, Link
from arandu_lab.store.books import Books
from arandu_lab.store.postings import Postings
from arandu_lab.store.schema import Image, from_arrow, to_arrow
from arandu_lab.store.view import AgentView

T0 = datetime(2024, 1, 1, tzinfo=UTC)
TERMS = st.lists(st.lists(st.sampled_from("abcd"), max_size=4), max_size=8)
DIM = 3


@given(texts=TERMS, later=TERMS)
def test_postings_filled_at_once_are_those_added_one_by_one(texts, later):
    """Rows under each term, and how often, whether filled, added, or filled and then added to; a look sees only the rows below."""
    filled, added = Postings(), Postings()
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    filled.fill([term for text in texts for term in text], rows)
    for row, text in enumerate((*texts, *later)):
        counts = {term: text.count(term) for term in text}
        added.add_all(counts, row)
        if row >= len(texts):
            filled.add_all(counts, row)
    for term in "abcde":
        for below in range(len(texts) + len(later) + 1):
            one, other = filled.below(term, below), added.below(term, below)
            assert one[0].tolist() == other[0].tolist()
            assert one[1].tolist() == other[1].tolist()


@given(seed=st.integers(0, 999), size=st.integers(0, 6), twice=st.booleans())
def test_a_loaded_agent_is_one_that_grew(seed, size, twice):
    """In whatever order rows come, and where one comes twice, the loaded view is the one made row by row in order of arrival."""
    images = made(np.random.default_rng(seed), size)
    if twice and images:
        images.append(images[seed % len(images)])
    shuffled = [images[place] for place in np.random.default_rng(seed).permutation(len(images))]
    loaded = AgentView.of("a", shuffled)
    books = Books("a")
    rank = [Event, Fact, Entity, Link]
    for image in sorted(images, key=lambda image: (rank.index(type(image.row)), image.born)):
        books.put(image.row, image.born, image.words)
    grown = AgentView(books, 0)
    assert list(map(_told, loaded.rows())) == list(map(_told, grown.rows()))
    assert [born for _, born in loaded.images()] == [born for _, born in grown.images()]
    assert loaded.facts.matrix.tolist() == grown.facts.matrix.tolist()
    for key in ("k0", "k1", "k9"):
        assert loaded.linked(key).tolist() == grown.linked(key).tolist()
    for fact in loaded.facts.ids:
        assert loaded.keys_of(fact) == grown.keys_of(fact)


@pytest.mark.parametrize("size", [0, 1, 5])
def test_rows_come_back_from_the_table_as_they_went(size):
    """Every field of a row, empty or not, its time in the offset in which it was said, its vector or none, and its words."""
    for table, kind in (("events", Event), ("facts", Fact), ("fact_entity_links", Link)):
        images = [image for image in made(np.random.default_rng(size), size) if type(image.row) is kind]
        found = list(from_arrow(table, to_arrow(table, images, DIM)))
        assert [_told(image.row) for image in found] == [_told(image.row) for image in images]
        assert [(image.seq, image.born) for image in found] == [(image.seq, image.born) for image in images]
        if kind is Fact:
            assert [list(image.words) for image in found] == [["k", "lake"]] * size
            offsets = [[image.row.valid_from.utcoffset() for image in some] for some in (found, images)]
            assert offsets[0] == offsets[1]


def made(rng, size):
    """Images of turns, facts, their entities and links; some without a vector, one in another offset."""
    images = [
        Image(Entity(key=f"k{n}", agent_id="a", name=f"K{n}", type="person", recorded_at=T0), 0, n) for n in range(2)
    ]
    for n in range(size):
        at = (T0 + timedelta(hours=int(rng.integers(0, 5)))).astimezone(timezone(timedelta(hours=-3 * (n % 2))))
        vector = rng.standard_normal(DIM).astype(np.float32) if n % 3 else None
        event = Event(
            id=f"e{n}", agent_id="a", text=f"lake {n}", speaker="Ana", occurred_at=at, recorded_at=T0, vector=vector
        )
        fact = Fact(
            id=f"f{n}",
            agent_id="a",
            entity_key=f"k{n % 2}",
            entity_name="K",
            text=f"K lake {n}",
            confidence=0.5,
            importance=0.5,
            category="unknown",
            speaker="Ana",
            source_event_id=f"e{n}",
            valid_from=at,
            valid_to=T0 + timedelta(days=9) if n == 4 else None,
            recorded_at=T0,
            premise_ids=("f0", "f1") if n == 3 else (),
            vector=vector,
        )
        link = Link(fact_id=f"f{n}", agent_id="a", entity_key=f"k{n % 2}", primary=True, recorded_at=T0)
        images += [Image(row, n, 10 * n + place) for place, row in enumerate((event, fact, link), 2)]
    return images


def _told(row):
    """A row as something to compare: its vector as a list."""
    vector = getattr(row, "vector", None)
    bare = replace(row, vector=None) if hasattr(row, "vector") else row
    return bare, None if vector is None else vector.tolist()
