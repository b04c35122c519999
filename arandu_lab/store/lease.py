"""One writer per store directory: a kernel lock on ``writer.lock`` that dies with its process.

The file names its holder (pid, host, command) for the message that a second process gets at its deadline. Readers need
no lease. Within one process ``Store.open`` hands out the store that already holds it.

Whoever wants it waits at a second lock, ``writer.queue``, and keeps that until it has the first: a process that closes
and opens again at once stands behind the one that waited, and cannot starve it past its deadline.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys
import time
from pathlib import Path

from arandu_lab.errors import BackendError
from arandu_lab.units import Seconds

FILE, QUEUE = "writer.lock", "writer.queue"


class Lease:
    """The exclusive right to write under a directory, held until ``release``."""

    def __init__(self, directory: Path, *, timeout: Seconds) -> None:
        """Wait for the lease up to ``timeout`` seconds.

        Raises:
            BackendError: ``kind="lease"``: another process still holds it; the message names that process.
        """
        self._path = directory / FILE
        self._file: int | None = None
        began = time.monotonic()
        queue = _opened(directory / QUEUE)
        try:
            self._file = mine = _opened(self._path)
            for file in (queue, mine):
                while not _taken(file):
                    if time.monotonic() >= began + timeout:
                        holder = _holder(self._path)
                        raise BackendError(
                            f"{directory} is being written by {holder}; waited {timeout:g} s. Close that writer, "
                            "wait longer (lease_timeout=), or open with read_only=True",
                            kind="lease",
                            backend="store",
                        )
                    time.sleep(0.02)
        except BaseException:  # a deadline or Ctrl-C while waiting: the place in the queue goes back
            self._close()
            raise
        finally:
            os.close(queue)
        self.waited: Seconds = time.monotonic() - began
        owner = {"pid": os.getpid(), "host": socket.gethostname(), "command": " ".join(sys.argv)[:200]}
        os.ftruncate(mine, 0)
        os.pwrite(mine, json.dumps(owner).encode(), 0)

    def release(self) -> None:
        """Let the next writer in; safe to call twice."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)


def _taken(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(path: Path) -> str:
    try:
        owner = json.loads(path.read_text())
    except (OSError, ValueError):
        return "another process"
    return f"process {owner.get('pid')} on {owner.get('host')} ({owner.get('command')})"
