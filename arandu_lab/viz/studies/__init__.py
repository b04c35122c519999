"""The pictures of the four studies: each shows what is won beside what it costs, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from arandu_lab.viz.studies.decay import decay_picture
from arandu_lab.viz.studies.dedup import dedup_picture
from arandu_lab.viz.studies.extraction import extraction_picture
from arandu_lab.viz.studies.reranker import reranker_picture

PICTURES: Mapping[str, Callable[[Mapping[str, pl.DataFrame]], Any]] = {
    "extraction": extraction_picture,
    "reranker": reranker_picture,
    "dedup": dedup_picture,
    "decay": decay_picture,
}
"""Name of a study -> the picture of its frames."""
