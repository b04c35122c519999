"""An embedder without a model: hashed words and character n-grams. For tests, and as the floor to beat."""

from __future__ import annotations

import zlib

import numpy as np

from arandu_lab.embed.base import Matrix
from arandu_lab.pure.text import STOP, normal


class Hashing:
    """``hashing-256``: the same bits everywhere, texts that share words or word parts are alike, nothing is understood.

    >>> Hashing().encode(["a", "b"]).shape
    (2, 256)
    """

    instant = True

    def __init__(self, dim: int = 256) -> None:
        self.dim = dim
        self.name = f"hashing-{dim}"

    def encode(self, texts: list[str]) -> Matrix:
        """Vectors of texts, shape ``(len(texts), dim)``."""
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        vector = np.zeros(self.dim, dtype=np.float64)
        for gram, weight in _grams(normal(text) or text):
            code = zlib.crc32(gram.encode("utf-8", "surrogatepass"))
            vector[(code >> 1) % self.dim] += weight if code & 1 else -weight
        if not vector.any():
            vector[zlib.crc32(text.encode("utf-8", "surrogatepass")) % self.dim] = 1.0
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def _grams(text: str) -> list[tuple[str, float]]:
    """Whole words weigh 1, their trigrams 0.4, function words a fifth."""
    found = []
    for word in text.split():
        share = 0.2 if word in STOP else 1.0
        found.append((word, share))
        padded = f"<{word}>"
        found.extend((padded[at : at + 3], 0.4 * share) for at in range(len(padded) - 2))
    return found
