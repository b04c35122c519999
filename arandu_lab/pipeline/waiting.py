"""Waiting for a coroutine from plain code, in a program and in a notebook's cell alike."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def waited(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, inside a running event loop (a notebook's cell) and outside.

    >>> waited(asyncio.sleep(0, "done"))
    'done'
    """
    if not _running():
        return asyncio.run(work)
    told: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            told.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - raised again below, in the thread of the caller
            failed.append(error)

    thread = threading.Thread(target=run, name="arandu-waited")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return told[0]


def _running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
