"""Serving the pages on this machine alone, until somebody stops it."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from arandu_lab.browse.app import browser
from arandu_lab.browse.opening import Opened

LOOPBACK = "127.0.0.1"


def serve(store: Opened, *, port: int = 0, ready: Callable[[str], None] = print) -> None:
    """Serve until interrupted. ``ready`` is given the address with its token; ``port`` 0 takes a free one."""
    server, bound, address = _made(store, port)
    with bound:
        ready(address)
        server.run(sockets=[bound])


@contextmanager
def serving(store: Opened, *, port: int = 0) -> Iterator[str]:
    """The address of a server in a thread of its own, which stops with the block."""
    server, bound, address = _made(store, port)
    with bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join(10)


def _made(store: Opened, port: int) -> tuple[uvicorn.Server, socket.socket, str]:
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((LOOPBACK, port))
    bound.listen(128)  # whoever has the address may come before the server is up
    port = bound.getsockname()[1]
    token = secrets.token_urlsafe(32)
    config = uvicorn.Config(
        browser(store, token=token, port=port),
        log_level="warning",
        access_log=False,
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config), bound, f"http://{LOOPBACK}:{port}/?token={token}"
