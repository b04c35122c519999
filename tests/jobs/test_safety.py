"""Jobs and the safety of the store: forgetting, undoing, killing, carrying away, with all jobs run (A20, J4, J11, C10)."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from at_rest import AGENT, T0, Bench
from echoing import echo
from knowing import everything, fact, put, scripted, stored

from arandu_lab import ConfigError, Memory
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.records import Cluster, Entity, NewEntity, Observation

WORD = "ZQX-4417"
SECRET = fact("b", f"Ana keeps {WORD} in a box", T0 + timedelta(days=1))
PLAIN = (
    fact("a", "Ana works at Vertix"),
    fact("c", "Ana went to a fair", T0 + timedelta(days=2)),
    fact("d", "Ana likes tea", T0 + timedelta(days=3)),
    fact("e", "Bia works at Vertix", who="Bia"),
    fact("f", "Bia sings in a choir", T0 + timedelta(days=3), who="Bia"),
)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Bench]:
    """A memory on disk, with a model that repeats all it is shown."""
    bench = Bench()
    bench.memory.close()
    bench.memory = Memory.open(tmp_path / "m", llm=echo(), embedder="hashing", clock=lambda: bench.now)
    yield bench
    bench.memory.close()


def cycle(bench: Bench, **more: Any) -> Any:
    done = asyncio.run(bench.memory.jobs.cycle(AGENT, **more))
    assert done.success, str(done)
    return done


def settled(bench: Bench) -> None:
    """Cycles until none changes anything; three are enough."""
    for _ in range(3):
        if not any(one.changed for one in cycle(bench).results):
            return
    raise AssertionError("the third cycle without news still changes something")


def holds(path: Path, word: str) -> list[str]:
    return [str(one) for one in path.rglob("*") if one.is_file() and word.encode() in one.read_bytes()]


def telling(bench: Bench) -> set[str]:
    """Kinds of rows that say the word."""
    return {type(row).__name__ for row in bench.memory.store.view(AGENT).rows() if WORD in repr(row)}


# ------------------------------------------------------------ forgetting


def test_forgotten_in_all_that_jobs_made(disk: Bench, tmp_path: Path) -> None:
    """J4: a word in one fact goes through every job into facts, clusters, observations, summaries and profiles; forgotten, it
    is in no table, version or file; what does not tell it is there, and no later cycle brings it back (A11: they settle)."""
    put(disk, SECRET, *PLAIN)
    disk.wait(days=6)
    settled(disk)
    assert telling(disk) >= {"Event", "Fact", "Cluster", "Observation", "Entity"}, "the control: jobs spread the word"
    disk.memory.store.flush()
    assert holds(tmp_path, WORD)
    done = disk.memory.forget(AGENT, fact_id="b")
    assert done.clean, str(done)
    for _ in range(2):
        assert telling(disk) == set()
        assert holds(tmp_path, WORD) == []
        assert {one.id for one in PLAIN} <= set(everything(disk))
        assert disk.memory.store.verify() == []
        settled(disk)
        disk.memory.rebuild()
    assert any(row.summary_text for row in disk.memory.store.view(AGENT).entities()), "what is left is summed up anew"


def _meetups(bench: Bench, *texts: str) -> str:
    """Episodes m0, m1, ... and a fact distilled from them; its id."""
    episodes = [fact(f"m{n}", text, T0 + timedelta(days=n)) for n, text in enumerate(texts)]
    ids = tuple(one.id for one in episodes)
    general = fact(
        "g", "Ana regularly goes to meetups", T0 + timedelta(days=9), source_context="distilled", premise_ids=ids
    )
    put(bench, *episodes, replace(general, source_event_id=episodes[-1].source_event_id))
    return general.id


def test_a_distilled_fact_and_its_premises(make: Callable[..., Bench]) -> None:
    """J4: with one of three premises forgotten a distilled fact stands on the others; with two it goes. Forgotten itself, it
    takes no episode and no turn along, and is not distilled again from what was said before."""
    texts = [f"Ana went to meetups in {town}" for town in ("Recife", "Olinda", "Natal")]
    answer = {"facts": [{"text": "Ana regularly goes to meetups", "premises": [0, 1, 2], "confidence": 0.8}]}
    bench = make(scripted(distil=answer))
    general = _meetups(bench, *texts)
    bench.wait(days=20)
    with bench.memory.fork() as copy:
        assert copy.forget(AGENT, fact_id="m0").removed["facts"] == 1
        left: Any = copy.store.view(AGENT).fact(general)
        assert left.premise_ids == ("m1", "m2")
        assert copy.forget(AGENT, fact_id="m1").removed["facts"] == 2
        assert copy.store.view(AGENT).fact(general) is None
    done = bench.memory.forget(AGENT, fact_id=general)
    assert (done.removed["facts"], done.removed.get("events", 0)) == (1, 1), "the turn that `put` wrote with its words"
    assert set(everything(bench)) == {"m0", "m1", "m2"}
    again = bench.run("run_memify")
    assert again.facts_distilled == 1, "the model says it again"
    assert set(everything(bench)) == {"m0", "m1", "m2"}
    assert "forgotten" in {one.why for one in again.left}


def test_a_translation_tells(make: Callable[..., Bench]) -> None:
    """J4, W19: an English summary, cluster or conclusion of a Portuguese fact shares no word with it, and goes with it."""
    bench = make(scripted())
    put(bench, fact("s", "Ana esconde a chave da casa no vaso"), fact("t", "Ana mora em Recife com a mãe"))
    view = bench.memory.store.view(AGENT)
    ana: Any = view.entity("person:ana")
    english = "She hides the key of the house in a vase"
    rows = (
        replace(ana, summary_text=english, summary_at=T0, profile_text="Ana mora em Recife", profile_at=T0),
        Cluster(id="c", agent_id=AGENT, label="Ana", summary=english, fact_ids=("s", "t"), recorded_at=T0),
        Observation(id="o", agent_id=AGENT, kind="insight", text=english, confidence=0.5, evidence_ids=("s", "t"), recorded_at=T0),
        Observation(id="p", agent_id=AGENT, kind="insight", text="Ana mora com a mãe", confidence=0.5, evidence_ids=("s", "t"),
                    recorded_at=T0),
    )  # fmt: skip
    put(bench, more=rows)
    bench.memory.forget(AGENT, fact_id="s")
    view = bench.memory.store.view(AGENT)
    left: Any = view.entity("person:ana")
    assert (left.summary_text, left.profile_text) == (None, None), "both were written with that fact at hand"
    told = [(one.id, one.text, one.evidence_ids) for one in view.observations()]
    assert (view.clusters(), told) == ((), [("p", "Ana mora em Recife com a mãe", ("t",))])


def test_a_turn_that_raised_a_doubt_states_nothing(make: Callable[..., Bench]) -> None:
    """The turn that ended the job put the boss in doubt; who forgets the boss keeps that turn."""
    bench = make(turns=[("Ana", "I work at Orion Tech. My boss is Carla.")])
    bench.run("run_memify")
    bench.tell(("Ana", "I left Orion Tech."))
    (boss,) = bench.memory.stale(AGENT)["id"].to_list()
    bench.memory.forget(AGENT, fact_id=boss)
    assert "I left Orion Tech." in bench.memory.events(AGENT)["text"].to_list()


# ------------------------------------------------------------ undoing


def test_every_unit_of_a_job_can_be_taken_back(make: Callable[..., Bench]) -> None:
    """A20: after all jobs, each unit in the ledger is undone from the last to the first, each gives the memory of before it,
    to the digest; a unit that a later one rests on is refused with that one's name."""
    bench = make(echo())
    put(bench, *PLAIN)
    bench.wait(days=6)
    digests = [bench.memory.digest(AGENT)]
    for name in bench.memory.jobs.names:
        if bench.run(name).changed:
            digests.append(bench.memory.digest(AGENT))
    bench.run("cluster_user_facts")
    digests.append(bench.memory.digest(AGENT))
    ledger = bench.memory.units(AGENT)
    assert len(ledger) == len(digests) - 1
    refused = ledger.filter(~ledger["undoable"])
    assert any(one.startswith("run_memify") for one in refused["id"]), "clusters rest on what was distilled"
    with pytest.raises(ConfigError, match="first"):
        bench.memory.undo(AGENT, refused["id"][0])
    for unit, before in zip(ledger["id"].to_list(), reversed(digests[:-1]), strict=True):
        bench.memory.undo(AGENT, unit)
        assert bench.memory.digest(AGENT) == before, unit
    assert bench.memory.store.verify() == []


