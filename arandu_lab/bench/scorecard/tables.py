"""The tables of a scorecard, computed from its frames alone. A number with nothing to measure is null, never 0 or 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from arandu_lab.bench.scorecard.blame import FATES
from arandu_lab.bench.scorecard.frames import Frames
from arandu_lab.bench.scorecard.reading_score import CUTS, SIGNALS
from arandu_lab.bench.scorecard.reconciliation_score import ACTIONS
from arandu_lab.bench.scorecard.resolution_score import b_cubed, harmonic, merged, pairwise, split
from arandu_lab.bench.scorecard.segments import STAGES

Numbers = dict[str, Any]
_FAR = {fate: place for place, fate in enumerate(FATES)}


def runs(frames: Frames) -> list[tuple[str, str, str, str]]:
    """``(system, dataset, language, mode)`` of everything that was recorded, in order, each once."""
    keys = ["system", "dataset", "language", "mode"]
    some = pl.concat([frames[name].select(keys) for name in ("questions", "turns", "read")])
    return [(a, b, c, d) for a, b, c, d in some.unique(maintain_order=True).iter_rows()]


def of(frame: pl.DataFrame, system: str, dataset: str, mode: str, part: str | None = None) -> pl.DataFrame:
    """The rows of one system over one dataset in one mode."""
    mine = (pl.col("system") == system) & (pl.col("dataset") == dataset) & (pl.col("mode") == mode)
    return frame.filter(mine if part is None else mine & (pl.col("part") == part))


def card(frames: Frames) -> pl.DataFrame:
    """The summary: a row a system, dataset and mode with the number of each stage and the share of questions delivered.

    In mode ``given`` the numbers are those of each stage alone on gold input; otherwise of what reached the stage.
    """
    lines = []
    for system, dataset, language, mode in runs(frames):
        numbers: Numbers = {stage: stage_number(frames, system, dataset, mode, stage) for stage in STAGES}
        asked = of(frames["questions"], system, dataset, mode, "all").filter(pl.col("kind") == "answerable")
        judged = asked.filter(pl.col("outcome") != "failed")
        gone = of(frames["questions"], system, dataset, mode, "all").filter(pl.col("kind") == "deletion")
        lines.append(
            {"system": system, "dataset": dataset, "language": language, "mode": mode, **numbers}
            | {
                "questions": asked.height if mode != "given" else None,
                "delivered": mean(judged["outcome"] == "delivered"),
                "forgotten": mean(gone["outcome"] == "forgotten"),
                "context_tokens": mean(asked["context_tokens"]),
                "errors": of(frames["errors"], system, dataset, mode).height,
            }
        )
    texts: Numbers = dict.fromkeys(("system", "dataset", "language", "mode"), pl.String)
    shares: Numbers = dict.fromkeys(map(str, STAGES), pl.Float64)
    rest: Numbers = {
        "questions": pl.Int64,
        "delivered": pl.Float64,
        "forgotten": pl.Float64,
        "context_tokens": pl.Float64,
    }
    return pl.DataFrame(lines, schema={**texts, **shares, **rest, "errors": pl.Int64})


def stage_number(frames: Frames, system: str, dataset: str, mode: str, stage: str) -> float | None:
    """The one number of a stage, from 0 to 1 (higher is better).

    Extraction: the mean of F1 of facts, names and relations and of the share of right dates, of those that exist. Dedup:
    F1 of distinct facts kept. Resolution: B-cubed F1. Reconciliation: decision and target right, macro. State: F1 over
    instants. Ranking: nDCG of the evidence among what was kept. Retrieval, context: the share passed on.
    """
    part = stage if mode == "given" else "all"

    def mine(name: str) -> pl.DataFrame:
        return of(frames[name], system, dataset, mode, part)

    value: float | None
    match stage:
        case "extraction":
            read = mine("read")
            parts = [found(read.filter(pl.col("what") == what))["f1"] for what in ("fact", "entity", "relation")]
            value = mean(pl.Series([*parts, mean(read["dates"])], dtype=pl.Float64))
        case "dedup":
            value = deduped(mine("turns"))["f1"]
        case "resolution":
            value = resolution(mine("mentions"))["b3_f1"]
        case "reconciliation":
            value = decisions(mine("decisions"))["macro"]
        case "state":
            value = states(mine("instants"))["f1"]
        case "ranking":
            value = ranked(mine("evidence"))
        case _:
            value = funnel(mine("evidence"))[stage]
    return value


def found(read: pl.DataFrame) -> Numbers:
    """``precision recall f1`` of rows with a ``kind``, and how many: ``found extra missed``."""
    count = {kind: read.filter(pl.col("kind") == kind).height for kind in ("found", "extra", "missed")}
    precision = _ratio(count["found"], count["found"] + count["extra"])
    recall = _ratio(count["found"], count["found"] + count["missed"])
    f1 = harmonic(precision, recall) if precision is not None else (None if recall is None else 0.0)
    return {"precision": precision, "recall": recall, "f1": f1 if recall is not None else None, **count}


def extraction(read: pl.DataFrame, turns: pl.DataFrame) -> Numbers:
    """Facts, exact facts, names and relations; dates and categories of found facts; false memories."""
    facts = read.filter(pl.col("what") == "fact")
    plain = found(facts)
    right = facts.filter(pl.col("exact").fill_null(False)).height
    p, r = (
        _ratio(right, plain["found"] + plain["extra"]),
        _ratio(right, plain["found"] + plain["missed"]),
    )
    heard = turns.filter(pl.col("error").is_null())
    silent = heard.filter(pl.col("gold_facts") == 0)
    return {
        **plain,
        "exact_precision": p,
        "exact_recall": r,
        "exact_f1": harmonic(p, r),
        **{f"entity_{name}": v for name, v in found(read.filter(pl.col("what") == "entity")).items()},
        **{f"relation_{name}": v for name, v in found(read.filter(pl.col("what") == "relation")).items()},
        "dates": mean(facts["dates"]),
        "dated": facts["dates"].drop_nulls().len(),
        "category": mean(facts["category"]),
        "false_memory": mean(silent["read"] > 0),
        "false_facts": 100 * _ratio(silent["read"].sum(), silent.height) if silent.height else None,  # type: ignore[operator]
        "silent_turns": silent.height,
    }


def resolution(mentions: pl.DataFrame) -> Numbers:
    """B-cubed and pairwise agreement, shares of merged keys and split entities with their names, coverage."""
    read = mentions.filter(pl.col("named"))
    named = list(read.select("entity", "key").iter_rows())
    whole, pairs = b_cubed(named), pairwise(named)
    over, under = merged(named), split(named)
    return {
        **{f"b3_{name}": getattr(whole, name) for name in ("precision", "recall", "f1")},
        **{f"pair_{name}": getattr(pairs, name) for name in ("precision", "recall", "f1")},
        "over": _ratio(len(over), read["key"].drop_nulls().n_unique()),
        "under": _ratio(len(under), read.drop_nulls("key")["entity"].n_unique()),
        "merged": over,
        "split": under,
        "coverage": _ratio(mentions["key"].drop_nulls().len(), mentions.height),
        "mentions": mentions.height,
    }


def decisions(made: pl.DataFrame) -> Numbers:
    """Accuracy of decisions that were reached, of action and target together (``macro`` over gold decisions)."""
    reached = made.filter(pl.col("reached"))
    each = [mean(reached.filter(pl.col("decision") == one)["right"]) for one in ACTIONS]
    aimed = reached.filter(pl.col("target_right").is_not_null())
    ends = made.filter(pl.col("target_live").is_not_null())
    return {
        "reached": reached.height,
        "gold": made.height,
        "accuracy": mean((reached["action"] == reached["decision"]).fill_null(False)),
        "right": mean(reached["right"]),
        "macro": mean(pl.Series(each, dtype=pl.Float64)),
        "target": mean(aimed["target_right"]),
        "missed_update": mean(ends["target_live"]),
        "ends": ends.height,
    }


def deduped(turns: pl.DataFrame) -> Numbers:
    """``precision recall f1`` of the distinct facts that dedup kept, against the facts passed on and those it was handed."""
    kept = turns["distinct_kept"].sum()
    precision, recall = _ratio(kept, turns["passed"].sum()), _ratio(kept, turns["distinct"].sum())
    f1 = None if recall is None else harmonic(precision or 0.0, recall)
    return {"precision": precision, "recall": recall, "f1": f1}


def ranked(evidence: pl.DataFrame) -> float | None:
    """The mean over questions of nDCG: pieces that reached the ranking, each at its place among what was kept.

    A piece that was not kept gains nothing; pieces of the same rows are one. 1 where all of them stand in front.
    """
    far = pl.col("row_fate").replace_strict(_FAR, default=None, return_dtype=pl.Int64)
    reached = evidence.filter(far >= _FAR["cut by rank"])
    places: dict[str, dict[tuple[str, ...], int | None]] = {}
    for question, rows, place in reached.select("question", "rows", "place").iter_rows():
        places.setdefault(question, {}).setdefault(tuple(rows), place)
    values = []
    for pieces in places.values():
        best = math.fsum(1 / math.log2(place + 1) for place in range(1, len(pieces) + 1))
        gain = math.fsum(1 / math.log2(place + 1) for place in pieces.values() if place is not None)
        values.append(min(1.0, gain / best))
    return math.fsum(values) / len(values) if values else None


def confusion(made: pl.DataFrame) -> pl.DataFrame:
    """``decision action count share`` for each of four by five; ``action`` ``none`` where nothing was decided."""
    counts = {
        (d, a or "none"): n for d, a, n in made.group_by("decision", "action", maintain_order=True).len().iter_rows()
    }
    lines = []
    for decision in ACTIONS:
        total = sum(n for (d, _), n in counts.items() if d == decision)
        for action in (*ACTIONS, "none"):
            count = counts.get((decision, action), 0)
            lines.append({"decision": decision, "action": action, "count": count, "share": _ratio(count, total)})
    schema: dict[str, Any] = {"decision": pl.String, "action": pl.String, "count": pl.Int64, "share": pl.Float64}
    return pl.DataFrame(lines, schema=schema)


def store(rows: pl.DataFrame) -> Numbers:
    """Rows at the end: live ones, those whose fact has ended (cascades apart), and rows closed without a reason."""
    judged = rows.filter(pl.col("live") & pl.col("held").is_not_null())
    over = judged.filter(~pl.col("held"))
    closed = rows.filter(pl.col("false_close").is_not_null())
    cascade = over["cascade"].fill_null(False)
    return {
        "rows": rows.height,
        "live": rows["live"].sum() if rows.height else 0,
        "stale": _ratio((~cascade).sum(), judged.height),
        "stale_cascade": _ratio(cascade.sum(), judged.height),
        "closed": closed.height,
        "false_close": mean(closed["false_close"]),
    }


def states(instants: pl.DataFrame) -> Numbers:
    """Mean precision, recall and F1 over instants, and the totals of each kind of row."""
    values = [_state(one) for one in instants.iter_rows(named=True)]
    out: Numbers = {"instants": len(values)}
    for name in ("precision", "recall", "f1"):
        known = [one[name] for one in values if one[name] is not None]
        out[name] = math.fsum(known) / len(known) if known else None
    for name in (
        "live",
        "true",
        "right",
        "duplicate",
        "stale",
        "by_cascade",
        "invented",
        "misfiled",
        "misdated",
        "missing",
        "notes",
        "mirrors",
        "derived",
    ):
        out[name] = instants[name].sum() if instants.height else None
    return out


def funnel(evidence: pl.DataFrame) -> Numbers:
    """Of the pieces that reached a reading stage, the share that it passed on; ``n_*`` how many reached it."""
    far = evidence["row_fate"].drop_nulls().replace_strict(_FAR, return_dtype=pl.Int64)
    out: Numbers = {}
    for stage, into, out_of in (
        ("retrieval", "not retrieved", "cut by rank"),
        ("ranking", "cut by rank", "cut by budget"),
        ("context", "cut by budget", "delivered"),
    ):
        reached = (far >= _FAR[into]).sum()
        out[f"n_{stage}"] = reached
        out[stage] = _ratio((far >= _FAR[out_of]).sum(), reached)
    return out


def signals(evidence: pl.DataFrame) -> pl.DataFrame:
    """``signal mrr R@1 R@3 R@5 R@10 n`` over the questions of which a row lies in the store."""
    known = evidence.filter(pl.col("rows").list.len() > 0)
    lines = []
    for signal in (*SIGNALS, "rank"):
        best = known.group_by("question", maintain_order=True).agg(pl.col(signal).min().alias("best"))
        line: Numbers = {"signal": "final order" if signal == "rank" else signal, "n": best.height}
        line["mrr"] = mean((1 / best["best"]).fill_null(0.0))
        for cut in CUTS:
            hit = known.with_columns((pl.col(signal) <= cut).fill_null(False).alias("hit"))
            line[f"R@{cut}"] = mean(hit.group_by("question", maintain_order=True).agg(pl.col("hit").mean())["hit"])
        lines.append(line)
    schema: dict[str, Any] = {
        "signal": pl.String,
        "mrr": pl.Float64,
        **{f"R@{cut}": pl.Float64 for cut in CUTS},
        "n": pl.Int64,
    }
    return pl.DataFrame(lines, schema=schema)


def remembers(frames: Frames, system: str, dataset: str, mode: str) -> bool:
    """Whether a system keeps facts there; controls keep turns."""
    return of(frames["evidence"], system, dataset, mode)["row_fate"].drop_nulls().len() > 0


def waterfall(questions: pl.DataFrame, *, facts: bool = False) -> pl.DataFrame:
    """``stage lost left`` from all answerable questions down to those delivered; failed ones are a loss of their own.

    ``facts``: quoted turns set aside.
    """
    if facts:
        failed = pl.col("outcome") == "failed"
        alone = pl.when(failed).then("outcome").otherwise("fact_outcome")
        questions = questions.with_columns(outcome=alone, stage=pl.col("fact_stage"))
    asked = questions.filter((pl.col("kind") == "answerable") & (pl.col("part") == "all"))
    lines = [{"stage": "questions", "lost": 0, "left": asked.height}]
    for stage in (*STAGES, "failed"):
        where = pl.col("outcome") == "failed" if stage == "failed" else pl.col("stage") == stage
        lost = asked.filter(where.fill_null(False)).height
        if stage != "failed" or lost:
            lines.append({"stage": stage, "lost": lost, "left": lines[-1]["left"] - lost})  # type: ignore[operator]
    lines.append({"stage": "delivered", "lost": 0, "left": asked.filter(pl.col("outcome") == "delivered").height})
    return pl.DataFrame(lines, schema={"stage": pl.String, "lost": pl.Int64, "left": pl.Int64})


def losses(questions: pl.DataFrame, *, facts: bool = False) -> pl.DataFrame:
    """``outcome stage count share`` of answerable questions that were lost, most first; ``facts``: quoted turns set aside."""
    if facts:
        questions = questions.with_columns(outcome=pl.col("fact_outcome"), stage=pl.col("fact_stage"))
    asked = questions.filter((pl.col("kind") == "answerable") & (pl.col("part") == "all"))
    lost = asked.filter(pl.col("stage").is_not_null())
    return (
        lost.group_by("outcome", "stage", maintain_order=True)
        .agg(pl.len().cast(pl.Int64).alias("count"))
        .with_columns((pl.col("count") / asked.height).alias("share"))
        .sort(["count", "outcome", "stage"], descending=[True, False, False])
    )


def delivered_by(frames: Frames, system: str, dataset: str, mode: str) -> tuple[int, int]:
    """Delivered questions: all of whose pieces stand in the context as facts (or ranked turns), and the others.

    The others needed a quoted turn for at least one piece whose fact was lost.
    """
    pieces = of(frames["evidence"], system, dataset, mode, "all")
    asked = of(frames["questions"], system, dataset, mode, "all")
    asked = asked.filter((pl.col("kind") == "answerable") & (pl.col("outcome") == "delivered"))
    saved = pieces.filter((pl.col("row_fate") != "delivered").fill_null(False))["question"].unique(maintain_order=True)
    quoted = asked.filter(pl.col("question").is_in(saved.implode())).height
    return asked.height - quoted, quoted


def apart(questions: pl.DataFrame) -> Numbers:
    """Questions that have no answer: of what was never said, and of what was to be forgotten."""
    mine = questions.filter(pl.col("part") == "all")
    gone = mine.filter((pl.col("kind") == "deletion") & (pl.col("outcome") != "failed"))
    left = gone.filter(pl.col("outcome") == "not forgotten")
    never = mine.filter(pl.col("kind") == "absent")
    return {
        "never_said": never.height,
        "context_tokens": mean(never["context_tokens"]),
        "deletion": gone.height,
        "forgotten": (gone["outcome"] == "forgotten").sum(),
        "not_forgotten": left.height,
        "stages": dict(left.group_by("stage", maintain_order=True).len().sort("stage").iter_rows()),
    }


def by_category(questions: pl.DataFrame) -> dict[str, tuple[int, int]]:
    """Category -> (questions delivered, questions judged), of those that have an answer."""
    asked = questions.filter(
        (pl.col("kind") == "answerable") & (pl.col("part") == "all") & (pl.col("outcome") != "failed")
    )
    grouped = asked.group_by("category", maintain_order=True).agg(
        (pl.col("outcome") == "delivered").sum().alias("good"), pl.len().alias("n")
    )
    return {category: (good, n) for category, good, n in grouped.sort("category").iter_rows()}


def ordered_sets(frames: Frames) -> list[tuple[str, str]]:
    """``(dataset, language)`` in the order of the run."""
    return list(dict.fromkeys((dataset, language) for _, dataset, language, _ in runs(frames)))


def systems(frames: Frames, dataset: str, modes: Sequence[str] = ("end-to-end",)) -> list[tuple[str, str]]:
    """``(system, mode)`` over a dataset, in the order of the run."""
    return [(system, mode) for system, one, _, mode in runs(frames) if one == dataset and mode in modes]


def mean(values: pl.Series) -> float | None:
    """The mean of numbers or truths, nulls left out; null where none is left. Exact, so that the order cannot matter."""
    known = values.drop_nulls().to_list()
    return math.fsum(known) / len(known) if known else None


def _state(one: Numbers) -> Numbers:
    held = one["live"] - one["notes"] - one["mirrors"]
    precision, recall = _ratio(one["right"], held), _ratio(one["right"], one["true"])
    f1 = harmonic(precision, recall) if precision is not None and recall is not None else None
    if f1 is None and (held or one["true"]):
        f1 = 0.0
    return {"precision": precision, "recall": recall, "f1": f1}


def _ratio(part: Any, whole: Any) -> float | None:
    return float(part) / float(whole) if whole else None
