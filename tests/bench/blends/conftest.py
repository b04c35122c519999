"""Judged questions whose right blend is known."""

from __future__ import annotations

import numpy as np
import pytest

from arandu_lab.blends.judged import Judged

TRUE = {"bm": 3.0, "d_first": 1.0, "noise": 0.0, "qmark": -2.0}


def question(place: int, *, conversation: str, dataset: str = "made", rows: int = 30, evidence: int = 1) -> Judged:
    """A question whose evidence is drawn by a softmax of three times a known blend."""
    rng = np.random.default_rng([place, len(conversation), *conversation.encode()])
    columns = {"bm": rng.normal(size=rows), "d_first": rng.normal(size=rows), "noise": rng.normal(size=rows)}
    columns["qmark"] = (rng.random(rows) < 0.3).astype(np.float64)
    score = sum(TRUE[name] * values for name, values in columns.items()) + rng.gumbel(size=rows)
    relevant = np.zeros(rows, dtype=np.bool_)
    relevant[np.argsort(-score)[:evidence]] = True
    return Judged(
        dataset=dataset,
        conversation=conversation,
        question=f"q{place}",
        category="one" if evidence == 1 else "several",
        columns=columns,
        relevant=relevant,
        open=np.ones(rows, dtype=np.bool_),
    )


@pytest.fixture(scope="session")
def judged() -> list[Judged]:
    """Three conversations of sixty questions, every third with two evidence turns."""
    return [
        question(place, conversation=name, evidence=1 + (place % 3 == 0))
        for name in ("a", "b", "c")
        for place in range(60)
    ]
