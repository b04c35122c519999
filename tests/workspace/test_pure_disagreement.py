"""S3: what contradicts conflicts; what is merely alike does not. Sixty pairs a language, written by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import LATER_APART, LATER_TOGETHER, TABLES, rows

from arandu_lab.knowledge import MemoryFact
from arandu_lab.pure.disagreement import against, disagreement, elsewhere, prevails
from arandu_lab.pure.quantities import Quantity, apart, marked

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize("language", ["en", "pt"])
def test_precision_and_recall(language: str) -> None:
    """Of sixty pairs a language, whatever is found is a contradiction, and at least nine in ten are found."""
    apart_pairs, together = TABLES[language]
    assert len(apart_pairs) + len(together) == 60
    found = [pair for pair in apart_pairs if disagreement(pair[1], pair[2], topic=pair[0])]
    wrong = [pair for pair in together if disagreement(pair[1], pair[2], topic=pair[0])]
    assert wrong == []
    assert len(found) >= 0.9 * len(apart_pairs), [pair for pair in apart_pairs if pair not in found]


def test_later_pairs() -> None:
    """Of pairs written after the rules, whatever is found is a contradiction, and nineteen in twenty are found."""
    apart_pairs, together = rows(LATER_APART), rows(LATER_TOGETHER)
    assert [pair for pair in together if disagreement(pair[1], pair[2], topic=pair[0])] == []
    missed = [pair for pair in apart_pairs if not disagreement(pair[1], pair[2], topic=pair[0])]
    assert len(missed) <= 0.05 * len(apart_pairs), missed


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("deploys run on Fridays", "deploys never run on Fridays", "polarity"),
        ("the API limit is 100", "the API limit is 250", "number"),
        ("usamos PostgreSQL", "usamos MySQL", "value"),
        ("uses Postgres for billing", "uses MySQL for search", None),
        ("The standup starts at 9am", "The standup starts at 10am", "date"),
        ("The repository is public", "The repository is private", "opposite"),
        ("We use Black instead of YAPF", "We use YAPF", "value"),
        ("We use MySQL.", "The frontend is new. We use PostgreSQL.", "value"),
        ("We use PostgreSQL", "usamos MySQL", "value"),
        ("Is the limit 100?", "Is the limit 250?", None),
    ],
)
def test_reasons(one: str, other: str, why: str | None) -> None:
    """The document's examples, and how each kind of contradiction is named; across languages too; a question states nothing."""
    found = disagreement(one, other)
    assert (found and found.why) == why


def test_topic_names_the_slot() -> None:
    """Two names of which nothing is known rival where the topic says of what they are, and not otherwise."""
    assert disagreement("We use Aurora", "We use Spanner", topic="database")
    assert not disagreement("We use Aurora", "We use Spanner", topic="tools")


def test_people_are_read_as_attributes() -> None:
    """Where the topic is a name, homes, employers and likings of that person are compared."""
    assert disagreement("Ana moved to Natal", "Ana's home is Recife", topic="Ana")
    assert disagreement("Ana mora em Recife", "Ana se mudou para Natal", topic="Ana")
    assert not disagreement("Ana likes jazz", "Ana likes opera", topic="Ana")


SENTENCES = st.sampled_from(
    [text for tables in TABLES.values() for table in tables for _, one, other in table for text in (one, other)]
)
TEXTS = st.one_of(SENTENCES, st.text(max_size=60))


@settings(max_examples=40, deadline=None)
@given(TEXTS, TEXTS)
def test_symmetric(one: str, other: str) -> None:
    """Who is first never matters to whether they disagree, nor to how."""
    here, there = disagreement(one, other), disagreement(other, one)
    assert (here and here.why) == (there and there.why)


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.sampled_from([str.upper, str.strip, lambda text: f"  {text}.", lambda text: text]))
def test_nothing_contradicts_itself(text: str, said: object) -> None:
    """The same words, in whatever case and spacing, are no contradiction."""
    assert disagreement(text, said(text)) is None  # type: ignore[operator]


