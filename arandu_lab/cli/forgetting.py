"""Forgetting from the command line: what would go, what went, and where nobody looked."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arandu_lab.cli.app import app
from arandu_lab.errors import ConfigError

if TYPE_CHECKING:
    from arandu_lab.memory import Memory


@app.command()
def forget(
    store: Annotated[Path, typer.Argument(help="The folder of a memory.")],
    agent: Annotated[str, typer.Option(help="Whose memory.")],
    fact: Annotated[str | None, typer.Option(help="A statement by its id, with all its versions.")] = None,
    entity: Annotated[str | None, typer.Option(help="An entity by its key, as in person:otto.")] = None,
    event: Annotated[str | None, typer.Option(help="A turn by its id.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All of this agent.")] = False,
    also: Annotated[
        list[Path] | None, typer.Option(help="A result, export, recording or folder of them; may be repeated.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would go, and change nothing.")] = False,
) -> None:
    """Erase a statement, an entity, a turn or an agent with all that was made from it, and prove that it is gone."""
    with opened(store) as memory:
        done = memory.forget(
            agent, fact_id=fact, entity=entity, event=event, everything=everything, also=also or (), dry_run=dry_run
        )
    typer.echo(str(done))
    if not dry_run and not done.clean:
        raise typer.Exit(4)


def opened(path: Path) -> Memory:
    """A memory whose store is there already, with no embedder but the name of its own: nothing is embedded here.

    Raises:
        ConfigError: no store is there.
    """
    from arandu_lab.config import MemoryConfig
    from arandu_lab.llm.open import open_minds
    from arandu_lab.memory import Memory
    from arandu_lab.presets import read, write
    from arandu_lab.store import Store
    from arandu_lab.store.tables import Tables

    if not (path / "meta.lance").is_dir():
        raise ConfigError(f"{path}: no memory is there (a memory's folder holds meta.lance)")
    tables = Tables(str(path))
    tables.open("meta")
    meta = tables.meta()
    store = Store.open(path, embedder_name=meta["embedder_name"], embedder_dim=int(meta["embedder_dim"]))
    minds = open_minds("offline/rules")
    return Memory(store, minds, None, config=MemoryConfig(), write=write(), read=read(), clock=_now)


def _now() -> datetime:
    return datetime.now(UTC)
