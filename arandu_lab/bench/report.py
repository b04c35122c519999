"""``report.md`` and its pictures: the same bytes for the same run. It holds no time; ``times.json`` does."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from arandu_lab.bench import tables
from arandu_lab.bench.cards import LANGUAGES, Card, dollars, main_card, percent, plain_card, share_card
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.run import Run
from arandu_lab.bench.statistics import interval
from arandu_lab.bench.taught import taught


def write_report(run: Run, frames: Frames, folder: Path) -> None:
    """Write ``report.md``, ``recall.svg``, ``recall.png``, ``tokens.svg`` and ``tokens.png`` into a folder."""
    from arandu_lab.viz.cost import quality_by_tokens
    from arandu_lab.viz.recall import recall_curves
    from arandu_lab.viz.theme import save

    quality = quality_of(run)
    titles = {name: f"{name}, {_language(one)}" for name, one in run.datasets.items()}
    mains = {name: tables.main_table(frames, name, run.plan.measures, run.plan.costs) for name in run.datasets}
    points = tables.curve(frames, run.plan.curve)
    shown = {name: title for name, title in titles.items() if name in points["dataset"].unique()}
    if shown:
        save(recall_curves(points, shown).to_dict(), folder, "recall")
        save(quality_by_tokens({name: mains[name] for name in shown}, shown, quality).to_dict(), folder, "tokens")
    (folder / "report.md").write_text(report(run, frames, mains, pictures=bool(shown)), encoding="utf-8")
    if recorded(run):
        (folder / "usage.md").write_text(usage_page(run, frames), encoding="utf-8")


def recorded(run: Run) -> bool:
    """Whether models were seen through a cassette, so that what was paid depends on what it held."""
    return bool(run.plan.cassette or run.plan.replay)


def usage_page(run: Run, frames: Frames) -> str:
    """The text of ``usage.md``: asked, billed and would-have-cost, of the run that was made and no other."""
    parts = [f"# {run.plan.name}: what it cost", _USAGE.format(table=run.prices.told()["table"])]
    for name in run.datasets:
        parts += [f"## {name}", usage_card(tables.usage_table(frames, name), billed=True).markdown()]
    return "\n\n".join(parts) + "\n"


def usage_card(table: pl.DataFrame, *, billed: bool) -> Card:
    """The table of usage as text."""
    left = [] if billed else ["calls_billed", "tokens_billed"]
    card = plain_card(table.drop(*left), would_usd=dollars)
    return Card(tuple("would cost $" if head == "would usd" else head for head in card.head), card.cells)


def report(run: Run, frames: Frames, mains: dict[str, pl.DataFrame], *, pictures: bool = True) -> str:
    """The text of ``report.md``."""
    plan, quality = run.plan, quality_of(run)
    systems = ", ".join(row.name for row in plan.rows)
    parts = [
        f"# {plan.name}",
        f"{_number(len(plan.rows), 'system')} ({systems}) over {_number(len(run.datasets), 'dataset')}. "
        "Every conversation was heard turn by turn in order of time; every question was put at its date, when nothing "
        f"later had been said, for the {plan.depth} best results.",
    ]
    if not frames.errors.is_empty():
        parts += ["## Errors", _errors(frames)]
    remarks = taught(plan.rows, run.datasets)
    for name, dataset in run.datasets.items():
        parts.append(f"## {name}: {_language(dataset)}")
        parts.append(_about(dataset))
        billed = not recorded(run)
        parts.append(main_card(mains[name], plan.measures, times=False, costs=plan.costs, billed=billed).markdown())
        if name in remarks:
            parts.append(f"**{remarks[name]}.**")
        if said := tables.said_of_headline(frames, name):
            parts.append(f"Questions by category; {said}.")
        parts += [f"### {quality} by category", _categories(frames, name, quality).markdown()]
        absent = tables.absent_table(frames, name)
        if not absent.is_empty():
            parts += [
                "### Never said",
                "Questions whose answer was never said, apart from all figures above (null, never zero). "
                "*silent*: the system returned nothing at all.",
                plain_card(absent).markdown(),
            ]
        if len(dataset) > 1:
            parts += [f"### {quality} by conversation", _conversations(frames, name, quality).markdown()]
        parts += _extraction(frames, name)
        parts += _usage(frames, name, billed=billed)
    if pictures:
        parts += ["## Pictures", "![Recall by number of results](recall.svg)", "![Quality against tokens](tokens.svg)"]
    parts += ["## How to read it", _LEGEND, "## How to repeat it", _repeat(run)]
    return "\n\n".join(parts) + "\n"


def quality_of(run: Run) -> str:
    """The measure that stands for quality where there is room for one: ``R@10``, or the first."""
    return "R@10" if "R@10" in run.plan.measures else run.plan.measures[0]


def _usage(frames: Frames, dataset: str, *, billed: bool) -> list[str]:
    asked = tables.usage_table(frames, dataset).filter(pl.col("calls") > 0)
    if asked.is_empty():
        return ["### What it cost", "No model was asked anything."]
    said = [] if billed else ["What was billed depends on what the cassette held: `usage.md`."]
    return ["### What it cost", usage_card(asked, billed=billed).markdown(), *said]


def _language(dataset: Dataset) -> str:
    return LANGUAGES.get(dataset.language.split("-")[0], dataset.language)


def _about(dataset: Dataset) -> str:
    turns = sum(len(one.turns) for one in dataset)
    questions = [question for one in dataset for question in one.questions]
    absent = sum(question.absent for question in questions)
    return (
        f"{dataset.title}; {dataset.licence}. "
        f"{_number(len(dataset), 'conversation')}, {_number(turns, 'turn')}, {_number(len(questions), 'question')}"
        f"{f' ({absent} of them about what was never said)' if absent else ''}"
        f"{f', {len(dataset.repairs)} repairs by the loader' if dataset.repairs else ''}. "
        f"sha256 `{dataset.digest[:16]}…`."
    )


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _categories(frames: Frames, dataset: str, quality: str) -> Card:
    table = tables.by_category(frames, dataset, quality)
    sizes = tables.category_sizes(frames, dataset)
    return share_card(table, ["system", *(f"{name} ({sizes[name]})" for name in table.columns[1:])])


def _conversations(frames: Frames, dataset: str, quality: str) -> Card:
    table = tables.by_conversation(frames, dataset, quality)
    asked = tables.headline(frames.questions.filter(pl.col("dataset") == dataset)).drop_nulls(quality)
    cells = []
    for system, *values in table.iter_rows():
        mine = asked.filter(pl.col("system") == system)
        between = "–"
        if not mine.is_empty():
            found = interval(mine[quality].to_numpy(), mine["conversation"].to_list(), bounds=(0.0, 1.0))
            if found.low is not None and found.high is not None:
                between = f"{percent(found.low)} to {percent(found.high)}"
        cells.append((system, *map(percent, values), between))
    return Card((*table.columns, "95 % over conversations"), tuple(cells))


def _extraction(frames: Frames, dataset: str) -> list[str]:
    facts = frames.extraction.filter((pl.col("dataset") == dataset) & pl.col("slot").is_not_null())
    systems = facts["system"].unique(maintain_order=True).to_list()
    if not systems:
        return []
    joined = None
    for system in systems:
        one = tables.slots(frames, dataset, system).select("slot", "gold", pl.col("recall").alias(system))
        joined = one if joined is None else joined.join(one, on=["slot", "gold"], how="full", coalesce=True)
    assert joined is not None
    joined = joined.sort(["gold", "slot"], descending=[True, False], nulls_last=True).head(16)
    forms = dict.fromkeys(systems, percent)
    return ["### Recall of gold facts by slot", plain_card(joined, **forms).markdown()]


def _errors(frames: Frames) -> str:
    lost = tables.coverage(frames).filter(pl.col("share") < 1)
    first = frames.errors.group_by("dataset", "system", "phase", "message", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("times"), pl.col("where").first().alias("first_at")
    )
    parts = ["What failed is null, never zero, and left out of the means."]
    if not lost.is_empty():
        parts.append(plain_card(lost, share=percent).markdown())
    return "\n\n".join([*parts, plain_card(first.head(20)).markdown()])


def _repeat(run: Run) -> str:
    digests = "\n".join(f"* `{name}` sha256 `{one.digest}`" for name, one in run.datasets.items())
    return (
        f"```\narandu-lab run results/{run.address}/made.toml\n```\n\n"
        "or wherever this folder lies. `made.toml` holds every setting, defaults included, the versions of the packages "
        "and the digests of code and data. The same command gives the same bytes, apart from `times.json` and `times.parquet`.\n\n"
        f"{digests}\n* code sha256 `{run.code}`"
    )


_USAGE = """\
*asked*: what the models of each memory were asked, caches not considered. *billed*: what this run paid; what the cassette \
held was free. *would cost $*: the tokens asked at the prices of {table}, or of `prices.toml`; – where a price is not known. \
Embedders are left out. This page, like `times.json`, may differ from run to run."""
_LEGEND = """\
* `R@k`: mean share of a question's evidence turns among its k best results, in percent. `nDCG@10`, `RR`: as in \
ir_measures; a ranking ends at the depth that was asked for. Questions about what was never said are left out.
* *chance*: the same measure for the turns heard so far in random order.
* *ext P*, *ext R*: of the facts stored, the part that their turn states; of the facts that a turn states, the part \
stored (percent). *stored*: facts stored. *dup*: facts alive at the end that repeat another one.
* *tok asked*, *billed*, *calls*: what the models of the memory were asked over the whole run, caches not considered; \
what this run paid; how often. *would cost $*: the tokens asked at the prices that stand in `made.toml`, embedders left \
out; – where a price is not known. *ctx tok*: mean tokens of the context for a reader, a question (four characters each).
* `R@tokens(n)`, `hit@…`, `all@…`: the ranking ends before the turn with which the turns shown would pass n tokens, each \
counted as `speaker: text [image: caption]`, four characters a token, \
or at the depth if that comes first; its chance is the mean of 400 random orders. \
`Stale@k`: of the k best turns the share that state what was over by the question's date and are no evidence; less is better.
* `Tokens` `Calls` `Seconds`: of models asked, and of the machine; `.write` a turn, `.read` a question, bare the whole run.
* –: does not apply, or there is no value. Times are in `times.json`."""