@given(st.integers(0, 9999), st.integers(0, 9999))
@settings(max_examples=40, deadline=None)
def test_numbers_disagree_exactly_where_they_differ(one: int, other: int) -> None:
    """ "the limit is N" contradicts "the limit is M" where N is not M."""
    assert bool(disagreement(f"the API limit is {one}", f"the API limit is {other}")) == (one != other)


@given(st.integers(1, 500))
@settings(max_examples=40, deadline=None)
def test_units_are_converted(hours: int) -> None:
    """A length of time is the same in another unit."""
    assert not disagreement(f"The cache lives for {hours} hours", f"The cache lives for {hours * 60} minutes")
    assert disagreement(f"The cache lives for {hours} hours", f"The cache lives for {hours} minutes")


QUANTITIES = st.builds(
    Quantity,
    kind=st.sampled_from(["count", "time", "version", "weekday"]),
    low=st.floats(0, 50).map(round).map(float),
    high=st.just(0.0),
    bound=st.sampled_from(["is", "least", "most", "about"]),
).map(lambda q: Quantity(q.kind, q.low, q.low, q.bound))


@given(QUANTITIES, QUANTITIES)
def test_apart_is_symmetric_and_never_of_one(one: Quantity, other: Quantity) -> None:
    """Two quantities are apart both ways or not at all, a quantity is never apart from itself, nor two kinds."""
    assert apart(one, other) == apart(other, one)
    assert not apart(one, one)
    assert one.kind == other.kind or not apart(one, other)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("1,000 rows", "en", ("count", 1000.0)),
        ("1.000 linhas", "pt", ("count", 1000.0)),
        ("2,5 horas", "pt", ("time", 9000.0)),
        ("5k users", "en", ("count", 5000.0)),
        ("R$ 1.000,50", "pt", ("money", 1000.5)),
        ("às 14h30", "pt", ("clock", 870)),
        ("at 2:05 pm", "en", ("clock", 845)),
        ("3 de março", "pt", ("day", 303)),
        ("since 2020", "en", ("year", 2020)),
        ("na terça-feira", "pt", ("weekday", 1)),
        ("10 MB", "en", ("size", 1e7)),
    ],
)
def test_quantities_are_read(text: str, language: str, expected: tuple[str, float]) -> None:
    """Numbers, units and dates of both languages in base units; digits of names (S3, utf-8) are none."""
    (found,) = marked(text, language)[1]
    assert (found.kind, found.low) == expected
    assert marked("S3 and utf-8", language) == ("S3 and utf-8", ())


def fact(key: str, content: str, *, repo: str | None = None, topic: str = "database", **other: object) -> MemoryFact:
    given: dict[str, object] = {
        "domain": "codebase",
        "memory_type": "convention",
        "veracity": "stated",
        "confidence": 1.0,
        "proposed_by": "coder",
        "valid_from": NOW,
        "recorded_at": NOW,
    }
    return MemoryFact(id=key, agent_id="w", topic=topic, content=content, repo=repo, **{**given, **other})  # type: ignore[arg-type]


def test_scopes_are_independent() -> None:
    """A fact of a repository contradicts none of the workspace; the disagreement across scopes is told apart."""
    here = fact("a", "We use PostgreSQL")
    there = fact("b", "We use MySQL", repo="api")
    gone = fact("c", "We use MySQL", superseded_by="z")
    other = fact("d", "We use MySQL", topic="search")
    rival = fact("e", "We use MySQL", topic="Database")
    stored = [here, there, gone, other, rival]
    assert [found.id for found, _ in against(here, stored, NOW)] == ["e"]
    assert [found.id for found, _ in elsewhere(here, stored, NOW)] == ["b"]
    assert against(there, stored, NOW) == ()


def test_who_prevails() -> None:
    """The later of two equals prevails; a human's fresh word stands against an agent's guess until it has faded."""
    old = fact("a", "We use PostgreSQL", memory_type="result", valid_from=NOW - timedelta(days=1))
    guess = fact("b", "We use MySQL", memory_type="result", veracity="inferred", confidence=0.7)
    assert prevails(fact("c", "We use MySQL", memory_type="result"), old, NOW)
    assert not prevails(guess, old, NOW)
    faded = fact("a", "We use PostgreSQL", memory_type="result", valid_from=NOW - timedelta(days=90))
    assert prevails(guess, faded, NOW)
