"""A row with a setting: its configuration, its pipelines as they stand, and which side of the memory each name is on.

A *setting* is a mapping of flat names to values, as ``config_overrides`` takes them: settings of ``MemoryConfig``, flags
that choose the assembly, and parameters that a stage of one's own brings. Which side a name is on comes from the
signatures of the stages that read it, never from a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline import Pipeline
from arandu_lab.pipeline.node import address
from arandu_lab.presets import Assembly, assembled

FACE = ("recent_messages_limit",)
"""What :meth:`arandu_lab.memory.Memory.write` itself reads of the configuration, before the first stage."""


@dataclass(frozen=True, kw_only=True)
class Settled:
    """An assembly under one setting. ``write`` and ``read`` are as the flags leave them; ``values`` is what stages read."""

    setting: Mapping[str, Any]
    assembly: Assembly
    config: MemoryConfig
    values: Mapping[str, Any]
    write: Pipeline
    read: Pipeline

    @property
    def written(self) -> str:
        """The address of what is done to a turn: two settings that share it leave the same memory."""
        return address([self.write.fingerprint(self.values), {name: self.values[name] for name in FACE}])


def settled(assembly: Assembly, setting: Mapping[str, Any] | None = None) -> Settled:
    """The assembly under a setting.

    Raises:
        ConfigError: an unknown name, a value of a wrong type or out of range, a pinned one, or one that nothing reads.

    >>> from arandu_lab.presets import arandu, tuned
    >>> settled(arandu(), {"topk_facts": 5}).values["topk_facts"]
    5
    >>> settled(tuned(), {"reranker_weight": 0.5})
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: nothing in this memory reads 'reranker_weight'; a setting of it would change nothing
    """
    if setting is not None and not isinstance(setting, Mapping):
        raise ConfigError(f"a setting is a mapping of names to values, not {type(setting).__name__}")
    said = dict(setting or {})
    known = sides(assembly)
    for name in said:
        if not isinstance(name, str):
            raise ConfigError(f"a setting has names of settings, not {name!r}")
        if name not in known and name in MemoryConfig.model_fields and name not in _pinned(assembly):
            raise ConfigError(f"nothing in this memory reads {name!r}; a setting of it would change nothing")
        if name not in known and name not in _pinned(assembly):
            raise ConfigError(f"unknown setting {name!r}; {nearest(name, known)}")
    config, values = settings(assembly.config, (assembly.write, assembly.read), said, strict=True)
    return Settled(
        setting=said,
        assembly=assembly,
        config=config,
        values=values,
        write=assembled(assembly.write, config),
        read=assembled(assembly.read, config),
    )


def sides(assembly: Assembly) -> dict[str, frozenset[str]]:
    """Every name that a setting may give, with the sides that read it: ``write``, ``read``, or both.

    >>> from arandu_lab.presets import arandu
    >>> found = sides(arandu())
    >>> sorted(found["reranker_weight"]), sorted(found["fuzzy_threshold"]), sorted(found["entity_min_chars"])
    (['read'], ['write'], ['read', 'write'])
    """
    return dict(_sides(assembly.write, assembly.read))


@lru_cache(maxsize=32)
def _sides(write: Pipeline, read: Pipeline) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {name: {"write"} for name in FACE}
    for side, pipeline in (("write", write), ("read", read)):
        flags = (name for name in MemoryConfig.model_fields if _chooses(pipeline, name))
        for name in (*pipeline.parameters(), *flags):
            found.setdefault(name, set()).add(side)
    return {name: frozenset(found[name]) for name in sorted(found)}


def applied(assembly: Assembly, setting: Mapping[str, Any] | None) -> Assembly:
    """The assembly with a setting made its own: a memory opened with it writes and reads so without overrides.

    Parameters that stages bring themselves are pinned on them. Raises as :func:`settled`.
    """
    if not setting:
        return assembly
    settled(assembly, setting)
    own = {name: value for name, value in setting.items() if name not in MemoryConfig.model_fields}
    rest = {name: value for name, value in setting.items() if name in MemoryConfig.model_fields}
    pipelines = [assembly.write, assembly.read]
    for place, pipeline in enumerate(pipelines if own else []):
        made = pipeline.pin(own)
        assert isinstance(made, Pipeline)
        pipelines[place] = made
    return Assembly(assembly.config.replaced(**rest), *pipelines)


def _chooses(pipeline: Pipeline, name: str) -> bool:
    """Whether a flag of the configuration changes which stages stand in a pipeline."""
    if MemoryConfig.model_fields[name].annotation is not bool:
        return False
    plain = MemoryConfig()
    return assembled(pipeline, plain.replaced(**{name: True})) != assembled(pipeline, plain.replaced(**{name: False}))


def _pinned(assembly: Assembly) -> dict[str, Any]:
    return {**assembly.write.pinned(), **assembly.read.pinned()}
