"""An experiment as Markdown, and as one HTML file that needs nothing beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import polars as pl

from arandu_lab.bench.cards import Card, count, dollars, main_card, measure_format, percent, plain_card, third
from arandu_lab.bench.outcome import views
from arandu_lab.bench.plan import Plan
from arandu_lab.bench.report import usage_card
from arandu_lab.bench.tables import CHANCE

LEGEND = (
    "Figures are means over the questions that have an answer in what was said, in percent where they are shares; what "
    "failed is null, never zero, and counted. chance: turns in random order. tok asked: what the memory's own models were "
    "asked, caches not considered; billed: what this run paid; would cost $: the tokens asked at dated prices; ctx tok: what "
    "a reader would be shown, a question. – does not apply, or is not known."
)


def sections(
    plan: Plan,
    summary: pl.DataFrame,
    compared: pl.DataFrame | None,
    categories: pl.DataFrame,
    usage: pl.DataFrame,
    titles: Mapping[str, str],
) -> list[tuple[str, str, Card]]:
    """Dataset title, heading and table of each part, in order."""
    out = []
    for dataset, title in titles.items():
        out += [(title, words, card) for words, card in main_cards(summary, plan, dataset)]
        if compared is not None and not compared.is_empty():
            head = f"Against {compared['baseline'][0]}"
            out.append((title, head, compared_card(compared.filter(pl.col("dataset") == dataset))))
        parts = categories.filter((pl.col("dataset") == dataset) & (pl.col("measure") == quality(plan)))
        if parts["category"].n_unique() > 1:
            out.append((title, f"{quality(plan)} by category", _categories(parts, quality(plan))))
        asked = usage.filter((pl.col("dataset") == dataset) & (pl.col("calls") > 0)).drop("dataset", "embedded_texts")
        if not asked.is_empty():
            card = usage_card(asked.with_columns(pl.col("seconds").round(2)), billed=True)
            out.append((title, "What it cost", card))
    return out


def main_cards(summary: pl.DataFrame, plan: Plan, dataset: str) -> list[tuple[str, Card]]:
    """The main table of a dataset by each gold, with its heading; none where there is one gold."""
    mine = summary.filter(pl.col("dataset") == dataset)
    golds = mine["relevance"].unique(maintain_order=True).to_list()
    words = {one: f"gold {one}" if len(golds) > 1 else "" for one in golds}
    return [(words[one], _main(mine.filter(pl.col("relevance") == one), plan)) for one in golds]


def quality(plan: Plan) -> str:
    """The measure that stands for quality where there is room for one: ``R@10``, or the first."""
    return "R@10" if "R@10" in plan.measures else plan.measures[0]


def compared_card(table: pl.DataFrame) -> Card:
    """The table of paired differences, as people read it."""
    several = table["relevance"].n_unique() > 1
    sets = ["dataset"] if table["dataset"].n_unique() > 1 else []
    kept = [
        "system",
        *sets,
        *(["relevance"] if several else []),
        "measure",
        "before",
        "after",
        "difference",
        "low",
        "high",
    ]
    kept += ["wins", "ties", "losses", "p_holm", "tokens_before", "tokens_after", "verdict"]
    shares = dict.fromkeys(("before", "after", "difference", "low", "high"), percent)
    return plain_card(table.select(kept), **shares, p_holm=third, tokens_before=count, tokens_after=count)


def markdown(title: str, parts: Sequence[tuple[str, str, Card]], notes: Sequence[str]) -> str:
    """The sections as Markdown."""
    lines, last = [f"# {title}", *notes], ""
    for dataset, head, card in parts:
        if dataset != last:
            lines.append(f"## {dataset}")
            last = dataset
        if head:
            lines.append(f"### {head}")
        lines.append(card.markdown())
    return "\n\n".join([*lines, LEGEND]) + "\n"


def html(title: str, parts: Sequence[tuple[str, str, Card]], notes: Sequence[str], pictures: Sequence[str]) -> str:
    """The sections as one HTML page, pictures (SVG) inside.

    Args:
        pictures: SVG documents, put in as they are: drawn here, with their text escaped by who drew them.
    """
    body, last = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(note)}</p>" for note in notes)], ""
    body += [f"<figure>{picture[picture.index('<svg') :]}</figure>" for picture in pictures]
    for dataset, head, card in parts:
        if dataset != last:
            body.append(f"<h2>{escape(dataset)}</h2>")
            last = dataset
        body += [f"<h3>{escape(head)}</h3>"] if head else []
        body.append(table(card))
    body.append(f"<p class='note'>{escape(LEGEND)}</p>")
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style></head>\n<body>"
        + "\n".join(body)
        + "</body></html>\n"
    )


def table(card: Card) -> str:
    """A card as an HTML table, every cell escaped."""
    sides = ["right" if card.right(place) else "left" for place in range(len(card.head))]
    rows = [
        "".join(
            f"<{tag} style='text-align:{side}'>{escape(cell)}</{tag}>" for cell, side in zip(row, sides, strict=True)
        )
        for tag, row in (("th", card.head), *(("td", row) for row in card.cells))
    ]
    faint = [" class='chance'" if row and row[0] == CHANCE else "" for row in (card.head, *card.cells)]
    lines = "".join(f"<tr{mark}>{row}</tr>" for mark, row in zip(faint, rows, strict=True))
    return f"<div class='wide'><table>{lines}</table></div>"


def paragraph(text: str) -> str:
    """A paragraph, its text escaped."""
    return f"<p>{escape(text)}</p>"


def heading(text: str) -> str:
    """A heading in a cell of a notebook, its text escaped."""
    return f"<h4>{escape(text)}</h4>"


def _main(table: pl.DataFrame, plan: Plan) -> Card:
    card = main_card(table.with_columns(**_without(table)), plan.measures, times=True, costs=plan.costs)
    errored = table["errored"].to_list()
    priced = [dollars(one) for one in table["would_usd"].to_list()]
    head = (*card.head, "would cost $") + (("errored",) if any(errored) else ())
    cells = tuple(
        (*row, money, *((count(lost),) if any(errored) else ()))
        for row, money, lost in zip(card.cells, priced, errored, strict=True)
    )
    gone = {place for place, name in enumerate(head) if all(row[place] == "–" for row in cells)}
    gone -= {
        place for place, name in enumerate(head) if name in (*plan.measures, "tok asked", "billed", "would cost $")
    }
    kept = [place for place in range(len(head)) if place not in gone]
    return Card(tuple(head[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in cells))


def _without(table: pl.DataFrame) -> dict[str, pl.Expr]:
    return {
        name: pl.lit(None, pl.Float64)
        for name in ("precision", "recall", "stored", "duplicates", "live")
        if name not in table.columns
    }


def _categories(parts: pl.DataFrame, measure: str) -> Card:
    given = parts.filter(pl.col("relevance") == views.GIVEN)
    sizes = given.group_by("category").agg(pl.col("n").max()).filter(pl.col("n") > 0).sort("category")
    form, cells = measure_format(measure), []
    for system in given["system"].unique(maintain_order=True):
        mine = {row["category"]: row for row in given.filter(pl.col("system") == system).iter_rows(named=True)}
        spent = given.filter(pl.col("system") == system).select(
            (pl.col("tokens_question") * pl.col("asked")).sum() / pl.col("asked").sum(), pl.col("context_tokens").mean()
        )
        tokens, context = spent.row(0)
        cells.append((system, *(form(mine[name]["mean"]) for name in sizes["category"]), count(tokens), count(context)))
    first = {row["category"]: row for row in given.filter(pl.col("system") == given["system"][0]).iter_rows(named=True)}
    cells.append((CHANCE, *(form(first[name]["chance"]) for name in sizes["category"]), "–", "–"))
    heads = [f"{name} ({n})" for name, n in sizes.iter_rows()]
    return Card(("system", *heads, "tok/q", "ctx tok"), tuple(cells))


_STYLE = (
    "body{font:15px/1.5 system-ui,'DejaVu Sans',sans-serif;color:#1f2933;max-width:1180px;margin:2em auto;padding:0 1em}"
    "h1,h2,h3{font-weight:600;line-height:1.2}h2{margin-top:2em}table{border-collapse:collapse;font-size:13px}"
    "th{color:#66717d;font-weight:normal;border-bottom:1px solid #c3cad2}th,td{padding:.25em .7em;white-space:nowrap}"
    "tr:nth-child(even) td{background:#f6f7f9}tr.chance td{color:#8a94a0}.wide{overflow-x:auto}"
    "figure{margin:1.5em 0}figure svg{max-width:100%;height:auto}.note{color:#66717d;font-size:13px}"
)
