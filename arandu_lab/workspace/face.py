"""The face of a workspace memory: facts that agents share, policies that all are shown, notes of each alone.

>>> import asyncio
>>> async def hello() -> str:
...     with Workspace.open("memory://", workspace="acme", embedder="hashing") as workspace:
...         await workspace.propose_fact("conventions", "deploys", "Deploys run on Fridays", agent="iris")
...         done = await workspace.propose_fact("conventions", "deploys", "Deploys never run on Fridays", agent="rui")
...         return done.conflicts[0].why
>>> asyncio.run(hello())
'polarity'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from arandu_lab.errors import ConfigError
from arandu_lab.memory.scale import Scale, calibrated
from arandu_lab.records import Vector
from arandu_lab.workspace.authoring import Authoring
from arandu_lab.workspace.correcting import Correcting
from arandu_lab.workspace.granting import Granting
from arandu_lab.workspace.harvest import Harvest
from arandu_lab.workspace.keeping import Keeping
from arandu_lab.workspace.looking import Looking
from arandu_lab.workspace.maintenance import Maintenance
from arandu_lab.workspace.settings import WorkspaceConfig

if TYPE_CHECKING:
    from arandu_lab.store import Store
    from arandu_lab.workspace.operations import Toolbox


class Workspace(Authoring, Keeping, Granting, Maintenance, Harvest, Correcting, Looking):
    """One workspace of a store. Open it with ``Workspace.open``; close it, or use ``with``."""

    def __init__(
        self,
        store: Store,
        workspace: str,
        llm: Any,
        embed: Any,
        *,
        config: WorkspaceConfig,
        clock: Callable[[], datetime],
    ) -> None:
        """Use ``Workspace.open``, or give an open store."""
        from arandu_lab.store.commit import agent_named

        self.store, self.workspace, self.llm, self.embed = store, agent_named(workspace), llm, embed
        self.config, self.clock = config, clock
        self.recalls, self.recalled_at = Counter[str](), {}

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        workspace: str = "workspace",
        llm: Any = "offline/rules",
        embedder: Any = None,
        calibration: Scale = None,
        config: WorkspaceConfig | None = None,
        clock: Callable[[], datetime] | None = None,
        read_only: bool = False,
        lease_timeout: float = 10.0,
        durability: Literal["process", "power"] = "process",
    ) -> Workspace:
        """Open a workspace in a store directory, or make one; ``memory://`` keeps it in memory.

        Conversations of agents may lie in the same store: nothing of the one shows in the other.

        Args:
            path: The directory of the store.
            workspace: The id of the workspace, which the store knows as an agent.
            llm: As ``Memory.open``; no operation here asks one, ``forget`` looks through its recordings.
            embedder: As ``Memory.open``, or ``none``: no vectors are kept, and the semantic voice is silent (S5).
            calibration: As ``Memory.open``.
            config: Settings; those not given have their defaults.
            clock: What dates rows; a replay gives a simulated one.
            read_only: Look, and write nothing.
            lease_timeout: Seconds to wait for another process that writes here.
            durability: ``process`` survives a killed process; ``power`` forces every commit to the disk.

        Raises:
            ConfigError: the store was made with another embedder or calibration, or a blank workspace.
            BackendError: another process holds the store (``kind="lease"``).
        """
        from arandu_lab.embed.open import open_embedder
        from arandu_lab.llm.open import open_minds
        from arandu_lab.memory.arguments import required
        from arandu_lab.store import Store

        required(workspace=workspace)
        if config is not None and not isinstance(config, WorkspaceConfig):
            raise ConfigError(f"config wants a WorkspaceConfig, not {type(config).__name__}")
        embed: Any = NoVectors() if embedder == "none" else open_embedder(embedder)
        minds = open_minds(llm)
        store = Store.open(
            path,
            embedder_name=embed.name,
            embedder_dim=embed.dim,
            read_only=read_only,
            lease_timeout=lease_timeout,
            durability=durability,
        )
        try:
            embed = calibrated(embed, store, calibration)
            return cls(
                store,
                workspace,
                minds,
                embed,
                config=config or WorkspaceConfig(),
                clock=clock or (lambda: datetime.now(UTC)),
            )
        except BaseException:  # whatever stopped the opening, Ctrl-C too, the store goes back; then it is raised on
            store.close()
            raise

    def toolbox(
        self,
        agent: str,
        *,
        role: str | None = None,
        repo: str | None = None,
        session_id: str = "session",
        rpc: bool = False,
    ) -> Toolbox:
        """The operations as tools of one agent: schemas for a model, and calls by name that never raise on bad input.

        ``rpc`` makes it the box of a program, which may change grants too.
        """
        from arandu_lab.workspace.operations import Toolbox

        return Toolbox(self, agent, role=role, repo=repo, session_id=session_id, rpc=rpc)

    def fork(self, path: str | PathLike[str] = "memory://") -> Workspace:
        """An independent copy."""
        if not self.store.read_only:
            self.count_recalls()
        return Workspace(
            self.store.fork(path), self.workspace, self.llm, self.embed, config=self.config, clock=self.clock
        )

    def close(self) -> None:
        """Write down pending counters and give the store back."""
        try:
            if not self.store.read_only:
                self.count_recalls()
        finally:
            self.store.close()

    def __repr__(self) -> str:
        return f"<Workspace {self.workspace!r} in {self.store.path}, embedder {self.embed.name}>"

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NoVectors:
    """The place of an embedder where there is none."""

    name = "none"
    dim = 0

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        """No vector for any text."""
        return [None] * len(texts)

    def scale(self, cosine: Any) -> Any:
        """The cosine itself."""
        return cosine
