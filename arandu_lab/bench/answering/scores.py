"""What answering came to: a tidy frame, sums of it, and a page for people. A failure is a null here and never a zero."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.answering.trial import Trial
from arandu_lab.bench.cards import Card, count, percent, plain_card
from arandu_lab.bench.outcome.views import CORRECTED, GIVEN
from arandu_lab.llm.prices import FREE
from arandu_lab.trace import Usage

FRAME: dict[str, Any] = {
    **dict.fromkeys(("dataset", "language", "conversation", "system", "question", "category"), pl.String),
    "absent": pl.Boolean,
    "gold": pl.String,
    "answer": pl.String,
    "abstained": pl.Boolean,
    "recall": pl.Float64,
    "f1": pl.Float64,
    "verdict": pl.String,
    "votes": pl.List(pl.String),
    "state": pl.String,
    "error": pl.String,
    **dict.fromkeys(("calls", "tokens", "calls_billed", "tokens_billed"), pl.Int64),
    "cost_usd": pl.Float64,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerScores:
    """``frame`` has a row a question and system. ``judge`` and ``trial`` are None where nobody judged.

    ``recall`` and ``f1`` are shares of words (of an absent question: 1.0 where the answer abstains, else 0.0), null
    where there is no answer or no gold. ``state`` is the last word on a row: ``scored``; ``unparsable`` (the judge said
    neither); ``errored`` (the system, the model or the judge failed: ``error``); ``ungraded`` (the dataset gives no
    answer). ``tokens`` and ``calls`` are what the row costs cold, ``…_billed`` what this time was paid.

    ``corrected`` is the frame by the corrected gold, where corrections were laid over it, ``again`` what second verdicts
    took, and ``notes`` say which corrections there were.
    """

    frame: pl.DataFrame
    model: str
    judge: str | None = None
    trial: Trial | None = None
    folder: Path | None = None
    corrected: pl.DataFrame | None = None
    again: Usage = field(default_factory=Usage)
    notes: tuple[str, ...] = ()

    def summary(self) -> pl.DataFrame:
        """One row a dataset and system; by both golds (``relevance``) where corrections were laid over it.

        ``left_open`` counts the questions with an answer that were not answered (each has recall 0). ``recall`` and ``f1``
        are means over questions that have an answer, ``abstention`` over those that have none; ``correct`` is the share
        of CORRECT among ``scored`` rows. All with how many they rest on.
        """
        return self._grouped("dataset", "system")

    def by_category(self) -> pl.DataFrame:
        """The same by category of question."""
        return self._grouped("dataset", "system", "category")

    @property
    def usage(self) -> Usage:
        """What all answers and verdicts took, the trial of the judge included."""
        sums = self.frame.select(pl.col("calls", "tokens", "calls_billed", "tokens_billed", "cost_usd").sum())
        calls, tokens, billed, paid, cost = sums.row(0)
        own = (
            Usage(calls=calls, input_tokens=tokens, billed_calls=billed, billed_tokens=paid, cost_usd=cost) + self.again
        )
        return own + self.trial.usage if self.trial else own

    def said(self) -> list[str]:
        """What has to be known beside the figures: why answers are missing, and what was corrected."""
        return [*_left_open(self.frame, self.model), *(f"{one}." for one in self.notes)]

    def to_markdown(self) -> str:
        """The summary, what is to be thought of the judge, and what it all cost."""
        lines = [
            f"Answers of {self.model}" + (f", judged by {self.judge}." if self.judge else ", scored by words."),
            "",
        ]
        lines += [card_of(self.summary().drop("cost_usd")).markdown()]
        lines += [line for one in self.said() for line in ("", one)]
        if self.judge and self.trial:
            lines += ["", self.trial.sentence(self.judge), "", card_of(self.trial.by_kind()).markdown()]
        used = self.usage
        lines += [
            "",
            f"Asked {used.total_tokens:,} tokens in {used.calls:,} calls; billed {used.billed_tokens:,} tokens in"
            f" {used.billed_calls:,} calls. Cold, at list prices: {used.cost_usd:.4f} USD.",
        ]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        said = self.trial.sentence(self.judge) if self.judge and self.trial else "Scored by words."
        notes = "".join(f"<p><small>{escape(one)}</small></p>" for one in self.said())
        return f"<p>Answers of <b>{escape(self.model)}</b>. {escape(said)}</p>{self.summary()._repr_html_()}{notes}"

    def _grouped(self, *keys: str) -> pl.DataFrame:
        if self.corrected is None:
            return self._sums(self.frame, *keys)
        parts = {GIVEN: self.frame, CORRECTED: self.corrected}
        both = [self._sums(part, *keys).with_columns(pl.lit(word).alias("relevance")) for word, part in parts.items()]
        return pl.concat(both).select("dataset", "relevance", pl.exclude("dataset", "relevance"))

    def _sums(self, frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
        there, state = ~pl.col("absent"), pl.col("state")
        judged = pl.col("verdict").is_not_null()
        return frame.group_by(*keys, maintain_order=True).agg(
            pl.len().alias("questions"),
            *((state == one).sum().alias(one) for one in ("scored", "errored", "unparsable", "ungraded")),
            (there & pl.col("recall").is_not_null()).sum().alias("with_answer"),
            (there & pl.col("abstained") & pl.col("recall").is_not_null()).sum().alias("left_open"),
            pl.col("recall").filter(there).mean(),
            pl.col("f1").filter(there).mean(),
            (pl.col("absent") & pl.col("recall").is_not_null()).sum().alias("absent"),
            pl.col("recall").filter(pl.col("absent")).mean().alias("abstention"),
            judged.sum().alias("judged"),
            (pl.col("verdict").filter(judged) == "CORRECT").mean().alias("correct"),
            pl.col("tokens", "tokens_billed", "calls", "cost_usd").sum(),
        )


def _left_open(frame: pl.DataFrame, model: str) -> list[str]:
    """How many questions with an answer were left open, and why, where the rules read."""
    graded = frame.filter(~pl.col("absent") & pl.col("recall").is_not_null())
    number = graded.filter(pl.col("abstained")).height
    if not number:
        return []
    why = (
        " It reads by rule: it quotes a line of the context that states what is asked for, and knows nothing where no line does;"
        " it draws no conclusion and joins no two lines. A model that reads answers more of the same contexts."
    )
    said = f"{model} left {number:,} of {graded.height:,} questions open that have an answer, which counts as recall 0."
    return [said + (why if model == FREE else "")]


def card_of(table: pl.DataFrame) -> Card:
    """A summary as people read it: shares in percent, gaps as dashes."""
    forms = dict.fromkeys(("recall", "f1", "abstention", "correct"), percent)
    counts = dict.fromkeys(("tokens", "tokens_billed", "calls"), count)
    return plain_card(table, **{name: form for name, form in {**forms, **counts}.items() if name in table.columns})
