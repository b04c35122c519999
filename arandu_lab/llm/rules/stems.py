"""Words of a sentence as crude stems, so that *moved* meets *move* and *trabalhando* meets *trabalha*."""

from __future__ import annotations

from functools import lru_cache

from arandu_lab.pure.matching import stem
from arandu_lab.pure.text import content_words

__all__ = ["content", "stem", "stems"]


@lru_cache(maxsize=16384)
def content(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset(stem(word) for word in content_words(text[:1200]))


def stems(text: str) -> frozenset[str]:
    """The stems of all its words that count (a name's parts)."""
    return content(text)
