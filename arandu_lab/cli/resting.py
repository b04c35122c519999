"""Background jobs from the command line: what would change, then change it; and the directives they found."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arandu_lab.cli.app import app
from arandu_lab.cli.explaining import moment, settings_of, store_embedder
from arandu_lab.errors import BackendError, ConfigError, nearest

if TYPE_CHECKING:
    from arandu_lab.jobs.results import CycleResult
    from arandu_lab.memory import Memory


@app.command()
def jobs(
    store: Annotated[Path, typer.Argument(help="The folder of a memory.")],
    agent: Annotated[str, typer.Option(help="Whose memory.")],
    only: Annotated[list[str] | None, typer.Option(help="A job by name; may be repeated. All by default.")] = None,
    without: Annotated[list[str] | None, typer.Option(help="A job to leave out; may be repeated.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would change, and change nothing.")] = False,
    now: Annotated[str | None, typer.Option(help="The moment at which they run: ISO 8601 with an offset.")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help="A setting, NAME=VALUE; may be repeated.")] = None,
    rows: Annotated[int, typer.Option(help="Most changed rows that are shown of each job.")] = 12,
    llm: Annotated[str, typer.Option(help="The model that is asked.")] = "offline/rules",
    embedder: Annotated[str | None, typer.Option(help="The store's own by default.")] = None,
) -> None:
    """Run the background jobs over a memory in the recommended order: scores, summaries, clusters, patterns, what is stale."""
    import asyncio

    from arandu_lab.bench.shown import console

    given: dict[str, Any] = {
        "only": only or None,
        "without": without or (),
        "now": moment("--now", now),
        "config_overrides": settings_of(setting) or None,
        "dry_run": dry_run,
    }
    with _resting(store, llm, embedder) as memory:
        _known(memory, agent)
        screen = console(stderr=True)
        turning = screen.status("…") if screen.is_terminal else nullcontext()
        with turning as status:
            tick = None if status is None else lambda name: status.update(name.replace("_", " "))
            done = asyncio.run(memory.jobs.cycle(agent, tick=tick, **given))
    _show(done, rows)
    if not done.success:
        failed = next(one for one in done.results if not one.success)
        raise BackendError(f"{failed.job}: {failed.error}", kind=failed.failures[-1].kind, backend=llm)


@app.command()
def directives(
    store: Annotated[Path, typer.Argument(help="The folder of a memory.")],
    agent: Annotated[str, typer.Option(help="Whose memory.")],
    max_tokens: Annotated[int, typer.Option(help="Most tokens of the block.")] = 300,
) -> None:
    """How the agent is to behave, as consolidation found it asked for; a block to put before a model."""
    with _resting(store, "offline/rules", None, read_only=True) as memory:
        _known(memory, agent)
        text = memory.directives(agent, max_tokens=max_tokens)
    typer.echo(
        text or "no directives; consolidation finds them: arandu-lab jobs STORE --agent A --only run_consolidation"
    )


def _show(done: CycleResult, most: int) -> None:
    from rich.table import Table
    from rich.text import Text

    from arandu_lab.bench.shown import console

    table = Table("job", "", box=None, header_style="dim", pad_edge=False)
    for one in done.results:
        cost = f"  ({one.usage.calls} calls, {one.usage.total_tokens} tokens)" if one.usage.calls else ""
        table.add_row(Text(one.job, style="bold"), Text(str(one).partition(": ")[2] + cost))
        for changed in one.changed[:most]:
            table.add_row("", Text(f"{changed.what:<9} {changed.told}", style="dim", overflow="ellipsis", no_wrap=True))
        if len(one.changed) > most:
            table.add_row("", Text(f"… and {len(one.changed) - most} more (--rows)", style="dim"))
        for left in one.left[:3]:
            table.add_row("", Text(f"left: {left.what}: {left.why}", style="yellow"))
    console().print(table)


def _known(memory: Memory, agent: str) -> None:
    if agent not in (known := memory.store.agents()):
        raise ConfigError(f"{memory.store.path} knows no agent {agent!r}; {nearest(agent, known)}")


def _resting(path: Path, llm: str, embedder: str | None, *, read_only: bool = False) -> Memory:
    from arandu_lab.memory import Memory

    return Memory.open(path, llm=llm, embedder=store_embedder(path, embedder), read_only=read_only)
