"""The gate: a run against the baseline that was kept, for a build to pass or fail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arandu_lab.cli.app import OUT, app, check_out, say

if TYPE_CHECKING:
    from arandu_lab.bench.gate.judge import Texts
    from arandu_lab.bench.plan import Plan


@app.command()
def gate(
    baseline: Annotated[Path, typer.Option(help="The folder of the baseline: results/baselines/quickstart.")],
    result: Annotated[
        str | None, typer.Argument(help="A result: its address, the beginning of one, or its folder.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="Run this file first, and judge that.")] = None,
    data: Annotated[Path | None, typer.Option(help="The file of its dataset, or a folder to look in.")] = None,
    out: Annotated[Path, typer.Option(help="Where results lie.")] = OUT,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replay what is already known.")] = False,
    tolerance: Annotated[
        list[str] | None,
        typer.Option(
            help="Limits: quality=0.05, failed=0, tokens=0.1, calls=0.1, time=1.0. level=0.95: that of the whole gate, "
            "against noise within them. May be repeated."
        ),
    ] = None,
    control: Annotated[str | None, typer.Option(help="The system that times are put in ratio to.")] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Make this run the baseline, whatever the judgement.")
    ] = False,
    docs: Annotated[
        Path | None,
        typer.Option(help="A document whose figures of this baseline must be the run's; --update writes them."),
    ] = None,
    page: Annotated[Path | None, typer.Option(help="Append the judgement to this file, as Markdown.")] = None,
    every: Annotated[
        bool, typer.Option("--every", help="Show every figure with its tolerance, not only what regressed.")
    ] = False,
) -> None:
    """Judge a run by its baseline. Exit 0: as good; 1: a regression; 2: not comparable; 3: the run is broken."""
    import traceback

    from arandu_lab.errors import AranduError, ConfigError

    try:
        code = _judged(baseline, result, config, data, out, jobs, force, tolerance, control, update, docs, page, every)
    except ConfigError:
        raise
    except AranduError as error:
        say(str(error))
        code = 3
    except typer.Exit:
        raise
    except Exception:  # noqa: BLE001 - a fault of the program must not be read as a regression, whose code is 1
        typer.echo(traceback.format_exc(), err=True)
        say("a fault of the program, shown above: nothing was judged")
        code = 3
    if code:
        raise typer.Exit(code)


def _judged(
    baseline: Path,
    result: str | None,
    config: Path | None,
    data: Path | None,
    out: Path,
    jobs: int | None,
    force: bool,
    tolerance: list[str] | None,
    control: str | None,
    update: bool,
    docs: Path | None,
    page: Path | None,
    every: bool,
) -> int:
    from arandu_lab.bench.gate import Tolerance, docs_differ, write_baseline, write_figures
    from arandu_lab.bench.gate import gate as judge
    from arandu_lab.bench.gate.health import broken
    from arandu_lab.bench.made import find_result, read_result
    from arandu_lab.errors import ConfigError

    limits = Tolerance.of(tolerance or ())
    if (result is None) == (config is None):
        raise ConfigError("gate wants a result or --config FILE, one of the two")
    if not update and not (baseline / "made.toml").is_file():
        raise ConfigError(f"--baseline {baseline}: no baseline lies there; --update makes one of this run")
    if docs is not None and not docs.is_file():
        raise ConfigError(f"--docs {docs}: no such file")
    if page is not None and (page.is_dir() or not page.absolute().parent.is_dir()):
        raise ConfigError(f"--page {page}: no file can be written there")
    folder = find_result(result, out) if result is not None else _run(config or Path(), data, out, jobs, force)
    plan, frames = now = read_result(folder)
    name, code = baseline.name, 0
    if (baseline / "made.toml").is_file():
        verdict = judge(baseline, now, tolerance=limits, control=control, texts=_texts(plan, data))
        typer.echo("\n".join(verdict.lines(every=every)))
        if page is not None:
            with page.open("a", encoding="utf-8") as file:
                file.write(verdict.markdown())
        code = verdict.code
    if update:
        if wrong := broken(plan, frames):
            say(f"a broken run is no baseline: {wrong[0]}")
            return 3
        typer.echo(f"baseline: {write_baseline(folder, baseline)}")
        if docs is not None:
            write_figures(docs, name, now)
        return 0
    if docs is not None and code == 0 and (said := docs_differ(docs, name, now)) is not None:
        typer.echo(said)
        return 1
    return code


def _run(config: Path, data: Path | None, out: Path, jobs: int | None, force: bool) -> Path:
    """The folder of a run of a file, what is known reused."""
    from dataclasses import replace

    from arandu_lab.bench.frames import frames
    from arandu_lab.bench.made import complete, write_result
    from arandu_lab.bench.plan import read_plan
    from arandu_lab.bench.run import cassette_of, load_datasets, planned, replayed
    from arandu_lab.bench.shown import Shown, console

    check_out(out)
    plan = read_plan(config)
    plan = replace(plan, data=str(data) if data else plan.data, jobs=jobs or plan.jobs)
    if (tape := cassette_of(plan, out)) is not None:
        plan = replace(plan, cassette=tape.path, replay=tape.mode)
    made = planned(plan, load_datasets(plan))
    folder = out / made.address
    if not force and plan.replay != "record" and complete(folder):
        return folder
    with Shown(console()) as watcher:
        replayed(made, out / ".steps", force=force, watcher=watcher, cassette=tape)
    return write_result(made, frames(made), out)


def _texts(plan: Plan, data: Path | None) -> Texts:
    """The words of every question, where the data are at hand; empty where they are not."""
    from dataclasses import replace

    from arandu_lab.bench.run import load_datasets
    from arandu_lab.errors import ConfigError, DatasetError

    try:
        found = load_datasets(replace(plan, data=str(data) if data else plan.data))
    except (ConfigError, DatasetError) as error:
        say(f"questions are told by their ids, their words are not at hand: {error}")
        return {}
    return {
        (dataset.name, conversation.id, question.id): question.text
        for dataset in found.values()
        for conversation in dataset
        for question in conversation.questions
    }
