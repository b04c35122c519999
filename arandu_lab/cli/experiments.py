"""Runs over datasets, and the difference between two of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arandu_lab.cli.app import OUT, app, check_out, say

if TYPE_CHECKING:
    from arandu_lab.bench.frames import Frames
    from arandu_lab.bench.plan import Plan
    from arandu_lab.bench.run import Run
    from arandu_lab.llm.cassette import Cassette


@app.command()
def run(
    config: Annotated[Path, typer.Argument(help="A TOML file: configs/quickstart.toml, or made.toml of a result.")],
    data: Annotated[Path | None, typer.Option(help="The file of its dataset, or a folder to look in.")] = None,
    out: Annotated[Path, typer.Option(help="Where results are written.")] = OUT,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Only this system; may be repeated.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replay what is already known.")] = False,
    cassette: Annotated[Path | None, typer.Option(help="The file that answers of models are kept in.")] = None,
    replay: Annotated[str, typer.Option(help="record, replay (ask what is missing), or replay-only (never ask).")] = "",
) -> None:
    """Replay conversations into systems, ask the questions at their dates, print the tables, write the report."""
    from dataclasses import replace

    from rich.markup import escape

    from arandu_lab.bench.frames import frames
    from arandu_lab.bench.made import complete, read_result, write_result
    from arandu_lab.bench.pilot import foreseen
    from arandu_lab.bench.plan import read_plan
    from arandu_lab.bench.report import quality_of
    from arandu_lab.bench.run import cassette_of, load_datasets, planned, replayed
    from arandu_lab.bench.shown import Shown, console
    from arandu_lab.llm.cassette import checked

    check_out(out)
    plan = read_plan(config)
    plan = replace(plan, data=str(data) if data else plan.data, jobs=jobs or plan.jobs).only(only or [])
    plan = replace(plan, cassette=str(cassette or plan.cassette), replay=checked(replay) if replay else plan.replay)
    if (tape := cassette_of(plan, out)) is not None:
        plan = replace(plan, cassette=tape.path, replay=tape.mode)
    shown = console()
    made = planned(plan, load_datasets(plan))
    if plan.made and plan.made.get("code") != made.code:
        shown.print("[yellow]the code is not the code this was made with; the address will be another[/]")
    folder = out / made.address
    if not force and plan.replay != "record" and complete(folder):
        _, known = read_result(folder)
        _show(made, known, folder, reused=len(made.replays))
        _answer(plan, folder, tape)
        return
    rows = [row.name for row in plan.rows]
    for line in foreseen(made.datasets, quality_of(made), out, systems=rows):
        shown.print(f"[dim]{escape(line)}[/]")
    try:
        with Shown(shown) as watcher:
            replayed(made, out / ".steps", force=force, watcher=watcher, cassette=tape)
        results = frames(made)
        folder = write_result(made, results, out)
    except KeyboardInterrupt:
        say(f"stopped; the steps that were finished are kept in {out / '.steps'}, the same command goes on from there")
        raise typer.Exit(130) from None
    _show(made, results, folder, reused=len(made.reused))
    _answer(plan, folder, tape)


@app.command()
def compare(
    before: Annotated[str, typer.Argument(help="A result: its address, the beginning of one, or its folder.")],
    after: Annotated[str, typer.Argument(help="Another one.")],
    out: Annotated[Path, typer.Option(help="Where results lie.")] = OUT,
) -> None:
    """The differences between two results, question by question, and what may be said of them. Unlike results are refused."""
    from rich.markup import escape

    from arandu_lab.bench.cards import count, percent, plain_card, third
    from arandu_lab.bench.compare import compared
    from arandu_lab.bench.made import find_result, read_result
    from arandu_lab.bench.measures import parse
    from arandu_lab.bench.shown import console, grid

    table = compared(*(read_result(find_result(name, out)) for name in (before, after)))
    shares = dict.fromkeys(("before", "after", "difference", "low", "high"), percent)
    shown = table.drop("ties", "p", "verdict")
    card = plain_card(
        shown, **shares, sign_flip=third, p_holm=third, design_effect=third, tokens_before=count, tokens_after=count
    )
    terminal = console()
    terminal.print(grid(card, "after − before, paired by question; intervals over conversations (percent)"))
    if falling := [one for one in table["measure"].unique(maintain_order=True) if parse(one).falls]:
        terminal.print(f"[dim]less is better of {escape(', '.join(falling))}; wins are what is better, everywhere[/]")
    for row in table.iter_rows(named=True):
        terminal.print(escape(f"{row['dataset']}, {row['system']}, {row['measure']}: {row['verdict']}"))


def _answer(plan: Plan, folder: Path, tape: Cassette | None) -> None:
    """The last step of a run that wants one: answers from the contexts."""
    from arandu_lab.cli.answering import show_answers

    if plan.answer:
        given = dict(plan.answer)
        show_answers(str(folder), model=given.pop("model"), out=folder.parent, cassette=tape, **given)


def _show(made: Run, results: Frames, folder: Path, *, reused: int) -> None:
    from arandu_lab.bench import tables
    from arandu_lab.bench.report import quality_of
    from arandu_lab.bench.shown import console, language, show_end, show_tables
    from arandu_lab.bench.taught import taught

    shown = console()
    titles = {name: f"{name} ({language(one.language)})" for name, one in made.datasets.items()}
    remarks = taught(made.plan.rows, made.datasets)
    show_tables(shown, results, made.plan.measures, titles, quality_of(made), made.plan.costs, remarks)
    show_end(shown, folder, len(made.replays) - reused, reused)
    others = results.errors.filter(~results.errors["phase"].is_in(["listen", "ask"]))
    short = tables.coverage(results).filter(_below(made.plan.coverage))
    if not short.is_empty():
        said = "; ".join(
            f"{row['system']} × {row['dataset']}: {row['answered']} of {row['questions']} questions answered, "
            f"{row['lost']} of {row['heard']} turns lost"
            for row in short.iter_rows(named=True)
        )
        say(f"the run failed in part, its nulls are no zeros: {said}")
        raise typer.Exit(4)
    if made.plan.coverage == 1 and not others.is_empty():
        one = others.row(0, named=True)
        said = f"{one['system']} × {one['dataset']}, {one['phase']}: {one['message']}"
        say(f"every question was answered, but this came after ({others.height} in all): {said}")
        raise typer.Exit(4)


def _below(least: float) -> Any:
    import polars as pl

    return (pl.col("share") < least) | (pl.col("answered") == 0)
