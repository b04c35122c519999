"""Laws of versions: whatever a model says about whatever facts, in whatever order of time, the past stays as it was.

Stories are drawn small and repetitive, so that facts meet: statements of two people, told at any date, with any verdict on
whatever is shown. ``tell`` writes them through the whole pipeline; the law of the pure model hands decisions to ``upsert``.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from arandu_lab.config import MemoryConfig
from arandu_lab.config import settings as settled
from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.llm.scripted import Scripted
from arandu_lab.memory import Memory
from arandu_lab.pipeline.node import Run
from arandu_lab.pure.decide import one_heir
from arandu_lab.pure.text import normal
from arandu_lab.pure.versions import as_known
from arandu_lab.records import Decision, Fact, NewFact, Reconciliation, Resolved, Turn
from arandu_lab.trace import Span
from arandu_lab.write.upsert import upsert

QUICK = settings(
    max_examples=8,
    phases=[Phase.explicit, Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
T0 = datetime(2024, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
AGENT = "a"
WHO = ("Ana", "Beto")
SAID = ("likes jazz", "plays chess", "lives in Natal", "lives in Recife", "mora em Olinda", "no longer likes jazz")
TEXTS = tuple(f"{who} {said}" for who in WHO for said in SAID)
ALIKE = ScriptedEmbedder(
    {
        (f"{who} {a}", f"{who} {b}"): 0.8
        for who in WHO
        for i, a in enumerate(SAID)
        for b in SAID[:i]
    }
)  # fmt: skip
"""Statements of one person are .8 alike, so that each is asked about beside all the others."""

texts = st.sampled_from([*TEXTS, *TEXTS[: len(SAID)], *TEXTS[: len(SAID)]])
days = st.integers(0, 40)
verdicts = st.tuples(st.sampled_from(["ADD", "UPDATE", "UPDATE", "NOOP", "DELETE", "-"]), st.integers(-1, 2))
turns = st.tuples(days, st.lists(texts, min_size=1, max_size=3), st.lists(verdicts, min_size=3, max_size=3))
stories = st.lists(turns, min_size=1, max_size=7)


@dataclass
class Story:
    """A memory that hears a story; its clock moves a second a write. ``heard`` are the moments after each."""

    now: datetime = T0 + 100 * DAY
    said: list[str] = field(default_factory=list)
    dates: dict[str, Any] = field(default_factory=dict)
    verdicts: list[tuple[str, int]] = field(default_factory=list)
    heard: list[datetime] = field(default_factory=list)

    def __post_init__(self) -> None:
        model = Scripted(by_task={"extract": self._read, "reconcile": self._judged})
        self.memory = Memory.open("memory://", llm=model, embedder=ALIKE, clock=lambda: self.now)

    def _read(self, messages: Any) -> dict[str, Any]:
        names = sorted({text.split()[0] for text in self.said})
        facts = [{"subject": text.split()[0], "text": text, **self.dates} for text in self.said]
        return {"entities": [{"name": name, "type": "person"} for name in names], "facts": facts, "relations": []}

    def _judged(self, messages: Any) -> dict[str, Any]:
        items = json.loads(messages[-1].content)["inputs"]["items"]
        said = [(item["i"], *self.verdicts[place % len(self.verdicts)]) for place, item in enumerate(items)]
        return {"verdicts": [{"i": i, "action": act, "known": known} for i, act, known in said if act != "-"]}

    def tell(self, day: int, said: list[str], verdicts: list[tuple[str, int]]) -> None:
        """Write one message that was sent on a day."""
        self.now += timedelta(seconds=1)
        self.said, self.verdicts = said, verdicts
        told = self.memory.write(AGENT, f"{len(self.heard)}: {'. '.join(said)}", "Rafael", occurred_at=T0 + day * DAY)
        asyncio.run(told)
        self.heard.append(self.now)

    def rows(self) -> dict[str, Fact]:
        """Every version in the store, by id."""
        view = self.memory.store.view(AGENT)
        return {fact.id: fact for fact in (view.fact_at(place) for place in range(len(view.facts.ids)))}

    def held(self, as_of: datetime, known_at: datetime) -> list[str]:
        """Ids of what holds at a date, as it was known at another."""
        view = self.memory.store.view(AGENT)
        return [view.facts.ids[int(place)] for place in view.facts.live(as_of=as_of, known_at=known_at).nonzero()[0]]


@QUICK
@given(stories)
def test_history_only_grows(story: Any) -> None:
    """No version disappears, none changes what it says or since when; news of the past may move an end back, and then
    the version still tells the end that it was known to have.
    """
    heard = Story()
    before: dict[str, Fact] = {}
    for turn in story:
        heard.tell(*turn)
        after = heard.rows()
        assert before.keys() <= after.keys()
        for fact_id, old in before.items():
            new = after[fact_id]
            fixed = ("text", "entity_key", "valid_from", "recorded_at", "supersedes_fact_id", "source_event_id")
            assert [getattr(old, one) for one in fixed] == [getattr(new, one) for one in fixed]
            if old.valid_to is not None and (new.valid_to, new.closed_by) != (old.valid_to, old.closed_by):
                assert new.valid_to is not None
                assert new.valid_to < old.valid_to
                assert as_known(new, heard.heard[-2]) == old
        before = after


@QUICK
@given(stories)
def test_the_past_does_not_change(story: Any) -> None:
    """E8, E14: what the memory held true of a date, as it knew at a moment, is answered the same for ever after."""
    heard = Story()
    seen: dict[tuple[datetime, datetime], list[str]] = {}
    dates = [T0 + day * DAY for day in (0, 7, 20, 41)]
    for turn in story:
        heard.tell(*turn)
        seen |= {(date, heard.now): heard.held(date, heard.now) for date in dates}
    assert {(date, known): heard.held(date, known) for date, known in seen} == seen


TWINS = [(0, ["Ana likes jazz"], [("-", 0)]), (1, ["Ana plays chess", "Ana lives in Natal"], [("UPDATE", 0)])]
"""Two facts of one message that both claim to replace the same one."""


@QUICK
@example(TWINS)
@given(stories)
def test_no_fact_has_two_heirs_and_versions_do_not_overlap(story: Any) -> None:
    """A version is superseded once, by one that begins where it ends or later, of the same entity."""
    heard = Story()
    for turn in story:
        heard.tell(*turn)
    rows = heard.rows()
    heirs = Counter(fact.supersedes_fact_id for fact in rows.values() if fact.supersedes_fact_id)
    assert set(heirs.values()) <= {1}
    for fact in rows.values():
        assert fact.valid_to is None or fact.valid_from <= fact.valid_to
        assert (fact.valid_to is None) == (fact.closed_by is None)
        if fact.supersedes_fact_id:
            old = rows[fact.supersedes_fact_id]
            assert old.valid_to is not None
            assert old.valid_to <= fact.valid_from
            assert old.entity_key == fact.entity_key


@QUICK
@given(st.lists(days, min_size=2, max_size=8))
def test_late_news_never_displaces_newer(told: list[int]) -> None:
    """E15, W8: of homes told in any order, each said to replace what stands, the one of the latest day stands at the end."""
    heard = Story()
    for number, day in enumerate(told):
        heard.tell(day, [f"Ana lives in Town{number}"], [("UPDATE", 0)])
    rows = list(heard.rows().values())
    [standing] = [fact for fact in rows if fact.valid_to is None]
    assert standing.valid_from == T0 + max(told) * DAY
    newest = max(range(len(told)), key=lambda place: (told[place], place))
    assert standing.text == f"Ana lives in Town{newest}"


values = st.lists(
    st.tuples(st.integers(0, 30), st.none() | st.integers(1, 12)), min_size=2, max_size=6, unique_by=lambda one: one[0]
)
"""Homes as they are told: the day from which each holds, and for how many days where that was told."""

INTERRUPTED = [(0, None), (20, 5), (10, None), (18, 4)]
"""A home, a stay elsewhere, an older home that is newer than the first, and a stay that runs into the first stay."""
WITHIN = [(5, 3), (4, 9), (2, None), (0, None)]
"""Stays within stays, told before the homes that they interrupt."""


@settings(QUICK, max_examples=25)
@example(INTERRUPTED)
@example(WITHIN)
@example([(20, None), (10, None), (15, None), (12, None)])
@given(values)
def test_values_told_in_any_order_never_overlap(told: list[tuple[int, int | None]]) -> None:
    """E8, E14, E15, W8: of one attribute, each day has one value at most, whatever the order of arrival: the one of the
    latest beginning whose told interval holds the day. What was known before of any day is still known as of then.
    """
    heard = Story()
    dates = [T0.replace(hour=1) + day * DAY for day in range(45)]
    seen: dict[tuple[datetime, datetime], list[str]] = {}
    for number, (start, length) in enumerate(told):
        heard.dates = {"valid_from": _iso(start)} | ({} if length is None else {"valid_to": _iso(start + length - 1)})
        heard.tell(100 + number, [f"Ana {'lives' if length is None else 'lived'} in Town{number}"], [("UPDATE", 0)])
        seen |= {(date, heard.now): heard.held(date, heard.now) for date in dates[::3]}
    rows = heard.rows()
    for day, date in enumerate(dates):
        right = [
            (start, number)
            for number, (start, length) in enumerate(told)
            if start <= day and (length is None or day < start + length)
        ]
        held = [rows[one].text.split("Town")[1] for one in heard.held(date, heard.now)]
        assert held == [str(number) for _, number in sorted(right)[-1:]], (day, told)
    assert {(date, known): heard.held(date, known) for date, known in seen} == seen
    heirs = Counter(fact.supersedes_fact_id for fact in rows.values() if fact.supersedes_fact_id)
    assert set(heirs.values()) <= {1}


def _iso(day: int) -> str:
    return (T0 + day * DAY).date().isoformat()


@QUICK
@given(stories)
def test_silence_is_add(story: Any) -> None:
    """Without verdicts every statement stands: nothing ends, and only the same words confirm what they say again."""
    heard = Story()
    for day, said, _ in story:
        heard.tell(day, said, [("-", 0)])
    rows = heard.rows().values()
    assert all(fact.valid_to is None and fact.supersedes_fact_id is None for fact in rows)
    assert sorted(fact.text for fact in rows) == sorted({text for _, said, _ in story for text in said})


# ------------------------------------------------------------ a small pure model (A9)

decisions = st.tuples(texts, st.sampled_from(["ADD", "UPDATE", "NOOP", "DELETE"]), st.integers(0, 9))
units = st.lists(st.tuples(days, st.lists(decisions, min_size=1, max_size=4)), min_size=1, max_size=6)


@dataclass(frozen=True)
class Kept:
    """A version as the model knows it: what it says, from when to when, whose heir it is, how often it was confirmed."""

    text: str
    since: datetime
    until: datetime | None = None
    heir_of: str | None = None
    times: int = 0


def modelled(held: dict[str, Kept], day: datetime, unit: int, said: list[tuple[str, Decision]]) -> dict[str, Kept]:
    """The store after a unit: ADD opens a row, UPDATE ends one and opens its heir, NOOP counts, DELETE ends.

    What is decided about a row that is not there adds the fact; the same words are added once a message, and not
    beside what the message confirms.
    """
    out = dict(held)
    fresh: set[str] = set()
    for place, (text, decision) in enumerate(said):
        target = out.get(decision.target_id or "")
        name = f"{unit}:{place}"
        if target is not None and decision.action == "NOOP":
            out[decision.target_id or ""] = replace(target, times=target.times + 1)
            fresh.add(decision.target_id or "")
        elif target is not None and decision.action == "DELETE":
            out[decision.target_id or ""] = replace(target, until=max(day, target.since))
        elif target is not None and decision.action == "UPDATE":
            out[decision.target_id or ""] = replace(target, until=max(day, target.since))
            out[name] = Kept(text, day, heir_of=decision.target_id)
            fresh.add(name)
        elif decision.action != "ADD" or not any(normal(out[one].text) == normal(text) for one in fresh):
            out[name] = Kept(text, day)
            fresh.add(name)
    return out


@QUICK
@given(units)
def test_a9_any_list_of_decisions_leaves_what_a_small_model_says(story: Any) -> None:
    """A9: whatever was decided about random facts (known targets, unknown ones, the same one twice), the store is the
    model's: nothing undone, nothing done twice, nothing else touched.
    """
    memory = Memory.open("memory://", llm="offline/rules", embedder=ALIKE, clock=lambda: T0 + 99 * DAY)
    values = settled(MemoryConfig(), (upsert(),))[1]
    held: dict[str, Kept] = {}
    ids: dict[str, str] = {}
    for number, (day, drawn) in enumerate(story):
        at = T0 + day * DAY
        open_ones = [name for name, kept in held.items() if kept.until is None]
        said = []
        for text, action, pick in drawn:
            target = ([*open_ones, None] if action != "ADD" else [None])[
                pick % (len(open_ones) + 1 if action != "ADD" else 1)
            ]
            if target is not None and held[target].text.split()[0] != text.split()[0]:
                target = None
            target_id = target or ("unknown" if action != "ADD" else None)
            said.append((text, Decision(action=action, target_id=target_id, why="verdict")))
        kept = one_heir([decision for _, decision in said])
        said = [(text, decision) for (text, _), decision in zip(said, kept, strict=True) if decision is not None]
        stored = tuple(replace(d, target_id=ids.get(d.target_id or "", d.target_id)) for _, d in said)
        before = set(_rows(memory))
        _commit(memory, values, at, number, [text for text, _ in said], stored)
        after = modelled(held, at, number, said)
        fresh = [name for name in after if name not in held]
        added = [one for one in _rows(memory) if one not in before]
        assert len(fresh) == len(added)
        ids |= dict(zip(fresh, sorted(added, key=lambda one: _place(memory, one)), strict=True))
        held = after
        rows = _rows(memory)
        assert {ids[name]: kept.text for name, kept in held.items()} == {one: row.text for one, row in rows.items()}
        for name, one in held.items():
            row = rows[ids[name]]
            assert (row.valid_from, row.valid_to, row.reinforcement_count) == (one.since, one.until, one.times)
            assert row.supersedes_fact_id == (ids[one.heir_of] if one.heir_of else None)
    assert memory.store.verify() == []
    memory.close()


def _rows(memory: Memory) -> dict[str, Fact]:
    view = memory.store.view(AGENT)
    return {fact.id: fact for fact in (view.fact_at(place) for place in range(len(view.facts.ids)))}


def _place(memory: Memory, fact_id: str) -> int:
    return list(_rows(memory)).index(fact_id)


def _commit(
    memory: Memory, values: Any, at: datetime, number: int, said: list[str], decided: tuple[Decision, ...]
) -> None:
    turn = Turn(agent_id=AGENT, text=f"{number}", speaker="Rafael", occurred_at=at, event_id=f"e{number}")
    facts = tuple(
        NewFact(subject=text.split()[0], text=text, confidence=0.9, category="unknown", importance=0.5) for text in said
    )
    people = tuple(Resolved(name=who, type="person", key=f"person:{who.lower()}", how="new") for who in WHO)
    unit = Reconciliation(turn=turn, said=turn.text, facts=facts, resolved=people, decisions=decided)
    lab = memory.lab(AGENT, at, Span("law"))
    changes = asyncio.run(upsert().run(unit, Run(lab, values, lab.log)))
    memory.commit(changes, unit_id=f"write:e{number}")
