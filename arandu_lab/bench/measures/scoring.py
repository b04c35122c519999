"""Answers of a system against a dataset: a row a question and measure, and their means."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import polars as pl

from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.bench.measures.chance import chance, chance_within, within
from arandu_lab.bench.measures.over import stale_turns
from arandu_lab.bench.measures.value import Measure, Unit, parse
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.systems.base import Ranked, worded

State: TypeAlias = Literal["scored", "no_evidence", "unranked", "failed"]


def score(
    dataset: Dataset,
    answers: Mapping[tuple[str, str], Ranked | None],
    measures: Iterable[str | Measure],
    *,
    system: str = "",
    depth: int | None = None,
) -> pl.DataFrame:
    """One row per question and measure.

    Args:
        dataset: Its questions are the rows; none is left out.
        answers: (conversation id, question id) -> answer. None, or no key: the system failed there.
        measures: Measures or their names.
        system: Written into every row.
        depth: How many results were asked for: where the random orders of ``chance`` end too. None: nowhere.

    Returns:
        Columns ``system dataset conversation question category measure value chance evidence found state``. ``value``
        is null unless ``state`` is ``scored``; ``chance`` is over what had been said when the question was asked;
        ``evidence`` counts turns or sessions (of ``Stale``, turns that say what was over; null, like its value, where
        the dataset does not know); ``found`` counts the ranked items.

    Raises:
        ConfigError: an answer to a question that the dataset does not have, or an unknown measure.
    """
    asked = [parse(measure) for measure in measures]
    strange = set(answers) - {(one.id, q.id) for one in dataset for q in one.questions}
    if strange:
        raise ConfigError(f"answers to questions that {dataset.name} does not have: {sorted(strange)[:3]}")
    rows: list[dict[str, Any]] = []
    for conversation in dataset:
        heard = _Heard(conversation, depth)
        for question in conversation.questions:
            answer = answers.get((conversation.id, question.id))
            for measure in asked:
                rows.append(
                    {
                        "system": system,
                        "dataset": dataset.name,
                        "conversation": conversation.id,
                        "question": question.id,
                        "category": question.category,
                        "measure": str(measure),
                        **_row(measure, question, answer, heard),
                    }
                )
    return pl.DataFrame(rows, schema=_SCHEMA)


def summarise(scores: pl.DataFrame, by: Sequence[str] = ("system", "measure")) -> pl.DataFrame:
    """Means over the questions that have a value, with the mean level of chance and the counts of all states.

    Returns:
        The columns of ``by``, then ``mean chance n no_evidence unranked failed``. ``mean`` is null when ``n`` is 0.
    """
    scored = pl.col("state") == "scored"
    return scores.group_by(list(by), maintain_order=True).agg(
        pl.col("value").mean().alias("mean"),
        pl.col("chance").filter(scored & pl.col("value").is_not_null()).mean(),
        (scored & pl.col("value").is_not_null()).sum().cast(pl.Int64).alias("n"),
        *(
            (pl.col("state") == state).sum().cast(pl.Int64).alias(state)
            for state in get_args(State)
            if state != "scored"
        ),
    )


class _Heard:
    """What a conversation had said by the moment of a question."""

    def __init__(self, conversation: Conversation, depth: int | None) -> None:
        self.conversation, self.depth = conversation, depth
        self.session_of = conversation.session_of()
        self.place = {turn.id: place for place, turn in enumerate(conversation.turns)}
        self._moments = [turn.occurred_at for turn in conversation.turns]
        self._sessions: list[int] = []
        self._sizes: list[int] | None = None
        self._within: dict[tuple[int, int], Any] = {}
        self._stale: Any = None
        seen: set[str] = set()
        for turn in conversation.turns:
            seen.add(turn.session_id)
            self._sessions.append(len(seen))

    def size(self, question: Question, unit: Unit) -> int:
        """Turns or sessions heard."""
        turns = bisect_right(self._moments, question.asked_at)
        return turns if unit != "session" else (self._sessions[turns - 1] if turns else 0)

    @property
    def sizes(self) -> list[int]:
        """Tokens of each turn as it would be shown: ``speaker: text``, and the caption of its image; estimated."""
        if self._sizes is None:
            self._sizes = [estimate_tokens(worded(turn, SHOWN)) for turn in self.conversation.turns]
        return self._sizes

    def tokens(self, turn_id: str) -> int:
        """Tokens of one turn."""
        return self.sizes[self.place[turn_id]]

    def stale(self, question: Question) -> frozenset[str] | None:
        """Turns heard that say what was over, and are no evidence; None where the dataset does not know."""
        if self._stale is None:
            self._stale = stale_turns(self.conversation)
        found: frozenset[str] | None = self._stale(question)
        return found

    def chance(self, measure: Measure, question: Question, evidence: Sequence[str]) -> float | None:
        """What a random order of what was heard scores, ended where rankings end."""
        size = self.size(question, measure.unit)
        if len(evidence) > size:
            return None
        if measure.budget is None:
            return chance(measure, size, len(evidence), self.depth)
        places = [self.place[one] for one in evidence if measure.unit == "turn" and one in self.place]
        if not places or max(places) >= size:
            return None
        key = (size, measure.budget)
        if key not in self._within:
            self._within[key] = within(self.sizes[:size], measure.budget, depth=self.depth)
        return chance_within(measure, self._within[key], places)


def _row(measure: Measure, question: Question, answer: Ranked | None, heard: _Heard) -> dict[str, Any]:
    evidence = question.evidence if measure.unit == "turn" else question.evidence_sessions
    about = heard.stale(question) if measure.name == "Stale" else evidence
    row: dict[str, Any] = {
        "value": None,
        "chance": None if about is None or not evidence else heard.chance(measure, question, tuple(about)),
        "evidence": None if about is None else len(about),
        "found": None,
        "state": "no_evidence",
    }
    if answer is None:
        return row | {"state": "failed"}
    if not evidence:
        return row
    if (turns := answer.evidence()) is None:
        return row | {"state": "unranked"}
    ranked = [turn.id for turn in turns]
    if strange := next((one for one in ranked if one not in heard.session_of), None):
        raise ConfigError(f"question {question.id}: ranked {strange!r}; {nearest(strange, heard.session_of)}")
    if measure.unit == "session-of-turns":
        ranked = measure.shown(ranked, heard.tokens)
    if measure.unit != "turn":
        ranked = list(dict.fromkeys(heard.session_of[turn_id] for turn_id in ranked))
    value = None if about is None else _valued(measure, ranked, about, heard)
    return row | {"value": value, "found": len(ranked), "state": "scored"}


def _valued(measure: Measure, ranked: Sequence[str], about: Iterable[str], heard: _Heard) -> float | None:
    if measure.unit == "session-of-turns" and measure.budget is not None:
        return (measure @ max(len(ranked), 1))(ranked, frozenset(about))
    return measure(ranked, frozenset(about), heard.tokens)


SHOWN = "speaker+text+caption"
"""What of a turn counts against a budget."""

_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("system", "dataset", "conversation", "question", "category", "measure"), pl.String),
    "value": pl.Float64,
    "chance": pl.Float64,
    "evidence": pl.Int64,
    "found": pl.Int64,
    "state": pl.String,
}
