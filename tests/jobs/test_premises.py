"""What rests on what: a boss on the job, a neighbour on the home; and what is in doubt, or no longer, when a premise ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from at_rest import AGENT, T0, Bench
from hypothesis import given
from hypothesis import strategies as st
from knowing import everything, fact, put, scripted, stored

from arandu_lab.config import settings
from arandu_lab.jobs import memify
from arandu_lab.jobs.running import run_job
from arandu_lab.pure.reviewing import over, reviewed
from arandu_lab.records import Fact

Make = Callable[..., Bench]
JOB = memify.job()
RESTS = {"rests": [{"i": 1, "on": [0]}]}


def run(bench: Bench, **overrides: Any) -> Any:
    values = settings(bench.memory.config, (JOB,), overrides or None)[1]
    return asyncio.run(run_job(bench.memory, "run_memify", JOB, AGENT, at=bench.now, values=values, dry_run=False))


def named(bench: Bench, word: str) -> Fact:
    return next(one for one in everything(bench).values() if word in one.text and one.valid_to is None)


# ------------------------------------------------------------ the rule of the document


@pytest.mark.parametrize(
    ("told", "end", "rests", "question"),
    [
        ("I work at Orion Tech. My boss is Carla.", "I left Orion Tech.", "Carla", "Who is Ana's boss?"),
        ("Trabalho na Orion Tech. Minha chefe é a Carla.", "Saí da Orion Tech.", "Carla", "Quem é a chefe da Ana?"),
    ],
)
def test_a_boss_goes_with_the_job(make: Make, told: str, end: str, rests: str, question: str) -> None:
    """Memify records that the boss rests on the job; the message that ends the job marks the boss, and a question about now
    no longer finds her; told again, she is."""
    bench = make(turns=[("Ana", told)])
    run(bench)
    boss = named(bench, rests)
    assert [stored(bench, i).text for i in boss.premise_ids] == [named(bench, "Orion").text]
    assert run(bench).changed == ()
    assert rests in bench.ask(question).context
    bench.wait(days=30)
    bench.tell(("Ana", end))
    assert (stored(bench, boss.id).stale_why, stored(bench, boss.id).valid_to) == ("premise", None)
    assert rests not in " ".join(one.fact_text for one in bench.ask(question).facts)
    said = bench.do(bench.memory.why_not(AGENT, question, boss.id))
    assert "stale" in {check.reason for check in said.checks if not check.passed}
    bench.wait(days=1)
    run(bench)
    assert stored(bench, boss.id).stale_why == "premise"
    assert run(bench).changed == ()
    put(bench, replace(stored(bench, boss.id), stale_since=None, stale_why=None, reinforcement_count=1,
                       last_confirmed_at=bench.now))  # fmt: skip
    run(bench)
    assert stored(bench, boss.id).stale_since is None


def test_an_end_that_was_told_and_has_passed(make: Make) -> None:
    """A job told to last until May marks nothing in May and the boss in June, and what rests on the boss, by memify alone."""
    june = T0 + timedelta(days=90)
    bench = make(scripted())
    put(
        bench,
        fact("job", "Ana works at Vertix until May", valid_to=june, closed_by="stated"),
        fact("boss", "Ana reports to Rui", premise_ids=("job",)),
        fact("talk", "Ana has lunch with her boss Rui", premise_ids=("boss",)),
        fact("tea", "Ana likes tea"),
    )
    bench.wait(days=80)
    assert run(bench).facts_marked_stale == 0
    bench.wait(days=10)
    assert run(bench).facts_marked_stale == 2
    assert {stored(bench, i).stale_why for i in ("boss", "talk")} == {"premise"}
    assert stored(bench, "tea").stale_since is None
    assert run(bench).changed == ()


def test_a_distilled_fact_stands_on_two(make: Make) -> None:
    """Of three premises one is taken back: marked at once, unmarked by the next review, and the premise is gone from it;
    of the two left one more: marked, and it stays so."""
    bench = make(scripted())
    episodes = [fact(f"e{n}", f"Ana went to fair number {n}", T0 + timedelta(days=n)) for n in range(3)]
    goes = fact(
        "d", "Ana goes to fairs", T0 + timedelta(days=3), source_context="distilled", premise_ids=("e0", "e1", "e2")
    )
    put(bench, *episodes, goes)
    bench.wait(days=10)
    bench.do(bench.memory.correct(AGENT, "e0", "Ana went to a circus"))
    assert stored(bench, "d").stale_why == "premise"
    done = run(bench)
    assert (stored(bench, "d").stale_since, stored(bench, "d").premise_ids) == (None, ("e1", "e2"))
    assert done.facts_unmarked == 1
    bench.do(bench.memory.correct(AGENT, "e1", "Ana went to the sea"))
    for _ in range(2):
        run(bench)
        assert stored(bench, "d").stale_why == "premise"


def test_an_episode_that_is_past_bears_what_was_made_of_it() -> None:
    """Told with an end that has passed, an episode still bears a distilled fact; a job told so no longer bears a boss."""
    past = fact("p", "Ana went to a fair", valid_to=T0 + timedelta(days=1), closed_by="stated")
    at = T0 + timedelta(days=9)
    assert not over(fact("d", "Ana goes to fairs", source_context="distilled"), past, at)
    assert over(fact("b", "Ana reports to Rui"), past, at)
    assert not over(fact("b", "Ana reports to Rui"), past, T0)
    assert over(fact("b", "Ana reports to Rui"), None, at)


def test_a_premise_that_goes_on_as_another_version(make: Make) -> None:
    """Where the premise ended and goes on with the same words, what rests on it rests on the version that goes on."""
    bench = make(scripted())
    ended = {"valid_to": T0 + timedelta(days=5), "invalidated_at": T0, "closed_by": "late"}
    put(
        bench,
        fact("job", "Ana works at Vertix", **ended),
        fact("job2", "Ana works at Vertix", T0 + timedelta(days=8)),
        fact("boss", "Ana reports to Rui", premise_ids=("job",), stale_since=T0, stale_why="premise"),
    )
    bench.wait(days=10)
    run(bench)
    assert (stored(bench, "boss").premise_ids, stored(bench, "boss").stale_since) == (("job2",), None)


# ------------------------------------------------------------ answers


def test_hostile_premises(make: Make) -> None:
    """A12: unknown places, a fact on itself and circles are left out and told; what is left is acyclic, and nothing ends."""
    rests = [{"i": 0, "on": [0, 9, -1]}, {"i": 1, "on": [0]}, {"i": 0, "on": [1]}, {"i": 7, "on": [0]}, {"i": 2, "on": [1]},
             {"i": 0, "on": [2]}]  # fmt: skip
    bench = make(scripted(premises={"rests": rests}))
    put(
        bench,
        fact("a", "Ana works at Vertix"),
        fact("b", "Ana reports to Rui"),
        fact("c", "Ana has a desk by the door"),
    )
    bench.wait(days=1)
    done = run(bench)
    assert {i: one.premise_ids for i, one in everything(bench).items()} == {"a": (), "b": ("a",), "c": ("b",)}
    assert len(done.left) == 6
    assert all(one.valid_to is None and one.stale_since is None for one in everything(bench).values())


def test_asked_again_only_with_news(make: Make) -> None:
    """An entity is asked about again when its facts have changed, and only that one; premises that hold stay beside new ones."""
    model = scripted(premises=[RESTS, {"rests": []}, {"rests": [{"i": 1, "on": [2]}]}])
    bench = make(model)
    put(bench, fact("a", "Ana works at Vertix"), fact("b", "Ana reports to Rui"))
    put(bench, fact("x", "Bia works at Acme", who="Bia"), fact("y", "Bia reports to Leo", who="Bia"))
    bench.wait(days=1)
    run(bench)
    assert len(model.asked("premises")) == 2
    put(bench, fact("c", "Ana is based at the Recife office of Vertix"))
    run(bench)
    assert [call.inputs["name"] for call in model.asked("premises")] == ["Ana", "Bia", "Ana"]
    assert stored(bench, "b").premise_ids == ("a", "c")


# ------------------------------------------------------------ laws of a review

IDS = [f"f{n}" for n in range(7)]


@st.composite
def webs(draw: st.DrawFn) -> dict[str, Fact]:
    """Facts that rest on each other in any way, circles and unknown ids too; some ended, some marked, some heard again."""
    made = {}
    for name in IDS:
        end = draw(st.sampled_from([None, None, "update", "stated", "delete"]))
        marked = draw(st.sampled_from([None, None, "premise", "vitality"]))
        made[name] = fact(
            name,
            f"Ana says {name}",
            premise_ids=tuple(draw(st.lists(st.sampled_from([*IDS, "unknown"]), max_size=3, unique=True))),
            source_context=draw(st.sampled_from([None, "distilled"])),
            valid_to=None if end is None else T0 + timedelta(days=draw(st.sampled_from([1, 20]))),
            closed_by=end,
            stale_since=None if marked is None else T0 + timedelta(days=2),
            stale_why=marked,
            reinforcement_count=draw(st.integers(0, 1)),
            last_confirmed_at=T0 + timedelta(days=draw(st.sampled_from([0, 3]))),
        )
    return made


@given(webs(), st.randoms(use_true_random=False))
def test_a_review_is_settled(web: dict[str, Fact], rng: Any) -> None:
    """A second review of what the first left changes nothing, the order of facts does not matter, nothing but marks and
    premises is touched, and whoever is in doubt has a reason: a premise that is over or in doubt."""
    at = T0 + timedelta(days=10)
    held = [one for one in web.values() if one.valid_to is None or (one.closed_by == "stated" and one.valid_to > at)]
    changed = reviewed(held, web.get, at, held)
    mixed = list(held)
    rng.shuffle(mixed)
    assert {one.id: one for one in reviewed(mixed, web.get, at, mixed)} == {one.id: one for one in changed}
    after = {**web, **{one.id: one for one in changed}}
    now = [after[one.id] for one in held]
    assert reviewed(now, after.get, at, now) == ()
    for one in changed:
        plain = {"premise_ids": (), "stale_since": None, "stale_why": None}
        assert replace(one, **plain) == replace(web[one.id], **plain)
        assert set(one.premise_ids) <= set(web[one.id].premise_ids)
        if one.stale_why == "premise" and web[one.id].stale_why != "premise":
            grounds = [after.get(i) for i in one.premise_ids]
            assert any(over(one, ground, at) or (ground and ground.stale_why == "premise") for ground in grounds)
