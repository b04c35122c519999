"""Learning a blend of the columns of evidence on any set whose questions have evidence."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from arandu_lab.cli.app import OUT, app, check_out, say
from arandu_lab.errors import ConfigError


@app.command(name="fit-blend")
def fit_blend(
    config: Annotated[Path, typer.Argument(help="A TOML file: configs/blend.toml.")],
    out: Annotated[Path, typer.Option(help="The file of the blend.")],
    sets: Annotated[list[str] | None, typer.Option(help="Learn from this set instead; may be repeated.")] = None,
    data: Annotated[Path | None, typer.Option(help="A folder with sets, or the file of the only one.")] = None,
    results: Annotated[Path, typer.Option(help="Where the report and collected columns are written.")] = OUT,
    jobs: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replay what is already known.")] = False,
) -> None:
    """Learn how much each column of evidence counts, and judge it with conversations held out."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from arandu_lab.bench.blends.fitting import fit_blend as fit
    from arandu_lab.bench.blends.plan import read_blend_plan
    from arandu_lab.bench.blends.report import address, bends_card, summary, summary_card, weights_card, write_report
    from arandu_lab.bench.shown import console, grid

    check_out(results)
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise ConfigError(f"--out {out}: wants a file in a folder that is there, e.g. my_blend.json")
    plan = read_blend_plan(config).over(sets or [])
    shown = console()
    began = time.perf_counter()
    bars = (TextColumn("{task.description}"), BarColumn(bar_width=32), MofNCompleteColumn())
    with Progress(
        *bars, TimeElapsedColumn(), TimeRemainingColumn(), console=shown, transient=True, disable=not shown.is_terminal
    ) as progress:
        bar = progress.add_task(plan.name, total=None)

        def moved(what: str, done: int, of: int) -> None:
            progress.update(bar, description=what, completed=done, total=of)

        try:
            fitted = fit(plan, data=data, store=results / ".steps", jobs=jobs, force=force, watcher=moved)
        except KeyboardInterrupt:
            say(f"stopped; what was collected is kept in {results / '.steps'}, the same command goes on from there")
            raise typer.Exit(130) from None
    fitted.blend.save(out)
    folder = write_report(fitted, results / address(fitted))
    shown.print(
        grid(summary_card(summary(fitted.held)), "held out: share of the evidence among the k best turns (percent)")
    )
    shown.print(grid(weights_card(fitted.blend), f"weights of {fitted.blend.name}: z, rank, flag"))
    if fitted.blend.several:
        shown.print(grid(bends_card(fitted.blend), "what bends most: questions that want one turn, and several"))
    took = time.perf_counter() - began
    shown.print(
        f"\n{fitted.taught} questions learned from in {took:.0f} s. Blend: {out}  Report: {folder / 'report.md'}"
    )
