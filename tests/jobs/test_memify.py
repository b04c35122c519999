"""Memify: what is distilled, merged, marked and unmarked, and what no answer of a model can do (J5, J6, A11, A12, A19, J11)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from at_rest import AGENT, T0, Bench
from hypothesis import given
from hypothesis import settings as tested
from hypothesis import strategies as st
from knowing import everything, fact, put, scripted, stored

from arandu_lab.config import settings
from arandu_lab.errors import BackendError
from arandu_lab.jobs import memify
from arandu_lab.jobs.distilling import ahead
from arandu_lab.jobs.running import run_job
from arandu_lab.llm.open import open_minds
from arandu_lab.llm.scripted import Scripted, fail, read_block
from arandu_lab.records import MIRROR, Fact, Link, Observation, Relationship

Make = Callable[..., Bench]
JOB = memify.job()
MEETUPS = tuple(fact(f"m{n}", f"Ana went to a Python meetup in {month}", T0 + timedelta(days=30 * n), category="specific_event")
                for n, month in enumerate(("March", "April", "May")))  # fmt: skip
GOES = {"facts": [{"text": "Ana regularly goes to Python meetups", "premises": [0, 1, 2], "confidence": 0.9}]}


def run(bench: Bench, *, dry_run: bool = False, **overrides: Any) -> Any:
    """Memify over the memory, at its clock."""
    values = settings(bench.memory.config, (JOB,), overrides or None)[1]
    work = run_job(bench.memory, "run_memify", JOB, AGENT, at=bench.now, values=values, dry_run=dry_run)
    return asyncio.run(work)


# ------------------------------------------------------------ distilling


@pytest.mark.parametrize(
    ("turns", "wanted", "question"),
    [
        (
            ("I went to a Python meetup today.", "Yesterday I went to the Python meetup."),
            "Ana regularly goes to Python meetups",
            "Does Ana regularly go to meetups?",
        ),
        (
            ("Fui ao clube de xadrez hoje.", "Fui ao clube de xadrez ontem."),
            "Ana vai regularmente ao clube de xadrez",
            "A Ana vai regularmente ao clube de xadrez?",
        ),
    ],
)
def test_episodes_become_knowledge(make: Make, turns: tuple[str, str], wanted: str, question: str) -> None:
    """J5, J2: the same act on three dates, told in English or Portuguese, gives one general fact with its premises, which a
    question finds; a dry run said so before; a second run asks and writes nothing (A11)."""
    bench = make()
    for text in (turns[0], turns[0], turns[1]):
        bench.tell(("Ana", text))
        bench.wait(days=7)
    assert wanted not in bench.ask(question).context
    dry, done = run(bench, dry_run=True), run(bench)
    assert (dry.changed, dry.counts) == (done.changed, done.counts)
    (new,) = (one.after for one in done.changed if one.what == "new" and isinstance(one.after, Fact))
    episodes = [one for one in everything(bench).values() if one.source_context != "distilled"]
    assert (new.text, done.facts_distilled) == (wanted, 1)
    assert set(new.premise_ids) == {one.id for one in episodes}
    newest = max(episodes, key=lambda one: one.valid_from)
    assert (new.source_event_id, new.valid_from, new.speaker) == (newest.source_event_id, newest.valid_from, "Ana")
    assert (new.source_context, new.category, new.importance) == ("distilled", "stable_preference", 0.75)
    assert new.confidence <= 0.80
    assert new.vector is not None
    assert new.entity_key in bench.memory.store.view(AGENT).keys_of(new.id)
    assert wanted in bench.ask(question).context
    again = run(bench)
    assert (again.changed, again.usage.calls) == ((), 0)


def test_what_a_model_cannot_make_up(make: Make) -> None:
    """J5, A12: unknown and too few premises, one date alone, a number nobody said, no words: nothing of it is stored, and
    each is told; what is known gains nothing but premises, and what somebody said by himself is not said again."""
    answers = {
        "facts": [
            {"text": "Ana goes to meetups", "premises": [0, 99], "confidence": 0.9},
            {"text": "Ana often codes", "premises": [-1, 7], "confidence": 0.9},
            {"text": "Ana likes Python", "premises": [], "confidence": 0.9},
            {"text": "Ana went to 17 meetups", "premises": [0, 1], "confidence": 0.9},
            {"text": "?!", "premises": [0, 1], "confidence": 0.9},
            {"text": "Ana went to a Python meetup in March", "premises": [0, 1], "confidence": 0.9},
        ]
    }
    bench = make(scripted(distil=answers))
    put(bench, *MEETUPS)
    bench.wait(days=100)
    before = bench.memory.digest(AGENT)
    dry = run(bench, dry_run=True)
    assert not [one for one in dry.changed if isinstance(one.after, Fact)]
    assert len(dry.left) == len(answers["facts"])
    assert bench.memory.digest(AGENT) == before
    assert "no premise says 17" in {one.why for one in dry.left}


def test_confidence_is_that_of_two_premises(make: Make) -> None:
    """A distilled fact is no surer than the answer, than .80, and than its second surest premise."""
    sure = {"facts": [{**GOES["facts"][0], "confidence": 1.0}]}
    for confidences, wanted in (((0.9, 0.9, 0.3), 0.80), ((0.9, 0.6, 0.3), 0.6)):
        bench = make(scripted(distil=sure))
        put(bench, *(_sure(one, value) for one, value in zip(MEETUPS, confidences, strict=True)))
        bench.wait(days=100)
        run(bench)
        (new,) = (one for one in everything(bench).values() if one.source_context == "distilled")
        assert new.confidence == wanted


def _sure(one: Fact, confidence: float) -> Fact:
    return replace(one, confidence=confidence)


def test_more_evidence_and_taking_back(make: Make) -> None:
    """The same conclusion from one more episode confirms the fact; once somebody took it back it does not return from old
    episodes, and does from new ones."""
    bench = make(scripted(distil=lambda messages: _about_all(messages)))
    put(bench, *MEETUPS)
    bench.wait(days=100)
    run(bench)
    (new,) = (one for one in everything(bench).values() if one.source_context == "distilled")
    put(bench, fact("m4", "Ana went to a Python meetup in June", bench.now, category="specific_event"))
    run(bench)
    heard = stored(bench, new.id)
    assert (heard.premise_ids, heard.reinforcement_count) == ((*new.premise_ids, "m4"), 1)
    bench.wait(days=1)
    put(bench, replace(heard, valid_to=bench.now, invalidated_at=bench.now, closed_by="delete"))
    put(bench, fact("m5", "Ana went to a Python meetup by bus", T0, category="specific_event"))
    told = run(bench)
    assert "it was taken back" in {one.why for one in told.left}
    bench.wait(days=1)
    put(bench, fact("m6", "Ana went to a Python meetup in July", bench.now, category="specific_event"))
    assert run(bench).facts_distilled == 1


def _about_all(messages: Any) -> dict[str, Any]:
    shown = read_block(messages)[1]["facts"]
    return {"facts": [{**GOES["facts"][0], "premises": [one["i"] for one in shown]}]}


def test_an_edge_that_is_borne_out(make: Make) -> None:
    """An open edge that rests on a premise of a new fact is strengthened, once, and rests on what it rested on."""
    bench = make(scripted(distil=GOES))
    edge = Relationship(
        id="r", agent_id=AGENT, source_key="person:ana", target_key="person:bia", rel_type="member_of", strength=0.5,
        evidence_fact_ids=("m1",), valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    put(bench, *MEETUPS, more=(edge,))
    bench.wait(days=100)
    assert run(bench).edges_reinforced == 1
    (after,) = bench.memory.store.view(AGENT).edges()
    assert (after.strength, after.evidence_fact_ids) == (pytest.approx(0.6), ("m1",))
    assert run(bench).changed == ()


# ------------------------------------------------------------ vitality


def test_stale_is_hidden_and_comes_back(make: Make) -> None:
    """J5, J6, J2: what sinks below the threshold is marked and answers no question about now, why_not says so, questions
    about the past see it; heard again, it is unmarked."""
    bench = make(turns=[("Ana", "I collect old stamps.")])
    (first,) = everything(bench).values()
    bench.wait(days=600)
    question = "What does Ana collect?"
    assert first.text in bench.ask(question).context
    bench.memory.retrieved.pending.clear()
    done = run(bench)
    assert (done.facts_marked_stale, stored(bench, first.id).stale_why) == (1, "vitality")
    assert bench.memory.stale(AGENT)["text"].to_list() == [first.text]
    assert first.text not in [one.fact_text for one in bench.ask(question).facts]
    said = bench.do(bench.memory.why_not(AGENT, question, first.id))
    assert "stale" in {check.reason for check in said.checks if not check.passed}
    then = bench.ask(question, as_of=T0 + timedelta(days=30))
    assert first.text in [one.fact_text for one in then.facts]
    bench.tell(("Ana", "I collect old stamps."))
    assert stored(bench, first.id).stale_since is None
    assert first.text in bench.ask(question).context
    assert run(bench).facts_marked_stale == 0


def test_vitality_returns_by_itself(make: Make) -> None:
    """J5: a mark goes when the numbers rise to the threshold again, here because the threshold falls."""
    bench = make(scripted())
    put(bench, fact("a", "Ana collects stamps"))
    bench.wait(days=600)
    assert run(bench).facts_marked_stale == 1
    assert run(bench).changed == ()
    back = run(bench, vitality_stale_threshold=0.1)
    assert (back.facts_unmarked, stored(bench, "a").stale_since) == (1, None)


def test_what_is_never_marked(make: Make) -> None:
    """Importance .65 and above, statements about the past and plans ahead are kept; the same facts otherwise sink."""
    bench = make(scripted())
    later = T0 + timedelta(days=2000)
    told_as_past = {"valid_to": T0 - timedelta(days=10), "closed_by": "stated"}
    put(
        bench,
        fact("kept", "Ana has a daughter", importance=0.65),
        fact("past", "Ana lived in Natal", T0 - timedelta(days=900), last_confirmed_at=T0, **told_as_past),
        fact("plan", "Ana will move to Lisbon", event_time=f"{later:%Y-%m}"),
        fact("sinks", "Ana will eat soup", event_time="2025-03-04"),
        fact("sinks too", "Ana has a red bike", importance=0.64),
    )
    bench.wait(days=900)
    run(bench)
    assert set(bench.memory.stale(AGENT)["id"]) == {"sinks", "sinks too"}


@pytest.mark.parametrize(
    ("when", "wanted"), [("2025", True), ("2024-12-31", False), ("2025-06", True), ("2025-06-15", False),
                         ("2025-06-16", True), ("2025-01-01/2025-07-01", True), (None, False), ("", False)],
)  # fmt: skip
def test_what_lies_ahead(when: str | None, wanted: bool) -> None:
    """A date is ahead from the day after; a month or a year as long as it lasts; of an interval its end counts."""
    assert ahead(fact("f", "Ana will move", event_time=when), "2025-06-15") is wanted


# ------------------------------------------------------------ merging

TWICE = (
    fact("one", "Ana deploys the app with Docker"),
    fact("two", "Ana deploys the app with Docker, always", T0 + timedelta(days=3)),
)


def test_said_twice_becomes_one(make: Make) -> None:
    """J5: of two near-identical procedures the later is closed as a duplicate and the earlier heard once more; links, edges
    and what rested on the later are the earlier's; nothing more happens in a second run."""
    bench = make(scripted())
    edge = Relationship(
        id="r", agent_id=AGENT, source_key="person:ana", target_key="tool:docker", rel_type="uses", strength=0.5,
        evidence_fact_ids=("two",), valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    link = Link(fact_id="two", agent_id=AGENT, entity_key="tool:docker", primary=False, recorded_at=T0)
    resting = fact("rest", "Ana pays for a registry", premise_ids=("two",))
    put(bench, *TWICE, resting, more=(edge, link))
    bench.wait(days=10)
    done = run(bench, semantic_dedup_threshold=0.5)
    assert done.merges_executed == 1
    later, earlier, rest = stored(bench, "two"), stored(bench, "one"), stored(bench, "rest")
    assert (later.closed_by, later.valid_to) == ("duplicate", bench.now)
    assert (earlier.reinforcement_count, earlier.valid_to, earlier.last_confirmed_at) == (1, None, later.valid_from)
    assert (rest.premise_ids, rest.stale_since) == (("one",), None)
    view = bench.memory.store.view(AGENT)
    (after,) = view.edges()
    assert (after.evidence_fact_ids, after.valid_to) == (("two", "one"), None)
    assert "tool:docker" in view.keys_of("one")
    assert run(bench, semantic_dedup_threshold=0.5).changed == ()


def test_sides_of_a_contradiction_stay_apart(make: Make) -> None:
    """A19: what is evidence of a standing contradiction is not merged; once that is withdrawn, it is."""
    bench = make(scripted())
    conflict = Observation(
        id="o",
        agent_id=AGENT,
        kind="contradiction",
        text="?",
        confidence=0.9,
        evidence_ids=("two", "x"),
        recorded_at=T0,
    )
    put(bench, *TWICE, more=(conflict,))
    bench.wait(days=10)
    assert run(bench, semantic_dedup_threshold=0.5).merges_executed == 0
    put(bench, more=(replace(conflict, invalidated_at=T0),))
    assert run(bench, semantic_dedup_threshold=0.5).merges_executed == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (fact("a", "Ana went for a run", category="specific_event"),
         fact("b", "Ana went for a run", T0 + timedelta(days=1), category="specific_event")),
        (fact("a", "Ana runs in the park"), fact("b", "Ana does not run in the park")),
        (fact("a", "Ana runs 5 km"), fact("b", "Ana runs 6 km")),
        (fact("a", "Ana corre no parque"), fact("b", "Ana não corre no parque")),
        (fact("a", "Ana lives with Bia", source_context=MIRROR), fact("b", "Ana lives with Bia")),
        (fact("a", "Ana runs", granularity="year"), fact("b", "Ana runs", T0 + timedelta(days=400), granularity="year")),
        (fact("a", "Bia runs", who="Bia"), fact("b", "Ana runs")),
    ],
)  # fmt: skip
def test_what_is_not_the_same(make: Make, one: Fact, other: Fact) -> None:
    """Episodes of other days, denials, other numbers, other dates, mirrors of edges, other subjects are not merged, however
    near their vectors."""
    bench = make(scripted())
    put(bench, one, other)
    bench.wait(days=500)
    assert run(bench, semantic_dedup_threshold=0.0).merges_executed == 0


