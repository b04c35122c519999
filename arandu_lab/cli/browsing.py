"""The memory browser from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arandu_lab.cli.app import app
from arandu_lab.cli.explaining import store_embedder
from arandu_lab.errors import ConfigError


@app.command()
def browse(
    store: Annotated[Path, typer.Argument(help="The folder of a memory or of a workspace.")],
    agent: Annotated[
        str | None, typer.Option(help="Only this agent or workspace; all of the store by default.")
    ] = None,
    port: Annotated[int, typer.Option(help="0 takes a free one.", min=0, max=65535)] = 0,
    read_only: Annotated[bool, typer.Option("--read-only", help="Look, and change nothing; others may write.")] = False,
    by: Annotated[str, typer.Option(help="Who corrects, in the records of workspaces.")] = "browser",
    llm: Annotated[str, typer.Option(help="The model that judges the questions asked under Why.")] = "offline/rules",
    embedder: Annotated[str | None, typer.Option(help="The store's own by default.")] = None,
) -> None:
    """Look into a memory and correct it on a local page; the address that is printed lets in who has it, and nobody else."""
    try:
        from arandu_lab.browse.serving import serve
    except ModuleNotFoundError as error:
        raise ConfigError(f"browsing needs {error.name}; install it with: pip install 'arandu-lab[browse]'") from None
    from arandu_lab.browse.opening import opened

    if not by.strip():
        raise ConfigError("--by wants a name")
    found = opened(
        store, agent=agent, llm=llm, embedder=store_embedder(store, embedder), read_only=read_only, by=by.strip()
    )
    try:
        serve(found, port=port, ready=lambda address: typer.echo(f"{address}\nCtrl-C stops."))
    except OSError as error:
        raise ConfigError(f"port {port}: {error.strerror}; --port 0 takes a free one") from None
    finally:
        found.close()
