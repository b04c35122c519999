"""The operations of one agent over a store that others use too: open for one call, given back before the next.

A store has one writer at a time. Where each agent of a team has a server of its own, none may keep the store: what one
proposes, the others find at their next call.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from arandu_lab.store.lent import lent
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.operations import Toolbox


@dataclass(frozen=True)
class Lending:
    """Lends out the box of one agent.

    Args:
        opened: Opens the workspace; it waits for whoever has the store, and raises ``BackendError`` when that takes too long.
        boxed: Makes the agent's box of an open workspace.
    """

    opened: Callable[[], Workspace]
    boxed: Callable[[Workspace], Toolbox]
    _out: list[Workspace] = field(default_factory=list, repr=False, compare=False)

    @asynccontextmanager
    async def box(self) -> AsyncIterator[Toolbox]:
        """The box, while the store is ours. The caller lends one at a time."""
        async with lent(self.opened) as workspace:
            self._out.append(workspace)
            try:
                yield self.boxed(workspace)
            finally:
                self._out.remove(workspace)

    def close(self) -> None:
        """Give back what is lent out, for whoever stops in the middle of a call."""
        for workspace in self._out:
            workspace.close()


@dataclass(frozen=True)
class Held:
    """A box over a workspace that somebody else opened and will close."""

    toolbox: Toolbox

    @asynccontextmanager
    async def box(self) -> AsyncIterator[Toolbox]:
        """The box."""
        yield self.toolbox
