"""Facts on a table, an embedder that counts, and one way to ask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arandu_lab.embed.base import Embedder
from arandu_lab.embed.hashing import Hashing
from arandu_lab.knowledge import AccessGrant, EpisodicEdge, MemoryFact, Permission
from arandu_lab.workspace.search.asking import search
from arandu_lab.workspace.search.found import Presented, Request
from arandu_lab.workspace.search.library import Library
from arandu_lab.workspace.search.preset import searching

NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)


class Counting(Embedder):
    """An embedder of hashed words that keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(Hashing())
        self.asked: list[str] = []

    async def __call__(self, texts: Sequence[str]) -> Any:
        self.asked.extend(texts)
        return await super().__call__(texts)


@pytest.fixture
def embed() -> Counting:
    return Counting()


@pytest.fixture(scope="session")
def fact() -> Callable[..., MemoryFact]:
    """A fact by its words; ``days`` ago, with a vector unless ``bare``."""
    plain = Embedder(Hashing())

    def made(key: str, content: str, *, days: float = 1.0, bare: bool = False, **other: Any) -> MemoryFact:
        moment = NOW - timedelta(days=days)
        given = {
            "id": key, "agent_id": "w", "domain": "codebase", "topic": "notes", "content": content, "memory_type": "convention",
            "veracity": "stated", "confidence": 1.0, "proposed_by": "coder", "valid_from": moment, "recorded_at": moment,
            "vector": None if bare else asyncio.run(plain([content]))[0],
        }  # fmt: skip
        return MemoryFact(**{**given, **other})

    return made


@pytest.fixture(scope="session")
def tie() -> Callable[..., EpisodicEdge]:
    def made(one: str, other: str, weight: float = 0.9) -> EpisodicEdge:
        return EpisodicEdge(
            id=f"{one}-{other}", agent_id="w", source_id=one, target_id=other, kind="observation", weight=weight, recorded_at=NOW
        )  # fmt: skip

    return made


@pytest.fixture(scope="session")
def grant() -> Callable[..., AccessGrant]:
    def made(role: str, domain: str, permission: Permission) -> AccessGrant:
        return AccessGrant(
            id=f"{role}/{domain}", agent_id="w", role=role, domain=domain, permission=permission, recorded_at=NOW
        )

    return made


@pytest.fixture
def ask(embed: Counting) -> Callable[..., Presented]:
    """Search some facts; ``embed`` another embedder or None, ``mode``, ``without``, and overrides by name."""

    def asked(
        query: str,
        facts: Sequence[MemoryFact],
        *,
        edges: Sequence[EpisodicEdge] = (),
        grants: Sequence[AccessGrant] = (),
        mode: str = "hybrid",
        without: tuple[str, ...] = (),
        role: str | None = None,
        repo: str | None = None,
        limit: int = 10,
        now: datetime = NOW,
        pipeline: Any = None,
        embedder: Any = embed,
        **overrides: Any,
    ) -> Presented:
        library = Library(now=now, facts=tuple(facts), edges=tuple(edges), grants=tuple(grants))
        request = Request(query=query, library=library, role=role, repo=repo, limit=limit)
        chosen = pipeline or searching(mode, without=without)
        found, trace = asyncio.run(search(request, embed=embedder, pipeline=chosen, overrides=overrides))
        assert trace.steps
        return found

    return asked