def test_a_told_fact_stays_before_a_distilled_one(make: Make) -> None:
    """Of two that say the same, what somebody said stays, also where it came later."""
    bench = make(scripted())
    put(
        bench,
        fact("d", "Ana goes to meetups", source_context="distilled", premise_ids=("m0", "m1")),
        *MEETUPS,
        fact("t", "Ana goes to meetups", T0 + timedelta(days=2)),
    )
    bench.wait(days=70)
    run(bench)
    assert (stored(bench, "d").closed_by, stored(bench, "t").valid_to) == ("duplicate", None)
    assert stored(bench, "t").premise_ids == ()


def test_too_much_repetition_is_told_and_left(make: Make) -> None:
    """J11: where more than a fifth of what holds would be closed, nothing is merged and the job says why."""
    bench = make(scripted())
    put(bench, *(fact(f"f{n}", "Ana likes tea", T0 + timedelta(days=n)) for n in range(30)))
    bench.wait(days=40)
    done = run(bench)
    assert done.merges_executed == 0
    assert "looks like a fault" in done.left[0].why
    assert run(bench, most_merged=1.0).merges_executed == 29


# ------------------------------------------------------------ failures


@pytest.mark.parametrize(
    "broken", [{"distil": fail("timeout")}, {"premises": fail("unavailable")}, {"distil": "no JSON"}]
)
def test_a_failed_question_changes_nothing(make: Make, broken: dict[str, Any]) -> None:
    """A12, J4: with its only question failed or unreadable the job says failed; the memory is the same to the digest."""
    bench = make(scripted(**broken))
    put(bench, *MEETUPS)
    bench.wait(days=500)
    before = bench.memory.digest(AGENT)
    done = run(bench)
    assert (done.success, bench.memory.digest(AGENT)) == (False, before)
    assert done.error


