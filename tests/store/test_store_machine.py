"""The store against a model in plain Python, under any order of writes, flushes, reopenings and rebuilds."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from arandu_lab.store import Store
from arandu_lab.testing.plain import AGENTS, DIM, START, Plain

seeds = st.integers(0, 2**32)
agents = st.sampled_from(AGENTS)


class StoreMachine(RuleBasedStateMachine):
    """E8, E10, E15, I4, I6, I7, K1, K2: what is read is what was written, at every moment and for every agent."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="arandu-store-"))
        self.plain = {agent: Plain(agent) for agent in AGENTS}
        self.units: list[tuple[str, str, list, list, int]] = []
        self.held: list[tuple] = []
        self.store = self.opened()

    def opened(self) -> Store:
        return Store.open(self.home / "store", embedder_name="test", embedder_dim=DIM)

    @rule(seed=seeds, agent=agents, again=st.integers(1, 6))
    def write(self, seed: int, agent: str, again: int) -> None:
        rng = random.Random(seed)
        plain = self.plain[agent]
        for _ in range(again):
            rows, removed = plain.unit(rng)
            unit_id = f"u{len(self.units)}"
            expects = plain.sequence
            seq = self.store.append(
                "write", agent, rows, unit_id=unit_id, recorded_at=START, expects=expects, removed=removed
            )
            assert seq > expects
            plain.apply(rows, removed, seq)
            self.units.append((agent, unit_id, rows, removed, seq))

    @rule(seed=seeds)
    def write_again(self, seed: int) -> None:
        if self.units:
            agent, unit_id, rows, removed, seq = random.Random(seed).choice(self.units)
            told = self.store.append("write", agent, rows, unit_id=unit_id, recorded_at=START, removed=removed)
            assert told == seq

    @rule()
    def flush(self) -> None:
        self.store.flush()

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = self.opened()

    @rule()
    def forget_views(self) -> None:
        self.store._desks.clear()

    @rule()
    def rebuild(self) -> None:
        assert self.store.rebuild() == len(self.units)

    @rule()
    def verify(self) -> None:
        assert self.store.verify() == []

    @rule(seed=seeds, agent=agents)
    def read(self, seed: int, agent: str) -> None:
        self.plain[agent].agree(self.store.view(agent), random.Random(seed))

    @rule(agent=agents)
    def hold(self, agent: str) -> None:
        plain = self.plain[agent]
        self.held.append((Plain(agent, dict(plain.rows), plain.sequence), self.store.view(agent)))

    @rule(agent=agents)
    def hold_without_looking(self, agent: str) -> None:
        plain = self.plain[agent]
        view = self.store.view(agent)
        self.held.append((Plain(agent, dict(plain.rows), plain.sequence), view, view.facts.matrix, view.events.matrix))

    @rule()
    def read_as_another_process(self) -> None:
        with Store.open(self.home / "store", embedder_name="test", embedder_dim=DIM, read_only=True) as reader:
            for agent, plain in self.plain.items():
                plain.agree(reader.view(agent), random.Random(1))

    @invariant()
    def frames_agree(self) -> None:
        agent = AGENTS[len(self.units) % 3]
        frame = self.store.frame("facts", agent)
        wanted = [key for table, key in self.plain[agent].rows if table == "facts"]
        assert frame["fact_id"].to_list() == wanted
        assert set(frame["agent_id"]) <= {agent}

    def teardown(self) -> None:
        for plain, view, *_ in self.held:
            plain.agree(view, random.Random(0))
        self.store.close()
        shutil.rmtree(self.home)


StoreMachine.TestCase.settings = settings(
    max_examples=int(os.environ.get("ARANDU_LAB_EXAMPLES", "30")) // 4,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestStore = StoreMachine.TestCase
