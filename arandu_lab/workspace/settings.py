"""What of a workspace can be set: curves of forgetting, how mentions weigh, and when consolidation merges."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from arandu_lab.config import type_words
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pure.memory_types import DECAYS, USE_GAIN, Decays, decays
from arandu_lab.pure.trust import MENTION_SHARE
from arandu_lab.units import Cosine, Factor, Share
from arandu_lab.workspace.naming import one_of, scoped

DOMAIN_TYPES: Mapping[str, str] = {
    "conventions": "convention",
    "decisions": "decision",
    "codebase": "codebase",
    "architecture": "codebase",
    "results": "result",
    "events": "event",
    "commitments": "commitment",
    "profile": "profile",
    "preferences": "preference",
}
"""The memory type of a fact that names none, by domain."""


class WorkspaceConfig(BaseModel):
    """The settings of a workspace. Frozen.

    >>> WorkspaceConfig(memory_types={"incident": (10, 1.0)}).table["incident"].half_life
    10.0
    >>> WorkspaceConfig(mention_shar=0.1)
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: unknown setting 'mention_shar'; did you mean 'mention_share'?
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory_types: dict[str, tuple[float, float]] = Field(
        default_factory=dict, description="Memory type -> half-life in days and shape, changed or added."
    )
    default_memory_type: str = Field("convention", description="The type of a fact in a domain that suggests none.")
    mention_share: Share = Field(MENTION_SHARE, description="Share of the doubt that a mention of weight 1 takes away.")
    use_gain: Factor = Field(USE_GAIN, description="Growth of the half-life each time the uses of a fact double.")
    merge_threshold: Cosine = Field(0.85, description="Cosine from which consolidation looks at two facts as one.")
    hot_domain: str = Field("conventions", description="Where a hot item goes that names no domain.")

    def __init__(self, **values: object) -> None:
        for name in values:
            if name not in type(self).model_fields:
                raise ConfigError(f"unknown setting {name!r}; {nearest(name, type(self).model_fields)}")
        try:
            super().__init__(**values)
        except ValidationError as wrong:
            first = wrong.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise ConfigError(f"{place}={first['input']!r}: {first['msg']}") from wrong
        if self.mention_share >= 1.0:
            raise ConfigError(
                f"mention_share={self.mention_share}; 0 to below 1, so that no mention makes a fact certain"
            )
        one_of("default_memory_type", self.default_memory_type, self.table)
        if scoped(self.hot_domain) != (self.hot_domain, None):
            raise ConfigError(f"hot_domain={self.hot_domain!r}; the plain name of a domain of the whole workspace")

    @field_validator("memory_types")
    @classmethod
    def _curves(cls, given: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        decays(given)
        return given

    @cached_property
    def table(self) -> Decays:
        """Memory type -> curve."""
        return decays(self.memory_types)

    @classmethod
    def markdown(cls) -> str:
        """One row per setting as a Markdown table; ``docs/configuration.md`` holds it word for word."""
        default = cls()
        lines = ["| setting | type | default | |", "|---|---|---|---|"]
        for name, info in cls.model_fields.items():
            kind = "table of pairs" if name == "memory_types" else type_words(info.annotation, info.metadata)
            lines.append(f"| `{name}` | {kind} | `{getattr(default, name)!r}` | {info.description} |")
        return "\n".join(lines) + "\n"

    def memory_type(self, given: str | None, domain: str) -> str:
        """The type given, or what the domain suggests.

        Raises:
            ConfigError: a type without a curve.
        """
        chosen = DOMAIN_TYPES.get(domain, self.default_memory_type) if given is None else given
        one_of("memory_type", chosen, self.table)
        return chosen


assert set(DOMAIN_TYPES.values()) <= set(DECAYS)
