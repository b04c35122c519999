"""Every setting of the documented system, once: name, range, default and one line each.

The names are flat, so ``config_overrides={"topk_facts": 5}``, a stage's keyword parameter and a line of TOML are the
same word. ``enable_*`` fields choose the assembly of the preset pipelines; no stage reads them.

>>> MemoryConfig(topk_facts=5).topk_facts
5
>>> MemoryConfig(topk_fact=5)
Traceback (most recent call last):
...
arandu_lab.errors.ConfigError: unknown setting 'topk_fact'; did you mean 'topk_facts'?
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline.node import Node, Param, freeze
from arandu_lab.pipeline.registry import REGISTRY
from arandu_lab.pure.chunks import Chars
from arandu_lab.units import Cosine, Count, Days, Factor, Positive, Seconds, Share, Tokens

Shares = dict[str, Share]
Signal = Literal["semantic", "keyword", "graph", "recency", "importance", "confidence"]
Weights = dict[Signal, Factor]


def _f(default: Any, doc: str) -> Any:
    if isinstance(default, dict):
        return Field(default_factory=lambda: dict(default), description=doc)
    return Field(default, description=doc)


class MemoryConfig(BaseModel):
    """The configuration of a memory. Frozen; ``replaced(**changes)`` gives another."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    # write: extraction
    enable_informed_extraction: bool = _f(True, "Extract with what is known in view; off: blind extraction only.")
    extraction_timeout_sec: Seconds = _f(30.0, "Deadline of one extraction, resolution or reconciliation call.")
    informed_extraction_topk: Count = _f(10, "Stored facts shown per known entity that has no profile.")
    informed_extraction_context_budget_tokens: Tokens = _f(800, "Room for what is known in the extraction prompt.")
    chunk_max_chars: Chars = _f(4000, "Characters of a message that one question holds; a longer one is read in parts.")
    chunk_context_chars: Count = _f(400, "Characters shown of what came before a part, for pronouns.")
    chunk_concurrency: Positive = _f(4, "Parts of one message that are asked about at the same time.")
    recent_messages_limit: Count = _f(5, "Earlier messages shown for pronouns.")
    profile_language: str = _f("english", "Language that profiles are written in.")
    importance_values: Shares = _f(
        {
            "biographical_milestone": 0.95,
            "relationship_change": 0.90,
            "stable_preference": 0.75,
            "specific_event": 0.65,
            "routine_activity": 0.50,
            "conversational": 0.30,
        },
        "Importance of each category a model may give; an unknown category counts as .50.",
    )
    confidence_values: Shares = _f(
        {"explicit": 0.95, "strong": 0.80, "weak": 0.60, "speculation": 0.40}, "Confidence of each level."
    )
    timezone: str = _f(
        "UTC", "Zone in which the speaker's 'today' is resolved when the time carries no zone of its own."
    )

    # write: dedup and resolution
    semantic_dedup_threshold: Cosine = _f(0.85, "From this cosine up, two facts of one message may be the same.")
    fuzzy_threshold: Cosine = _f(0.85, "From this cosine up, a name resolves to a known entity at once.")
    fuzzy_floor: Cosine = _f(0.50, "Below this cosine, a name is a new entity.")
    fuzzy_candidates: Positive = _f(3, "Candidates shown to the model for an ambiguous name.")
    enable_llm_resolution: bool = _f(True, "Ask a model about ambiguous names; off: they become new entities.")
    nicknames: Literal["off", "ask", "resolve"] = _f(
        "off",
        "What tables of short forms do for persons' names: nothing, show those who may be meant to the model, or take the "
        "only one that fits (Beto for Roberto).",
    )
    relationship_terms: Literal["speaker", "role"] = _f(
        "speaker", "What a bare 'mother' stands for: the speaker (as documented) or an entity of its own."
    )
    entity_min_chars: Count = _f(3, "Names shorter than this are not linked to facts.")

    # write: reconciliation and upsert
    reconcile_gate: Cosine = _f(0.50, "From this cosine up, a model compares the new fact with the stored ones.")
    reconcile_neighbours: Positive = _f(5, "Stored facts shown per new fact.")
    relation_initial_strength: Share = _f(0.80, "Strength of a new edge.")
    relation_reinforcement: Share = _f(0.10, "Gain of an edge per repetition, up to 1.")
    mirror_confidence: Share = _f(0.60, "Confidence of a fact made from a relation.")

    # read: signals
    topk_facts: Positive = _f(20, "Most facts returned.")
    topk_events: Count = _f(8, "Most turns considered.")
    min_similarity: Cosine = _f(0.20, "Least cosine of a semantic hit.")
    min_confidence: Share = _f(0.55, "Least (decayed) confidence of a fact.")
    min_score: Share = _f(0.15, "Least final score of a returned fact.")
    score_weights: Weights = _f(
        {"semantic": 0.70, "recency": 0.20, "importance": 0.10}, "Weight of each signal in the formula score."
    )
    recency_half_life_days: Days = _f(14.0, "Age at which the recency signal has fallen to one half.")
    confidence_half_life_days: Days = _f(1460.0, "Age since last confirmation at which confidence has halved.")
    confidence_floor: Share = _f(0.10, "Confidence never decays below this.")
    keyword_max_words: Count = _f(0, "Most query words the keyword signal uses; 0 for all.")
    keyword_method: Literal["fraction", "bm25"] = _f("fraction", "How the keyword signal scores.")
    graph_max_hops: Count = _f(2, "Hops walked from the entities of the query.")
    graph_hop_decay: Share = _f(0.50, "Factor per hop beyond the first.")
    graph_query_bonus: Factor = _f(1.5, "Factor for an entity named in the query.")
    graph_recency_days: Days = _f(30.0, "Scale of the recency factor of graph facts.")
    edge_recency_days: Days = _f(90.0, "Scale of the recency factor of edges.")

    # read: enhancement
    spreading_activation_hops: Count = _f(2, "Hops from the best facts to related ones; 0 turns spreading off.")
    spreading_decay_factor: Share = _f(0.50, "Score kept per hop of spreading.")
    spreading_facts_per_entity: Count = _f(3, "Facts fetched per related entity.")
    spreading_max_related_entities: Count = _f(5, "Related entities explored from each seed.")
    pattern_boost_max: Share = _f(0.10, "Most that repetition adds to a score.")

    # read: reranking
    enable_reranker: bool = _f(True, "Let a model grade the best candidates.")
    reranker_weight: Share = _f(0.70, "How far the grade may dim the formula score.")
    min_reranker_score: Share = _f(0.10, "Grades below this veto the fact.")
    reranker_timeout_sec: Seconds = _f(5.0, "Deadline of the grading call.")
    reranker_pool_factor: Positive = _f(2, "Candidates graded, as a multiple of topk_facts.")

    # read: rendering
    context_max_tokens: Tokens = _f(2000, "Budget of the rendered context.")
    hot_tier_ratio: Share = _f(0.50, "Part of the budget for the best facts.")
    warm_tier_ratio: Share = _f(0.30, "Part of the budget for supporting facts.")
    event_max_chars: Count = _f(300, "Most characters of a quoted turn.")
    event_window: Count = _f(0, "Neighbouring turns added on each side of a turn that is found.")
    auto_reinforce: bool = _f(True, "Count a retrieval of the facts that entered the context.")

    # background jobs
    cluster_max_age_days: Days = _f(90.0, "Oldest facts that clustering takes.")
    community_similarity_threshold: Cosine = _f(0.75, "From this cosine up, clusters share a community.")
    community_edge_strength: Share = _f(0.30, "Least strength of an edge that joins a community.")
    consolidation_min_events: Count = _f(3, "Fewest events worth a consolidation.")
    consolidation_lookback_days: Days = _f(7.0, "How far consolidation looks back.")
    summary_refresh_interval_days: Days = _f(7.0, "Age at which a summary or profile is stale.")
    importance_half_life_days: Days = _f(30.0, "Half-life of the recency part of an entity's importance.")
    vitality_half_life_days: Days = _f(30.0, "Half-life of the recency part of vitality.")
    vitality_stale_threshold: Share = _f(0.20, "Vitality below which a fact is marked stale.")
    vitality_keep_importance: Share = _f(
        0.65, "From this importance up, a fact is never marked stale for its vitality."
    )
    job_timeout_sec: Seconds = _f(15.0, "Deadline of one question of a background job.")
    summary_batch: Count = _f(10, "Most summaries that one run refreshes.")
    profile_batch: Count = _f(20, "Most profiles that one run rebuilds.")
    profile_max_facts: Count = _f(50, "Most facts shown for one profile, summary or cluster.")

    def __init__(self, **values: Any) -> None:
        for name in values:
            if name not in type(self).model_fields:
                raise ConfigError(f"unknown setting {name!r}; {nearest(name, type(self).model_fields)}")
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ConfigError(f"setting {where}={first.get('input')!r}: {first['msg']}") from None

    @field_validator("*", mode="before")
    @classmethod
    def _exact_kinds(cls, value: Any, info: ValidationInfo) -> Any:
        """Text is never read as a number, nor truth as a quantity: pydantic's lax mode would take "5" and True."""
        wanted = cls.model_fields[str(info.field_name)].annotation
        if (isinstance(value, bool) != (wanted is bool)) and wanted in (bool, int, float):
            raise ValueError(f"wants {getattr(wanted, '__name__', wanted)}, not {type(value).__name__}")
        if isinstance(value, str) and wanted in (int, float):
            raise ValueError(f"wants a number, not text {value!r}")
        return value

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("no such time zone; write it as in 'America/Recife'") from None
        return value

    def values(self) -> dict[str, Any]:
        """Name -> value of every setting."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    def replaced(self, **changes: Any) -> MemoryConfig:
        """Another configuration with some settings changed, checked like the first."""
        return MemoryConfig(**{**self.values(), **changes})

    def changed(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        default = MemoryConfig()
        return {name: value for name, value in self.values().items() if value != getattr(default, name)}

    @classmethod
    def table(cls) -> list[dict[str, str]]:
        """One row per setting: name, type, default, doc (what ``docs/configuration.md`` and notebooks show)."""
        default = cls()
        return [
            {
                "name": name,
                "type": type_words(info.annotation, info.metadata),
                "default": repr(getattr(default, name)),
                "doc": info.description or "",
            }
            for name, info in cls.model_fields.items()
        ]

    @classmethod
    def markdown(cls) -> str:
        """The same as a Markdown table; ``docs/configuration.md`` holds it word for word."""
        lines = ["| setting | type | default | |", "|---|---|---|---|"]
        for row in cls.table():
            cells = (f"`{row['name']}`", row["type"].replace("|", "or"), f"`{row['default']}`", row["doc"])
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='text-align:left'><code>{row['name']}</code></td><td>{row['type']}</td>"
            f"<td>{getattr(self, row['name'])!r}</td><td style='text-align:left'>{row['doc']}</td></tr>"
            for row in self.table()
        )
        return f"<table><tr><th>setting</th><th>type</th><th>value</th><th></th></tr>{rows}</table>"


JOB_SETTINGS = frozenset(
    {
        "cluster_max_age_days",
        "community_similarity_threshold",
        "community_edge_strength",
        "consolidation_min_events",
        "consolidation_lookback_days",
        "summary_refresh_interval_days",
        "importance_half_life_days",
        "vitality_half_life_days",
        "vitality_stale_threshold",
        "vitality_keep_importance",
        "job_timeout_sec",
        "summary_batch",
        "profile_batch",
        "profile_max_facts",
    }
)
"""Settings of the background jobs: an override of one for a write or a read is warned about, because no stage there reads it."""


def settings(
    config: MemoryConfig,
    pipelines: tuple[Node, ...],
    overrides: Mapping[str, Any] | None = None,
    *,
    strict: bool = False,
    stacklevel: int = 2,
) -> tuple[MemoryConfig, dict[str, Any]]:
    """The configuration with overrides applied, and every value the pipelines read, by flat name.

    An override may name a setting of ``MemoryConfig`` or a parameter that a stage of the pipelines brings itself.
    An unknown name is warned about and ignored, or with ``strict`` (sweeps, experiment files) refused; a value of a
    wrong type or out of range is always refused; so is a name whose every reader is pinned, which could have no effect.

    Raises:
        ConfigError: as above.
    """
    params: dict[str, Param] = {}
    pinned: dict[str, Any] = {}
    for pipeline in pipelines:
        pinned |= pipeline.pinned()
        for name, param in pipeline.parameters().items():
            params.setdefault(name, param)
    known = type(config).model_fields
    own: dict[str, Any] = {}
    mine: dict[str, Any] = {}
    for name, value in (overrides or {}).items():
        if name in pinned and name not in params:
            raise ConfigError(f"{name!r} is pinned to {pinned[name]!r} on its stage; an override would change nothing")
        if name in known:
            mine[name] = value
            if name in JOB_SETTINGS and name not in params:
                warnings.warn(
                    f"{name!r} is for background jobs; neither writing nor reading looks at it", stacklevel=stacklevel
                )
        elif name in params:
            own[name] = params[name].check(value)
        else:
            message = f"unknown setting {name!r}; {nearest(name, [*known, *params])}"
            if strict:
                raise ConfigError(message)
            warnings.warn(message + " (ignored)", stacklevel=stacklevel)
    chosen = config.replaced(**mine) if mine else config
    defaults = {n: p.default for n, p in params.items() if p.default is not Param.required}
    return chosen, {**defaults, **{n: freeze(v) for n, v in chosen.values().items()}, **own}


def type_words(annotation: Any, metadata: Iterable[Any]) -> str:
    """A type and its range as a reader would say it.

    >>> from annotated_types import Ge, Le
    >>> type_words(float, [Ge(0.0), Le(1.0)])
    'float ≥ 0 ≤ 1'
    """
    if annotation is dict or getattr(annotation, "__origin__", None) is dict:
        return "table of shares" if annotation == Shares else "table of weights"
    if getattr(annotation, "__origin__", None) is Literal:
        return " | ".join(map(repr, get_args(annotation)))
    name = getattr(annotation, "__name__", str(annotation))
    bounds = []
    for item in metadata:
        for attribute, sign in (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<")):
            if (bound := getattr(item, attribute, None)) is not None and abs(bound) < 1e5:
                bounds.append(f"{sign} {bound:g}")
    return " ".join([name, *bounds])


REGISTRY.defaults = lambda: MemoryConfig().values()
