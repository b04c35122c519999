"""Hypothesis strategies made of the library's own types: settings, turns, facts, chains of versions, decisions, tables.

==================  ==================================================================================
``legal(unit)``     values that an annotation allows (``arandu_lab.units``, literals, mappings)
``illegal(unit)``   values that it must refuse
``settings_of``     legal settings of a stage or pipeline, some of them or none, by flat name
``turns``           turns of one agent, in English and Portuguese, some of them odd
``facts``           stored facts of one agent
``memory_facts``    stored facts of one workspace
``chains``          versions of one statement, oldest first, that do not overlap in time
``decisions``       what becomes of a new fact beside stored ones
``knowledge``       rows of one workspace, of every kind
``tables``          tables of candidates as they flow between the stages of a read
==================  ==================================================================================
"""

from __future__ import annotations

import types
import typing
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import Knowledge, MemoryFact, Veracity
from arandu_lab.pure.ids import event_id
from arandu_lab.read.table import Table
from arandu_lab.records import Action, Decision, Fact, Turn
from arandu_lab.testing.knowledge_rows import KINDS, knowledge_of

try:
    from hypothesis import strategies as st
except ImportError:
    raise ConfigError("strategies are made of hypothesis: pip install 'arandu-lab[testing]'") from None

START = datetime(2024, 1, 1, 12, tzinfo=UTC)
NAMES = ("Ana", "Rafael Dias", "João", "Iara", "Clara Rezende", "小林")
TEXTS = (
    "{} lives in Recife",
    "{} mora em Olinda",
    "{} works at Acme as a nurse",
    "{} não gosta de café",
    "{} has a dog called Bidu",
    "{} 🌵\0 ok",
)


def legal(annotation: Any) -> st.SearchStrategy[Any]:
    """Values that the annotation allows."""
    base, marks = _parts(annotation)
    if base is float:
        low, high = _bounds(marks)
        return st.floats(
            low if low is not None else -1e6,
            high if high is not None else 1e6,
            allow_nan=False,
            exclude_min=any(isinstance(m, Gt) for m in marks),
            exclude_max=any(isinstance(m, Lt) for m in marks),
        )
    if base is int:
        low, high = _bounds(marks)
        return st.integers(None if low is None else int(low), None if high is None else int(high))
    if base is bool:
        return st.booleans()
    if base is str:
        return st.text(max_size=20)
    if typing.get_origin(base) is Literal:
        return st.sampled_from(typing.get_args(base))
    if _is_mapping(base):
        key, value = typing.get_args(base)
        return st.dictionaries(legal(key), legal(value), max_size=4)
    if typing.get_origin(base) is tuple:
        return st.lists(legal(typing.get_args(base)[0]), max_size=3).map(tuple)
    if _is_union(base):
        return st.one_of([legal(option) for option in typing.get_args(base)])
    if base is type(None):
        return st.none()
    raise TypeError(f"no values known for {annotation!r}")


def illegal(annotation: Any) -> st.SearchStrategy[Any]:
    """Values that the annotation must refuse: out of range, of a wrong kind, not a number."""
    base, marks = _parts(annotation)
    wrong: list[st.SearchStrategy[Any]] = [st.just(object())]
    low, high = _bounds(marks)
    if base in (int, float):
        wrong += [st.just("5"), st.just(float("nan")), st.just(None)]
        if low is not None:
            wrong.append(st.just(low - 1))
        if high is not None:
            wrong.append(st.just(high + 1))
        if base is int:
            wrong.append(st.just(1.5))
    elif base is bool:
        wrong += [st.just("yes"), st.just(7)]
    elif base is str:
        wrong += [st.integers(), st.none()]
    elif typing.get_origin(base) is Literal:
        wrong.append(st.text(max_size=5).filter(lambda text: text not in typing.get_args(base)))
    elif _is_mapping(base):
        _, value = typing.get_args(base)
        wrong += [st.just([1]), illegal(value).map(lambda bad: {"x": bad})]
    return st.one_of(wrong)


def examples_of(annotation: Any) -> list[Any]:
    """Some values that the annotation allows, always the same ones in the same order.

    >>> from arandu_lab.units import Share
    >>> examples_of(Share), examples_of(Literal["a", "b"])
    ([0.0, 0.25, 0.5, 0.75, 1.0], ['a', 'b'])
    """
    base, marks = _parts(annotation)
    if base in (float, int):
        low, high = _bounds(marks)
        start = 0 if low is None else low
        room = 4 if high is None or high - start > 4 else high - start
        values = [start + room * step / 4 for step in range(5)]
        values = [int(value) for value in values] if base is int else [float(value) for value in values]
        if any(isinstance(mark, Gt) for mark in marks):
            values = values[1:]
        return list(dict.fromkeys(values))
    if base is bool:
        return [False, True]
    if base is str:
        return ["a", "b"]
    if typing.get_origin(base) is Literal:
        return list(typing.get_args(base))
    if _is_mapping(base):
        key, value = (examples_of(part) for part in typing.get_args(base))
        return [{key[0]: one} for one in value[:2]]
    if typing.get_origin(base) is tuple:
        return [(), *((one,) for one in examples_of(typing.get_args(base)[0])[:2])]
    if _is_union(base):
        return [one for option in typing.get_args(base) for one in examples_of(option)]
    return [None] if base is type(None) else []


