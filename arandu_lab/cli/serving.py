"""A workspace for agents of other programs: its tools over MCP, on stdin and stdout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arandu_lab.cli.app import app, say
from arandu_lab.cli.explaining import store_embedder

if TYPE_CHECKING:
    from arandu_lab.workspace.lending import Lending


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

    from arandu_lab.embed.open import open_embedder
    from arandu_lab.memory.arguments import required
    from arandu_lab.workspace.face import Workspace
    from arandu_lab.workspace.lending import Lending
    from arandu_lab.workspace.naming import repository

    required(workspace=workspace, agent=agent, role=role, **({} if session is None else {"session": session}))
    repository(repo)  # all is looked at before a store is made
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="arandu-lab: %(name)s: %(message)s")
    there = (store / "meta.lance").is_dir()
    named = store_embedder(store, embedder) if there else embedder
    embed = named if named == "none" else open_embedder(named)  # made once; the store is opened for each call
    session_id = datetime.now(UTC).isoformat(timespec="seconds") if session is None else session
    lending = Lending(
        opened=lambda: Workspace.open(store, workspace=workspace, embedder=embed),
        boxed=lambda opened: opened.toolbox(agent, role=role, repo=repo, session_id=session_id, rpc=rpc),
    )
    say(f"workspace {workspace} in {store}{'' if there else ' (new)'}, for {agent} as {role}; stdin ends it")
    asyncio.run(_serve(lending))


async def _serve(lending: Lending) -> None:
    """Serve; a signal to stop gives the store back at once, because a thread that reads stdin cannot be called off."""
    import asyncio
    import os
    import signal
    from contextlib import suppress

    from arandu_lab.workspace.mcp import serve

    def stop(number: int) -> None:
        try:
            lending.close()
        finally:
            say("stopped")
            os._exit(128 + number)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has no such handlers
            loop.add_signal_handler(number, stop, number)
    await serve(lending)
