"""A store for as long as a piece of work: opened in a thread, and given back whatever becomes of the work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar


class Closing(Protocol):
    """What holds a store."""

    def close(self) -> None:
        """Give it back."""
        ...


C = TypeVar("C", bound=Closing)


@asynccontextmanager
async def lent(opened: Callable[[], C]) -> AsyncIterator[C]:
    """What ``opened`` opens, closed behind the block.

    Opening may wait for whoever has the store, so it is done in a thread. A thread cannot be called off: where the caller is
    while it opens, what it opens is given back when it is there; and a second calling off does not keep it open.
    """
    opening = asyncio.ensure_future(asyncio.to_thread(opened))
    try:
        held = await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_given_back)
        raise
    try:
        yield held
    finally:
        await asyncio.shield(asyncio.to_thread(held.close))


def _given_back(opening: asyncio.Future[C]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
