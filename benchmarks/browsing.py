"""How long each page of the browser takes over a large memory: filtering, paging, records and what can be undone.

    python benchmarks/browsing.py [--facts 20000] [--units 400]

Seconds of the first look (the view is loaded, texts are folded, headers are read) and of a later one.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from starlette.testclient import TestClient

from arandu_lab.browse.app import browser
from arandu_lab.browse.opening import opened
from arandu_lab.embed.open import open_embedder
from arandu_lab.records import Entity, Event, Fact, Link, Row
from arandu_lab.store import Store

NOW = datetime(2025, 1, 1, 12, tzinfo=UTC)
PEOPLE, PORT, TOKEN = 300, 8123, "a-token"
PAGES = (
    "facts",
    "facts?text=tres+lunenburg",
    "facts?text=tres+lunenburg&page=9",
    "facts?order=name&state=all&page=300",
    "facts?entity=P7",
    "fact?id=f777",
    "entities",
    "entity?key=person:p7",
    "events",
    "events?text=P7",
    "observations",
    "timeline",
    "timeline?at=2023-06-01",
    "records",
    "records?only=edit",
)


def filled(path: Path, facts: int, units: int) -> None:
    """A memory of so many facts about 300 people, told in so many units of work."""
    embed, chance, start = open_embedder("hashing"), np.random.default_rng(0), NOW - timedelta(days=700)
    people: list[Row] = [
        Entity(key=f"person:p{i}", agent_id="a", name=f"P{i}", type="person", recorded_at=start, importance=0.5)
        for i in range(PEOPLE)
    ]
    with Store.open(path, embedder_name=embed.name, embedder_dim=embed.dim) as store:
        store.append("write", "a", people, unit_id="write:people", recorded_at=start)
        for unit, places in enumerate(np.array_split(np.arange(facts), units)):
            at = start + timedelta(minutes=60 * unit)
            vector = chance.normal(size=embed.dim).astype(np.float32)
            vector /= np.linalg.norm(vector)
            rows: list[Row] = [
                Event(id=f"e{unit}", agent_id="a", text=f"turn {unit} about P{unit % PEOPLE}", speaker="s", occurred_at=at,
                      recorded_at=at, vector=vector)
            ]  # fmt: skip
            for i in map(int, places):
                who = i % PEOPLE
                rows += [
                    Fact(id=f"f{i}", agent_id="a", entity_key=f"person:p{who}", entity_name=f"P{who}", category="c",
                         text=f"P{who} says number {i} às {'três' if i % 3 else 'duas'} in Lunenburg", speaker="s",
                         confidence=(i * 37 % 100) / 100, importance=(i * 53 % 100) / 100, source_event_id=f"e{unit}",
                         valid_from=at, recorded_at=at, valid_to=NOW if i % 5 == 0 else None, vector=vector),
                    Link(fact_id=f"f{i}", agent_id="a", entity_key=f"person:p{who}", primary=True, recorded_at=at),
                ]  # fmt: skip
            store.append("write", "a", rows, unit_id=f"write:{unit}", recorded_at=at)


def main() -> None:
    """Make the store, correct one fact, and look at each page twice."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--facts", type=int, default=20_000)
    asked.add_argument("--units", type=int, default=400)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        filled(Path(folder) / "store", given.facts, given.units)
        found = opened(Path(folder) / "store", embedder="hashing", clock=lambda: NOW)
        done = asyncio.run(found.memory.correct("a", "f777", "P177 says something else"))
        client = TestClient(
            browser(found, token=TOKEN, port=PORT), base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False
        )
        client.get(f"/?token={TOKEN}")
        print(f"{given.facts} facts in {given.units} units of work; seconds at the first look and at the next")
        for page in PAGES:
            took = []
            for _ in range(2):
                began = time.perf_counter()
                answer = client.get(f"/memory/a/{page}")
                took.append(time.perf_counter() - began)
            assert answer.status_code == 200, page
            print(f"{took[0]:8.3f} {took[1]:8.3f}  {len(answer.text) / 1000:5.0f} kB  {page}")
        began = time.perf_counter()
        found.memory.undo("a", f"correct:{done.facts_updated[0].id}")
        print(f"{time.perf_counter() - began:8.3f}  undoing a correction")
        found.close()


if __name__ == "__main__":
    main()
