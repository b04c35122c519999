"""Answering from the contexts of a result that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arandu_lab.cli.app import OUT, app, say

if TYPE_CHECKING:
    from arandu_lab.llm.cassette import Cassette


@app.command()
def answer(
    result: Annotated[str, typer.Argument(help="A result: its address, the beginning of one, or its folder.")],
    model: Annotated[str, typer.Option(help="Who answers: offline/rules or a litellm model.")] = "offline/rules",
    judge: Annotated[str | None, typer.Option(help="Who judges the answers; else they are scored by words.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Askings of the judge per answer, an odd number.")] = 1,
    only: Annotated[list[str] | None, typer.Option(help="Only this system; may be repeated.")] = None,
    relevance: Annotated[
        Path | None, typer.Option(help="Corrections of the gold: answers are scored by both, each figure shown.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where results lie.")] = OUT,
    cassette: Annotated[Path | None, typer.Option(help="The file that answers of models are kept in.")] = None,
    replay: Annotated[str, typer.Option(help="record, replay (ask what is missing), or replay-only (never ask).")] = "",
) -> None:
    """Answer the questions of a result from the contexts its systems showed, and score the answers; no memory is asked."""
    from arandu_lab.llm.cassette import Cassette, checked

    tape = None
    if cassette or replay:
        path = cassette or out / "cassettes" / "answers.jsonl"
        tape = Cassette(path=str(path), mode=checked(replay or "replay"))
    show_answers(
        result, model=model, judge=judge, repeats=repeats, only=only, relevance=relevance, out=out, cassette=tape
    )


def show_answers(
    result: str,
    *,
    model: str,
    judge: str | None = None,
    repeats: int = 1,
    only: Sequence[str] | None = None,
    relevance: Path | None = None,
    out: Path = OUT,
    cassette: Cassette | None = None,
) -> None:
    """Answer, and print the scores; exit code 4 where rows are errors."""
    from rich.markup import escape

    from arandu_lab.bench.answering import answered
    from arandu_lab.bench.answering.scores import card_of
    from arandu_lab.bench.shown import console, grid, moving

    shown = console()
    with moving(shown, model) as moved:
        scores = answered(
            result,
            llm=model,
            judge=judge,
            repeats=repeats,
            cassette=cassette,
            systems=only,
            relevance=relevance,
            results=out,
            progress=moved,
        )
    table = scores.summary()
    shown.print()
    empty = [name for name in ("unparsable", "ungraded", "tokens_billed") if not table[name].sum()]
    shown.print(
        grid(card_of(table.drop("cost_usd", "calls", "judged", *empty)), f"answers of {scores.model} (percent)")
    )
    for said in scores.said():
        shown.print(f"[dim]{escape(said)}[/]")
    if scores.judge and scores.trial:
        shown.print(escape(scores.trial.sentence(scores.judge)))
    if scores.folder:
        shown.print(f"\nAnswers: {scores.folder / 'report.md'}")
    lost = scores.frame.filter(scores.frame["state"] == "errored")
    if not lost.is_empty():
        first = lost.row(0, named=True)
        said = f"{lost.height} of {scores.frame.height} answers are errors and no zeros"
        say(f"{said}: {first['system']}, {first['question']}: {first['error']}")
        raise typer.Exit(4)
