"""The pipelines that come in the box, and how settings and files change their assembly.

Flags choose the assembly (decisions: no stage reads them): ``enable_informed_extraction``, ``enable_llm_resolution``
and ``enable_reranker`` leave the asking stage out, and what would have stood in for it stays.
"""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arandu_lab.config import MemoryConfig, settings, type_words
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline import REGISTRY, Node, Param, Pipeline
from arandu_lab.places import local

_FLAGS = {
    "enable_informed_extraction": ("informed",),
    "enable_llm_resolution": ("ask_names",),
    "enable_reranker": ("judge", "cross_encoder"),
}

_PIPELINES = ("arandu_lab.write.", "arandu_lab.read.", "arandu_lab.jobs.")
"""Where the stages of the box live; those of an instrument are no settings of a memory."""

_WORKSPACE = ("arandu_lab.workspace.search.",)
"""Where the stages of the search of a workspace live."""


@dataclass(frozen=True)
class Assembly:
    """A whole memory on paper: its settings and both pipelines. What a TOML file describes and a result records."""

    config: MemoryConfig
    write: Pipeline
    read: Pipeline


def arandu(**overrides: Any) -> Assembly:
    """The documented system, every default as written.

    >>> arandu(topk_facts=5).config.topk_facts
    5
    """
    return Assembly(MemoryConfig(**overrides), write(), read())


def tuned(**overrides: Any) -> Assembly:
    """The system tuned for recall without a model: turns ranked by a learned blend, names resolved, no recency.

    What differs from ``arandu`` is ``TUNED`` and the read pipeline (``reading_tuned``). Overrides go on top.

    >>> tuned(topk_facts=5).config.topk_facts, tuned().config.enable_reranker
    (5, False)
    """
    from arandu_lab.read.preset import reading_tuned

    return Assembly(MemoryConfig(**{**TUNED, **overrides}), write(), reading_tuned())


def tuned_turns(**overrides: Any) -> Assembly:
    """``tuned`` over turns alone: nothing is extracted; writing costs the embedding of the turn, its sentences and new words.

    >>> tuned_turns().write
    embed_turn().otherwise(leave_turn()) >> keep_turn()
    """
    from arandu_lab.write.stages import embed_turn, keep_turn, leave_turn

    chosen = tuned(**overrides)
    return Assembly(chosen.config, embed_turn().otherwise(leave_turn()) >> keep_turn(), chosen.read)


TUNED: Mapping[str, Any] = {
    "nicknames": "resolve",
    "relationship_terms": "role",
    "enable_reranker": False,
    "score_weights": {"semantic": 0.6, "keyword": 0.3, "importance": 0.1},
    "keyword_method": "bm25",
    "topk_events": 50,
    "min_score": 0.05,
}
"""Settings of the tuned preset, beside the documented defaults."""

PRESETS: Mapping[str, Callable[..., Assembly]] = {"arandu": arandu, "tuned": tuned, "tuned-turns": tuned_turns}
"""Names that a file may give as ``preset``."""


def write() -> Pipeline:
    """The documented write pipeline."""
    from arandu_lab.write.groups import write_pipeline

    return as_pipeline(write_pipeline())


def read() -> Pipeline:
    """The documented read pipeline."""
    from arandu_lab.read.preset import reading

    return reading()


def assembled(pipeline: Pipeline, config: MemoryConfig) -> Pipeline:
    """The pipeline with the stages left out whose flag is off.

    >>> "informed" in assembled(write(), MemoryConfig(enable_informed_extraction=False)).names()
    False
    """
    for flag, stages in _FLAGS.items():
        for stage in stages:
            if not getattr(config, flag) and stage in pipeline.names():
                pipeline = pipeline.without(stage)
    return pipeline


