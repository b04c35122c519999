"""A stage on trial, and what it works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from arandu_lab.pipeline.lab import Lab


@dataclass(frozen=True, eq=False)
class Trial:
    """``definition`` is what ``@stage`` made, ``given`` what the check was called with (perhaps with pinned values).

    ``kept`` holds what claims have found out already, such as the first run.
    """

    definition: Any
    given: Any
    example: Any = None
    lab: Lab | None = None
    kept: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def node(self) -> Any:
        """The stage as it runs."""
        return self.definition() if self.given is self.definition else self.given
