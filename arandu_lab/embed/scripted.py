"""Embedders for tests: one whose cosines are prescribed, and one that dies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arandu_lab.embed.base import Embedder, Matrix
from arandu_lab.embed.calibration import IDENTITY
from arandu_lab.embed.hashing import Hashing
from arandu_lab.errors import BackendError, ConfigError, FailureKind
from arandu_lab.records import Vector

_ROUNDS = 20_000
_TOLERANCE = 1e-7


class ScriptedEmbedder(Embedder):
    """Texts with the cosines you say, so that a documented example's similarities hold exactly.

    ``pairs`` maps two texts to their cosine; ``texts`` adds texts without any. A pair left unsaid is as near to
    orthogonal as the said ones allow. A text never mentioned is hashed into dimensions of its own: orthogonal to every
    mentioned text. The calibration is the identity.

    >>> import asyncio
    >>> embed = ScriptedEmbedder({("mora em São Paulo", "mudou para Austin"): 0.72})
    >>> a, b = asyncio.run(embed(["mora em São Paulo", "mudou para Austin"]))
    >>> round(float(a @ b), 6)
    0.72

    Raises:
        ConfigError: no vectors have these cosines.
    """

    def __init__(
        self,
        pairs: Mapping[tuple[str, str], float] | None = None,
        *,
        texts: Sequence[str] = (),
        hash_dim: int = 256,
        name: str = "scripted",
    ) -> None:
        super().__init__(_Prescribed(dict(pairs or {}), tuple(texts), hash_dim, name), calibration=IDENTITY)
        self.asked: list[str] = []

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        """As ``Embedder``; what was asked is kept in ``asked``."""
        self.asked.extend(texts)
        return await super().__call__(texts)


class DeadEmbedder(Embedder):
    """An embedder that answers ``after`` calls and then fails, until ``revive()``.

    >>> import asyncio
    >>> asyncio.run(DeadEmbedder(after=0)(["a"]))
    Traceback (most recent call last):
    ...
    arandu_lab.errors.BackendError: dead: unavailable: the embedder is dead (call 1, alive for 0)
    """

    def __init__(
        self, after: int = 0, *, inner: Embedder | None = None, kind: FailureKind = "unavailable", name: str = "dead"
    ) -> None:
        inner = inner or Embedder(Hashing())
        super().__init__(inner.model, calibration=inner.calibration)
        self.name = name
        self._life = _Life(after)
        self._kind = kind

    def revive(self) -> None:
        """From now on it answers."""
        self._life.after = None

    def kill(self) -> None:
        """From now on it fails."""
        self._life.after = self._life.calls

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        """As ``Embedder``, while it lives.

        Raises:
            BackendError: it is dead.
        """
        life = self._life
        life.calls += 1
        if life.after is not None and life.calls > life.after:
            words = f"the embedder is dead (call {life.calls}, alive for {life.after})"
            raise BackendError(words, kind=self._kind, backend=self.name)
        return await super().__call__(texts)


@dataclass(slots=True)
class _Life:
    after: int | None
    calls: int = 0


class _Prescribed:
    instant = True

    def __init__(self, pairs: dict[tuple[str, str], float], texts: tuple[str, ...], hash_dim: int, name: str) -> None:
        said = [text.strip() for pair in pairs for text in pair] + [text.strip() for text in texts]
        self.name = name
        self._known = {text: row for row, text in enumerate(dict.fromkeys(said))}
        self._hashing = Hashing(hash_dim)
        self._rows = _vectors(self._known, pairs)
        self.dim = len(self._known) + hash_dim

    def encode(self, texts: list[str]) -> Matrix:
        matrix = np.zeros((len(texts), self.dim), dtype=np.float32)
        width = len(self._known)
        for row, text in enumerate(texts):
            if text in self._known:
                matrix[row, :width] = self._rows[self._known[text]]
            else:
                matrix[row, width:] = self._hashing.encode([text])[0]
        return matrix


def _vectors(known: Mapping[str, int], pairs: Mapping[tuple[str, str], float]) -> NDArray[np.float64]:
    """Rows whose products are the prescribed cosines, shape ``(n, n)``.

    The unsaid entries of the Gram matrix are found by projecting in turn on the positive matrices and on those with the
    said entries.
    """
    size = len(known)
    gram = np.eye(size)
    said = np.eye(size, dtype=bool)
    for (first, second), cosine in pairs.items():
        a, b = known[first.strip()], known[second.strip()]
        if not -1.0 <= cosine <= 1.0 or (a == b and cosine != 1.0):
            raise ConfigError(f"cosine {cosine} of {first!r} and {second!r}: wanted within [-1, 1], 1 for equal texts")
        if said[a, b] and a != b and gram[a, b] != cosine:
            raise ConfigError(f"two cosines for {first!r} and {second!r}: {gram[a, b]} and {cosine}")
        gram[a, b] = gram[b, a] = cosine
        said[a, b] = said[b, a] = True
    fixed = gram.copy()
    for _ in range(_ROUNDS):
        values, vectors = np.linalg.eigh(gram)
        if values.size == 0 or values[0] >= -_TOLERANCE:
            return _factor(values, vectors)
        gram = np.where(said, fixed, (vectors * np.maximum(values, 0.0)) @ vectors.T)
        if said.all():
            break
    raise ConfigError(f"no vectors have these cosines (smallest eigenvalue {values[0]:.3g}): {dict(pairs)}")


def _factor(values: Any, vectors: Any) -> NDArray[np.float64]:
    rows = vectors * np.sqrt(np.maximum(values, 0.0))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows, dtype=np.float64)