def from_toml(source: str | Path | Mapping[str, Any]) -> Assembly:
    """An assembly from a file or a parsed table; every key is checked.

    ::

        preset = "arandu"          # or "tuned", "tuned-turns"
        [config]
        topk_facts = 30
        [read.judge]
        use = "unjudged"           # another registered stage in its place
        [read.blend]
        reranker_weight = 0.5      # a value pinned on that stage

    Raises:
        ConfigError: an unknown key, stage or value, each with the nearest known name.
    """
    data = tomllib.loads(local(source).read_text(encoding="utf-8")) if isinstance(source, str | Path) else source
    known = {"preset", "config", "write", "read"}
    for key in data:
        if key not in known:
            raise ConfigError(f"unknown table {key!r}; {nearest(key, known)}")
    name = str(data.get("preset", "arandu"))
    if name not in PRESETS:
        raise ConfigError(f"unknown preset {name!r}; {nearest(name, PRESETS)}")
    chosen = PRESETS[name]()
    pipelines = {
        "write": _changed(chosen.write, data.get("write", {}), "write"),
        "read": _changed(chosen.read, data.get("read", {}), "read"),
    }
    return overridden(Assembly(chosen.config, pipelines["write"], pipelines["read"]), data.get("config", {}))


def overridden(assembly: Assembly, config: Mapping[str, Any]) -> Assembly:
    """The assembly with some settings changed; what a stage brings itself is pinned on it.

    What says the value that a setting has anyway changes nothing, also where a stage is pinned to another: the filled
    configuration of a result is read back like that.

    Raises:
        ConfigError: an unknown setting, or a value of another type or out of range.

    >>> overridden(arandu(), {"topk_facts": 3, "spreading_seeds": 9}).read.without("judge").pinned()
    {'spreading_seeds': 9}
    """
    now = assembly.config.values()
    news = {name: value for name, value in config.items() if not (name in now and _same(now[name], value))}
    chosen, values = settings(assembly.config, (assembly.write, assembly.read), news, strict=True)
    own = {name: values[name] for name in news if name not in now}
    if not own:
        return Assembly(chosen, assembly.write, assembly.read)
    return Assembly(chosen, as_pipeline(assembly.write.pin(own)), as_pipeline(assembly.read.pin(own)))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def own_settings() -> list[dict[str, str]]:
    """The parameters that stages of a memory in the box bring themselves, one row each: stage, name, type, default.

    >>> [row["default"] for row in own_settings() if row["name"] == "spreading_seeds"]
    ['5']
    """
    return _brought(_PIPELINES)


def search_settings() -> list[dict[str, str]]:
    """The same of the stages that search a workspace.

    >>> [row["default"] for row in search_settings() if row["name"] == "rrf_k"]
    ['60.0']
    """
    return _brought(_WORKSPACE)


def markdown(rows: Iterable[Mapping[str, str]]) -> str:
    """Parameters of stages as a Markdown table; ``docs/configuration.md`` holds both word for word."""
    lines = ["| stage | setting | type | default |", "|---|---|---|---|"]
    for row in rows:
        lines.append(f"| `{row['stage']}` | `{row['name']}` | {row['type'].replace('|', 'or')} | `{row['default']}` |")
    return "\n".join(lines) + "\n"


def _brought(where: tuple[str, ...]) -> list[dict[str, str]]:
    rows = []
    for name in REGISTRY.names():
        definition = REGISTRY.stage(name)
        for param in getattr(definition, "parameters", {}).values():
            if param.default is not Param.required and definition.module.startswith(where):
                kind = _kind(param.annotation)
                rows.append({"stage": name, "name": param.name, "type": kind, "default": repr(param.default)})
    return rows


def _kind(annotation: Any) -> str:
    """The type of a parameter as a reader would say it."""
    if typing.get_origin(annotation) is typing.Annotated:
        base, *marks = typing.get_args(annotation)
        return type_words(base, marks)
    return "table" if typing.get_origin(annotation) is Mapping else type_words(annotation, ())


def as_pipeline(node: Node) -> Pipeline:
    """A node as a pipeline, itself if it is one."""
    return node if isinstance(node, Pipeline) else Pipeline((node,))


def _changed(pipeline: Pipeline, tables: Mapping[str, Any], which: str) -> Pipeline:
    for name, table in tables.items():
        if name not in pipeline.names():
            raise ConfigError(f"[{which}.{name}]: the pipeline has no such stage; {nearest(name, pipeline.names())}")
        if not isinstance(table, Mapping):
            raise ConfigError(f"[{which}.{name}] wants a table of settings, not {table!r}")
        pins = {key: value for key, value in table.items() if key != "use"}
        try:
            pipeline = pipeline.replace(name, REGISTRY.stage(str(table.get("use", name)))(**pins))
        except ConfigError as error:
            raise ConfigError(f"[{which}.{name}]: {error}") from None
    return pipeline
