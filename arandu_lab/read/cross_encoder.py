"""A stage in the place of ``judge``: a cross-encoder of sentence-transformers (extra ``st``) grades the best candidates."""

from __future__ import annotations

import asyncio
import importlib
import os
from functools import lru_cache
from typing import Any

import numpy as np

from arandu_lab.errors import BackendError
from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.read.interval import dated
from arandu_lab.read.judge import graded
from arandu_lab.units import Positive, Seconds

_NEEDS = "pip install 'arandu-lab[st]' (or pip install torch==2.13.0 sentence-transformers==6.2.0)"


@stage
async def cross_encoder(
    found: Candidates,
    lab: Lab,
    *,
    topk_facts: Positive,
    reranker_pool_factor: Positive,
    reranker_timeout_sec: Seconds,
    cross_encoder_model: str = "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1",
) -> Candidates:
    """Grade the best ``reranker_pool_factor * topk_facts`` candidates, each read together with the question.

    A grade is the sigmoid of the model's score, 0 to 1, for the line as it would be rendered. It does not depend on the
    pool. The model is a folder or a name that is on this machine; it is loaded once, at the first question and outside the
    deadline, and nothing is fetched. The default reads English and Portuguese.
    In a pipeline: ``cross_encoder().otherwise(unjudged())``.

    Raises:
        BackendError: the extra or the model is not there, it is no pointwise model, or it took longer than
            ``reranker_timeout_sec``.
    """
    table = found.table.without("pooled", "reranker")
    pool = table.head(reranker_pool_factor * topk_facts)
    if not len(pool):
        return found.having(graded(table, 0, {}))
    pairs = [(found.plan.query.text, dated(lab.memory.fact_at(place))) for place in pool["position"].tolist()]
    encoder = await asyncio.to_thread(_loaded, cross_encoder_model)
    reading = asyncio.to_thread(_grades, encoder, cross_encoder_model, tuple(pairs))
    try:
        grades = await asyncio.wait_for(reading, reranker_timeout_sec)
    except TimeoutError:
        said = f"no grades within {reranker_timeout_sec:g} s"
        raise BackendError(said, kind="timeout", backend=_named(cross_encoder_model)) from None
    lab.log(judged=len(pool), cross_encoder=cross_encoder_model)
    return found.having(graded(table, len(pool), dict(zip(pool["fact_id"].tolist(), grades.tolist(), strict=True))))


def _grades(encoder: Any, model: str, pairs: tuple[tuple[str, str], ...]) -> Floats:
    """A grade for each pair, shape ``(n,)``. Pairs are read in order of length, whatever the order they come in."""
    order = sorted(range(len(pairs)), key=lambda place: (len(pairs[place][1]), pairs[place]))
    plain = importlib.import_module("torch").nn.Identity()
    try:
        given = encoder.predict([pairs[place] for place in order], activation_fn=plain, show_progress_bar=False)
    except (RuntimeError, OSError) as error:
        raise BackendError(f"{type(error).__name__}: {error}", kind="unavailable", backend=_named(model)) from error
    raw = np.asarray(given, dtype=np.float64)
    if raw.shape != (len(pairs),) or not np.isfinite(raw).all():
        said = f"scores of shape {raw.shape} for {len(pairs)} pairs; wanted one finite number each"
        raise BackendError(said, kind="malformed", backend=_named(model))
    found = np.empty(len(pairs))
    found[order] = np.round(1.0 / (1.0 + np.exp(-np.clip(raw, -60.0, 60.0))), 5)  # padding moves the last bits
    return found


@lru_cache(maxsize=2)
def _loaded(model: str) -> Any:
    """The model, from this machine alone, on one thread."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    try:
        library = importlib.import_module("sentence_transformers")
        importlib.import_module("torch").set_num_threads(1)
    except ImportError as error:
        said = f"needs sentence-transformers: {_NEEDS}"
        raise BackendError(said, kind="unavailable", backend=_named(model)) from error
    try:
        return library.CrossEncoder(model, device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        said = f"no such model on this machine; wanted a folder or a name in the local hub cache: {error}"
        raise BackendError(said, kind="unavailable", backend=_named(model)) from error


def _named(model: str) -> str:
    return f"cross-encoder:{model}"
