"""An embedder object of somebody else's, held to the contract: what it breaks is told as its failure, never stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arandu_lab.errors import BackendError
from arandu_lab.records import Vector
from arandu_lab.trace import Span, Usage


class Foreign:
    """The object as it is, but for three things: a line that breaks (``OSError``) is a ``BackendError``, and so are vectors
    that are not as many as the texts, not of its dimension, not finite or zero; what it embeds is counted.

    Any other error of it is a bug and comes out as itself. Other attributes are the object's own.
    """

    def __init__(self, embed: Any) -> None:
        self._embed = embed
        self._span: Span | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_embed"), name)

    def scale(self, cosine: Any) -> Any:
        """Its own scale."""
        return self._embed.scale(cosine)

    def metered(self, span: Span) -> Foreign:
        """The same object, counting texts into ``span``, itself if it can."""
        if hasattr(self._embed, "metered"):
            return Foreign(self._embed.metered(span))
        other = Foreign(self._embed)
        other._span = span
        return other

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        """As the object answers.

        Raises:
            BackendError: its line broke, or what it returned are no vectors of its dimension.
        """
        try:
            found = await self._embed(texts)
        except OSError as error:
            said = f"{type(error).__name__}: {error}"
            raise BackendError(said, kind="unavailable", backend=self._embed.name) from error
        if self._span is not None:
            self._span.spend(Usage(embedded_texts=sum(1 for text in texts if text.strip())))
        if not isinstance(found, Sequence) or len(found) != len(texts):
            raise self._malformed(f"{type(found).__name__} for {len(texts)} texts; wants one vector or None for each")
        return [None if one is None else self._checked(one) for one in found]

    def _checked(self, vector: Any) -> Vector:
        try:
            checked = np.asarray(vector, dtype=np.float32)
        except (TypeError, ValueError):
            raise self._malformed(f"a {type(vector).__name__} that is no vector") from None
        length = float(np.linalg.norm(checked.astype(np.float64)))
        if checked.shape != (self._embed.dim,) or not np.isfinite(length) or length == 0.0:
            raise self._malformed(f"a vector of shape {checked.shape} and length {length}; wants ({self._embed.dim},)")
        return checked if abs(length - 1.0) < 1e-3 else (checked / length).astype(np.float32)

    def _malformed(self, said: str) -> BackendError:
        return BackendError(said, kind="malformed", backend=self._embed.name)