def test_one_failed_question_among_many(make: Make) -> None:
    """A question that fails leaves its entity to the next run; the others are done."""
    bench = make(Scripted(by_task={"premises": {"rests": []}, "distil": [fail("timeout"), GOES, GOES]}))
    twins = tuple(fact(f"b{n}", f"Bia went to a fair in {month}", T0 + timedelta(days=30 * n), "Bia", category="specific_event")
                  for n, month in enumerate(("March", "April", "May")))  # fmt: skip
    put(bench, *MEETUPS, *twins)
    bench.wait(days=100)
    done = run(bench)
    assert (done.success, done.facts_distilled, len(done.left)) == (True, 1, 1)
    again = run(bench)
    assert (again.usage.calls, again.facts_distilled) == (1, 1)


def test_a_dead_embedder_loses_nothing(make: Make) -> None:
    """What was distilled without a vector is stored, said to be degraded, and embedded by repair."""
    bench = make(scripted(distil=GOES))
    put(bench, *MEETUPS)
    bench.wait(days=100)
    whole = bench.memory.embed

    class Dead:
        name, dim, scale = whole.name, whole.dim, staticmethod(whole.scale)

        async def __call__(self, texts: Any) -> Any:
            raise BackendError("dead", kind="unavailable", backend="test")

    bench.memory.embed = Dead()  # type: ignore[assignment]
    done = run(bench)
    assert (done.facts_distilled, done.degraded) == (1, ("embed_distilled",))
    bench.memory.embed = whole
    assert bench.do(bench.memory.repair(AGENT)) >= 1
    (new,) = (one for one in everything(bench).values() if one.source_context == "distilled")
    assert new.vector is not None


