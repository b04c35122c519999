"""Any embedding model litellm knows; litellm is imported when one is built, and its retries are ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from arandu_lab.embed.base import Matrix
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.litellm import load
from arandu_lab.llm.litellm_errors import translated
from arandu_lab.llm.mind import Patience


class LiteLLMEmbedding:
    """An embedding model by its litellm string; ``parameters`` go to every call.

    ``dim`` is looked up in litellm's table where it is None.

    Raises:
        ConfigError: the dimension is neither given nor known.
    """

    def __init__(
        self, model: str, *, dim: int | None = None, patience: Patience | None = None, **parameters: Any
    ) -> None:
        self.name = f"litellm:{model}"
        self._library = load()
        self._model = model
        self._parameters = parameters
        self._patience = patience or Patience()
        self.dim = dim or self._known_dim()

    async def encode(self, texts: list[str]) -> Matrix:
        """Vectors of texts, shape ``(len(texts), dim)``.

        Raises:
            BackendError: the provider failed, after the retries.
        """
        patience = self._patience

        def wait(state: RetryCallState) -> float:
            return patience.wait(state.attempt_number, state.outcome.exception() if state.outcome else None)

        return await AsyncRetrying(
            retry=retry_if_exception(
                lambda error: isinstance(error, BackendError) and error.kind in {"rate_limit", "unavailable"}
            ),
            wait=wait,
            stop=stop_after_attempt(patience.retries + 1),
            sleep=patience.sleep,
            reraise=True,
        )(self._once, texts)

    async def _once(self, texts: list[str]) -> Matrix:
        try:
            response = await self._library.aembedding(model=self._model, input=texts, num_retries=0, **self._parameters)
        except Exception as error:  # a foreign library may raise anything; it leaves as our own error
            raise translated(error, self.name) from error
        rows = sorted(response.data, key=lambda row: int(row["index"]))
        return np.asarray([row["embedding"] for row in rows], dtype=np.float32)

    def _known_dim(self) -> int:
        try:
            known = self._library.get_model_info(self._model).get("output_vector_size")
        except Exception as error:  # litellm raises a bare Exception for a model that is not in its table
            raise ConfigError(
                f"embedder {self.name!r}: dimension unknown ({error}); say it: '{self.name}@768'"
            ) from error
        if not known:
            raise ConfigError(f"embedder {self.name!r}: dimension unknown; say it: '{self.name}@768'")
        return int(known)
