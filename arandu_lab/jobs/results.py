"""What a job did: the documented figures under their names, every row that changed with what it was before, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any, overload

from arandu_lab.records import (
    Alias,
    Cluster,
    Entity,
    Event,
    Fact,
    Failure,
    Link,
    Observation,
    Relationship,
    Row,
    Skipped,
)
from arandu_lab.results import table
from arandu_lab.trace import PipelineTrace, Usage

if TYPE_CHECKING:
    import polars as pl


class Counted:
    """A figure of a result under its documented name; 0 where the job counted nothing of it."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, result: None, owner: type) -> Counted: ...
    @overload
    def __get__(self, result: JobResult, owner: type) -> int: ...
    def __get__(self, result: JobResult | None, owner: type) -> Counted | int:
        return self if result is None else dict(result.counts).get(self.name, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One row that a job changed: the image after, and the one before (None: it is new)."""

    after: Row
    before: Row | None = None

    @property
    def what(self) -> str:
        """``new``, ``changed``, ``closed`` (a fact or an edge ended) or ``withdrawn`` (a cluster or an observation)."""
        if self.before is None:
            return "new"
        for name, word in (("valid_to", "closed"), ("invalidated_at", "withdrawn")):
            if getattr(self.before, name, None) is None and getattr(self.after, name, None) is not None:
                return word
        return "changed"

    @property
    def told(self) -> str:
        """The change in one line: what the row says now, and where that is the same as before, what else differs."""
        now = said(self.after)
        if self.before is None or said(self.before) != now:
            return now
        moved = (
            f"{name}: {_short(getattr(self.before, name))} → {_short(getattr(self.after, name))}"
            for name in self.fields
        )
        return f"{now} ({'; '.join(moved)})" if self.fields else f"{now} (embedded)"

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that differ."""
        if self.before is None:
            return ()
        names = (name for name in type(self.after).__dataclass_fields__ if name != "vector")
        return tuple(name for name in names if getattr(self.before, name) != getattr(self.after, name))


@dataclass(frozen=True, kw_only=True)
class JobResult:
    """What one job did, or in a dry run would do.

    ``success`` is False when a backend stopped it: then nothing was changed. ``idle`` says why there was nothing to do.
    ``left`` lists what stayed as it was although it was looked at, and why. A figure is read as an attribute under its
    documented name, or as in a mapping: ``result["communities_found"]``, ``dict(result)``.
    """

    job: str
    agent_id: str
    at: datetime
    counts: tuple[tuple[str, int], ...] = ()
    changed: tuple[Changed, ...] = ()
    idle: str | None = None
    success: bool = True
    error: str | None = None
    degraded: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    left: tuple[Skipped, ...] = ()
    usage: Usage = field(default_factory=Usage)
    duration_ms: float = 0.0
    dry_run: bool = False
    pipeline: PipelineTrace | None = field(default=None, repr=False)

    @property
    def skipped(self) -> bool:
        """Whether there was nothing to do (the documents' name)."""
        return self.idle is not None

    @property
    def skip_reason(self) -> str | None:
        """Why there was nothing to do (the documents' name)."""
        return self.idle

    @property
    def frame(self) -> pl.DataFrame:
        """One row a changed row: ``table key what fields before after``."""
        import polars as pl

        rows = [
            {
                "table": type(one.after).__name__.lower(),
                "key": _key(one.after),
                "what": one.what,
                "fields": list(one.fields),
                "before": None if one.before is None else said(one.before),
                "after": said(one.after),
            }
            for one in self.changed
        ]
        schema: dict[str, Any] = dict.fromkeys(("table", "key", "what", "before", "after"), pl.String)
        schema["fields"] = pl.List(pl.String)
        return pl.DataFrame(rows, schema=schema).select("table", "what", "after", "before", "fields", "key")

    def keys(self) -> Iterator[str]:
        """Names of the figures."""
        return iter(dict(self.counts))

    def __getitem__(self, name: str) -> int:
        return dict(self.counts)[name]

    def __str__(self) -> str:
        if self.error:
            return f"{self.job}: failed, nothing changed: {self.error}"
        told = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in self.counts if number)
        would = "would change" if self.dry_run else "changed"
        number = len(self.changed)
        rows = f"{would} {number} row{'' if number == 1 else 's'}"
        aside = f"; {len(self.left)} left as they were" if self.left else ""
        return f"{self.job}: {self.idle or told or 'nothing found'}; {rows}{aside}"

    def _repr_html_(self) -> str:
        rows = [(one.what, type(one.after).__name__.lower(), said(one.after), "" if one.before is None else said(one.before))
                for one in self.changed]  # fmt: skip
        cost = f"{self.usage.calls} calls, {self.usage.total_tokens} tokens"
        return f"<p>{escape(str(self))} ({cost})</p>" + table(("", "row", "after", "before"), rows)


class ClusteringResult(JobResult):
    """Of ``cluster_user_facts``."""

    clusters_created = Counted("Clusters that were not there.")
    clusters_reinforced = Counted("Clusters whose facts changed and that were summed up anew.")
    summaries_generated = Counted("Summaries that a model wrote.")
    facts_assigned = Counted("Facts that lie in a cluster now.")


