"""The report of a sweep: Markdown, one file of HTML with its picture inside, and the folder that holds both."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from arandu_lab.bench.artifacts import code_digest, whole
from arandu_lab.bench.cards import Card, count, dollars, measure_format, percent
from arandu_lab.bench.made import made_of, rows_made
from arandu_lab.bench.sweeps.best import said_of
from arandu_lab.bench.sweeps.design import Between, design_told
from arandu_lab.bench.sweeps.effects import short
from arandu_lab.bench.toml import toml
from arandu_lab.errors import ConfigError

if TYPE_CHECKING:
    from arandu_lab.bench.sweeps.course import Course
    from arandu_lab.bench.sweeps.remote import Shelf
    from arandu_lab.bench.sweeps.result import Sweep

ROWS = 20
"""Settings a table of the report shows: the best, and the default."""

ALONE = "95 % interval, that row alone"


def markdown(swept: Sweep) -> str:
    """The report as Markdown, without the picture."""
    parts = [f"# {swept.name}: {swept.system}", about(swept)]
    for measure in swept.measures:
        parts += [f"## {named(measure)}", _claim(swept, measure), settings_card(swept, measure).markdown()]
        if (found := effects_card(swept, measure)) is not None:
            parts += [f"### Effects on {measure}", found.markdown()]
    if not swept.errors.is_empty():
        parts += ["## Errors", "What failed is null, never zero, and left out of the means.", _errors(swept).markdown()]
    parts += ["## Cost", costs_said(swept), "## How to read it", LEGEND]
    return "\n\n".join(parts) + "\n"


def html(swept: Sweep) -> str:
    """The report as one file that needs no other."""
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(swept.name)}</title>"
        f"<style>{_STYLE}</style><main>{inside(swept)}</main></html>"
    )


def inside(swept: Sweep) -> str:
    """What a notebook shows, and the body of the page."""
    parts = [f"<h2>{escape(swept.name)}: {escape(swept.system)}</h2><p>{escape(about(swept))}</p>"]
    svg = picture(swept)
    parts.append(f"<div style='max-width:100%;overflow-x:auto'>{svg}</div>" if svg else "")
    for measure in swept.measures:
        parts.append(
            f"<h3>{escape(named(measure))}</h3><p>{escape(_claim(swept, measure)).replace(chr(10), '<br>')}</p>"
        )
        parts.append(_table(settings_card(swept, measure)))
        if (found := effects_card(swept, measure)) is not None:
            parts.append(f"<details><summary>Effects on {escape(measure)}</summary>{_table(found)}</details>")
    if not swept.errors.is_empty():
        parts.append(f"<h3>Errors</h3>{_table(_errors(swept))}")
    return "".join([*parts, f"<p><small>{escape(costs_said(swept))}</small></p>"])


def picture(swept: Sweep) -> str:
    """The picture as SVG, drawn once; empty where nothing was measured."""
    if "svg" not in swept._made:
        import vl_convert

        spec = swept.plot().to_dict() if swept.table()["mean"].drop_nulls().len() else None
        svg = "" if spec is None else vl_convert.vegalite_to_svg(spec)
        swept._made.update(spec=spec, svg=svg[svg.index("<svg") :] if svg else "")
    drawn: str = swept._made["svg"]
    return drawn


def about(swept: Sweep) -> str:
    """One paragraph: how many settings, over what, what is held out."""
    training = swept.answers.filter((pl.col("part") == "training") & ~pl.col("absent"))
    asked = training.select("dataset", "conversation", "question").unique()
    conversations = asked["conversation"].n_unique()
    sets = ", ".join(sorted(asked["dataset"].unique().to_list()))
    return (
        f"{len(swept.points):,} settings of {', '.join(swept.names)} ({design_said(swept)}), the default among them, over"
        f" {asked.height:,} training questions of {conversations} conversation{'' if conversations == 1 else 's'} ({sets});"
        f" {swept.split}."
    )


def settings_card(swept: Sweep, measure: str) -> Card:
    """The best settings and the default, with chance below, as people read them."""
    table = swept.table(measure)
    form = measure_format(measure)
    falls = _falls(measure)
    ranked = table.sort("mean", descending=not falls, nulls_last=True, maintain_order=True)
    shown = pl.concat([ranked.head(ROWS), table.filter(pl.col("default"))]).unique("point", maintain_order=True)
    head = (
        *("setting", *swept.names, measure, "− default", ALONE, "wins", "losses"),
        *("ctx tok", "tok read", "tok written", "calls", "USD"),
    )
    cells = []
    for row in shown.iter_rows(named=True):
        default = row["default"]
        between = "–" if row["low"] is None else f"{_signed(row['low'])} to {_signed(row['high'])}"
        cells.append(
            (
                "default" if default else f"{row['point']}",
                *(short(swept.points[row["point"]][name]) for name in swept.names),
                form(row["mean"]),
                "" if default else _signed(row["difference"]),
                "" if default else "same answers" if row["verdict"] == "the same answers" else between,
                "" if default else count(row["wins"]),
                "" if default else count(row["losses"]),
                count(row["context_tokens"]),
                count(row["tokens_read"]),
                count(row["tokens_write"]),
                count(_sum(row["calls_read"], row["calls_write"])),
                dollars(row["cost_usd"]),
            )
        )
    chance = table.filter(pl.col("default"))["chance"][0]
    cells.append(
        ("chance", *("" for _ in swept.names), form(chance), *("" for _ in range(len(head) - 2 - len(swept.names))))
    )
    return Card(head, tuple(cells))


def effects_card(swept: Sweep, measure: str) -> Card | None:
    """The effects as people read them; None where the design has none."""
    try:
        found = swept.effects(measure)
    except ConfigError:
        return None
    if found.is_empty():
        return None
    cells = [
        (
            row["effect"],
            row["kind"],
            _signed(row["estimate"]),
            "–" if row["low"] is None else f"{_signed(row['low'])} to {_signed(row['high'])}",
            row["verdict"],
            row["mixed_with"] or "",
        )
        for row in found.head(ROWS).iter_rows(named=True)
    ]
    return Card(("effect", "kind", "points", ALONE, "verdict", "cannot be told from"), tuple(cells))


def design_said(swept: Sweep) -> str:
    """A design in words."""
    from arandu_lab.bench.sweeps.design import Fractional, Halving, Random

    match swept.design:
        case Random():
            return "drawn by chance"
        case Halving():
            return f"successive halving, {len(swept.finalists)} asked everything"
        case Fractional(resolution=resolution):
            return f"a two-level fraction of resolution {'I' * resolution if resolution < 4 else 'IV' if resolution == 4 else 'V'}"
    return "every combination"


def costs_said(swept: Sweep) -> str:
    """Asked, paid, and what was said before."""
    asked = int(swept.answers["tokens"].sum()) + int(swept.written["tokens"].sum())
    paid = swept.paid
    before = swept.estimate
    price = "price not known" if before.usd is None else f"{before.usd:,.2f} USD"
    return (
        f"Asked cold, setting by setting, this is {asked:,} tokens. Really paid: {paid.billed_tokens:,} tokens in"
        f" {paid.billed_calls:,} calls of {before.model}. Estimated before: {before.tokens:,} tokens in {before.calls:,} calls,"
        f" {price}; {before.ingests} memories written, {before.ingests_kept} kept already."
    )


def write_sweep(swept: Sweep, course: Course, shelf: Shelf) -> Path:
    """Write the folder of a sweep, in the place of one of the same address; its path on this machine."""
    from arandu_lab.bench.sweeps.stored import keep_sweep
    from arandu_lab.viz.theme import save

    with whole(shelf.folder(swept.address)) as fresh:
        swept.table().write_parquet(fresh / "settings.parquet")
        keep_sweep(swept, fresh)
        if picture(swept):
            save(swept._made["spec"], fresh, "sweep")
        (fresh / "report.md").write_text(markdown(swept), encoding="utf-8")
        (fresh / "report.html").write_text(html(swept), encoding="utf-8")
        (fresh / "made.toml").write_text(made_toml(swept, course), encoding="utf-8")
    shelf.send(swept.address)
    return shelf.folder(swept.address)


def made_toml(swept: Sweep, course: Course) -> str:
    """The filled file of a sweep; ``arandu-lab sweep`` takes it."""
    plan = course.plan
    said: dict[str, Any] = {"name": plan.name, "system": plan.row.name, "datasets": plan.datasets, "data": plan.data}
    said |= {"measures": plan.measures, "design": design_told(plan.design), "depth": plan.depth, "seed": plan.seed}
    said |= {} if plan.hold_out is None else {"hold_out": plan.hold_out}
    said |= {} if plan.replay is None else {"replay": plan.replay}
    tables: dict[str, dict[str, Any]] = {"sweep": said, "grid": {name: _plain(one) for name, one in plan.grid.items()}}
    tables |= rows_made((plan.row,), plan.seed)
    tables |= made_of(swept.address, code_digest(), course.datasets)
    return f"# To repeat it: arandu-lab sweep {swept.address}/made.toml\n\n" + toml(tables)


def _plain(values: Any) -> Any:
    if isinstance(values, Between):
        return {"from": values.low, "to": values.high, "log": values.log}
    return [one if one is not None else "none" for one in values]


def _claim(swept: Sweep, measure: str) -> str:
    try:
        found = swept.best(measure)
    except ConfigError as error:
        return f"No best setting is claimed: {error}."
    form = measure_format(measure)
    return (
        f"Best on the training questions: {said_of(found.setting)} ({form(found.training)}, default"
        f" {form(found.training_default)}). Held out: {form(found.held_out)}, default {form(found.held_out_default)}:"
        f" {found.said}."
    )


def _errors(swept: Sweep) -> Card:
    rows = swept.errors.unique(maintain_order=True).head(ROWS)
    return Card(tuple(rows.columns), tuple(tuple(map(str, row)) for row in rows.iter_rows()))


def _table(card: Card) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        sides = ("right" if card.right(place) else "left" for place in range(len(cells)))
        return "".join(
            f"<{tag} style='text-align:{side}'>{escape(cell)}</{tag}>" for side, cell in zip(sides, cells, strict=True)
        )

    body = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in card.cells)
    return f"<div style='overflow-x:auto'><table><thead><tr>{row(card.head, 'th')}</tr></thead><tbody>{body}</tbody></table></div>"


def named(measure: str) -> str:
    """A measure as a heading: where less of it is better, it says so."""
    return f"{measure} (less is better)" if _falls(measure) else measure


def _falls(measure: str) -> bool:
    from arandu_lab.bench.measures import parse

    return parse(measure).falls


def _signed(value: float | None) -> str:
    return "–" if value is None else ("+" if value >= 0 else "−") + percent(abs(value))


def _sum(*values: int | None) -> int | None:
    known = [one for one in values if one is not None]
    return sum(known) if known else None


LEGEND = """\
* *− default*: the paired difference of the same questions, in points (hundredths); its interval is over conversations. One that \
holds 0 is not distinguishable from none. It is of one comparison: among many some interval leaves 0 out by luck. *verdict* \
calls an effect up or down only where it stands among all of the measure (Holm), and of settings only the held-out part judges.
* *chance*: the same measure for the turns heard so far in random order. *ctx tok*: mean tokens of a question's context.
* *tok read*, *tok written*, *calls*, *USD*: what the memory's models are asked under that setting alone, nothing kept, over \
the training questions and conversations."""

_STYLE = (
    "body{font-family:'DejaVu Sans',Verdana,sans-serif;color:#1f2933;margin:2rem auto;max-width:76rem;padding:0 1rem}"
    "table{border-collapse:collapse;font-size:.85rem;margin:.6rem 0}th{color:#66717d;font-weight:normal;padding:.25rem .7rem}"
    "td{padding:.25rem .7rem;border-top:1px solid #e7eaee;white-space:nowrap}svg{max-width:100%;height:auto}"
    "summary{cursor:pointer;color:#66717d}"
)