def test_a_dry_cycle_changes_nothing(make: Callable[..., Bench]) -> None:
    """J9: a dry cycle says what a cycle does, job by job, and leaves the memory the same to the digest."""
    bench = make(echo())
    put(bench, *PLAIN)
    bench.wait(days=6)
    before = bench.memory.digest(AGENT)
    dry = cycle(bench, dry_run=True)
    assert bench.memory.digest(AGENT) == before
    real = cycle(bench)
    assert [(one.job, one.counts, len(one.changed)) for one in dry.results] == [
        (one.job, one.counts, len(one.changed)) for one in real.results
    ]


def test_nothing_that_was_told_is_lost(make: Callable[..., Bench]) -> None:
    """J11: over all jobs every fact and turn told is there with its words; what came is distilled, and every change is in the
    ledger."""
    bench = make(echo())
    put(bench, SECRET, *PLAIN)
    bench.wait(days=6)
    before, turns = everything(bench), bench.memory.events(AGENT)["text"].to_list()
    settled(bench)
    after = everything(bench)
    assert {i: one.text for i, one in after.items() if i in before} == {i: one.text for i, one in before.items()}
    assert all(one.source_context == "distilled" for i, one in after.items() if i not in before)
    assert bench.memory.events(AGENT)["text"].to_list() == turns
    ledger = bench.memory.units(AGENT)["id"].to_list()
    assert len(ledger) == bench.memory.store.view(AGENT).sequence - 1