WORDS = (
    "Ana went to a fair",
    "Ana foi à feira",
    "Ana likes tea",
    "Ana não gosta de chá",
    "Ana likes tea a lot",
    "Ana works at Acme",
)
KINDS = st.sampled_from(("specific_event", "routine_activity", "stable_preference"))
FACTS = st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 400), KINDS, st.booleans()), min_size=1, max_size=10)
ITEMS = st.lists(st.builds(
    lambda text, on, sure: {"text": text, "premises": on, "confidence": sure},
    st.sampled_from((*WORDS, "Ana forgets everything", "")), st.lists(st.integers(-2, 12), max_size=4), st.floats(0, 1),
), max_size=3)  # fmt: skip
RESTS = st.lists(
    st.builds(lambda i, on: {"i": i, "on": on}, st.integers(-2, 12), st.lists(st.integers(-2, 12), max_size=3)),
    max_size=4,
)


@tested(max_examples=10)
@given(FACTS, ITEMS, RESTS, st.integers(1, 900))
def test_nothing_is_lost(told: Any, items: Any, rests: Any, days: int) -> None:
    """J11, A11: whatever a model answers, every fact is there afterwards with its words (live or closed, with a reason), no
    more came than were distilled, and the second run asks and writes nothing."""
    bench = Bench()
    try:
        bench.memory.llm = open_minds(scripted(distil={"facts": items}, premises={"rests": rests}))
        rows = [fact(f"f{n}", text, T0 + timedelta(days=day), category=kind,
                     **({"valid_to": T0 + timedelta(days=day + 5), "closed_by": "update"} if closed else {}))
                for n, (text, day, kind, closed) in enumerate(told)]  # fmt: skip
        put(bench, *rows)
        bench.wait(days=days)
        before = everything(bench)
        done = run(bench, semantic_dedup_threshold=0.3, most_merged=1.0)
        assert done.success, done.error
        after = everything(bench)
        assert set(before) <= set(after)
        assert len(after) - len(before) == done.facts_distilled
        assert all(after[i].text == one.text and after[i].valid_from == one.valid_from for i, one in before.items())
        ended = [one for i, one in after.items() if one.valid_to is not None and before[i].valid_to is None]
        assert all(one.closed_by == "duplicate" for one in ended)
        assert len(ended) == done.merges_executed
        again = run(bench, semantic_dedup_threshold=0.3, most_merged=1.0)
        assert (again.changed, again.usage.calls) == ((), 0)
        assert bench.memory.store.verify() == []
    finally:
        bench.memory.close()
