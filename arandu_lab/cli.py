"""The command line: ``arandu-lab run CONFIG`` and what stands around it.

Nothing heavy is imported before a command runs. An error of ours is one line on stderr and an exit code that says whose
move is next: 2 yours (configuration), 3 the data's, 4 a backend's (or a run that failed in part), 5 a regression; 1 is
a fault in this program. ``--debug`` shows the traceback.
"""

from __future__ import annotations

import os
import sys
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arandu_lab.errors import AranduError, BackendError, ConfigError, DatasetError, Regression

if TYPE_CHECKING:
    from arandu_lab.bench.frames import Frames
    from arandu_lab.bench.run import Run

app = typer.Typer(
    name="arandu-lab",
    help="A laboratory for the long-term memory of language-model agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
CODES: tuple[tuple[type[AranduError], int], ...] = (
    (ConfigError, 2),
    (DatasetError, 3),
    (BackendError, 4),
    (Regression, 5),
)
OUT = Path("results")
_ROOM = 400


@app.callback()
def common(debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False) -> None:
    """A laboratory for the long-term memory of language-model agents."""


@app.command()
def run(
    config: Annotated[Path, typer.Argument(help="A TOML file: configs/quickstart.toml, or made.toml of a result.")],
    data: Annotated[Path | None, typer.Option(help="The file of its dataset, or a folder to look in.")] = None,
    out: Annotated[Path, typer.Option(help="Where results are written.")] = OUT,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Only this system; may be repeated.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replay what is already known.")] = False,
) -> None:
    """Replay conversations into systems, ask the questions at their dates, print the tables, write the report."""
    from dataclasses import replace

    from arandu_lab.bench.frames import frames
    from arandu_lab.bench.made import complete, read_result, write_result
    from arandu_lab.bench.plan import read_plan
    from arandu_lab.bench.run import load_datasets, planned, replayed
    from arandu_lab.bench.shown import Shown, console

    _check_out(out)
    plan = read_plan(config)
    plan = replace(plan, data=str(data) if data else plan.data, jobs=jobs or plan.jobs).only(only or [])
    shown = console()
    made = planned(plan, load_datasets(plan))
    if plan.made and plan.made.get("code") != made.code:
        shown.print("[yellow]the code is not the code this was made with; the address will be another[/]")
    folder = out / made.address
    if not force and complete(folder):
        _, known = read_result(folder)
        _show(made, known, folder, reused=len(made.replays))
        return
    try:
        with Shown(shown) as watcher:
            replayed(made, out / ".steps", force=force, watcher=watcher)
        results = frames(made)
        folder = write_result(made, results, out)
    except KeyboardInterrupt:
        _say(f"stopped; the steps that were finished are kept in {out / '.steps'}, the same command goes on from there")
        raise typer.Exit(130) from None
    _show(made, results, folder, reused=len(made.reused))


@app.command()
def compare(
    before: Annotated[str, typer.Argument(help="A result: its address, the beginning of one, or its folder.")],
    after: Annotated[str, typer.Argument(help="Another one.")],
    out: Annotated[Path, typer.Option(help="Where results lie.")] = OUT,
) -> None:
    """The differences between two results, question by question. Results of different data are refused."""
    from arandu_lab.bench.cards import count, percent, plain_card, third
    from arandu_lab.bench.compare import compared
    from arandu_lab.bench.made import find_result, read_result
    from arandu_lab.bench.shown import console, grid

    table = compared(*(read_result(find_result(name, out)) for name in (before, after)))
    shares = dict.fromkeys(("before", "after", "difference", "low", "high"), percent)
    card = plain_card(table, **shares, sign_flip=third, tokens_before=count, tokens_after=count)
    console().print(grid(card, "after − before, paired by question; intervals over conversations (percent)"))


@app.command()
def systems() -> None:
    """The systems in the box, with what each is and takes."""
    from rich.table import Table
    from rich.text import Text

    from arandu_lab.bench.plan import Row
    from arandu_lab.bench.rows import filled, is_memory
    from arandu_lab.bench.shown import console
    from arandu_lab.systems.arandu import Arandu
    from arandu_lab.systems.controls import CONTROLS
    from arandu_lab.systems.open import known_systems

    table = Table("system", "what it is", "settings", box=None, header_style="dim", pad_edge=False)
    for name in known_systems():
        doc = (Arandu if is_memory(name) else CONTROLS[name]).__doc__ or ""
        first = " ".join(doc.strip().split("\n\n")[0].split()).replace("``", "")
        if is_memory(name):
            settings = "llm embedder template, every setting of `arandu-lab config`"
            first += (
                " Extraction asks once."
                if name == "arandu"
                else " Extraction asks for names, facts and relations apart."
            )
        else:
            settings = " ".join(filled(Row(name=name, base=name)))
        table.add_row(Text(name, style="bold"), Text(first), Text(settings, style="dim"))
    console().print(table)


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

    from arandu_lab.bench.shown import console
    from arandu_lab.presets import own_settings

    table = Table("setting", "type and range", "default", "", box=None, header_style="dim", pad_edge=False)
    for row in MemoryConfig.table():
        table.add_row(*(Text(row[key]) for key in ("name", "type", "default", "doc")))
    console().print(table)
    own = Table("stage", "brings its own", "type and range", "default", box=None, header_style="dim", pad_edge=False)
    for row in own_settings():
        own.add_row(*(Text(row[key]) for key in ("stage", "name", "type", "default")))
    console().print()
    console().print(own)


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


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; the exit code says whose move is next."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    try:
        code = app(args=[one for one in given if one != "--debug"], standalone_mode=False)
    except AranduError as error:
        if debug:
            raise
        _say(str(error))
        code = next(number for kind, number in CODES if isinstance(error, kind))
    except (typer.Abort, KeyboardInterrupt):
        _say("stopped")
        code = 130
    except typer.Exit as done:
        code = done.exit_code
    except Exception as error:  # noqa: BLE001 - the edge of the program: one line instead of a traceback
        code = _unexpected(error, debug)
    raise SystemExit(code or 0)


def _unexpected(error: Any, debug: bool) -> int:
    """A wrong command line, or a fault of ours."""
    if hasattr(error, "show") and hasattr(error, "exit_code"):
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
        else:
            at = error.ctx.command_path if getattr(error, "ctx", None) else "arandu-lab"
            _say(f"{error.format_message()} ({at} --help says what it takes)")
        return int(error.exit_code)
    if debug:
        raise error
    _say(f"{type(error).__name__}: {error} (a fault of the program; --debug shows where)")
    return 1


def _say(message: str) -> None:
    """One line on stderr, however many the message has; what does not fit is counted."""
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    fits = max(1, sum(total <= _ROOM for total in accumulate(map(len, lines))))
    more = f"; and {len(lines) - fits} more (--debug shows all)" if len(lines) > fits else ""
    typer.echo(f"arandu-lab: {'; '.join(lines[:fits])}{more}", err=True)


def _check_out(out: Path) -> None:
    there = next(one for one in (out, *out.absolute().parents) if one.exists())
    if not there.is_dir():
        raise ConfigError(f"--out {out}: {there} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ConfigError(f"--out {out}: {there} may not be written to")


def _show(made: Run, results: Frames, folder: Path, *, reused: int) -> None:
    from arandu_lab.bench import tables
    from arandu_lab.bench.report import quality_of
    from arandu_lab.bench.shown import console, language, show_end, show_tables

    shown = console()
    titles = {name: f"{name} ({language(one.language)})" for name, one in made.datasets.items()}
    show_tables(shown, results, made.plan.measures, titles, quality_of(made))
    show_end(shown, folder, len(made.replays) - reused, reused)
    others = results.errors.filter(~results.errors["phase"].is_in(["listen", "ask"]))
    short = tables.coverage(results).filter(_below(made.plan.coverage))
    if not short.is_empty():
        said = "; ".join(
            f"{row['system']} × {row['dataset']}: {row['answered']} of {row['questions']} questions answered, "
            f"{row['lost']} of {row['heard']} turns lost"
            for row in short.iter_rows(named=True)
        )
        _say(f"the run failed in part, its nulls are no zeros: {said}")
        raise typer.Exit(4)
    if made.plan.coverage == 1 and not others.is_empty():
        one = others.row(0, named=True)
        said = f"{one['system']} × {one['dataset']}, {one['phase']}: {one['message']}"
        _say(f"every question was answered, but this came after ({others.height} in all): {said}")
        raise typer.Exit(4)


def _below(least: float) -> Any:
    import polars as pl

    return (pl.col("share") < least) | (pl.col("answered") == 0)


if __name__ == "__main__":
    main()
