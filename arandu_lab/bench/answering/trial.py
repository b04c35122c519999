"""The judge judged: answers that are known to be wrong, and answers that are known to be right.

=============  ======================================================================  ==========
kind           the answer that is put                                                  should be
=============  ======================================================================  ==========
gold           the gold answer itself                                                  CORRECT
sentence       the gold answer in a sentence                                           CORRECT
other          the gold answer of another question                                     INCORRECT
negation       the gold answer denied                                                  INCORRECT
empty          nothing                                                                 INCORRECT
unknown        "I don't know"                                                          INCORRECT
abstention     "I don't know", where nothing was ever said (absent questions)          CORRECT
careless       what a careless reader says there, or the gold of another question      INCORRECT
=============  ======================================================================  ==========
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from arandu_lab.bench.answering.judging import Judge
from arandu_lab.bench.data.model import Question
from arandu_lab.pure.answers import gold_tokens, polarity
from arandu_lab.trace import Span, Usage

MOST = 0.1
"""The greatest share of false verdicts of either kind with which a judge is trusted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of it. ``frame``: a row an answer put (question, kind, answer, wants, verdict, state, error)."""

    frame: pl.DataFrame
    usage: Usage

    @property
    def false_accept(self) -> float | None:
        """Share of wrong answers that were called CORRECT, of those with a verdict; None where there is none."""
        return self._share("INCORRECT")

    @property
    def false_reject(self) -> float | None:
        """Share of right answers that were called INCORRECT, of those with a verdict; None where there is none."""
        return self._share("CORRECT")

    @property
    def trusted(self) -> bool:
        """Whether both shares are known and at most one tenth."""
        return all(share is not None and share <= MOST for share in (self.false_accept, self.false_reject))

    def by_kind(self) -> pl.DataFrame:
        """One row a kind: how many were put, scored, false, unparsable and errored."""
        scored = pl.col("state") == "scored"
        return self.frame.group_by("kind", "wants", maintain_order=True).agg(
            pl.len().alias("put"),
            scored.sum().alias("scored"),
            (scored & (pl.col("verdict") != pl.col("wants"))).sum().alias("false"),
            (pl.col("state") == "unparsable").sum().alias("unparsable"),
            (pl.col("state") == "errored").sum().alias("errored"),
        )

    def sentence(self, name: str) -> str:
        """What is to be thought of the judge, in one sentence.

        >>> none = Trial(frame=pl.DataFrame(schema=TRIAL), usage=Usage())
        >>> none.sentence("m")
        'Judge m: false accepts unknown (0 wrong answers with a verdict), false rejects unknown (0 right ones): not to be trusted.'
        """
        sizes = [self._scored(wants).height for wants in ("INCORRECT", "CORRECT")]
        accept, reject = ("unknown" if one is None else f"{one:.1%}" for one in (self.false_accept, self.false_reject))
        lost = self.frame.filter(pl.col("state") != "scored").height
        return (
            f"Judge {name}: false accepts {accept} ({sizes[0]} wrong answers with a verdict), false rejects {reject}"
            f" ({sizes[1]} right ones)" + (f", {lost} without a verdict" if lost else "") + ": "
            + ("trusted." if self.trusted else "not to be trusted.")
        )  # fmt: skip

    def _scored(self, wants: str) -> pl.DataFrame:
        return self.frame.filter((pl.col("state") == "scored") & (pl.col("wants") == wants))

    def _share(self, wants: str) -> float | None:
        found = self._scored(wants)
        return None if found.is_empty() else float((found["verdict"] != wants).sum()) / found.height


async def trial(judge: Judge, questions: Sequence[tuple[Question, str]], *, size: int = 20) -> Trial:
    """Put known answers to a judge.

    Args:
        judge: On trial.
        questions: Questions with their languages; those with neither a gold answer nor ``absent`` are passed over.
        size: How many of them are used, taken at even distances.
    """
    usable = [(one, language) for one, language in questions if one.answer or one.absent]
    step = max(1.0, len(usable) / size) if size else 1.0
    chosen = [usable[int(place * step)] for place in range(min(size, len(usable)))]
    golds = [one.answer for one, _ in usable if one.answer]
    span, rows = Span("trial"), list[dict[str, Any]]()
    for place, (question, language) in enumerate(chosen):
        for kind, said, wants in _known(question, language, golds, place):
            judged = await judge.judge(
                question.text, said, question.asked_at, gold=[question.answer] if question.answer else (),
                absent=question.absent, wrong_answer=question.wrong_answer, language=language, span=span,
            )  # fmt: skip
            row = {"question": question.id, "kind": kind, "answer": said, "wants": wants, "verdict": judged.verdict}
            rows.append(row | {"state": judged.state, "error": judged.error})
    return Trial(frame=pl.DataFrame(rows, schema=TRIAL), usage=span.usage)


def _known(question: Question, language: str, golds: Sequence[str], place: int) -> Iterator[tuple[str, str, str]]:
    """Kind, answer, and the verdict it deserves."""
    words = _WORDS["pt" if language == "pt" else "en"]
    other = _other(question.answer or question.wrong_answer or "", language, golds, place)
    if question.absent:
        yield "abstention", words["unknown"], "CORRECT"
        if careless := question.wrong_answer or other:
            yield "careless", careless, "INCORRECT"
        return
    gold = question.answer or ""
    yield "gold", gold, "CORRECT"
    yield "sentence", words["sentence"].format(gold), "CORRECT"
    if other:
        yield "other", other, "INCORRECT"
    yield "negation", _denied(gold, words), "INCORRECT"
    yield "empty", "", "INCORRECT"
    yield "unknown", words["unknown"], "INCORRECT"


def _other(gold: str, language: str, golds: Sequence[str], place: int) -> str:
    """The gold of another question, which shares no word with this one; empty where there is none."""
    mine = set(gold_tokens(gold, language))
    turned = [*golds[place + 1 :], *golds[: place + 1]]
    return next((one for one in turned if mine.isdisjoint(gold_tokens(one, language))), "")


def _denied(gold: str, words: dict[str, str]) -> str:
    """The opposite of a yes or no; of anything else, that it is not so."""
    said = polarity(gold)
    return words["no" if said == "yes" else "yes"] if said else words["negation"].format(gold)


_WORDS = {
    "en": {"unknown": "I don't know.", "sentence": "The answer is: {}", "negation": "It is not {}.", "yes": "Yes.", "no": "No."},
    "pt": {"unknown": "Não sei.", "sentence": "A resposta é: {}", "negation": "Não é {}.", "yes": "Sim.", "no": "Não."},
}  # fmt: skip
TRIAL: dict[str, Any] = dict.fromkeys(("question", "kind", "answer", "wants", "verdict", "state", "error"), pl.String)
