"""One search from request to result, with whatever embedder is at hand, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.pipeline import Lab, Pipeline
from arandu_lab.pipeline.lab import Embed
from arandu_lab.pipeline.node import Run
from arandu_lab.records import Vector
from arandu_lab.trace import PipelineTrace, Span
from arandu_lab.workspace.search.found import Presented, Request
from arandu_lab.workspace.search.preset import hybrid


async def search(
    request: Request,
    *,
    embed: Embed | None,
    pipeline: Pipeline | None = None,
    overrides: Mapping[str, Any] | None = None,
    config: MemoryConfig | None = None,
    view: Any = None,
) -> tuple[Presented, PipelineTrace]:
    """The hits for a request, and the trace of how they were found.

    Args:
        embed: None: the semantic voice is silent, and says so.
        pipeline: ``hybrid()`` by default.
        overrides: Parameters of the stages, by their flat names.
        config: Where ``timezone`` comes from.
        view: What a stage of one's own finds in ``lab.memory``.

    Raises:
        ConfigError: an unknown override, or one out of range.
    """
    chosen = hybrid() if pipeline is None else pipeline
    if embed is None and "meaning" in chosen.names():
        chosen = chosen.without("meaning")  # what stands in for it says that it is silent
    known = chosen.parameters()
    for name in overrides or {}:
        if name not in known:
            raise ConfigError(f"unknown override {name!r}; {nearest(str(name), known)}")
    _, values = settings(config or MemoryConfig(), (chosen,), overrides, strict=True)
    trace = PipelineTrace(Span("search"))
    lab = Lab(llm=None, embed=embed or Absent(), memory=view, now=request.library.now, log=trace.root)  # type: ignore[arg-type]
    found: Presented = await chosen.run(request, Run(lab, values, trace.root))
    return found, trace


class Absent:
    """No embedder: it gives no vectors, and takes cosines as they are."""

    name = "none"
    dim = 0

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        """Refuses.

        Raises:
            BackendError: always.
        """
        raise BackendError("no embedder is there", kind="unavailable", backend=self.name)

    def scale(self, cosine: Any) -> Any:
        """The cosine itself."""
        return cosine
