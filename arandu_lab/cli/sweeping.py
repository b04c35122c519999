"""A system under many settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arandu_lab.cli.app import OUT, app, check_out, say


@app.command()
def sweep(
    config: Annotated[Path, typer.Argument(help="A TOML file: configs/sweep.toml, or made.toml of a sweep.")],
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it would cost, and do nothing.")] = False,
    cap: Annotated[str | None, typer.Option(help='The most to pay: "2.50 USD" or "200k tokens".')] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes.")] = None,
    backend: Annotated[str | None, typer.Option(help="Who works: loky, threading, dask, ray.")] = None,
    data: Annotated[Path | None, typer.Option(help="The file of its dataset, or a folder to look in.")] = None,
    out: Annotated[str, typer.Option(help="Where results are written: a folder, or s3://bucket/place.")] = str(OUT),
) -> None:
    """Measure a system under many settings: what each one does, which is best, and whether it still is on other questions."""
    from dataclasses import replace

    from rich.markup import escape

    from arandu_lab.bench.shown import console, grid
    from arandu_lab.bench.sweeps.costs import cap_of
    from arandu_lab.bench.sweeps.page import costs_said, named, settings_card
    from arandu_lab.bench.sweeps.plan import read_sweep_plan
    from arandu_lab.bench.sweeps.run import estimated_plan, swept
    from arandu_lab.errors import ConfigError

    if "://" not in out:
        out = str(check_out(Path(out)))
    plan = read_sweep_plan(config)
    plan = replace(
        plan,
        cap=cap_of(cap) or plan.cap,
        jobs=jobs or plan.jobs,
        backend=backend or plan.backend,
        data=str(data) if data else plan.data,
    )
    shown = console()
    if estimate:
        shown.print(escape(str(estimated_plan(plan, results=out))))
        return
    try:
        found = swept(plan, results=out, before=lambda cost: shown.print(f"[dim]{escape(str(cost))}[/]\n"))
    except KeyboardInterrupt:
        say(f"stopped; what was finished is kept in {out}, the same command goes on from there")
        raise typer.Exit(130) from None
    for measure in found.measures:
        shown.print(grid(settings_card(found, measure), f"{named(measure)} on the training questions"))
        try:
            shown.print(escape(f"\n{found.best(measure)}\n"))
        except ConfigError as error:
            shown.print(f"[dim]{escape(str(error))}[/]\n")
    shown.print(f"[dim]{escape(costs_said(found))}[/]\n\nReport: {found.folder}/report.html")
    if not found.errors.is_empty():
        one = found.errors.row(0, named=True)
        say(
            f"the sweep failed in part, its nulls are no zeros: {found.errors.height} errors, the first at"
            f" {one['where']}: {one['message']}"
        )
        raise typer.Exit(4)
