"""Many writers at once, of one process and of two: the store is what their serial order would have left."""

from __future__ import annotations

import asyncio
import fcntl
import os
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from concurrency import compared, taking_turns
from operations import NOW, T0, TALK, opened

from arandu_lab.memory import Memory, forgetting
from arandu_lab.records import Alias, Fact
from arandu_lab.store import store as store_module
from arandu_lab.store import tables
from arandu_lab.store.lease import Lease
from arandu_lab.store.ledger import units
from arandu_lab.store.schema import PROJECTIONS

HOUR = timedelta(hours=1)


async def say(memory: Memory, text: str, number: int = 0, agent: str = "hot", **more: Any) -> Any:
    """One message, an hour after the one before."""
    return await memory.write(agent, text, "Rafael", occurred_at=T0 + number * HOUR, **more)


def live(memory: Memory, agent: str = "hot") -> dict[str, int]:
    """Open facts and how often each was confirmed."""
    frame = memory.facts(agent)
    found = list(zip(frame["text"].to_list(), frame["reinforcement_count"].to_list(), strict=True))
    assert len(dict(found)) == len(found), f"the same fact twice: {found}"
    return dict(found)


def whole(memory: Memory, agent: str) -> None:
    """No row of a view points at what is not in it."""
    view = memory.store.view(agent)
    rows = list(view.rows())
    keys = {one.key for one in view.entities()}
    facts = {row.id for row in rows if isinstance(row, Fact)}
    events = {row.id for row in rows if type(row).__name__ == "Event"}
    for row in rows:
        match type(row).__name__:
            case "Fact":
                assert row.source_event_id in events  # type: ignore[union-attr]
                assert row.entity_key in keys  # type: ignore[union-attr]
                assert [key for key in keys if int(view.fact_position(row.id) or 0) in set(view.linked(key).tolist())]
            case "Link":
                assert row.fact_id in facts  # type: ignore[union-attr]
                assert row.entity_key in keys  # type: ignore[union-attr]
            case "Alias":
                assert row.entity_key in keys  # type: ignore[union-attr]
            case "Relationship":
                assert set(row.evidence_fact_ids) <= facts  # type: ignore[union-attr]
                assert {row.source_key, row.target_key} <= keys  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", [7])
def test_mixed_operations_leave_what_their_serial_order_leaves(tmp_path: Path, seed: int) -> None:
    """I1, I2, I4, I5, W25: writes, corrections, merges, splits, undoings, forgettings, reads and forks by 24 tasks at once.

    Outcomes and rows are those of the same operations one after the other, in the order of the journal
    (``benchmarks/concurrency.py`` says what is the same, and does a thousand).
    """
    report = compared(60, seed, 24, tmp_path)
    assert report.differences == []
    assert report.digest == report.serial_digest
    assert report.operations.total() > 50
    assert report.units > 50


def test_two_processes_of_many_tasks_lose_nothing(tmp_path: Path) -> None:
    """I1, I2, I3, C10, W25: two processes take turns at one agent, six tasks each.

    Every turn is stored once, every statement heard is in one fact's count, an edge rests on all that state it, a name stays
    with its first owner.
    """
    rounds, tasks = 2, 6
    waits = taking_turns(tmp_path / "s", rounds, tasks)
    assert [len(one) for one in waits.values()] == [rounds, rounds]
    with opened(tmp_path / "s") as memory:
        events = memory.events("hot")
        assert events.height == 2 * rounds * tasks
        assert Counter(events["speaker"].to_list()) == {"Rafael": rounds * tasks, "Mar": rounds * tasks}
        said: Counter[str] = Counter()
        for text in events["text"].to_list():
            for sentence in text.rstrip(".").split(". "):
                said[sentence.replace(" knows ", " is a friend of ")] += 1
        assert live(memory) == {text: count - 1 for text, count in said.items()}
        view = memory.store.view("hot")
        named = {fact.text: fact.id for row in view.rows() if isinstance(fact := row, Fact)}
        [edge] = [
            one for one in view.edges() if one.source_key == "person:julia" and one.target_key == "person:ana_prado"
        ]
        stating = {named["Julia is a friend of Ana Prado"], named["Julia trusts Ana Prado"]}
        assert stating <= set(edge.evidence_fact_ids)
        owners: dict[str, list[str]] = {}
        for unit in units(memory.store, "hot"):
            for row in unit.rows:
                if isinstance(row, Alias):
                    owners.setdefault(row.folded, []).append(row.entity_key)
        assert len(owners["juli"]) == 1
        assert {folded: list(keys) for folded, keys in view.aliases().items()} == owners
        whole(memory, "hot")
        assert memory.backlog("hot").height == 0
        assert asyncio.run(memory.repair("hot")) == 0
        assert memory.store.verify() == []


