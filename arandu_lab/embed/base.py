"""The adapter around every embedding model: what no model is trusted with happens here, once.

* An empty text never reaches a model; it has no vector.
* Vectors leave as unit-length, finite, read-only ``float32`` of the promised dimension, or ``BackendError`` is raised.
* The event loop never waits for arithmetic: models compute in a thread, one call at a time.
* Texts embedded lately are remembered.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Sequence
from copy import copy
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from arandu_lab.embed.calibration import Calibration, for_model
from arandu_lab.errors import AranduError, BackendError, ConfigError
from arandu_lab.llm.backend import wellformed
from arandu_lab.records import Vector
from arandu_lab.trace import Span, Usage

Matrix = NDArray[np.float32]


class Model(Protocol):
    """What an embedding model must bring: a name, a dimension, and ``encode``, plain or async.

    ``instant = True`` spares a model that takes microseconds the thread.
    """

    @property
    def name(self) -> str:
        """The name under which vectors of this model are stored."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: list[str]) -> Matrix | Awaitable[Matrix]:
        """Vectors of texts, shape ``(len(texts), dim)``; no text is blank."""
        ...


class Embedder:
    """An embedding model made safe; implements ``arandu_lab.pipeline.lab.Embed``.

    >>> from arandu_lab.embed.hashing import Hashing
    >>> embed = Embedder(Hashing())
    >>> here, nothing = asyncio.run(embed(["I live in Recife", " "]))
    >>> here.shape, nothing
    ((256,), None)
    """

    def __init__(
        self, model: Model, *, calibration: Calibration | None = None, batch: int = 64, cache: int = 4096
    ) -> None:
        if batch < 1 or cache < 0:
            raise ConfigError(f"batch {batch} (at least 1), cache {cache} (0 or more)")
        self.model = model
        self.name = model.name
        self.dim = model.dim
        self.calibration = for_model(model.name) if calibration is None else calibration
        self._batch = batch
        self._size = cache
        self._seen: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()
        self._guard = threading.Lock()
        self._span: Span | None = None

    def scale(self, cosine: Any) -> Any:
        """Raw cosines (float or array) on the documented scale."""
        return self.calibration(cosine)

    def scaled(self, calibration: Calibration) -> Embedder:
        """The same model and memory on another scale."""
        other = copy(self)
        other.calibration = calibration
        return other

    def metered(self, span: Span) -> Embedder:
        """The same model and memory, counting texts into ``span``."""
        other = copy(self)
        other._span = span
        return other

    def forget(self) -> int:
        """Drop every text that is remembered, here and in all copies; how many."""
        with self._guard:
            dropped = len(self._seen)
            self._seen.clear()
        return dropped

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        """One unit vector of shape ``(dim,)`` per text, in order; None for a blank text.

        Raises:
            BackendError: the model failed, or returned what are no vectors of its dimension.
        """
        wanted = [wellformed(text).strip() for text in texts]
        have: dict[str, Vector] = {}
        missing: list[str] = []
        for text in dict.fromkeys(wanted):
            if not text:
                continue
            vector = self._remembered(text)
            if vector is None:
                missing.append(text)
            else:
                have[text] = vector
        for start in range(0, len(missing), self._batch):
            part = missing[start : start + self._batch]
            for text, vector in zip(part, await self._encoded(part), strict=True):
                have[text] = vector
                self._remember(text, vector)
        if self._span is not None:
            self._span.spend(Usage(embedded_texts=sum(1 for text in wanted if text)))
        return [have.get(text) for text in wanted]

    async def _encoded(self, texts: list[str]) -> list[Vector]:
        try:
            if inspect.iscoroutinefunction(self.model.encode):
                raw = await self.model.encode(texts)
            elif getattr(self.model, "instant", False):
                raw = self.model.encode(texts)
            else:
                raw = await asyncio.to_thread(self._locked, texts)
        except AranduError:
            raise
        except Exception as error:  # a foreign model may raise anything; it leaves as our own error
            raise BackendError(f"{type(error).__name__}: {error}", kind="unavailable", backend=self.name) from error
        return self._checked(raw, len(texts))

    def _locked(self, texts: list[str]) -> Any:
        with self._lock:
            return self.model.encode(texts)

    def _checked(self, raw: Any, count: int) -> list[Vector]:
        matrix = np.array(raw, dtype=np.float32)
        if matrix.shape != (count, self.dim):
            raise BackendError(
                f"vectors of shape {matrix.shape} where ({count}, {self.dim}) was promised",
                kind="malformed",
                backend=self.name,
            )
        length = np.linalg.norm(matrix.astype(np.float64), axis=1, keepdims=True)
        if not np.isfinite(length).all() or (length == 0.0).any():
            raise BackendError("a vector that is zero or not finite", kind="malformed", backend=self.name)
        matrix = (matrix / length).astype(np.float32)
        matrix.setflags(write=False)
        return list(matrix)

    def _remembered(self, text: str) -> Vector | None:
        with self._guard:
            vector = self._seen.get(text)
            if vector is not None:
                self._seen.move_to_end(text)
            return vector

    def _remember(self, text: str, vector: Vector) -> None:
        with self._guard:
            self._seen[text] = vector
            while len(self._seen) > self._size:
                self._seen.popitem(last=False)
