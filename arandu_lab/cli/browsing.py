"""The memory browser from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arandu_lab.cli.app import app
from arandu_lab.cli.explaining import store_embedder
from arandu_lab.errors import BackendError, ConfigError


@app.command()
def browse(
    store: Annotated[Path, typer.Argument(help="The folder of a memory or of a workspace.")],
    agent: Annotated[
        str | None, typer.Option(help="Only this agent or workspace; all of the store by default.")
    ] = None,
    port: Annotated[int, typer.Option(help="0 takes a free one.", min=0, max=65535)] = 0,
    read_only: Annotated[bool, typer.Option("--read-only", help="Look, and change nothing.")] = False,
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
    try:
        found = opened(
            store, agent=agent, llm=llm, embedder=store_embedder(store, embedder), read_only=read_only, shared=True,
            by=by.strip(),
        )  # fmt: skip
    except (BackendError, ConfigError) as error:
        raise _said_here(error) from None
    try:
        serve(found, port=port, ready=lambda address: typer.echo(f"{address}\nCtrl-C stops."))
    except OSError as error:
        raise ConfigError(f"port {port}: {error.strerror}; --port 0 takes a free one") from None
    finally:
        found.close()


def _said_here(error: BackendError | ConfigError) -> BackendError | ConfigError:
    """The error with the way out that this command has, where another process or the file system lets nobody write.

    >>> held = "s is being written by process 7; waited 10 s. Close that writer, or open with read_only=True"
    >>> print(_said_here(BackendError(held, kind="lease", backend="store")))
    store: lease: s is being written by process 7; close that writer, or look with --read-only
    >>> print(_said_here(ConfigError("s cannot be written by this user; open it with read_only=True")))
    s cannot be written by this user; open it with --read-only
    """
    if isinstance(error, ConfigError):
        said = str(error)
        return ConfigError(said.replace("read_only=True", "--read-only")) if "read_only=True" in said else error
    if error.kind != "lease":
        return error
    holder = error.message.partition("; waited")[0]
    return BackendError(f"{holder}; close that writer, or look with --read-only", kind="lease", backend=error.backend)