def test_the_lease_is_a_queue(tmp_path: Path) -> None:
    """C10, W25: who waits for the store is next: a writer that closes and opens again at once stands behind him."""
    order: list[str] = []
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from arandu_lab.store.lease import Lease\n"
        "print('up', flush=True)\n"
        "sys.stdin.readline()\n"
        "lease = Lease(Path(sys.argv[1]), timeout=20)\n"
        "print(f'{lease.waited:.3f}', flush=True)\n"
        "lease.release()\n"
    )
    mine = Lease(tmp_path, timeout=1)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
        other.stdin.write("go\n")
        other.stdin.flush()
        while other.poll() is None and not _held(tmp_path / "writer.queue"):
            pass
        for turn in range(200):
            mine.release()
            mine = Lease(tmp_path, timeout=20)
            order.append(f"mine {turn}")
            if other.poll() is not None or mine.waited > 0.015:
                break
        assert len(order) == 1, "the waiting process was overtaken"
        assert other.wait() == 0
        mine.release()


def _held(path: Path) -> bool:
    if not path.exists():
        return False
    file = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def test_the_same_fact_by_sixteen_threads_is_one_row(tmp_path: Path) -> None:
    """I1: sixteen threads, each with an event loop of its own, state the same: one row, confirmed fifteen times."""
    with opened(tmp_path / "s") as memory, ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda n: asyncio.run(say(memory, "Ana Prado likes ramen.", n)), range(16)))
        assert [one.error for one in results if not one.success] == []
        assert live(memory) == {"Ana Prado likes ramen": 15}
        assert memory.events("hot").height == 16
        assert memory.store.verify() == []


def test_retrievals_of_threads_are_all_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """I2: counts of reading are written down beside writes of the same rows, by two users of one store: none is lost."""
    monkeypatch.setattr("arandu_lab.memory.upkeep._BATCH", 3)
    with opened(tmp_path / "s") as one, opened(tmp_path / "s") as two:
        asyncio.run(say(one, "Ana Prado likes ramen."))

        def work(number: int) -> int:
            memory = (one, two)[number % 2]
            if number % 3 == 0:
                asyncio.run(say(memory, "Ana Prado likes ramen.", number + 1))
                return 0
            found = asyncio.run(memory.retrieve("hot", "What does Ana Prado like?", now=NOW))
            return len(found.facts)

        with ThreadPoolExecutor(8) as pool:
            found = sum(pool.map(work, range(36)))
        for memory in (one, two):
            memory.retrieved.write_down(memory)
        [row] = [row for row in one.store.view("hot").rows() if isinstance(row, Fact)]
        assert found == 24
        assert (row.times_retrieved, row.reinforcement_count) == (24, 12)
        assert one.store.verify() == []


def test_nothing_comes_between_what_is_forgotten_and_its_erasure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """J6, W25: a thread that states more of an entity while it is being forgotten comes after, whole: no row hangs in the air."""
    with opened(tmp_path / "s") as memory:
        asyncio.run(say(memory, "Otto Reis likes ramen."))
        plain = forgetting.forgotten
        late = threading.Thread(target=lambda: asyncio.run(say(memory, "Otto Reis knows Julia.", 1)))

        def slowly(*rows: Any) -> Any:
            late.start()
            late.join(0.5)
            return plain(*rows)

        monkeypatch.setattr(forgetting, "forgotten", slowly)
        memory.forget("hot", entity="person:otto_reis")
        late.join()
        whole(memory, "hot")
        assert memory.store.verify() == []


def test_one_correction_of_two_wins(tmp_path: Path) -> None:
    """I1: eight threads correct one fact at once: one of them does, the others are told; no fact has two heirs."""
    with opened(tmp_path / "s") as memory, ThreadPoolExecutor(8) as pool:
        first = asyncio.run(say(memory, "Ana Prado likes ramen.")).facts_added[0]

        def work(number: int) -> bool:
            try:
                asyncio.run(memory.correct("hot", first.id, f"Ana Prado likes soup {number}", occurred_at=T0 + HOUR))
            except ValueError:
                return False
            return True

        assert sum(pool.map(work, range(8))) == 1
        rows = [row for row in memory.store.view("hot").rows() if isinstance(row, Fact)]
        assert [row.supersedes_fact_id for row in rows] == [None, first.id]


async def test_a_dry_run_tells_what_a_write_would_do_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """W22, W25: an edit that falls into a dry run is in its answer, as it would be in that of a write."""
    memory = opened("memory://")
    await say(memory, "Ana Prado likes ramen.")
    await say(memory, "Bob likes tapioca.", 1)
    backend = memory.llm.default
    merged: list[Any] = []
    read = type(backend).complete

    async def complete(self: Any, messages: Any, **options: Any) -> Any:
        answer = await read(self, messages, **options)
        if not merged:
            merged.append(memory.merge("hot", "person:ana_prado", "person:bob"))
        return answer

    monkeypatch.setattr(type(backend), "complete", complete)
    would = await say(memory, "Bob likes feijoada.", 2, dry_run=True)
    assert merged
    assert [fact.entity_key for fact in would.facts_added] == ["person:ana_prado"]
    memory.close()


