"""What is in the box, and what a memory makes of a message."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arandu_lab.cli.app import app
from arandu_lab.errors import BackendError, ConfigError


@app.command()
def systems() -> None:
    """The systems in the box, with what each is and takes."""
    from rich.table import Table
    from rich.text import Text

    from arandu_lab.bench.plan import Row
    from arandu_lab.bench.rows import filled, is_memory
    from arandu_lab.bench.shown import NARROW, console
    from arandu_lab.systems.arandu import ARANDU_TOLD, Arandu
    from arandu_lab.systems.controls import CONTROLS
    from arandu_lab.systems.open import WORKSPACE, known_systems
    from arandu_lab.systems.workspace import WorkspaceSystem

    table = Table("system", "what it is", "settings", box=None, header_style="dim", pad_edge=False)
    for name in known_systems():
        made = Arandu if is_memory(name) else WorkspaceSystem if name == WORKSPACE else CONTROLS[name]
        doc = made.__doc__ or ""
        first = " ".join(doc.strip().split("\n\n")[0].split()).replace("``", "")
        if is_memory(name):
            settings = "llm embedder calibration template, every setting of `arandu-lab config`"
            first += f" {ARANDU_TOLD[name]}"
        else:
            settings = " ".join(filled(Row(name=name, base=name)))
        table.add_row(Text(name, style="bold"), Text(first), Text(settings, style="dim"))
    console().print(table, width=NARROW)


@app.command()
def datasets(
    data: Annotated[Path | None, typer.Option(help="A folder to look in, beside our own.")] = None,
) -> None:
    """The datasets known by name, and where they lie."""
    from arandu_lab.bench.cards import plain_card
    from arandu_lab.bench.data.registry import available
    from arandu_lab.bench.shown import console, grid

    table = available(data).select("name", "language", "licence", "path", "origin")
    console().print(grid(plain_card(table), "datasets"))


@app.command()
def config(
    as_toml: Annotated[bool, typer.Option("--toml", help="As lines for a [system.NAME] table.")] = False,
) -> None:
    """Every setting of the memory: name, range, default, and what it does."""
    from arandu_lab.config import MemoryConfig

    if as_toml:
        from arandu_lab.bench.toml import value

        for row in MemoryConfig.table():
            default = value(getattr(MemoryConfig(), row["name"]))
            typer.echo(f"# {row['doc']}  ({row['type']})\n{row['name']} = {default}\n")
        return
    from rich.table import Table
    from rich.text import Text

    from arandu_lab.bench.shown import NARROW, console
    from arandu_lab.presets import own_settings

    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("setting", no_wrap=True)
    for head in ("type and range", "default", ""):
        table.add_column(head)
    for row in MemoryConfig.table():
        table.add_row(*(Text(row[key]) for key in ("name", "type", "default", "doc")))
    console().print(table, width=NARROW)
    own = Table("stage", "brings its own", "type and range", "default", box=None, header_style="dim", pad_edge=False)
    for row in own_settings():
        own.add_row(*(Text(row[key]) for key in ("stage", "name", "type", "default")))
    console().print()
    console().print(own, width=NARROW)


@app.command()
def extract(
    sentence: Annotated[str, typer.Argument(help="A message, in English or Portuguese.")],
    speaker: Annotated[str, typer.Option(help="Who says it.")] = "Ana",
    at: Annotated[str, typer.Option(help="When, ISO 8601 with an offset; dates in it are resolved from there.")] = "",
    llm: Annotated[str, typer.Option(help="The model.")] = "offline/rules",
) -> None:
    """What a memory would store of a message: a dry run that keeps nothing."""
    import asyncio
    from datetime import UTC, datetime

    from arandu_lab.bench.cards import Card
    from arandu_lab.bench.shown import console, grid
    from arandu_lab.memory import Memory

    try:
        moment = datetime.fromisoformat(at) if at else datetime.now(UTC)
        if moment.tzinfo is None:
            raise ConfigError(f"--at {at}: wants an offset, as in 2025-01-01T12:00:00-03:00")
    except ValueError:
        raise ConfigError(f"--at {at!r}; wants a moment such as 2024-03-09T14:00:00-03:00") from None
    with Memory.open("memory://", llm=llm) as memory:
        written = asyncio.run(memory.write("reader", sentence, speaker, occurred_at=moment, dry_run=True))
    if not written.success:
        raise BackendError(written.error or "no answer", kind="refused", backend=llm, stage="extract")
    cells = [(one.action, one.fact.entity_name, one.fact.text) for one in written.decided]
    console().print(grid(Card(("action", "about", "fact"), tuple(cells)), f"{speaker}, {moment:%Y-%m-%d}: {sentence}"))
