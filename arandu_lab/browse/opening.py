"""A store opened for looking: its agents, and for each the memory or the workspace that it is."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import Domain, MemoryConflict, MemoryFact, MemoryPolicy, Sighting, WorkingMemory
from arandu_lab.store.lent import lent

if TYPE_CHECKING:
    from arandu_lab.memory import Memory
    from arandu_lab.store import Store
    from arandu_lab.workspace.face import Workspace

Kind = Literal["memory", "workspace"]
KNOWN = (MemoryFact, MemoryPolicy, Domain, WorkingMemory, Sighting, MemoryConflict)
"""Rows that make an agent of the store a workspace."""


@dataclass(frozen=True, slots=True)
class Agent:
    """Whose memory, and how it stands in an address."""

    name: str
    slug: str


_IN_HAND: ContextVar[Memory | None] = ContextVar("in_hand", default=None)
"""The memory that a form writes in, for as long as it is answered."""


class Opened:
    """An open store.

    Args:
        memory: What is looked at.
        only: The one agent that is shown; all by default.
        by: Who corrects, in the records of workspaces.
        writer: Opens the store to write in it, where ``memory`` only reads: each form does, and gives it back.

    Raises:
        ConfigError: no such agent.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        only: str | None = None,
        by: str = "browser",
        writer: Callable[[], Memory] | None = None,
    ) -> None:
        self._memory, self._writer, self.by = memory, writer, by
        self.only = only
        self._agents: tuple[Agent, ...] = ()
        known = memory.store.agents()
        if only is not None and only not in known:
            said = nearest(only, known) if known else "it is empty"
            raise ConfigError(f"{memory.store.path} knows no agent {only!r}; {said}")

    @property
    def memory(self) -> Memory:
        """The memory: that which a form has in hand, else the one that is looked at."""
        return _IN_HAND.get() or self._memory

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Have a memory in hand that may be written. Agents that share the store wait for no longer than this.

        Raises:
            BackendError: another process keeps the store (``kind="lease"``).
        """
        if self._writer is None:
            yield
            return
        async with lent(self._writer) as memory:
            before = _IN_HAND.set(memory)
            try:
                yield
            finally:
                _IN_HAND.reset(before)

    @property
    def store(self) -> Store:
        """The store."""
        return self.memory.store

    @property
    def read_only(self) -> bool:
        """Whether nothing may be changed."""
        return self._writer is None and self._memory.store.read_only

    def now(self) -> datetime:
        """The moment, by the memory's clock."""
        return self.memory.clock()

    def agents(self, *, fresh: bool = False) -> tuple[Agent, ...]:
        """Everybody in the store, or the one it was opened for."""
        if fresh or not self._agents:
            names = self.store.agents() if self.only is None else (self.only,)
            self._agents = tuple(Agent(name, slug(name)) for name in names)
        return self._agents

    def agent(self, wanted: str) -> Agent | None:
        """An agent by what stands in the address."""
        return next((one for fresh in (False, True) for one in self.agents(fresh=fresh) if one.slug == wanted), None)

    def kinds(self, agent: Agent) -> tuple[Kind, ...]:
        """What of an agent is there; a conversation's memory where there is nothing."""
        view = self.store.view(agent.name)
        shared: tuple[Kind, ...] = ("workspace",) if any(len(view.shelf(kind)) for kind in KNOWN) else ()
        own: tuple[Kind, ...] = ("memory",) if len(view.facts) or len(view.events) or view.entities() else ()
        return (*own, *shared) or ("memory",)

    def workspace(self, agent: Agent) -> Workspace:
        """The agent of the store as a workspace."""
        from arandu_lab.workspace.face import Workspace
        from arandu_lab.workspace.settings import WorkspaceConfig

        memory = self.memory
        return Workspace(
            memory.store, agent.name, memory.llm, memory.embed, config=WorkspaceConfig(), clock=memory.clock
        )

    def close(self) -> None:
        """Give the store back."""
        self._memory.close()


def opened(
    path: str | PathLike[str],
    *,
    agent: str | None = None,
    llm: Any = "offline/rules",
    embedder: Any = None,
    read_only: bool = False,
    shared: bool = False,
    by: str = "browser",
    clock: Callable[[], datetime] | None = None,
) -> Opened:
    """Open a store that is there, with the embedder it was made with, or none where it was made without.

    ``shared``: others may write between two forms, as the tools of agents do; else it is kept until it is closed.

    Raises:
        ConfigError: no such agent, or the store is of another embedder.
        BackendError: another process writes there (``kind="lease"``); for reading it may.
    """
    from arandu_lab.config import MemoryConfig
    from arandu_lab.embed.open import open_embedder
    from arandu_lab.llm.open import open_minds
    from arandu_lab.memory import Memory
    from arandu_lab.memory.scale import calibrated
    from arandu_lab.presets import read, write
    from arandu_lab.store import Store
    from arandu_lab.workspace.face import NoVectors

    embed: Any = NoVectors() if embedder == "none" else open_embedder(embedder)
    minds = open_minds(llm)

    def made(read_only: bool) -> Memory:
        store = Store.open(path, embedder_name=embed.name, embedder_dim=embed.dim, read_only=read_only)
        try:
            return Memory(
                store,
                minds,
                calibrated(embed, store, None),
                config=MemoryConfig(),
                write=write(),
                read=read(),
                clock=clock or (lambda: datetime.now(UTC)),
            )
        except BaseException:  # whatever stopped the opening, Ctrl-C too, the store goes back; then it is raised on
            store.close()
            raise

    lent = shared and not read_only
    if lent:
        made(False).close()  # where nobody may write, it is said now; and what a crash left is healed
    memory = made(read_only or lent)
    try:
        return Opened(memory, only=agent, by=by, writer=(lambda: made(False)) if lent else None)
    except BaseException:  # an agent that is not there, Ctrl-C too: the store goes back; then it is raised on
        memory.close()
        raise


def slug(name: str) -> str:
    """An agent's name as it stands in an address: itself where that is safe, else a digest.

    >>> slug("ana"), len(slug("../x y"))
    ('ana', 16)
    """
    plain = re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}", name)
    return name if plain else "~" + sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:15]