# ------------------------------------------------------------ merging, splitting, carrying away


def test_merge_and_split_with_what_jobs_made(make: Callable[..., Bench]) -> None:
    """Two entities with clusters, observations, summaries and premises are made one, and taken apart again by undo, to the
    digest; a split takes along what was distilled from facts that all go; jobs settle on each."""
    bench = make(echo())
    put(bench, *PLAIN)
    bench.wait(days=6)
    settled(bench)
    before = bench.memory.digest(AGENT)
    done = bench.memory.merge(AGENT, "person:ana", "person:bia")
    view = bench.memory.store.view(AGENT)
    assert not [row for row in view.rows() if getattr(row, "entity_key", None) == "person:bia"]
    bench.memory.undo(AGENT, done.unit_id)
    assert bench.memory.digest(AGENT) == before
    bench.memory.merge(AGENT, "person:ana", "person:bia")
    settled(bench)
    clusters = [one for one in bench.memory.store.view(AGENT).clusters() if one.invalidated_at is None]
    assert len({one.entity_key for one in clusters}) == len(clusters)
    distilled = [one for one in everything(bench).values() if one.source_context == "distilled"]
    goes = next(one for one in distilled if one.text.startswith("Bia"))
    parted = bench.memory.split(
        AGENT, "person:ana", into=NewEntity(name="Bia Lima", type="person"), facts=list(goes.premise_ids)
    )
    assert stored(bench, goes.id).entity_key == parted.key
    settled(bench)
    assert bench.memory.store.verify() == []