def settings_of(node: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Legal settings of a stage, a group or a pipeline by flat name, none to all of them."""
    made = node() if callable(node) and not hasattr(node, "parts") else node
    parameters = made.parameters()
    return st.fixed_dictionaries({}, optional={name: legal(one.annotation) for name, one in parameters.items()})


def moments() -> st.SearchStrategy[datetime]:
    """Moments of three years, to the minute, in UTC."""
    return st.integers(0, 3 * 365 * 24 * 60).map(lambda minutes: START + timedelta(minutes=minutes))


def statements() -> st.SearchStrategy[str]:
    """Short statements about somebody, English and Portuguese."""
    return st.builds(str.format, st.sampled_from(TEXTS), st.sampled_from(NAMES))


def turns(agent_id: str = "ana") -> st.SearchStrategy[Turn]:
    """Turns of one agent; the id of the event follows from speaker, moment and text."""
    texts = st.one_of(statements(), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
    return st.builds(
        lambda text, speaker, moment: Turn(
            agent_id=agent_id,
            text=text,
            speaker=speaker,
            occurred_at=moment,
            event_id=event_id(agent_id, None, moment, speaker, text),
        ),
        texts.filter(str.strip),
        st.sampled_from(NAMES),
        moments(),
    )


def facts(agent_id: str = "ana", *, dim: int = 0) -> st.SearchStrategy[Fact]:
    """Stored facts of one agent, open or closed, some marked as stale, some resting on others; with unit vectors of ``dim``
    numbers where that is above 0.
    """

    def made(
        name: str,
        text: str,
        number: int,
        since: datetime,
        days: int | None,
        sure: float,
        weight: float,
        why: Literal["vitality", "premise"] | None,
        premises: tuple[str, ...],
    ) -> Fact:
        rng = np.random.default_rng(number)
        vector = rng.normal(size=dim).astype(np.float32) if dim else None
        return Fact(
            id=f"f{number}",
            agent_id=agent_id,
            entity_key=f"person:{name.lower().replace(' ', '_')}",
            entity_name=name,
            text=text.format(name),
            confidence=sure,
            importance=weight,
            category="specific_event",
            speaker=name,
            source_event_id=f"e{number}",
            valid_from=since,
            valid_to=None if days is None else since + timedelta(days=days),
            recorded_at=since,
            premise_ids=premises,
            stale_since=None if why is None else since,
            stale_why=why,
            vector=None if vector is None else vector / np.linalg.norm(vector),
        )

    share = st.floats(0.0, 1.0)
    ends = st.one_of(st.none(), st.integers(1, 400))
    names, texts, numbers = st.sampled_from(NAMES), st.sampled_from(TEXTS), st.integers(0, 10**9)
    whys: st.SearchStrategy[Literal["vitality", "premise"] | None] = st.sampled_from(
        (None, None, "vitality", "premise")
    )
    premises = st.lists(numbers.map("f{}".format), max_size=2, unique=True).map(tuple)
    return st.builds(made, names, texts, numbers, moments(), ends, share, share, whys, premises)


def chains(agent_id: str = "ana", *, longest: int = 5) -> st.SearchStrategy[tuple[Fact, ...]]:
    """Versions of one statement, oldest first: each takes over where the one before ends, and only the last is open."""

    def chain(first: Fact, days: list[int]) -> tuple[Fact, ...]:
        made = [replace(first, valid_to=None)]
        for place, wait in enumerate(days, start=1):
            before = made[-1]
            until = before.valid_from + timedelta(days=wait)
            made[-1] = replace(before, valid_to=until, invalidated_at=until, closed_by="update")
            later: dict[str, Any] = {"valid_from": until, "recorded_at": until, "supersedes_fact_id": before.id}
            made.append(replace(first, id=f"{first.id}v{place}", valid_to=None, **later))
        return tuple(made)

    return st.builds(chain, facts(agent_id), st.lists(st.integers(1, 400), max_size=longest - 1))


def decisions(known: Sequence[Fact] = ()) -> st.SearchStrategy[Decision]:
    """What becomes of a new fact: ADD, or anything about one of the ``known`` facts."""
    whys = st.sampled_from(("verdict", "identical", "silence"))
    add = st.builds(Decision, action=st.just("ADD"), why=st.sampled_from(("fresh", "silence", "verdict")))
    if not known:
        return add
    actions: tuple[Action, ...] = ("UPDATE", "NOOP", "DELETE")
    about = st.builds(
        Decision, action=st.sampled_from(actions), target_id=st.sampled_from([fact.id for fact in known]), why=whys
    )
    return st.one_of(add, about)


def memory_facts(workspace: str = "acme", *, dim: int = 0) -> st.SearchStrategy[MemoryFact]:
    """Facts of one workspace, of either scope, live, superseded, retired, or run out; with unit vectors of ``dim`` numbers
    where that is above 0.
    """

    def made(
        text: str, topic: str, number: int, at: datetime, sure: float, how: Veracity, repo: str | None, end: str
    ) -> MemoryFact:
        rng = np.random.default_rng(number)
        vector = rng.normal(size=dim).astype(np.float32) if dim else None
        ends: dict[str, Any] = {
            "superseded": {"superseded_by": "later", "superseded_at": at},
            "retired": {"retired_at": at, "retired_why": "expired"},
            "over": {"valid_until": at + timedelta(days=1)},
        }
        return MemoryFact(
            id=f"m{number}",
            agent_id=workspace,
            domain="codebase",
            repo=repo,
            topic=topic,
            content=text.format(topic),
            memory_type="codebase",
            veracity=how,
            confidence=sure,
            proposed_by="iris",
            valid_from=at,
            recorded_at=at,
            last_mentioned_at=at,
            vector=None if vector is None else vector / np.linalg.norm(vector),
            **ends.get(end, {}),
        )

    ways: tuple[Veracity, ...] = ("stated", "inferred", "tool", "imported")
    return st.builds(
        made,
        st.sampled_from(TEXTS),
        st.sampled_from(NAMES),
        st.integers(0, 10**9),
        moments(),
        st.floats(0.0, 1.0),
        st.sampled_from(ways),
        st.sampled_from((None, None, "api")),
        st.sampled_from(("live", "live", "superseded", "retired", "over")),
    )


def knowledge(workspace: str = "acme", *, dim: int = 0) -> st.SearchStrategy[Knowledge]:
    """Rows of one workspace, of every kind."""
    words = st.one_of(
        st.sampled_from(NAMES), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
    )
    numbers = st.integers(0, 50)
    kinds = st.integers(0, len(KINDS) - 1)
    every = st.builds(
        lambda word, at, number, kind: knowledge_of(workspace, word, at, number=str(number), dim=dim)[kind],
        words,
        moments(),
        numbers,
        kinds,
    )
    return st.one_of(every, memory_facts(workspace, dim=dim))


def tables(*, largest: int = 12) -> st.SearchStrategy[Table]:
    """Tables of candidates with the columns that ``merge`` writes (``arandu_lab.read.found``), best formula first."""

    def table(scores: list[tuple[float, ...]]) -> Table:
        rows = sorted(scores, key=lambda one: -one[-1])
        columns = {name: np.array([row[place] for row in rows], dtype=np.float64) for place, name in enumerate(SCORES)}
        count = len(rows)
        return Table(
            {
                "fact_id": np.array([f"f{place}" for place in range(count)], dtype=object),
                "position": np.arange(count, dtype=np.int64),
                "entity_key": np.array([f"person:{place % 3}" for place in range(count)], dtype=object),
                "occurred_at": np.array([np.datetime64("2024-01-01", "us")] * count, dtype="datetime64[us]"),
                **columns,
            }
        )

    share = st.floats(0.0, 1.0)
    return st.lists(st.tuples(*(share for _ in SCORES)), max_size=largest).map(table)


SCORES = (
    *("semantic", "keyword", "graph", "spread", "recency", "importance"),
    *("confidence", "confidence_raw", "pattern", "formula"),
)


def _parts(annotation: Any) -> tuple[Any, list[Any]]:
    if typing.get_origin(annotation) is typing.Annotated:
        base, *marks = typing.get_args(annotation)
        return base, marks
    return annotation, []


def _bounds(marks: list[Any]) -> tuple[float | None, float | None]:
    low = next((m.ge if isinstance(m, Ge) else m.gt for m in marks if isinstance(m, Ge | Gt)), None)
    high = next((m.le if isinstance(m, Le) else m.lt for m in marks if isinstance(m, Le | Lt)), None)
    return low, high  # type: ignore[return-value]


def _is_mapping(base: Any) -> bool:
    import collections.abc

    return typing.get_origin(base) in (dict, collections.abc.Mapping)


def _is_union(base: Any) -> bool:
    return isinstance(base, types.UnionType) or typing.get_origin(base) is typing.Union
