"""A workspace for agents of other programs: its tools over MCP, on stdin and stdout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arandu_lab.cli.app import app, say
from arandu_lab.cli.explaining import store_embedder

if TYPE_CHECKING:
    from arandu_lab.workspace.operations import Toolbox


@app.command()
def mcp(
    store: Annotated[Path, typer.Argument(help="The folder of the store; a new one is made where none is.")],
    workspace: Annotated[str, typer.Option(help="The id of the workspace.")],
    agent: Annotated[str, typer.Option(help="Who calls: its notes and its observations are its own.")],
    role: Annotated[str, typer.Option(help="The agent's role, which grants are written on.")],
    repo: Annotated[
        str | None, typer.Option(help="The repository it works in: what is known of it comes first.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="The session's name; the moment of the start by default.")] = None,
    rpc: Annotated[bool, typer.Option("--rpc", help="Offer grants, lexical search and meetings too.")] = False,
    embedder: Annotated[
        str | None, typer.Option(help="The store's own by default; 'none' for a workspace without vectors.")
    ] = None,
) -> None:
    """Serve the operations of a workspace to an MCP host over stdio, until stdin closes."""
    import asyncio
    import logging
    import sys
    from datetime import UTC, datetime

    from arandu_lab.workspace.face import Workspace

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="arandu-lab: %(name)s: %(message)s")
    there = (store / "meta.lance").is_dir()
    named = store_embedder(store, embedder) if there else embedder
    with Workspace.open(store, workspace=workspace, embedder=named) as opened:
        started = datetime.now(UTC).isoformat(timespec="seconds")
        named_session = started if session is None else session
        box = opened.toolbox(agent, role=role, repo=repo, session_id=named_session, rpc=rpc)
        say(f"workspace {workspace} in {store}{'' if there else ' (new)'}, for {agent} as {role}; stdin ends it")
        asyncio.run(_serve(box))


async def _serve(box: Toolbox) -> None:
    """Serve; a signal to stop gives the store back at once, because a thread that reads stdin cannot be called off."""
    import asyncio
    import os
    import signal
    from contextlib import suppress

    from arandu_lab.workspace.mcp import serve

    def stop(number: int) -> None:
        try:
            box.workspace.close()
        finally:
            say("stopped")
            os._exit(128 + number)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has no such handlers
            loop.add_signal_handler(number, stop, number)
    await serve(box)
    box.workspace.count_recalls()  # here, where a signal waits until it is done
