"""What a call returns: everything the documents print, under that name, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from arandu_lab.read.table import Framed
from arandu_lab.records import Decided, Event, Fact, Failure, Resolved, Skipped
from arandu_lab.trace import PipelineTrace, Usage

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens asked of models (what this call costs cold); embeddings are counted in ``usage``."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteResult:
    """What a write stored, and what it did not and why. ``success`` is False when a backend stopped it.

    ``degraded`` names the stages whose backend failed and was stepped around; ``failures`` says how each failed;
    ``skipped`` lists what was not stored. The event is kept whatever happens to the rest (``event_id``; in a dry run the
    id it would have).
    """

    event_id: str | None
    facts_added: tuple[Fact, ...] = ()
    facts_updated: tuple[Fact, ...] = ()
    facts_unchanged: tuple[Fact, ...] = ()
    facts_deleted: tuple[Fact, ...] = ()
    entities_resolved: tuple[Resolved, ...] = ()
    duration_ms: float = 0.0
    usage: Usage = field(default_factory=Usage)
    success: bool = True
    error: str | None = None
    degraded: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    decided: tuple[Decided, ...] = ()
    mode: str = "none"
    dry_run: bool = False
    pipeline: PipelineTrace | None = None

    @property
    def tokens_used(self) -> TokenUsage:
        """Tokens of all model calls of this write."""
        return TokenUsage(self.usage.input_tokens, self.usage.output_tokens)

    def __str__(self) -> str:
        lines = [f"{one.action:<6} {one.fact.text}" for one in self.decided]
        lines += [f"skipped {one.what[:80]!r}: {one.why}" for one in self.skipped]
        return self.error or "\n".join(lines) or "nothing to store"

    def _repr_html_(self) -> str:
        rows = [
            (
                one.action,
                one.fact.entity_name,
                one.fact.text,
                one.before.text if one.action == "UPDATE" and one.before else "",
                one.why,
            )
            for one in self.decided
        ]
        kind = f"dry run, {self.mode}" if self.dry_run else self.mode
        head = f"{kind}, {self.usage.calls} calls, {self.usage.total_tokens} tokens"
        if self.error:
            head += f", <b>{escape(self.error)}</b>"
        if self.degraded:
            head += f", degraded: {escape(', '.join(self.degraded))}"
        return f"<p>{head}</p>" + table(("action", "about", "fact", "instead of", "why"), rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredFact:
    """A fact with its final score and every signal that went into it; attributes of the fact are its own too."""

    fact: Fact
    score: float
    scores: dict[str, float]

    @property
    def id(self) -> str:
        """The fact's id."""
        return self.fact.id

    @property
    def fact_text(self) -> str:
        """The fact's text."""
        return self.fact.text

    @property
    def entity_name(self) -> str:
        """Name of the entity it is about."""
        return self.fact.entity_name

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "fact"), name)


@dataclass(frozen=True, kw_only=True)
class RetrieveResult:
    """The context to show a model, the facts and turns in it, and the frame of scores behind them.

    ``frame`` has one row per candidate and one column per score; ``lost`` says where a candidate was cut. It is a polars
    frame made at the first look, as is ``event_frame``. ``left_out`` names what took no part because the question is about
    another moment or state of knowledge and it is not versioned (R19).
    """

    context: str
    facts: tuple[ScoredFact, ...]
    events: tuple[Event, ...]
    total_candidates: int
    duration_ms: float
    frame: Framed = field(default=Framed(), compare=False)
    event_frame: Framed = field(default=Framed(needed=False), compare=False)
    usage: Usage = field(default_factory=Usage)
    degraded: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    pipeline: PipelineTrace | None = None
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(f"{fact.score:.3f} {fact.fact_text}" for fact in self.facts) or "no fact answers"

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for fact in self.facts for name in fact.scores))
        rows = [
            (f"{fact.score:.3f}", fact.entity_name, fact.fact_text, *(_number(fact.scores.get(name)) for name in names))
            for fact in self.facts
        ]
        notes = f"<p>{len(self.facts)} of {self.total_candidates} candidates"
        if self.degraded:
            notes += f", degraded: {escape(', '.join(self.degraded))}"
        return notes + "</p>" + table(("score", "about", "fact", *names), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A plain HTML table, everything escaped, text to the left.

    >>> table(("a",), [("<b>",)])
    "<table><tr><th style='text-align:left'>a</th></tr><tr><td style='text-align:left'>&lt;b&gt;</td></tr></table>"
    """
    left = "style='text-align:left'"
    top = "".join(f"<th {left}>{escape(str(cell))}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td {left}>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