class CommunityDetectionResult(JobResult):
    """Of ``detect_communities``."""

    communities_created = Counted("Themes that were not there.")
    communities_reinforced = Counted("Themes whose clusters changed.")
    clusters_in_communities = Counted("Clusters that share a theme with another.")


class ConsolidationResult(JobResult):
    """Of ``run_consolidation`` and ``run_profile_consolidation``."""

    events_processed = Counted("Turns that were looked at.")
    observations_created = Counted("Observations that were not there.")
    observations_reinforced = Counted("Observations seen again, on more evidence.")
    events_tagged = Counted("Turns that were given an emotion.")


class MemifyResult(JobResult):
    """Of ``run_memify``."""

    facts_scored = Counted("Facts whose vitality was reckoned.")
    facts_marked_stale = Counted("Facts marked as stale.")
    facts_unmarked = Counted("Facts whose vitality returned.")
    facts_distilled = Counted("Facts of a general kind concluded from episodes.")
    edges_reinforced = Counted("Edges that distilled facts bear out.")
    merges_executed = Counted("Facts that said the same as another and were closed.")


class EntityImportanceResult(JobResult):
    """Of ``compute_entity_importance``."""

    entities_scored = Counted("Entities with a score.")

    @property
    def top_entities(self) -> list[tuple[str, float]]:
        """Of those whose score changed, the ten most important: (key, score)."""
        rows = [one.after for one in self.changed if isinstance(one.after, Entity)]
        return [(row.key, row.importance) for row in sorted(rows, key=lambda row: (-row.importance, row.key))[:10]]


class SummaryRefreshResult(JobResult):
    """Of ``refresh_entity_summaries``."""

    summaries_refreshed = Counted("Summaries written.")
    summaries_skipped = Counted("Entities left: no facts, or no usable answer.")


class ProfileConsolidationResult(JobResult):
    """Of ``consolidate_entity_profiles``."""

    profiles_consolidated = Counted("Profiles written.")
    profiles_skipped = Counted("Entities left: no facts, or no usable answer.")


class EntityCommunityResult(JobResult):
    """Of ``detect_entity_communities``."""

    communities_found = Counted("Groups of two entities and more that edges connect.")
    total_entities_assigned = Counted("Entities in such a group.")


@dataclass(frozen=True, kw_only=True)
class CycleResult:
    """Several jobs one after the other, each on what the one before left."""

    results: tuple[JobResult, ...]

    @property
    def success(self) -> bool:
        """Whether every job succeeded."""
        return all(one.success for one in self.results)

    @property
    def usage(self) -> Usage:
        """What all of them asked."""
        return sum((one.usage for one in self.results), Usage())

    @property
    def frame(self) -> pl.DataFrame:
        """One row a job: ``job success changed left calls tokens duration_ms told``."""
        import polars as pl

        return pl.DataFrame(
            [
                {
                    "job": one.job,
                    "success": one.success,
                    "changed": len(one.changed),
                    "left": len(one.left),
                    "calls": one.usage.calls,
                    "tokens": one.usage.total_tokens,
                    "duration_ms": one.duration_ms,
                    "told": str(one).partition(": ")[2],
                }
                for one in self.results
            ]
        )

    def __getitem__(self, job: str) -> JobResult:
        return next(one for one in self.results if one.job == job)

    def __str__(self) -> str:
        return "\n".join(map(str, self.results))

    def _repr_html_(self) -> str:
        rows = [
            (one.job, len(one.changed), one.usage.calls, one.usage.total_tokens, str(one).partition(": ")[2])
            for one in self.results
        ]
        return table(("job", "rows", "calls", "tokens", ""), [tuple(map(str, row)) for row in rows])


def _short(value: Any) -> str:
    """A value of a row, short: of several how many, of a moment its day.

    >>> _short(("a", "b")), _short(None), _short(0.25)
    ('2', 'nothing', '0.25')
    """
    if isinstance(value, tuple):
        return str(len(value))
    if isinstance(value, datetime):
        return value.date().isoformat()
    return "nothing" if value is None else str(value)[:60]


def said(row: Row) -> str:
    """A row in one line, as a reader would say it."""
    match row:
        case Event():
            return f"{row.speaker}: {row.text}" + (f" [{row.emotion} {row.emotion_intensity}]" if row.emotion else "")
        case Fact():
            return row.text + (f" [stale: {row.stale_why}]" if row.stale_since else "")
        case Entity():
            told = row.summary_text or row.profile_text or ""
            return f"{row.name} (importance {row.importance:.3f})" + (f": {told}" if told else "")
        case Alias():
            return row.name
        case Link():
            return f"{row.fact_id} mentions {row.entity_key}"
        case Relationship():
            return f"{row.source_key} {row.rel_type} {row.target_key} ({row.strength:.2f})"
        case Cluster():
            return f"{row.label}: {row.summary}"
        case Observation():
            return f"{row.kind}: {row.text}"
        case _:  # rows of a workspace, which no job changes
            return row.id


def _key(row: Row) -> str:
    match row:
        case Entity():
            return row.key
        case Alias():
            return row.folded
        case Link():
            return f"{row.fact_id} {row.entity_key}"
        case _:
            return row.id
