"""A workspace that is opened for looking answers of the newest state, whoever wrote it, and of one state in each answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.workspace import Workspace

NOW = datetime(2125, 6, 1, tzinfo=UTC)

READ: dict[str, Callable[[Workspace], Any]] = {
    "conflicts": lambda one: one.conflicts().rows(),
    "domains": lambda one: one.domains().rows(),
    "edges": lambda one: one.edges().rows(),
    "facts": lambda one: one.facts(live=False).rows(),
    "fork": lambda one: _forked(one),
    "grants": lambda one: one.grants().rows(),
    "history": lambda one: one.history(one.facts(live=False)["id"][0]),
    "hot": lambda one: one.hot().rows(),
    "library": lambda one: [fact.content for fact in one.library(NOW).facts],
    "list_access_grants": lambda one: one.list_access_grants(),
    "list_memory_conflicts": lambda one: one.list_memory_conflicts(),
    "memory_fact_search": lambda one: [hit.fact.content for hit in one.memory_fact_search("indent with spaces", limit=99)],
    "notes": lambda one: one.notes().rows(),
    "notes_of": lambda one: one.notes_of("ada"),
    "permission": lambda one: one.permission("author", "style"),
    "policies": lambda one: one.policies().rows(),
    "preamble": lambda one: one.preamble("ada", "indent with spaces").text,
    "search_memory": lambda one: [hit.fact.content for hit in asyncio.run(one.search_memory("indent with spaces", k=99)).hits],
    "sheet": lambda one: one.sheet().view.sequence,
    "sightings": lambda one: one.sightings().rows(),
    "toolbox": lambda one: asyncio.run(one.toolbox("ada").call("search_memory", {"query": "indent with spaces"})),
    "view": lambda one: one.view.sequence,
}  # fmt: skip
"""Every method that only looks."""

WRITTEN = {
    *("close", "consolidate_memory", "count_recalls", "delete_fact", "delete_policy", "edit_fact", "edit_policy", "forget"),
    *("grant_access", "harmonize_memory", "harvest_meeting", "open", "propose_fact", "propose_policy"),
    *("record_observation", "record_source", "records", "remember", "repair", "retire_fact", "retire_policy"),
    *("revoke_access", "supersede_fact", "supersede_policy", "undo", "update_my_notes"),
}  # fmt: skip
"""Methods that write, and nothing else."""

SAME = {"conflicts", "domains", "edges", "history", "hot", "list_memory_conflicts", "permission", "grants", "list_access_grants"}  # fmt: skip
"""Methods whose answer need not be another after more was told."""


AGAIN = {"history", "toolbox"}
"""The test itself looks for the fact whose history it asks; a toolbox looks again at what its role may see."""


def _forked(workspace: Workspace) -> list[str]:
    with workspace.fork() as copy:
        return list(copy.facts()["content"])


def opened(place: Path, **more: Any) -> Workspace:
    return Workspace.open(place, workspace="acme", embedder="hashing", clock=lambda: NOW, **more)


async def tell(workspace: Workspace, number: int) -> None:
    """A fact, a policy, a sighting and a note more."""
    said = f"Files of kind{number} indent with {number + 2} spaces."
    await workspace.propose_fact("style", f"indent of kind{number}", said, agent="ada")
    await workspace.propose_policy("style", f"Indent kind{number}.", agent="ada", role="developer")
    await workspace.record_observation(f"I saw kind{number}", agent="ada")
    await workspace.update_my_notes(f"kind{number}", agent="ada")


def test_every_method_is_known_here() -> None:
    """Every public method of a workspace either looks or writes: a new one is entered in one of the lists above."""
    assert {name for name in dir(Workspace) if not name.startswith("_")} == {*READ, *WRITTEN}


def test_a_reader_answers_of_the_newest_state(tmp_path: Path) -> None:
    """Every method of a workspace that was opened and asked before another wrote answers afterwards as the writer does."""
    with opened(tmp_path / "s") as writer:
        asyncio.run(tell(writer, 0))
        with opened(tmp_path / "s", read_only=True) as reader:
            before = {name: repr(ask(reader)) for name, ask in READ.items()}
            for number in (1, 2):
                asyncio.run(tell(writer, number))
                now = {name: repr(ask(reader)) for name, ask in READ.items()}
                writer.recalls.clear()  # what the writer finds it counts
                assert now == {name: repr(ask(writer)) for name, ask in READ.items()}
                writer.recalls.clear()
            assert {name for name in READ if now[name] == before[name]} <= SAME


@pytest.mark.parametrize("name", READ)
def test_an_answer_is_of_one_state(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method looks at the workspace once: what another writes while it is at work is not half in its answer."""
    with opened(tmp_path / "s") as writer:
        asyncio.run(tell(writer, 0))
    with opened(tmp_path / "s", read_only=True) as reader:
        looked: list[int] = []
        plain = type(reader.store).view
        asked = READ[name]
        monkeypatch.setattr(type(reader.store), "view", lambda store, agent: looked.append(1) or plain(store, agent))
        asked(reader)
        assert len(looked) <= 1 + (name in AGAIN)