def test_a_copy_under_another_name(make: Callable[..., Bench], tmp_path: Path) -> None:
    """Exported and taken in under another name, every premise, member and piece of evidence is a row of the copy, marks are
    kept, the jobs settle there, and named back it is the same to the digest."""
    bench = make(echo())
    over = (
        fact("h", "Ana works at Acme", valid_to=T0, invalidated_at=T0, closed_by="update"),
        fact("g", "Ana sees Rui at work", premise_ids=("h",), stale_since=T0, stale_why="premise"),
    )
    put(bench, *PLAIN, *over)
    bench.wait(days=6)
    settled(bench)
    bench.memory.export(AGENT, tmp_path / "a.jsonl")
    with Memory.open("memory://", llm=echo(), embedder="hashing", clock=lambda: bench.now) as other:
        other.import_(tmp_path / "a.jsonl", agent_id="b")
        view = other.store.view("b")
        rows = list(view.rows())
        ids = {getattr(row, "id", None) for row in rows}
        named = {
            one
            for row in rows
            for part in ("premise_ids", "fact_ids", "evidence_ids")
            for one in getattr(row, part, ())
        }
        assert named
        assert named <= ids
        assert other.stale("b")["text"].to_list() == bench.memory.stale(AGENT)["text"].to_list() != []
        clusters = sum(one.invalidated_at is None for one in view.clusters())
        marks = [one for one in view.observations() if one.kind == "seen"]
        for _ in range(3):
            asyncio.run(other.jobs.cycle("b"))
        assert not any(one.changed for one in asyncio.run(other.jobs.cycle("b")).results)
        view = other.store.view("b")
        assert sum(one.invalidated_at is None for one in view.clusters()) == clusters
        assert len([one for one in view.observations() if one.kind == "seen"]) == len(marks)
    with Memory.open("memory://", llm=echo(), embedder="hashing", clock=lambda: bench.now) as other:
        other.import_(tmp_path / "a.jsonl", agent_id="b")
        other.export("b", tmp_path / "b.jsonl")
        other.import_(tmp_path / "b.jsonl", agent_id=AGENT)
        assert other.digest(AGENT) == bench.memory.digest(AGENT)


# ------------------------------------------------------------ kill -9


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_cycle_leaves_whole_jobs(disk: Bench, tmp_path: Path) -> None:
    """C10: killed anywhere in a cycle, the store is as some job left it, to the digest; every table agrees with the journal;
    and a cycle after that gives what one that nobody killed gives."""
    put(disk, SECRET, *PLAIN)
    disk.wait(days=6)
    disk.memory.fork(tmp_path / "plain").close()
    states = [disk.memory.digest(AGENT)]
    for name in disk.memory.jobs.names:
        disk.run(name)
        states.append(disk.memory.digest(AGENT))
    rng, between = random.Random(5), 0
    child = Path(__file__).with_name("killed_cycle.py")
    for number in range(2):
        path = tmp_path / f"killed{number}"
        with Memory.open(tmp_path / "plain", llm=echo(), embedder="hashing", read_only=True) as plain:
            plain.fork(path).close()
        with subprocess.Popen(
            [sys.executable, str(child), str(path), disk.now.isoformat()], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(rng.randrange(3, 7)):
                process.stdout.readline()
            time.sleep(rng.random() * 0.03)
            os.kill(process.pid, signal.SIGKILL)
        with Memory.open(path, llm=echo(), embedder="hashing", clock=lambda: disk.now, lease_timeout=30) as memory:
            assert memory.store.verify() == []
            found = memory.digest(AGENT)
            assert found in states
            between += found not in (states[0], states[-1])
            asyncio.run(memory.jobs.cycle(AGENT))
            assert _said(memory) == _said(disk.memory)
    assert between, "no kill fell between two jobs: the test proves nothing"


def _said(memory: Memory) -> set[str]:
    """What a memory holds in words."""
    return {
        f"{row.name}: {row.summary_text}"
        if isinstance(row, Entity)
        else str(getattr(row, "text", getattr(row, "summary", "")))
        for row in memory.store.view(AGENT).rows()
    }


def test_a_cut_wire_in_the_middle_of_a_cycle(make: Callable[..., Bench]) -> None:
    """A12: when the model dies in the middle, the jobs that ask say they failed and change nothing, the others are done."""
    bench = make(Scripted(default=fail("refused")))
    put(bench, *PLAIN)
    bench.wait(days=6)
    done = asyncio.run(bench.memory.jobs.cycle(AGENT))
    failed = {one.job for one in done.results if not one.success}
    assert {"run_memify", "cluster_user_facts", "refresh_entity_summaries"} <= failed
    assert all(not one.changed for one in done.results if not one.success)
    assert done["compute_entity_importance"].success
