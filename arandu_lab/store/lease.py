"""One writer per store directory: a kernel lock on ``writer.lock`` that dies with its process.

The file names its holder (pid, host, command) for the message that a second process gets at its deadline. Readers need
no lease. Within one process ``Store.open`` hands out the store that already holds it.
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

FILE = "writer.lock"


class Lease:
    """The exclusive right to write under a directory, held until ``release``."""

    def __init__(self, directory: Path, *, timeout: Seconds) -> None:
        """Wait for the lease up to ``timeout`` seconds.

        Raises:
            BackendError: ``kind="lease"``: another process still holds it; the message names that process.
        """
        self._path = directory / FILE
        self._file: int | None = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        deadline = time.monotonic() + timeout
        while not self._taken():
            if time.monotonic() >= deadline:
                holder = _holder(self._path)
                self._close()
                raise BackendError(
                    f"{directory} is being written by {holder}; waited {timeout:g} s. Close that writer, "
                    "wait longer (lease_timeout=), or open with read_only=True",
                    kind="lease",
                    backend="store",
                )
            time.sleep(0.02)
        owner = {"pid": os.getpid(), "host": socket.gethostname(), "command": " ".join(sys.argv)[:200]}
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, json.dumps(owner).encode(), 0)

    def release(self) -> None:
        """Let the next writer in; safe to call twice."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            self._close()

    def _taken(self) -> bool:
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _holder(path: Path) -> str:
    try:
        owner = json.loads(path.read_text())
    except (OSError, ValueError):
        return "another process"
    return f"process {owner.get('pid')} on {owner.get('host')} ({owner.get('command')})"
