"""The instruments: worlds whose truth is known, the scorecard of every stage, the threshold lab."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from arandu_lab.cli.app import OUT, app, check_out, say


@app.command()
def world(
    config: Annotated[Path, typer.Option(help="A TOML file: configs/world.toml.")],
    out: Annotated[Path, typer.Option(help="The folder to make the world in.")],
    language: Annotated[list[str] | None, typer.Option(help="Only this language (en, pt); may be repeated.")] = None,
    held: Annotated[bool, typer.Option("--held", help="Allow a seed that is kept for judging.")] = False,
) -> None:
    """Make a world: conversations of fictional people over years, with the truth of every date beside them."""
    from arandu_lab.bench.shown import console, moving
    from arandu_lab.bench.world import WorldConfig, make

    settings = WorldConfig.from_toml(config)
    check_out(out)
    shown = console()
    with moving(shown, settings.name) as moved:
        spoken = cast("tuple[Literal['en', 'pt'], ...]", tuple(language or ("en", "pt")))
        folders = make(settings, out, languages=spoken, held=held, progress=moved)
    for folder in folders:
        shown.print(str(folder))


@app.command()
def scorecard(
    config: Annotated[Path, typer.Argument(help="A TOML file: configs/scorecard.toml.")],
    out: Annotated[Path, typer.Option(help="Where results are written.")] = OUT,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replay what is already known.")] = False,
) -> None:
    """Look inside every stage: what each one loses, alone and in its place, and which stage lost each question."""
    from arandu_lab.bench.scorecard.made import read_scorecard
    from arandu_lab.bench.scorecard.run import scorecard as score
    from arandu_lab.bench.scorecard.shown import Shown, show_card
    from arandu_lab.bench.shown import console

    check_out(out)
    shown = console()
    try:
        with Shown(shown) as watcher:
            folder = score(config, out, jobs=jobs, force=force, watcher=watcher)
    except KeyboardInterrupt:
        say(f"stopped; the steps that were finished are kept in {out / '.steps'}, the same command goes on from there")
        raise typer.Exit(130) from None
    show_card(shown, read_scorecard(folder)[1], folder)


@app.command()
def thresholds(
    embedder: Annotated[str, typer.Option(help="use, hashing, st:NAME, litellm:NAME.")] = "use",
    data: Annotated[
        Path | None, typer.Option(help="A folder with stsb and taosmd_supersession, if you have them.")
    ] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", help="A set with gold; may be repeated.")] = None,
    out: Annotated[Path, typer.Option(help="Where results are written.")] = OUT,
) -> None:
    """Where duplicates, updates and the rest lie for an embedder, what its thresholds cost, and the scale it needs."""
    from rich.markup import escape

    from arandu_lab.bench.shown import console, moving
    from arandu_lab.bench.thresholds.reading import reading
    from arandu_lab.bench.thresholds.report import write_findings
    from arandu_lab.bench.thresholds.run import address, findings

    check_out(out)
    shown = console()
    with moving(shown, embedder) as moved:
        found = findings(embedder, sets=sets or (), data=data, watcher=lambda _, done, of: moved(done, of))
    folder = write_findings(found, out / address(found))
    for line in reading(found):
        shown.print(escape(line))
    shown.print(f"\nReport: {folder / 'report.md'}")
