"""One queue per agent: tasks of an event loop in order of arrival, and event loops of other threads one after the other."""

from __future__ import annotations

import asyncio
import threading
import time
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arandu_lab.units import Seconds

PATIENCE: Seconds = 60.0
"""How long the task of another event loop is waited for. Beyond, both go on: the commit checks what it was drafted from."""


class Queues:
    """The queues of one store."""

    def __init__(self) -> None:
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Lock]] = (
            weakref.WeakKeyDictionary()
        )
        self._gates: dict[str, threading.Lock] = {}

    @asynccontextmanager
    async def of(self, agent_id: str) -> AsyncIterator[None]:
        """The agent's turn: one task at a time."""
        queues = self._loops.setdefault(asyncio.get_running_loop(), {})
        gate = self._gates.setdefault(agent_id, threading.Lock())
        async with queues.setdefault(agent_id, asyncio.Lock()):
            deadline = time.monotonic() + PATIENCE
            while not (mine := gate.acquire(blocking=False)) and time.monotonic() < deadline:
                await asyncio.sleep(0.002)
            try:
                yield
            finally:
                if mine:
                    gate.release()