async def test_agents_that_interleave_stay_apart() -> None:
    """I5: six agents take turns at every await, same names and speakers: no word of one is in a row, prompt or answer of another."""
    memory = opened("memory://")
    secret = {f"agent{n}": f"secretword{n}" for n in range(6)}
    prompts: list[str] = []
    backend = memory.llm.default
    ask = backend.complete

    async def complete(messages: Any, **options: Any) -> Any:
        prompts.append("".join(one.content for one in messages))
        return await ask(messages, **options)

    backend.complete = complete

    async def live_on(agent: str) -> None:
        for number in range(6):
            await say(memory, f"Ana Prado likes {secret[agent]}{number}.", number, agent)
            found = await memory.retrieve(agent, "What does Ana Prado like?", now=NOW)
            others = [word for who, word in secret.items() if who != agent]
            assert not [word for word in others if word in found.context]
            assert secret[agent] in found.context

    await asyncio.gather(*map(live_on, secret))
    assert all(sum(word in prompt for word in secret.values()) <= 1 for prompt in prompts)
    for agent, word in secret.items():
        text = repr(list(memory.store.view(agent).rows()))
        assert text.count(word) >= 6
        assert sum(other in text for other in secret.values()) == 1
    memory.close()


async def test_a_cancelled_write_is_finished_later() -> None:
    """C10, I7: writes cancelled anywhere leave a recorded turn or nothing, block nobody, and ``repair`` reads the rest once."""
    memory = opened("memory://")
    for steps in range(25):
        task = asyncio.create_task(say(memory, TALK[steps % len(TALK)], steps))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    recorded = memory.events("hot").height
    left = memory.backlog("hot").height
    assert 0 < left <= recorded <= 25
    assert await memory.repair("hot") >= left
    assert memory.backlog("hot").height == 0
    assert sum(count + 1 for count in live(memory).values()) >= recorded
    whole(memory, "hot")
    memory.close()


@pytest.mark.parametrize("table", PROJECTIONS)
def test_a_view_loaded_while_the_tables_move_is_whole(tmp_path: Path, table: str) -> None:
    """I6, I7: a reader that has read some tables when the writer brings them further sees every link, name and edge whole."""
    with opened(tmp_path / "s") as memory:
        asyncio.run(say(memory, "Ana Prado likes ramen. Julia knows Ana Prado."))
        memory.store.flush()
        with opened(tmp_path / "s", read_only=True) as reader:
            plain = reader.store._tables.images

            def images(name: str, where: str = "") -> Any:
                if name == table and memory.events("hot").height == 1:
                    asyncio.run(say(memory, "Ana Prado likes ramen. Julia trusts Ana Prado. Bob likes tapioca.", 1))
                    memory.store.flush()
                return plain(name, where)

            reader.store._tables.images = images  # type: ignore[method-assign]
            whole(reader, "hot")
            assert reader.digest("hot") == memory.digest("hot")
            assert reader.store.verify() == []


def test_readers_see_whole_units_of_a_prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """I7, N3: readers beside a writer see the first so many writes, each whole: two facts, links, names and the edge."""
    monkeypatch.setattr(store_module, "PROJECT_EVERY", 5)
    monkeypatch.setattr(tables, "COMPACT_AT", 4)
    writes, over = 40, threading.Event()
    seen: list[int] = []

    def prefix(memory: Memory) -> int:
        whole(memory, "hot")
        view = memory.store.view("hot")
        facts = {row.text for row in view.rows() if isinstance(row, Fact)}
        many = sum(text.startswith("Ana Prado likes") for text in facts)
        wanted = {f"Ana Prado likes dish{n}" for n in range(many)}
        wanted |= {f"Julia is a friend of Pal{n} Reis" for n in range(many)}
        assert facts == wanted, f"{many}: {facts ^ wanted}"
        resting = [
            fact_id for edge in view.edges() if edge.rel_type == "friend_of" for fact_id in edge.evidence_fact_ids
        ]
        assert len(set(resting)) == len(resting) == many
        assert len(view.events.ids) in (many, many + 1)
        return many

    def follow() -> None:
        with opened(tmp_path / "s", read_only=True) as reader:
            while not over.is_set():
                reader.store.refresh()
                seen.append(prefix(reader))

    def come_and_go() -> None:
        while not over.is_set():
            with opened(tmp_path / "s", read_only=True) as reader:
                prefix(reader)
                asyncio.run(reader.retrieve("hot", "What does Ana Prado like?", now=NOW))

    async def write(memory: Memory) -> None:
        async def read() -> None:
            for _ in range(writes):
                await memory.retrieve("hot", "What does Ana Prado like?", now=NOW)
                prefix(memory)
                await asyncio.sleep(0)

        async def tell() -> None:
            for n in range(writes):
                told = await say(memory, f"Ana Prado likes dish{n}. Julia knows Pal{n} Reis.", n)
                assert told.success, told.error

        await asyncio.gather(tell(), read())

    with opened(tmp_path / "s") as memory, ThreadPoolExecutor(3) as pool:
        memory.store.flush()
        readers = [pool.submit(follow), pool.submit(come_and_go)]
        try:
            asyncio.run(write(memory))
        finally:
            over.set()
        for one in readers:
            one.result()
        assert prefix(memory) == writes
    assert seen == sorted(seen)
    assert len(set(seen)) > 3, "the reader saw too few moments: the test proves nothing"
